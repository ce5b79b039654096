// The tutorial: eight lessons on positions that a game can come to. It knows no rules: positions.js, which the rules core made, has for
// each position what the server would tell the learner, which commands are right, and what comes of them.

import { Scene } from '../../../learning.js';
import { spellName } from '../describe.js';
import { COLOUR_OF, FAMILIES, hutsOf, readCommand, readHuts, readPuts, SPELLS } from '../notation.js';
import { peopleOfFamily } from '../table.js';
import { POSITIONS } from './positions.js';
import { has, t } from './words.js';

/** @typedef {import('../../game.js').Message} Message */
/** @typedef {import('../../game.js').Lesson} Lesson */
/** @typedef {import('../../game.js').Trial} Trial */
/** @typedef {import('../../game.js').Outcome} Outcome */
/** @typedef {{effects: string[], patch: Message}} Follows what comes of a command: see protocol/totem.md */
/**
 * A position, and what the rules say to it.
 * @typedef {object} Position
 * @property {Message} table as the server tells it to the learner, who leads the red family
 * @property {Message} asked as in the server's answer to `moves`
 * @property {{[command: string]: Follows}} right the commands that the lesson is about; of all ways to settle only one
 */

const FAMILY = 'R';
/** The other players, by names that the page has in every language. */
const NAMES = ['Heron', 'Otter', 'Gecko'];

/** Why a legal command is not right, where there is more to say than for the whole lesson: a word of the key of the sentence. @type {{[id: string]: (rest: string) => string}} */
const WHY = {
  choose: (rest) => (rest.length > 2 ? 'most' : ''),
  cast: (rest) => rest.slice(2),
  write: (rest) => (rest === '-' ? '' : readPuts(rest).every(({ spell }) => spell === 'I') ? 'hut' : 'spell'),
};

/** Huts where a woman lives and no man. @param {{[hut: string]: string}} huts */
const lonely = (huts) => Object.keys(huts).filter((hut) => /[wW]/.test(huts[hut]) && !/[mM]/.test(huts[hut]));

/** The state of a match as the server would show it. @param {Message} table @returns {Message} */
function stateOf(table) {
  const names = [t('you'), ...NAMES];
  const seats = FAMILIES.map((family, seat) => [seat, { name: names[seat], colour: COLOUR_OF[family], bot: seat > 0 }]);
  return { game: 'totem', phase: 'playing', options: { players: 4 }, seats: Object.fromEntries(seats), table };
}

/** What comes of a command; null if it is not right. @param {string} id @param {string} move @returns {Follows | null} */
function follows(id, move) {
  const { right } = POSITIONS[id];
  const command = readCommand(move);
  if (command?.verb !== 'settle') return right[move] ?? null;
  const huts = readHuts(FAMILY, command.rest);
  if (lonely(huts).length) return null;
  const [{ effects, patch }] = Object.values(right);
  const people = hutsOf(FAMILY).map((hut) => [hut, { people: huts[hut] || null }]);
  return { effects, patch: { ...patch, huts: Object.fromEntries(people) } };
}

/** Why a legal command is not what the lesson is about. @param {string} id @param {string} move */
function wrongWords(id, move) {
  const { rest = '' } = readCommand(move) ?? {};
  const [hut = ''] = id === 'settle' ? lonely(readHuts(FAMILY, rest)) : [];
  const why = WHY[id]?.(rest);
  return sentence(why && has(`wrong_${id}_${why}`) ? `wrong_${id}_${why}` : `wrong_${id}`, { hut: hut.slice(1) });
}

/** A sentence with the names of spells as the table has them. @param {string} key @param {{[name: string]: string | number}} [values] */
const sentence = (key, values = {}) => t(key, { ...Object.fromEntries(SPELLS.map((spell) => [spell, spellName(spell)])), ...values });

/** One lesson as it is tried, from its beginning. @implements {Trial} */
class TotemTrial extends Scene {
  /** @param {string} id */
  constructor(id) {
    super(0);
    this.id = id;
    this.canUndo = false;
    /** @type {Message | null} */
    this.moves = { moves: [], asked: POSITIONS[id].asked };
    this.show(stateOf(POSITIONS[id].table));
  }

  /** @param {string} move @returns {Outcome} */
  play(move) {
    const then = follows(this.id, move);
    if (!then) return { right: false, words: wrongWords(this.id, move) };
    this.happen({ kind: 'move', seat: this.seat, move, effects: then.effects }, { table: then.patch });
    this.moves = null;
    return { right: true, words: '' };
  }

  /** What is illegal the view does not send: it says why itself. */
  explain() {
    return '';
  }

  undo() {}

  /** A lesson is about one phase, and proposes nothing. @param {any} view */
  prepare(view) {
    view.beforehand.askInEach(true);
  }
}

/** A lesson at its beginning. @param {string} id */
export const begun = (id) => new TotemTrial(id);

/** How many people each family has, for the lessons that speak of it. @param {string} id */
function sizes(id) {
  const state = stateOf(POSITIONS[id].table);
  return Object.fromEntries(FAMILIES.map((family) => [COLOUR_OF[family], peopleOfFamily(state, family).length]));
}

/** @returns {Lesson[]} */
export default () =>
  Object.keys(POSITIONS).map((id) => ({
    id,
    title: t(`title_${id}`),
    text: [sentence(`first_${id}`), sentence(`second_${id}`, sizes(id))],
    task: sentence(`task_${id}`),
    done: sentence(`done_${id}`),
    begin: () => begun(id),
  }));
