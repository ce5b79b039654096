// The texts of the lessons and of the rules in all languages; they are fetched with them.

import { vocabulary } from '../../../words.js';
import english from './i18n/en.js';

export const { t, has } = vocabulary(english, {
  fr: () => import('./i18n/fr.js'),
  zh: () => import('./i18n/zh.js'),
});
