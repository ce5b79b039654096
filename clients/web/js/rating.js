// What somebody is rated, give or take how little is known, and how that has changed; and who is best. Whoever wants to see no numbers
// sees none.

import { el, fill, svg } from './dom.js';
import { entryOf } from './games/registry.js';
import { t } from './latewords.js';
import { prefs } from './prefs.js';
import { errorText } from './words.js';

/** @typedef {import('./wire.js').Message} Message */

/** The forms that are played by quick match; another one that somebody is rated in is shown by its name. */
export const CLASSES = ['taluva.duel.live', 'taluva.table.live', 'totem.duel.live', 'totem.table.live'];
const KNOWN_FORMS = ['duel', 'table', 'ranking', 'team'];
const WIDTH = 320,
  HEIGHT = 120,
  EDGE = 6,
  LEFT = 38;
const STEPS_MOST = 200; // of a curve, the last ones

/** A page of the server, "" where there is none. @param {string} path */
export async function fetchPage(path) {
  const answer = await fetch(path);
  if (answer.status === 404) return '';
  if (!answer.ok) throw Object.assign(new Error(String(answer.status)), { code: 'slow_down' });
  return answer.text();
}

/** Its lines of JSON. @param {string} path @returns {Promise<Message[]>} */
export async function fetchLines(path) {
  return (await fetchPage(path))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** @param {string} name of a class, GAME.FORM.PACE */
export function classWords(name) {
  const [game, form, pace] = name.split('.');
  const title = entryOf(game)?.title ?? game;
  const words = KNOWN_FORMS.includes(form) ? t(`form_${form}`) : form;
  return `${title} · ${words}${pace === 'slow' ? ` · ${t('pace_slow')}` : ''}`;
}

/** A question mark behind one that little is known of; to two deviations on each side. @param {Message} row */
export const ratingWords = ({ rating, deviation, provisional }) => t('rating_about', { rating: provisional ? `${rating} ?` : rating, about: 2 * deviation });

/**
 * Where each step of a curve is drawn, the first match on the left, and how high two deviations reach.
 * @param {Message[]} steps the last one first
 */
export function placesOf(steps) {
  const all = [...steps].reverse();
  const low = Math.min(...all.map(({ rating, deviation }) => rating - 2 * deviation));
  const high = Math.max(...all.map(({ rating, deviation }) => rating + 2 * deviation));
  const x = (/** @type {number} */ at) => Math.round((LEFT + ((WIDTH - LEFT - EDGE) * at) / Math.max(1, all.length - 1)) * 10) / 10;
  const y = (/** @type {number} */ points) => Math.round((HEIGHT - EDGE - ((HEIGHT - 2 * EDGE) * (points - low)) / Math.max(1, high - low)) * 10) / 10;
  return {
    low,
    high,
    places: all.map(({ rating, deviation }, at) => ({ x: x(at), y: y(rating), top: y(rating + 2 * deviation), bottom: y(rating - 2 * deviation) })),
  };
}

/** @param {Message[]} steps the last one first; at least one */
function drawSteps(steps) {
  const { low, high, places } = placesOf(steps);
  const line = places.map(({ x, y }, at) => `${at ? 'L' : 'M'}${x} ${y}`).join('');
  const band = `M${places.map(({ x, top }) => `${x} ${top}`).join('L')}L${[...places].reverse().map(({ x, bottom }) => `${x} ${bottom}`).join('L')}Z`;
  const last = places[places.length - 1];
  const label = t('rating_curve', { n: steps.length, from: steps[steps.length - 1].rating, to: steps[0].rating });
  return svg(
    'svg',
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: 'rating-curve', role: 'img', 'aria-label': label },
    svg('path', { class: 'band', d: band }),
    svg('path', { class: 'line', d: line }),
    svg('circle', { class: 'last', cx: last.x, cy: last.y, r: 3 }),
    svg('text', { class: 'scale', x: LEFT - 4, y: EDGE + 8 }, String(high)),
    svg('text', { class: 'scale', x: LEFT - 4, y: HEIGHT - EDGE }, String(low)),
  );
}

const LEVEL_NEAR = 150; // points: further from all levels one is above or below them

/**
 * Which level of the computer plays about so well: the words for it, and the level.
 * @param {Message[]} levels `level` `rating`, of one class; at least one @param {number} rating
 */
export function levelNear(levels, rating) {
  const nearest = levels.reduce((best, other) => (Math.abs(other.rating - rating) < Math.abs(best.rating - rating) ? other : best));
  const gap = rating - nearest.rating;
  const words = gap > LEVEL_NEAR && levels.every((other) => other.rating < rating) ? 'level_above' : gap < -LEVEL_NEAR && levels.every((other) => other.rating > rating) ? 'level_below' : 'level_about';
  return { words, level: nearest.level };
}

/** The same in a line below; nothing of a rating that little is known of. @param {Message} row */
async function levelLine({ class: name, rating, provisional }) {
  const levels = provisional ? [] : await fetchLines(`/api/levels/${name}`).catch(() => []);
  if (!levels.length) return false;
  const { words, level } = levelNear(levels, rating);
  return el('small', { class: 'level-near' }, t(words, { level: t(`level_${level}`) }));
}

/** One class of somebody's; pressed it shows how that has changed. @param {string} account @param {Message} row */
async function classLine(account, row) {
  const curve = el('div', { class: 'curve-of', hidden: true, 'aria-live': 'polite' });
  const toggle = el('button', { type: 'button', class: 'plain', 'aria-expanded': 'false', onclick: () => void show() }, classWords(row.class));
  async function show() {
    curve.hidden = !curve.hidden;
    toggle.setAttribute('aria-expanded', String(!curve.hidden));
    if (curve.hidden || curve.firstChild) return;
    try {
      const steps = (await fetchLines(`/api/curves/${account}/${row.class}`)).slice(0, STEPS_MOST);
      if (steps.length) fill(curve, drawSteps(steps));
    } catch (error) {
      fill(curve, el('p', { role: 'alert' }, errorText(error)));
    }
  }
  return el('li', {}, toggle, el('strong', {}, ratingWords(row)), el('small', {}, t('rating_matches', { n: row.matches })), await levelLine(row), curve);
}

/** What an account is rated; nothing if it is in no class, or nobody wants to know. @param {string} account @returns {Promise<HTMLElement | false>} */
export async function ratingsOf(account) {
  if (prefs.hideRatings) return false;
  const rows = await fetchLines(`/api/ratings/${account}`);
  if (!rows.length) return false;
  const lines = await Promise.all(rows.map((row) => classLine(account, row)));
  return el('section', { class: 'ratings-of' }, el('h3', {}, t('ratings')), el('ul', {}, ...lines));
}
