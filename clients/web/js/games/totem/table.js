// Reads the state of a table: who is in the game, who acts, who stands where.

import { COLOUR_OF, FAMILIES, hutsOf } from './notation.js';

/** @typedef {import('../game.js').Message} Message */

/** The families of the game, in their order. @param {Message} state @returns {string[]} */
export const familiesOf = (state) => FAMILIES.filter((family) => state.table?.families?.[family]);

/** @param {Message} state @param {string} family */
export const seatOf = (state, family) => state.table?.families?.[family]?.seat ?? -1;

/** The families that a seat leads. @param {Message} state @param {number} seat */
export const ledBy = (state, seat) => familiesOf(state).filter((family) => seatOf(state, family) === seat);

/** Everybody acts at once. @param {Message} state */
export const together = ({ table, options }) =>
  table?.step === 'write' || (table?.step === 'take' && options?.meals === 'B');

/** The families that act now. @param {Message} state @returns {string[]} */
export function actingNow(state) {
  const acting = state.table?.acting ?? [];
  return together(state) ? [...new Set(acting)] : acting.slice(0, 1);
}

/** @param {Message} state @param {string} hut @returns {string} */
export const peopleIn = (state, hut) => state.table?.huts?.[hut]?.people ?? '';

/** A family's people, all together. @param {Message} state @param {string} family */
export const peopleOfFamily = (state, family) =>
  hutsOf(family)
    .map((hut) => peopleIn(state, hut))
    .join('');

/** A family's people by hut. @param {Message} state @param {string} family @returns {{[hut: string]: string}} */
export const placesOf = (state, family) =>
  Object.fromEntries(hutsOf(family).map((hut) => [hut, peopleIn(state, hut)]));

/** The phase that a step of uncovering begins; 0 in other steps. @param {Message} state */
export const revealPhase = (state) => Number(/^reveal(\d)$/.exec(state.table?.step ?? '')?.[1] ?? 0);

/** What the visitor knows of the spells of a family: those in hand, and where others lie. @param {Message} state @param {string} family @returns {{hand: string, down: {[spell: string]: string}, note: string | undefined}} */
export function mineOf(state, family) {
  const mine = state.table?.mine?.[family] ?? {};
  return { hand: mine.hand ?? '', down: mine.down ?? {}, note: mine.note };
}

/** The families of which it is known what they hide: one's own, or after the end those of whoever's eyes one looks through. @param {Message} state */
export const openFamilies = (state) => familiesOf(state).filter((family) => state.table?.mine?.[family]);

/**
 * @typedef {object} Chip a spell that lies on a hut
 * @property {string} owner
 * @property {string} spell "" if it is not known here
 * @property {boolean} up uncovered
 * @property {boolean} told it lies face down, belongs to somebody else, and is known all the same: the match is over
 */
/** The spells on a hut: uncovered ones first. @param {Message} state @param {string} hut @param {number} [seat] who looks on @returns {Chip[]} */
export function chipsOn(state, hut, seat = -1) {
  const { up = {}, down = {} } = state.table?.huts?.[hut] ?? {};
  /** @type {Chip[]} */
  const chips = Object.entries(up).flatMap(([spell, owners]) =>
    [.../** @type {string} */ (owners)].map((owner) => ({ owner, spell, up: true, told: false })),
  );
  for (const owner of FAMILIES) {
    const known = Object.entries(mineOf(state, owner).down).filter(([, where]) => where === hut);
    const number = down[owner] ?? 0;
    for (let i = 0; i < number; i++) {
      const spell = known[i]?.[0] ?? '';
      chips.push({ owner, spell, up: false, told: Boolean(spell) && seatOf(state, owner) !== seat });
    }
  }
  return chips;
}

/** How many spells a family has face down anywhere. @param {Message} state @param {string} family */
export const faceDown = (state, family) =>
  Object.values(state.table?.huts ?? {}).reduce((sum, hut) => sum + (hut.down?.[family] ?? 0), 0);

/** The colours of a seat's families; in a lobby nobody leads one yet. @param {Message} state @param {number} seat */
export const coloursOf = (state, seat) => ledBy(state, seat).map((family) => COLOUR_OF[family]);
