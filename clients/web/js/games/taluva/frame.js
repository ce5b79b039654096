// Fits the island into the part of the screen that no panel covers, as large as possible. Arithmetic only.

/** @typedef {import('./camera.js').Box} Box */
/** @typedef {import('./camera.js').View} View */
/** @typedef {{width: number, height: number}} Size */

const SCALE_LEAST = 0.15,
  SCALE_MOST = 1.5,
  SHRINK = 0.96, // from one size that is tried to the next
  STEPS = 9, // places that are tried, in each direction
  ASIDE = 0.12, // how much of its size it may lose to lie in the middle rather than at an edge
  EDGE = 8; // pixels that stay free at the screen's edges

/** The box around boxes. @param {Box[]} boxes @returns {Box} */
function around(boxes) {
  return {
    left: Math.min(...boxes.map(({ left }) => left)),
    right: Math.max(...boxes.map(({ right }) => right)),
    top: Math.min(...boxes.map(({ top }) => top)),
    bottom: Math.max(...boxes.map(({ bottom }) => bottom)),
  };
}

/** Whether all of it is seen. @param {Box[]} boxes of the drawing @param {View} view @param {Size} stage @param {Box[]} panels of the screen */
export const seesAll = (boxes, view, stage, panels) => hiddenOne(boxes, view, stage, panels, 0) < 0;

/**
 * The index of a box that is not wholly seen, or -1.
 * @param {Box[]} boxes @param {View} view @param {Size} stage @param {Box[]} panels @param {number} first where to begin to look
 */
function hiddenOne(boxes, { x, y, scale }, stage, panels, first) {
  const x0 = stage.width / 2 - x * scale,
    y0 = stage.height / 2 - y * scale;
  for (let i = 0; i < boxes.length; i++) {
    const at = (first + i) % boxes.length;
    const box = boxes[at];
    const left = box.left * scale + x0,
      right = box.right * scale + x0,
      top = box.top * scale + y0,
      bottom = box.bottom * scale + y0;
    if (left < 0 || top < 0 || right > stage.width || bottom > stage.height) return at;
    for (const p of panels) if (right > p.left && left < p.right && bottom > p.top && top < p.bottom) return at;
  }
  return -1;
}

/**
 * The view that shows all of it best: large, and not far from the middle.
 * @param {Box[]} boxes of the drawing @param {Size} stage @param {Box[]} panels of the screen
 * @returns {View}
 */
export function framed(boxes, stage, panels) {
  const whole = around(boxes);
  const wide = whole.right - whole.left,
    high = whole.bottom - whole.top;
  const x = (whole.left + whole.right) / 2,
    y = (whole.top + whole.bottom) / 2;
  const most = Math.min(SCALE_MOST, (stage.width - 2 * EDGE) / wide, (stage.height - 2 * EDGE) / high);
  let best = { x, y, scale: Math.max(SCALE_LEAST, most) };
  let worth = 0;
  let hidden = 0; // where one box was hidden, it often is again
  for (let scale = most; scale > Math.max(SCALE_LEAST, worth); scale *= SHRINK) {
    const freeX = (stage.width - 2 * EDGE) / scale - wide,
      freeY = (stage.height - 2 * EDGE) / scale - high;
    for (const [dx, dy] of PLACES) {
      const value = scale * (1 - ASIDE * Math.hypot(dx, dy));
      if (value <= worth) break;
      const view = { x: x + (dx * freeX) / 2, y: y + (dy * freeY) / 2, scale };
      const at = hiddenOne(boxes, view, stage, panels, hidden);
      hidden = Math.max(at, 0);
      if (at >= 0) continue;
      best = view;
      worth = value;
      break;
    }
  }
  return best;
}

/** Where to put it in the room that is left, from the middle outwards; 1 is an edge. */
const PLACES = [...Array(STEPS ** 2).keys()]
  .map((i) => [i % STEPS, Math.floor(i / STEPS)].map((step) => (2 * step) / (STEPS - 1) - 1))
  .sort((a, b) => Math.hypot(...a) - Math.hypot(...b));
