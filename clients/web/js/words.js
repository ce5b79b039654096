// The page's words in the visitor's language. A language is one module of ../i18n; English is always there, for what
// another language has not yet.

import english from '../i18n/en.js';

/** @typedef {{[key: string]: string}} Words */

export const LANGUAGES = { en: 'English', fr: 'Français', zh: '中文' };

/** @type {Words} */
let words = english;
let language = 'en';
let plurals = new Intl.PluralRules('en');

/** @param {string} wanted "" for what the browser asks for */
export async function speak(wanted) {
  const asked = wanted ? [wanted] : [...navigator.languages];
  language = asked.map((tag) => tag.slice(0, 2).toLowerCase()).find((tag) => tag in LANGUAGES) ?? 'en';
  words = language === 'en' ? english : (await import(`../i18n/${language}.js`)).default;
  plurals = new Intl.PluralRules(language);
  document.documentElement.lang = language === 'zh' ? 'zh-Hans' : language;
}

/**
 * A sentence. `{name}` is filled in; with `n` the key's form for that number is taken (`key_one`, `key_other`).
 * @param {string} key @param {{[name: string]: string | number}} [values]
 */
export function t(key, values = {}) {
  const form = typeof values.n === 'number' ? `${key}_${plurals.select(values.n)}` : key;
  const text = find(form) ?? find(`${key}_other`) ?? find(key) ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/** @param {string} key */
const find = (key) => words[key] ?? english[key];

/** Whether there is such a sentence. @param {string} key */
export const has = (key) => find(key) !== undefined;

/** Why the server refused, in the visitor's language if we know the reason. @param {unknown} error */
export function sorry(error) {
  if (!(error instanceof Error)) return String(error);
  const code = /** @type {{code?: string}} */ (error).code;
  return code && has(`e_${code}`) ? t(`e_${code}`) : error.message;
}

/** @param {number} ms as 1:02:03 or 4:05 @returns {string} */
export function clockText(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const h = Math.floor(seconds / 3600),
    m = Math.floor(seconds / 60) % 60,
    s = seconds % 60;
  if (h >= 48) return t('days', { n: Math.floor(h / 24) });
  const pad = (/** @type {number} */ n) => String(n).padStart(2, '0');
  return h ? `${h}:${pad(m)}:${pad(s)}` : `${m}:${pad(s)}`;
}
