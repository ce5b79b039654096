// The keyboard on the board: a cursor that moves from hex to hex, describes the hex for screen
// readers, and places and builds there. It is seen at once; what is said of the hex is made when that is painted.

import { Part } from '../../frames.js';
import { hexOf, keyOf, step } from './hexes.js';
import { pointOf } from './iso.js';

/** @typedef {import('./hexes.js').Hex} Hex */
/** @typedef {import('./hexes.js').Key} Key */
/**
 * @typedef {object} Keys
 * @property {(key: Key) => string} label what the cursor says at a hex
 * @property {(key: Key) => number | undefined} level of what lies there, if it is not the island's
 * @property {(hex: Hex) => void} moved
 * @property {(hex: Hex) => void} enter
 * @property {(hex: Hex) => void} space
 * @property {(by: number) => Hex | null} next where the next possibility is
 * @property {{[key: string]: () => void}} commands by `KeyboardEvent.key`
 */

export class Cursor {
  /** @param {import('./board.js').Board} board @param {import('./overlay.js').Overlay} overlay @param {Keys} keys */
  constructor(board, overlay, keys) {
    this.board = board;
    this.overlay = overlay;
    this.keys = keys;
    /** @type {Hex} */
    this.hex = { q: 0, r: 0 };
    this.column = 0;
    this.shown = false;
    this.telling = new Part(() => this.tell());
    const { element } = board;
    element.addEventListener('keydown', (event) => this.press(event));
    element.addEventListener('focus', () => {
      if (element.matches('.by-keys :focus-visible') && !board.calmly) this.go(this.hex);
    });
    element.addEventListener('blur', () => {
      board.calm(false);
      this.hide();
    });
    element.addEventListener('pointerdown', () => this.hide());
  }

  hide() {
    this.shown = false;
    this.telling.drop();
    this.overlay.showCursor(null);
    this.board.element.removeAttribute('aria-activedescendant');
  }

  /** Goes there without being shown: something was chosen there otherwise than by keys. @param {Hex} hex */
  follow(hex) {
    if (keyOf(hex) === keyOf(this.hex)) return;
    this.hex = hex;
    this.column = pointOf(hex, 0, this.board.camera.turn).x;
  }

  /** @param {Hex} hex @param {boolean} [keepColumn] */
  go(hex, keepColumn = false) {
    this.hex = hex;
    this.shown = true;
    if (!keepColumn) this.column = pointOf(hex, 0, this.board.camera.turn).x;
    this.board.reveal(keyOf(hex));
    this.draw();
  }

  draw() {
    if (!this.shown) return;
    const key = keyOf(this.hex);
    this.overlay.showCursor(key, this.keys.level(key));
    this.telling.ask();
  }

  /** What a screen reader says there: it looks there when there is something to say. */
  tell() {
    const id = this.overlay.nameCursor(this.keys.label(keyOf(this.hex)));
    this.board.element.setAttribute('aria-activedescendant', id);
  }

  /** A step as one sees it: the view may be turned. @param {number} direction */
  walk(direction) {
    this.go(step(this.hex, direction - this.board.camera.turn));
    this.keys.moved(this.hex);
  }

  /** To the row above or below, in the column where the vertical movement began. @param {number} a @param {number} b the two directions that lead there */
  climb(a, b) {
    const { turn } = this.board.camera;
    const [left, right] = [step(this.hex, a - turn), step(this.hex, b - turn)];
    const off = (/** @type {Hex} */ hex) => Math.abs(pointOf(hex, 0, turn).x - this.column);
    this.go(off(left) <= off(right) ? left : right, true);
    this.keys.moved(this.hex);
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    if (event.target !== this.board.element || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = this.actions()[event.key] ?? this.keys.commands[event.key];
    if (!act) return;
    event.preventDefault();
    this.board.calm(false);
    act();
    this.draw();
  }

  /** @returns {{[key: string]: () => void}} */
  actions() {
    return {
      ArrowRight: () => this.walk(0),
      ArrowLeft: () => this.walk(3),
      ArrowUp: () => this.climb(4, 5),
      ArrowDown: () => this.climb(2, 1),
      Enter: () => this.keys.enter(this.hex),
      ' ': () => this.keys.space(this.hex),
      n: () => this.jump(1),
      p: () => this.jump(-1),
      Home: () => this.go(hexOf('0,0')),
    };
  }

  /** @param {number} by */
  jump(by) {
    const hex = this.keys.next(by);
    if (hex) this.go(hex);
  }
}
