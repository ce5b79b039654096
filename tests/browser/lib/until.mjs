// Waiting for what the browser itself cannot be asked to wait for.

import { PATIENCE_MS } from './chromium.mjs';

/**
 * Waits until something is so, and fails in the end: a test that waits for ever holds up all others.
 * @param {() => boolean | Promise<boolean>} right @param {() => string} [found] what there is instead
 */
export async function until(right, found = () => '') {
  const end = Date.now() + PATIENCE_MS;
  while (!(await right())) {
    if (Date.now() > end) throw new Error(`waited for ${PATIENCE_MS / 1000} s: ${right} ${found()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** What is known is drawn: in a page whose clock stands still the frames for it come only when it goes on. @param {any} page */
export async function frames(page) {
  await page.evaluate(() => window.taluva.wire.ask('ping')); // what was asked before is answered
  while (!(await page.evaluate(() => window.taluva.drawn()))) await page.clock.runFor(20);
}

/**
 * Where something lies, once it lies still: what is pressed there a moment later is what was meant. @param {any} page @param {string} selector the first of them
 */
export async function stillBox(page, selector) {
  const place = page.locator(selector).first();
  let was = '';
  let box;
  await until(async () => {
    box = await place.evaluate(
      (/** @type {Element} */ one) =>
        new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(one.getBoundingClientRect().toJSON())))),
    );
    const is = JSON.stringify(box);
    const still = is === was && (await page.evaluate(() => window.taluva.drawn()));
    was = is;
    return still;
  });
  return box;
}
