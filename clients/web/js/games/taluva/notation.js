// Reads and writes the notation of protocol/notation.md: hex tokens, tiles, placements, builds.

import { step } from './hexes.js';

/** @typedef {import('./hexes.js').Hex} Hex */
/** @typedef {import('./hexes.js').Key} Key */
/** @typedef {'h' | 'w' | 't'} PieceKind hut, tower, temple */
/**
 * One hex of the island.
 * @typedef {object} Cell
 * @property {number} level
 * @property {string} terrain J C S R L, or V for a volcano
 * @property {number} facing of a volcano, else -1
 * @property {boolean} small a volcano of a 2-Hex tile: it faces its other hex
 * @property {number} seat of the building, -1 without one
 * @property {PieceKind | ''} kind
 * @property {number} count
 */
/** @typedef {{text: string, tile: string, at: Hex, k: number}} Placement */
/** @typedef {{text: string, verb: string, at: Key, terrain: string}} Build */

const CELL = /^(\d+)([JCSRLVv])(\d?)(?::(\d)([hwt])(\d*))?$/;

/** @param {string} token @returns {Cell} */
export function readCell(token) {
  const m = CELL.exec(token);
  if (!m) throw new Error(`not a hex: ${token}`);
  return {
    level: Number(m[1]),
    terrain: m[2].toUpperCase(),
    facing: m[3] === '' ? -1 : Number(m[3]),
    small: m[2] === 'v',
    seat: m[4] === undefined ? -1 : Number(m[4]),
    kind: /** @type {PieceKind | ''} */ (m[5] ?? ''),
    count: m[5] === undefined ? 0 : m[6] ? Number(m[6]) : 1,
  };
}

/** @param {Cell} cell @returns {string} its token */
export function writeCell({ level, terrain, facing, small, seat, kind, count }) {
  const ground = terrain === 'V' ? `${small ? 'v' : 'V'}${facing}` : terrain;
  return `${level}${ground}${kind ? `:${seat}${kind}${kind === 'h' ? count : ''}` : ''}`;
}

/** The terrains of a tile in the order of its hexes: "JC" is V J C, "2VL" is V L. @param {string} tile */
export function tileTerrains(tile) {
  return tile[0] === '2' ? [tile[1], tile[2]] : ['V', tile[0], tile[1]];
}

/** How many rotations of a tile differ. @param {string} tile */
export const rotationsOf = (tile) => (tile === '2VV' || tile === '2JJ' ? 3 : 6);

/** @param {string} text @returns {Placement | null} */
export function readPlacement(text) {
  const m = /^([JCSRL]{2}|2JJ|2V[JLSV])@(-?\d+),(-?\d+):([0-5])$/.exec(text);
  return m && { text, tile: m[1], at: { q: Number(m[2]), r: Number(m[3]) }, k: Number(m[4]) };
}

/** @param {string} tile @param {Hex} at @param {number} k @returns {Placement} */
export function placementOf(tile, at, k) {
  const turn = ((k % 6) + 6) % 6;
  if (rotationsOf(tile) === 3 && turn > 2) {
    const other = step(at, turn);
    return placementOf(tile, other, turn - 3);
  }
  return { text: `${tile}@${at.q},${at.r}:${turn}`, tile, at, k: turn };
}

/** The hexes that a placement covers, in the order of `tileTerrains`. @param {Placement} placement */
export function footprint({ tile, at, k }) {
  return tile[0] === '2' ? [at, step(at, k)] : [at, step(at, k), step(at, k + 1)];
}

/** What the hexes of a placement will be. @param {Placement} placement @param {number} level @returns {Cell[]} */
export function placedCells(placement, level) {
  const two = placement.tile[0] === '2';
  return tileTerrains(placement.tile).map((terrain, i) => ({
    level,
    terrain,
    facing: terrain !== 'V' ? -1 : (placement.k + (i === 1 ? 3 : 0)) % 6,
    small: two && terrain === 'V',
    seat: -1,
    kind: '',
    count: 0,
  }));
}

/** @param {string} text @returns {Build | null} */
export function readBuild(text) {
  const m = /^(hut|tower|temple|boat|expand)@(-?\d+,-?\d+)(?:=([JCSRL]))?$/.exec(text);
  return m && { text, verb: m[1], at: m[2], terrain: m[3] ?? '' };
}

/** The turn in `last`: "JC@0,0:0 hut@1,0". @param {string} text */
export function readTurn(text) {
  const [first, second] = text.split(' ');
  return { placement: readPlacement(first ?? ''), build: second ? readBuild(second) : null };
}
