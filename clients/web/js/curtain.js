// Between two people at one device, in a game in which players hide something: nothing of the table is on the page until the next one says to be
// there.

import { setTitle } from './attention.js';
import { el, fill } from './dom.js';
import { glyph } from './icons.js';
import { Pill } from './pill.js';
import { nameOf, t } from './words.js';

export class Curtain {
  /** @param {import('./hotseat.js').SharedRoom} room @param {import('./games/game.js').Game} game */
  constructor(room, game) {
    this.room = room;
    this.game = game;
    this.words = el('div', { class: 'curtain-words' });
    /** @type {Pill | null} the clock of whoever is to move */
    this.pill = null;
    this.clock = el('p', { class: 'curtain-clock' });
    this.people = el('div', { class: 'curtain-people' });
    this.element = el('section', { class: 'curtain panel' }, this.words, this.clock, this.people);
    this.due = NaN;
  }

  close() {
    this.pill?.close();
  }

  show() {
    const { room, game } = this;
    const { state, due } = room;
    const seat = room.rooms[due]?.own ?? -1;
    const title = due < 0 ? t('curtain_who') : t('curtain_for', { name: nameOf(state, seat) });
    const mark = seat >= 0 && game.mark(state.seats[seat].colour);
    fill(this.words, el('h1', { id: 'curtain-title', tabindex: -1 }, mark, title), el('p', { class: 'hint' }, t('curtain_hint')));
    const people = room.rooms.map((_, i) => i).filter((i) => (due < 0 ? room.rooms[i].own >= 0 : i === due));
    fill(this.people, ...people.map((person) => this.button(person)));
    setTitle(title, game.title);
    if (due === this.due) return;
    this.due = due;
    this.pill?.close();
    this.pill = new Pill(room.rooms[due] ?? room, () => undefined);
    this.pill.tick();
    this.clock.replaceChildren(this.pill.element);
    this.words.querySelector('h1')?.focus(); // not the button: whoever still types would press it
  }

  /** @param {number} person */
  button(person) {
    const { room } = this;
    const { own, known } = room.rooms[person];
    return el(
      'button',
      {
        type: 'button',
        class: 'confirm big',
        'data-focus': `person-${person}`,
        'aria-describedby': 'curtain-title',
        disabled: !known,
        onclick: () => room.sit(person),
        onkeydown: (/** @type {KeyboardEvent} */ event) => event.repeat && event.key === 'Enter' && event.preventDefault(),
      },
      glyph('check'),
      el('span', {}, t('curtain_me', { name: nameOf(room.state, own) })),
    );
  }
}
