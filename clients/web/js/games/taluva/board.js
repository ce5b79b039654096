// The board on the screen: the island, and above it an overlay with marks and previews, both seen
// through one camera. They are two drawings, so that moving a tile does not repaint the island.
// Turns pointer positions into hexes.

import { Camera } from './camera.js';
import { el, svg } from '../../dom.js';
import { framed, seesAll } from './frame.js';
import { listen } from './gestures.js';
import { hexOf } from './hexes.js';
import { Island } from './island.js';
import { HALF, pointOf, seenAt, turnedFlat } from './iso.js';

/** @typedef {import('./hexes.js').Hex} Hex */
/** @typedef {import('./hexes.js').Key} Key */
/** @typedef {import('./iso.js').Point} Point */
/** @typedef {import('./camera.js').Box} Box */
/**
 * What somebody does on the board.
 * @typedef {object} Hands
 * @property {(hex: Hex, point: Point, twice: boolean) => void} [tap] `twice`: the second of a double click or double tap
 * @property {(hex: Hex | null, point: Point | null) => void} [hover]
 * @property {(hex: Hex, point: Point) => boolean} [grab]
 * @property {(hex: Hex, point: Point) => void} [drag]
 * @property {() => void} [drop]
 * @property {(steps: number) => boolean} [wheel]
 */

const REST_MS = 160; // how long the camera must rest before the picture is drawn afresh
const SPIN_MS = 220;
const AT_ONCE = 24; // hexes that are drawn in one frame while the view turns
const SURPLUS = 0.2; // of the board's size that is drawn beyond each of its edges, so that it can be dragged in
const NEARBY = 0.05; // of the board's size: what has moved no farther is not drawn afresh
const REVEALED = 50; // pixels around a hex that is revealed
const ASIDE = 8; // and around what is chosen
const SMALL_PX = 40; // hexes that are narrower than this are shown closer, where something is chosen
const CLOSE_PX = 60; // so wide, and on a low board a part of its height, so that there is room for the buttons
const CLOSE_PART = 0.2;
const REACH_PX = 22; // half of what a finger hits
const NARROW_PX = 600; // on a board that is narrower the island may be turned to be seen larger,
const WORTH = 1.15; // by this factor at least
const FINGER_PX = 56; // a dragged tile is shown above the finger

export class Board {
  constructor() {
    this.camera = new Camera();
    this.island = new Island();
    this.under = svg('g');
    this.over = svg('g');
    this.lower = svg('svg', { class: 'layer', 'aria-hidden': 'true', focusable: 'false' }, this.under);
    this.upper = svg('svg', { class: 'layer over', focusable: 'false' }, this.over);
    this.under.append(this.island.root);
    this.element = el('div', { class: 'board island-board', tabindex: 0 }, this.lower, this.upper);
    /** @type {Hands} */
    this.hands = {};
    /** @type {Set<() => void>} called when the view was turned */
    this.turned = new Set();
    /** @type {Set<() => void>} called when the camera or the panels have moved */
    this.moved = new Set();
    this.drawing = false;
    this.resting = 0; // the timer, while the camera does not rest
    this.spinning = 0; // sixths by which the view is being turned
    this.spins = 0; // how often it has been
    this.landed = false; // the island is drawn from its new side, and what lies above it not yet
    this.drawn = this.camera.view;
    /** What lies over the board, in pixels of it. @type {Box[]} */
    this.panels = [];
    this.covered = ''; // the panels, in one string
    this.resized = false; // and the panels have not been measured since
    this.dragging = false; // a tile
    /** The view before what is chosen was shown, and the one that shows it. @type {{from: import('./camera.js').View, to: string} | null} */
    this.attending = null;
    /** Hexes that must be seen besides the island: where the tile may go. @type {Key[]} */
    this.wanted = [];
    this.framed = false;
    this.touched = false;
    this.calmly = false;
    listen(this.element, {
      tap: (p, twice) => this.hands.tap?.(...this.seen(p), twice),
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
      grab: (p) => (this.dragging = this.hands.grab?.(...this.seen(p)) ?? false),
      drag: (p, touch) => this.hands.drag?.(...this.seen(touch ? { x: p.x, y: p.y - FINGER_PX } : p)),
      drop: () => {
        this.dragging = false;
        this.hands.drop?.();
      },
    });
    for (const kind of ['pointerdown', 'keydown']) // what is done then is done to what lies above the island, too
      this.element.addEventListener(kind, () => this.touch(), { capture: true });
    new ResizeObserver(() => this.measure()).observe(this.element);
  }

  touch() {
    this.touched = true;
    if (this.landed) this.finishTurn();
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
    this.resized = true;
    if (first || !camera.held) this.fit();
    else this.redraw();
  }

  /** @param {Box[]} panels that lie over the board, in pixels of it */
  cover(panels) {
    const digest = JSON.stringify(panels);
    if (digest === this.covered) return;
    this.covered = digest;
    this.panels = panels;
    if (this.resized && !this.camera.held) this.fitAtFirst();
    else this.keepInView();
    this.resized = false;
    this.tellMoved();
  }

  /** @param {Key[]} keys hexes that must be seen besides the island */
  want(keys) {
    this.wanted = keys;
    this.keepInView();
  }

  /** What must be seen of it `want` says.
   * @param {import('./island.js').Land} land @param {import('./island.js').ColourBySeat} colours @param {string} zone
   */
  show(land, colours, zone) {
    this.island.show(land, colours, zone, this.camera.turn);
  }

  /** Fits the island again if part of it is out of sight, unless it was moved by hand. */
  keepInView() {
    const { camera } = this;
    if (camera.held || camera.width === 1) return;
    if (!this.framed) this.fitAtFirst();
    else if (!seesAll(this.island.boxes(this.wanted), camera, camera, this.panels)) this.fit();
  }

  /** Fits the island; from the best side, as long as nobody has done anything with it. */
  fitAtFirst() {
    if (this.touched) this.fit();
    else this.fitTurned();
  }

  /** Fits the island, on a narrow board from the side from which it is seen largest. */
  fitTurned() {
    const sixths = this.island.hexes.size ? this.sixthsToFit() : 0;
    if (!sixths) return this.fit();
    this.framed = true;
    this.camera.held = false;
    this.turnNow(sixths);
  }

  /** By how many sixths the view is to be turned for that: only if it is worth it, as long as nobody has touched the board from the north. */
  sixthsToFit() {
    const { camera, island, panels, wanted } = this;
    if (camera.width >= NARROW_PX) return 0;
    const base = this.touched ? camera.turn : 0;
    const sides = [base, (base + 1) % 6, (base + 5) % 6];
    const scales = sides.map((side) => framed(island.boxes(wanted, side), camera, panels).scale);
    const best = Math.max(...scales);
    return sides[best < scales[0] * WORTH ? 0 : scales.indexOf(best)] - camera.turn;
  }

  /** Fits the island: as large as possible with no hex under a panel. */
  fit() {
    this.framed = this.island.hexes.size > 0;
    this.camera.take(framed(this.island.boxes(this.wanted), this.camera, this.panels));
    this.redraw();
  }

  /** @param {number} factor */
  zoom(factor) {
    this.camera.zoom(factor);
    this.draw();
  }

  /**
   * Turns the view: the picture is rotated, or only dimmed if the visitor wants no motion, and then drawn anew, a part in each
   * frame. So there is a reaction at once, however long the drawing takes. @param {number} sixths
   */
  turnBy(sixths) {
    this.touched = true;
    this.finishTurn();
    this.spinning = sixths;
    const spin = ++this.spins;
    this.upper.style.opacity = '0'; // not visibility: then all of it would be styled and painted anew before anything moves
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
      this.lower.style.opacity = '0.5';
      requestAnimationFrame(() => setTimeout(() => this.arrive(spin)));
      return;
    }
    if (JSON.stringify(this.camera.view) !== JSON.stringify(this.drawn)) this.redraw();
    const start = performance.now();
    const swing = () => {
      const done = Math.min(1, (performance.now() - start) / SPIN_MS);
      if (!this.spinning || this.spins !== spin) return;
      const eased = done * done * (3 - 2 * done);
      this.lower.style.transform = turnedFlat(sixths * eased);
      requestAnimationFrame(done < 1 ? swing : () => this.arrive(spin));
    };
    requestAnimationFrame(swing);
  }

  /** The island is drawn from its new side, some hexes in each frame, and shown when all are. @param {number} spin */
  arrive(spin) {
    if (!this.spinning || this.spins !== spin) return;
    const more = this.island.prepare(this.sideAfter(this.spinning), AT_ONCE);
    requestAnimationFrame(() => (more ? this.arrive(spin) : this.land(spin)));
  }

  /** The island is shown from its new side, and what lies above it in the next frame. @param {number} spin */
  land(spin) {
    if (!this.spinning || this.spins !== spin) return;
    this.landed = true;
    this.lower.style.opacity = '';
    this.turnIsland(this.spinning);
    requestAnimationFrame(() => this.spins === spin && this.finishTurn());
  }

  /** @param {number} sixths by which the view is turned */
  sideAfter(sixths) {
    return (this.camera.turn + sixths + 6) % 6;
  }

  finishTurn() {
    const sixths = this.spinning;
    if (!sixths) return;
    for (const { style } of [this.lower, this.upper]) style.opacity = '';
    if (!this.landed) this.turnIsland(sixths);
    this.spinning = 0;
    this.landed = false;
    this.tellTurned();
  }

  /** At once. @param {number} sixths */
  turnNow(sixths) {
    this.turnIsland(sixths);
    this.tellTurned();
  }

  tellTurned() {
    for (const told of this.turned) told();
  }

  /** The hex in the middle stays there. @param {number} sixths */
  turnIsland(sixths) {
    const { camera, island } = this;
    this.leaveAttending();
    const middle = seenAt({ x: camera.x, y: camera.y }, camera.turn, island.levelOf);
    const off = pointOf(middle, 0, camera.turn);
    camera.turn = this.sideAfter(sixths);
    const land = Object.fromEntries([...island.hexes].map(([key, { token }]) => [key, token]));
    island.show({ hexes: land, boats: this.boats() }, island.colours, island.zoneName, camera.turn);
    if (camera.held) {
      const now = pointOf(middle, 0, camera.turn);
      camera.x += now.x - off.x;
      camera.y += now.y - off.y;
      this.redraw();
    } else {
      this.fit();
    }
  }

  boats() {
    return Object.fromEntries([...this.island.boats].map(([key, boat]) => [key, boat.seat]));
  }

  /** Moves the camera so that a hex is seen, as for what is chosen. @param {string} key */
  reveal(key) {
    const { x, y } = pointOf(hexOf(key), this.island.levelOf(key), this.camera.turn);
    this.lean(() => this.camera.reveal(this.wider({ left: x, right: x, top: y, bottom: y }, REVEALED), this.panels));
  }

  /** Moves the camera for a while, unless somebody has moved it: it is where it was when nothing is chosen any more.
   * @param {(free: boolean) => boolean} move whether it did; `free`: nobody holds the camera */
  lean(move) {
    const { camera, asLeft } = this;
    const from = asLeft ? asLeft.from : camera.held ? null : camera.view;
    if (!move(from !== null)) return;
    this.attending = from && { from, to: JSON.stringify(camera.view) };
    this.draw();
  }

  /** @param {Box} part of the drawing @param {number} pixels of the screen that it gets on every side */
  wider({ left, right, top, bottom }, pixels) {
    const by = pixels / this.camera.scale;
    return { left: left - by, right: right + by, top: top - by, bottom: bottom + by };
  }

  /** What is attended to, unless the camera was moved since. */
  get asLeft() {
    const { camera, attending } = this;
    return attending && JSON.stringify(camera.view) === attending.to ? attending : null;
  }

  /** The camera goes back, if it was not moved since. @returns whether it did */
  leaveAttending() {
    const { asLeft } = this;
    if (!asLeft) return false;
    this.attending = null;
    this.camera.take(asLeft.from);
    return true;
  }

  /** How many units of the drawing a finger may miss a place by, and at least `units`. @param {number} units */
  reach(units) {
    return Math.max(units, REACH_PX / this.camera.scale);
  }

  /** Goes closer to what is chosen where hexes are too small for a thumb: it stays where it is on the screen. @param {Box} part of the drawing @returns whether it did */
  approach({ left, right, top, bottom }) {
    const { camera } = this;
    const wide = 2 * HALF * camera.scale;
    if (wide >= SMALL_PX) return false;
    const close = Math.max(SMALL_PX, Math.min(CLOSE_PX, CLOSE_PART * camera.height));
    camera.zoom(close / wide, camera.toScreen({ x: (left + right) / 2, y: (top + bottom) / 2 }));
    return true;
  }

  /** Moves the camera so that what is chosen is seen, and large enough, and back when nothing is. @param {Box | null} part of the drawing */
  attend(part) {
    const { camera } = this;
    if (part) {
      this.lean((free) => {
        const closer = free && this.approach(part);
        return camera.reveal(this.wider(part, ASIDE), this.panels) || closer;
      });
    } else if (this.leaveAttending()) {
      this.keepInView();
      this.draw();
    }
  }

  /** Shows what the camera sees: at once by moving the picture as it is, and drawn afresh when the camera rests and that shows. */
  draw() {
    this.finishTurn();
    clearTimeout(this.resting);
    this.resting = window.setTimeout(() => this.rest(), REST_MS);
    if (this.drawing) return;
    this.drawing = true;
    requestAnimationFrame(() => {
      this.drawing = false;
      if (!this.resting) return; // drawn afresh meanwhile
      const { k, x, y } = this.camera.since(this.drawn);
      if (this.isFar(x, y, SURPLUS) || k < 0.6 || k > 2) return this.redraw();
      this.shift(x, y, k);
      this.tellMoved();
    });
  }

  /** Whether that is more than a part of the board. @param {number} x @param {number} y @param {number} part */
  isFar(x, y, part) {
    return Math.abs(x) > part * this.camera.width || Math.abs(y) > part * this.camera.height;
  }

  /** Moves what is drawn. @param {number} x @param {number} y @param {number} k how much larger it is shown */
  shift(x, y, k) {
    for (const { style } of [this.lower, this.upper]) style.transform = `translate(${x}px, ${y}px) scale(${k})`;
  }

  /** The camera rests. What has only moved a little is as sharp as before, by whole pixels: to draw a large island takes longer than all that a key does. */
  rest() {
    const { k, x, y } = this.camera.since(this.drawn);
    if (k !== 1 || this.drawing || this.isFar(x, y, NEARBY)) return this.redraw();
    this.resting = 0;
    this.shift(Math.round(x), Math.round(y), 1);
  }

  /** Draws again from where the camera is. */
  redraw() {
    clearTimeout(this.resting);
    this.resting = 0;
    const { camera } = this;
    this.drawn = camera.view;
    const transform = camera.transform(camera.width * SURPLUS, camera.height * SURPLUS);
    this.under.setAttribute('transform', transform);
    this.over.setAttribute('transform', transform);
    this.over.style.setProperty('--unit', (1 / camera.scale).toFixed(2)); // so many units are a pixel
    for (const { style } of [this.lower, this.upper]) style.transform = 'none';
    this.tellMoved();
  }

  /** Takes the focus without showing it: until a key is pressed. */
  takeFocus() {
    this.calm(true);
    this.element.focus({ preventScroll: true });
  }

  /** @param {boolean} on the focus is not shown */
  calm(on) {
    this.calmly = on;
    this.element.classList.toggle('calm', on);
  }

  tellMoved() {
    for (const told of this.moved) told();
  }
}
