// The end of a match: who won and why, the final count, and what one can do next.

import { BOX, builtBy, nameOf, piecesOf, standing, winnersOf, winnersSentence } from './games/taluva/describe.js';
import { el } from './dom.js';
import { iconButton } from './icons.js';
import { markIcon, pieceIcon } from './players.js';
import { t } from './games/taluva/words.js';

/** @typedef {import('./wire.js').Message} Message */
/** @typedef {{rematch: () => void, replay: () => void, record: () => void, home: () => void}} NextSteps */

/** @param {Message} state @param {boolean} seated @param {NextSteps} next */
export function resultCard(state, seated, next) {
  return el(
    'div',
    { class: 'result' },
    el('h2', {}, t('over')),
    el('p', { class: 'outcome' }, winnersSentence(state)),
    el('p', { class: 'hint' }, t(`why_${state.result?.why}`)),
    countTable(state),
    el(
      'div',
      { class: 'actions' },
      iconButton('play', t('replay'), next.replay, { class: 'plain' }),
      iconButton('down', t('record'), next.record, { class: 'plain' }),
      (seated || state.rematch) &&
        el(
          'button',
          { type: 'button', class: 'confirm', onclick: next.rematch },
          t(state.rematch ? 'to_rematch' : 'rematch'),
        ),
      !seated && el('button', { type: 'button', class: 'plain', onclick: next.home }, t('home')),
    ),
  );
}

/** @param {Message} state */
function countTable(state) {
  const { ranks, totals } = state.result ?? {};
  const winners = winnersOf(state);
  /** @param {string[]} seats */
  const rankOf = (seats) => {
    if (ranks) return Math.min(...seats.map((seat) => ranks[seat] ?? 99));
    return winners.includes(seats[0]) ? 1 : 2;
  };
  const rows = standing(state).map(({ seats }) => seats);
  rows.sort((a, b) => rankOf(a) - rankOf(b));
  return el(
    'table',
    { class: 'count' },
    el('caption', { class: 'visually-hidden' }, t('final_count')),
    countHead(piecesOf(state)),
    el(
      'tbody',
      {},
      ...rows.map((seats) => {
        const count = totals?.[Number(seats[0]) % 2] ?? builtBy(state, seats);
        return el(
          'tr',
          { class: winners.includes(seats[0]) ? 'winner' : '' },
          el('td', {}, winners.length ? rankOf(seats) : '–'),
          el(
            'th',
            { scope: 'row' },
            ...seats.map((seat) =>
              el('span', { class: 'who' }, markIcon(state.seats[seat]?.colour), el('span', {}, nameOf(state, seat))),
            ),
          ),
          ...piecesOf(state).map((piece) => el('td', {}, count[piece])),
        );
      }),
    ),
  );
}

/** @param {(keyof typeof BOX)[]} pieces */
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
