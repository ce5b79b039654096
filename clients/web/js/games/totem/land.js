// The land on which the village stands: an island with its shore, the ways between the quarters, and what grows where nobody lives.
// Shapes only, and always the same ones for the same room: nothing of it is true or false.

import { svg } from '../../dom.js';
import { plant } from './art.js';

/** @typedef {import('./layout.js').Area} Area */
/** @typedef {{x: number, y: number}} Point */

const SHORE = 56, // pixels of the island around the village, at most
  BEYOND = 44, // pixels by which it goes on outside of a picture that has no room for a shore
  ROOM_LEAST = 22; // pixels beside the village, below which there is none
const CORNERS = 5, // how square the island is; 2 is an oval
  POINTS = 48;
const PLANTS_MOST = 40,
  APART = 30; // pixels between plants

/** @param {number} value */
const fixed = (value) => Math.round(value * 10) / 10;

/** Where the island lies: around the village, as far as the picture has room. @param {Area} village @param {number} width @param {number} height of the picture @returns {Area} */
export function islandOf(village, width, height) {
  const grow = (/** @type {number} */ room) => (room < ROOM_LEAST ? BEYOND : Math.min(SHORE, room - 8));
  const left = grow(village.x),
    top = grow(village.y);
  return {
    x: village.x - left,
    y: village.y - top,
    width: village.width + left + grow(width - village.x - village.width),
    height: village.height + top + grow(height - village.y - village.height),
  };
}

/** A rounded rectangle whose edge is not quite straight. @param {Area} area @param {number} wave pixels @param {number} corners @param {number} [inset] */
export function blob({ x, y, width, height }, wave, corners, inset = 0) {
  const [rx, ry] = [Math.max(1, width / 2 - inset), Math.max(1, height / 2 - inset)];
  const bent = (/** @type {number} */ share) => Math.sign(share) * Math.abs(share) ** (2 / corners);
  const points = Array.from({ length: POINTS }, (_, i) => {
    const turn = (2 * Math.PI * i) / POINTS;
    const off = wave * (0.6 * Math.sin(3 * turn + width) + 0.4 * Math.sin(7 * turn + height));
    return { x: x + width / 2 + bent(Math.cos(turn)) * (rx + off), y: y + height / 2 + bent(Math.sin(turn)) * (ry + off) };
  });
  const between = (/** @type {number} */ i) => {
    const [a, b] = [points[i % POINTS], points[(i + 1) % POINTS]];
    return `${fixed((a.x + b.x) / 2)} ${fixed((a.y + b.y) / 2)}`;
  };
  return `M${between(0)}${points.map((_, i) => `Q${fixed(points[(i + 1) % POINTS].x)} ${fixed(points[(i + 1) % POINTS].y)} ${between(i + 1)}`).join('')}Z`;
}

/** The island with its shore. @param {Area} area */
export function island(area) {
  const coast = blob(area, 7, CORNERS);
  return svg(
    'g',
    { class: 'land' },
    ...['deep', 'shallow', 'foam', 'sand'].map((name) => svg('path', { class: `coast-${name}`, d: coast })),
    svg('path', { class: 'meadow', d: blob(area, 7, CORNERS, 13) }),
    svg('path', { class: 'meadow-light', d: blob(area, 12, 3, Math.min(area.width, area.height) * 0.16) }),
  );
}

/** Trodden ways from the middle to where people live. @param {Point[]} ends @param {Point} middle */
export const ways = (ends, middle) =>
  svg('path', {
    class: 'way',
    d: ends.map(({ x, y }) => `M${fixed(middle.x)} ${fixed(middle.y)}Q${fixed(x)} ${fixed(middle.y)} ${fixed(x)} ${fixed(y)}`).join(''),
  });

/** Numbers between 0 and 1 that look as if by chance. @param {number} seed */
function* chance(seed) {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    yield state / 0x80000000;
  }
}

/** @param {Point} point @param {Area} area @param {number} edge */
const inside = ({ x, y }, area, edge) =>
  x > area.x - edge && x < area.x + area.width + edge && y > area.y - edge && y < area.y + area.height + edge;

/**
 * Where something grows: on the island, but not where people live.
 * @param {Area} land @param {Area[]} taken @returns {Point[]} those further back first
 */
export function wilds(land, taken) {
  const random = chance(Math.round(land.width * 31 + land.height));
  const next = () => Number(random.next().value);
  /** @type {Point[]} */
  const found = [];
  for (let tries = 0; tries < 500 && found.length < PLANTS_MOST; tries++) {
    const at = { x: land.x + next() * land.width, y: land.y + next() * land.height };
    const [dx, dy] = [(2 * (at.x - land.x)) / land.width - 1, (2 * (at.y - land.y)) / land.height - 1];
    const ashore = Math.abs(dx) ** CORNERS + Math.abs(dy) ** CORNERS < 0.78;
    if (!ashore || taken.some((area) => inside(at, area, 7))) continue;
    if (found.every(({ x, y }) => Math.hypot(x - at.x, y - at.y) > APART)) found.push(at);
  }
  return found.sort((a, b) => a.y - b.y);
}

const GROWS = ['palm', 'bush', 'grass', 'palm', 'stones', 'bush', 'grass'];

/** @param {Point[]} points @param {Area[]} taken */
export const greenery = (points, taken) =>
  svg(
    'g',
    { class: 'greenery' },
    ...points.map((at, i) => {
      const high = taken.some((area) => inside({ x: at.x, y: at.y - 30 }, area, 10)); // it would stand before what people look at
      const name = GROWS[i % GROWS.length];
      const scale = 0.9 + (i % 4) * 0.12;
      return svg('g', { transform: `translate(${fixed(at.x)} ${fixed(at.y)}) scale(${fixed(scale)})` }, plant(high && name === 'palm' ? 'grass' : name));
    }),
  );
