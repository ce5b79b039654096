// Where something is, in words: at the keyboard's cursor, in the log and in each language; north is up, however the view is turned. And the frame
// around the board, which is for whoever uses keys.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { launch, visitor } from './lib/chromium.mjs';
import { atNight, someOf } from './lib/night.mjs';
import { shown } from './lib/player.mjs';
import { scenes } from './lib/scenes.mjs';
import { playServer, serveFiles } from './lib/stage.mjs';
import { scenes as totemScenes } from './lib/totem.mjs';
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

/** The label of the cursor on the board, when all that has changed is drawn. @param {any} page */
const cursor = async (page) => {
  await shown(page);
  return page.evaluate(() => {
    const id = document.querySelector('.board').getAttribute('aria-activedescendant');
    return (id && document.getElementById(id)?.getAttribute('aria-label')) ?? '';
  });
};

/** Turns the view to the other side. @param {any} page */
async function turnAround(page) {
  for (let turn = 1; turn <= 3; turn++) {
    await page.keyboard.press('t');
    await page.waitForFunction((now) => {
      const { board } = window.taluva.page().view;
      return board.camera.turn === now && !board.spinning;
    }, turn);
  }
}

for (const [language, where] of Object.entries(someOf({
  en: /in the (north|south|east|west|middle)/,
  fr: /(au|à l’)\s?(nord|sud|est|ouest|milieu)/,
  zh: /[东南西北中][东南西北]?[边部]/,
  'zh-TW': /[東南西北中][東南西北]?[邊部]/,
}, 'en')))
  test(`the cursor says where it is in words, not in numbers: ${language}`, async () => {
    const page = await openTable(browser, files.url, scenes.middle(), { locale: language });
    await page.focus('.board');
    const labels = new Set();
    for (const key of ['Home', ...Array(6).fill('ArrowRight'), ...Array(4).fill('ArrowUp'), ...Array(9).fill('ArrowLeft')]) {
      await page.keyboard.press(key);
      const label = await cursor(page);
      assert.match(label, where);
      assert.doesNotMatch(label, /[−-]?\d+, [−-]?\d+/);
      labels.add(label);
    }
    assert.ok(labels.size > 8, 'it tells most places from each other');
    if (language === 'en') assert.ok([...labels].some((label) => /beside /.test(label)));
    await done(page);
  });

atNight('north is up, however the view is turned', async () => {
  const page = await openTable(browser, files.url, scenes.middle());
  await page.focus('.board');
  const { key, facing } = await page.evaluate(() => {
    const { hexes } = window.taluva.room().state.table;
    const volcano = Object.entries(hexes).filter(([, token]) => token[1] === 'V').sort(([a], [b]) => Number(a.split(',')[1]) - Number(b.split(',')[1]))[0];
    return { key: volcano[0], facing: Number(volcano[1][2]) };
  });
  const compass = ['east', 'south-east', 'south-west', 'west', 'north-west', 'north-east'];
  const go = () =>
    page.evaluate((at) => {
      const [q, r] = at.split(',').map(Number);
      window.taluva.page().view.cursor.go({ q, r });
    }, key);
  await go();
  assert.match(await cursor(page), new RegExp(`facing ${compass[facing]}, in the north`));
  await turnAround(page);
  await go();
  assert.match(await cursor(page), new RegExp(`facing ${compass[(facing + 3) % 6]}, in the south`));
  await done(page);
});

atNight('what is written already is said anew when the view is turned', async () => {
  const page = await visitor(browser, { reducedMotion: 'reduce' });
  await playServer(page, scenes.analysed());
  await page.goto(`${files.url}#/r/k3m9x0aq`);
  await page.waitForFunction(() => document.querySelectorAll('.events li').length > 20);
  const faces = () => page.$$eval('.events li', (all) => all.flatMap((one) => /facing ([a-z-]+)/.exec(one.textContent)?.[1] ?? []));
  const before = await faces();
  await page.focus('.board');
  await turnAround(page);
  const opposite = { east: 'west', west: 'east', 'north-east': 'south-west', 'south-west': 'north-east', 'north-west': 'south-east', 'south-east': 'north-west' };
  assert.deepEqual(await faces(), before.map((one) => opposite[one]));
  await done(page);
});

atNight('French says “vers l’est”', async () => {
  const page = await openTable(browser, files.url, scenes.middle(), { locale: 'fr' });
  await page.focus('.board');
  await page.keyboard.press('n');
  await page.waitForSelector('.verdict.is-legal, .verdict.is-danger');
  const words = new Set();
  for (let i = 0; i < 12; i++) {
    await page.keyboard.press('n');
    words.add(await page.evaluate(() => window.taluva.page().view.hand.verdictWords()));
  }
  const told = [...words].filter((text) => text.includes('orientée'));
  assert.ok(told.length > 2, `${[...words]}`);
  for (const text of told) assert.match(text, /orientée vers l’(est|ouest)|orientée vers le (nord|sud)-(est|ouest)/);
  await done(page);
});

/** The width of the frame around the board. @param {any} page */
const frame = (page) =>
  page.$eval('.board', (board) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(board);
    return outlineStyle === 'none' ? '0px' : outlineWidth;
  });

for (const [game, scene] of [
  ['Taluva', scenes.middle],
  ['Totem', totemScenes.settle],
])
  test(`a link to a table of ${game} is opened: the focus is on the board, and its frame appears with the first key`, async () => {
    const page = await visitor(browser, { reducedMotion: 'reduce' });
    await playServer(page, scene());
    await page.goto(`${files.url}#/r/k3m9x0aq`);
    await page.waitForFunction(() => document.activeElement?.matches('.board'));
    assert.equal(await frame(page), '0px');
    await page.evaluate(() => {
      document.activeElement.blur();
      document.querySelector('.board').focus(); // as when the window is left and found again
    });
    assert.equal(await frame(page), '0px');
    assert.equal(await page.locator('.board').getAttribute('aria-activedescendant'), null, 'no cursor either');
    await page.keyboard.press('ArrowRight');
    assert.notEqual(await frame(page), '0px');
    await page.mouse.click(5, 300);
    await page.evaluate(() => document.querySelector('.board').focus());
    assert.equal(await frame(page), '0px', 'whoever goes on with the mouse needs none');
    await done(page);
  });
