// What a spell that lies face down would do if it were uncovered, as far as its owner can see now: by it the page proposes what to
// uncover, what touches most first. The visitor decides.

import { countOf, familyOf, numberOf, PHASE_OF } from './notation.js';
import { ledBy, mineOf, peopleIn } from './table.js';

/** @typedef {import('../game.js').Message} Message */
/** @typedef {{family: string, spell: string, hut: string, touches: number, wanted: boolean}} Laid `touches`: so many people; `wanted`: it is worth uncovering */

/** @param {string} people @param {string} kinds */
const numberIn = (people, kinds) => [...people].filter((kind) => kinds.includes(kind)).length;
/** @param {string} people */
const halves = (people) => Object.values(countOf(people)).reduce((sum, n) => sum + (n >> 1), 0);
/** Women who have a child. @param {string} people */
const mothers = (people) => (numberIn(people, 'mM') ? numberIn(people, 'wW') : 0);

/** How many people of a hut a spell is about. @type {{[spell: string]: (people: string) => number}} */
const TOUCHES = {
  G: mothers,
  B: mothers,
  T: mothers,
  I: mothers,
  A: (people) => numberIn(people, 'bmM'),
  F: (people) => numberIn(people, 'bmM'),
  M: (people) => (numberIn(people, 'gb') + mothers(people)) >> 1,
  P: (people) => halves(people.replace(/[gb]/g, '')),
  H: (people) => people.length,
  L: (people) => numberOf(people, 'e'),
};
const HARMS = 'IFMP';
const EITHER = 'GB'; // whoever has laid it knows what for

/** The spells of a seat that lie face down, those first that are worth uncovering, the earliest phase first. @param {Message} state @param {number} seat @returns {Laid[]} */
export function laidBy(state, seat) {
  const own = ledBy(state, seat);
  return own
    .flatMap((family) => Object.entries(mineOf(state, family).down).map(([spell, hut]) => ({ family, spell, hut })))
    .map((laid) => {
      const touches = TOUCHES[laid.spell](peopleIn(state, laid.hut));
      const suits = EITHER.includes(laid.spell) || HARMS.includes(laid.spell) !== own.includes(familyOf(laid.hut));
      return { ...laid, touches, wanted: suits && touches > 0 };
    })
    .sort((a, b) => Number(b.wanted) - Number(a.wanted) || PHASE_OF[a.spell] - PHASE_OF[b.spell] || b.touches - a.touches);
}
