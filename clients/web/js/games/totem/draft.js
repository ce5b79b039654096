// What a visitor has chosen for one family and not sent yet, within what the server asks. Arithmetic only: what it may look
// like is told by `problem`, and the server has the last word.

import { HUT_ROOM, hutsOf, KINDS, numberOf, ordered, PHASE_OF, setOf, SPELLS, without, writeHuts } from './notation.js';

/** @typedef {import('../game.js').Message} Message */
/**
 * Why something cannot be done: a key of the words, and what is filled in.
 * @typedef {{key: string, values?: {[name: string]: string | number}}} Problem
 */

const LEAVE_ORDER = ['e', 'M', 'W', 'm', 'w'];
const SETTLE_ORDER = ['m', 'M', 'w', 'W', 'e'];

/** @param {string} key @param {{[name: string]: string | number}} [values] @returns {Problem} */
const problem = (key, values) => (values ? { key, values } : { key });

/** @param {string} people */
const isCouple = (people) => /[wW]/.test(people) && /[mM]/.test(people);

export class Draft {
  /**
   * @param {string} family @param {Message} asked of this family: an entry of `asked`
   * @param {{[hut: string]: string}} start where its people stand
   */
  constructor(family, asked, start) {
    this.family = family;
    this.asked = asked;
    /** @type {string} */
    this.kind = asked.kind;
    this.start = start;
    this.reset();
  }

  /** As nothing had been chosen. */
  reset() {
    /** @type {{[hut: string]: string}} settle: who is where; hut 0 is for those who leave */
    this.places = { [this.away]: '', ...this.start };
    if (this.kind === 'settle' && ordered(this.settled + this.places[this.away], KINDS) !== ordered(this.asked.people, KINDS))
      this.places = { [this.away]: '', ...Object.fromEntries(this.huts.map((hut, i) => [hut, i ? '' : this.asked.people])) };
    /** @type {Set<string>} choose and reveal: spells */
    this.spells = new Set();
    /** cast and write: the spell that is in the hand; the only one is there at once */
    this.held = this.kind === 'cast' && this.asked.spells.length === 1 ? this.asked.spells : '';
    /** the spell that was touched last */
    this.touched = this.held;
    /** @type {{[spell: string]: string}} cast and write: where spells go */
    this.puts = {};
    /** @type {{[hut: string]: string}} starve and take: who goes */
    this.picked = {};
  }

  get huts() {
    return hutsOf(this.family);
  }

  /** The place for those who leave. */
  get away() {
    return `${this.family}0`;
  }

  /** Those who stay. */
  get settled() {
    return this.huts.map((hut) => this.places[hut] ?? '').join('');
  }

  // ---- settle ----

  /** How many must leave. */
  get leavers() {
    return this.kind === 'settle' ? this.asked.people.length - this.asked.stay : 0;
  }

  /** Why somebody may not go to a place. @param {string} to @returns {Problem | null} */
  closed(to) {
    if (to !== this.away && !this.huts.includes(to)) return problem('no_own');
    if (to === this.away)
      return this.leavers === 0 ? problem('no_leaving') : null;
    return (this.places[to] ?? '').length >= HUT_ROOM ? problem('no_room') : null;
  }

  /** @param {string} kind @param {string} from @param {string} to @returns {Problem | null} why it was not done */
  move(kind, from, to) {
    if (!this.places[from]?.includes(kind)) return problem('no_such');
    if (from === to) return null;
    const why = this.closed(to);
    if (why) return why;
    this.places = { ...this.places, [from]: without(this.places[from], kind), [to]: this.places[to] + kind };
    return null;
  }

  /** Spreads everybody over the huts, as the server does it for those who do not act. */
  arrange() {
    let left = ordered(this.asked.people, KINDS);
    let gone = '';
    while (left.length > this.asked.stay) {
      const kind = LEAVE_ORDER.reduce((most, one) => (numberOf(left, one) > numberOf(left, most) ? one : most));
      left = without(left, kind);
      gone += kind;
    }
    /** @type {{[hut: string]: string}} */
    const places = Object.fromEntries(this.huts.map((hut) => [hut, '']));
    for (const kind of ordered(left, SETTLE_ORDER)) {
      const hut = this.huts.reduce((least, one) => (places[one].length < places[least].length ? one : least));
      places[hut] += kind;
    }
    this.places = { ...places, [this.away]: gone };
  }

  /** How many women there are, and how many of them live with a man. */
  get women() {
    const of = (/** @type {string} */ people) => people.replace(/[^wW]/g, '').length;
    const couples = this.huts.filter((hut) => isCouple(this.places[hut] ?? ''));
    return { all: of(this.settled), n: of(couples.map((hut) => this.places[hut]).join('')) };
  }

  /** The last elder is among those who leave. */
  get losesElder() {
    return this.kind === 'settle' && this.asked.people.includes('e') && !this.settled.includes('e');
  }

  // ---- spells ----

  /** Lays a spell aside or uncovers it, or not. @param {string} spell @returns {Problem | null} */
  toggle(spell) {
    this.touched = spell;
    const why = this.barred(spell);
    if (why) return why;
    if (!this.spells.delete(spell)) this.spells.add(spell);
    return null;
  }

  /** Why a spell cannot be taken now. @param {string} spell @returns {Problem | null} */
  barred(spell) {
    if (!this.asked.spells.includes(spell)) return problem(this.kind === 'reveal' ? 'no_phase' : 'no_spell', { phase: PHASE_OF[spell] });
    if (this.kind === 'choose' && !this.spells.has(spell) && this.spells.size >= this.asked.most)
      return problem('no_most', { n: this.asked.most });
    if (this.kind === 'write' && !this.puts[spell] && Object.keys(this.puts).length >= this.asked.most)
      return problem('no_most', { n: this.asked.most });
    return null;
  }

  /** Takes a spell into the hand, or puts it back. @param {string} spell @returns {Problem | null} */
  hold(spell) {
    this.touched = spell;
    const why = this.barred(spell);
    if (why) return why;
    this.held = this.held === spell && this.asked.spells.length > 1 ? '' : spell;
    return null;
  }

  /** Puts the spell in the hand on a hut. @param {string} hut @returns {Problem | null} */
  put(hut) {
    if (!this.held) return problem('no_held');
    if (!this.asked.huts.includes(hut)) return problem('no_hut');
    if (this.kind === 'cast') this.puts = { [this.held]: hut };
    else {
      this.puts = { ...this.puts, [this.held]: hut };
      this.held = '';
    }
    return null;
  }

  /** @param {string} spell */
  takeBack(spell) {
    const { [spell]: _, ...others } = this.puts;
    this.puts = others;
  }

  /** The birds that what was chosen costs. */
  get cost() {
    if (this.kind === 'choose') return Math.max(0, this.spells.size - this.asked.free);
    if (this.kind === 'write') return Math.max(0, Object.keys(this.puts).length - this.asked.free);
    if (this.kind === 'cast' && this.asked.free !== undefined) return Object.keys(this.puts).length > this.asked.free ? 1 : 0;
    return 0;
  }

  // ---- who goes ----

  get count() {
    return Object.values(this.picked).join('').length;
  }

  /** How many more can be chosen of a kind in a hut. @param {string} hut @param {string} kind */
  leftOf(hut, kind) {
    return numberOf(this.asked.people[hut] ?? '', kind) - numberOf(this.picked[hut] ?? '', kind);
  }

  /** @param {string} hut @param {string} kind @returns {Problem | null} */
  pick(hut, kind) {
    if (this.kind === 'starve' && kind === 'e') return problem('no_elder');
    if (this.leftOf(hut, kind) <= 0) return problem('no_such');
    if (this.count >= this.asked.count) return problem('no_more', { n: this.asked.count });
    this.picked = { ...this.picked, [hut]: (this.picked[hut] ?? '') + kind };
    return null;
  }

  /** @param {string} hut @param {string} kind */
  unpick(hut, kind) {
    this.picked = { ...this.picked, [hut]: without(this.picked[hut] ?? '', kind) };
  }

  // ---- all of them ----

  /** Why it cannot be sent as it is. @returns {Problem | null} */
  get problem() {
    switch (this.kind) {
      case 'settle':
        return this.settling();
      case 'cast':
        return Object.keys(this.puts).length ? null : problem(this.held ? 'no_hut_yet' : 'no_spell_yet');
      case 'starve':
      case 'take':
        return this.count < this.asked.count ? problem('no_count', { n: this.asked.count - this.count }) : null;
      default:
        return null;
    }
  }

  /** @returns {Problem | null} */
  settling() {
    const crowded = this.huts.find((hut) => this.places[hut].length > HUT_ROOM);
    if (crowded) return problem('no_crowd', { hut: Number(crowded[1]), n: this.places[crowded].length - HUT_ROOM });
    const missing = this.leavers - this.places[this.away].length;
    if (missing > 0) return problem('no_leave_more', { n: missing });
    if (missing < 0) return problem('no_leave_less', { n: -missing });
    return isCouple(this.settled) ? null : problem('no_couple');
  }

  /** Nothing is chosen, where that is an answer as well; it has a button of its own. */
  get mayPass() {
    if (this.kind === 'write') return !Object.keys(this.puts).length;
    return (this.kind === 'choose' || this.kind === 'reveal') && !this.spells.size;
  }

  /** As the server wants it. */
  get command() {
    const { family } = this;
    const puts = SPELLS.filter((spell) => this.puts[spell]).map((spell) => `${spell}:${this.puts[spell]}`);
    switch (this.kind) {
      case 'settle':
        return `settle@${family}=${writeHuts(family, this.places)}`;
      case 'cast':
        return `cast@${family}=${puts[0] ?? ''}`;
      case 'write':
        return `write@${family}=${puts.join(',') || '-'}`;
      case 'starve':
        return `starve@${family}=${writeHuts(family, this.picked)}`;
      case 'take':
        return `take@${family}=${this.asked.from}:${writeHuts(this.asked.from, this.picked)}`;
      default:
        return `${this.kind}@${family}=${setOf(this.spells)}`;
    }
  }
}
