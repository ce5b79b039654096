// The buttons beside what is chosen: turn, put away, confirm. They lie on the board next to the tile or the building, inside
// the view, and never over the piece or a panel.

import { el, fill } from '../../dom.js';
import { Part } from '../../frames.js';

/** @typedef {import('./camera.js').Box} Box */
/** @typedef {{left: number, top: number}} Place */

const GAP_PX = 8; // between the piece and the buttons
const EDGE_PX = 6; // that stays free at the view's edges

/** @param {Box} a @param {Box} b */
const meet = (a, b) => a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;

/** @param {Box[]} boxes @returns {Box} around all of them */
const around = (boxes) => ({
  left: Math.min(...boxes.map(({ left }) => left)),
  right: Math.max(...boxes.map(({ right }) => right)),
  top: Math.min(...boxes.map(({ top }) => top)),
  bottom: Math.max(...boxes.map(({ bottom }) => bottom)),
});

/** Below, above and at the sides of a box, in this order. @param {Box} box @param {{width: number, height: number}} size @returns {Place[]} */
function beside(box, { width, height }) {
  const x = (box.left + box.right - width) / 2;
  const y = (box.top + box.bottom - height) / 2;
  return [
    { left: x, top: box.bottom + GAP_PX },
    { left: x, top: box.top - GAP_PX - height },
    { left: box.right + GAP_PX, top: y },
    { left: box.left - GAP_PX - width, top: y },
  ];
}

/**
 * Where buttons of a size lie best: near the piece, in the view, over nothing.
 * @param {Box[]} piece its parts @param {{width: number, height: number}} size @param {{width: number, height: number}} view
 * @param {Box[]} panels @returns {Place | null} null: nowhere
 */
export function placeBeside(piece, size, view, panels) {
  const whole = around(piece);
  if (!piece.some((box) => meet(box, { left: 0, top: 0, right: view.width, bottom: view.height }))) return null;
  const middle = { x: (whole.left + whole.right) / 2, y: (whole.top + whole.bottom) / 2 };
  /** @type {Place | null} */
  let best = null;
  let least = Infinity;
  for (const wish of [whole, ...piece].flatMap((box) => beside(box, size))) {
    const left = Math.min(Math.max(wish.left, EDGE_PX), view.width - EDGE_PX - size.width);
    const top = Math.min(Math.max(wish.top, EDGE_PX), view.height - EDGE_PX - size.height);
    const box = { left, top, right: left + size.width, bottom: top + size.height };
    if (left < 0 || top < 0 || [...piece, ...panels].some((other) => meet(box, other))) continue;
    const away = Math.hypot(left + size.width / 2 - middle.x, top + size.height / 2 - middle.y);
    if (away < least - 1) [best, least] = [{ left, top }, away];
  }
  return best;
}

export class AtPiece {
  /** @param {import('./board.js').Board} board @param {string} label */
  constructor(board, label) {
    this.board = board;
    this.element = el('div', { class: 'at-piece', role: 'group', 'aria-label': label, hidden: true });
    /** The parts of the piece, in units of the drawing. @type {Box[]} */
    this.piece = [];
    this.attended = '[]';
    this.buttons = () => /** @type {HTMLElement[]} */ ([]);
    this.part = new Part(() => this.renew());
    /** How large the bar is, by how many buttons it has and how they lie: they are all of one size. @type {Map<string, {width: number, height: number}>} */
    this.sizes = new Map();
    board.element.append(this.element);
    board.moved.add(() => this.settle());
  }

  /**
   * Soon, after what was chosen is painted; at once if there is none, or if a button has the focus, which must not be lost.
   * @param {Box[]} piece empty: there is none @param {() => HTMLElement[]} buttons
   */
  show(piece, buttons) {
    this.piece = piece;
    this.buttons = buttons;
    this.attend();
    if (!piece.length || this.element.contains(document.activeElement)) this.part.now();
    else this.part.ask();
  }

  renew() {
    const had = this.element.contains(document.activeElement);
    fill(this.element, ...this.buttons());
    this.settle();
    if (had && (this.element.hidden || !this.element.contains(document.activeElement))) this.board.element.focus({ preventScroll: true });
  }

  /** Once a choice, but not under a finger that drags the tile: what a panel covers is shown. */
  attend() {
    const { board, piece } = this;
    const where = JSON.stringify(piece);
    if (where === this.attended || board.dragging) return;
    this.attended = where;
    board.attend(piece.length ? around(piece) : null);
  }

  /** Puts the buttons where the piece is now: in a row, or one under the other. */
  settle() {
    const { element, board, piece } = this;
    if (this.part.due || (piece.length && board.spinning)) return; // soon, for what is shown then
    element.hidden = piece.length === 0;
    if (element.hidden) return;
    const { camera, panels } = board;
    const seen = piece.map(({ left, right, top, bottom }) => {
      const [a, b] = [camera.toScreen({ x: left, y: top }), camera.toScreen({ x: right, y: bottom })];
      return { left: a.x, top: a.y, right: b.x, bottom: b.y };
    });
    for (const upright of [false, true]) {
      element.classList.toggle('upright', upright);
      const place = placeBeside(seen, this.size(upright), camera, panels);
      if (!place) continue;
      element.style.transform = `translate(${Math.round(place.left)}px, ${Math.round(place.top)}px)`;
      return;
    }
    element.hidden = true;
  }

  /** Measured once: to measure is to lay out. @param {boolean} upright */
  size(upright) {
    const { element, sizes } = this;
    const known = `${element.childElementCount} ${upright}`;
    const size = sizes.get(known) ?? { width: element.offsetWidth, height: element.offsetHeight };
    sizes.set(known, size);
    return size;
  }
}
