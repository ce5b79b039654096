// What is said only where it is asked for, by modules that are fetched then (`fetchWorded`): each language fetches its own words alone.

import { vocabulary } from './words.js';

export const { t } = vocabulary(null, (language) => import(`../i18n/late/${language}.js`));
