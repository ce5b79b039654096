// What is chosen on the island is confirmed there: by the buttons beside it, by Enter, by a double click or double tap. What is
// pointed at in the list is lit on the island, and the other way round. Places are told in words.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { launch } from './lib/chromium.mjs';
import { atNight, someOf } from './lib/night.mjs';
import { shown, spots, still } from './lib/player.mjs';
import { largest, scenes } from './lib/scenes.mjs';
import { serveFiles } from './lib/stage.mjs';
import { until } from './lib/until.mjs';
import { done, openTable } from './lib/visit.mjs';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
let browser, files;
before(async () => {
  files = await serveFiles();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  files?.close();
});

/** @param {any} scene @param {any} [options] */
const table = (scene, options) => openTable(browser, files.url, scene, options);

/** The move that the page has sent. @param {any} page */
async function sent(page) {
  await until(() => page.asked.some(({ op }) => op === 'move'));
  assert.equal(page.asked.filter(({ op }) => op === 'move').length, 1, 'once');
  return page.asked.find(({ op }) => op === 'move').move;
}

const placement = (page) => page.evaluate(() => window.taluva.page().view.placing.placement?.text);
const pinned = (page) => page.waitForFunction(() => window.taluva?.page().view.placing.pinned);
const chosen = (page) => page.waitForFunction(() => window.taluva?.page().view.building.chosen);
const choice = (page) => page.evaluate(() => window.taluva.page().view.building.chosen?.text);

/** Two quick taps of one finger. @param {any} page @param {{x: number, y: number}} at */
async function tapTwice(page, at) {
  const client = await page.context().newCDPSession(page);
  const touch = (/** @type {string} */ type, /** @type {any[]} */ touchPoints) => client.send('Input.dispatchTouchEvent', { type, touchPoints });
  // Not one after the other: a busy machine would take too long for them to be one gesture.
  await Promise.all([touch('touchStart', [at]), touch('touchEnd', []), touch('touchStart', [at]), touch('touchEnd', [])]);
}

test('what a panel covers of the chosen tile comes out, and the island goes back when the tile is put away', async () => {
  const page = await table(scenes.middle(), { viewport: { width: 1024, height: 768 } });
  const covered = () =>
    page.evaluate(() => {
      const { board, placing } = window.taluva.page().view;
      const seen = placing.boxes().map((box) => [board.camera.toScreen({ x: box.left, y: box.top }), board.camera.toScreen({ x: box.right, y: box.bottom })]);
      return seen.some(([a, b]) => board.panels.some((p) => b.x > p.left && a.x < p.right && b.y > p.top && a.y < p.bottom));
    });
  const view = () => page.evaluate(() => JSON.stringify(window.taluva.page().view.board.camera.view));
  const before = await view();
  let moved = 0;
  for (const spot of await spots(page, '.spot-legal')) {
    await page.mouse.click(spot.x, spot.y);
    await pinned(page);
    assert.equal(await covered(), false, JSON.stringify(spot));
    if ((await view()) !== before) moved++;
    await page.click('.at-piece [data-focus=piece-close]');
    await page.waitForFunction(() => !window.taluva.page().view.placing.pinned);
    assert.equal(await view(), before);
  }
  assert.ok(moved > 0, 'no tile was covered');
  await done(page);
});

test('so it does after a build was chosen in the list, and by keys', async () => {
  const page = await table(scenes.builds(), { viewport: { width: 320, height: 568 } });
  const look = () => page.evaluate(() => {
    const { camera } = window.taluva.page().view.board;
    return { held: camera.held, view: JSON.stringify(camera.view) };
  });
  const before = await look();
  let moved = 0;
  const choices = await page.locator('.choice').count();
  for (let at = 0; at < choices; at++) {
    for (const choose of [() => page.click(`.choice >> nth=${at}`), () => page.keyboard.press('n')]) {
      await choose();
      await chosen(page);
      await shown(page);
      if ((await look()).view !== before.view) moved++;
      await page.focus('.board');
      await page.keyboard.press('Escape');
      await page.waitForFunction(() => !window.taluva.page().view.building.chosen);
      await shown(page);
      assert.deepEqual(await look(), before);
    }
  }
  assert.ok(moved > 0, 'nothing was out of sight');
  await page.evaluate(() => window.taluva.page().view.board.zoom(2)); // as by the button
  for (let at = 0; at < choices; at++) await page.click(`.choice >> nth=${at}`);
  await page.focus('.board');
  await page.keyboard.press('Escape');
  await shown(page);
  assert.equal((await look()).held, true, 'who has moved it by hand has it as they wanted');
  await done(page);
});

atNight('when the view is turned while a tile is chosen, the island is fitted again afterwards', async () => {
  const page = await table(scenes.middle(), { viewport: { width: 1024, height: 768 } });
  const attending = () => page.evaluate(() => Boolean(window.taluva.page().view.board.attending));
  for (const spot of await spots(page, '.spot-legal')) {
    await page.mouse.click(spot.x, spot.y);
    await pinned(page);
    if (await attending()) break;
    await page.click('.at-piece [data-focus=piece-close]');
    await page.waitForFunction(() => !window.taluva.page().view.placing.pinned);
  }
  assert.ok(await attending(), 'no tile was covered');
  await page.evaluate(() => window.taluva.page().view.board.turnNow(1));
  await page.click('.at-piece [data-focus=piece-close]');
  await page.waitForFunction(() => !window.taluva.page().view.placing.pinned);
  assert.equal(await page.evaluate(() => window.taluva.page().view.board.camera.held), false);
  await done(page);
});

atNight('the view is turned in several frames, with the same island in the end as if it was drawn at once', async () => {
  const page = await table(largest().scene, { reducedMotion: 'no-preference' });
  await still(page);
  const drawn = () => page.evaluate(() => [...window.taluva.page().view.board.island.root.children].map((part) => part.outerHTML));
  const most = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const { board } = window.taluva.page().view;
        const has = () => board.island.root.querySelectorAll('.hex').length;
        let [before, most] = [has(), 0];
        board.turned.add(() => resolve(most));
        const look = () => {
          most = Math.max(most, has() - before);
          before = has();
          requestAnimationFrame(look);
        };
        look();
        board.turnBy(1);
      }),
  );
  assert.ok(most > 0 && most <= 30, `${most} hexes in one frame`);
  await still(page);
  const inParts = await drawn();
  await page.evaluate(() => [1, -1].forEach((sixths) => window.taluva.page().view.board.turnNow(sixths)));
  assert.deepEqual(inParts, await drawn());
  await page.evaluate(() => {
    const { board } = window.taluva.page().view;
    board.turnBy(-1);
    board.island.prepare(board.sideAfter(-1), 10);
    board.finishTurn(); // by another input
  });
  await page.evaluate(() => window.taluva.page().view.board.turnNow(1));
  assert.deepEqual(await drawn(), inParts);
  await done(page);
});

atNight('the buttons come after what was chosen is painted, and need not be there to confirm it', async () => {
  const page = await table(scenes.builds());
  await still(page);
  const hidden = await page.evaluate(() => {
    const { building } = window.taluva.page().view;
    building.choose(building.choices[0]);
    return document.querySelector('.at-piece').hidden;
  });
  assert.equal(hidden, true);
  await page.waitForSelector('.at-piece .confirm');
  const [other, late] = await page.evaluate(() => {
    const { building, atPiece } = window.taluva.page().view;
    building.choose(building.choices.at(-1));
    const late = atPiece.part.due;
    document.querySelector('.board').dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' }));
    return [building.choices.at(-1).text, late];
  });
  assert.equal(late, true);
  assert.equal(await sent(page), other);
  await done(page);
});

test('Enter after a click confirms what was clicked', async () => {
  const page = await table(scenes.middle());
  const [, , spot] = await spots(page, '.spot-legal');
  await page.mouse.click(spot.x, spot.y);
  await pinned(page);
  const wanted = await placement(page);
  await page.keyboard.press('Enter');
  assert.equal(await sent(page), wanted);
  await done(page);
  const build = await table(scenes.builds());
  const all = await spots(build, '.spot-build');
  await build.mouse.click(all.at(-1).x, all.at(-1).y);
  await chosen(build);
  const built = await choice(build);
  await build.keyboard.press('Enter');
  assert.equal(await sent(build), built);
  await done(build);
});

test('a double click places and builds', async () => {
  const page = await table(scenes.middle());
  const [, spot] = await spots(page, '.spot-legal');
  await page.mouse.dblclick(spot.x, spot.y);
  const move = await sent(page);
  assert.equal(move, await placement(page));
  assert.ok(scenes.middle().moves.moves.includes(move));
  await done(page);
  const build = await table(scenes.builds());
  const [hex] = await spots(build, '.spot-build');
  await build.mouse.dblclick(hex.x, hex.y);
  assert.ok(scenes.builds().moves.moves.includes(await sent(build)));
  await done(build);
});

test('so does a double tap; on a tile that lies already it turns nothing', async () => {
  const page = await table(scenes.middle(), PHONE);
  const [, spot] = await spots(page, '.spot-legal');
  await page.touchscreen.tap(spot.x, spot.y);
  await pinned(page);
  const lies = await placement(page);
  const at = await page.evaluate(() => {
    const hex = document.querySelector('.held-tile .hex').getBoundingClientRect();
    return { x: hex.left + hex.width / 2, y: hex.top + hex.height / 2 };
  });
  await page.waitForFunction((since) => performance.now() - since > 400, await page.evaluate(() => performance.now()));
  await tapTwice(page, at);
  assert.equal(await sent(page), lies);
  await done(page);
});

atNight('a double click does not confirm what would leave nothing to build', async () => {
  const page = await table(scenes.middle());
  const [spot] = await spots(page, '.spot-danger');
  await page.mouse.dblclick(spot.x, spot.y);
  await page.waitForSelector('.verdict.is-danger');
  await page.click('.at-piece [data-focus=piece-close]');
  await page.waitForFunction(() => !window.taluva.page().view.placing.pinned);
  assert.equal(page.asked.some(({ op }) => op === 'move'), false);
  await done(page);
});

test('the buttons turn, put away and confirm', async () => {
  const page = await table(scenes.middle());
  const [spot] = await spots(page, '.spot-legal');
  await page.mouse.click(spot.x, spot.y);
  await pinned(page);
  const lies = await placement(page);
  const ways = await page.evaluate(() => {
    const { legal, at } = window.taluva.page().view.placing;
    return legal.get(`${at.q},${at.r}`).size;
  });
  await page.click('.at-piece [data-focus=piece-right]');
  if (ways > 1) assert.notEqual(await placement(page), lies);
  assert.equal(await page.evaluate(() => window.taluva.page().view.placing.verdict), 'legal', 'to where it may lie');
  await page.click('.at-piece [data-focus=piece-left]');
  assert.equal(await placement(page), lies);
  await page.click('.at-piece [data-focus=piece-close]');
  await page.waitForSelector('.at-piece', { state: 'hidden' });
  assert.ok(await page.evaluate(() => document.activeElement.matches('.board')), 'the focus is on the island');
  await page.mouse.click(spot.x, spot.y);
  await pinned(page);
  await page.click('.at-piece .confirm');
  assert.equal(await sent(page), await placement(page));
  await done(page);
});

/** What is wrong with where the buttons lie. @param {any} page */
const misplaced = (page) =>
  page.evaluate(() => {
    const bar = document.querySelector('.at-piece');
    if (bar.hidden) return ['hidden'];
    const bad = [];
    const box = bar.getBoundingClientRect();
    const board = document.querySelector('.board').getBoundingClientRect();
    const meets = (other) => box.left < other.right && box.right > other.left && box.top < other.bottom && box.bottom > other.top;
    if (box.left < board.left || box.right > board.right || box.top < board.top || box.bottom > board.bottom) bad.push('outside');
    for (const part of document.querySelectorAll('.held-tile .top, .spot-chosen'))
      if (meets(part.getBoundingClientRect())) bad.push(`over ${part.getAttribute('class')}`);
    for (const panel of document.querySelectorAll('.table-bar, .cards, .side, .view-buttons'))
      if (panel.getBoundingClientRect().height && meets(panel.getBoundingClientRect())) bad.push(`over ${panel.className}`);
    for (const button of bar.querySelectorAll('button')) {
      const { width, height } = button.getBoundingClientRect();
      if (width < 44 || height < 44) bad.push(`small: ${width} x ${height}`);
    }
    return bad;
  });

for (const [screen, options] of Object.entries(someOf({
  wide: {},
  phone: PHONE,
  'on its side': { ...PHONE, viewport: { width: 844, height: 390 } },
  small: { ...PHONE, viewport: { width: 320, height: 568 } },
}, 'small'))) {
  test(`the buttons lie beside the piece, in the view, over nothing: ${screen}`, async () => {
    const page = await table(scenes.late(), options);
    const all = await spots(page, '.spot-legal');
    assert.ok(all.length > 5);
    for (const { x, y } of all.filter((_, i) => i % 3 === 0)) {
      await page.mouse.click(x, y);
      await pinned(page);
      await still(page);
      assert.deepEqual(await misplaced(page), [], `${x}, ${y}`);
      await page.click('.at-piece [data-focus=piece-close]');
      await page.waitForFunction(() => !window.taluva.page().view.placing.pinned);
    }
    await page.mouse.click(all[0].x, all[0].y);
    await pinned(page);
    await page.click('.view-buttons button >> nth=0'); // closer: it follows the piece
    await still(page);
    const after = await misplaced(page);
    assert.ok(after.length === 0 || after[0] === 'hidden', after.join());
    await done(page);
    const build = await table(scenes.builds(), options);
    await build.click('.choice >> nth=0');
    await chosen(build);
    await still(build);
    assert.deepEqual(await misplaced(build), []);
    await done(build);
  });
}

atNight('pointing at a choice, or focusing it, lights its hexes; pointing at a hex lights its choices', async () => {
  const scene = scenes.builds();
  const page = await table(scene);
  const [move] = Object.keys(scene.moves.huts).filter((word) => word.startsWith('expand'));
  const many = Object.keys(scene.moves.huts[move]).length;
  const lit = (n) => page.waitForFunction((wanted) => document.querySelectorAll('.spot-lit').length === wanted, n);
  await page.hover(`[data-move="${move}"]`);
  await lit(many);
  await page.mouse.move(640, 790);
  await lit(0);
  await page.focus(`[data-move="${move}"]`);
  await lit(many);
  await page.focus('.board');
  await lit(0);
  const [hex] = await spots(page, '.spot-build');
  await page.mouse.move(hex.x, hex.y);
  await page.waitForSelector('.choice.is-lit');
  const wanted = await page.evaluate(() => window.taluva.page().view.building.lit.text);
  assert.ok((await page.$$eval('.choice.is-lit', (all) => all.map((one) => one.dataset.move))).includes(wanted));
  const { inside } = await page.evaluate(() => {
    const [list, one] = ['.choices', '.choice.is-lit'].map((name) => document.querySelector(name).getBoundingClientRect());
    return { inside: one.top >= list.top - 1 && one.bottom <= list.bottom + 1 };
  });
  assert.ok(inside, 'and is scrolled into the list');
  await page.mouse.move(640, 790);
  await page.waitForSelector('.choice.is-lit', { state: 'detached' });
  await done(page);
});

atNight('a hex with several builds offers them beside it', async () => {
  const scene = scenes.builds();
  const [expand] = Object.keys(scene.moves.huts).filter((word) => word.startsWith('expand'));
  const [key] = Object.keys(scene.moves.huts[expand]);
  scene.moves.moves.push(`tower@${key}`);
  const page = await table(scene);
  await page.click(`[data-move="tower@${key}"]`);
  await chosen(page);
  assert.equal(await page.locator('.at-piece .other').count(), 2);
  await page.click('.at-piece .other[aria-pressed=false]');
  await page.waitForFunction((wanted) => window.taluva.page().view.building.chosen.text === wanted, expand);
  await page.click('.at-piece .confirm');
  assert.equal(await sent(page), expand);
  await done(page);
});

test('a choice in the list is confirmed by a second Enter or a double click', async () => {
  for (const act of [
    async (page) => {
      await page.focus('.choice >> nth=1');
      await page.keyboard.press('Enter');
      await chosen(page);
      assert.equal(page.asked.some(({ op }) => op === 'move'), false);
      await page.keyboard.press('Enter');
    },
    (page) => page.dblclick('.choice >> nth=1'),
  ]) {
    const page = await table(scenes.builds());
    const move = await page.getAttribute('.choice >> nth=1', 'data-move');
    await act(page);
    assert.equal(await sent(page), move);
    await done(page);
  }
});

atNight('places are told in words', async () => {
  const COORDINATES = /\d, ?[−-]?\d/;
  for (const locale of ['en-GB', 'fr-FR', 'zh-CN']) {
    const build = await table(scenes.builds(), { locale });
    const texts = await build.locator('.choice').allTextContents();
    assert.ok(texts.length > 5);
    for (const text of texts) assert.doesNotMatch(text, COORDINATES);
    if (locale === 'en-GB') assert.ok(texts.some((text) => /on sand .*beside your temple/.test(text)), texts.join('\n'));
    await done(build);
    const page = await table(scenes.middle(), { locale });
    const [spot] = await spots(page, '.spot-legal');
    await page.mouse.click(spot.x, spot.y);
    await page.waitForSelector('.verdict.is-legal');
    assert.doesNotMatch(await page.textContent('.verdict'), COORDINATES);
    await done(page);
  }
});

atNight('a choice shows at once: the list is not made anew for it, and what breathes needs no painting', async () => {
  const page = await table(scenes.builds(), { reducedMotion: 'no-preference' });
  const [spot] = await spots(page, '.spot-build');
  await page.evaluate(() => {
    window.made = 0;
    const make = Document.prototype.createElement;
    Document.prototype.createElement = function (tag, ...more) {
      if (tag === 'li') window.made++;
      return make.call(this, tag, ...more);
    };
  });
  await page.mouse.move(spot.x, spot.y);
  await page.waitForSelector('.choice.is-lit');
  await page.mouse.click(spot.x, spot.y);
  await page.waitForSelector('.choice[aria-pressed=true]');
  assert.equal(await page.locator('.choice[aria-pressed=true]').count(), 1);
  assert.equal(await page.getAttribute('.choice[aria-pressed=true]', 'data-move'), await choice(page));
  assert.equal(await page.evaluate(() => window.made), 0);
  const changing = await page.evaluate(() =>
    document
      .querySelector('.spot-chosen .spot-rim')
      .getAnimations()
      .flatMap(({ effect }) => effect.getKeyframes().flatMap((frame) => Object.keys(frame))),
  );
  assert.deepEqual([...new Set(changing)].filter((name) => !/^(offset|computedOffset|easing|composite)$/.test(name)), ['opacity']);
  await page.click('.kind[data-verb=expand]');
  await page.waitForFunction(() => [...document.querySelectorAll('.choice')].every((one) => one.matches('.verb-expand')));
  assert.notEqual(await page.evaluate(() => window.made), 0);
  await done(page);
});
