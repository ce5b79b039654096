// Where one looks from: position, scale, and by how many sixths the island is turned. Pure arithmetic.

/** @typedef {import('./iso.js').Point} Point */
/** @typedef {{left: number, right: number, top: number, bottom: number}} Box */

/** @typedef {{x: number, y: number, scale: number}} View */

const SCALE_LEAST = 0.22,
  SCALE_MOST = 3.2,
  SCALE_FIT_MOST = 1.5;

export class Camera {
  constructor() {
    this.x = 0; // the point of the drawing that is in the middle
    this.y = 0;
    this.scale = 1;
    this.turn = 0;
    this.width = 1;
    this.height = 1;
    /** Screen edges that panels cover. @type {Box} */
    this.margin = { left: 0, right: 0, top: 0, bottom: 0 };
    /** Moved by hand since the last fit: then it stays where it was put. */
    this.held = false;
  }

  /** @param {Point} screen @returns {Point} of the drawing */
  toDrawing({ x, y }) {
    return { x: (x - this.width / 2) / this.scale + this.x, y: (y - this.height / 2) / this.scale + this.y };
  }

  /** @param {Point} drawing @returns {Point} of the screen */
  toScreen({ x, y }) {
    return { x: (x - this.x) * this.scale + this.width / 2, y: (y - this.y) * this.scale + this.height / 2 };
  }

  /** @returns {View} */
  get view() {
    return { x: this.x, y: this.y, scale: this.scale };
  }

  /** Where the drawing's origin lies and how large it is: for an SVG group whose own origin is `margin` off the screen's. @param {number} marginX @param {number} marginY */
  transform(marginX, marginY) {
    const s = Math.round(this.scale * 1e4) / 1e4;
    const x = Math.round((this.width / 2 + marginX - this.x * this.scale) * 10) / 10;
    const y = Math.round((this.height / 2 + marginY - this.y * this.scale) * 10) / 10;
    return `matrix(${s} 0 0 ${s} ${x} ${y})`;
  }

  /** How a picture taken from `view` must be moved and stretched, about its middle, to look as from here. @param {View} view */
  since(view) {
    const k = this.scale / view.scale;
    return { k, x: (view.x - this.x) * this.scale, y: (view.y - this.y) * this.scale };
  }

  /** @param {number} dx @param {number} dy of the screen */
  pan(dx, dy) {
    this.x -= dx / this.scale;
    this.y -= dy / this.scale;
    this.held = true;
  }

  /** @param {number} factor @param {Point} [about] a point of the screen that stays where it is */
  zoom(factor, about = { x: this.width / 2, y: this.height / 2 }) {
    const before = this.toDrawing(about);
    this.scale = Math.min(SCALE_MOST, Math.max(SCALE_LEAST, this.scale * factor));
    const after = this.toDrawing(about);
    this.x += before.x - after.x;
    this.y += before.y - after.y;
    this.held = true;
  }

  /** The part of the screen that nothing covers. */
  free() {
    const { left, right, top, bottom } = this.margin;
    return {
      left,
      top,
      width: Math.max(80, this.width - left - right),
      height: Math.max(80, this.height - top - bottom),
    };
  }

  /** @param {Box} box of the drawing, to be shown whole */
  fit(box) {
    const room = this.free();
    const wide = box.right - box.left,
      high = box.bottom - box.top;
    this.scale = Math.max(SCALE_LEAST, Math.min(SCALE_FIT_MOST, room.width / wide, room.height / high));
    this.x = (box.left + box.right) / 2 - (room.left + room.width / 2 - this.width / 2) / this.scale;
    this.y = (box.top + box.bottom) / 2 - (room.top + room.height / 2 - this.height / 2) / this.scale;
    this.held = false;
  }

  /** Moves just so far that a point of the drawing can be seen. @param {Point} point @returns whether it moved */
  reveal(point) {
    const room = this.free();
    const { x, y } = this.toScreen(point);
    const edge = 50;
    const dx = Math.max(room.left + edge - x, 0) - Math.max(x - (room.left + room.width - edge), 0);
    const dy = Math.max(room.top + edge - y, 0) - Math.max(y - (room.top + room.height - edge), 0);
    if (!dx && !dy) return false;
    this.pan(dx, dy);
    return true;
  }
}
