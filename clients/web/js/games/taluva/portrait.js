// The island by itself, as a drawing of its own: for pictures to save, and for those of the rules.

import { svg } from '../../dom.js';
import { coloursOf } from './describe.js';
import { Island } from './island.js';

/** @typedef {{left: number, top: number, width: number, height: number}} Frame */

/** A frame around an island. @param {Island} island @param {number} edge @returns {Frame} */
export function frameOf(island, edge) {
  const boxes = island.boxes();
  const [left, top] = [Math.min(...boxes.map((box) => box.left)) - edge, Math.min(...boxes.map((box) => box.top)) - edge];
  const width = Math.max(...boxes.map(({ right }) => right)) + edge - left;
  const height = Math.max(...boxes.map(({ bottom }) => bottom)) + edge - top;
  return { left, top, width, height };
}

/** The island of a table in its sea. @param {import('../game.js').Message} state */
export function portrait(state) {
  const island = new Island();
  island.show(state.table ?? {}, coloursOf(state), state.options?.zone);
  const { left, top, width, height } = frameOf(island, 40);
  const sea = svg('rect', { class: 'portrait-sea', x: left, y: top, width, height });
  return svg('svg', { viewBox: `${left} ${top} ${width} ${height}` }, sea, island.root);
}
