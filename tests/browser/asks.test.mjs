// What comes from the others at the table is seen without opening anything: lines, offers, who is away.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';

import { launch, visitor } from './lib/chromium.mjs';
import { readMeanwhile } from './lib/live.mjs';
import { shown } from './lib/player.mjs';
import { scenes, somePlacements } from './lib/scenes.mjs';
import { playServer, serveFiles } from './lib/stage.mjs';
import { readGames, stateAfter, VECTORS } from './lib/vectors.mjs';
import { done } from './lib/visit.mjs';

const game = readGames(VECTORS).find(({ id }) => id === 'base-builder-102');
const ROOM = 'k3m9x0aq';
const MINUTE_MS = 60_000;
const state = { ...stateAfter(game, 6), clock: { kind: 'none' } };
const { seat } = game.turns[6];
const other = (seat + 1) % 4;
let browser, files;
before(async () => {
  files = await serveFiles();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  files?.close();
});

/** A seated player's table. */
async function table(shown = state, own = seat) {
  const page = await visitor(browser, { reducedMotion: 'reduce' });
  Object.assign(page, await playServer(page, { state: shown, seat: own, moves: somePlacements(shown) }));
  await page.goto(`${files.url}#/r/${ROOM}`);
  await page.waitForSelector('.board .hex');
  return page;
}

/** @param {any} page @param {string} words */
const seen = (page, words) => page.waitForFunction((text) => document.querySelector('.asks')?.textContent.includes(text), words);
const seq = (page) => page.evaluate(() => window.taluva.room().seq);
const offered = async (page, what, patch) =>
  page.tell({ push: 'event', room: ROOM, seq: (await seq(page)) + 1, at: 0, event: { kind: 'offered', seat: other, what }, patch });

test('an offer is a bar with what to answer, until it is agreed to or put aside', async () => {
  const page = await table();
  await offered(page, 'pause', { offers: { pause: { [other]: true } } });
  await seen(page, 'a pause');
  await page.click('.ask-bar .plain');
  await page.waitForFunction(() => !document.querySelector('.ask-bar'));
  await offered(page, 'call_off', { offers: { call_off: { [other]: true } } });
  await seen(page, 'calling the match off');
  await page.setViewportSize({ width: 320, height: 568 });
  const high = await page.$eval('.ask-bar', (bar) => bar.getBoundingClientRect().height);
  assert.ok(high < 70, `on a small screen it is one row, and the island is seen: ${high}`);
  await page.click('.ask-bar .confirm');
  while (!page.asked.some(({ op }) => op === 'offer')) await page.evaluate(() => undefined);
  assert.equal(page.asked.find(({ op }) => op === 'offer').what, 'call_off');
  await done(page);
});

/** Which card a line that was said is next to: how far it is, and whether it lies over it. @param {any} page @param {number} seat */
const toCard = (page, seat) =>
  page.evaluate((at) => {
    const [bubble, card] = [document.querySelector('.said'), document.querySelectorAll('.card')[at]].map((one) => one.getBoundingClientRect());
    const gap = (a, b, c, d) => Math.max(0, c - b, a - d);
    const [across, down] = [gap(bubble.left, bubble.right, card.left, card.right), gap(bubble.top, bubble.bottom, card.top, card.bottom)];
    const inside = bubble.left >= 0 && bubble.right <= innerWidth;
    return { far: Math.hypot(across, down), over: !across && !down, inside: inside && bubble.height < 60 }; // one line
  }, seat);

test('a line of somebody else is seen while the log is closed, at the card of who has said it, and marks its button', async () => {
  const page = await table();
  for (const [width, height] of [[1280, 800], [390, 844], [844, 390]]) {
    await page.setViewportSize({ width, height });
    for (const by of [0, 1, 2, 3]) {
      if (by === seat) continue;
      await shown(page);
      page.tell({ push: 'said', room: ROOM, seat: by, name: 'Bo', text: `well played, ${by} ${width}` });
      await seen(page, `well played, ${by} ${width}`);
      const { far, over, inside } = await toCard(page, by);
      assert.ok(far < 24 && !over && inside, `${width}x${height}, seat ${by}: ${far}`);
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  assert.ok(await page.evaluate(() => document.querySelector('.table-bar .unread') !== null));
  page.tell({ push: 'said', room: ROOM, name: 'Bo', text: 'me too' });
  await seen(page, 'Bo (watching): me too');
  await page.click('.table-bar .unread');
  page.tell({ push: 'said', room: ROOM, seat: other, name: 'Bo', text: 'and again' });
  await page.waitForFunction((many) => document.querySelectorAll('.events .chat').length === many, 3 * 3 + 2);
  assert.ok(await page.evaluate(() => document.querySelector('.table-bar .unread') === null && !document.querySelector('.ask-bar')));
  await done(page);
});

test('who is away is told, with the time; after ten minutes the computer may play, or both call it off, after thirty one goes on without them', async () => {
  const page = await table({ ...state, acting: [other] });
  const buttons = () => page.$$eval('.ask-bar button', (all) => all.map(({ textContent }) => textContent));
  const away = async (ms) => {
    const now = await page.evaluate(() => window.taluva.room().wire.now());
    page.tell({ push: 'presence', room: ROOM, online: { [other]: false }, away: { [other]: now - ms } });
  };
  await away(MINUTE_MS);
  await seen(page, 'is away');
  assert.ok(await page.evaluate(() => !document.querySelector('.ask-bar .confirm')));
  await away(11 * MINUTE_MS);
  await page.waitForSelector('.ask-bar .confirm');
  await seen(page, 'you can go on without them');
  assert.deepEqual(await buttons(), ['Call it off?', 'Let the computer play']);
  await page.waitForFunction(() => /you can go on without them.*Let the computer play/.test(document.querySelector('#live').textContent));
  await page.focus('.ask-bar .confirm');
  assert.deepEqual(await readMeanwhile(page, '.ask-bar p'), [], 'it is said once, not each second');
  assert.ok(await page.evaluate(() => document.activeElement.matches('.ask-bar .confirm')), 'what has the focus keeps it');
  await page.click('.ask-bar .plain');
  await offered(page, 'call_off', { offers: { call_off: { [seat]: true } } });
  await page.waitForFunction(() => document.querySelectorAll('.ask-bar button').length === 1);
  await away(31 * MINUTE_MS);
  await page.waitForSelector('.ask-bar :text("Go on without")');
  assert.deepEqual((await buttons()).slice(1), ['Let the computer play']);
  assert.doesNotMatch(await page.textContent('.ask-bar'), /In \d/);
  await page.click('.ask-bar .plain');
  while (page.asked.filter(({ op }) => op === 'offer').length < 2) await page.evaluate(() => undefined);
  assert.deepEqual(page.asked.flatMap(({ op, what }) => (op === 'offer' ? [what] : [])), ['call_off', 'claim']);
  page.tell({ push: 'presence', room: ROOM, online: { [other]: true } });
  await page.waitForFunction(() => !document.querySelector('.ask-bar'));
  await done(page);
});

test('of two the other claims the win, once they have moved', async () => {
  const two = readGames(VECTORS).find(({ id }) => id === 'two-hex-uniform-7');
  const page = await table({ ...stateAfter(two, 6), clock: { kind: 'none' } }, 0);
  const now = await page.evaluate(() => window.taluva.room().wire.now());
  page.tell({ push: 'presence', room: ROOM, online: { 1: false }, away: { 1: now - 31 * MINUTE_MS } });
  await page.waitForSelector('.ask-bar .confirm');
  assert.ok(!(await page.textContent('.ask-bar')).includes('Claim the win'));
  page.tell({ push: 'event', room: ROOM, seq: (await seq(page)) + 1, at: 0, event: { kind: 'withdrew', seat: 1, what: 'pause' }, patch: { acting: [1] } });
  await page.click('.ask-bar :text("Claim the win")');
  while (!page.asked.some(({ op }) => op === 'offer')) await page.evaluate(() => undefined);
  assert.equal(page.asked.find(({ op }) => op === 'offer').what, 'claim');
  await done(page);
});

test('a table that all have left says so in the list, and a lobby of such is left out', async () => {
  const [lobby, match] = JSON.parse(readFileSync(new URL('../../protocol/examples/replies/rooms.json', import.meta.url), 'utf8')).ok.rooms;
  const since = (minutes) => ({ away: Date.now() - minutes * MINUTE_MS });
  const { away: _, ...here } = match;
  const rooms = [
    { ...lobby, room: 'aaaaaaaa', ...since(1) },
    { ...lobby, room: 'bbbbbbbb', ...since(5) },
    { ...here, room: 'cccccccc' },
    { ...here, room: 'dddddddd', ...since(5) },
  ];
  const page = await visitor(browser, { reducedMotion: 'reduce' });
  await playServer(page, { rooms });
  await page.goto(files.url);
  await page.waitForSelector('.rooms .room');
  const lines = await page.$$eval('.rooms .room', (all) => all.map((one) => [one.dataset.room[0], /everybody left/.test(one.textContent)]));
  assert.deepEqual(lines, [['a', true], ['c', false], ['d', true]]);
  await done(page);
});

test('what somebody says can be done without at this table, and heard again', async () => {
  const page = await table();
  const say = (text, by) => page.tell({ push: 'said', room: ROOM, name: 'Bo', text, ...by });
  const shows = (text) => page.waitForFunction((text) => document.querySelector('.events')?.textContent.includes(text), text);
  say('one line', { seat: other });
  await page.click('.table-bar .unread');
  say('from outside', {});
  await shows('from outside');
  await page.click('.events .chat .mute');
  await page.waitForFunction(() => !document.querySelector('.events').textContent.includes('one line'));
  await shows('from outside'); // somebody else of that name
  say('not shown', { seat: other });
  say('outside again', {});
  await shows('outside again');
  await page.click('.unmute');
  say('heard', { seat: other });
  await shows('heard');
  assert.doesNotMatch(await page.innerText('.events'), /not shown|one line/);
  assert.equal(await page.isVisible('.unmute'), false);
  await done(page);
});

test('that a match may take days is said only if it may: not to people who are all there, without a clock', async () => {
  for (const [online, days, wanted] of [
    [{ 0: true, 1: true, 2: true, 3: true, 4: true }, false, false],
    [{ 0: true, 1: true, 2: true, 3: true, 4: true }, true, true],
    [{ 0: true, 1: false }, false, true],
  ]) {
    const page = await visitor(browser, { reducedMotion: 'reduce' });
    const scene = scenes.asked();
    const seats = Object.fromEntries(Object.keys(scene.state.seats).map((seat) => [seat, { left_ms: 259_200_000 }]));
    if (days) scene.state.clock = { kind: 'days', days: 3, on_timeout: 'eliminate', seats };
    await playServer(page, { ...scene, online });
    await page.goto(`${files.url}#/r/${ROOM}`);
    await page.waitForSelector('.board .hex');
    await shown(page);
    assert.equal(await page.locator('.ask-tell').isVisible(), wanted, JSON.stringify([online, days]));
    await done(page);
  }
});
