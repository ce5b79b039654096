// The texts of the tutorial and of the rules in all languages; they are fetched with them.

import { vocabulary } from '../../../words.js';
import english from './i18n/en.js';

export const { t } = vocabulary(english, (language) => import(`./i18n/${language}.js`));
