// What somebody finds who has followed an invitation: who invites, to which game, a field for the own name, and a seat at one press.

import { el, fill } from './dom.js';
import { entryOf } from './games/registry.js';
import { t } from './latewords.js';
import { nameField } from './people.js';
import { prefs } from './prefs.js';
import { nameOf, nameText } from './words.js';

/** Who invites: the first person at the table; -1: there is nobody, or no seat to be had. @param {import('./room.js').Room} room @param {number} seats */
function whoInvites({ state, seatsHere }, seats) {
  const all = [...Array(seats).keys()];
  const free = all.some((seat) => !state.seats?.[seat]);
  if (!free || seatsHere.length > 0 || state.rated) return -1;
  return all.findIndex((seat) => state.seats?.[seat] && !state.seats[seat].bot);
}

export class Invited {
  /** @param {import('./hotseat.js').SharedRoom} room @param {import('./games/game.js').Game} game @param {(ask: () => Promise<unknown>) => Promise<void>} attempt */
  constructor(room, game, attempt) {
    this.room = room;
    this.game = game;
    this.title = el('h2', {});
    this.name = nameField(t('name'), prefs.name);
    this.name.input.dataset.focus = 'invited-name';
    const { name } = room.wire.hello;
    if (name && !prefs.name) this.name.input.placeholder = nameText(name);
    const picture = game.picture();
    picture.classList.add('invited-picture');
    this.element = el(
      'form',
      { class: 'invited', hidden: true, onsubmit: (/** @type {Event} */ event) => (event.preventDefault(), void attempt(() => this.sit())) },
      picture,
      this.title,
      this.name.element,
      el('button', { type: 'submit', class: 'confirm', 'data-focus': 'sit-down' }, t('sit_down')),
    );
  }

  show() {
    const { state } = this.room;
    const host = whoInvites(this.room, this.game.seats(state.options));
    this.element.hidden = host < 0;
    if (host >= 0) fill(this.title, t('invites_you', { name: nameOf(state, host), game: entryOf(this.game.id)?.title ?? '' }));
  }

  async sit() {
    const name = this.name.value;
    if (name && name !== prefs.name) {
      await this.room.wire.rename(name);
      prefs.name = name;
    }
    await this.room.join();
  }
}
