// A move is seen happening, shortly, and never in the way: tiles drop, huts rise one after the other, an eruption crushes and
// shakes; any input ends it, and who wants no motion sees none.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { readCell } from '../../clients/web/js/games/taluva/notation.js';
import { launch, visitor } from './lib/chromium.mjs';
import { somePlacements } from './lib/scenes.mjs';
import { playServer, serveFiles } from './lib/stage.mjs';
import { readGames, stateAfter, VECTORS } from './lib/vectors.mjs';
import { done } from './lib/visit.mjs';

const game = readGames(VECTORS).find(({ id }) => id === 'base-builder-102');
const ROOM = 'k3m9x0aq';
let browser, files;
before(async () => {
  files = await serveFiles();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  files?.close();
});

/** A table before a half of a turn, and the push of it. @param {number} turns @param {boolean} building @param {number} seat who looks on @param {any} [played] */
function half(turns, building, seat, played = game) {
  const from = stateAfter(played, turns, building);
  const to = building ? stateAfter(played, turns + 1) : stateAfter(played, turns, true);
  const { seat: mover, place, build } = played.turns[turns];
  const table = { ...to.table, turn: { tile: null, ...to.table.turn } };
  const push = { push: 'event', room: ROOM, seq: 101, at: 0, event: { kind: 'move', seat: mover, move: building ? build : place }, patch: { table, acting: to.acting } };
  return { scene: { state: from, seat, moves: somePlacements(stateAfter(played, turns)) }, push, from, to, mover };
}

/** The first turn for which something holds. @param {(half: any) => boolean} wanted @param {boolean} building */
function find(wanted, building) {
  for (let turns = 4; turns < game.turns.length - 1; turns++) {
    const found = half(turns, building, 0);
    if (found.mover !== 0 && wanted(found)) return found;
  }
  throw new Error('no such turn');
}

const covers = ({ from, to }, kind) =>
  Object.entries(to.table.hexes).some(([key, token]) => {
    const was = from.table.hexes[key] && readCell(from.table.hexes[key]);
    return was && readCell(token).level > was.level && was.kind === kind;
  });
const built = ({ from, to }) => Object.keys(to.table.hexes).filter((key) => from.table.hexes[key] && readCell(to.table.hexes[key]).kind && !readCell(from.table.hexes[key]).kind);
const extends_ = ({ from, to }) => Object.keys(to.table.hexes).length === Object.keys(from.table.hexes).length + 3;

/** @param {any} scene @param {any} [options] */
async function table(scene, options = {}) {
  const page = await visitor(browser, { reducedMotion: 'no-preference', ...options });
  Object.assign(page, await playServer(page, scene));
  await page.goto(`${files.url}#/r/${ROOM}`);
  await page.waitForSelector('.board .hex');
  await page.evaluate(() => {
    // every motion stops at its beginning, until the test lets it go on
    window.moved = [];
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, timing) {
      const animation = animate.call(this, frames, timing);
      window.moved.push({ what: this.getAttribute('class'), duration: timing.duration, delay: timing.delay });
      if (!window.free) animation.pause();
      return animation;
    };
  });
  return page;
}

/** @param {any} page @param {any} push */
async function tell(page, push) {
  page.tell(push);
  await page.waitForFunction((seq) => window.taluva.room().seq === seq && window.taluva.drawn(), push.seq);
  return page.evaluate(() => window.moved);
}

const hidden = (page) => page.evaluate(() => [...document.querySelectorAll('.layer .hex')].filter((hex) => hex.style.visibility === 'hidden').length);
const parts = (page) => page.evaluate(() => document.querySelector('.motion')?.childElementCount ?? 0);

/** @param {any[]} moved */
const lasts = (moved) => Math.max(...moved.map(({ duration, delay }) => duration + delay));

test('an opponent’s tile drops, and then lies as without motion', async () => {
  const { scene, push } = find(extends_, false);
  const page = await table(scene);
  const moved = await tell(page, push);
  assert.deepEqual(moved.map(({ what }) => what), ['dropping']);
  assert.ok(lasts(moved) >= 200 && lasts(moved) <= 400, `${lasts(moved)} ms`);
  assert.equal(await hidden(page), 3);
  await page.evaluate(() => document.getAnimations().forEach((animation) => animation.play()));
  await page.waitForFunction(() => document.querySelector('.motion').childElementCount === 0);
  assert.equal(await hidden(page), 0);
  await done(page);
});

test('huts rise one after the other', async () => {
  const found = find((one) => built(one).length >= 2, true);
  const page = await table(found.scene);
  const moved = await tell(page, found.push);
  assert.deepEqual(moved.map(({ what }) => what), built(found).map(() => 'rising'));
  const delays = moved.map(({ delay }) => delay);
  assert.deepEqual([...new Set(delays)], delays, 'not two at once');
  assert.ok(lasts(moved) <= 400, `${lasts(moved)} ms`);
  await done(page);
});

test('a boat comes in', async () => {
  const box = readGames(VECTORS).find(({ id }) => id === 'everything-builder-70');
  const { scene, push } = half(box.turns.findIndex(({ build }) => build.startsWith('boat')), true, 0, box);
  const page = await table(scene);
  const moved = await tell(page, push);
  assert.equal(moved.length, 1);
  assert.match(moved[0].what, /^boat /);
  assert.ok(lasts(moved) >= 200 && lasts(moved) <= 400, `${lasts(moved)} ms`);
  await done(page);
});

test('an eruption crushes what it covers and shakes the island', async () => {
  const found = find((one) => covers(one, 'h'), false);
  const page = await table(found.scene);
  const moved = await tell(page, found.push);
  const names = moved.map(({ what }) => what);
  assert.ok(names.includes('rising') && names.includes('dropping'), names.join());
  assert.equal(names.filter((name) => name.startsWith('layer')).length, 2, 'both drawings shake');
  assert.ok(lasts(moved) <= 400, `${lasts(moved)} ms`);
  await done(page);
});

test('any input ends it, and counts', async () => {
  const { scene, push, to } = find(extends_, false);
  scene.seat = to.table.turn.seat; // it is the visitor's turn to build
  for (const act of [
    (page) => page.mouse.click(640, 400),
    (page) => page.keyboard.press('ArrowRight'),
    (page) => page.mouse.wheel(0, 10),
  ]) {
    const page = await table(scene);
    await page.mouse.move(640, 400);
    await page.focus('.board');
    await tell(page, push);
    assert.ok((await parts(page)) > 0);
    await act(page);
    await page.waitForFunction(() => document.querySelector('.motion').childElementCount === 0);
    assert.equal(await hidden(page), 0);
    await done(page);
  }
});

test('the next move ends it, too', async () => {
  const first = find(extends_, false);
  const turns = game.turns.findIndex(({ place }) => place === first.push.event.move);
  const second = half(turns, true, 0);
  const page = await table(first.scene);
  await tell(page, first.push);
  await tell(page, { ...second.push, seq: 102 });
  assert.equal(await page.locator('.motion .dropping').count(), 0);
  assert.ok((await hidden(page)) <= built(second).length);
  await done(page);
});

test('one’s own tile, seen lying there before, only settles', async () => {
  const { scene, push, mover } = find(extends_, false);
  scene.seat = mover;
  const page = await table(scene);
  await tell(page, push);
  const height = await page.evaluate(() => {
    const [drop] = document.getAnimations().filter(({ effect }) => effect.target.matches('.dropping'));
    return parseFloat(drop.effect.getKeyframes()[0].translate.split(' ')[1]);
  });
  assert.ok(Math.abs(height) < 20, `${height}`);
  await done(page);
});

test('nothing moves for who wants no motion', async () => {
  for (const found of [find((one) => covers(one, 'h'), false), find((one) => built(one).length >= 2, true)]) {
    const page = await table(found.scene, { reducedMotion: 'reduce' });
    assert.deepEqual(await tell(page, found.push), []);
    assert.equal(await parts(page), 0);
    assert.equal(await hidden(page), 0);
    await done(page);
  }
});

test('when the view is turned, the picture moves at once and nothing is painted anew for that', async () => {
  const page = await table(half(6, false, 0).scene);
  await page.evaluate(() => {
    window.styled = new Set();
    new MutationObserver((all) => all.forEach(({ target }) => [...target.style].forEach((name) => window.styled.add(name)))).observe(document.querySelector('.board'), {
      subtree: true,
      attributeFilter: ['style'],
    });
  });
  const before = await page.getAttribute('.board .hex', 'transform');
  await page.click('.view-tools button >> nth=3');
  await page.waitForFunction(
    (was) => !window.taluva.page().view.board.spinning && document.querySelector('.board .hex').getAttribute('transform') !== was,
    before,
  );
  assert.deepEqual(await page.evaluate(() => [...window.styled].filter((name) => !['opacity', 'transform'].includes(name))), []);
  assert.deepEqual(await page.$$eval('.board .layer', (all) => all.map((one) => getComputedStyle(one).opacity)), ['1', '1']);
  await done(page);
});
