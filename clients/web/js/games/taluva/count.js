// The final count: what everybody has placed, in the order of their ranks.

import { el } from '../../dom.js';
import { nameOf } from '../../words.js';
import { markIcon, pieceIcon } from './pieces.js';
import { builtBy, finalRank, piecesOf, standing, winnersOf } from './standing.js';
import { t } from './words.js';

/** @typedef {import('../game.js').Message} Message */

/** @param {Message} state */
export function countTable(state) {
  const { totals } = state.result ?? {};
  const winners = winnersOf(state);
  const rankOf = (/** @type {string[]} */ seats) => finalRank(state, seats);
  const rows = standing(state).map(({ seats }) => seats);
  rows.sort((a, b) => rankOf(a) - rankOf(b));
  return el(
    'table',
    { class: 'count' },
    el('caption', {}, t('final_count')),
    countHead(piecesOf(state)),
    el(
      'tbody',
      {},
      ...rows.map((seats) => {
        const count = totals?.[Number(seats[0]) % 2] ?? builtBy(state, seats);
        return el(
          'tr',
          { class: winners.includes(Number(seats[0])) ? 'winner' : '' },
          el('td', {}, rankOf(seats) || '–'),
          el(
            'th',
            { scope: 'row' },
            ...seats.map((seat) =>
              el('span', { class: 'who' }, markIcon(state.seats[seat]?.colour), el('span', { class: 'name', title: nameOf(state, seat) }, nameOf(state, seat))),
            ),
          ),
          ...piecesOf(state).map((piece) => el('td', {}, count[piece])),
        );
      }),
    ),
  );
}

/** @param {import('./pieces.js').Piece[]} pieces */
function countHead(pieces) {
  const heads = pieces.map((piece) =>
    el(
      'th',
      { scope: 'col' },
      pieceIcon(piece, 'none'),
      el('span', { class: 'visually-hidden' }, t(`pieces_${piece}`)),
    ),
  );
  return el(
    'thead',
    {},
    el('tr', {}, el('th', { scope: 'col' }, t('rank')), el('th', { scope: 'col' }, t('player')), ...heads),
  );
}
