// By what a match was won: the buildings that decided it, and the sentence that says so.

import { listed, nameOf } from '../../words.js';
import { readCell } from './notation.js';
import { builtBy, piecesOf, standing, winnersOf } from './standing.js';
import { t } from './words.js';

/** @typedef {import('../game.js').Message} Message */
/** @typedef {import('./hexes.js').Key} Key */
/** @typedef {import('./pieces.js').Piece} Piece */
/** @typedef {{seat: number, pieces: readonly Piece[]}} Decider whose buildings, and of which kinds */

const PIECE_OF = /** @type {const} */ ({ h: 'huts', w: 'towers', t: 'temples' });

/** The kinds that a seat has placed all of. @param {Message} state @param {number} seat */
const spentBy = (state, seat) => piecesOf(state).filter((piece) => state.table?.players?.[seat]?.[piece] === 0);

/** Who won by having placed all of some kinds; in ranking matches the first who did. @param {Message} state @returns {Decider[]} */
function builtOut(state) {
  const { players = {} } = state.table ?? {};
  const ranking = Boolean(state.options?.ranking);
  if (!ranking && state.result?.why !== 'two-kinds') return [];
  const first = winnersOf(state).filter((seat) => !ranking || players[seat]?.done === 1);
  return first.map((seat) => ({ seat, pieces: spentBy(state, seat) })).filter(({ pieces }) => pieces.length > 0);
}

/** What each side has placed when the tiles are used up: the winners first. @param {Message} state */
function counts(state) {
  const { totals } = state.result ?? {};
  const winners = winnersOf(state);
  const sides = standing(state).filter(({ out }) => !out);
  sides.sort((a, b) => Number(winners.includes(Number(b.seats[0]))) - Number(winners.includes(Number(a.seats[0]))));
  return sides.map(({ seats }) => ({
    name: listed(seats.map((seat) => nameOf(state, seat))),
    wins: winners.includes(Number(seats[0])),
    built: /** @type {{[piece: string]: number}} */ (totals?.[Number(seats[0]) % 2] ?? builtBy(state, seats)),
  }));
}

/** @param {Message} state @returns {{even: Piece[], decisive: Piece | undefined}} the kinds in which the best are even, and the first in which they are not */
function compared(state) {
  const [best, ...others] = counts(state);
  /** @type {Piece[]} */
  const even = [];
  let rivals = others;
  for (const piece of piecesOf(state)) {
    if (rivals.some(({ built }) => built[piece] > best.built[piece])) return { even: [], decisive: undefined }; // the server knows better
    const level = rivals.filter(({ built }) => built[piece] === best.built[piece]);
    if (level.every(({ wins }) => wins) && rivals.some(({ wins }) => !wins)) return { even, decisive: piece };
    rivals = level;
    even.push(piece);
  }
  return { even, decisive: undefined };
}

const COUNTED = ['exhausted', 'no-room'];

/** @param {Message} state @returns {Decider[]} none if nobody has won */
function deciders(state) {
  const spent = builtOut(state);
  if (spent.length) return spent;
  const { decisive } = COUNTED.includes(state.result?.why) ? compared(state) : { decisive: undefined };
  return winnersOf(state).map((seat) => ({ seat, pieces: decisive ? [decisive] : piecesOf(state) }));
}

/** The hexes with the buildings, and the lagoons with the boats, that decided a match. @param {Message} state @returns {Key[]} */
export function decisiveKeys(state) {
  const found = deciders(state);
  const decides = (/** @type {number} */ seat, /** @type {Piece} */ piece) => found.some((one) => one.seat === seat && one.pieces.includes(piece));
  const { hexes = {}, boats = {} } = state.table ?? {};
  const built = Object.keys(hexes).filter((key) => {
    const { seat, kind } = readCell(hexes[key]);
    return kind && decides(seat, PIECE_OF[kind]);
  });
  return [...built, ...Object.keys(boats).filter((key) => decides(boats[key], 'boats'))];
}

/** By what it was won, in a sentence or two; "" if no count and no buildings decided. @param {Message} state */
export function decidedSentence(state) {
  const pieces = (/** @type {readonly Piece[]} */ kinds) => listed(kinds.map((piece) => t(`all_${piece}`)));
  const spent = builtOut(state);
  if (spent.length) return spent.map((one) => t('won_kinds', { name: nameOf(state, one.seat), pieces: pieces(one.pieces) })).join(' ');
  if (!COUNTED.includes(state.result?.why) || !winnersOf(state).length) return '';
  const { even, decisive } = compared(state);
  const sums = decisive ? counts(state).map(({ name, built }) => `${name} ${built[decisive]}`) : [];
  return [
    t(`why_${state.result.why}`),
    even.length > 0 && t('won_even', { pieces: pieces(even) }),
    decisive && t('won_count', { pieces: t(`pieces_${decisive}`), counts: listed(sums) }),
  ]
    .filter(Boolean)
    .join(' ');
}
