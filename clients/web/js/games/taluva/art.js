// The drawings: terrains, volcanoes, pieces and marks. Everything is drawn around the centre of a
// hex's top (or the foot of a piece); colours come from the style sheets. A drawing is parsed once
// and then copied.

import { svg } from '../../dom.js';
import { corners, fixed, HALF, outline, SIZE, SQUASH } from './iso.js';

export const COLOURS = ['red', 'white', 'yellow', 'brown', 'black'];

/** A path of absolute M, C, L and Z, moved and scaled. @param {string} path @param {number} x @param {number} y @param {number} [scale] */
function moved(path, x, y, scale = 1) {
  let horizontal = false;
  return path.replace(/[MCLZ]|-?[\d.]+/g, (word) => {
    if (/[MCLZ]/.test(word)) return word;
    horizontal = !horizontal;
    return `${fixed(Number(word) * scale + (horizontal ? x : y))} `;
  });
}

/** @param {number} x @param {number} y @param {number} w @param {number} h */
const oval = (x, y, w, h) => `M${fixed(x - w)} ${y}a${w} ${h} 0 1 0 ${2 * w} 0a${w} ${h} 0 1 0 ${-2 * w} 0Z`;

/** @param {string} name @param {string} d */
const path = (name, d) => `<path class="${name}" d="${d}"/>`;

/** Spots of a colour. @param {string} name @param {string} at x and y of each, separated by blanks */
const dots = (name, at) => path(name, at.replace(/(\S+) (\S+) ?/g, 'M$1 $2h.01'));

const CROWN = 'M-9-5C-10-10-6-13-4-13C-3-17 4-17 5-13C9-13 11-8 8-4C6 0-7 0-9-5Z';
const GLEAM = 'M-6.5-7C-7-10-4-12-2.5-11.5C-1-15 3-14.5 3.5-12C1-12-1-10-1.5-8C-3-9-5.5-9-6.5-7Z';

/** Trees, those in the back first; in one piece, so that a jungle costs little. @param {number[][]} trees x, y, size */
function wood(trees) {
  const shade = trees.map(([x, y, s]) => oval(x + 1, y + 3, fixed(9.5 * s), fixed(4.6 * s))).join('');
  const crowns = (/** @type {string} */ shape) => trees.map(([x, y, s]) => moved(shape, x, y, s)).join('');
  return path('shade', shade) + path('j-dark', crowns(CROWN)) + path('j-light', crowns(GLEAM));
}

/** Crags: lit and shaded faces. @param {number[][]} crags x, y, width, height */
function crags(crags) {
  const lit = crags.map(
    ([x, y, w, h]) =>
      `M${x - w} ${y}L${fixed(x - w * 0.45)} ${fixed(y - h * 0.72)}L${fixed(x - w * 0.05)} ${y - h}L${fixed(x + w * 0.1)} ${fixed(y + w * 0.32)}Z`,
  );
  const dim = crags.map(
    ([x, y, w, h]) =>
      `M${fixed(x - w * 0.05)} ${y - h}L${fixed(x + w * 0.55)} ${fixed(y - h * 0.6)}L${x + w} ${y}L${fixed(x + w * 0.1)} ${fixed(y + w * 0.32)}Z`,
  );
  return path('r-light', lit.join('')) + path('r-dark', dim.join(''));
}

const GRASS =
  'M-19-6l-2-5m2 5l0-6.5m0 6.5l2-5M8-15l-2-5m2 5l0-6.5m0 6.5l2-5M20 2l-2-5m2 5l0-6.5m0 6.5l2-5' +
  'M-4 6l-2-5m2 5l0-6.5m0 6.5l2-5M-16 12l-2-4.5m2 4.5l0-6m0 6l2-4.5M12 17l-2-5m2 5l0-6.5m0 6.5l2-5';
const GRASS_SPARSE =
  'M-20-8l-2-5m2 5l0-6.5m0 6.5l2-5M10-17l-2-5m2 5l0-6.5m0 6.5l2-5M27 1l-2-4m2 4l0-5m0 5l2-4M-27 4l-2-4m2 4l0-5m0 5l2-4';

const LAKE = 'M-25-5C-24-13-13-19-2-19C10-20 22-15 25-7C28 1 23 13 12 17C4 20-11 20-19 14C-26 9-26 1-25-5Z';
const WATER = path('l-shore', LAKE) + path('l-water', LAKE);

/** Terrains: `full` for an empty hex, `sparse` around a building. @type {{[name: string]: string}} */
const GROUNDS = {
  'full-J': wood([
    [-8, -16, 0.9],
    [11, -14, 1],
    [-21, -5, 0.95],
    [1, -5, 1.1],
    [24, -3, 0.85],
    [-12, 7, 1],
    [15, 8, 1.05],
    [0, 17, 0.9],
  ]),
  'sparse-J': wood([
    [-14, -14, 0.8],
    [12, -16, 0.8],
    [-26, -2, 0.75],
    [27, -2, 0.75],
  ]),
  'full-C':
    path(
      'c-patch',
      'M-26-2C-20-9-6-8-3-3C0 3-14 7-21 5C-25 4-28 1-26-2ZM4 8C9 3 22 4 24 8C25 13 14 17 8 15C4 14 2 11 4 8Z',
    ) +
    path('c-grass', GRASS) +
    dots('c-flower', '-9 -12 21 -9 -24 3 3 14') +
    dots('c-petal', '-1 -17 14 -2 -9 15'),
  'sparse-C': path('c-grass', GRASS_SPARSE),
  'full-S':
    path(
      's-dune',
      'M-28-4C-20-11-12-11-5-5C1 0 7 0 13-5C18-9 24-9 28-6M-20 9C-14 4-8 4-2 8C4 12 10 12 17 8C20 6 24 6 26 7M-10-17C-5-20 2-20 8-16',
    ) +
    path('s-shade', 'M-26-2C-19-8-12-8-6-3C-13-5-19-5-26-2ZM-18 11C-13 7-8 7-3 10C-9 9-13 9-18 11Z') +
    dots('s-dot', '-15 1 6 -11 20 1 -3 18 11 16 -24 6 0 2 17 -12'),
  'sparse-S': path('s-dune', 'M-30-3C-25-9-19-11-13-9M12-14C18-13 25-9 29-4M-10-20C-5-22 4-22 9-20'),
  'full-R':
    path('r-crack', 'M-28 2L-20 5L-15 13M24-8L18-5M4 21L9 15L18 14M-14-15L-8-18') +
    crags([
      [9, -7, 13, 21],
      [-13, -2, 12, 17],
    ]) +
    crags([
      [22, 7, 8, 11],
      [2, 13, 10, 13],
      [-20, 11, 6, 8],
    ]),
  'sparse-R': crags([
    [-21, -7, 8, 12],
    [21, -8, 8, 12],
    [1, -18, 7, 9],
  ]),
  'full-L':
    WATER +
    path('l-wave', 'M-17-6q4-4 8 0t8 0M3 1q4-4 8 0t8 0M-15 7q4-4 8 0t8 0M-4-13q3-3 6 0t6 0') +
    path('l-reed', 'M24-6l0-9m-3 11l-1-7m7 5l2-6M-24 10l0-8m-3 7l-1-5'),
  'sparse-L': WATER + path('l-wave', 'M-17-9q4-4 8 0M10-10q4-4 8 0M-22 6q3-3 6 0M14 9q3-3 6 0'),
};

/** The lava that shows which way a volcano faces: to the corner between its fields, or to a 2-Hex tile's other hex. */
function lava(/** @type {number} */ facing, /** @type {boolean} */ small) {
  const angle = ((facing * 60 + (small ? 0 : 30)) * Math.PI) / 180;
  const reach = small ? HALF : SIZE;
  const dx = Math.cos(angle),
    dy = Math.sin(angle);
  const end = { x: dx * (reach - 4), y: dy * (reach - 4) * SQUASH };
  const mouth = { x: dx * 6.5, y: -13.8 + dy * 3.6 };
  const foot = { x: dx * 21, y: 1 + dy * 15 };
  const side = { x: -dy, y: dx * SQUASH };
  /** @param {{x: number, y: number}} p @param {number} w */
  const at = (p, w) => `${fixed(p.x + side.x * w)} ${fixed(p.y + side.y * w)}`;
  const body = (/** @type {number} */ w) =>
    `M${at(mouth, -2 * w)}Q${at({ x: (mouth.x + foot.x) / 2, y: (mouth.y + foot.y) / 2 }, -1.5 * w)} ${at(foot, -3 * w)}` +
    `L${at(end, -4.8 * w)}L${fixed(end.x + dx * 4)} ${fixed(end.y + dy * 4 * SQUASH)}L${at(end, 4.8 * w)}L${at(foot, 3 * w)}` +
    `Q${at({ x: (mouth.x + foot.x) / 2, y: (mouth.y + foot.y) / 2 }, 1.5 * w)} ${at(mouth, 2 * w)}Z`;
  return `<path class="v-flow" d="${body(1)}"/><path class="v-core" d="${body(0.4)}"/>`;
}

/** Volcanoes, and the pieces in the colour of their owner. @type {{[name: string]: string}} */
const THINGS = {
  cone: `<path class="v-dark" d="M-27 3C-23-2-15-8-10.5-14.5A10.5 6.5 0 0 1 10.5-14.5C15-8 23-2 27 3C25 12 12 17.5 0 17.5C-12 17.5-25 12-27 3Z"/>
  <path class="v-light" d="M-27 3C-23-2-15-8-10.5-14.5L-6-9.5C-8-3-11 5-12 15.5C-20 13-26 8-27 3Z"/>
  <path class="v-ridge" d="M-1-7.5C-2 1-2 9-3.5 17M6-8.5C9-1 13 6 15 13.5"/>
  <ellipse class="v-rim" cx="0" cy="-14.5" rx="10.5" ry="6.5"/>
  <ellipse class="v-lava" cx="0" cy="-13.7" rx="7.6" ry="4.4"/>
  <ellipse class="v-core" cx="0" cy="-13.2" rx="4" ry="2.2"/>`,
  temple: `<ellipse class="shade" cx="2" cy="3" rx="25" ry="10"/>
  <path class="own-d edge" d="M-20-2L-1 8V1L-20-9Z"/><path class="own-m edge" d="M20-3L-1 8V1L20-10Z"/>
  <path class="own-d edge" d="M-14-7L-1 0V-9L-14-16Z"/><path class="own-m edge" d="M14-8L-1 0V-9L14-17Z"/>
  <path class="door" d="M3.5-2.4V-9L8.5-11.7V-5.1Z"/>
  <path class="own-m edge" d="M-27-21C-18-18-9-13-1-5L-1-30C-9-30-19-27-27-21Z"/>
  <path class="own-l edge" d="M27-22C18-19 8-14-1-5L-1-30C8-31 19-28 27-22Z"/>
  <path class="gold" d="M-2.5-29.5H.5L1-35L-1-40L-3-35Z"/>`,
  tower: `<ellipse class="shade" cx="2" cy="2" rx="14" ry="7"/>
  <path class="own-d edge" d="M-10 0V-33H0V5.5C-5 5.5-10 3-10 0Z"/><path class="own-m edge" d="M10 0V-33H0V5.5C5 5.5 10 3 10 0Z"/>
  <path class="course" d="M-10-9C-7-5.5 7-5.5 10-9M-10-20C-7-16.5 7-16.5 10-20"/>
  <path class="door" d="M2 4.8V-3.5C3-6 6-6.8 7-4.5V2.6Z"/>
  <path class="own-l edge" d="M-13-34V-42H-8V-38.5H-2.5V-42H2.5V-38.5H8V-42H13V-34C11-29.5-11-29.5-13-34Z"/>`,
  boat: `<ellipse class="shade" cx="0" cy="4" rx="23" ry="7"/>
  <path class="own-d edge" d="M-22-4C-18 8 18 8 22-5C14-1-13-1-22-4Z"/><path class="mast" d="M0-2V-36"/>
  <path class="own-l edge" d="M2-35C14-26 17-14 15-6L2-4Z"/><path class="own-m edge" d="M-2-31C-10-24-13-14-13-6L-2-4Z"/>`,
};

// A sign for every colour, so that owners can be told apart without seeing colours.
/** @type {Record<string, string>} */
const SIGNS = {
  red: 'M0-6.2A6.2 6.2 0 1 1 0 6.2A6.2 6.2 0 1 1 0-6.2Z',
  white: 'M0-7.4L7.4 0L0 7.4L-7.4 0Z',
  yellow: 'M0-7.2L7.4 5.6H-7.4Z',
  brown: 'M-5.7-5.7H5.7V5.7H-5.7Z',
  black: 'M0-7.8L2.3-2.7L7.6-2.3L3.6 1.3L4.9 6.6L0 3.8L-4.9 6.6L-3.6 1.3L-7.6-2.3L-2.3-2.7Z',
};

export const RIM = outline(corners(0.86));
/** The band of colour around what somebody has built. */
export const RING = outline(corners(0.95)) + outline(corners(0.83));

// Where the huts of one hex stand, back to front, and how large they are.
const HUTS = [
  [[0, 5]],
  [
    [-12, 0],
    [12, 6],
  ],
  [
    [1, -5],
    [-14, 5],
    [14, 7],
  ],
  [
    [0, -8],
    [-16, 1],
    [16, 1],
    [0, 10],
  ],
  [
    [-8, -8],
    [10, -8],
    [-18, 4],
    [1, 5],
    [19, 5],
  ],
  [
    [-8, -9],
    [10, -9],
    [-19, 2],
    [0, 2],
    [19, 2],
    [1, 13],
  ],
];
const HUT_SIZES = [1.25, 1.05, 0.95, 0.84, 0.84, 0.84];
/** More huts than this on one hex are written as a number. */
export const HUTS_DRAWN = HUTS.length;

/** @param {number} count of huts on one hex */
function village(count) {
  const size = HUT_SIZES[count - 1];
  const places = HUTS[count - 1];
  const shade = places.map(([x, y]) => oval(x + 1.5 * size, y + 1.5 * size, fixed(12 * size), fixed(5.8 * size)));
  const hut = (/** @type {number[]} */ [x, y]) => HUT.map(([name, d]) => path(name, moved(d, x, y, size))).join('');
  return path('shade', shade.join('')) + places.map(hut).join('');
}
// Walls and roof, seen from a corner: the dark wall; the other wall with the roof's left side; the door; the right side.
const HUT = [
  ['own-d', 'M-8.5-1L0 3.6L0-3.5L-8.5-7Z'],
  ['own-m edge', 'M8.5-1L0 3.6L0-3.5L8.5-7ZM-11-5.6L0 .3L0-17.5Z'],
  ['door', 'M2.7 2.1L2.7-2.2L5.7-3.7L5.7 .5Z'],
  ['own-l edge', 'M11-5.6L0 .3L0-17.5Z'],
];

/** @type {Map<string, DocumentFragment>} */
const parsed = new Map();

/** @param {string} name */
function markup(name) {
  const [, kind, number] = /^(lava-b|lava-s|huts-)(\d)$/.exec(name) ?? [];
  if (kind === 'huts-') return village(Number(number));
  return GROUNDS[name] ?? THINGS[name] ?? lava(Number(number), kind === 'lava-s');
}

/** @param {string} name */
function parse(name) {
  const { documentElement } = new DOMParser().parseFromString(
    `<g xmlns="http://www.w3.org/2000/svg">${markup(name)}</g>`,
    'image/svg+xml',
  );
  const drawing = document.createDocumentFragment();
  drawing.append(...documentElement.children);
  parsed.set(name, drawing);
  return drawing;
}

/** A copy of a drawing. @param {string} name @param {string} [transform] */
export function stamp(name, transform) {
  const copy = (parsed.get(name) ?? parse(name)).cloneNode(true);
  return transform ? svg('g', { transform }, copy) : copy;
}

/** The sign of a colour. @param {string} colour @param {string} [transform] */
export const mark = (colour, transform = '') =>
  svg('path', { class: 'mark', d: SIGNS[colour] ?? '', transform: transform || null });
