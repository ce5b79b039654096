// The board on the screen: the island below, what is pointed out above, seen through one camera. Two drawings lie on
// each other so that moving a tile repaints no island. Turns pointers into hexes and hands them on.

import { Camera } from './camera.js';
import { el, svg } from './dom.js';
import { listen } from './gestures.js';
import { hexOf } from './hexes.js';
import { Island } from './island.js';
import { pointOf, seenAt, turnedFlat } from './iso.js';

/** @typedef {import('./hexes.js').Hex} Hex */
/** @typedef {import('./iso.js').Point} Point */
/**
 * What somebody does on the board.
 * @typedef {object} Hands
 * @property {(hex: Hex, point: Point) => void} [tap]
 * @property {(hex: Hex | null, point: Point | null) => void} [hover]
 * @property {(hex: Hex, point: Point) => boolean} [grab]
 * @property {(hex: Hex, point: Point) => void} [drag]
 * @property {() => void} [drop]
 * @property {(steps: number) => boolean} [wheel]
 */

const REST_MS = 160; // how long the camera must rest before the picture is drawn afresh
const SPIN_MS = 220;
const SURPLUS = 0.2; // of the board's size that is drawn beyond each of its edges, so that it can be dragged in
const FINGER_PX = 56; // a tile that is dragged by finger is held above it

export class Board {
  constructor() {
    this.camera = new Camera();
    this.island = new Island();
    this.under = svg('g');
    this.over = svg('g');
    this.lower = svg('svg', { class: 'layer', 'aria-hidden': 'true', focusable: 'false' }, this.under);
    this.upper = svg('svg', { class: 'layer over', focusable: 'false' }, this.over);
    this.under.append(this.island.root);
    this.element = el('div', { class: 'board', tabindex: 0 }, this.lower, this.upper);
    /** @type {Hands} */
    this.hands = {};
    /** @type {Set<() => void>} called when the view was turned */
    this.turned = new Set();
    this.drawing = false;
    this.resting = 0;
    this.spinning = 0; // sixths by which the view is being turned
    this.drawn = this.camera.view;
    this.margin = { left: 0, right: 0, top: 0, bottom: 0 };
    this.corner = { width: 0, height: 0 };
    this.covered = '';
    listen(this.element, {
      tap: (p) => this.hands.tap?.(...this.seen(p)),
      hover: (p) => (p ? this.hands.hover?.(...this.seen(p)) : this.hands.hover?.(null, null)),
      pan: (dx, dy) => {
        this.camera.pan(dx, dy);
        this.draw();
      },
      zoom: (factor, about) => {
        this.camera.zoom(factor, about);
        this.draw();
      },
      wheel: (steps) => this.hands.wheel?.(steps) ?? false,
      grab: (p) => this.hands.grab?.(...this.seen(p)) ?? false,
      drag: (p, touch) => this.hands.drag?.(...this.seen(touch ? { x: p.x, y: p.y - FINGER_PX } : p)),
      drop: () => this.hands.drop?.(),
    });
    new ResizeObserver(() => this.measure()).observe(this.element);
  }

  /** @param {Point} screen @returns {[Hex, Point]} */
  seen(screen) {
    const point = this.camera.toDrawing(screen);
    return [seenAt(point, this.camera.turn, this.island.levelOf), point];
  }

  measure() {
    const { clientWidth, clientHeight } = this.element;
    if (!clientWidth || !clientHeight) return;
    const { camera } = this;
    const first = camera.width === 1;
    camera.width = clientWidth;
    camera.height = clientHeight;
    if (first || !camera.held) this.fit();
    else this.settle();
  }

  /**
   * What panels cover of the board: margins, and the lower right corner, which the island may surround.
   * @param {import('./camera.js').Box} margin @param {{width: number, height: number}} corner
   */
  cover(margin, corner) {
    const digest = JSON.stringify([margin, corner]);
    if (digest === this.covered) return;
    this.covered = digest;
    this.margin = margin;
    this.corner = corner;
    if (!this.camera.held) this.fit();
  }

  /**
   * @param {import('./island.js').Land} land @param {import('./island.js').ColourBySeat} colours @param {string} zone
   */
  show(land, colours, zone) {
    const before = JSON.stringify(this.island.bounds());
    this.island.show(land, colours, zone, this.camera.turn);
    if (!this.camera.held && before !== JSON.stringify(this.island.bounds())) this.fit();
  }

  /** Shows all, as large as it can be without hiding a hex under the panel in the corner. */
  fit() {
    const { camera, margin, corner } = this;
    for (const share of [0.3, 0.5, 0.75, 1]) {
      camera.margin = { ...margin, right: margin.right + share * corner.width };
      camera.fit(this.island.bounds());
      if (!this.hidesSome()) break;
    }
    this.settle();
  }

  hidesSome() {
    const { camera, corner } = this;
    return [...this.island.hexes].some(([key, { cell }]) => {
      const { x, y } = camera.toScreen(pointOf(hexOf(key), cell.level, camera.turn));
      return x > camera.width - corner.width - 10 && y > camera.height - corner.height - 10;
    });
  }

  /** @param {number} factor */
  zoom(factor) {
    const room = this.camera.free();
    this.camera.zoom(factor, { x: room.left + room.width / 2, y: room.top + room.height / 2 });
    this.draw();
  }

  /** Turns the view: the picture swings round, then it is drawn afresh. @param {number} sixths */
  turnBy(sixths) {
    this.finishTurn();
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
      this.turnNow(sixths);
      return;
    }
    if (this.camera.x !== this.drawn.x || this.camera.scale !== this.drawn.scale) this.settle();
    this.spinning = sixths;
    this.upper.style.visibility = 'hidden';
    const start = performance.now();
    const swing = () => {
      const done = (performance.now() - start) / SPIN_MS;
      if (this.spinning !== sixths) return;
      if (done >= 1) {
        this.finishTurn();
        return;
      }
      const eased = done * done * (3 - 2 * done);
      this.lower.style.transform = turnedFlat(sixths * eased);
      requestAnimationFrame(swing);
    };
    requestAnimationFrame(swing);
  }

  finishTurn() {
    const sixths = this.spinning;
    if (!sixths) return;
    this.spinning = 0;
    this.upper.style.visibility = '';
    this.turnNow(sixths);
  }

  /** The hex in the middle stays there. @param {number} sixths */
  turnNow(sixths) {
    const { camera, island } = this;
    const middle = seenAt({ x: camera.x, y: camera.y }, camera.turn, island.levelOf);
    const off = pointOf(middle, 0, camera.turn);
    camera.turn = (camera.turn + sixths + 6) % 6;
    const land = Object.fromEntries([...island.hexes].map(([key, { token }]) => [key, token]));
    island.show({ hexes: land, boats: this.boats() }, island.colours, island.zoneName, camera.turn);
    if (camera.held) {
      const now = pointOf(middle, 0, camera.turn);
      camera.x += now.x - off.x;
      camera.y += now.y - off.y;
      this.settle();
    } else {
      this.fit();
    }
    for (const told of this.turned) told();
  }

  boats() {
    return Object.fromEntries([...this.island.boats].map(([key, boat]) => [key, boat.seat]));
  }

  /** Moves the camera so that a hex is seen. @param {string} key */
  reveal(key) {
    if (this.camera.reveal(pointOf(hexOf(key), this.island.levelOf(key), this.camera.turn))) this.draw();
  }

  /** Shows what the camera sees: at once by moving the picture as it is, and drawn afresh when the camera rests. */
  draw() {
    this.finishTurn();
    clearTimeout(this.resting);
    this.resting = window.setTimeout(() => this.settle(), REST_MS);
    if (this.drawing) return;
    this.drawing = true;
    requestAnimationFrame(() => {
      this.drawing = false;
      const { k, x, y } = this.camera.since(this.drawn);
      const far =
        Math.abs(x) > SURPLUS * this.camera.width || Math.abs(y) > SURPLUS * this.camera.height || k < 0.6 || k > 2;
      if (far) this.settle();
      else for (const { style } of [this.lower, this.upper]) style.transform = `translate(${x}px, ${y}px) scale(${k})`;
    });
  }

  /** Draws afresh from where the camera is. */
  settle() {
    clearTimeout(this.resting);
    const { camera } = this;
    this.drawn = camera.view;
    const transform = camera.transform(camera.width * SURPLUS, camera.height * SURPLUS);
    this.under.setAttribute('transform', transform);
    this.over.setAttribute('transform', transform);
    for (const { style } of [this.lower, this.upper]) style.transform = 'none';
  }
}
