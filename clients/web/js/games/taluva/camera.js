// The camera: position, scale, and by how many sixths the island is turned. Arithmetic only.

/** @typedef {import('./iso.js').Point} Point */
/** @typedef {{left: number, right: number, top: number, bottom: number}} Box */

/** @typedef {{x: number, y: number, scale: number}} View */

const SCALE_LEAST = 0.22,
  SCALE_MOST = 3.2;

export class Camera {
  constructor() {
    this.x = 0; // the point of the drawing that is in the middle
    this.y = 0;
    this.scale = 1;
    this.turn = 0;
    this.width = 1;
    this.height = 1;
    /** Moved by hand since the last fit: then it is not moved automatically. */
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

  /** Looks from there until it is moved by hand. @param {View} view */
  take(view) {
    Object.assign(this, view);
    this.held = false;
  }

  /**
   * Moves just so far that a part of the drawing can be seen.
   * @param {Box} part of the drawing @param {Box[]} panels that it may not lie under @returns whether it moved
   */
  reveal(part, panels) {
    const { x: left, y: top } = this.toScreen({ x: part.left, y: part.top });
    const { x: right, y: bottom } = this.toScreen({ x: part.right, y: part.bottom });
    const inside = (/** @type {number} */ dx, /** @type {number} */ dy) =>
      left + dx >= 0 && right + dx <= this.width && top + dy >= 0 && bottom + dy <= this.height;
    let dx = Math.max(-left, 0) - Math.max(right - this.width, 0);
    let dy = Math.max(-top, 0) - Math.max(bottom - this.height, 0);
    for (const panel of panels) {
      if (left + dx >= panel.right || right + dx <= panel.left || top + dy >= panel.bottom || bottom + dy <= panel.top) continue;
      const ways = [
        { dx: panel.left - right, dy },
        { dx: panel.right - left, dy },
        { dx, dy: panel.top - bottom },
        { dx, dy: panel.bottom - top },
      ].filter((way) => inside(way.dx, way.dy));
      ways.sort((a, b) => Math.hypot(a.dx, a.dy) - Math.hypot(b.dx, b.dy));
      if (ways.length) ({ dx, dy } = ways[0]);
    }
    if (!dx && !dy) return false;
    this.pan(dx, dy);
    return true;
  }
}
