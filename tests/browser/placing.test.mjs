// The tile in hand, against a mock server: it follows the pointer and snaps to the grid, is turned by wheel, tap and button, says why a
// placement is illegal and what it would cost, and is sent as the protocol says. Also the marks on the island.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { launch } from './lib/chromium.mjs';
import { atNight } from './lib/night.mjs';
import { shown, spots, still } from './lib/player.mjs';
import { largest, scenes } from './lib/scenes.mjs';
import { serveFiles } from './lib/stage.mjs';
import { until } from './lib/until.mjs';
import { done, openTable } from './lib/visit.mjs';

const MOST_TOUCHED = 60; // by a key: the tile, the places whose look changes, and words
const MOST_MADE = 32;
const MOST_MADE_TURNED = 70; // with the tile, on the island and in the hand; 43, and 20 more where hand and buttons are drawn once again

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

const placing = (page) =>
  page.evaluate(() => {
    const { tile, k, at, pinned, verdict, reason } = window.taluva.page().view.placing;
    return { tile, k, at, pinned, verdict, reason };
  });

/** Waits until the tile is placed like this. @param {any} page @param {{[name: string]: any}} wanted of `placing` */
const lies = (page, wanted) =>
  page.waitForFunction((all) => {
    const { placing } = window.taluva.page().view;
    return Object.entries(all).every(([name, value]) => placing[name] === value);
  }, wanted);

/** Waits until what the page has asked is answered, and drawn. @param {any} page */
async function answered(page) {
  await shown(page);
  await page.evaluate(() => window.taluva.wire.ask('ping'));
  await shown(page);
}

/** Waits until the page has sent a request of this kind. @param {any} page @param {(message: any) => boolean} fits */
async function asked(page, fits) {
  await until(() => page.asked.some(fits), () => JSON.stringify(page.asked));
  return page.asked.find(fits);
}

test('it follows the pointer and snaps to legal spots', async () => {
  const page = await table(scenes.middle());
  const [spot] = await spots(page, '.spot-legal');
  await page.mouse.move(spot.x + 9, spot.y - 7);
  await lies(page, { verdict: 'legal', pinned: false }); // a click near the spot still counts
  await page.mouse.move(640, 380);
  await lies(page, { verdict: 'illegal', pinned: false });
  await page.waitForSelector('.held-tile.is-illegal');
  await done(page);
});

test('the wheel, the keys, the buttons and a tap on it turn it; legal spots are marked for how it is turned', async () => {
  const page = await table(scenes.middle());
  const marks = async () =>
    (await spots(page, '.spot-legal')).map(({ x, y }) => `${Math.round(x)},${Math.round(y)}`).join(' ');
  const before = await marks();
  await page.mouse.move(640, 380);
  const { scale } = await page.evaluate(() => window.taluva.page().view.board.camera);
  await page.evaluate(() => {
    window.wheeled = 0;
    addEventListener('wheel', ({ deltaY }) => (window.wheeled += deltaY), { passive: true });
  });
  await page.mouse.wheel(0, 100);
  await page.waitForFunction(() => window.wheeled >= 100); // the number of events does not matter
  const { k } = await placing(page);
  assert.notEqual(k, 0);
  assert.equal(await page.evaluate(() => window.taluva.page().view.board.camera.scale), scale, 'and does not zoom');
  assert.notEqual(await marks(), before);
  await page.focus('.board');
  await page.keyboard.press('r');
  await lies(page, { k: (k + 1) % 6 });
  await page.keyboard.press('R');
  await lies(page, { k });
  await page.click('.held .round >> nth=0');
  await lies(page, { k: (k + 5) % 6 });
  const [spot] = await spots(page, '.spot-turn');
  await page.mouse.click(spot.x, spot.y);
  await lies(page, { pinned: true, verdict: 'legal' }); // put where it fits only when turned, it turns by itself
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, 100);
  await page.keyboard.up('Control');
  await page.waitForFunction((old) => window.taluva.page().view.board.camera.scale !== old, scale);
  await done(page);
});

atNight('a press counts although the panel is drawn anew while it lasts', async () => {
  const page = await table(scenes.middle());
  const { k } = await placing(page);
  await page.evaluate(() => {
    for (const kind of ['pointerdown', 'pointerup'])
      addEventListener(kind, () => window.taluva.page().redraw(), { capture: true });
  });
  await page.click('.held .round >> nth=1', { delay: 120 });
  await lies(page, { k: (k + 1) % 6 });
  await page.focus('.hand .tile-button');
  await page.evaluate(() => window.taluva.page().redraw());
  assert.ok(await page.evaluate(() => document.activeElement.matches('.tile-button')), 'and the focus stays');
  await done(page);
});

atNight('what changes nothing on the table takes no tile out of the hand', async () => {
  const page = await table(scenes.middle());
  const [spot] = await spots(page, '.spot-legal');
  await page.mouse.click(spot.x, spot.y);
  await lies(page, { pinned: true });
  const event = { kind: 'offered', seat: 1, what: 'pause' };
  page.tell({ push: 'event', room: 'k3m9x0aq', seq: 101, at: 0, event, patch: { offers: { pause: { 1: true } } } });
  await page.waitForFunction(() => window.taluva?.room().state.offers);
  await still(page);
  await lies(page, { pinned: true });
  assert.equal(page.asked.filter(({ op }) => op === 'moves').length, 1, 'and is not asked for again');
  await done(page);
});

test('where it may not lie it says why and cannot be confirmed', async () => {
  const page = await table(scenes.middle());
  await page.mouse.click(640, 380);
  await page.waitForSelector('.verdict.is-illegal:has-text("not all on the same level")');
  assert.ok(await page.isDisabled('.hand .confirm'));
  await asked(page, ({ op, move }) => op === 'check' && move);
  await page.click('.hand .plain');
  await lies(page, { pinned: false });
  await done(page);
});

test('where it fits only turned it says so, at once, on a phone too', async () => {
  for (const options of [{}, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }]) {
    const page = await table(scenes.middle(), options);
    const key = await page.evaluate(() => {
      const { placing } = window.taluva.page().view;
      return [...placing.legal].find(([, ways]) => ways.size === 1)[0];
    });
    await page.evaluate((at) => {
      const { placing } = window.taluva.page().view;
      const [q, r] = at.split(',').map(Number);
      placing.explain = () => new Promise(() => undefined); // the server does not answer
      placing.tap({ q, r });
    }, key);
    await lies(page, { pinned: true, fitsTurned: false });
    await page.click('.hand [data-focus=right]');
    await lies(page, { pinned: true, fitsTurned: true });
    await page.waitForSelector('.verdict.is-illegal:has-text("Turn the tile: it fits here.")');
    const { x, y, width, height } = await page.locator('.verdict').boundingBox();
    const view = page.viewportSize();
    assert.ok(x >= 0 && y >= 0 && x + width <= view.width && y + height <= view.height, 'it is seen');
    await done(page);
  }
});

test('a key touches few elements on the largest island, and makes the tile anew only when that is turned', async () => {
  const page = await table(largest().scene);
  await page.focus('.board');
  await answered(page);
  await page.evaluate(() => {
    window.touched = { elements: new Set(), made: 0 };
    for (const name of ['createElement', 'createElementNS']) {
      const create = document[name];
      document[name] = (...what) => {
        window.touched.made++;
        return create.apply(document, what);
      };
    }
    new MutationObserver((records) => {
      for (const { target } of records) window.touched.elements.add(target);
    }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
  });
  /** @param {string} key @returns what it touched until all is drawn, what the server answers too */
  const touched = async (key) => {
    await page.evaluate(() => {
      window.touched.elements.clear();
      window.touched.made = 0;
    });
    await page.keyboard.press(key);
    await answered(page);
    return page.evaluate(() => ({ elements: window.touched.elements.size, made: window.touched.made, k: window.taluva.page().view.placing.k }));
  };
  let before = 0;
  for (const key of ['n', 'n', 'n', 'n', 'r', 'R', 'ArrowRight', 'ArrowLeft', 'n']) {
    const { elements, made, k } = await touched(key);
    assert.ok(elements <= MOST_TOUCHED && made <= (k === before ? MOST_MADE : MOST_MADE_TURNED), `${key}: ${elements} elements touched, ${made} made`);
    before = k;
  }
  await done(page);
});

test('what would leave nothing to build warns, and takes a confirmation of its own', async () => {
  const page = await table(scenes.middle());
  const [spot] = await spots(page, '.spot-danger');
  await page.mouse.click(spot.x, spot.y);
  await page.waitForSelector('.verdict.is-danger');
  assert.match(await page.textContent('.verdict'), /build nothing/);
  assert.match(await page.textContent('.hand .confirm'), /be out/);
  await page.click('.hand .confirm');
  const sent = await asked(page, ({ op }) => op === 'move');
  assert.equal(sent.confirm, true);
  await done(page);
});

atNight('what is harmless is sent without it', async () => {
  const page = await table(scenes.middle());
  const [spot] = await spots(page, '.spot-legal');
  await page.mouse.click(spot.x, spot.y);
  await page.click('.hand .confirm');
  const sent = await asked(page, ({ op }) => op === 'move');
  assert.equal('confirm' in sent, false);
  assert.ok(scenes.middle().moves.moves.includes(sent.move));
  await done(page);
});

test('an expansion shows every hut it would set, and its cost', async () => {
  const scene = scenes.builds();
  const page = await table(scene);
  const [move] = Object.keys(scene.moves.huts).filter((word) => word.startsWith('expand'));
  const huts = Object.values(scene.moves.huts[move]);
  await page.click('.choice.verb-expand');
  await page.waitForSelector('.preview:not(.faint)');
  assert.equal(await page.locator('.preview:not(.faint)').count(), huts.length);
  const total = huts.reduce((sum, n) => sum + n, 0);
  await page.waitForSelector('.verdict.is-legal');
  assert.match(await page.textContent('.verdict'), new RegExp(`\\b${total} huts`));
  const drawn = await page.locator('.preview:not(.faint) .door').count();
  assert.equal(drawn, total, 'hut by hut');
  await page.click('.hand .confirm');
  assert.equal((await asked(page, ({ op }) => op === 'move')).move, move);
  await done(page);
});

test('tapping a hex goes through what may be built there; where nothing may, it says why', async () => {
  const page = await table(scenes.builds());
  const [spot] = await spots(page, '.spot-build');
  await page.mouse.click(spot.x, spot.y);
  await page.waitForSelector('.verdict.is-legal');
  await page.mouse.click(640, 700);
  await page.waitForSelector('.verdict.is-illegal');
  assert.match((await asked(page, ({ op }) => op === 'check')).move, /^hut@/);
  await done(page);
});

atNight('settlements are outlined on hover and on tap, and the last moves are marked', async () => {
  const scene = { ...scenes.middle(), seat: undefined };
  const page = await table(scene);
  assert.ok((await page.locator('.last-tile').count()) >= 2);
  const towns = (n) => page.waitForFunction((wanted) => document.querySelectorAll('.town .ink').length === wanted, n);
  const at = await page.evaluate(async () => {
    const { board } = window.taluva.page().view;
    const { pointOf } = await import('/js/games/taluva/iso.js');
    const { hexOf } = await import('/js/games/taluva/hexes.js');
    const [key, { cell }] = [...board.island.hexes].find(([, hex]) => hex.cell.kind === 'h');
    const { x, y } = board.camera.toScreen(pointOf(hexOf(key), cell.level, 0));
    const box = board.element.getBoundingClientRect();
    return { x: x + box.left, y: y + box.top };
  });
  await towns(0);
  await page.mouse.move(at.x, at.y);
  await towns(1);
  await page.mouse.move(640, 790);
  await towns(0);
  await page.mouse.click(at.x, at.y);
  await towns(1);
  await done(page);
});

test('the view turns by sixths and everything turns with it; six turns are none', async () => {
  const page = await table(scenes.box());
  const look = async () => {
    await still(page); // the view has been turned
    return page.evaluate(() => document.querySelector('.board .layer').innerHTML);
  };
  const before = await look();
  const seen = new Set([before]);
  for (let i = 0; i < 5; i++) {
    await page.click('.view-buttons button[aria-label="Turn the view right"]');
    seen.add(await look());
  }
  assert.equal(seen.size, 6);
  await page.click('.view-buttons button[aria-label="Turn the view right"]');
  assert.equal(await look(), before);
  await done(page);
});

atNight('with motion the picture is rotated, and the result is the same', async () => {
  const quiet = await table(scenes.box());
  await quiet.click('.view-buttons button[aria-label="Turn the view left"]');
  const moving = await table(scenes.box(), { reducedMotion: 'no-preference' });
  await moving.click('.view-buttons button[aria-label="Turn the view left"]');
  const look = async (page) => {
    await page.waitForFunction(() => window.taluva?.page().view.board.camera.turn === 5);
    await still(page);
    return page.evaluate(() => document.querySelector('.board .layer').innerHTML);
  };
  assert.equal(await look(moving), await look(quiet));
  await done(quiet);
  await done(moving);
});
