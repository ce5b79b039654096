// What a player has: the card, and the table at the end.

import { el } from '../../dom.js';
import { listed, nameOf } from '../../words.js';
import { familyName } from './describe.js';
import { COLOUR_OF, TOP } from './notation.js';
import { backIcon, birdIcon, markIcon, personIcon, poleIcon } from './pieces.js';
import { familiesOf, ledBy, peopleOfFamily, seatOf } from './table.js';
import { t } from './words.js';

/** @typedef {import('../game.js').Message} Message */

/** What a player's card shows. @param {Message} state @param {number} seat @returns {import('../game.js').Card} */
export function card(state, seat) {
  const families = ledBy(state, seat);
  const has = (/** @type {string} */ family) => state.table.families[family];
  const out = families.length > 0 && families.every((family) => has(family).out);
  const best = Math.max(0, ...families.map((family) => has(family).pieces ?? 0));
  return {
    standing: out ? t('out') : `${best}/${TOP}`,
    short: out ? '×' : `${best}/${TOP}`,
    hint: t('standing'),
    out,
    stock: el('div', { class: 'totem-card' }, ...families.map((family) => line(state, family, families.length > 1))),
  };
}

/** @param {Message} state @param {string} family @param {boolean} named */
function line(state, family, named) {
  const { pieces = 0, birds = 0, chosen = 0, barred, written } = state.table.families[family];
  const people = peopleOfFamily(state, family).length;
  const item = (/** @type {Element} */ picture, /** @type {number} */ n, /** @type {string} */ words, name = '') =>
    el('span', { title: words, class: name }, picture, el('b', { 'aria-hidden': 'true' }, n), el('span', { class: 'visually-hidden' }, words));
  return el(
    'div',
    { class: 'totem-family' },
    named && markIcon(COLOUR_OF[family]),
    named && el('span', { class: 'visually-hidden' }, familyName(family)),
    item(personIcon('m', family), people, t('n_people', { n: people })),
    item(birdIcon(), birds, t('n_birds', { n: birds })),
    item(poleIcon(1, COLOUR_OF[family]), pieces, t('n_pieces', { n: pieces }), named ? '' : 'twice'),
    chosen > 0 && item(backIcon(family), chosen, t('n_chosen', { n: chosen })),
    barred && el('span', { class: 'totem-barred', title: t('barred') }, '⊘', el('span', { class: 'visually-hidden' }, t('barred'))),
    written && el('span', { title: t('has_written') }, '✓', el('span', { class: 'visually-hidden' }, t('has_written'))),
  );
}

/** Seats that have won. @param {Message} state @returns {number[]} */
export const winnersOf = (state) => Object.keys(state.result?.winners ?? {}).map(Number);

/** By what it was won, in a sentence or two; "" if no totem decided. @param {Message} state */
export function decidedSentence(state) {
  const winners = winnersOf(state);
  const why = state.result?.why;
  if (!state.table || !winners.length || !['totem', 'rounds'].includes(why)) return '';
  const best = (/** @type {number} */ seat) => Math.max(0, ...ledBy(state, seat).map((family) => state.table.families[family].pieces ?? 0));
  const seats = Object.keys(state.seats).map(Number).sort((a, b) => Number(winners.includes(b)) - Number(winners.includes(a)) || best(b) - best(a));
  return `${t(`why_${why}`)} ${t('won_count', { counts: listed(seats.map((seat) => `${nameOf(state, seat)} ${best(seat)}`)) })}`;
}

/** The families in the order of what counts at the end. @param {Message} state */
export function resultTable(state) {
  if (!state.table) return null;
  const rows = familiesOf(state).map((family) => ({
    family,
    seat: seatOf(state, family),
    pieces: state.table.families[family].pieces ?? 0,
    people: peopleOfFamily(state, family).length,
    birds: state.table.families[family].birds ?? 0,
  }));
  const rankOf = (/** @type {number} */ seat) => state.result?.ranks?.[seat] ?? 0;
  rows.sort((a, b) => rankOf(a.seat) - rankOf(b.seat) || b.pieces - a.pieces || b.people - a.people || b.birds - a.birds);
  const won = state.result?.families ?? [];
  /** @type {[Element, string][]} */
  const heads = [
    [poleIcon(1, 'green'), t('col_pieces')],
    [personIcon('m', 'G'), t('col_people')],
    [birdIcon(), t('col_birds')],
  ];
  return el(
    'table',
    { class: 'totem-result' },
    el('caption', { class: 'visually-hidden' }, t('final_count')),
    el(
      'thead',
      {},
      el(
        'tr',
        {},
        el('th', { scope: 'col' }, t('rank')),
        el('th', { scope: 'col' }, t('player')),
        ...heads.map(([picture, words]) =>
          el('th', { scope: 'col', title: words }, picture, el('span', { class: 'visually-hidden' }, words)),
        ),
      ),
    ),
    el(
      'tbody',
      {},
      ...rows.map(({ family, seat, pieces, people, birds }) =>
        el(
          'tr',
          { class: won.includes(family) ? 'winner' : '' },
          el('td', {}, rankOf(seat) || '–'),
          el('th', { scope: 'row' }, markIcon(COLOUR_OF[family]), ' ', nameOf(state, seat)),
          el('td', {}, pieces),
          el('td', {}, people),
          el('td', {}, birds),
        ),
      ),
    ),
  );
}
