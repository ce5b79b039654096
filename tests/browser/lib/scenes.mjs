// Positions of real games to show on the page: early, in the middle, late, over. Where a picture needs legal moves they are
// made up; there is no server.

import { footprint, placementOf, readCell, readPlacement } from '../../../clients/web/js/games/taluva/notation.js';
import { keyOf, neighbours } from '../../../clients/web/js/games/taluva/hexes.js';
import { pushesOf, readGames, stateAfter, VECTORS } from './vectors.mjs';

const games = readGames(VECTORS);
const game = (id) => games.find((one) => one.id === id);

/** Some placements beside the island, as `moves` would list them. @param {any} state */
export function somePlacements(state) {
  const { hexes, turn } = state.table;
  const moves = new Set();
  for (const key of new Set(Object.keys(hexes).flatMap(neighbours))) {
    if (key in hexes) continue;
    const [q, r] = key.split(',').map(Number);
    for (let k = 0; k < 6; k++) {
      const placement = placementOf(turn.tile, { q, r }, k);
      if (footprint(placement).every((hex) => !(keyOf(hex) in hexes))) moves.add(placement.text);
    }
  }
  const list = [...moves];
  return { step: 'place', moves: list, eliminating: list.slice(7, 13) };
}

/** Some builds. @param {any} state */
export function someBuilds(state) {
  const { hexes, turn } = state.table;
  const cells = Object.entries(hexes).map(([key, token]) => ({ key, ...readCell(token) }));
  const free = cells.filter(({ terrain, kind }) => terrain !== 'V' && !kind);
  const own = cells.find(({ seat }) => seat === turn.seat);
  const huts = {};
  for (const { key, level } of free) if (level === 1) huts[`hut@${key}`] = { [key]: 1 };
  const wide = free.filter(({ level }) => level === 2).slice(0, 3);
  if (own && wide.length) huts[`expand@${own.key}=J`] = Object.fromEntries(wide.map(({ key, level }) => [key, level]));
  const high = free.filter(({ level }) => level >= 3).map(({ key }) => `tower@${key}`);
  return { step: 'build', moves: [...Object.keys(huts), ...high], huts };
}

/** @param {string} id @param {number} turns */
function placing(id, turns) {
  const state = stateAfter(game(id), turns);
  return { state, seat: state.table.turn.seat, moves: somePlacements(state), online: { 0: true, 1: true } };
}

/** @param {string} id @param {number} turns */
function building(id, turns) {
  const state = stateAfter(game(id), turns, true);
  return { state, seat: state.table.turn.seat, moves: someBuilds(state), online: { 0: true, 1: true } };
}

/** Of a server that sends messages to browsers: what its hello says of that. */
export const SENDING = {
  push: { key: 'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8', slow_s: 1800 },
};

/** The visitor waits for somebody else without a clock, and is asked whether to be told. @param {any} scene */
function asked(scene) {
  const { state, seat } = scene;
  return { ...scene, seat: seat === 0 ? 1 : 0, moves: undefined, hello: SENDING, permission: 'default', state: { ...state, clock: { kind: 'none' } } };
}

/** @param {string} id @param {any} result */
function over(id, result) {
  const state = stateAfter(game(id));
  state.phase = 'over';
  state.fair.secret = '1'.repeat(64);
  state.result = result;
  delete state.acting;
  return { state, seat: 0 };
}

function lobby() {
  const { table: _, acting: __, ...state } = stateAfter(game('teams-builder-23'), 0);
  const seats = {
    0: { name: 'Ana', colour: 'red', ready: true },
    1: { name: 'Bo', colour: 'white', ready: false },
    2: { name: 'Mango', colour: 'brown', ready: true, bot: true },
  };
  return { state: { ...state, phase: 'lobby', seats }, seat: 0, host: true, online: { 0: true, 1: true } };
}

function rooms() {
  const { options } = lobby().state;
  const line = { game: 'taluva', clock: { kind: 'none' }, at: 1790000000000 };
  return {
    rooms: [
      {
        ...line,
        room: 'k3m9x0aq',
        title: 'Friday evening',
        phase: 'lobby',
        size: 4,
        options,
        seats: { 0: { name: 'Ana', colour: 'red' }, 1: { name: 'Bo', colour: 'white' } },
      },
      {
        ...line,
        room: '0a7t2m9k',
        phase: 'playing',
        size: 2,
        options: { ...options, teams: false, boats: true, zone: 'player' },
        seats: { 0: { name: 'Chi', colour: 'yellow' }, 1: { name: 'Dee', colour: 'black' } },
      },
    ],
    mine: [
      {
        ...line,
        room: '2v5n8b1c',
        phase: 'playing',
        size: 3,
        options: { ...options, teams: false },
        seats: { 0: { name: 'Ana', colour: 'red' }, 1: { name: 'Turtle', colour: 'white' }, 2: { name: 'Mango', colour: 'brown', bot: true } },
        seat: 0,
        acting: [0],
        clock: { kind: 'days', days: 3, on_timeout: 'eliminate', seats: { 0: { left_ms: 200_000_000 }, 1: { left_ms: 259_200_000 }, 2: { left_ms: 259_200_000 } } },
      },
    ],
  };
}

/** Chances that look like those of a match: they wander, and somebody wins. @param {any} game @param {number} winner */
function madeUpAnalysis(game, winner) {
  const seats = game.options.seats;
  const marks = { 11: 'blunder', 17: 'mistake', 24: 'good' };
  let chances = Array(seats).fill(Math.round(1000 / seats));
  const sums = chances.map(() => ({ luck: 0, loss: 0, good: 0, mistakes: 0, blunders: 0 }));
  /** @param {number[]} from @param {number} seat @param {number} by @returns {number[]} */
  const moved = (from, seat, by) => {
    const own = Math.max(10, Math.min(990, from[seat] + by));
    const rest = 1000 - from[seat] || 1;
    return from.map((chance, other) => (other === seat ? own : Math.round((chance * (1000 - own)) / rest)));
  };
  const turns = game.turns.map(({ seat, place, build }, i) => {
    const start = chances;
    const towards = seat === winner ? 12 : -9;
    const luck = ((i * 37) % 61) - 30 + towards;
    const mark = marks[i] ?? '';
    const loss = { blunder: 180, mistake: 60 }[mark] ?? (i * 13) % 17;
    const best = moved(start, seat, luck);
    const played = i === game.turns.length - 1 ? best.map((_, other) => (other === winner ? 1000 : 0)) : moved(best, seat, -loss);
    chances = played;
    sums[seat].luck += luck;
    sums[seat].loss += loss;
    if (mark) sums[seat][{ good: 'good', mistake: 'mistakes', blunder: 'blunders' }[mark]]++;
    const moves = build === 'none' ? [place] : [place, build];
    const state = stateAfter(game, i);
    const other = loss >= 60 ? [somePlacements(state).moves[9], somePlacements(state).moves[9].replace(/.*@/, 'hut@').replace(/:.*/, '')] : undefined;
    if (other) other[1] = `hut@${keyOf(footprint(readPlacement(other[0]))[1])}`;
    return { turn: i + 1, seat, moves, start, best, played, luck, loss, mark, ...(other ? { better: other } : {}) };
  });
  return { game: 'taluva', rules: 1, simulations: 400, turns, turning_points: [12, 18, 25].filter((n) => n <= turns.length), seats: sums };
}

/** A match that is over, with its moves and what is found in it. @param {string} id @param {any} result @param {number} winner */
function analysed(id, result, winner) {
  const end = { phase: 'over', result };
  const pushes = pushesOf(game(id), 100, end);
  return {
    ...over(id, result),
    past: (/** @type {number} */ have) => pushes.filter(({ seq }) => seq > have),
    analysis: madeUpAnalysis(game(id), winner),
  };
}

/** A hint for the first places that are listed. @param {any} scene */
function hinted(scene) {
  const [first, second, third] = [10, 20, 40].map((i) => scene.moves.moves[i % scene.moves.moves.length]);
  const hut = (/** @type {string} */ move) => `hut@${keyOf(footprint(readPlacement(move))[1])}`;
  scene.state.hints = true;
  const turn = (/** @type {string} */ move, /** @type {number} */ own) => ({
    moves: [move, hut(move)],
    chances: Object.keys(scene.state.seats).map((seat) => (Number(seat) === scene.seat ? own : Math.round((1000 - own) / (Object.keys(scene.state.seats).length - 1)))),
  });
  return { ...scene, hint: [turn(first, 612), turn(second, 587), turn(third, 431)] };
}

export const scenes = {
  rooms,
  lobby,
  early: () => placing('base-builder-102', 5),
  middle: () => placing('base-builder-102', 20),
  builds: () => building('base-builder-102', 21),
  late: () => placing('five-eruptive-19', 50),
  box: () => placing('everything-builder-70', 55),
  hinted: () => hinted(placing('base-builder-102', 20)),
  asked: () => asked(placing('base-builder-102', 20)),
  analysed: () => analysed('base-builder-102', { why: 'exhausted', winners: { 1: true } }, 1),
  over: () => over('teams-eruptive-133', { why: 'two-kinds', winners: { 0: true } }),
  counted: () =>
    over('five-builder-29', { why: 'exhausted', winners: { 2: true }, ranks: { 2: 1, 4: 2, 1: 3, 0: 4, 3: 5 } }),
};

/** The largest island: sixty tiles and four levels. */
export function largest() {
  const state = stateAfter(game('five-builder-29'), 59);
  const levels = Object.values(state.table.hexes).map((token) => readCell(token).level);
  return {
    scene: { state, seat: state.table.turn.seat, moves: somePlacements(state) },
    hexes: levels.length,
    level: Math.max(...levels),
  };
}
