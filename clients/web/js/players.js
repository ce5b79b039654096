// The players' cards: who they are, whose turn it is, their clocks, whether they are connected, and what the game has to
// say of them.

import { el, fill } from './dom.js';
import { Part } from './frames.js';
import { clockText, computerText, handleOf, t } from './words.js';
import { nameOfSeat } from './named.js';

/** @typedef {import('./wire.js').Message} Message */
/** @typedef {import('./room.js').Room} Room */

/** The letter of a team. @param {number} team from 0 */
export const teamLetter = (team) => String.fromCharCode(65 + team);

export class Players {
  /** @param {Room} room @param {import('./games/game.js').Game} game */
  constructor(room, game) {
    this.room = room;
    this.game = game;
    this.element = el('section', { class: 'players', tabindex: 0, 'aria-label': t('players') });
    this.list = el('ol', { class: 'cards' });
    this.element.append(this.list);
    /** @type {{seat: number, element: HTMLElement}[]} */
    this.clocks = [];
    /** @type {Element | null} the card of whose turn it is */
    this.acting = null;
    this.bringing = new Part(() => this.bring()); // by itself: to look how wide the cards are is to lay out the page
    this.ticking = window.setInterval(() => this.tick(), 250);
  }

  close() {
    clearInterval(this.ticking);
    this.bringing.drop();
  }

  /** @param {Message} state @param {boolean} live */
  show(state, live) {
    const seats = Object.keys(state.seats ?? {}).map(Number);
    fill(this.list, ...seats.map((seat) => this.card(state, seat, live)));
    const clocks = [.../** @type {NodeListOf<HTMLElement>} */ (this.list.querySelectorAll('.clock'))];
    this.clocks = seats.flatMap((seat, i) => (state.clock?.kind === 'none' ? [] : [{ seat, element: clocks[i] }]));
    this.tick();
    const acting = this.list.querySelector('.acts');
    if (acting !== this.acting) this.bringing.ask();
    this.acting = acting;
  }

  /** Where somebody's card can be seen; null: it is out of sight. @param {number} seat @returns {DOMRect | null} */
  placeOf(seat) {
    const at = Object.keys(this.room.state.seats ?? {}).indexOf(String(seat));
    const card = this.list.children[at]?.getBoundingClientRect();
    const all = this.element.getBoundingClientRect();
    const middle = card && { x: (card.left + card.right) / 2, y: (card.top + card.bottom) / 2 };
    return middle && middle.x > all.left && middle.x < all.right && middle.y > all.top && middle.y < all.bottom ? card : null;
  }

  /** Brings whose turn it is into view. */
  bring() {
    const { acting, element } = this;
    if (acting instanceof HTMLElement && element.scrollWidth > element.clientWidth)
      element.scrollLeft = acting.offsetLeft - (element.clientWidth - acting.offsetWidth) / 2;
  }

  /** @param {Message} state @param {number} seat @param {boolean} live */
  card(state, seat, live) {
    const { game } = this;
    const { colour, bot, handle, replaced } = state.seats[seat];
    const { standing, short, hint, out, stock } = game.card(state, seat);
    const acts = Boolean(state.acting?.includes(seat));
    const { shared, seatsHere } = this.room;
    const mine = seatsHere.includes(seat);
    const team = game.teams(state.options)?.findIndex((seats) => seats.includes(seat)) ?? -1;
    return el(
      'li',
      {
        class: `card ${game.paint(colour)}${acts ? ' acts' : ''}${mine ? ' mine' : ''}${out ? ' out' : ''}`,
        'aria-current': acts ? 'true' : null,
      },
      el(
        'div',
        { class: 'who' },
        game.mark(colour),
        nameOfSeat(state, seat),
        handle && el('small', { class: 'handle' }, handleOf(state, seat)),
        mine && el('small', { class: 'you' }, t(shared ? 'here' : 'you')),
        team >= 0 && el('span', { class: 'team', title: t('team') }, teamLetter(team)),
        el('span', { class: 'place', title: hint, 'data-short': short }, standing),
        this.presence(seat, bot || replaced ? computerText(game, state.seats[seat]) : '', live),
        el('span', { class: 'clock', 'aria-label': t('clock') }),
      ),
      stock,
    );
  }

  /** @param {number} seat @param {string} computer who plays for the seat; "" for a person @param {boolean} live */
  presence(seat, computer, live) {
    if (!live) return null;
    if (computer) return el('span', { class: 'presence bot', title: computer }, t('computer_short'));
    const here = this.room.online[seat] === true || seat === this.room.own;
    const words = t(here ? 'connected' : 'away');
    return el(
      'span',
      { class: `presence ${here ? 'here' : 'away'}`, title: words },
      el('span', { class: 'visually-hidden' }, words),
    );
  }

  tick() {
    const { state, at } = this.room;
    for (const { seat, element } of this.clocks) {
      const own = state.clock?.seats?.[seat];
      if (!own) continue;
      const runs = state.phase === 'playing' && state.acting?.includes(seat);
      const left = own.left_ms - (runs ? this.room.wire.now() - at : 0);
      const byo = own.periods !== undefined ? ` ·${own.periods}` : '';
      const text = clockText(left) + byo;
      if (element.textContent !== text) element.textContent = text;
      element.classList.toggle('low', Boolean(runs) && left < 20_000);
    }
  }
}
