// Pieces and signs as small pictures, and what is left of them in a player's reserve.

import { el, icon } from '../../dom.js';
import { mark, stamp } from './art.js';
import { BOX, finalRank, PIECES, standing } from './standing.js';
import { t } from './words.js';

/** @typedef {import('../game.js').Message} Message */

const PIECE_VIEW = {
  huts: ['huts-1', '-15 -18 30 31'],
  towers: ['tower', '-18 -46 36 56'],
  temples: ['temple', '-30 -42 60 56'],
  boats: ['boat', '-26 -40 52 54'],
};

/** @typedef {keyof typeof PIECE_VIEW} Piece */

/** @param {string} colour */
export const paintOf = (colour) => `p-${colour}`;

/** The sign of a colour. @param {string} colour */
export const markIcon = (colour) => icon(mark(colour), '-10 -10 20 20', `mark-icon ${paintOf(colour)}`);

/** @param {Piece} piece @param {string} colour */
export const pieceIcon = (piece, colour) =>
  icon(stamp(PIECE_VIEW[piece][0]), PIECE_VIEW[piece][1], `piece-icon ${paintOf(colour)}`);

/** What a player's card shows. @param {Message} state @param {number} seat @returns {import('../game.js').Card} */
export function card(state, seat) {
  const player = state.table?.players?.[seat] ?? {};
  const colour = state.seats[seat].colour ?? '';
  const rank = standing(state).find((row) => row.seats.includes(String(seat)))?.rank ?? 0;
  const out = player.out !== undefined;
  const final = state.phase === 'over' ? finalRank(state, [String(seat)]) : 0;
  const pieces = PIECES.filter((piece) => player[piece] !== undefined);
  const over = state.phase === 'over'; // then what counts is what was built, as in the table of the result
  const stocks = pieces.map((piece) => stock(piece, player[piece], colour, over));
  const reserve = el('div', { class: 'reserve' }, ...stocks);
  if (final) return { standing: t('rank_n', { rank: final }), short: `${final}.`, hint: t('rank'), out: false, stock: reserve };
  return {
    standing: out ? t('out') : player.done !== undefined ? t('rank_taken', { rank: player.done }) : t('rank_n', { rank }),
    short: out ? '×' : `${player.done ?? rank}.`,
    hint: t('standing'),
    out,
    stock: reserve,
  };
}

/** What is left, or what was built, and a bar for how much of the box that is. @param {Piece} piece @param {number} left @param {string} colour @param {boolean} over */
function stock(piece, left, colour, over) {
  const box = BOX[piece];
  const built = box - left;
  const bar = el('span', { class: 'bar' }, el('span', { class: 'built' }));
  /** @type {HTMLElement} */ (bar.firstChild).style.width = `${(built / box) * 100}%`;
  return el(
    'span',
    { class: `stock${left === 0 ? ' spent' : ''}`, title: t(`left_${piece}`, { left, built }) },
    pieceIcon(piece, colour),
    el('b', { 'aria-hidden': 'true' }, over ? built : left),
    bar,
    el('span', { class: 'visually-hidden' }, t(`left_${piece}`, { left, built })),
  );
}
