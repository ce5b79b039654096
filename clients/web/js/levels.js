// The choice of how well the computer plays, with a line that says what the chosen level is like. It is remembered for each game.

import { el } from './dom.js';
import { prefs } from './prefs.js';
import { t } from './words.js';

/** @typedef {import('./games/game.js').Game} Game */

export const EASIEST = 1;

/** The level that was chosen last, or the usual one, from 1; the easiest for who has never played. @param {Game} game */
export function levelOf(game) {
  const at = game.levels.indexOf(prefs.level(game.id));
  if (at >= 0) return at + 1;
  return prefs.begun ? game.level : EASIEST;
}

/** @param {Game} game @param {string} id of the field, which no other on the screen has @returns {HTMLElement | false} false: there is one level only */
export function levelChoice(game, id) {
  if (game.levels.length < 2) return false;
  const now = levelOf(game);
  return el(
    'div',
    { class: 'field strength' },
    el('label', { for: id }, t('level')),
    el(
      'select',
      {
        id,
        'data-focus': id,
        'aria-describedby': `${id}-line`,
        onchange: (/** @type {Event} */ { currentTarget }) => {
          const select = /** @type {HTMLSelectElement} */ (currentTarget);
          prefs.setLevel(game.id, select.value);
          if (select.nextElementSibling) select.nextElementSibling.textContent = game.levelLine(select.value);
        },
      },
      ...game.levels.map((word, i) => el('option', { value: word, selected: i + 1 === now }, t(`level_${word}`))),
    ),
    el('small', { id: `${id}-line` }, game.levelLine(game.levels[now - 1])),
  );
}
