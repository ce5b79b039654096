// The curve of the chances over a match: a line for each seat in its colour, with dashes of its own and its sign at the end, so
// that lines are told apart without colours. Where it is touched, or with the arrow keys, a turn is picked.

import { el, svg } from './dom.js';

const WIDTH = 320,
  HEIGHT = 150;
const LEFT = 38,
  RIGHT = WIDTH - 24,
  TOP = 10,
  BOTTOM = HEIGHT - 20;
const MARK = 14; // the size of a seat's sign
const DASHES = ['', '11 3', '5 2', '11 2 3 2', '4 3'];

/** Where a figure is drawn. @param {number} turns how many there were @param {number} after how many of them were played @param {number} chance per mille */
export function placeOf(turns, after, chance) {
  const x = LEFT + ((RIGHT - LEFT) * after) / Math.max(1, turns);
  const y = BOTTOM - ((BOTTOM - TOP) * chance) / 1000;
  return { x: Math.round(x * 10) / 10, y: Math.round(y * 10) / 10 };
}

/** @param {number[]} chances of one seat over the match @returns {string} a path */
export function pathOf(chances) {
  const points = chances.map((chance, after) => placeOf(chances.length - 1, after, chance));
  return points.map(({ x, y }, i) => `${i ? 'L' : 'M'}${x} ${y}`).join('');
}

/** How many turns were played where the curve is touched. @param {number} turns @param {number} part of its width, 0 to 1 */
export function turnUnder(turns, part) {
  const after = ((part * WIDTH - LEFT) / (RIGHT - LEFT)) * turns;
  return Math.max(0, Math.min(turns, Math.round(after)));
}

/** Where the signs at the ends of the lines go: as high as the line ends, but never one over another. @param {number[]} wanted heights @returns {number[]} */
export function spread(wanted) {
  const order = wanted.map((_, i) => i).sort((a, b) => wanted[a] - wanted[b]);
  const placed = [...wanted];
  order.forEach((at, i) => {
    if (i) placed[at] = Math.max(placed[at], placed[order[i - 1]] + MARK);
  });
  let most = BOTTOM + MARK / 2;
  for (const at of [...order].reverse()) {
    placed[at] = Math.min(placed[at], most);
    most = placed[at] - MARK;
  }
  return placed;
}

/**
 * @typedef {object} Drawn
 * @property {number[][]} chances by seat
 * @property {{after: number, text: string}[]} points what to mark above the curve
 * @property {(seat: number) => string} paint a class that sets `--paint`
 * @property {(seat: number) => Element} mark a seat's sign
 * @property {(chance: number) => string} percent
 */

/** All but where the match is. @param {Drawn} drawn @returns {HTMLElement} */
export function drawCurve({ chances, points, paint, mark, percent }) {
  const turns = chances[0].length - 1;
  const grid = [0, 250, 500, 750, 1000].map((chance) => {
    const { y } = placeOf(turns, 0, chance);
    return svg('path', { class: chance % 500 ? 'grid' : 'grid strong', d: `M${LEFT} ${y}H${RIGHT}` });
  });
  const scale = [0, 500, 1000].map((chance) =>
    svg('text', { class: 'scale', x: LEFT - 4, y: placeOf(turns, 0, chance).y + 4 }, percent(chance)),
  );
  const flags = points.flatMap(({ after, text }) => {
    const { x } = placeOf(turns, after, 0);
    return [
      svg('path', { class: 'flag', d: `M${x} ${TOP}V${BOTTOM}` }),
      svg('text', { class: 'flag-text', x, y: HEIGHT - 5 }, text),
    ];
  });
  const paths = chances.map(pathOf);
  const lines = [
    ...paths.map((d) => svg('path', { class: 'under', d })),
    ...paths.map((d, seat) =>
      svg('path', { class: `line-of ${paint(seat)}`, d, 'stroke-dasharray': DASHES[seat % DASHES.length] }),
    ),
  ];
  const heights = spread(chances.map((own) => placeOf(turns, turns, own[turns]).y));
  const signs = heights.map((y, seat) => {
    const sign = el('span', { class: 'end' }, mark(seat));
    sign.style.top = `${(y / HEIGHT) * 100}%`;
    sign.style.left = `${((RIGHT + 4) / WIDTH) * 100}%`;
    return sign;
  });
  const here = svg('path', { class: 'here', d: '' });
  const viewBox = `0 0 ${WIDTH} ${HEIGHT}`;
  const picture = svg('svg', { viewBox, 'aria-hidden': 'true', focusable: 'false' }, ...grid, ...scale, ...flags, ...lines, here);
  return el('div', { class: 'curve' }, picture, ...signs);
}

/** Shows where the match is. @param {HTMLElement} curve @param {number} turns @param {number} after how many of them were played */
export function showHere(curve, turns, after) {
  const { x } = placeOf(turns, after, 0);
  curve.querySelector('.here')?.setAttribute('d', `M${x} ${TOP - 4}V${BOTTOM + 3}`);
}
