// Turns pointer and wheel events into gestures: tap, hover, pan, pinch, drag of something grabbed, wheel.

/** @typedef {import('./iso.js').Point} Point */
/**
 * @typedef {object} Intentions
 * @property {(point: Point, twice: boolean) => void} tap `twice`: it follows quickly on another at the same place
 * @property {(point: Point | null) => void} hover null: the pointer has left
 * @property {(dx: number, dy: number) => void} pan
 * @property {(factor: number, about: Point) => void} zoom
 * @property {(steps: number, event: WheelEvent) => boolean} wheel true if it meant something other than zooming
 * @property {(point: Point) => boolean} grab may something at this point be dragged?
 * @property {(point: Point, touch: boolean) => void} drag
 * @property {() => void} drop
 */

const TAP_PX = 8;
const TWICE_MS = 300,
  TWICE_PX = 24; // two taps within these are one double tap

/** @param {HTMLElement} element @param {Intentions} on */
export function listen(element, on) {
  /** @type {Map<number, Point>} */
  const down = new Map();
  /** @type {'none' | 'press' | 'pan' | 'drag' | 'pinch'} */
  let mode = 'none';
  let origin = { x: 0, y: 0 };
  let wheeled = 0;
  let tapped = { x: 0, y: 0, at: -Infinity };
  let pointed = 0;

  /** In the next frame, and not at all if a button is pressed before: what is pressed then need not wait for it. @param {Point} point */
  const hover = (point) => {
    cancelAnimationFrame(pointed);
    pointed = requestAnimationFrame(() => on.hover(point));
  };

  /** @param {Point} point @param {number} at when */
  const tap = (point, at) => {
    const twice = at - tapped.at < TWICE_MS && Math.hypot(point.x - tapped.x, point.y - tapped.y) < TWICE_PX;
    tapped = { ...point, at: twice ? -Infinity : at };
    on.tap(point, twice);
  };

  /** @param {PointerEvent | WheelEvent} event @returns {Point} */
  const at = (event) => {
    const box = element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };

  const pinch = () => {
    const [a, b] = [...down.values()];
    return { size: Math.hypot(a.x - b.x, a.y - b.y), x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  };

  element.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 || !(event.target instanceof Element) || event.target.closest('button')) return;
    cancelAnimationFrame(pointed);
    element.setPointerCapture(event.pointerId);
    down.set(event.pointerId, at(event));
    if (down.size === 1) {
      origin = at(event);
      mode = 'press';
    } else if (down.size === 2) {
      if (mode === 'drag') on.drop();
      mode = 'pinch';
    }
  });

  element.addEventListener('pointermove', (event) => {
    const point = at(event);
    const before = down.get(event.pointerId);
    if (!before) {
      const over = event.target instanceof Element && event.target.closest('button');
      if (event.pointerType !== 'touch' && !over) hover(point);
      return;
    }
    if (mode === 'pinch' && down.size === 2) {
      const was = pinch();
      down.set(event.pointerId, point);
      const is = pinch();
      on.pan(is.x - was.x, is.y - was.y);
      if (was.size > 10 && is.size > 10) on.zoom(is.size / was.size, is);
      return;
    }
    if (mode === 'press' && Math.hypot(point.x - origin.x, point.y - origin.y) > TAP_PX) {
      mode = on.grab(origin) ? 'drag' : 'pan';
    }
    if (mode === 'pan') on.pan(point.x - before.x, point.y - before.y);
    if (mode === 'drag') on.drag(point, event.pointerType === 'touch');
    if (mode !== 'press') down.set(event.pointerId, point);
  });

  /** @param {PointerEvent} event */
  const up = (event) => {
    if (!down.delete(event.pointerId)) return;
    if (event.type === 'pointerup' && mode === 'press' && down.size === 0) tap(at(event), event.timeStamp);
    if (mode === 'drag') on.drop();
    mode = down.size === 1 && mode === 'pinch' ? 'pan' : 'none';
  };
  element.addEventListener('pointerup', up);
  element.addEventListener('pointercancel', up);
  element.addEventListener('pointerleave', () => {
    cancelAnimationFrame(pointed);
    if (down.size === 0) on.hover(null);
  });

  element.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      wheeled += event.deltaY;
      const steps = event.deltaMode === 0 ? Math.trunc(wheeled / 50) : Math.sign(event.deltaY);
      if (steps) wheeled = 0;
      if (!event.ctrlKey && on.wheel(steps, event)) return;
      on.zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015)), at(event));
    },
    { passive: false },
  );
}
