// The dialog of who is best, class by class.

import { openDialog } from './dialogs.js';
import { el, fill } from './dom.js';
import { t } from './latewords.js';
import { CLASSES, classWords, fetchLines, ratingWords } from './rating.js';
import { errorText } from './words.js';

/** @typedef {import('./wire.js').Message} Message */

/** @param {Message} row @param {number} at from 0 */
function leaderRow(row, at) {
  const name = el('button', { type: 'button', class: 'name named', 'data-handle': row.handle, title: t('who_is', { handle: row.handle }) }, `@${row.handle}`);
  return el('tr', {}, el('td', {}, String(at + 1)), el('th', { scope: 'row' }, name), el('td', {}, ratingWords(row)), el('td', {}, String(row.matches)));
}

/** @param {import('./games/game.js').Game} game whose classes come first */
export function openLeaders(game) {
  const list = el('div', { class: 'leaders', 'aria-live': 'polite' });
  const mine = (/** @type {string} */ name) => name.startsWith(`${game.id}.`);
  const classes = [...CLASSES.filter(mine), ...CLASSES.filter((name) => !mine(name))];
  const which = el(
    'select',
    { id: 'leaders-class', onchange: () => void show(which.value) },
    ...classes.map((name) => el('option', { value: name }, classWords(name))),
  );
  /** @param {string} name */
  async function show(name) {
    try {
      const rows = await fetchLines(`/api/leaders/${name}`);
      if (which.value !== name) return; // another one was chosen meanwhile
      const head = ['leaders_place', 'leaders_who', 'rating', 'leaders_matches'].map((word) => el('th', { scope: 'col' }, t(word)));
      fill(list, rows.length ? el('table', {}, el('thead', {}, el('tr', {}, ...head)), el('tbody', {}, ...rows.map(leaderRow))) : el('p', { class: 'hint' }, t('leaders_none')));
    } catch (error) {
      fill(list, el('p', { role: 'alert' }, errorText(error)));
    }
  }
  openDialog(t('leaders'), el('label', { class: 'field' }, el('span', {}, t('leaders_class')), which), list, el('p', { class: 'hint' }, t('leaders_hint')));
  void show(which.value);
}
