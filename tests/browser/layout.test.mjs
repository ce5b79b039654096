// Every page fits its screen in every language: nothing scrolls sideways, no word is cut off, every tap target is large
// enough, and no panel hides a spot where the tile may go. At every change the smallest screen in one language; at night all of it.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { launch, visitor } from './lib/chromium.mjs';
import { faults } from './lib/fits.mjs';
import { NIGHT, someOf } from './lib/night.mjs';
import { still } from './lib/player.mjs';
import { scenes } from './lib/scenes.mjs';
import { playServer, serveFiles } from './lib/stage.mjs';

const ROOM = '#/r/k3m9x0aq';
const PAGES = {
  home: { scene: scenes.rooms, hash: '#/', at: '.room' },
  create: { scene: scenes.rooms, hash: '#/', at: '.room', act: (page) => page.click('#new-table') },
  learn: { scene: scenes.rooms, hash: '#/learn/taluva', at: '.lesson h2' },
  lobby: { scene: scenes.lobby, hash: ROOM, at: '.seat' },
  build: { scene: scenes.builds, hash: ROOM, at: '.hand[data-mode=build]' },
  box: { scene: scenes.box, hash: ROOM, at: '.hand[data-mode=place]' },
  over: { scene: scenes.counted, hash: ROOM, at: '.result' },
  teams: { scene: scenes.over, hash: ROOM, at: '.result' },
  hint: { scene: scenes.hinted, hash: ROOM, at: '.ask-hint', act: (page) => page.click('.ask-hint') },
  asked: { scene: scenes.asked, hash: ROOM, at: '.ask-tell' },
  settings: { scene: scenes.asked, hash: '#/', at: '#solo', act: (page) => page.click('.masthead button >> nth=1') },
  analysis: {
    scene: scenes.analysed,
    hash: ROOM,
    at: '.result',
    act: async (page) => {
      await page.click('.result button >> nth=1');
      await page.click('.analysis summary');
    },
  },
};
const SCREENS = {
  small: { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  tablet: { viewport: { width: 768, height: 1024 }, hasTouch: true, isMobile: true },
  narrow: { viewport: { width: 920, height: 700 } },
  sideways: { viewport: { width: 844, height: 390 }, hasTouch: true, isMobile: true },
  wide: { viewport: { width: 1280, height: 800 } },
};
const TAP_PX = 44;

let files, browser;
before(async () => {
  files = await serveFiles();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  files?.close();
});

const LOCALES = ['en-GB', 'fr-FR', 'zh-CN'];
for (const [at, [screen, options]] of Object.entries(someOf(SCREENS, 'small')).entries()) {
  for (const locale of process.env.EVERYTHING || (NIGHT && screen === 'small') ? LOCALES : [LOCALES[at % LOCALES.length]]) {
    test(`${screen}, ${locale}`, async () => {
      const all = [];
      const page = await visitor(browser, { reducedMotion: 'reduce', locale, ...options });
      for (const [name, { scene, hash, at: sign, act }] of Object.entries(PAGES)) {
        await page.goto('about:blank');
        await playServer(page, scene());
        await page.goto(files.url + hash);
        await page.waitForSelector(sign);
        await act?.(page);
        if (await page.$('.board')) await still(page);
        all.push(...(await faults(page, TAP_PX)).map((fault) => `${name}: ${fault}`));
      }
      all.push(...page.troubles);
      await page.context().close();
      assert.deepEqual(all, []);
    });
  }
}

for (const [width, height] of NIGHT ? [[1280, 800], [1024, 768], [320, 568]] : [[1024, 768]]) {
  test(`${width} x ${height}: a lesson is read without scrolling, in the longest language`, async () => {
    const page = await visitor(browser, { reducedMotion: 'reduce', locale: 'fr-FR', viewport: { width, height } });
    await playServer(page, scenes.rooms());
    await page.goto(`${files.url}#/learn/taluva`);
    await page.waitForSelector('.lesson h2');
    const lessons = await page.$eval('.lesson progress', ({ max }) => max);
    const hidden = [];
    for (let at = 0; at < lessons; at++) {
      if (at > 0) await page.click('[data-focus=lesson_skip]');
      await page.waitForFunction((wanted) => window.taluva.page()?.at === wanted, at);
      hidden.push(await page.$eval('.lesson', ({ scrollHeight, clientHeight }) => scrollHeight - clientHeight));
    }
    assert.deepEqual(hidden, Array(lessons).fill(0), 'pixels that are not seen');
    await page.context().close();
  });
}
