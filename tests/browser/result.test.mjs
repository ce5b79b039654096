// The result of a match says the same everywhere: the cards and the table give the same ranks and count the same pieces, the
// reason is what happened, and names stay whole words.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, visitor } from './lib/chromium.mjs';
import { scenes } from './lib/scenes.mjs';
import { playServer, serveFiles } from './lib/stage.mjs';
import { done } from './lib/visit.mjs';

let files, browser;
before(async () => {
  files = await serveFiles();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  files?.close();
});

/** @param {any} scene @param {any} [options] */
async function table(scene, options = {}) {
  const page = await visitor(browser, { reducedMotion: 'reduce', ...options });
  await playServer(page, scene);
  await page.goto(`${files.url}#/r/k3m9x0aq`);
  await page.waitForSelector('.result');
  return page;
}

test('cards and table give the same ranks and count the same pieces', async () => {
  const page = await table(scenes.counted());
  const numbers = (/** @type {string} */ text) => text.match(/\d+/g)?.map(Number) ?? [];
  const rows = await page.$$eval('.count tbody tr', (all) =>
    all.map((row) => ({ name: row.querySelector('.who span').textContent, cells: [...row.querySelectorAll('td')].map((cell) => cell.textContent) })),
  );
  assert.equal(rows.length, 5);
  for (const { name, cells } of rows) {
    const card = page.locator('.card', { has: page.locator(`.name:text-is("${name}")`) });
    const [rank, ...built] = cells.map(Number);
    assert.deepEqual(numbers(await card.locator('.place').textContent()), [rank], `${name}: the rank`);
    const shown = await card.locator('.stock b').allTextContents();
    assert.deepEqual(shown.map(Number), built, `${name}: the pieces`);
  }
  assert.match(await page.textContent('.count caption'), /built/);
  assert.ok(await page.locator('.count caption').isVisible());
  await done(page);
});

/** A match that ended because the others went out. @param {(events: any[]) => void} change changes its events */
function ended(change) {
  const scene = scenes.analysed();
  const result = { why: 'last-standing', winners: { 1: true }, ranks: { 1: 1, 0: 2, 2: 3, 3: 4 } };
  scene.state.result = result;
  const { past } = scene;
  scene.past = (/** @type {number} */ have) => {
    const events = past(have);
    events.at(-1).patch.result = result;
    change(events);
    return events;
  };
  return scene;
}

test('the reason names who resigned and who ran out of time', async () => {
  const page = await table(
    ended((events) => {
      events.at(-1).event = { kind: 'timed_out', seat: 0, over: 'last-standing' };
      events.at(-2).event = { kind: 'resigned', seat: 2 };
    }),
  );
  await page.waitForSelector('.result .outcome + .hint:has-text("Ana has run out of time.")');
  const reason = await page.textContent('.result .outcome + .hint');
  assert.match(reason, /Chi resigns\./);
  assert.match(reason, /Dee is out\./);
  assert.doesNotMatch(reason, /Everybody/);
  const log = await page.locator('.events .event').last().textContent();
  assert.equal(log, 'Ana has run out of time. Bo wins.');
  await done(page);
});

test('it is as before where everybody else could not build', async () => {
  const page = await table(ended(() => undefined));
  assert.equal(await page.textContent('.result .outcome + .hint'), 'Everybody else is out.');
  await done(page);
});

for (const [screen, options] of Object.entries({
  wide: {},
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  'on its side': { viewport: { width: 844, height: 390 }, hasTouch: true, isMobile: true },
})) {
  test(`no word of a name is broken: ${screen}`, async () => {
    const scene = scenes.counted();
    const names = ['Maximiliane Friederike S', 'Eli Wallach of the Isles', 'Donaudampfschifffahrtska', 'Bartholomew Featherstone', 'Constantinople Gardeners'];
    for (const [seat, name] of Object.entries(names)) scene.state.seats[seat].name = name;
    const page = await table(scene, options);
    const broken = await page.evaluate(() => {
      const found = [];
      for (const name of document.querySelectorAll('.count .who span, .result .outcome')) {
        const { firstChild } = name;
        for (const { index, 0: word } of firstChild.textContent.matchAll(/\S+/g)) {
          const range = document.createRange();
          range.setStart(firstChild, index);
          range.setEnd(firstChild, index + word.length);
          if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) found.push(word);
        }
      }
      return found;
    });
    assert.deepEqual(broken, []);
    await done(page);
  });
}
