// The letters of families, people and spells, and the words of commands and effects, as the server writes them.

/** @typedef {{[kind: string]: number}} Count how many people of each kind */
/** @typedef {{verb: string, family: string, rest: string}} Command */
/** @typedef {{what: string, who: string, value: string}} Effect */

export const FAMILIES = ['R', 'G', 'B', 'Y'];
export const KINDS = ['g', 'b', 'w', 'm', 'W', 'M', 'e'];
export const SPELLS = ['G', 'B', 'T', 'I', 'A', 'F', 'M', 'P', 'H', 'L'];
/** @type {{[spell: string]: number}} the phase in which a spell works */
export const PHASE_OF = { G: 3, B: 3, T: 3, I: 3, A: 4, F: 4, M: 6, P: 6, H: 6, L: 7 };
/** The phases that begin with uncovering. */
export const PHASES = [3, 4, 6, 7];
/** @type {{[family: string]: string}} */
export const COLOUR_OF = { R: 'red', G: 'green', B: 'blue', Y: 'yellow' };
export const HUT_ROOM = 6;
export const TOP = 6; // pieces that win

/** @param {string} family */
export const hutsOf = (family) => [1, 2, 3].map((n) => `${family}${n}`);

/** @param {string} hut */
export const familyOf = (hut) => hut[0];

/** The letters in the order of `order`. @param {Iterable<string>} letters @param {string[]} order */
export const ordered = (letters, order) =>
  [...letters].sort((a, b) => order.indexOf(a) - order.indexOf(b)).join('');

/** @param {string} people @returns {Count} kinds of which there are any, in their order */
export function countOf(people) {
  /** @type {Count} */
  const count = {};
  for (const kind of ordered(people, KINDS)) count[kind] = (count[kind] ?? 0) + 1;
  return count;
}

/** A list of people as commands have it. @param {string} people */
export const listOf = (people) => ordered(people, KINDS) || '-';

/** The people of a list; "-" has none. @param {string} list */
export const peopleOf = (list) => (list === '-' ? '' : list);

/** A set of spells as commands have it. @param {Iterable<string>} spells */
export const setOf = (spells) => ordered(spells, SPELLS) || '-';

/** `people` without one of a kind. @param {string} people @param {string} kind */
export const without = (people, kind) => people.replace(kind, '');

/** @param {string} people @param {string} kind */
export const numberOf = (people, kind) => people.split(kind).length - 1;

/** @param {string} text @returns {Command | null} */
export function readCommand(text) {
  const found = /^(settle|choose|cast|pass|write|reveal|starve|take)@([RGBY])(?:=(.+))?$/.exec(text);
  return found && { verb: found[1], family: found[2], rest: found[3] ?? '' };
}

/** @param {string} text @returns {Effect | null} */
export function readEffect(text) {
  const found = /^([a-z]+)(?:@([^=]+)(?:=(.+))?)?$/.exec(text);
  return found && { what: found[1], who: found[2] ?? '', value: found[3] ?? '' };
}

/** The spells of "G:Y2,T:R1", with where they lie. @param {string} text @returns {{spell: string, hut: string}[]} */
export const readPuts = (text) =>
  text === '-' || text === '' || text[0] === '*'
    ? []
    : text.split(',').map((put) => ({ spell: put[0], hut: put.slice(2) }));

/** A family's people by hut, of "ww/m/-". @param {string} family @param {string} text @returns {{[hut: string]: string}} */
export function readHuts(family, text) {
  const lists = text.split('/').map(peopleOf);
  return Object.fromEntries(hutsOf(family).map((hut, i) => [hut, lists[i] ?? '']));
}

/** The same the other way round. @param {string} family @param {{[hut: string]: string}} people */
export const writeHuts = (family, people) =>
  hutsOf(family)
    .map((hut) => listOf(people[hut] ?? ''))
    .join('/');
