// Takes the pictures that one looks at: the first page, a lobby, a game early, in the middle, late, with everything of the
// box, on a phone, in the dark, and its end. Positions of real games; the page is the real one.
//
// usage: screenshots.mjs [FOLDER [NAME...]]     into ./screenshots without a folder

import { mkdirSync } from 'node:fs';
import path from 'node:path';

import { launch, visitor } from './lib/chromium.mjs';
import { spots } from './lib/player.mjs';
import { scenes } from './lib/scenes.mjs';
import { playServer, serveFiles } from './lib/stage.mjs';

const [folder = 'screenshots', ...wanted] = process.argv.slice(2);
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };
const SMALL = { ...PHONE, viewport: { width: 320, height: 640 } };
const DARK = { colorScheme: 'dark' };

/** Puts the tile down on a legal spot near the middle. @param {any} page */
async function put(page) {
  const all = await spots(page, '.spot-legal');
  const { width, height } = page.viewportSize();
  const off = ({ x, y }) => Math.hypot(x - width / 2, y - height / 2);
  const { x, y } = all.sort((a, b) => off(a) - off(b))[0];
  await page.mouse.click(x, y);
}

/** @type {{[name: string]: {scene: () => any, hash?: string, options?: any, act?: (page: any) => Promise<unknown>}}} */
const PICTURES = {
  home: { scene: scenes.rooms, hash: '#/' },
  'home-phone': { scene: scenes.rooms, hash: '#/', options: PHONE },
  lobby: { scene: scenes.lobby },
  'lobby-phone': { scene: scenes.lobby, options: PHONE },
  early: { scene: scenes.early, act: put },
  middle: { scene: scenes.middle, act: put },
  build: { scene: scenes.builds, act: (page) => page.click('.choice.verb-expand') },
  late: { scene: scenes.late },
  box: { scene: scenes.box },
  phone: { scene: scenes.middle, options: PHONE, act: put },
  'phone-build': { scene: scenes.builds, options: PHONE, act: (page) => page.click('.choice.verb-expand') },
  small: { scene: scenes.builds, options: SMALL },
  dark: { scene: scenes.late, options: DARK },
  'phone-dark': { scene: scenes.box, options: { ...PHONE, ...DARK } },
  result: { scene: scenes.over },
  counted: { scene: scenes.counted },
  french: { scene: scenes.middle, options: { locale: 'fr-FR' }, act: put },
  chinese: { scene: scenes.middle, options: { locale: 'zh-CN' }, act: put },
};

mkdirSync(folder, { recursive: true });
const files = await serveFiles();
const browser = await launch();
for (const [name, { scene, hash = '#/r/k3m9x0aq', options = {}, act }] of Object.entries(PICTURES)) {
  if (wanted.length && !wanted.includes(name)) continue;
  const page = await visitor(browser, { reducedMotion: 'reduce', ...options });
  await playServer(page, scene());
  await page.goto(files.url + hash);
  await page.waitForSelector('.room, .seat, .result, .hand[data-mode=place], .hand[data-mode=build]');
  await page.waitForTimeout(300);
  await act?.(page);
  await page.waitForTimeout(400);
  await page.screenshot({ path: path.join(folder, `${name}.png`) });
  console.log(path.join(folder, `${name}.png`), page.troubles.join('; '));
  await page.context().close();
}
await browser.close();
files.close();
