// Whose turn it is for what, in words.

import { nameOf } from '../../words.js';
import { t } from './words.js';

/** @typedef {import('../game.js').Message} Message */

/** @param {Message} state @param {number} seat */
export function turnLine(state, seat) {
  const turn = state.table?.turn;
  if (!turn) return '';
  return turn.seat === seat
    ? t(`yours_${turn.step}`)
    : t(`turn_${turn.step}`, { name: nameOf(state, turn.seat) });
}

/** @param {Message} state */
export const infoLine = (state) => t('stack_n', { n: state.table?.stack ?? 0 });
