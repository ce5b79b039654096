// What must be seen on every screen, however low or narrow: the clocks of all players, whatever their names; the island; what
// can be built; and on the first page what starts a game.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, visitor } from './lib/chromium.mjs';
import { faults } from './lib/fits.mjs';
import { NIGHT, atNight, someOf } from './lib/night.mjs';
import { still } from './lib/player.mjs';
import { scenes } from './lib/scenes.mjs';
import { playServer, serveFiles } from './lib/stage.mjs';
import { scenes as totem } from './lib/totem.mjs';
import { done } from './lib/visit.mjs';

const TAP_PX = 44;
const touch = { hasTouch: true, isMobile: true };
const SCREENS = {
  '1280 x 800': { viewport: { width: 1280, height: 800 } },
  '1024 x 768': { viewport: { width: 1024, height: 768 } },
  '844 x 390': { viewport: { width: 844, height: 390 }, ...touch },
  '640 x 400, as 1280 x 800 at 200 %': { viewport: { width: 640, height: 400 } },
  '390 x 844': { viewport: { width: 390, height: 844 }, ...touch },
  '320 x 568': { viewport: { width: 320, height: 568 }, ...touch },
};
const LOW = ['844 x 390', '640 x 400, as 1280 x 800 at 200 %'];
const NAMES = ['Maximiliane Friederike S', 'WWWWWWWWWWWWWWWWWWWWWWWW', 'Donaudampfschifffahrtska', 'Bo', '王小明王小明王小明王小明王小明王小明王小明王小明'];
const TIPS = 'place expand erupt';
const LEAST_HEX_PX = 16;

let files, browser;
before(async () => {
  files = await serveFiles();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  files?.close();
});

/** @param {any} scene @param {any} options @param {string} sign what to wait for @param {string} [hash] */
async function open(scene, options, sign, hash = '#/r/k3m9x0aq') {
  const page = await visitor(browser, { reducedMotion: 'reduce', ...options });
  await playServer(page, scene);
  await page.goto(files.url + hash);
  await page.waitForSelector(sign);
  if (await page.$('.board')) await still(page);
  return page;
}

/** Gives every player a long name and a clock. @param {any} scene @param {string} kind */
function named(scene, kind) {
  const seats = Object.keys(scene.state.seats);
  for (const seat of seats) scene.state.seats[seat].name = NAMES[seat];
  const own = kind === 'byoyomi' ? { left_ms: 29_000, periods: 3 } : { left_ms: 901_000 };
  scene.state.clock = { kind, seats: Object.fromEntries(seats.map((seat) => [seat, own])) };
  return scene;
}

/** Cards, names and clocks that are not wholly seen, or under something else. @param {any} page */
const unseen = (page) =>
  page.evaluate(() => {
    const bad = [];
    const frame = document.querySelector('.players').getBoundingClientRect();
    for (const part of document.querySelectorAll('.card, .card .clock, .card .mark-icon, .card .name, .card .stock, .totem-family > span')) {
      if (!part.getClientRects().length) continue; // left out on small screens
      const { left, right, top, bottom, width } = part.getBoundingClientRect();
      const what = `${part.getAttribute('class')} "${part.textContent.slice(0, 12)}"`;
      const card = part.closest('.card').getBoundingClientRect();
      const inside = (box) => left >= box.left - 1 && right <= box.right + 1 && top >= box.top - 1 && bottom <= box.bottom + 1;
      if (!inside(frame) || !inside({ left: 0, top: 0, right: innerWidth, bottom: innerHeight })) bad.push(`out of sight: ${what}`);
      if (!inside(card)) bad.push(`outside its card: ${what}`);
      if (part.matches('.clock') && !(width > 20 && part.scrollWidth <= part.clientWidth)) bad.push(`cut off: ${what}`);
      if (part.matches('.name') && width < 10) bad.push(`no room: ${what}`);
      const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      if (!there?.closest('.card')) bad.push(`under ${there?.getAttribute('class')}: ${what}`);
    }
    return bad;
  });

for (const [screen, options] of Object.entries(someOf(SCREENS, '320 x 568'))) {
  test(`${screen}: every clock is seen, whatever the names`, async () => {
    for (const kind of ['fischer', 'byoyomi'])
      for (const scene of [scenes.late(), scenes.box()]) {
        const page = await open(named(scene, kind), options, '.hand[data-mode=place]');
        assert.ok(await page.locator('.card .clock:not(:empty)').count() >= 4);
        assert.deepEqual(await unseen(page), [], kind);
        await done(page);
      }
  });

  test(`${screen}: the cards of teams show who belongs together`, async () => {
    const scene = scenes.over();
    scene.state.phase = 'playing';
    const page = await open(named(scene, 'byoyomi'), options, '.card .team');
    assert.deepEqual(await unseen(page), []);
    await done(page);
  });

  test(`${screen}: the cards of Totem show all that a family has`, async () => {
    const page = await open(totem.cast(), options, '.totem-family');
    assert.deepEqual(await unseen(page), []);
    await done(page);
  });

  test(`${screen}: the first page shows what starts a game`, async () => {
    for (const locale of ['en-GB', 'fr-FR', 'zh-CN']) {
      const page = await open(scenes.rooms(), { ...options, locale }, '#solo', '#/');
      const bottom = await page.$eval('#solo', (button) => button.getBoundingClientRect().bottom - innerHeight);
      assert.ok(bottom <= 0, `${locale}: ${bottom} pixels below the fold`);
      await done(page);
    }
  });
}

for (const screen of NIGHT ? LOW : ['844 x 390']) {
  test(`${screen}: the island has the whole height, and larger hexes than beside a panel`, async () => {
    const page = await open(scenes.middle(), SCREENS[screen], '.hand[data-mode=place]');
    const { high, scale, free } = await page.evaluate(() => {
      const { board } = window.taluva.page().view;
      return { high: board.element.clientHeight, scale: board.camera.scale, free: innerHeight };
    });
    assert.equal(high, free);
    assert.ok(scale >= 0.5, `a hex is ${Math.round(69 * scale)} pixels wide`);
    await done(page);
  });

  atNight(`${screen}: builds can be read and pressed, in every language`, async () => {
    for (const locale of ['en-GB', 'fr-FR', 'zh-CN']) {
      const page = await open(scenes.builds(), { ...SCREENS[screen], locale }, '.choice');
      assert.deepEqual(await faults(page, TAP_PX), [], locale);
      const whole = await page.evaluate(() => {
        const list = document.querySelector('.choices').getBoundingClientRect();
        return [...document.querySelectorAll('.choice')].filter((choice) => {
          const { top, bottom } = choice.getBoundingClientRect();
          return top >= list.top - 1 && bottom <= list.bottom + 1;
        }).length;
      });
      assert.ok(whole >= 3, `${locale}: ${whole} choices are seen whole`);
      await done(page);
    }
  });

  atNight(`${screen}: nothing is cut off when it is over, in a hint and in a replay`, async () => {
    for (const locale of ['en-GB', 'fr-FR', 'zh-CN']) {
      const over = await open(scenes.counted(), { ...SCREENS[screen], locale }, '.result');
      const all = await faults(over, TAP_PX);
      await over.click('.result .plain >> nth=0');
      await over.waitForSelector('.replay:not([hidden])');
      all.push(...(await faults(over, TAP_PX)));
      await done(over);
      const hint = await open(scenes.hinted(), { ...SCREENS[screen], locale }, '.ask-hint');
      await hint.click('.ask-hint');
      await hint.waitForSelector('.advised-turn');
      all.push(...(await faults(hint, TAP_PX)));
      await done(hint);
      assert.deepEqual(all, [], locale);
    }
  });
}

for (const screen of ['1024 x 768', '844 x 390']) {
  atNight(`${screen}: Totem’s sentences and buttons are whole in the longest language`, async () => {
    for (const scene of [totem.cast(), totem.settle()]) {
      const page = await open(scene, { ...SCREENS[screen], locale: 'fr-FR' }, '.hand[data-mode]:not([data-mode=ask])');
      assert.deepEqual(await faults(page, 0), []);
      const broken = await page.evaluate(() =>
        [...document.querySelectorAll('.spell, .turn-line')].flatMap((part) => {
          const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
          const bad = [];
          for (let text = walker.nextNode(); text; text = walker.nextNode())
            for (const { 0: word, index } of text.data.matchAll(/[^\s-]+/g)) {
              const range = document.createRange();
              range.setStart(text, index);
              range.setEnd(text, index + word.length);
              if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) bad.push(word);
            }
          return bad;
        }),
      );
      assert.deepEqual(broken, []);
      const lines = await page.$eval('.turn-line', (line) => line.clientHeight / parseFloat(getComputedStyle(line).fontSize));
      assert.ok(lines < 2.7, `whose turn it is has a height of ${lines} letters`);
      await done(page);
    }
  });
}

for (const screen of NIGHT ? ['320 x 568', '844 x 390'] : ['320 x 568']) {
  test(`${screen}: beside a tip of a first game cards, island and places are seen, in the longest language`, async () => {
    for (const scene of [scenes.early(), scenes.builds()]) {
      const page = await visitor(browser, { reducedMotion: 'reduce', locale: 'fr-FR', ...SCREENS[screen] });
      await page.addInitScript((names) => localStorage.setItem('taluva.tips.taluva', names), TIPS);
      await playServer(page, scene);
      await page.goto(`${files.url}#/r/k3m9x0aq`);
      await page.waitForSelector('.ask-bar.tip');
      await still(page);
      const { under, covered, least } = await page.evaluate(() => {
        const boxes = (/** @type {string} */ selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect());
        const over = (/** @type {DOMRect} */ a, /** @type {DOMRect} */ b) => a.left < b.right - 1 && a.right > b.left + 1 && a.top < b.bottom - 1 && a.bottom > b.top + 1;
        const panels = boxes('.ask-bar.tip, .view-buttons button, .card, .side');
        const hexes = boxes('.board .hex .top');
        return {
          under: [...hexes, ...boxes('.board .spot')].filter((hex) => panels.some((panel) => over(hex, panel))).length,
          covered: boxes('.card').filter((card) => boxes('.ask-bar.tip').some((tip) => over(card, tip))).length,
          least: Math.min(...hexes.map(({ width }) => width)),
        };
      });
      assert.equal(under, 0, 'hexes and places under the tip or the buttons');
      assert.equal(covered, 0, 'cards under the tip');
      assert.ok(least >= LEAST_HEX_PX, `a hex is ${least} pixels wide`);
      await done(page);
    }
  });
}
