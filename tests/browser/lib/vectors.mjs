// Turns finished games of tests/vectors into the states and pushes of a room, without checking moves: the browser
// tests use it to show any position of a real game. No server is involved.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { neighbours, region } from '../../../clients/web/js/games/taluva/hexes.js';
import { footprint, placedCells, readBuild, readCell, readPlacement, writeCell } from '../../../clients/web/js/games/taluva/notation.js';

const HERE = fileURLToPath(new URL('.', import.meta.url));

export const VECTORS = path.resolve(HERE, '../../vectors/games.jsonl');

const COLOURS = ['red', 'white', 'yellow', 'brown', 'black'];
const NAMES = ['Ana', 'Bo', 'Chi', 'Dee', 'Eli'];

/** @param {string} file */
export function readGames(file) {
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** The hexes and pieces that a build changes. @param {any} table @param {number} seat @param {string} text */
export function buildEffect(table, seat, text) {
  const build = readBuild(text);
  if (!build) return { hexes: {}, cost: {} };
  if (build.verb === 'boat') return { hexes: {}, boats: { [build.at]: seat }, cost: { boats: 1 } };
  /** @type {{[key: string]: string}} */
  const hexes = {};
  const set = (key, kind, count) => {
    hexes[key] = writeCell({ ...readCell(table.hexes[key]), seat, kind, count });
  };
  if (build.verb === 'hut') set(build.at, 'h', 1);
  if (build.verb === 'tower') set(build.at, 'w', 0);
  if (build.verb === 'temple') set(build.at, 't', 0);
  if (build.verb !== 'expand') return { hexes, cost: { [`${build.verb}s`]: 1 } };
  const mine = region(build.at, (key) => table.hexes[key] !== undefined && readCell(table.hexes[key]).seat === seat);
  let huts = 0;
  for (const key of new Set([...mine].flatMap(neighbours))) {
    const cell = table.hexes[key] && readCell(table.hexes[key]);
    if (!cell || cell.kind || cell.terrain !== build.terrain) continue;
    set(key, 'h', cell.level);
    huts += cell.level;
  }
  return { hexes, cost: { huts } };
}

/** The state of a room before the first tile. @param {any} game */
function opening(game) {
  const o = game.options;
  const seats = {},
    players = {},
    ready = {};
  for (let i = 0; i < o.seats; i++) {
    seats[i] = { name: NAMES[i], colour: COLOURS[i], ready: true };
    players[i] = { huts: 20, towers: 2, temples: 3, ...(o.boats ? { boats: 2 } : {}) };
    ready[i] = true;
  }
  return {
    game: 'taluva',
    phase: 'playing',
    access: 'open',
    title: 'Friday evening',
    options: {
      preset: 'ferti-2014',
      players: o.seats,
      tiles: game.deck.length,
      huts: o.huts,
      first: 0,
      teams: o.teams,
      ranking: o.ranking,
      boats: o.boats,
      two_hex: o.two_hex.length > 0,
      zone: o.zone ?? 'none',
    },
    seats,
    fair: { commitment: '0'.repeat(64) },
    clock: { kind: 'none' },
    acting: [0],
    table: {
      hexes: {},
      players,
      stack: game.deck.length - 1,
      turn: { number: 1, seat: 0, step: 'place', tile: game.deck[0] },
      last: {},
      ...(o.two_hex.length ? { two_hex: Object.fromEntries(o.two_hex.map((t) => [t, true])), took: {} } : {}),
      ...(o.boats ? { boats: {} } : {}),
    },
  };
}

/**
 * The state after `turns` whole turns, and after the tile of the next one if `placed`.
 * @param {any} game @param {number} [turns] @param {boolean} [placed]
 */
export function stateAfter(game, turns = game.turns.length, placed = false) {
  const state = opening(game);
  const table = state.table;
  let drawn = 0;
  const lay = (turn) => {
    const placement = readPlacement(turn.place);
    const two = placement.tile[0] === '2';
    if (two) {
      delete table.two_hex[placement.tile];
      table.took[turn.seat] = (table.took[turn.seat] ?? 0) + 1;
    } else drawn++;
    const cover = footprint(placement);
    const under = table.hexes[`${cover[0].q},${cover[0].r}`];
    const cells = placedCells(placement, under ? readCell(under).level + 1 : 1);
    cover.forEach((hex, i) => {
      table.hexes[`${hex.q},${hex.r}`] = writeCell(cells[i]);
    });
    table.last[turn.seat] = turn.place;
  };
  for (const turn of game.turns.slice(0, turns)) {
    lay(turn);
    if (turn.build === 'none') {
      table.players[turn.seat].out = 1;
      continue;
    }
    const effect = buildEffect(table, turn.seat, turn.build);
    Object.assign(table.hexes, effect.hexes);
    if (effect.boats) Object.assign(table.boats, effect.boats);
    for (const [kind, n] of Object.entries(effect.cost)) table.players[turn.seat][kind] -= n;
    table.last[turn.seat] += ` ${turn.build}`;
  }
  const next = game.turns[turns];
  if (next && placed) lay(next);
  table.stack = game.deck.length - drawn - (next && !placed ? 1 : 0);
  if (next) state.acting = [next.seat];
  else delete state.acting;
  if (next)
    table.turn = {
      number: turns + 1,
      seat: next.seat,
      step: placed ? 'build' : 'place',
      ...(placed ? {} : { tile: game.deck[drawn] }),
    };
  else delete table.turn;
  return state;
}

/** The merge patch from one value to another. @param {any} from @param {any} to */
function patchFrom(from, to) {
  const patch = {};
  for (const key of Object.keys(from)) if (!(key in to)) patch[key] = null;
  for (const [key, value] of Object.entries(to)) {
    const old = from[key];
    if (JSON.stringify(old) === JSON.stringify(value)) continue;
    const both = [old, value].every((one) => typeof one === 'object' && one !== null && !Array.isArray(one));
    patch[key] = both ? patchFrom(old, value) : value;
  }
  return patch;
}

/**
 * A whole match as the pushes of a room, up to `last`. The numbers of its events begin so that it ends with `last`.
 * @param {any} game @param {number} last @param {any} end what is known in the end, as `result`
 */
export function pushesOf(game, last, end) {
  const moments = [{ event: { kind: 'started', fair: {} }, state: stateAfter(game, 0) }];
  game.turns.forEach(({ seat, place, build }, i) => {
    const placed = stateAfter(game, i, true);
    const after = stateAfter(game, i + 1);
    moments.push({ event: { kind: 'move', seat, move: place }, state: build === 'none' ? after : placed });
    if (build !== 'none') moments.push({ event: { kind: 'move', seat, move: build }, state: after });
  });
  const over = moments.at(-1);
  over.state = { ...over.state, ...end };
  delete over.state.acting;
  return moments.map(({ event, state }, i) => ({
    push: 'event',
    seq: last - moments.length + 1 + i,
    at: 1790000000000 + 1000 * i,
    event,
    patch: patchFrom(moments[i - 1]?.state ?? {}, state),
  }));
}
