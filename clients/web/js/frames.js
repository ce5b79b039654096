// Draws part by part: a part that has changed is drawn once, however often that was said, and not in the task that changed it but in one of
// its own after the next frame. When that has taken long enough the other parts wait for the frame after it, so that what is done on the
// page comes in between and is answered: a press or a release that comes before they are drawn has a frame of its own first. Parts are drawn in
// the order in which they became due.

const ENOUGH_MS = 8; // of drawing for one frame
const LATEST_MS = 250; // without a frame: none comes while the page cannot be seen

/** @type {Set<Part>} */
const queue = new Set();
let arranged = false;
/** Whether something was pressed or let go since the last frame, and whether that has held up what is to be drawn already. */
let pressed = false,
  heldUp = false;

/** Whether nothing is left to draw. */
export const drawn = () => queue.size === 0;

function arrange() {
  if (arranged) return;
  arranged = true;
  let begun = false;
  const begin = () => {
    if (begun) return;
    begun = true;
    clearTimeout(latest);
    arranged = false;
    heldUp = pressed && !heldUp && !document.hidden; // once: keys that are held down come for ever
    if (heldUp) arrange();
    else work();
  };
  const latest = setTimeout(begin, document.hidden ? 0 : LATEST_MS);
  requestAnimationFrame(() => {
    pressed = false;
    setTimeout(begin); // a task after the frame: within it, the frame would be late
  });
}

/** Something was pressed or let go. */
export function answerFirst() {
  pressed = true;
}

function work() {
  const end = performance.now() + ENOUGH_MS;
  try {
    for (const part of queue) {
      part.now();
      if (!document.hidden && performance.now() >= end) break;
    }
  } finally {
    if (queue.size) arrange();
  }
}

export class Part {
  /** @param {() => void} draw */
  constructor(draw) {
    this.draw = draw;
  }

  /** It is to be drawn. */
  get due() {
    return queue.has(this);
  }

  /** It has changed. */
  ask() {
    queue.add(this);
    arrange();
  }

  /** Draws it at once. */
  now() {
    queue.delete(this);
    this.draw();
  }

  /** It need not be drawn any more. */
  drop() {
    queue.delete(this);
  }
}
