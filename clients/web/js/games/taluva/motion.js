// A move is seen happening: a tile drops, huts rise one after the other, an eruption crushes what it covers and shakes the
// island. It is drawn above the island, which has changed already, so nothing waits for it; any input ends it.

import { svg } from '../../dom.js';
import { hexOf } from './hexes.js';
import { building, drawHex } from './island.js';
import { fixed, pointOf, rowOf } from './iso.js';

/** @typedef {import('./hexes.js').Key} Key */
/** @typedef {import('./notation.js').Cell} Cell */
/** What lay on the island. @typedef {{hexes: Map<Key, Cell>, boats: Set<Key>}} Before */

const DROP_MS = 260,
  RISE_MS = 220,
  CRUSH_MS = 200,
  SHAKE_MS = 180;
export const APART_MS = 150, // from the first building that rises to the last
  LAND_MS = 210; // when a dropping tile hits
const TILE_MOST = 3,
  BUILT_MOST = 12; // what changes more is no single move
const HEIGHT = { mine: 16, others: 78 }; // a tile of one's own was seen lying there before

export const still = window.matchMedia('(prefers-reduced-motion: reduce)');
const bare = (/** @type {Cell} */ cell) => ({ ...cell, seat: -1, kind: /** @type {''} */ (''), count: 0 });

export class Motion {
  /** @param {import('./board.js').Board} board @param {Node} below what is drawn above it */
  constructor(board, below) {
    this.board = board;
    this.group = svg('g', { class: 'motion' });
    board.over.insertBefore(this.group, below);
    /** @type {SVGGElement[]} the island's hexes that are hidden meanwhile */
    this.hidden = [];
    /** @type {Animation[]} */
    this.running = [];
    for (const kind of ['pointerdown', 'keydown', 'wheel'])
      board.element.addEventListener(kind, () => this.finish(), { capture: true, passive: true });
    board.turned.add(() => this.finish());
  }

  /** What lies on the island before it changes; null: no motion is wanted, or there is nothing yet. */
  before() {
    const { hexes, boats } = this.board.island;
    if (still.matches || !hexes.size) return null;
    return { hexes: new Map([...hexes].map(([key, { cell }]) => [key, cell])), boats: new Set(boats.keys()) };
  }

  /** Shows what has changed, if it can be one turn. @param {Before | null} before @param {boolean} mine who has moved sees the result before */
  play(before, mine) {
    const { island } = this.board;
    if (!before) return;
    const old = before.hexes;
    /** @type {Key[]} */
    const laid = [];
    /** @type {Key[]} */
    const built = [];
    for (const [key, cell] of old) if (island.levelOf(key) < cell.level) return; // taken back
    for (const [key, { cell }] of island.hexes) {
      const was = old.get(key);
      const rose = !was || cell.level > was.level;
      if (rose) laid.push(key);
      if (cell.kind && (rose || !was?.kind)) built.push(key);
    }
    const boats = [...island.boats].filter(([key]) => !before.boats.has(key));
    if (!laid.length && !built.length && !boats.length) return;
    this.finish();
    if (laid.length > TILE_MOST || built.length > BUILT_MOST || boats.length > 1) return;
    const inRows = (/** @type {Key} */ a, /** @type {Key} */ b) => rowOf(a, island.turn) - rowOf(b, island.turn);
    laid.sort(inRows);
    built.sort(inRows);
    const buried = laid.filter((key) => old.has(key));
    for (const key of buried) this.ground(key, /** @type {Cell} */ (old.get(key)));
    for (const key of buried) this.crush(key, /** @type {Cell} */ (old.get(key)));
    if (laid.length) this.drop(laid, mine ? HEIGHT.mine : HEIGHT.others);
    for (const key of built) if (!laid.includes(key)) this.ground(key, /** @type {Cell} */ (island.cell(key)));
    built.forEach((key, i) => this.rise(key, (laid.length ? LAND_MS : 0) + (APART_MS * i) / Math.max(1, built.length - 1)));
    for (const [, { element }] of boats) this.sail(element, laid.length ? LAND_MS : 0);
    if (buried.length) this.shake();
    this.hide([...new Set([...laid, ...built])]);
    void Promise.allSettled(this.running.map(({ finished }) => finished)).then(() => this.running.every(({ playState }) => playState === 'finished') && this.finish());
  }

  /** @param {Element} target @param {Keyframe[]} frames @param {number} duration in ms @param {number} [delay] @param {string} [easing] */
  animate(target, frames, duration, delay = 0, easing = 'ease-out') {
    this.running.push(target.animate(frames, { duration, delay, easing, fill: 'both' }));
  }

  /** @param {Key[]} keys */
  hide(keys) {
    for (const key of keys) {
      const element = this.board.island.hexes.get(key)?.element;
      if (!element) continue;
      element.style.visibility = 'hidden';
      this.hidden.push(element);
    }
  }

  /** A hex without what stands on it. @param {Key} key @param {Cell} cell */
  hex(key, cell) {
    const { island } = this.board;
    const [right, left] = island.inFront(key).map(island.levelOf);
    return drawHex(key, bare(cell), island.turn, '', left, right);
  }

  /** @param {Key} key @param {Cell} cell */
  ground(key, cell) {
    this.group.append(this.hex(key, cell));
  }

  /** Something that stands on a hex, in a group that can be moved. @param {Key} key @param {Cell} cell */
  piece(key, cell) {
    const { island } = this.board;
    const colour = island.colours[cell.seat] ?? '';
    const { x, y } = pointOf(hexOf(key), cell.level, island.turn);
    const inner = svg('g', { class: 'rising' }, ...building(cell, colour));
    this.group.append(svg('g', { class: `hex p-${colour}`, transform: `translate(${fixed(x)} ${fixed(y)})` }, inner));
    return inner;
  }

  /** @param {Key} key @param {Cell} was */
  crush(key, was) {
    if (!was.kind) return;
    this.animate(this.piece(key, was), [{ scale: '1 1' }, { scale: '1.1 0.15', opacity: 0.3 }], CRUSH_MS, LAND_MS - CRUSH_MS, 'ease-in');
  }

  /** @param {Key[]} keys @param {number} height */
  drop(keys, height) {
    const { island } = this.board;
    const tile = svg('g', { class: 'dropping' }, ...keys.map((key) => this.hex(key, /** @type {Cell} */ (island.cell(key)))));
    this.group.append(tile);
    this.animate(
      tile,
      [
        { translate: `0 ${-height}px`, opacity: height > 40 ? 0.2 : 1 },
        { opacity: 1, offset: 0.35 },
        { translate: '0 0', offset: LAND_MS / DROP_MS, easing: 'ease-out' },
        { translate: '0 -2px', offset: 0.9 },
        { translate: '0 0', opacity: 1 },
      ],
      DROP_MS,
      0,
      'ease-in',
    );
  }

  /** @param {Key} key @param {number} delay */
  rise(key, delay) {
    const cell = /** @type {Cell} */ (this.board.island.cell(key));
    this.animate(
      this.piece(key, cell),
      [{ scale: '0.9 0', opacity: 0 }, { scale: '1 1.12', opacity: 1, offset: 0.75 }, { scale: '1 1', opacity: 1 }],
      RISE_MS,
      delay,
    );
  }

  /** A boat comes in. @param {SVGElement} boat @param {number} delay */
  sail(boat, delay) {
    const [away, here] = [{ translate: '-14px -10px', opacity: 0 }, { translate: '0 0', opacity: 1 }];
    this.animate(boat, [away, { ...here, translate: '0 2px', offset: 0.75 }, here], DROP_MS, delay);
  }

  shake() {
    const frames = [0, -4, 3, -2, 1, 0].map((x, i) => ({ translate: `${x}px ${i % 2 ? 2 : 0}px` }));
    for (const layer of [this.board.lower, this.board.upper]) this.animate(layer, frames, SHAKE_MS, LAND_MS, 'linear');
  }

  /** Ends it at once: the island is seen as it is. */
  finish() {
    for (const animation of this.running.splice(0)) animation.cancel();
    for (const element of this.hidden.splice(0)) element.style.visibility = '';
    if (this.group.firstChild) this.group.replaceChildren();
  }
}
