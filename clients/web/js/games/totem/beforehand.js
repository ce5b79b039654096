// Answers the questions what to uncover for the visitor, if asked to beforehand. The answer goes out after the same pause
// whatever it is, so that nobody can tell from the time whether there was something to uncover; by itself, without having
// been asked to, the page never answers.

import { PHASE_OF, setOf } from './notation.js';
import { actingNow, mineOf, revealPhase, seatOf } from './table.js';

/** @typedef {import('../game.js').Message} Message */

export const PAUSE_MS = 2000;

/**
 * What was asked for: the round for which it is on (0: it is off), and the spells that stay face down, as family and spell.
 * @typedef {{round: number, kept: Set<string>}} Plan
 */

export class Beforehand {
  /**
   * @param {Map<string, any>} memory of the player, which outlives the view: at a device that is handed over each turn has a view of its own
   * @param {(move: string) => void} play @param {() => void} changed
   */
  constructor(memory, play, changed) {
    this.play = play;
    this.changed = changed;
    if (!memory.has('beforehand')) memory.set('beforehand', { round: 0, kept: new Set() });
    /** @type {Plan} */
    this.plan = memory.get('beforehand');
    this.due = '';
    this.timer = 0;
  }

  get kept() {
    return this.plan.kept;
  }

  /** @param {Message} state */
  isOn(state) {
    const { round } = this.plan;
    return round > 0 && round === state.table?.round;
  }

  /** @param {Message} state @param {boolean} on */
  turn(state, on) {
    this.stop();
    this.plan.round = on ? (state.table?.round ?? 0) : 0;
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
