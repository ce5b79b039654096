// A whole game by thumb on a phone, from the first page to the result and into the replay. No mouse, no key.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { held, House, told } from './lib/house.mjs';
import { act, dice, myMove, spots } from './lib/player.mjs';

const PHONE = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  deviceScaleFactor: 2,
  userAgent:
    'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36',
};
const house = new House();
let page;
before(() => house.open());
after(() => house.close());

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

const camera = () => page.evaluate(() => ({ ...window.taluva.page().board.camera }));

test('a game begins within a few taps', async () => {
  page = await house.visit('', PHONE);
  await page.waitForFunction(() => window.taluva.wire.status === 'open');
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
  const near = await camera();
  assert.ok(near.scale > before.scale * 1.5, `${before.scale} to ${near.scale}`);
  await swipe({ x: 60, y: 300 }, { x: 160, y: 380 });
  const moved = await camera();
  assert.ok(moved.x < near.x - 20 && moved.y < near.y - 20, 'the island follows the finger');
  await page.waitForTimeout(700); // Chromium takes no tap right after a swipe
  await page.tap('.view-buttons button[aria-label="Show the whole island"]');
  const [spot, other] = await spots(page, '.spot-legal');
  await page.touchscreen.tap(spot.x, spot.y);
  await page.waitForSelector('.verdict:not(.is-free)');
  const pinned = await page.evaluate(() => ({ ...window.taluva.page().placing.at }));
  await swipe(spot, { x: other.x, y: other.y + 56 });
  const dragged = await page.evaluate(() => ({ ...window.taluva.page().placing.at }));
  assert.notDeepEqual(dragged, pinned, 'the tile is held above the finger and follows it');
  await page.waitForTimeout(700);
  await page.tap('.hand .plain');
});

test('the whole game is played by touch', async () => {
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
  assert.deepEqual((await held(page)).state, (await told(house, room, code)).state);
});

test('and stepped through afterwards', async () => {
  await page.tap('.result button:has-text("Replay")');
  await page.tap('.replay button[aria-label="One step on"]');
  await page.tap('.replay button[aria-label="One step on"]');
  assert.equal(await page.evaluate(() => window.taluva.page().replay.at), 2);
  await page.tap('.replay button[aria-label="Leave the replay"]');
  await page.waitForSelector('.result');
});
