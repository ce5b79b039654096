// Takes screenshots for people to look at: the first page, a lobby, a game early, in the middle and late, with the whole expansion
// box, on a phone, in the dark theme, at its end, Totem's table, and all this in other languages. The positions are from real games.
//
// usage: screenshots.mjs [FOLDER [NAME...]]     into ./screenshots without a folder

import { mkdirSync } from 'node:fs';
import path from 'node:path';

import { launch, visitor } from './lib/chromium.mjs';
import { spots } from './lib/player.mjs';
import { scenes } from './lib/scenes.mjs';
import { playServer, serveFiles } from './lib/stage.mjs';
import { scenes as totem } from './lib/totem.mjs';

const [folder = 'screenshots', ...wanted] = process.argv.slice(2);
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };
const SMALL = { ...PHONE, viewport: { width: 320, height: 640 } };
const DARK = { colorScheme: 'dark' };
const FRENCH = { locale: 'fr-FR' };
const CHINESE = { locale: 'zh-CN' };

/** Puts the tile down on a legal spot near the middle. @param {any} page */
async function put(page) {
  const all = await spots(page, '.spot-legal');
  const { width, height } = page.viewportSize();
  const off = ({ x, y }) => Math.hypot(x - width / 2, y - height / 2);
  const { x, y } = all.sort((a, b) => off(a) - off(b))[0];
  await page.mouse.click(x, y);
}

/** Two steps into the replay, with everything shown. @param {any} page */
async function lookBack(page) {
  await page.click('.result .plain >> nth=0');
  for (let i = 0; i < 2; i++) await page.click('.replay button >> nth=3');
}

/** The analysis at its first turning point. @param {any} page */
async function analyse(page) {
  await page.click('.result button >> nth=1');
  await page.click('.point >> nth=0');
}

/** @type {{[name: string]: {scene: () => any, hash?: string, options?: any, act?: (page: any) => Promise<unknown>}}} */
const PICTURES = {
  home: { scene: scenes.rooms, hash: '#/' },
  'home-phone': { scene: scenes.rooms, hash: '#/', options: PHONE },
  'home-dark': { scene: scenes.rooms, hash: '#/', options: { ...DARK, ...FRENCH } },
  lobby: { scene: scenes.lobby },
  'lobby-phone': { scene: scenes.lobby, options: PHONE },
  'lobby-chinese': { scene: scenes.lobby, options: { ...CHINESE, ...DARK } },
  early: { scene: scenes.early, act: put },
  middle: { scene: scenes.middle, act: put },
  build: { scene: scenes.builds, act: (page) => page.click('.choice.verb-expand') },
  late: { scene: scenes.late },
  box: { scene: scenes.box },
  dark: { scene: scenes.late, options: DARK },
  settlement: { scene: scenes.over, act: (page) => page.mouse.move(620, 290) },
  phone: { scene: scenes.middle, options: PHONE, act: put },
  'phone-build': { scene: scenes.builds, options: PHONE, act: (page) => page.click('.choice.verb-expand') },
  'phone-dark': { scene: scenes.box, options: { ...PHONE, ...DARK } },
  'phone-result': { scene: scenes.counted, options: PHONE },
  small: { scene: scenes.builds, options: SMALL },
  'small-french': { scene: scenes.builds, options: { ...SMALL, ...FRENCH, ...DARK } },
  result: { scene: scenes.over },
  counted: { scene: scenes.counted, options: DARK },
  replay: { scene: scenes.counted, act: (page) => page.click('.result .plain >> nth=0') },
  'replay-phone': { scene: scenes.counted, options: PHONE, act: (page) => page.click('.result .plain >> nth=0') },
  totem: { scene: totem.cast },
  'totem-dark': { scene: totem.take, options: DARK },
  'totem-phone': { scene: totem.settle, options: PHONE },
  'totem-small': { scene: totem.starve, options: { ...SMALL, ...FRENCH, ...DARK } },
  'totem-chinese': { scene: totem.reveal, options: CHINESE },
  'totem-replay': { scene: totem.lookback, act: lookBack },
  'totem-replay-phone': { scene: totem.lookback, options: PHONE, act: lookBack },
  'totem-replay-small': { scene: totem.lookback, options: { ...SMALL, ...FRENCH, ...DARK }, act: lookBack },
  hint: { scene: scenes.hinted, act: (page) => page.click('.ask-hint') },
  'hint-phone': { scene: scenes.hinted, options: PHONE, act: (page) => page.click('.ask-hint') },
  'hint-small': { scene: scenes.hinted, options: { ...SMALL, ...FRENCH, ...DARK }, act: (page) => page.click('.ask-hint') },
  analysis: { scene: scenes.analysed, act: analyse },
  'analysis-dark': { scene: scenes.analysed, options: { ...DARK, ...CHINESE }, act: analyse },
  'analysis-phone': { scene: scenes.analysed, options: PHONE, act: analyse },
  'analysis-small': { scene: scenes.analysed, options: { ...SMALL, ...FRENCH, ...DARK }, act: analyse },
  talk: { scene: scenes.middle, act: (page) => page.click('.table-bar button >> nth=0') },
  menu: { scene: scenes.middle, options: PHONE, act: (page) => page.click('.table-bar button >> nth=1') },
  help: { scene: scenes.rooms, hash: '#/', act: (page) => page.click('.masthead button >> nth=0') },
  french: { scene: scenes.builds, options: FRENCH },
  'phone-french': { scene: scenes.builds, options: { ...PHONE, ...FRENCH } },
  chinese: { scene: scenes.middle, options: CHINESE, act: put },
  'phone-chinese': { scene: scenes.middle, options: { ...PHONE, ...CHINESE }, act: put },
  'home-chinese': { scene: scenes.rooms, hash: '#/', options: { ...PHONE, ...CHINESE } },
  tablet: { scene: scenes.late, options: { viewport: { width: 768, height: 1024 }, hasTouch: true, isMobile: true } },
};

mkdirSync(folder, { recursive: true });
const files = await serveFiles();
const browser = await launch();
for (const [name, { scene, hash = '#/r/k3m9x0aq', options = {}, act }] of Object.entries(PICTURES)) {
  if (wanted.length && !wanted.includes(name)) continue;
  const page = await visitor(browser, { reducedMotion: 'reduce', ...options });
  await playServer(page, scene());
  await page.goto(files.url + hash);
  await page.waitForSelector('.room, .seat, .result, .quarter, .hand[data-mode=place], .hand[data-mode=build]');
  await page.waitForTimeout(300);
  await act?.(page);
  await page.waitForTimeout(400);
  await page.screenshot({ path: path.join(folder, `${name}.png`) });
  console.log(path.join(folder, `${name}.png`), page.troubles.join('; '));
  await page.context().close();
}
await browser.close();
files.close();
