// The page's words in the visitor's language. The page and each game have a vocabulary:
// English, and modules with the same keys in other languages. A key that is missing in a language is taken from English; a key
// that is missing in a game is taken from the page.

import english from '../i18n/en.js';
import { fetchPart } from './unfetched.js';

/** @typedef {import('./wire.js').Message} Message */
/** @typedef {{[key: string]: string}} Words */
/** The words of a language that has any. @typedef {(language: string) => Promise<{default: Words} | undefined>} Fetch */

export const LANGUAGES = { de: 'Deutsch', en: 'English', es: 'Español', fr: 'Français', it: 'Italiano', ja: '日本語', pl: 'Polski', zh: '简体中文', 'zh-hant': '繁體中文' };

/** French puts a space before some signs; a line may not begin with the sign. @param {string} text */
const french = (text) => text.replace(/ (?=[:;!?»])|(?<=«) /g, '\u00a0');

let language = 'en';
let plurals = new Intl.PluralRules('en');

class Vocabulary {
  /** @param {Words | null} english null: it is fetched too @param {Fetch} fetch @param {Vocabulary} [base] where to look for a key that is missing here */
  constructor(english, fetch, base) {
    this.english = this.words = english ?? {};
    this.fetch = fetch;
    this.base = base;
    this.spoken = english ? 'en' : '';
  }

  /** @returns {Promise<void>} */
  async learn() {
    const wanted = language;
    if (this.spoken === wanted) return;
    const words = await this.written(wanted);
    if (wanted !== language) return this.learn(); // another was chosen meanwhile
    this.words = words;
    this.spoken = wanted;
  }

  /** @param {string} wanted @returns {Promise<Words>} */
  async written(wanted) {
    const chinese = wanted === 'zh-hant' ? import('./traditional.js') : undefined;
    const [found, taiwan] = await Promise.all([this.fetch(wanted.slice(0, 2)), chinese]);
    const words = found?.default ?? this.english;
    const change = wanted === 'fr' ? french : taiwan?.traditional;
    return change ? Object.fromEntries(Object.entries(words).map(([key, text]) => [key, change(text)])) : words;
  }

  /** @param {string} key @returns {string | undefined} */
  find(key) {
    return this.words[key] ?? this.english[key] ?? this.base?.find(key);
  }

  /** Whether there is such a sentence. @param {string} key */
  has = (key) => this.find(key) !== undefined;

  /**
   * A sentence. `{name}` is filled in; with `n` the key's form for that number is taken (`key_one`, `key_other`).
   * @param {string} key @param {{[name: string]: string | number}} [values]
   */
  t = (key, values = {}) => {
    const form = typeof values.n === 'number' ? `${key}_${plurals.select(values.n)}` : key;
    const text = this.find(form) ?? this.find(`${key}_other`) ?? this.find(key) ?? key;
    return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
  };
}

const page = new Vocabulary(english, (language) => import(`../i18n/${language}.js`));
const vocabularies = [page];

export const { t, has } = page;

/**
 * The words of a game, or of what is fetched late; `learnWords` or `setLanguage` fetches them.
 * @param {Words | null} english null: it is fetched like the others
 * @param {Fetch} fetch
 */
export function vocabulary(english, fetch) {
  const own = new Vocabulary(english, fetch, page);
  vocabularies.push(own);
  return own;
}

/** Fetches what is not there yet of all vocabularies in the current language. */
export async function learnWords() {
  await Promise.all(vocabularies.map((own) => own.learn()));
}

/** A part of the page that has words of its own, with them. @template T @param {() => Promise<T>} load @returns {Promise<T>} */
export async function fetchWorded(load) {
  const part = await fetchPart(load);
  await fetchPart(learnWords);
  return part;
}

/** What the page speaks for a tag such as "fr-CH"; it may be none of its languages. @param {string} tag */
const spokenFor = (tag) => (/^zh-(hant|tw|hk|mo)\b/i.test(tag) ? 'zh-hant' : tag.slice(0, 2).toLowerCase());

/** @param {string} wanted "" for what the browser asks for */
export async function setLanguage(wanted) {
  const asked = wanted ? [wanted] : [...navigator.languages];
  language = asked.map(spokenFor).find((tag) => tag in LANGUAGES) ?? 'en';
  plurals = new Intl.PluralRules(language);
  document.documentElement.lang = { zh: 'zh-Hans', 'zh-hant': 'zh-Hant' }[language] ?? language;
  await learnWords();
}

/** "(computer: simple)". @param {import('./games/game.js').Game} game @param {Message} who the seat, as in a state */
export function computerText(game, { level }) {
  const word = game.levels[level - 1];
  return word ? t('computer_of', { level: t(`level_${word}`) }) : t('computer');
}

/** Refusals that do not say themselves what they are about: it is added. */
const ABOUT_A_FIELD = ['missing_field', 'unknown_field', 'bad_field', 'bad_options'];

/**
 * Why the server refused, in the visitor's language if the reason is known, and which part of what was sent it is about.
 * @param {unknown} error @param {import('./games/game.js').Game} [game] knows the reasons of its rules
 */
export function errorText(error, game) {
  if (!(error instanceof Error)) return String(error);
  const { code, field } = /** @type {{code?: string, field?: string}} */ (error);
  if (!code) return error.message;
  const text = game?.refusal(code) || (has(`e_${code}`) ? t(`e_${code}`) : error.message);
  if (!field || !ABOUT_A_FIELD.includes(code)) return text;
  const [part] = field.split('.'); // "clock.bank_s" is about the clock
  return `${text} (${game?.fieldName(part) || (has(`f_${part}`) ? t(`f_${part}`) : field)})`;
}

/** A name; those that the server gives to players without one, in the visitor's language, also with its number of a second one. @param {string} name */
export function nameText(name) {
  const [, given = name, number = ''] = /^(\w+)( \d)$/.exec(name) ?? [];
  return has(`n_${given}`) ? t(`n_${given}`) + number : name;
}

/** The names that the server gives, each with what it is in the visitor's language; in English they stay. @returns {Words} */
export const namesText = () => Object.fromEntries(Object.entries(page.words).flatMap(([key, name]) => (/^n_[A-Z]/.test(key) ? [[key.slice(2), name]] : [])));

/** Who sits on a seat. No two at a table have names that look alike: the server sees to that. @param {{[name: string]: any}} state @param {number | string} seat */
export function nameOf(state, seat) {
  const { name, handle, bot } = state.seats?.[seat] ?? {};
  if (quiet && !bot && handle) return `@${handle}`;
  return name === undefined || (quiet && !bot) ? t('seat_n', { seat: Number(seat) + 1 }) : nameText(name);
}

let quiet = false;

/** Where nobody talks, nobody is shown names either that people have given themselves. @param {{[name: string]: any}} hello */
export function heedQuiet(hello) {
  quiet = Boolean(hello.quiet || hello.account?.quiet);
}

/** The title of a table, which somebody has given it. @param {{[name: string]: any}} state */
export const titleOf = (state) => (quiet ? '' : state.title);

/** Does nobody talk here? */
export const isQuiet = () => quiet;

/** The handle of an account on a seat, with a sign that no name begins with; "": there is none. @param {{[name: string]: any}} state @param {number | string} seat */
export function handleOf(state, seat) {
  const handle = state.seats?.[seat]?.handle;
  return handle ? `@${handle}` : '';
}

/** "Ana, Bo, and Cleo". Not by Intl.ListFormat: the first of these takes the browser 40 ms of processor time, in the middle of a game. @param {string[]} parts @returns {string} */
export function listed(parts) {
  const [last = '', ...before] = [...parts].reverse();
  if (!before.length) return last;
  const a = before.reverse().reduce((all, b) => t('list_more', { a: all, b }));
  return t(before.length > 1 ? 'list_last' : 'list_two', { a, b: last });
}

/** A half goes to the even number, so that the chances of two have 100 % together. @param {number} chance per mille */
function rounded(chance) {
  const near = Math.round(chance / 10);
  return chance % 10 === 5 && near % 2 === 1 ? near - 1 : near;
}

/** A chance in whole per cent; only what is certain is 0 or 100. @param {number} chance per mille */
export const wholePercent = (chance) =>
  chance <= 0 || chance >= 1000 ? chance / 10 : Math.min(99, Math.max(1, rounded(chance)));

/** The same as a text. @param {number} chance per mille @returns {string} */
export const percent = (chance) => new Intl.NumberFormat(language, { style: 'percent' }).format(wholePercent(chance) / 100);

/** A change of chances in percentage points, with its sign. @param {number} change per mille @returns {string} */
export const points = (change) =>
  new Intl.NumberFormat(language, { maximumFractionDigits: 0, signDisplay: 'exceptZero' }).format(change / 10).replace('-', '−');

/** How long ago, in words. @param {number} ms @returns {string} */
export function agoText(ms) {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return t('just_now');
  const ago = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' });
  if (minutes < 60) return ago.format(-minutes, 'minute');
  if (minutes < 24 * 60) return ago.format(-Math.floor(minutes / 60), 'hour');
  return ago.format(-Math.floor(minutes / 24 / 60), 'day');
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

/** What a match has made of the visitor's rating; a question mark behind one that little is known of. @param {import('./wire.js').Message} push `rated` */
export const ratedText = ({ before, after, provisional }) => t('rated_change', { before, after: provisional ? `${after} ?` : after });
