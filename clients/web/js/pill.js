// The clock of whoever is to move, beside the words that say whose turn it is; it pulses in the last ten seconds.

import { el } from './dom.js';
import { clockText } from './words.js';

const TICK_MS = 250,
  LAST_MS = 10_000;

export class Pill {
  /**
   * @param {import('./room.js').Room} room @param {() => void} changed called when it shows something else
   * @param {() => void} [hurry] called when the visitor's own last seconds begin
   */
  constructor(room, changed, hurry = () => undefined) {
    this.room = room;
    this.changed = changed;
    this.hurry = hurry;
    this.plenty = false; // the visitor's own clock runs and has more than the last seconds
    this.element = el('span', { class: 'pill-clock' });
    /** What it shows; "" while no clock runs. */
    this.text = '';
    this.ticking = setInterval(() => this.tick(), TICK_MS);
  }

  close() {
    clearInterval(this.ticking);
  }

  /** What is left to the visitor, or else to the first who may move, in ms; null while no clock runs. */
  left() {
    const { state, at, seat, wire } = this.room;
    if (state.phase !== 'playing' || !state.acting) return null;
    const own = state.clock?.seats?.[state.acting.includes(seat) ? seat : state.acting[0]];
    return own ? own.left_ms - (wire.now() - at) : null;
  }

  tick() {
    const left = this.left();
    const text = left === null ? '' : clockText(left);
    const { state, seat } = this.room;
    const own = left !== null && state.acting.includes(seat);
    this.element.classList.toggle('last', left !== null && left < LAST_MS);
    if (own && this.plenty && left < LAST_MS) this.hurry();
    this.plenty = own && left >= LAST_MS;
    if (text === this.text) return;
    this.text = text;
    this.element.textContent = text;
    this.changed();
  }
}
