// Placing a tile on a large island stays calm: places near the pointer are shown, the rest on request; craters that may erupt
// glow, and what would be crushed is told before. Also the marks that must not hide or lose anything.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { launch } from './lib/chromium.mjs';
import { atNight } from './lib/night.mjs';
import { spots, still } from './lib/player.mjs';
import { scenes } from './lib/scenes.mjs';
import { serveFiles } from './lib/stage.mjs';
import { done, openTable } from './lib/visit.mjs';

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

/** A late island on which every low volcano may erupt, too. */
function erupting() {
  const scene = scenes.late();
  const { hexes, turn } = scene.state.table;
  const volcanoes = Object.keys(hexes).filter((key) => /^[12]V/.test(hexes[key]));
  scene.moves.moves.push(...volcanoes.flatMap((key) => [0, 2].map((k) => `${turn.tile}@${key}:${k}`)));
  return { scene, volcanoes };
}

/** Places that are drawn large enough to be noticed. @param {any} page */
const noticed = (page) =>
  page.evaluate(
    () =>
      [...document.querySelectorAll('.spot')].filter(
        (spot) => getComputedStyle(spot).opacity > 0.6 && !spot.matches('.erupts'),
      ).length,
  );

test('places near the pointer are shown, the rest on request', async () => {
  const { scene } = erupting();
  const page = await table(scene);
  const total = await page.locator('.spot:not(.erupts)').count();
  assert.ok(total > 30, `${total} places`);
  assert.equal(await noticed(page), 0, 'without a pointer');
  const [place] = await spots(page, '.spot-legal:not(.erupts)');
  await page.mouse.move(place.x, place.y);
  await page.waitForFunction(() => document.querySelector('.spot:not(.far)'));
  const near = await noticed(page);
  assert.ok(near > 0 && near < total / 2, `${near} of ${total}`);
  await page.click('button[aria-label="Show all places for the tile"]');
  assert.equal(await noticed(page), total);
  await page.focus('.board');
  await page.keyboard.press('a');
  await page.mouse.move(place.x, place.y);
  assert.ok((await noticed(page)) < total / 2, 'and away again');
  await done(page);
});

atNight('where there are few places all are shown', async () => {
  const scene = scenes.early();
  scene.moves.moves = scene.moves.moves.slice(0, 12);
  scene.moves.eliminating = [];
  const page = await table(scene);
  assert.equal(await noticed(page), await page.locator('.spot').count());
  assert.ok(await page.locator('button[aria-label="Show all places for the tile"]').isHidden());
  await done(page);
});

test('craters that may erupt glow', async () => {
  const { scene, volcanoes } = erupting();
  const page = await table(scene);
  assert.equal(await page.locator('.spot.erupts .glow').count(), volcanoes.length);
  assert.ok(await page.$eval('.spot.erupts', (spot) => getComputedStyle(spot).opacity > 0.6), 'wherever the pointer is');
  await done(page);
});

test('what an eruption would crush is shown and told before it happens', async () => {
  const { scene } = erupting();
  const { hexes } = scene.state.table;
  const page = await table(scene);
  const wanted = await page.evaluate(async (land) => {
    const { footprint, placementOf, readCell } = await import('/js/games/taluva/notation.js');
    const { placing } = window.taluva.page().view;
    for (const [key, ways] of placing.legal) {
      if (!land[key]) continue;
      const [q, r] = key.split(',').map(Number);
      const under = (k) =>
        footprint(placementOf(placing.tile, { q, r }, k))
          .map((hex) => land[`${hex.q},${hex.r}`])
          .filter((token) => token && readCell(token).kind === 'h')
          .map((token) => readCell(token).count);
      for (const k of ways) if (under(k).length) return { key, k, counts: under(k) };
    }
    return null;
  }, hexes);
  assert.ok(wanted, 'there is such a place');
  await page.evaluate(({ k }) => {
    const { placing } = window.taluva.page().view;
    placing.rotate(k - placing.k);
  }, wanted);
  const at = await page.evaluate(async ({ key }) => {
    const { board } = window.taluva.page().view;
    const { pointOf } = await import('/js/games/taluva/iso.js');
    const [q, r] = key.split(',').map(Number);
    const { x, y } = board.camera.toScreen(pointOf({ q, r }, board.island.levelOf(key), 0));
    const box = board.element.getBoundingClientRect();
    return { x: x + box.left, y: y + box.top };
  }, wanted);
  await page.mouse.move(at.x, at.y);
  await page.waitForSelector('.crush');
  assert.deepEqual(await page.locator('.crush text').allTextContents(), wanted.counts.map((n) => `−${n}`));
  await page.mouse.click(at.x, at.y);
  await page.waitForSelector('.verdict.is-legal:has-text("It crushes")');
  await page.keyboard.press('Escape');
  await page.mouse.move(640, 790);
  await page.waitForSelector('.crush', { state: 'detached' });
  await done(page);
});

atNight('the cursor lies on top of a tile that is held over the island', async () => {
  const { scene, volcanoes } = erupting();
  const page = await table(scene);
  await page.focus('.board');
  for (let i = 0; i < 200; i++) {
    await page.keyboard.press('n');
    const at = await page.evaluate(() => window.taluva.page().view.placing.at);
    if (volcanoes.includes(`${at.q},${at.r}`)) break;
  }
  await page.waitForSelector('.cursor-ink');
  const off = await page.evaluate(async () => {
    const { board, placing } = window.taluva.page().view;
    const { pointOf } = await import('/js/games/taluva/iso.js');
    const [, y] = /translate\(\S+ (\S+)\)/.exec(document.querySelector('.cursor [role=img]').getAttribute('transform'));
    return Math.abs(Number(y) - pointOf(placing.at, placing.level, board.camera.turn).y);
  });
  assert.ok(off < 1, `${off} units off`);
  await done(page);
});

atNight('whoever opens a table is on the island at once, without a frame before a key is pressed', async () => {
  const page = await table(scenes.middle());
  await page.waitForFunction(() => document.activeElement?.matches('.board'));
  assert.equal(await page.$eval('.board', (board) => getComputedStyle(board).outlineStyle), 'none');
  assert.equal(await page.locator('.cursor-ink').count(), 0);
  await page.keyboard.press('ArrowRight');
  await page.waitForSelector('.cursor-ink');
  assert.notEqual(await page.$eval('.board', (board) => getComputedStyle(board).outlineStyle), 'none');
  await done(page);
});

atNight('the outlines of the last moves lie under the numerals', async () => {
  const page = await table(scenes.late());
  const under = await page.evaluate(() => {
    const [last, numeral] = [document.querySelector('.last-tile'), document.querySelector('.level-disc')];
    return Boolean(last.compareDocumentPosition(numeral) & Node.DOCUMENT_POSITION_FOLLOWING) && last.ownerSVGElement === numeral.ownerSVGElement;
  });
  assert.ok(under);
  await done(page);
});

atNight('on a dark panel the pieces of each player stand out', async () => {
  const page = await table(scenes.late(), { colorScheme: 'dark' });
  const contrasts = await page.evaluate(() => {
    const light = (colour) => {
      const [r, g, b] = colour.match(/[\d.]+/g).map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    return [...document.querySelectorAll('.card')].map((card) => {
      const panel = light(getComputedStyle(card).backgroundColor);
      const fills = [...card.querySelectorAll('.piece-icon :is(.own-l, .own-m)')].map((part) => light(getComputedStyle(part).fill));
      return (Math.max(...fills) + 0.05) / (panel + 0.05);
    });
  });
  assert.equal(contrasts.length, 5);
  assert.ok(Math.min(...contrasts) > 3, `${contrasts}`);
  await done(page);
});

atNight('forced colours keep the card of whose turn it is', async () => {
  const page = await table(scenes.middle(), { forcedColors: 'active' });
  const outline = (selector) => page.$eval(selector, (card) => getComputedStyle(card).outlineStyle);
  assert.equal(await outline('.card.acts'), 'solid');
  assert.equal(await outline('.card:not(.acts)'), 'none');
  await done(page);
});

const PHONE = { hasTouch: true, isMobile: true };

for (const viewport of [{ width: 390, height: 844 }, { width: 320, height: 568 }]) {
  test(`late in a game on a phone ${viewport.width} wide: places can be seen and hit, and what is chosen is shown closer`, async () => {
    const page = await table(scenes.late(), { ...PHONE, viewport });
    const wide = await page.$$eval('.spot:not(.far), .spot-legal', (all) => all.map((spot) => spot.getBoundingClientRect().width));
    assert.ok(wide.length > 10 && Math.min(...wide) >= 10, `${Math.min(...wide)} px`);
    const seen = () =>
      page.evaluate(async () => {
        const { HALF } = await import('/js/games/taluva/iso.js');
        const { board, placing } = window.taluva.page().view;
        return { hex: 2 * HALF * board.camera.scale, turn: board.camera.turn, at: placing.at && `${placing.at.q},${placing.at.r}` };
      });
    const before = await seen();
    if (viewport.width === 390) assert.ok(before.hex > 32 && before.turn !== 0, `it was turned to be seen larger: ${before.hex} px`);
    // beside a place, where a thumb lands
    const spot = await page.evaluate(async () => {
      const { pointOf } = await import('/js/games/taluva/iso.js');
      const { board, placing } = window.taluva.page().view;
      const box = board.element.getBoundingClientRect();
      const places = [...placing.legal].filter(([, ways]) => ways.has(placing.k)).map(([key]) => {
        const [q, r] = key.split(',').map(Number);
        const { x, y } = board.camera.toScreen(pointOf({ q, r }, board.island.levelOf(key), board.camera.turn));
        return { key, x, y };
      });
      const apart = (one) => Math.min(...places.filter((other) => other !== one).map((other) => Math.hypot(one.x - other.x, one.y - other.y)));
      const [lone] = places.filter(({ y }) => y > 20 && y < box.height - 90).sort((a, b) => apart(b) - apart(a));
      return { key: lone.key, x: lone.x + box.left, y: lone.y + box.top, off: 6 };
    });
    await page.touchscreen.tap(spot.x, spot.y + spot.off);
    await page.waitForFunction(() => window.taluva.page().view.placing.pinned);
    const near = await seen();
    assert.equal(near.at, spot.key, 'beside its middle');
    assert.ok(near.hex >= 40, `${near.hex} px`);
    await page.tap('.at-piece button[aria-label="Not there"]');
    await page.waitForFunction(() => !window.taluva.page().view.placing.pinned);
    assert.deepEqual((await seen()).hex, before.hex, 'all is seen again');
    await done(page);
  });
}

test('what is chosen where all of it is seen is shown closer too, where it is, and all is seen again when it is put away', async () => {
  const page = await table(scenes.late(), { ...PHONE, viewport: { width: 390, height: 1200 } });
  const found = await page.evaluate(() => {
    const { board, placing } = window.taluva.page().view;
    const { camera } = board;
    const before = JSON.stringify(camera.view);
    const off = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);
    for (const [key, ways] of placing.legal) {
      const [q, r] = key.split(',').map(Number);
      for (const k of ways) {
        Object.assign(placing, { at: { q, r }, k, pinned: true });
        const boxes = placing.boxes();
        const side = (name, most) => Math[most](...boxes.map((box) => box[name]));
        const middle = { x: (side('left', 'min') + side('right', 'max')) / 2, y: (side('top', 'min') + side('bottom', 'max')) / 2 };
        const [was, scale] = [camera.toScreen(middle), camera.scale];
        placing.look();
        if (camera.scale > scale && off(camera.toScreen(middle), was) < 1) return { before, scale: camera.scale };
        placing.lift();
      }
    }
    return null;
  });
  assert.ok(found, 'each place was out of sight');
  await still(page);
  assert.equal(await page.evaluate(() => window.taluva.page().view.board.drawn.scale), found.scale, 'it is drawn so');
  await page.tap('.at-piece button[aria-label="Not there"]');
  await page.waitForFunction(() => !window.taluva.page().view.placing.pinned);
  assert.equal(await page.evaluate(() => JSON.stringify(window.taluva.page().view.board.camera.view)), found.before);
  await done(page);
});
