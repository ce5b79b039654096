// Every page fits its screen in every language: nothing scrolls sideways, no word is cut off, nothing to be tapped is
// small, and no panel hides a spot where the tile may go.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { launch, visitor } from './lib/chromium.mjs';
import { still } from './lib/player.mjs';
import { scenes } from './lib/scenes.mjs';
import { playServer, serveFiles } from './lib/stage.mjs';

const ROOM = '#/r/k3m9x0aq';
const PAGES = {
  home: { scene: scenes.rooms, hash: '#/', at: '.room' },
  lobby: { scene: scenes.lobby, hash: ROOM, at: '.seat' },
  build: { scene: scenes.builds, hash: ROOM, at: '.hand[data-mode=build]' },
  box: { scene: scenes.box, hash: ROOM, at: '.hand[data-mode=place]' },
  over: { scene: scenes.counted, hash: ROOM, at: '.result' },
};
const SCREENS = {
  small: { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  tablet: { viewport: { width: 768, height: 1024 }, hasTouch: true, isMobile: true },
  narrow: { viewport: { width: 920, height: 700 } },
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

/** What does not fit, in words. @param {any} page @param {number} tap */
const faults = (page, tap) =>
  page.evaluate((tap) => {
    const found = [];
    const shown = (element) => element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length;
    const name = (element) =>
      `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''} "${(element.getAttribute('aria-label') ?? element.textContent).trim().slice(0, 40)}"`;
    const { scrollWidth } = document.documentElement;
    if (scrollWidth > innerWidth) found.push(`the page is ${scrollWidth - innerWidth} pixels too wide`);
    for (const element of document.querySelectorAll('button, a.button, .brand, select, summary, input[type=text]')) {
      if (!shown(element)) continue;
      const { width, height } = element.getBoundingClientRect();
      if (width < tap - 0.5 || height < tap - 0.5) found.push(`small: ${name(element)} ${width} × ${height}`);
    }
    for (const element of document.querySelectorAll(
      'button, a, p, h1, h2, b, strong, small, summary, th, td, label, .name',
    )) {
      if (!shown(element) || element.closest('.visually-hidden, .skip, svg')) continue;
      if (getComputedStyle(element).clipPath !== 'none') continue;
      if (
        element.scrollWidth > element.clientWidth + 1 &&
        element.clientWidth > 0 &&
        getComputedStyle(element).display !== 'inline'
      )
        found.push(`cut off: ${name(element)} ${element.scrollWidth} > ${element.clientWidth}`);
      const { left, right } = element.getBoundingClientRect();
      if ((left < -1 || right > innerWidth + 1) && !element.closest('.players'))
        found.push(`outside: ${name(element)}`);
    }
    for (const spot of document.querySelectorAll('.spot')) {
      const { left, right, top, bottom } = spot.getBoundingClientRect();
      const over = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      if (!over?.closest('.board')) found.push(`hidden: ${spot.getAttribute('class')} under ${over?.className}`);
    }
    for (const select of document.querySelectorAll('select')) {
      const canvas = document.createElement('canvas').getContext('2d');
      canvas.font = getComputedStyle(select).font;
      const words = select.selectedOptions[0]?.textContent ?? '';
      if (shown(select) && canvas.measureText(words).width > select.clientWidth - 34)
        found.push(`cut off: select "${words}"`);
    }
    return found;
  }, tap);

for (const [screen, options] of Object.entries(SCREENS)) {
  for (const locale of ['en-GB', 'fr-FR', 'zh-CN']) {
    test(`${screen}, ${locale}`, async () => {
      const all = [];
      const page = await visitor(browser, { reducedMotion: 'reduce', locale, ...options });
      for (const [name, { scene, hash, at }] of Object.entries(PAGES)) {
        await page.goto('about:blank');
        await playServer(page, scene());
        await page.goto(files.url + hash);
        await page.waitForSelector(at);
        if (await page.$('.board')) await still(page);
        all.push(...(await faults(page, TAP_PX)).map((fault) => `${name}: ${fault}`));
      }
      all.push(...page.troubles);
      await page.context().close();
      assert.deepEqual(all, []);
    });
  }
}
