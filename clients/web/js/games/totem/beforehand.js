// Answers the questions what to uncover for the visitor, if asked to beforehand. The answer goes out after the same pause
// whatever it is, so that nobody can tell from the time whether there was something to uncover; by itself, without having
// been asked to, the page never answers.

import { PHASE_OF, setOf } from './notation.js';
import { actingNow, mineOf, revealPhase, seatOf } from './table.js';

/** @typedef {import('../game.js').Message} Message */

export const PAUSE_MS = 2000;

export class Beforehand {
  /** @param {(move: string) => void} play @param {() => void} changed */
  constructor(play, changed) {
    this.play = play;
    this.changed = changed;
    this.round = 0; // the one for which it is on; 0: it is off
    /** @type {Set<string>} spells that stay face down, as family and spell */
    this.kept = new Set();
    this.due = '';
    this.timer = 0;
  }

  /** @param {Message} state */
  isOn(state) {
    return this.round > 0 && this.round === state.table?.round;
  }

  /** @param {Message} state @param {boolean} on */
  turn(state, on) {
    this.stop();
    this.round = on ? (state.table?.round ?? 0) : 0;
    this.kept.clear();
    this.changed();
  }

  /** @param {string} family @param {string} spell */
  toggle(family, spell) {
    const key = family + spell;
    if (!this.kept.delete(key)) this.kept.add(key);
    this.changed();
  }

  stop() {
    clearTimeout(this.timer);
    this.due = '';
  }

  /** Looks whether the visitor is asked now. @param {Message} state @param {number} seat @param {boolean} mayAct */
  watch(state, seat, mayAct) {
    const [family] = actingNow(state);
    const asked = mayAct && revealPhase(state) && seatOf(state, family) === seat && this.isOn(state);
    const key = asked ? `${state.table.round} ${state.table.step} ${family}` : '';
    if (key === this.due) return;
    this.stop();
    this.due = key;
    if (key) this.timer = window.setTimeout(() => this.play(this.answer(state, family)), PAUSE_MS);
  }

  /** @param {Message} state @param {string} family */
  answer(state, family) {
    const phase = revealPhase(state);
    const spells = Object.keys(mineOf(state, family).down).filter(
      (spell) => PHASE_OF[spell] === phase && !this.kept.has(family + spell),
    );
    return `reveal@${family}=${setOf(spells)}`;
  }
}
