// The tutorial: eight lessons on positions of real games. It knows no rules: positions.js, which the rules core made, lists for
// each position what is legal and why the rest is not; a lesson only says which of the legal moves it is about.

import { Scene } from '../../../learning.js';
import { hexOf, keyOf } from '../hexes.js';
import { footprint, placedCells, placementOf, readBuild, readCell, readPlacement, writeCell } from '../notation.js';
import { has, t as gameWords } from '../words.js';
import { CODES, POSITIONS } from './positions.js';
import REFUSALS from './refusals.js';
import { t } from './words.js';

/** @typedef {import('../../game.js').Message} Message */
/** @typedef {import('../../game.js').Lesson} Lesson */
/** @typedef {import('../../game.js').Trial} Trial */
/** @typedef {import('../../game.js').Outcome} Outcome */
/** @typedef {import('../hexes.js').Key} Key */
/** @typedef {import('../notation.js').Build} Build */
/** @typedef {import('../notation.js').Placement} Placement */
/** @typedef {import('../view.js').TableView} TableView */
/**
 * A position, in parts of its notation (protocol/notation.md), and the answers of the rules.
 * @typedef {object} Position
 * @property {string} options @property {string} island @property {string} rest
 * @property {string} [at] by hex, for the tile's first hex there, an answer for each direction; all others do not touch the island
 * @property {string} [after] by placement, without its tile, where a hut may be built after it
 * @property {{[move: string]: string}} [builds] what may be built, and on which hexes
 * @property {string} [on] by hex, answers for a hut, a tower and a temple
 * @property {string} [wins] builds that win the game
 */
/** @typedef {{hexes: {[key: Key]: string}, players: {[seat: string]: Message}, stack: number, seat: number, tile: string}} Read */

/** What each lesson is about: the moves that are right. @type {{id: string, right: (move: string, read: Read) => boolean, held?: {at: Key, k: number}, all?: boolean}[]} `held`: how the tile
 * lies at the beginning; `all`: all places are shown */
const LESSONS = [
  { id: 'extend', right: () => true },
  { id: 'erupt', right: erupts },
  { id: 'facing', right: erupts, held: { at: '-1,0', k: 4 } },
  { id: 'expand', right: (move) => move === 'expand@-2,2=C' },
  { id: 'temple', right: (move) => move.startsWith('temple') },
  { id: 'tower', right: (move) => move.startsWith('tower') },
  { id: 'out', right: () => true, all: true },
  { id: 'win', right: (move) => (POSITIONS.win.wins ?? '').split(' ').includes(move) },
];

/** @param {string} move @param {Read} read */
function erupts(move, { hexes }) {
  const placement = readPlacement(move);
  return placement !== null && keyOf(placement.at) in hexes;
}

/** "a=b c=d" as a table. @param {string} text @returns {{[key: string]: string}} */
const table = (text) =>
  Object.fromEntries(
    text
      .trim()
      .split(/\s+/)
      .map((pair) => pair.split('=')),
  );

/** @param {Position} position @returns {Read} */
export function read({ island, rest }) {
  const [seats, , , stack, turn] = rest.split(' ');
  const [, seat, tile = ''] = turn.split(':');
  const players = seats.split('/').map((text) => {
    const [huts, towers, temples] = (text.match(/\d+/g) ?? []).map(Number);
    return { huts, towers, temples };
  });
  const hexes = table(island.replace(/\s/g, '').replaceAll('/', ' '));
  return { hexes, players: Object.fromEntries(players.entries()), stack: Number(stack), seat: Number(seat), tile };
}

/** The island with a tile on it, wherever that is. @param {{[key: Key]: string}} hexes @param {Placement} placement */
export function laid(hexes, placement) {
  const keys = footprint(placement).map(keyOf);
  const level = 1 + Math.max(...keys.map((key) => (hexes[key] ? readCell(hexes[key]).level : 0)));
  const cells = placedCells(placement, level).map((cell, i) => [keys[i], writeCell(cell)]);
  return { ...hexes, ...Object.fromEntries(cells) };
}

/**
 * The island with what was built, and what it took.
 * @param {{[key: Key]: string}} hexes @param {Build} build @param {Key[]} keys where @param {number} seat
 */
export function built(hexes, { verb }, keys, seat) {
  const letter = /** @type {'h' | 't' | 'w'} */ ({ temple: 't', tower: 'w' }[verb] ?? 'h');
  const kind = { t: 'temples', w: 'towers', h: 'huts' }[letter];
  const cells = keys.map((key) => ({ key, cell: readCell(hexes[key]) }));
  const count = (/** @type {{level: number}} */ { level }) => (letter === 'h' ? level : 1);
  const set = cells.map(({ key, cell }) => [key, writeCell({ ...cell, seat, kind: letter, count: count(cell) })]);
  return { hexes: { ...hexes, ...Object.fromEntries(set) }, kind, cost: cells.reduce((sum, { cell }) => sum + count(cell), 0) };
}

/** A table as the server would show it. @param {Read} read @param {string} step "" when the turn is over @param {string} last the learner's turn so far */
function stateOf({ hexes, players, stack, seat, tile }, step, last = '') {
  const other = 1 - seat;
  return {
    game: 'taluva',
    phase: 'playing',
    options: { preset: 'ferti-2014', players: 2, zone: 'none' },
    seats: { [seat]: { name: t('you'), colour: 'red' }, [other]: { name: t('opponent'), colour: 'white', bot: true } },
    table: {
      hexes,
      players,
      stack,
      last: last ? { [seat]: last } : {},
      ...(step ? { turn: { number: 1, seat, step, ...(step === 'place' ? { tile } : {}) } } : {}),
    },
  };
}

/** One lesson as it is tried, from its beginning. @implements {Trial} */
class TaluvaTrial extends Scene {
  /** @param {typeof LESSONS[number]} lesson */
  constructor({ id, right, held, all = false }) {
    const position = POSITIONS[id];
    const start = read(position);
    super(start.seat);
    this.id = id;
    this.right = right;
    this.held = held;
    this.all = all;
    this.position = position;
    this.start = start;
    this.answers = table(position.at ?? position.on ?? '');
    this.placed = '';
    this.undo();
  }

  /** Back to the beginning. */
  undo() {
    this.placed = '';
    const step = this.position.at ? 'place' : 'build';
    this.show(stateOf(this.start, step));
    this.moves = step === 'place' ? this.placements() : this.buildMoves(this.position.builds ?? {}, this.start.hexes);
  }

  get canUndo() {
    return this.placed !== '';
  }

  /** The tile lies already, but not as it may. @param {import('../../game.js').GameView} view */
  prepare(view) {
    const { held, all } = this;
    const { placing } = /** @type {TableView} */ (view);
    placing.allAtFirst = all;
    if (all && placing.calm) /** @type {TableView} */ (view).toggleAll();
    if (!held || !placing.active) return;
    placing.k = held.k;
    placing.put(hexOf(held.at));
  }

  placements() {
    /** @type {string[]} */
    const moves = [];
    /** @type {string[]} */
    const eliminating = [];
    for (const [key, answers] of Object.entries(this.answers)) {
      [...answers].forEach((letter, k) => {
        const { text } = placementOf(this.start.tile, hexOf(key), k);
        if (letter === '.' || letter === 'x') moves.push(text);
        if (letter === 'x') eliminating.push(text);
      });
    }
    return { step: 'place', moves, eliminating };
  }

  /** @param {{[move: string]: string}} builds with their hexes @param {{[key: Key]: string}} hexes */
  buildMoves(builds, hexes) {
    /** @type {{[move: string]: {[key: Key]: number}}} */
    const huts = {};
    for (const [move, keys] of Object.entries(builds))
      if (/^(hut|expand)/.test(move))
        huts[move] = Object.fromEntries(keys.split(' ').map((key) => [key, readCell(hexes[key]).level]));
    return { step: 'build', moves: Object.keys(builds), huts };
  }

  /** Why a move is illegal; "" if it is not. @param {string} move */
  explain(move) {
    const placement = readPlacement(move);
    const build = readBuild(move);
    const letter = placement
      ? (this.answers[keyOf(placement.at)]?.[placement.k] ?? '-')
      : this.answers[build?.at ?? '']?.[['hut', 'tower', 'temple'].indexOf(build?.verb ?? '')];
    if (this.placed) return t('not_there');
    if (letter === '.') return '';
    const code = letter === undefined ? 'not_on_island' : CODES[letter];
    return has(`e_${code}`) ? gameWords(`e_${code}`) : REFUSALS[code];
  }

  /** A legal move. @param {string} move @returns {Outcome} */
  play(move) {
    if (this.moves?.eliminating?.includes(move) || !this.right(move, this.start))
      return { right: false, words: t(`wrong_${this.id}`) };
    if (readPlacement(move)) this.place(move);
    else this.build(move);
    return { right: true, words: this.moves ? t(`then_${this.id}`) : '' };
  }

  /** @param {string} move */
  place(move) {
    const hexes = laid(this.start.hexes, /** @type {Placement} */ (readPlacement(move)));
    this.placed = move;
    const then = table(this.position.after ?? '')[move.split('@')[1]];
    const after = stateOf({ ...this.start, hexes }, then ? 'build' : '', move);
    this.show(after, { kind: 'move', seat: this.seat, move });
    const huts = then?.split(';').map((key) => [`hut@${key}`, key]);
    this.moves = huts ? this.buildMoves(Object.fromEntries(huts), hexes) : null;
  }

  /** @param {string} move */
  build(move) {
    const build = /** @type {Build} */ (readBuild(move));
    const keys = this.placed ? [build.at] : (this.position.builds?.[move] ?? '').split(' ');
    const { hexes, kind, cost } = built(this.state.table.hexes, build, keys, this.seat);
    const player = { ...this.start.players[this.seat] };
    player[kind] -= cost;
    const players = { ...this.start.players, [this.seat]: player };
    this.show(stateOf({ ...this.start, hexes, players }, '', `${this.placed} ${move}`.trim()), { kind: 'move', seat: this.seat, move });
    this.moves = null;
  }
}

/** @returns {Lesson[]} */
export default () =>
  LESSONS.map((lesson) => ({
    id: lesson.id,
    title: t(`title_${lesson.id}`),
    text: [t(`first_${lesson.id}`), t(`second_${lesson.id}`)],
    task: t(`task_${lesson.id}`),
    done: t(`done_${lesson.id}`),
    begin: () => new TaluvaTrial(lesson),
  }));
