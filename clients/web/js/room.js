// One room as the server sends it: the state, the events before it, and who is connected. Applies
// the pushes in order, asks for missed ones, and keeps every state so that the match can be
// replayed. Decides nothing.

import { merged } from './patch.js';
import { prefs } from './prefs.js';
import { Refusal, patiently } from './wire.js';

const TALK_MOST = 200;

/** @typedef {import('./wire.js').Message} Message */
/** @typedef {import('./wire.js').Wire} Wire */
/**
 * A moment of the match.
 * @typedef {object} Moment
 * @property {number} seq
 * @property {number} at the server's clock
 * @property {Message | null} event null: what came before is not known here
 * @property {Message} state after it
 */

/** @param {Moment | undefined} before @param {Message} push @returns {Moment} */
const momentAfter = (before, { seq, at, event, patch }) => ({
  seq,
  at,
  event,
  state: merged(before?.state ?? {}, patch),
});

/** Whoever has said a line: a seat, or the name of somebody who watches. @param {Message} said @returns {number | string} */
export const speakerOf = (said) => said.seat ?? said.name;

export class Room {
  /** @param {Wire} wire @param {string} id @param {string} [code] invitation code */
  constructor(wire, id, code = '') {
    this.wire = wire;
    this.id = id;
    this.code = code;
    /** @type {Moment[]} */
    this.past = [];
    /** @type {Message} who I am here: `seat` and `host` */
    this.you = {};
    /** @type {{[seat: string]: boolean}} */
    this.online = {};
    /** By seat, since when its owner is not there. @type {{[seat: string]: number}} */
    this.away = {};
    /** Events up to this one came with the view when the room was opened or resumed: they are history, not news. */
    this.newsAfter = 0;
    /** Listeners are not called before this event, the last of those that were missed, has come. */
    this.caughtUpAt = 0;
    /** @type {Promise<void> | null} while events that a view left out are being fetched */
    this.fetching = null;
    /** The match as others saw it, when it is over: by whose eyes. @type {Map<string, Promise<Moment[]>>} */
    this.seen = new Map();
    /** Counts how often `past` was replaced rather than extended. */
    this.edition = 0;
    /** @type {Refusal | null} why the room cannot be opened */
    this.refused = null;
    /** @type {Set<(news: Message[], from?: Room) => void>} called after changes, with the pushes that are news */
    this.listeners = new Set();
    /** @type {Message[]} */
    this.news = [];
    /** What was said during this visit, the latest lines of it; the server keeps none. @type {Message[]} */
    this.talk = [];
    /** Whose lines this visitor does not want to see (speakerOf). @type {Set<number | string>} */
    this.muted = new Set();
    /** What a view of its table leaves for the next one of the same player, until the page goes. @type {Map<string, any>} */
    this.kept = new Map();
    this.notifying = false;
    this.watching = false;
    /** Whether the server has said that it cannot save moves at present. */
    this.storeFailing = false;
    this.closed = false;
    /** @type {(push: Message) => void} */
    this.onPush = (push) => this.receive(push);
    this.onReady = () => void this.resume();
  }

  /** Its address in the page. */
  get hash() {
    return `#/r/${this.id}${this.code ? `/${this.code}` : ''}`;
  }

  get seq() {
    return this.past.length ? this.past[this.past.length - 1].seq : 0;
  }

  /** @returns {Message} */
  get state() {
    return this.past.length ? this.past[this.past.length - 1].state : {};
  }

  /** When the latest event happened. */
  get at() {
    return this.past.length ? this.past[this.past.length - 1].at : 0;
  }

  /** This session's seat, or -1. */
  get own() {
    return typeof this.you.seat === 'number' ? this.you.seat : -1;
  }

  /** The same room as all the people at this device see it, if there are several. @returns {import('./hotseat.js').SharedRoom | null} */
  get shared() {
    return null;
  }

  /** The seat of whoever looks at the page, or -1. */
  get seat() {
    return this.own;
  }

  /** The seats of all who play at this device. @returns {number[]} */
  get seatsHere() {
    return this.shared?.seatsHere ?? (this.own >= 0 ? [this.own] : []);
  }

  get known() {
    return this.past.length > 0 && this.seq >= this.caughtUpAt;
  }

  open() {
    this.wire.listeners.add(this.onPush);
    this.wire.readies.add(this.onReady);
    if (this.wire.status === 'open') void this.resume();
  }

  /** Stops following; a seat taken is kept. */
  close() {
    this.closed = true;
    this.wire.listeners.delete(this.onPush);
    this.wire.readies.delete(this.onReady);
    this.listeners.clear();
  }

  /** Subscribes from the last known event: the first time, after a lost connection and after a gap. */
  async resume() {
    if (this.watching) return;
    this.watching = true;
    try {
      this.take(await this.askPatiently('watch', () => ({ have: this.seq })));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.refused = error;
    }
    this.watching = false;
    this.notify();
  }

  /** A view: the answer to `watch` and `join`. @param {Message} view */
  take(view) {
    this.refused = null;
    this.storeFailing = false; // a notice follows if it still is
    this.you = view.you ?? {};
    this.online = view.online ?? {};
    this.away = view.away ?? {};
    this.wire.offsetMs = view.time - Date.now();
    if (this.seq === 0) this.newsAfter = view.seq;
    this.caughtUpAt = view.seq;
    if (view.state) {
      this.newsAfter = view.seq;
      this.past.push({ seq: view.seq, at: view.time, event: null, state: view.state });
      void this.fetchPast();
    }
    this.noteSeat();
    this.notify();
  }

  /**
   * Fetches the events that views have left out, for the log and the replay. Done, or given up, when it resolves; what is
   * still missing is tried again the next time.
   */
  fetchPast() {
    this.fetching ??= this.fetchHoles()
      .catch(() => undefined) // the log and the replay have a hole
      .then(() => {
        this.fetching = null;
      });
    return this.fetching;
  }

  async fetchHoles() {
    for (;;) {
      const hole = this.past.findIndex(({ event }) => event === null);
      if (hole < 0) return;
      const filled = await this.eventsUpTo(this.past.slice(0, hole), this.past[hole].seq);
      this.past = [...filled, ...this.past.slice(hole + 1)];
      this.edition++;
      this.notify();
    }
  }

  /** Who I am to `past`: my seat's number, or "watcher". */
  get self() {
    return this.seat >= 0 ? String(this.seat) : 'watcher';
  }

  /**
   * The moments of a match that is over, as somebody saw them.
   * @param {string} as a seat's number, "watcher" or "server", which knows everything @returns {Promise<Moment[]>}
   */
  async pastAs(as) {
    if (as === this.self) {
      await this.fetchPast();
      return this.past;
    }
    const known = this.seen.get(as);
    if (known) return known;
    const seat = Number(as);
    const fetched = this.eventsUpTo([], this.seq, { as: Number.isNaN(seat) ? as : seat });
    this.seen.set(as, fetched);
    fetched.catch(() => this.seen.delete(as)); // it may be asked for again
    return fetched;
  }

  /** @param {Moment[]} moments what comes before @param {number} upTo @param {Message} [eyes] whose, if not mine @returns {Promise<Moment[]>} */
  async eventsUpTo(moments, upTo, eyes = {}) {
    let seq = moments.at(-1)?.seq ?? 0;
    while (seq < upTo) {
      const have = seq;
      const { events } = await this.askPatiently('past', () => ({ have, ...eyes }));
      if (!events.length) throw new Error('the past ends too soon');
      for (const push of events) if (push.seq <= upTo) moments.push(momentAfter(moments.at(-1), push));
      seq = moments[moments.length - 1].seq;
    }
    return moments;
  }

  /** Any request about this room. @param {string} op @param {Message} [fields] */
  ask(op, fields = {}) {
    const code = this.code && ['watch', 'join', 'past'].includes(op) ? { code: this.code } : {};
    return this.wire.ask(op, { room: this.id, ...code, ...fields });
  }

  /** The same for several of the seats at this device. @param {number[]} seats @param {string} op @param {Message} [fields] @returns {Promise<unknown>} */
  askFor(seats, op, fields = {}) {
    return this.shared ? this.shared.askFor(seats, op, fields) : this.ask(op, fields);
  }

  /**
   * Asks what may be expensive to answer: as long as it is refused for the moment it is repeated, unless the room is closed.
   * Other refusals are thrown.
   * @param {string} op @param {() => Message} fields as they are at each attempt
   */
  askPatiently(op, fields) {
    return patiently(() => this.ask(op, fields()), { wanted: () => !this.closed });
  }

  /** The record of the match so far; a long one comes in pieces. */
  async record() {
    let text = '';
    /** @type {number | undefined} */
    let have;
    do {
      const piece = await this.askPatiently('record', () => (have === undefined ? {} : { have }));
      text += piece.record;
      have = piece.next;
    } while (have !== undefined);
    return text;
  }

  /** Takes a seat. @param {Message} [choice] seat and colour */
  async join(choice = {}) {
    this.take(await this.askPatiently('join', () => ({ ...choice, have: this.seq })));
  }

  /** Keeps the list of seats from `hello` up to date, for the first page. */
  noteSeat() {
    const { hello } = this.wire;
    const others = (hello.seats ?? []).filter((/** @type {{room: string}} */ { room }) => room !== this.id);
    hello.seats =
      this.own >= 0 && this.state.phase !== 'over' ? [...others, { room: this.id, seat: this.own }] : others;
  }

  /** @param {Message} push */
  receive(push) {
    if (push.room !== undefined && push.room !== this.id) return;
    if (push.push === 'event') this.apply(push);
    else if (push.push === 'presence') {
      this.online = { ...this.online, ...push.online };
      this.away = { ...this.away, ...push.away };
      this.notify();
    } else if (push.push === 'said') {
      if (this.muted.has(speakerOf(push))) return;
      this.talk = [...this.talk, push].slice(-TALK_MOST);
      this.notify(push);
    }
    if (push.push === 'rated' && !prefs.hideRatings) this.notify(push); // what the match has made of the visitor's rating
    if (push.push === 'notice') this.notice(push);
  }

  /** Shows nothing of what that one has said and will say here. @param {Message} said */
  mute(said) {
    this.muted.add(speakerOf(said));
    this.talk = this.talk.filter((line) => line.push !== 'said' || !this.muted.has(speakerOf(line)));
    this.notify();
  }

  /** A notice about this room; `draining` and `serving` are handled in wire.js, `announcement` and `closed` in app.js. Other codes are ignored. @param {Message} push */
  notice(push) {
    const { code } = push;
    if (code === 'left_out' && push.room !== undefined) {
      this.talk = [...this.talk, push].slice(-TALK_MOST);
      this.notify();
    }
    if (code !== 'store_failing' && code !== 'store_recovered') return;
    this.storeFailing = code === 'store_failing';
    this.notify();
  }

  /** @param {Message} push */
  apply(push) {
    if (push.seq <= this.seq) return;
    if (push.seq !== this.seq + 1) {
      void this.resume();
      return;
    }
    const moment = momentAfter(this.past.at(-1), push);
    const { state } = moment;
    this.past.push(moment);
    this.followSeat(push.event, state);
    if (state.phase === 'over') this.noteSeat();
    if (push.seq > this.newsAfter) this.news.push(push);
    if (push.seq >= this.caughtUpAt) this.notify();
  }

  /** Where I sit after an event: I may have moved, been unseated, or sat down in another tab. @param {Message} event @param {Message} state */
  followSeat(event, state) {
    if (this.seq <= this.caughtUpAt) return; // the view that came before these knows better
    if (this.own >= 0 && !state.seats?.[this.own]) {
      this.you = { ...this.you, seat: event.kind === 'sat' ? event.seat : undefined };
      this.noteSeat();
    } else if (this.own < 0 && event.kind === 'sat') {
      void this.resume(); // the view says whether it was me
    }
  }

  /** Calls the listeners, once for all changes of the same task. @param {Message} [push] */
  notify(push) {
    if (push) this.news.push(push);
    if (this.notifying) return;
    this.notifying = true;
    queueMicrotask(() => {
      this.notifying = false;
      const news = this.news;
      this.news = [];
      for (const listener of this.listeners) listener(news);
    });
  }
}
