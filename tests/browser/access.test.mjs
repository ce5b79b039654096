// Accessibility: axe-core on every kind of page, at every width and in both colour themes; the content security policy; the console.
// At every change the pages that are seen most are read in one look of the four, in turn; at night all of it.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { findings } from './lib/axe.mjs';
import { launch, visitor } from './lib/chromium.mjs';
import { NIGHT, someOf } from './lib/night.mjs';
import { scenes } from './lib/scenes.mjs';
import { playServer, serveFiles } from './lib/stage.mjs';

const ROOM = '#/r/k3m9x0aq';
let browser, files;

before(async () => {
  files = await serveFiles();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  files?.close();
});

const PAGES = {
  home: { scene: scenes.rooms, hash: '#/', at: '.room' },
  lobby: { scene: scenes.lobby, hash: ROOM, at: '.seat' },
  placing: { scene: scenes.middle, hash: ROOM, at: '.hand[data-mode=place]' },
  building: { scene: scenes.builds, hash: ROOM, at: '.choice', act: (page) => page.click('.choice >> nth=0') },
  hint: { scene: scenes.hinted, hash: ROOM, at: '.ask-hint', act: (page) => page.click('.ask-hint') },
  'asked whether to be told': { scene: scenes.asked, hash: ROOM, at: '.ask-tell' },
  analysis: {
    scene: scenes.analysed,
    hash: ROOM,
    at: '.result',
    act: async (page) => {
      await page.click('.result button >> nth=1');
      await page.click('.analysis summary');
    },
  },
  result: { scene: scenes.over, hash: ROOM, at: '.result' },
  'the moves': {
    scene: scenes.middle,
    hash: ROOM,
    at: '.hand',
    act: (page) => page.click('.table-bar button >> nth=0'),
  },
  'the menu': {
    scene: scenes.middle,
    hash: ROOM,
    at: '.hand',
    act: (page) => page.click('.table-bar button >> nth=1'),
  },
  settings: { scene: scenes.rooms, hash: '#/', at: '.room', act: (page) => page.click('.masthead button >> nth=1') },
  help: { scene: scenes.rooms, hash: '#/', at: '.room', act: (page) => page.click('.masthead button >> nth=0') },
};

const LOOKS = {
  wide: {},
  'wide and dark': { colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  '320 pixels and dark': { viewport: { width: 320, height: 640 }, colorScheme: 'dark', hasTouch: true, isMobile: true },
};

/** Read at every change. */
const MOST_SEEN = ['home', 'lobby', 'placing', 'building', 'result', 'settings'];

// One page for each look, which keeps the files that it has read.
const pages = {};

for (const [index, [name, { scene, hash, at, act }]] of Object.entries(someOf(PAGES, ...MOST_SEEN)).entries()) {
  test(name, async (t) => {
    for (const [number, [look, options]] of Object.entries(LOOKS).entries()) {
      if (!process.env.EVERYTHING && (index + number) % (NIGHT ? 2 : 4)) continue;
      await t.test(look, async () => {
        const page = (pages[look] ??= await visitor(browser, { ...options, reducedMotion: 'reduce' }));
        await page.goto('about:blank');
        await playServer(page, scene());
        await page.goto(files.url + hash);
        await page.waitForSelector(at);
        await act?.(page);
        assert.deepEqual(await findings(page), []);
        const { wide, width } = await page.evaluate(() => ({
          wide: document.documentElement.scrollWidth,
          width: innerWidth,
        }));
        assert.ok(wide <= width, `nothing sticks out at the side: ${wide} > ${width}`);
        assert.deepEqual(page.troubles.splice(0), []);
      });
    }
  });
}
