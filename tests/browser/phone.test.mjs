// A whole game by touch on a phone, from the first page to the result and into the replay. No mouse, no key.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { PATIENCE_MS } from './lib/chromium.mjs';
import { pageView, Fixture, serverView } from './lib/fixture.mjs';
import { atNight } from './lib/night.mjs';
import { act, dice, myMove, spots, still } from './lib/player.mjs';

const PHONE = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  deviceScaleFactor: 2,
  userAgent:
    'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36',
};
const fixture = new Fixture();
let page;
before(() => fixture.open());
after(() => fixture.close());

/** Two fingers on the board, from one distance apart to another. @param {number} from @param {number} to */
async function pinch(from, to) {
  const client = await page.context().newCDPSession(page);
  const fingers = (apart) => [-1, 1].map((side, id) => ({ x: 195 + (side * apart) / 2, y: 380, id }));
  await client.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: fingers(from) });
  for (let i = 1; i <= 5; i++) {
    await client.send('Input.dispatchTouchEvent', {
      type: 'touchMove',
      touchPoints: fingers(from + ((to - from) * i) / 5),
    });
  }
  await client.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

/** One finger, from one point to another. @param {{x: number, y: number}} a @param {{x: number, y: number}} b */
async function swipe(a, b) {
  const client = await page.context().newCDPSession(page);
  await client.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [a] });
  for (let i = 1; i <= 6; i++) {
    const at = { x: a.x + ((b.x - a.x) * i) / 6, y: a.y + ((b.y - a.y) * i) / 6 };
    await client.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [at] });
  }
  await client.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

const camera = () => page.evaluate(() => ({ ...window.taluva.page().view.board.camera }));

/** Taps until it takes effect: right after a swipe Chromium treats a tap as the end of the swipe. @param {string} selector @param {() => boolean} done */
async function tapUntil(selector, done) {
  const end = Date.now() + PATIENCE_MS;
  while (!(await page.evaluate(done))) {
    assert.ok(Date.now() < end, `${selector} does nothing`);
    await page.tap(selector);
    await page.waitForFunction(done, undefined, { timeout: 1000 }).catch(() => undefined);
  }
}

test('a game begins within a few taps', async () => {
  page = await fixture.visit('', PHONE);
  await page.waitForFunction(() => window.taluva?.wire.status === 'open');
  await page.tap('#solo');
  await page.waitForSelector('.table');
  assert.equal(await myMove(page), 'place');
});

test('pinch zooms, a finger drags the island, the tile in hand can be dragged', async () => {
  await act(page, dice(3), { touch: true });
  await act(page, dice(3), { touch: true });
  await myMove(page);
  const before = await camera();
  await pinch(80, 200);
  await page.waitForFunction((old) => window.taluva.page().view.board.camera.scale > old * 1.5, before.scale);
  await still(page);
  const near = await camera();
  await swipe({ x: 60, y: 300 }, { x: 160, y: 380 });
  await page.waitForFunction(({ x, y }) => {
    const { camera } = window.taluva.page().view.board;
    return camera.x < x - 20 && camera.y < y - 20; // the island follows the finger
  }, near);
  await tapUntil(
    '.view-buttons button[aria-label="Show the whole island"]',
    () => !window.taluva.page().view.board.camera.held,
  );
  const [spot, other] = await spots(page, '.spot-legal');
  await page.touchscreen.tap(spot.x, spot.y);
  await page.waitForSelector('.verdict:not(.is-free)');
  const pinned = await page.evaluate(() => ({ ...window.taluva.page().view.placing.at }));
  await swipe(spot, { x: other.x, y: other.y + 56 });
  await page.waitForFunction(({ q, r }) => {
    const { at } = window.taluva.page().view.placing;
    return at.q !== q || at.r !== r; // the tile is held above the finger and follows it
  }, pinned);
  await tapUntil('.hand .plain', () => !window.taluva.page().view.placing.pinned);
});

atNight('the whole game is played by touch', async () => {
  const random = dice(21);
  let moves = 0;
  for (;;) {
    const { step } = await act(page, random, { touch: true, prefer: ['temple', 'expand'] });
    if (step === 'over') break;
    moves++;
  }
  assert.ok(moves > 10, `${moves} moves`);
  await page.waitForSelector('.result .outcome');
  const { room, code } = await page.evaluate(() => ({
    room: window.taluva.room().id,
    code: window.taluva.room().code,
  }));
  assert.deepEqual((await pageView(page)).state, (await serverView(fixture, room, code)).state);
});

atNight('and stepped through afterwards', async () => {
  await page.tap('.result button:has-text("Replay")');
  await page.tap('.replay button[aria-label="One step forward"]');
  await page.tap('.replay button[aria-label="One step forward"]');
  await page.waitForFunction(() => window.taluva?.page().replay.at === 2);
  await page.tap('.replay button[aria-label="Leave the replay"]');
  await page.waitForSelector('.result');
});
