// What is said only where it is asked for, by modules that are fetched then (`fetchWorded`): each language fetches its own words alone.

import { vocabulary } from './words.js';

export const { t } = vocabulary({}, {
  en: () => import('../i18n/late/en.js'),
  fr: () => import('../i18n/late/fr.js'),
  zh: () => import('../i18n/late/zh.js'),
});
