// What a lesson teaches, in a sentence, when it matters for the first time in a first game.

import { readBuild, readPlacement } from '../notation.js';
import { piecesOf } from '../standing.js';
import { t } from './words.js';

/** @typedef {import('../../game.js').Message} Message */

/** Whether the seat has built all of a kind, and wins by another one. @param {Message} state @param {number} seat */
const nearlyWon = (state, seat) => piecesOf(state).some((piece) => state.table?.players?.[seat]?.[piece] === 0);

/** @param {Message} state @param {Message} moves @param {number} seat @returns {string[]} */
function placeTips(state, { moves, eliminating }, seat) {
  const over = (/** @type {string} */ text) => {
    const at = readPlacement(text)?.at;
    return at && state.table.hexes[`${at.q},${at.r}`] !== undefined;
  };
  return [eliminating?.length && 'danger', moves.some(over) && 'erupt', nearlyWon(state, seat) && 'win', moves.length > 1 && 'place'].filter(Boolean);
}

/** @param {Message} moves @returns {string[]} */
function buildTips({ moves }) {
  const verbs = new Set(moves.map((/** @type {string} */ text) => readBuild(text)?.verb));
  return ['temple', 'tower', 'expand', 'build'].filter((name) => name === 'build' || verbs.has(name));
}

/** @type {import('../../game.js').Tips} */
export default {
  now: (state, moves, seat) => (moves.step === 'place' ? placeTips(state, moves, seat) : moves.step === 'build' ? buildTips(moves) : []),
  words: (name) => t(`tip_${name}`),
};
