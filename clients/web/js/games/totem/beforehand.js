// What to uncover is asked once a round: the visitor says it for all phases, and the page answers in each of them. Those answers go out
// after the same pause whatever they are, so that nobody can tell from the time whether there was something to uncover; by itself,
// without having been told to in this round, the page never answers.

import { PHASE_OF, setOf } from './notation.js';
import { actingNow, mineOf, revealPhase, seatOf } from './table.js';
import { laidBy } from './worth.js';

/** @typedef {import('../game.js').Message} Message */

export const PAUSE_MS = 2000;

/**
 * What was asked for: the round for which it is on (0: it is off), the round for which something was proposed, the spells that stay
 * face down, as family and spell, and whether the visitor wants to be asked in each phase instead.
 * @typedef {{round: number, proposed: number, kept: Set<string>, each: boolean}} Plan
 */

export class Beforehand {
  /**
   * @param {Map<string, any>} memory of the player, which outlives the view: at a device that is handed over each turn has a view of its own
   * @param {(move: string) => void} play @param {() => void} changed
   */
  constructor(memory, play, changed) {
    this.play = play;
    this.changed = changed;
    if (!memory.has('beforehand')) memory.set('beforehand', { round: 0, proposed: 0, kept: new Set(), each: false });
    /** @type {Plan} */
    this.plan = memory.get('beforehand');
    this.due = '';
    this.timer = 0;
  }

  get kept() {
    return this.plan.kept;
  }

  get each() {
    return this.plan.each;
  }

  /** @param {Message} state */
  isOn(state) {
    const { round } = this.plan;
    return round > 0 && round === state.table?.round;
  }

  /** Proposes what is worth uncovering, once a round. @param {Message} state @param {number} seat */
  propose(state, seat) {
    const round = state.table?.round ?? 0;
    if (this.plan.proposed === round) return;
    this.plan.proposed = round;
    this.kept.clear();
    for (const { family, spell, wanted } of laidBy(state, seat)) if (!wanted) this.kept.add(family + spell);
  }

  /** From now on the page answers in this round, or does not. @param {Message} state @param {boolean} on */
  turn(state, on) {
    this.stop();
    this.plan.round = on ? (state.table?.round ?? 0) : 0;
    this.changed();
  }

  /** @param {boolean} each the visitor wants to be asked in each phase */
  askInEach(each) {
    this.plan.each = each;
    this.changed();
  }

  /** @param {string} family @param {string} spell */
  toggle(family, spell) {
    const key = family + spell;
    if (!this.kept.delete(key)) this.kept.add(key);
    this.changed();
  }

  /** How many spells will be uncovered. @param {Message} state @param {number} seat */
  number = (state, seat) => laidBy(state, seat).filter(({ family, spell }) => !this.kept.has(family + spell)).length;

  /** Nothing is uncovered in this round. @param {Message} state @param {number} seat */
  keepAll(state, seat) {
    for (const { family, spell } of laidBy(state, seat)) this.kept.add(family + spell);
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
