// Says in words where something lies: beside whose buildings, and in which part of the island; and which way something faces. North is up, as the
// island is seen: when the view is turned, places are called otherwise.

import { hexOf, neighbours } from './hexes.js';
import { pointOf } from './iso.js';
import { readCell } from './notation.js';
import { listed, nameOf } from '../../words.js';
import { t } from './words.js';

/** @typedef {import('../game.js').Message} Message */
/** @typedef {import('./hexes.js').Key} Key */
/** @typedef {import('./iso.js').Point} Point */

const MIDDLE = 0.34; // what is nearer to the middle than this part of the island's reach is in the middle
const PARTS = ['e', 'se', 's', 'sw', 'w', 'nw', 'n', 'ne'];
const WORTH = { t: 3, w: 2, h: 1 };

/** By how many sixths the view is turned; one table is shown at a time. */
let view = 0;

/** @param {number} turn of the view, in sixths */
export function lookFrom(turn) {
  view = turn;
}

/** Which way something faces. @param {number} direction of the board, 0 to 5 */
export const compass = (direction) => t(`d_${(((direction + view) % 6) + 6) % 6}`);

/** @param {Key[]} keys */
function middle(keys) {
  const points = keys.map((key) => pointOf(hexOf(key), 0, view));
  const sum = (/** @type {'x' | 'y'} */ axis) => points.reduce((all, point) => all + point[axis], 0) / points.length;
  return { x: sum('x'), y: sum('y') };
}

/** How the land lies, as it is seen now: asked for every build of a list. @type {WeakMap<object, {view: number, centre: Point, reach: number}>} */
const lands = new WeakMap();

/** @param {{[key: Key]: string}} hexes some @returns where their middle is, and how far they reach from it */
function landOf(hexes) {
  const known = lands.get(hexes);
  if (known?.view === view) return known;
  const keys = Object.keys(hexes);
  const centre = middle(keys);
  const reach = keys.reduce((most, key) => {
    const { x, y } = pointOf(hexOf(key), 0, view);
    return Math.max(most, Math.hypot(x - centre.x, y - centre.y));
  }, 1);
  const land = { view, centre, reach };
  lands.set(hexes, land);
  return land;
}

/** In which part of the island. @param {Message} state @param {Key[]} keys */
export function partWords(state, keys) {
  const hexes = state.table?.hexes ?? {};
  if (!Object.keys(hexes).length) return t('part_m');
  const { centre, reach } = landOf(hexes);
  const here = middle(keys);
  const [dx, dy] = [here.x - centre.x, here.y - centre.y];
  if (Math.hypot(dx, dy) < MIDDLE * reach) return t('part_m');
  const eighth = Math.round(Math.atan2(dy / 0.72, dx) / (Math.PI / 4));
  return t(`part_${PARTS[(eighth + 8) % 8]}`);
}

/**
 * Beside which building: one's own before others', temples before towers before huts; "" beside none.
 * @param {Message} state @param {Key[]} keys @param {number} seat who is told, -1 for everybody
 */
function besideWords(state, keys, seat) {
  const hexes = state.table?.hexes ?? {};
  let best = { worth: 0, kind: '', seat: -1 };
  for (const key of new Set(keys.flatMap(neighbours))) {
    if (!hexes[key] || keys.includes(key)) continue;
    const cell = readCell(hexes[key]);
    if (!cell.kind) continue;
    const worth = WORTH[cell.kind] + (cell.seat === seat ? 10 : 0);
    if (worth > best.worth) best = { worth, kind: cell.kind, seat: cell.seat };
  }
  if (!best.worth) return '';
  return best.seat === seat ? t(`beside_own_${best.kind}`) : t(`beside_${best.kind}`, { name: nameOf(state, best.seat) });
}

/** "in the north, beside your temple". @param {Message} state @param {Key[]} keys @param {number} [seat] who is told */
export function whereWords(state, keys, seat = -1) {
  const beside = besideWords(state, keys, seat);
  return beside ? t('where_both', { part: partWords(state, keys), beside }) : partWords(state, keys);
}

/** The same, only beside what; the part of the island if it is beside nothing. @param {Message} state @param {Key[]} keys @param {number} seat */
export const nearWords = (state, keys, seat) => besideWords(state, keys, seat) || partWords(state, keys);

/** Whose huts an eruption would crush: "2 huts of Bo"; "" if none. @param {Message} state @param {Key[]} keys that are covered @param {number} seat who is told */
export function crushedWords(state, keys, seat) {
  /** @type {Map<number, number>} */
  const huts = new Map();
  for (const key of keys) {
    const token = state.table?.hexes?.[key];
    const cell = token && readCell(token);
    if (cell && cell.kind === 'h') huts.set(cell.seat, (huts.get(cell.seat) ?? 0) + cell.count);
  }
  const all = [...huts].map(([owner, n]) =>
    t(owner === seat ? 'owned_own' : 'owned', { what: t('n_huts', { n }), name: nameOf(state, owner) }),
  );
  return listed(all);
}
