// The legal moves, as the server lists them. They are requested once for each state of the table;
// if that is refused, the reason is shown and the request is repeated when the table changes, or
// after a growing pause. A server that asks for patience gets it: nothing is asked before its time,
// or the pause, is over, however often the table changes.

import { Refusal } from './wire.js';
import { errorText } from './words.js';

/** @typedef {import('./wire.js').Message} Message */

const RETRY_MS = 2000,
  RETRY_MOST_MS = 60_000;

export class LegalMoves {
  /** @param {import('./room.js').Room} room @param {() => void} changed called when the answer is there */
  constructor(room, changed) {
    this.room = room;
    this.changed = changed;
    /** @type {Message | null} the server's answer */
    this.answer = null;
    /** @type {Message | null} the table that it was asked for: an event that leaves the table alone asks nothing */
    this.asked = null;
    /** Why the server gave no answer, in words. */
    this.refusal = '';
    this.pause = RETRY_MS;
    this.timer = 0;
    /** The server has asked for patience until then, by this machine's clock. */
    this.notBefore = 0;
  }

  /** Whether the current table has been asked for. */
  get current() {
    return this.asked === this.room.state.table;
  }

  /** Forgets what is known: it is nobody's turn here. */
  forget() {
    clearTimeout(this.timer);
    this.answer = null;
    this.asked = null;
    this.refusal = '';
    this.pause = RETRY_MS;
  }

  async ask() {
    const { room } = this;
    const { table } = room.state;
    clearTimeout(this.timer);
    this.asked = table;
    this.answer = null;
    if (Date.now() < this.notBefore) {
      this.timer = window.setTimeout(() => void this.ask(), this.notBefore - Date.now());
      return;
    }
    try {
      const answer = await room.ask('moves');
      if (table !== this.asked) return;
      this.answer = answer;
      this.refusal = '';
      this.pause = RETRY_MS;
    } catch (error) {
      const busy = error instanceof Refusal && error.passing;
      const wait = Math.min(Math.max((busy && error.retryMs) || 0, this.pause), RETRY_MOST_MS);
      if (busy) this.notBefore = Date.now() + wait;
      if (table !== this.asked) return;
      this.refusal = errorText(error);
      clearTimeout(this.timer);
      this.timer = window.setTimeout(() => void this.ask(), wait);
      this.pause = Math.min(2 * this.pause, RETRY_MOST_MS);
    }
    this.changed();
  }
}
