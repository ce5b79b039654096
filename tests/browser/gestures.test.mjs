// Placing with fingers: real touch events on a phone, for pinching, dragging the island, dragging the tile and confirming it.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, PATIENCE_MS, visitor } from './lib/chromium.mjs';
import { atNight } from './lib/night.mjs';
import { spots, still } from './lib/player.mjs';
import { scenes } from './lib/scenes.mjs';
import { playServer, serveFiles } from './lib/stage.mjs';
import { done } from './lib/visit.mjs';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
const FINGER_PX = 56; // a dragged tile is shown this much above the finger
let browser, files;
before(async () => {
  files = await serveFiles();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  files?.close();
});

/** @param {any} scene */
async function table(scene) {
  const page = await visitor(browser, { reducedMotion: 'reduce', ...PHONE });
  Object.assign(page, await playServer(page, scene));
  await page.goto(`${files.url}#/r/k3m9x0aq`);
  await page.waitForSelector('.hand[data-mode]:not([data-mode=ask])');
  await still(page);
  const client = await page.context().newCDPSession(page);
  page.touch = (type, ...touchPoints) => client.send('Input.dispatchTouchEvent', { type, touchPoints: touchPoints.map((point, id) => ({ ...point, id })) });
  return page;
}

/** @param {any} page @param {{x: number, y: number}} a @param {{x: number, y: number}} b @param {boolean} [lift] */
async function drag(page, a, b, lift = true) {
  await page.touch('touchStart', a);
  for (let i = 1; i <= 8; i++) await page.touch('touchMove', { x: a.x + ((b.x - a.x) * i) / 8, y: a.y + ((b.y - a.y) * i) / 8 });
  if (lift) await page.touch('touchEnd');
  // Chromium gives the page the moves of fingers with the next frame
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** Two fingers around a point. @param {any} page @param {{x: number, y: number}} at @param {number} from @param {number} to */
async function pinch(page, at, from, to) {
  const fingers = (apart) => [-1, 1].map((side) => ({ x: at.x + (side * apart) / 2, y: at.y }));
  await page.touch('touchStart', ...fingers(from));
  for (let i = 1; i <= 6; i++) await page.touch('touchMove', ...fingers(from + ((to - from) * i) / 6));
  await page.touch('touchEnd');
}

const state = (page) =>
  page.evaluate(() => {
    const { placing, board } = window.taluva.page().view;
    return { at: placing.at && `${placing.at.q},${placing.at.r}`, pinned: placing.pinned, verdict: placing.verdict, text: placing.placement?.text, scale: board.camera.scale };
  });

/** The middle of the tile's first hex on the screen. @param {any} page */
const tile = (page) =>
  page.evaluate(() => {
    const { left, top, width, height } = document.querySelector('.held-tile .top-V').getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2 };
  });

/** Puts the tile down by a tap. @param {any} page @param {{x: number, y: number}} spot */
async function put(page, spot) {
  await page.touchscreen.tap(spot.x, spot.y);
  await page.waitForFunction(() => window.taluva?.page().view.placing.pinned);
  await still(page);
}

test('zoomed in by a pinch, put down, dragged to another place and confirmed beside it', async () => {
  const page = await table(scenes.middle());
  const before = await state(page);
  await pinch(page, { x: 195, y: 330 }, 90, 190);
  await page.waitForFunction((old) => window.taluva.page().view.board.camera.scale > old * 1.5, before.scale);
  await page.click('.view-buttons button[aria-label="Show the whole island"]');
  await still(page);
  const [spot, ...others] = await spots(page, '.spot-legal');
  await put(page, spot);
  const first = await state(page);
  const away = others.map((other) => ({ ...other, far: Math.hypot(other.x - spot.x, other.y - spot.y) })).filter(({ far }) => far > 90);
  const { x, y } = away[0];
  await drag(page, await tile(page), { x, y: y + FINGER_PX }, false);
  await page.waitForFunction((old) => {
    const { at } = window.taluva.page().view.placing;
    return `${at.q},${at.r}` !== old;
  }, first.at);
  const bar = await page.locator('.at-piece').boundingBox();
  const held = await tile(page);
  assert.ok(Math.hypot(bar.x + bar.width / 2 - held.x, bar.y + bar.height / 2 - held.y) < 160, 'the buttons go along');
  await page.touch('touchEnd');
  await still(page);
  const second = await state(page);
  assert.equal(second.verdict, 'legal');
  const end = Date.now() + PATIENCE_MS;
  while (!page.asked.some(({ op }) => op === 'move')) {
    assert.ok(Date.now() < end, 'it was not sent');
    await page.tap('.at-piece .confirm'); // right after a swipe Chromium takes a tap for the end of it
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.equal(page.asked.find(({ op }) => op === 'move').move, second.text);
  await done(page);
});

atNight('a pinch keeps a tile that lies, and the buttons stay beside it', async () => {
  const page = await table(scenes.middle());
  const [spot] = await spots(page, '.spot-legal');
  await put(page, spot);
  const before = await state(page);
  await pinch(page, spot, 80, 140);
  await page.waitForFunction((old) => window.taluva.page().view.board.camera.scale > old * 1.3, before.scale);
  await still(page);
  const after = await state(page);
  assert.deepEqual([after.at, after.pinned, after.text], [before.at, true, before.text]);
  const bar = await page.locator('.at-piece').boundingBox();
  assert.ok(bar && bar.x >= 0 && bar.x + bar.width <= 390);
  await done(page);
});

atNight('a second finger while the tile is dragged begins a pinch and leaves the tile where it is', async () => {
  const page = await table(scenes.middle());
  const [spot] = await spots(page, '.spot-legal');
  await put(page, spot);
  const from = await tile(page);
  const to = { x: 195, y: 400 };
  await drag(page, from, to, false);
  const dragged = await state(page);
  await page.touch('touchStart', to, { x: 100, y: 300 });
  await page.touch('touchMove', to, { x: 60, y: 260 });
  await page.touch('touchMove', to, { x: 30, y: 230 });
  await page.touch('touchEnd');
  await page.waitForFunction((old) => window.taluva.page().view.board.camera.scale > old * 1.1, dragged.scale);
  const after = await state(page);
  assert.deepEqual([after.at, after.pinned], [dragged.at, true]);
  await done(page);
});

test('a finger beside the tile drags the island, and does not place anything', async () => {
  const page = await table(scenes.middle());
  const [spot] = await spots(page, '.spot-legal');
  await put(page, spot);
  const before = await state(page);
  const { x } = await page.evaluate(() => window.taluva.page().view.board.camera);
  const free = [{ x: 60, y: 480 }, { x: 320, y: 480 }, { x: 60, y: 180 }].find((point) => Math.hypot(point.x - spot.x, point.y - spot.y) > 110);
  await drag(page, free, { x: free.x + 50, y: free.y - 20 });
  await page.waitForFunction((old) => window.taluva.page().view.board.camera.x < old - 20, x);
  await still(page);
  assert.equal((await state(page)).text, before.text);
  assert.equal(page.asked.some(({ op }) => op === 'move'), false);
  await done(page);
});

atNight('what is pressed does not wait for what was pointed at just before', async () => {
  const page = await table(scenes.builds());
  const [spot] = await spots(page, '.spot-build');
  const seen = await page.evaluate(async ({ x, y }) => {
    const { board } = window.taluva.page().view;
    const { hover, tap } = board.hands;
    const did = [];
    board.hands.hover = (...all) => (did.push('hover'), hover(...all));
    board.hands.tap = (...all) => (did.push('tap'), tap(...all));
    board.element.setPointerCapture = () => {}; // there is no such pointer
    const send = (kind) => board.element.dispatchEvent(new PointerEvent(kind, { bubbles: true, pointerId: 9, pointerType: 'mouse', clientX: x, clientY: y, button: 0 }));
    for (const kind of ['pointermove', 'pointerdown', 'pointerup']) send(kind);
    const frame = () => new Promise((go) => requestAnimationFrame(go));
    await frame();
    const first = did.splice(0);
    for (let i = 0; i < 3; i++) send('pointermove');
    await frame();
    return [first, did];
  }, spot);
  assert.deepEqual(seen, [['tap'], ['hover']]);
  await done(page);
});

atNight('what has moved a little is moved by whole pixels and not drawn afresh; what has moved far, or is larger, is', async () => {
  const page = await table(scenes.middle());
  /** @param {number} dx @param {number} [factor] @returns whether the island was drawn afresh, and by what the picture is moved */
  const moved = async (dx, factor = 1) => {
    const was = await page.evaluate(([x, by]) => {
      const { board } = window.taluva.page().view;
      const drawn = board.under.getAttribute('transform');
      board.camera.pan(x, 0);
      if (by !== 1) board.camera.zoom(by);
      board.draw();
      return drawn;
    }, [dx, factor]);
    await still(page);
    return page.evaluate((before) => {
      const { under, lower, upper } = window.taluva.page().view.board;
      return { afresh: under.getAttribute('transform') !== before, by: [lower, upper].map(({ style }) => style.transform) };
    }, was);
  };
  const beside = (x) => ({ afresh: false, by: Array(2).fill(`translate(${x}px, 0px) scale(1)`) });
  const anew = { afresh: true, by: ['none', 'none'] };
  assert.deepEqual(await moved(10.4), beside(10));
  assert.deepEqual(await moved(5.3), beside(16), 'all of it: what is left of a pixel is not lost');
  assert.deepEqual(await moved(-15.7), beside(0), 'and back');
  assert.deepEqual(await moved(40), anew);
  assert.deepEqual(await moved(0, 1.2), anew);
  await done(page);
});
