// Every page fits its screen in every language: nothing scrolls sideways, no word is cut off, every tap target is large
// enough, and no panel hides a spot where the tile may go. At every change the smallest screen in one language; at night all of it.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { LANGUAGES } from '../../clients/web/js/words.js';
import { launch, visitor } from './lib/chromium.mjs';
import { faults } from './lib/fits.mjs';
import { NIGHT, atNight, someOf } from './lib/night.mjs';
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
/** Where there is most room these fit if French does. */
const ON_THE_SMALLEST = ['de-DE', 'es-ES', 'it-IT', 'ja-JP', 'pl-PL'];
for (const [at, [screen, options]] of Object.entries(someOf(SCREENS, 'small')).entries()) {
  const night = [...LOCALES, ...(screen === 'small' ? ON_THE_SMALLEST : [])];
  for (const locale of process.env.EVERYTHING || (NIGHT && screen === 'small') ? night : [LOCALES[at % LOCALES.length]]) {
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

const WEB = fileURLToPath(new URL('../../clients/web', import.meta.url));

/** A language in which each text is marked, in place of French. @param {any} page */
const markTexts = (page) =>
  page.route(/i18n\/(late\/)?fr\.js$/, async (/** @type {any} */ route) => {
    const { pathname } = new URL(route.request().url());
    const { default: words } = await import(WEB + pathname.replace(/fr\.js$/, 'en.js'));
    const marked = Object.fromEntries(Object.entries(words).map(([key, text]) => [key, `⟦${text}⟧`]));
    await route.fulfill({ contentType: 'text/javascript', body: `export default ${JSON.stringify(marked)};` });
  });

/** All that is read or heard on a page, but for the letters of drawings. @param {any} page @returns {Promise<string[]>} */
const textsOf = (page) =>
  page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) if (!walker.currentNode.parentElement.closest('script, style, noscript, svg')) texts.push(walker.currentNode.data);
    for (const name of ['aria-label', 'title', 'placeholder', 'alt'])
      for (const element of document.querySelectorAll(`[${name}]`)) texts.push(element.getAttribute(name));
    return texts;
  });

/** What is left of a text without what is marked in it. @param {string} text */
function unmarked(text) {
  const rest = text.replace(/⟦[^⟦⟧]*⟧/g, ' ');
  return rest === text ? text : unmarked(rest);
}

/** What no catalogue has: names of games, languages and devices, and what people in the scenes are called and say. */
const OWN_WORDS = /^(Taluva|Totem)$/;

atNight('each text is in the catalogues: none is written into the page', async () => {
  const page = await visitor(browser, { reducedMotion: 'reduce', locale: 'fr-FR' });
  await markTexts(page);
  const found = new Set();
  for (const { scene, hash, at: sign, act } of Object.values(PAGES)) {
    await page.goto('about:blank');
    await playServer(page, scene());
    await page.goto(files.url + hash);
    await page.waitForSelector(sign);
    await act?.(page);
    const said = JSON.stringify(scene());
    for (const text of await textsOf(page))
      for (const [word] of unmarked(text).matchAll(/\p{L}{2,}/gu))
        if (!OWN_WORDS.test(word) && !said.includes(word) && !Object.values(LANGUAGES).some((name) => name.includes(word))) found.add(`${word}: ${text.slice(0, 80)}`);
  }
  await page.context().close();
  assert.deepEqual([...found], []);
});

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
