// Plays on the page as a person would: looks for what the screen offers, points at it, confirms. The choices are
// random, from a seed. All input is by mouse, touch or keyboard; the page's objects are only read.

/** The names of computer players, as a part of a regular expression. */
export const COMPUTERS = '(?:Mango|Papaya|Coconut|Guava|Lychee|Ginger|Vanilla|Hibiscus|Orchid|Cocoa|Tamarind|Banana)';

/** A random number generator with a seed, so that a game can be repeated. @param {number} seed */
export function dice(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(state ^ (state >>> 15), 1 | state);
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x;
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** @template T @param {T[]} list @param {() => number} random @returns {T} */
const pick = (list, random) => list[Math.floor(random() * list.length)];

/** What the page waits for: "draw", "place", "build", or "over". @param {any} page */
export async function myMove(page) {
  const handle = await page.waitForFunction(
    () => {
      const { taluva } = window;
      const table = taluva?.page(); // not yet, right after a reload
      if (!table?.view?.hand.shown || !taluva.drawn()) return '';
      if (taluva.room().state.phase === 'over') return 'over';
      const { mode } = table.view.hand.shown;
      return !table.busy && table.mayAct && table.legal.current && table.moves && mode !== 'ask'
        ? mode
        : '';
    },
    undefined,
    { polling: 30 },
  );
  return handle.jsonValue();
}

export const seqOf = (page) => page.evaluate(() => window.taluva.room().seq);

/** @param {any} page @param {number} seq */
export const after = (page, seq) =>
  page.waitForFunction((before) => window.taluva.room().seq > before && !window.taluva.page().busy && window.taluva.drawn(), seq, {
    polling: 20,
  });

let looks = 0; // so often it was waited for a board

/**
 * Waits until the board no longer moves: fitted between the panels, drawn at the camera's position, no animation pending. Frames are counted from
 * the call on: what was done just before it, and makes the board larger or smaller, is noticed by the page in the frame that follows.
 * @param {any} page
 */
export const still = (page) =>
  page.waitForFunction((mine) => {
    const { board, village } = window.taluva.page().view;
    const view = board?.camera.view;
    const look = JSON.stringify([mine, village ? village.area : [view, board.camera.turn, board.camera.width, board.camera.height, board.covered]]);
    const moves =
      !window.taluva.drawn() || (board && (board.drawing || board.spinning || board.resting || !board.covered));
    const frames = !moves && window.stillLook === look ? window.stillFrames + 1 : 0;
    Object.assign(window, { stillLook: look, stillFrames: frames });
    return frames >= 3; // panels are measured once a frame
  }, ++looks);

/** Waits until the page shows what it knows: what has changed is drawn part by part, in the next frames. @param {any} page */
export const shown = (page) => page.waitForFunction(() => window.taluva?.drawn());

/**
 * Moves on by key to a placement that leaves a legal build; if there is none, stays at the last one.
 * @param {any} page whose board has the focus
 */
export async function pastDanger(page) {
  const ways = await page.evaluate(() => {
    const { placing } = window.taluva.page().view;
    return placing.active ? [...placing.legal.values()].reduce((sum, { size }) => sum + size, 0) : 0;
  });
  for (let i = 0; i < ways; i++) {
    await shown(page);
    if (!(await page.$('.verdict.is-danger'))) return;
    await page.keyboard.press('n');
  }
}

/** Screen positions of spots that no other element covers. @param {any} page @param {string} selector */
export async function spots(page, selector) {
  await still(page);
  return page.evaluate((wanted) => {
    const found = [];
    for (const spot of document.querySelectorAll(wanted)) {
      const { left, top, width, height } = spot.getBoundingClientRect();
      const [x, y] = [left + width / 2, top + height / 2];
      const here = document.elementFromPoint(x, y);
      if (here?.closest('.board') && !here.closest('button')) found.push({ x, y });
    }
    return found;
  }, selector);
}

/** Clicks or taps a point. */
export const mouse = (page) => (x, y) => page.mouse.click(x, y);
export const finger = (page) => (x, y) => page.touchscreen.tap(x, y);

/** @param {any} page @param {string} selector @param {boolean} touch */
const press = (page, selector, touch) => (touch ? page.tap(selector) : page.click(selector));

/**
 * Draws, places and builds until it is somebody else's turn or the match is over.
 * @param {any} page @param {() => number} random
 * @param {{touch?: boolean, onlyDraw?: boolean, prefer?: string[], take?: boolean}} [style]
 *   `prefer`: verbs to build first; `take`: 2-Hex tiles are taken when they can be
 * @returns {Promise<{step: string, move: string}>} what was done
 */
export async function act(page, random, style = {}) {
  const step = await myMove(page);
  if (step === 'over') return { step, move: '' };
  const seq = await seqOf(page);
  const touch = style.touch ?? false;
  const move =
    step === 'draw'
      ? await draw(page, random, style)
      : step === 'place'
        ? await place(page, random, touch)
        : await build(page, random, touch, style.prefer ?? []);
  if (move !== '') await after(page, seq);
  return { step, move };
}

async function draw(page, random, { touch = false, take = false }) {
  const tiles = await page.$$eval('.offer[data-tile]', (buttons) => buttons.map((button) => button.dataset.tile));
  if (tiles.length && (take || !(await page.$('.offer.primary')))) {
    await press(page, `.offer[data-tile="${pick(tiles, random)}"]`, touch);
    await page.waitForSelector('.hand[data-mode=place]');
    return ''; // the tile is in hand; nothing was sent
  }
  await press(page, '.offer.primary', touch);
  return 'draw';
}

/** Turns the tile by the button beside it, if it also fits in another direction. @param {any} page @param {boolean} touch */
async function turn(page, touch) {
  await shown(page);
  const before = await page.evaluate(() => {
    const { at, k, legal } = window.taluva.page().view.placing;
    return { k, ways: legal.get(`${at.q},${at.r}`)?.size ?? 1 };
  });
  if (before.ways <= 1 || !(await page.locator('.at-piece [data-focus=piece-right]').isVisible())) return;
  await press(page, '.at-piece [data-focus=piece-right]', touch);
  await page.waitForFunction((k) => window.taluva.page().view.placing.k !== k, before.k);
}

async function place(page, random, touch) {
  const tap = touch ? finger(page) : mouse(page);
  for (let tries = 0; tries < 60; tries++) {
    await shown(page);
    const pinned = await page.$('.verdict.is-legal, .verdict.is-danger');
    let last = tries > 40;
    if (!pinned) {
      const all = [...(await spots(page, '.spot-legal')), ...(await spots(page, '.spot-turn'))];
      const choice = all.length ? all : await spots(page, '.spot-danger');
      if (!choice.length) {
        await press(page, '.view-buttons button[aria-label="Show the whole island"]', touch);
        continue;
      }
      last ||= !all.length;
      const { x, y } = pick(choice, random);
      await tap(x, y);
      await page.waitForSelector('.verdict:not(.is-free)');
      if (random() < 0.3) await turn(page, touch);
    }
    await shown(page);
    const look = await page.$eval('.verdict', (line) => line.className);
    const danger = look.includes('is-danger');
    if (look.includes('is-legal') || (danger && last)) {
      const move = await page.evaluate(() => window.taluva.page().view.placing.placement.text);
      await press(page, '.hand .confirm', touch);
      return move;
    }
    if (await page.$('.hand .plain')) await press(page, '.hand .plain', touch); // pick it up, and try elsewhere
  }
  throw new Error('found no place for the tile');
}

async function build(page, random, touch, prefer) {
  const tap = touch ? finger(page) : mouse(page);
  const onBoard = await spots(page, '.spot-build');
  await shown(page);
  const verbs = await page.$$eval('.kind', (buttons) => buttons.map((button) => button.dataset.verb));
  const wanted = prefer.find((verb) => verbs.includes(verb));
  if (wanted) {
    await press(page, `.kind[data-verb="${wanted}"]`, touch);
    await page.waitForFunction(
      (verb) => window.taluva.page().view.building.filter === verb && window.taluva.drawn(),
      wanted,
    );
    const there = await spots(page, '.spot-build, .spot-chosen');
    if (there.length && !(await page.$('.verdict.is-legal'))) await tap(...Object.values(pick(there, random)));
  } else if (onBoard.length && random() < 0.6) {
    await tap(...Object.values(pick(onBoard, random)));
  } else {
    const choices = await page.$$eval('.choice', (buttons) => buttons.map((_, at) => at));
    await press(page, `.choice >> nth=${pick(choices, random)}`, touch); // the list may have been redrawn, so the element is looked up again
  }
  await shown(page);
  if (!(await page.evaluate(() => window.taluva.page().view.building.chosen))) await press(page, '.choice >> nth=0', touch);
  await page.waitForSelector('.hand .confirm:not(:disabled)');
  const move = await page.evaluate(() => window.taluva.page().view.building.chosen.text);
  await press(page, '.hand .confirm', touch);
  return move;
}

/** Plays to the end. @param {any} page @param {number} seed @param {Parameters<typeof act>[2]} [style] */
export async function playOut(page, seed, style) {
  const random = dice(seed);
  const done = [];
  for (;;) {
    const did = await act(page, random, style);
    if (did.step === 'over') return done;
    if (did.move) done.push(did.move);
  }
}
