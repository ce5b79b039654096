// A room at which several people play at this device. Each has a session and a connection of their own, so to the server they are players like
// all others: it tells each of them what their seat may know, and nothing in the protocol knows that they share a screen. One of them is
// at the device. Where nothing is hidden that is whoever is to move, and all look at the same table; where something is hidden each has a table of
// their own, and between two of them there is a curtain. Decides nothing about the game.

import { agentName } from './agent.js';
import { Aside } from './aside.js';
import { freeToken, guestsAt, keepGuests } from './guests.js';
import { Room } from './room.js';
import { Refusal, Wire } from './wire.js';

/** @typedef {import('./guests.js').Guest} Guest */
/** @typedef {import('./wire.js').Message} Message */

const NOBODY = -1;
/** What is asked for whoever is at the device; all else is the visitor's, or for a seat that is named. */
const FOR_THE_SEAT = new Set(['move', 'undo', 'moves', 'check', 'hint', 'say']);

/** How one of the others sees the room. */
class GuestRoom extends Room {
  /** @param {SharedRoom} shared @param {Guest} guest */
  constructor(shared, guest) {
    const keeper = {
      token: () => guest.token,
      keepToken: (/** @type {string} */ token) => {
        guest.token = token;
        shared.keep();
      },
      aside: new Aside(
        () => guest.aside ?? '',
        (text) => {
          guest.aside = text;
          shared.keep();
        },
      ),
      name: () => guest.name,
      client: () => agentName(navigator.userAgent),
    };
    super(new Wire(shared.wire.url, keeper), shared.id, shared.code);
    this.guest = guest;
    this.host = shared;
    /** Sits down or gets up at this moment. */
    this.moving = false;
  }

  /** @returns {SharedRoom | null} */
  get shared() {
    return this.host.shared;
  }

  /** Sits down. @param {Message} choice of `join` */
  async sitDown(choice) {
    const refused = new Promise((_, reject) => {
      this.wire.watchers.add(() => {
        const { refusal } = this.wire;
        if (refusal) reject(new Refusal({ code: refusal, message: refusal }));
      });
    });
    this.moving = true;
    await Promise.race([this.join(choice), refused]);
    this.moving = false;
  }

  async getUp() {
    this.moving = true;
    await this.ask('leave').finally(() => {
      this.moving = false;
    });
  }

  close() {
    super.close();
    this.wire.close();
  }
}

export class SharedRoom extends Room {
  /** @param {Wire} wire the visitor's @param {string} id @param {string} [code] invitation code */
  constructor(wire, id, code = '') {
    super(wire, id, code);
    /** @type {GuestRoom[]} */
    this.guests = guestsAt(id).map((guest) => new GuestRoom(this, guest));
    /** Who is at the device, a number in `rooms`. */
    this.sitter = 0;
    /** Who is to have the device next, while nobody is there. */
    this.due = NOBODY;
    /** The game hides something: each of the people has a table of their own. */
    this.secret = false;
    this.look = '';
    /** @type {{seq: number, then: () => void}[]} who waits until this room is as far as the others */
    this.waiting = [];
    for (const guest of this.guests) this.hear(guest);
  }

  /** @returns {SharedRoom | null} */
  get shared() {
    return this.guests.length ? this : null;
  }

  /** All that are seen from this device, the visitor's own first. @returns {Room[]} */
  get rooms() {
    return [this, ...this.guests];
  }

  get seatsHere() {
    return this.rooms.map(({ own }) => own).filter((seat) => seat >= 0);
  }

  /** Who speaks at the table that this room is shown as: where something is hidden the visitor, as each has a table of their own. @returns {Room} */
  get present() {
    return this.secret ? this : (this.rooms[this.sitter] ?? this);
  }

  /** @returns {number} */
  get seat() {
    return this.present.own;
  }

  open() {
    super.open();
    for (const guest of this.guests) this.admit(guest);
  }

  /** @param {GuestRoom} guest */
  admit(guest) {
    guest.open();
    guest.wire.connect();
  }

  close() {
    super.close();
    for (const guest of this.guests) guest.close();
  }

  keep() {
    keepGuests(this.id, this.guests.map(({ guest }) => guest));
  }

  /** Somebody else sits down at this device. @param {string} name "" for one of the server's @param {Message} [choice] of `join` */
  async invite(name, choice = {}) {
    const known = this.guests.map(({ guest }) => guest);
    const guest = new GuestRoom(this, { name, token: freeToken(known) });
    this.guests = [...this.guests, guest];
    this.hear(guest);
    this.admit(guest);
    try {
      await guest.sitDown(choice);
      this.keep();
      this.tell([], this);
    } catch (error) {
      this.dismiss(guest);
      throw error;
    }
  }

  /** Forgets somebody who has no seat. @param {GuestRoom} left */
  dismiss(left) {
    this.guests = this.guests.filter((guest) => guest !== left);
    left.close();
    this.keep();
    this.notify();
  }

  /** The same people sit down at another table, a rematch. @param {string} id */
  takeAlong(id) {
    if (this.guests.length) keepGuests(id, this.guests.map(({ guest }) => guest));
  }

  /** @param {GuestRoom} guest */
  hear(guest) {
    guest.listeners.add((news) => {
      const before = this.look;
      if (guest.known && guest.own < 0 && !guest.moving && guest.state.phase === 'lobby') this.dismiss(guest);
      this.settle();
      if (guest === this.rooms[this.sitter] || this.look !== before) this.tell(news, guest);
    });
  }

  /** @param {Message[]} news @param {Room} from */
  tell(news, from) {
    for (const listener of this.listeners) listener(news, from);
  }

  // ---- who is at the device ----

  /** @param {number} person */
  acts(person) {
    const { phase, acting } = this.state;
    return phase === 'playing' && Boolean(acting?.includes(this.rooms[person].own));
  }

  /** Whoever is to move: the one who is there first, then in the order of the people. */
  next() {
    const from = Math.max(this.sitter, 0);
    const order = this.rooms.map((_, i) => (from + i) % this.rooms.length);
    return order.find((person) => this.acts(person)) ?? NOBODY;
  }

  /** All have been told of the same events. */
  get level() {
    return this.rooms.every((room) => room.known && room.seq === this.seq);
  }

  settle() {
    const next = this.next();
    if (!this.secret) {
      if (next !== NOBODY) this.sitter = next;
    } else if (this.level) {
      if (this.state.phase === 'over') this.sitter = Math.max(this.sitter, 0);
      else if (this.sitter === NOBODY) this.due = next;
      else if (next !== NOBODY && next !== this.sitter) this.hide();
    }
    this.look = `${this.sitter} ${this.due} ${this.rooms.map(({ own, known }) => `${own} ${known}`)}`;
  }

  /** Takes the table away until somebody says to be there. */
  hide() {
    this.due = this.next();
    this.sitter = NOBODY;
    this.notify();
  }

  /** Somebody says to be there. @param {number} person */
  sit(person) {
    this.sitter = person;
    this.due = NOBODY;
    this.notify();
  }

  /**
   * The room to show of a match that has begun. After a reload nobody knows who is there.
   * @param {boolean} hidden whether the game hides something @returns {Room | null} null: nobody is at the device
   */
  shown(hidden) {
    if (hidden && !this.secret && this.guests.length) {
      this.secret = true;
      if (this.state.phase !== 'over') this.sitter = NOBODY;
      this.settle();
    }
    if (!this.secret) return this;
    const seen = this.rooms[this.sitter];
    return seen?.known ? seen : null;
  }

  // ---- what is asked ----

  /** @param {Message} push */
  apply(push) {
    super.apply(push);
    this.settle();
    const there = this.waiting.filter(({ seq }) => seq <= this.seq);
    this.waiting = this.waiting.filter(({ seq }) => seq > this.seq);
    for (const { then } of there) then();
  }

  /** @param {Message} view */
  take(view) {
    super.take(view);
    this.settle();
  }

  /** @param {string} op @param {Message} [fields] */
  ask(op, fields = {}) {
    return FOR_THE_SEAT.has(op) ? this.askAs(this.present, op, fields) : super.ask(op, fields);
  }

  /** Asks in somebody's name; when it is answered this room has what came of it. @param {Room} room @param {string} op @param {Message} fields */
  async askAs(room, op, fields) {
    if (room === this) return super.ask(op, fields);
    const ok = await room.ask(op, fields);
    const { seq } = ok;
    if (seq > this.seq) await new Promise((then) => this.waiting.push({ seq, then: () => then(undefined) }));
    return ok;
  }

  /** The same for several of the people here, one after the other. @param {number[]} seats @param {string} op @param {Message} fields */
  async askFor(seats, op, fields) {
    for (const room of this.rooms.filter(({ own }) => seats.includes(own))) {
      if (op === 'leave' && room instanceof GuestRoom) await room.getUp().then(() => this.dismiss(room));
      else await this.askAs(room, op, fields);
    }
  }
}

/**
 * People at this device sit down at a new table, one after the other; the page that shows the table takes over from there.
 * @param {Wire} wire the visitor's @param {string} id @param {string} code @param {string[]} names
 */
export async function seatGuests(wire, id, code, names) {
  if (!names.length) return;
  const room = new SharedRoom(wire, id, code);
  try {
    for (const name of names) await room.invite(name);
  } finally {
    room.close();
  }
}
