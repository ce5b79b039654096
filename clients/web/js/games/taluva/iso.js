// The projection: from a hex and a level to a point of the drawing, and back. Pointy-top hexes seen from the
// south at a light angle; the view may be turned by sixths. One unit is a pixel at scale 1.

import { hexOf, keyOf, rounded, turned } from './hexes.js';

/** @typedef {import('./hexes.js').Hex} Hex */
/** @typedef {{x: number, y: number}} Point */

export const SIZE = 40; // centre to corner, before the squash
export const SQUASH = 0.72; // how flat the ground looks
export const RISE = 13; // height of one level
export const HALF = (SIZE * Math.sqrt(3)) / 2; // half of a hex's width
const ROW = SIZE * 1.5 * SQUASH; // from one row of hexes to the next
const CORNER = SIZE * SQUASH; // centre to the upper corner, after the squash

/** A number short enough for a path. @param {number} value */
export const fixed = (value) => Math.round(value * 10) / 10;

/** @param {Hex} hex @param {number} level @param {number} turn @returns {Point} */
export function pointOf(hex, level, turn) {
  const { q, r } = turned(hex, turn);
  return { x: HALF * (2 * q + r), y: ROW * r - RISE * level };
}

/** What a hex takes up with its wall. @param {Hex} hex @param {number} level @param {number} turn @param {number} [up] how high stands what is on it */
export function boxOf(hex, level, turn, up = 0) {
  const { x, y } = pointOf(hex, level, turn);
  return { left: x - HALF, right: x + HALF, top: y - Math.max(CORNER, up), bottom: y + CORNER + RISE };
}

/** Which hex of the plane at `level` lies under a point. @param {Point} point @param {number} level @param {number} turn @returns {Hex} */
function hexAt(point, level, turn) {
  const r = (point.y + RISE * level) / ROW;
  return turned(rounded(point.x / HALF / 2 - r / 2, r), -turn);
}

/**
 * Which hex one sees at a point: the highest top or wall in front wins.
 * @param {Point} point @param {number} turn @param {(key: string) => number} levelOf 0 for water
 * @returns {Hex}
 */
export function seenAt(point, turn, levelOf) {
  for (let level = 9; level > 0; level--) {
    const hex = hexAt(point, level, turn);
    if (levelOf(keyOf(hex)) === level) return hex;
  }
  const ground = hexAt(point, 0, turn);
  for (let up = 1; up < 3; up++) {
    // a wall: the hex whose foot is a little further down
    const hex = hexAt({ x: point.x, y: point.y }, up, turn);
    if (levelOf(keyOf(hex)) >= up) return hex;
  }
  return ground;
}

/** The plane turned by some sixths, as one sees it, for a style sheet. @param {number} sixths */
export function turnedFlat(sixths) {
  const c = Math.cos((sixths * Math.PI) / 3),
    s = Math.sin((sixths * Math.PI) / 3);
  return `matrix(${c}, ${s * SQUASH}, ${-s / SQUASH}, ${c}, 0, 0)`;
}

/** How far back a hex lies: rows are drawn in this order. @param {string} key @param {number} turn */
export const rowOf = (key, turn) => turned(hexOf(key), turn).r;

/** The corners of a hex's top around its centre, clockwise from the upper one. @param {number} [grow] */
export function corners(grow = 1) {
  const w = HALF * grow,
    h = CORNER * grow;
  return [
    [0, -h],
    [w, -h / 2],
    [w, h / 2],
    [0, h],
    [-w, h / 2],
    [-w, -h / 2],
  ];
}

/** @param {number[][]} points @param {Point} [at] */
export const outline = (points, at = { x: 0, y: 0 }) =>
  `M${points.map(([x, y]) => `${fixed(at.x + x)} ${fixed(at.y + y)}`).join('L')}Z`;

export const TOP = outline(corners());

/** The border of a set of hexes at their own levels, as one path: the edges that have no neighbour in the set, and a line
 * down or up where the level changes on the way.
 * @param {Iterable<string>} keys @param {(key: string) => number} levelOf @param {number} turn @param {number} [grow] */
export function borderOf(keys, levelOf, turn, grow = 1) {
  const around = corners(grow);
  const edges = edgesOf(keys, turn);
  let path = '';
  /** @param {{key: string, from: number}} edge @param {number} end 0 where it begins, 1 where it ends */
  const point = ({ key, from }, end) => {
    const { x, y } = pointOf(hexOf(key), levelOf(key), turn);
    const [dx, dy] = around[(from + end) % 6];
    return `${fixed(x + dx)} ${fixed(y + dy)}`;
  };
  for (const edge of edges.values()) {
    const next = edges.get(edge.to);
    path += `M${point(edge, 0)}L${point(edge, 1)}`;
    if (next && point(next, 0) !== point(edge, 1)) path += `L${point(next, 0)}`;
  }
  return path;
}

/** The edges around a set of hexes by the corner where they begin, going round clockwise. @param {Iterable<string>} keys @param {number} turn */
function edgesOf(keys, turn) {
  const set = new Set(keys);
  /** @type {Map<string, {key: string, from: number, to: string}>} */
  const edges = new Map();
  for (const key of set) {
    const { x, y } = pointOf(hexOf(key), 0, turn);
    const seen = turned(hexOf(key), turn);
    for (let d = 0; d < 6; d++) {
      const [dq, dr] = EDGE_STEPS[d];
      if (set.has(keyOf(turned({ q: seen.q + dq, r: seen.r + dr }, -turn)))) continue;
      const [from, to] = [(d + 1) % 6, (d + 2) % 6];
      const name = (/** @type {number} */ i) => cornerName({ x: x + CORNERS[i][0], y: y + CORNERS[i][1] });
      edges.set(name(from), { key, from, to: name(to) });
    }
  }
  return edges;
}

/** The outline of a set of hexes on the ground, as closed loops: each corner once, so that a wide line along it is cheap.
 * @param {Iterable<string>} keys @param {number} turn */
export function coastOf(keys, turn) {
  const edges = edgesOf(keys, turn);
  let path = '';
  for (const [start] of edges) {
    const points = [];
    for (let at = start, edge = edges.get(at); edge; edge = edges.get(at)) {
      const { x, y } = pointOf(hexOf(edge.key), 0, turn);
      points.push(`${fixed(x + CORNERS[edge.from][0])} ${fixed(y + CORNERS[edge.from][1])}`);
      edges.delete(at);
      at = edge.to;
    }
    path += `M${points.join('L')}Z`;
  }
  return path;
}
const CORNERS = corners();

/** Corners lie on a grid of their own. @param {Point} corner */
const cornerName = ({ x, y }) => `${Math.round(x / HALF)},${Math.round((y * 2) / CORNER)}`;

const EDGE_STEPS = [
  [1, 0],
  [0, 1],
  [-1, 1],
  [-1, 0],
  [0, -1],
  [1, -1],
];
