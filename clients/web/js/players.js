// The players' cards: who they are, whose turn it is, what is left in their reserves, how they stand, their clocks,
// and whether they are connected.

import { mark, stamp } from './games/taluva/art.js';
import { el, fill, icon } from './dom.js';
import { BOX, nameOf, PIECES, standing } from './games/taluva/describe.js';
import { t } from './games/taluva/words.js';
import { clockText } from './words.js';

/** @typedef {import('./wire.js').Message} Message */
/** @typedef {import('./room.js').Room} Room */

export const PIECE_VIEW = {
  huts: ['huts-1', '-15 -18 30 31'],
  towers: ['tower', '-18 -46 36 56'],
  temples: ['temple', '-30 -42 60 56'],
  boats: ['boat', '-26 -40 52 54'],
};

/** The sign of a colour. @param {string} colour */
export const markIcon = (colour) => icon(mark(colour), '-10 -10 20 20', `mark-icon p-${colour}`);

/** @param {keyof typeof PIECE_VIEW} piece @param {string} colour */
export const pieceIcon = (piece, colour) =>
  icon(stamp(PIECE_VIEW[piece][0]), PIECE_VIEW[piece][1], `piece-icon p-${colour}`);

export class Players {
  /** @param {Room} room */
  constructor(room) {
    this.room = room;
    this.element = el('section', { class: 'players', tabindex: 0, 'aria-label': t('players') });
    this.list = el('ol', { class: 'cards' });
    this.element.append(this.list);
    /** @type {{seat: string, element: HTMLElement}[]} */
    this.clocks = [];
    this.ticking = window.setInterval(() => this.tick(), 250);
  }

  close() {
    clearInterval(this.ticking);
  }

  /** @param {Message} state @param {boolean} live */
  show(state, live) {
    const rows = standing(state);
    const seats = Object.keys(state.table?.players ?? {});
    fill(
      this.list,
      ...seats.map((seat) => this.card(state, seat, rows.find((row) => row.seats.includes(seat))?.rank ?? 0, live)),
    );
    const clocks = [.../** @type {NodeListOf<HTMLElement>} */ (this.list.querySelectorAll('.clock'))];
    this.clocks = seats.flatMap((seat, i) => (state.clock?.kind === 'none' ? [] : [{ seat, element: clocks[i] }]));
    this.tick();
    const acting = this.list.querySelector('.acts');
    if (acting instanceof HTMLElement && this.element.scrollWidth > this.element.clientWidth)
      this.element.scrollLeft = acting.offsetLeft - (this.element.clientWidth - acting.offsetWidth) / 2;
  }

  /** @param {Message} state @param {string} seat @param {number} rank @param {boolean} live */
  card(state, seat, rank, live) {
    const { colour, bot, replaced } = state.seats[seat] ?? {};
    const player = state.table.players[seat];
    const acts = Boolean(state.acting?.includes(Number(seat)));
    const mine = this.room.seat === Number(seat);
    const out = player.out !== undefined;
    const clock = el('span', { class: 'clock', 'aria-label': t('clock') });
    const pieces = PIECES.filter((piece) => player[piece] !== undefined);
    return el(
      'li',
      {
        class: `card p-${colour}${acts ? ' acts' : ''}${mine ? ' mine' : ''}${out ? ' out' : ''}`,
        'aria-current': acts ? 'true' : null,
      },
      el(
        'div',
        { class: 'who' },
        markIcon(colour),
        el('span', { class: 'name' }, nameOf(state, seat)),
        mine && el('small', { class: 'you' }, t('you')),
        state.options.teams && el('span', { class: 'team', title: t('team') }, 'AB'[Number(seat) % 2]),
        el(
          'span',
          { class: 'place', title: t('standing'), 'data-short': out ? '×' : `${player.done ?? rank}.` },
          out ? t('out') : player.done !== undefined ? t('rank_taken', { rank: player.done }) : t('rank_n', { rank }),
        ),
        this.presence(seat, Boolean(bot || replaced), live),
        clock,
      ),
      el('div', { class: 'reserve' }, ...pieces.map((piece) => this.stock(piece, player[piece], colour))),
    );
  }

  /** @param {string} seat @param {boolean} bot @param {boolean} live */
  presence(seat, bot, live) {
    if (!live) return null;
    if (bot) return el('span', { class: 'presence bot', title: t('computer') }, t('computer_short'));
    const here = this.room.online[seat] === true || Number(seat) === this.room.seat;
    const words = t(here ? 'connected' : 'away');
    return el(
      'span',
      { class: `presence ${here ? 'here' : 'away'}`, title: words },
      el('span', { class: 'visually-hidden' }, words),
    );
  }

  /** What is left, and a bar for how much of the box is on the island. @param {keyof typeof BOX} piece @param {number} left @param {string} colour */
  stock(piece, left, colour) {
    const box = BOX[piece];
    const built = box - left;
    const bar = el('span', { class: 'bar' }, el('span', { class: 'built' }));
    /** @type {HTMLElement} */ (bar.firstChild).style.width = `${(built / box) * 100}%`;
    return el(
      'span',
      { class: `stock${left === 0 ? ' spent' : ''}`, title: t(`left_${piece}`, { left, built }) },
      pieceIcon(piece, colour),
      el('b', { 'aria-hidden': 'true' }, left),
      bar,
      el('span', { class: 'visually-hidden' }, t(`left_${piece}`, { left, built })),
    );
  }

  tick() {
    const { state, at } = this.room;
    for (const { seat, element } of this.clocks) {
      const own = state.clock?.seats?.[seat];
      if (!own) continue;
      const runs = state.phase === 'playing' && state.acting?.includes(Number(seat));
      const left = own.left_ms - (runs ? this.room.wire.now() - at : 0);
      const byo = own.periods !== undefined ? ` ·${own.periods}` : '';
      const text = clockText(left) + byo;
      if (element.textContent !== text) element.textContent = text;
      element.classList.toggle('low', Boolean(runs) && left < 20_000);
    }
  }
}
