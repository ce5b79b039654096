// Geometry of the hex grid: neighbours, turning, regions. Without drawing and without rules.
// Axial (q, r), pointy-top; directions clockwise from east: 0 E, 1 SE, 2 SW, 3 W, 4 NW, 5 NE.

/** @typedef {{q: number, r: number}} Hex */
/** @typedef {string} Key a hex as text, "q,r" */

/** @type {ReadonlyArray<readonly [number, number]>} */
const DIRECTIONS = [
  [1, 0],
  [0, 1],
  [-1, 1],
  [-1, 0],
  [0, -1],
  [1, -1],
];

/** @param {Hex} hex @returns {Key} */
export const keyOf = (hex) => `${hex.q},${hex.r}`;

/** @param {Key} key @returns {Hex} */
export function hexOf(key) {
  const comma = key.indexOf(',');
  return { q: Number(key.slice(0, comma)), r: Number(key.slice(comma + 1)) };
}

/** @param {Hex} hex @param {number} direction @returns {Hex} */
export function step(hex, direction) {
  const [dq, dr] = DIRECTIONS[((direction % 6) + 6) % 6];
  return { q: hex.q + dq, r: hex.r + dr };
}

/** @param {Key} key @returns {Key[]} */
export function neighbours(key) {
  const { q, r } = hexOf(key);
  return DIRECTIONS.map(([dq, dr]) => `${q + dq},${r + dr}`);
}

/** How many steps a hex is from 0,0. @param {Hex} hex */
export const distance = ({ q, r }) => Math.max(Math.abs(q), Math.abs(r), Math.abs(q + r));

/** The grid turned clockwise around 0,0 by `turns` sixths. @param {Hex} hex @param {number} turns @returns {Hex} */
export function turned(hex, turns) {
  let { q, r } = hex;
  for (let i = ((turns % 6) + 6) % 6; i > 0; i--) [q, r] = [-r, q + r];
  return { q, r };
}

/** The hex that contains a point in fractional coordinates. @param {number} q @param {number} r @returns {Hex} */
export function rounded(q, r) {
  const s = -q - r;
  let rq = Math.round(q),
    rr = Math.round(r);
  const rs = Math.round(s);
  const dq = Math.abs(rq - q),
    dr = Math.abs(rr - r),
    ds = Math.abs(rs - s);
  if (dq > dr && dq > ds) rq = -rr - rs;
  else if (dr > ds) rr = -rq - rs;
  return { q: rq + 0, r: rr + 0 };
}

/** The smaller of two hexes, by q and then r. @param {Key} a @param {Key} b @returns {number} */
function compareKeys(a, b) {
  const x = hexOf(a),
    y = hexOf(b);
  return x.q - y.q || x.r - y.r;
}

/**
 * All keys that are connected to `start` through hexes for which `inside` holds.
 * @param {Key} start @param {(key: Key) => boolean} inside @returns {Set<Key>}
 */
export function region(start, inside) {
  /** @type {Set<Key>} */
  const found = new Set();
  if (!inside(start)) return found;
  found.add(start);
  for (const key of found) {
    for (const next of neighbours(key)) if (!found.has(next) && inside(next)) found.add(next);
  }
  return found;
}

/** @typedef {{left: number, right: number, top: number, bottom: number}} Span in q and r */

/** @param {Iterable<Key>} keys @returns {Span | null} */
function spanOf(keys) {
  /** @type {Span | null} */
  let span = null;
  for (const key of keys) {
    const { q, r } = hexOf(key);
    if (!span) span = { left: q, right: q, top: r, bottom: r };
    span.left = Math.min(span.left, q);
    span.right = Math.max(span.right, q);
    span.top = Math.min(span.top, r);
    span.bottom = Math.max(span.bottom, r);
  }
  return span;
}

/**
 * Water that cannot reach the open sea, each lagoon under the name of its smallest hex.
 * @param {(key: Key) => boolean} isLand @param {Key[]} land
 * @returns {Map<Key, Set<Key>>}
 */
export function lagoons(isLand, land) {
  /** @type {Map<Key, Set<Key>>} */
  const found = new Map();
  const span = spanOf(land);
  if (!span) return found;
  /** @param {Key} key */
  const inBox = (key) => {
    const { q, r } = hexOf(key);
    return q >= span.left - 1 && q <= span.right + 1 && r >= span.top - 1 && r <= span.bottom + 1;
  };
  const sea = region(keyOf({ q: span.left - 1, r: span.top - 1 }), (key) => inBox(key) && !isLand(key));
  /** @type {Set<Key>} */
  const seen = new Set();
  for (const key of land) {
    for (const next of neighbours(key)) {
      if (isLand(next) || sea.has(next) || seen.has(next)) continue;
      const water = region(next, (k) => !isLand(k));
      for (const wet of water) seen.add(wet);
      found.set([...water].sort(compareKeys)[0], water);
    }
  }
  return found;
}

/** The hexagonal zone of the board: how far its edges are from 0,0, in hexes. @type {Record<string, number>} */
export const ZONES = { beginner: 6, player: 5, expert: 4 };
