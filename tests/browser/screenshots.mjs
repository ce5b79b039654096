// Takes screenshots for people to look at. The positions are from real games.
//
// usage: screenshots.mjs [FOLDER [NAME...]]           those of PICTURES, into ./screenshots without a folder
//        screenshots.mjs --every FOLDER [PART...]     each of SCREENS in every size, language and theme, as SCREEN/SIZE-LANGUAGE-THEME.png, or those that have
//                                                     every PART in their names (middle 390x844 dark); and says what does not fit there
//        screenshots.mjs --before CHECKOUT FOLDER [NAME...]   those of PICTURES, and beside each, as NAME-before.png, what the page of another checkout
//                                                     (`git worktree add CHECKOUT COMMIT`) shows of the same; or says what it lacks
//
// The second needs a font with Chinese letters, Debian's fonts-noto-cjk for example.

import { mkdirSync } from 'node:fs';
import path from 'node:path';

import { launch, visitor } from './lib/chromium.mjs';
import { faults } from './lib/fits.mjs';
import { spots } from './lib/player.mjs';
import { scenes } from './lib/scenes.mjs';
import { playServer, serveFiles } from './lib/stage.mjs';
import { scenes as totem } from './lib/totem.mjs';

const words = process.argv.slice(2);
const every = words[0] === '--every';
const before = words[0] === '--before' ? words[1] : '';
const [folder = 'screenshots', ...wanted] = words.slice(before ? 2 : every ? 1 : 0);
const LACKING_MS = 8000; // that a page of before is waited for

const touch = { hasTouch: true, isMobile: true };
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, ...touch };
const SMALL = { ...PHONE, viewport: { width: 320, height: 640 } };
const DARK = { colorScheme: 'dark' };
const FRENCH = { locale: 'fr-FR' };
const CHINESE = { locale: 'zh-CN' };

const SIZES = {
  '1440x900': { viewport: { width: 1440, height: 900 } },
  '1024x768': { viewport: { width: 1024, height: 768 } },
  '844x390': { viewport: { width: 844, height: 390 }, ...touch },
  '390x844': { viewport: { width: 390, height: 844 }, ...touch },
  '320x568': { viewport: { width: 320, height: 568 }, ...touch },
};
const LANGUAGES = { english: {}, french: FRENCH, chinese: CHINESE };
const THEMES = { light: {}, dark: DARK };

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

/** Something happens at the table. @param {{[name: string]: any}} push @param {{[name: string]: any}} [patch] */
const happens = (push, patch) => async (page, tell) => {
  const room = 'k3m9x0aq';
  const seq = await page.evaluate(() => window.taluva.room().seq + 1);
  tell(patch ? { push: 'event', room, seq, at: 0, event: push, patch } : { ...push, room });
};

/** The tile lies where it fits only if it is turned. @param {any} page */
async function unturned(page) {
  await page.evaluate(() => {
    const { placing } = window.taluva.page().view;
    const [at] = [...placing.legal].find(([, ways]) => ways.size === 1);
    const [q, r] = at.split(',').map(Number);
    placing.tap({ q, r });
  });
  await page.click('.hand [data-focus=right]');
}

/** What can be shown: a scene, where it is opened, and what is done there, or is told by the server.
 *  @type {{[name: string]: {scene: () => any, hash?: string, act?: (page: any, tell: (push: any) => void) => Promise<unknown>}}} */
const SCREENS = {
  home: { scene: scenes.rooms, hash: '#/' },
  create: { scene: scenes.rooms, hash: '#/', act: (page) => page.click('#new-table') },
  help: { scene: scenes.rooms, hash: '#/', act: (page) => page.click('.masthead button >> nth=0') },
  learn: { scene: scenes.rooms, hash: '#/learn/taluva' },
  rules: { scene: scenes.rooms, hash: '#/rules/taluva' },
  settings: { scene: () => ({ ...scenes.asked(), ...scenes.rooms() }), hash: '#/', act: (page) => page.click('.masthead button >> nth=1') },
  asked: { scene: scenes.asked },
  'rules-totem': { scene: scenes.rooms, hash: '#/rules/totem' },
  lobby: { scene: scenes.lobby },
  early: { scene: scenes.early, act: put },
  middle: { scene: scenes.middle, act: put },
  unturned: { scene: scenes.middle, act: unturned },
  said: { scene: scenes.middle, act: happens({ push: 'said', seat: 1, name: 'Bo', text: 'What a volcano!' }) },
  offered: { scene: scenes.middle, act: happens({ kind: 'offered', seat: 1, what: 'pause' }, { offers: { pause: { 1: true } } }) },
  build: { scene: scenes.builds },
  expand: { scene: scenes.builds, act: (page) => page.click('.choice.verb-expand') },
  late: { scene: scenes.late },
  box: { scene: scenes.box },
  hint: { scene: scenes.hinted, act: (page) => page.click('.ask-hint') },
  talk: { scene: scenes.middle, act: (page) => page.click('.table-bar button >> nth=0') },
  menu: { scene: scenes.middle, act: (page) => page.click('.table-bar button >> nth=1') },
  settlement: { scene: scenes.over, act: (page) => page.mouse.move(620, 290) },
  result: { scene: scenes.over },
  counted: { scene: scenes.counted },
  replay: { scene: scenes.counted, act: (page) => page.click('.result .plain >> nth=0') },
  analysis: { scene: scenes.analysed, act: analyse },
  'totem-settle': { scene: totem.settle },
  'totem-cast': { scene: totem.cast },
  'totem-take': { scene: totem.take },
  'totem-starve': { scene: totem.starve },
  'totem-reveal': { scene: totem.reveal },
  'totem-over': { scene: totem.over },
  'totem-replay': { scene: totem.lookback, act: lookBack },
};

/** The pictures that are looked at after a change: a screen, and the options of the browser's context. @type {{[name: string]: [string, any?]}} */
const PICTURES = {
  home: ['home'],
  'home-phone': ['home', PHONE],
  'home-dark': ['home', { ...DARK, ...FRENCH }],
  'home-chinese': ['home', { ...PHONE, ...CHINESE }],
  create: ['create'],
  learn: ['learn'],
  'learn-small': ['learn', { ...SMALL, viewport: { width: 320, height: 568 }, ...FRENCH, ...DARK }],
  'learn-tablet': ['learn', { viewport: { width: 1024, height: 768 }, ...FRENCH }],
  rules: ['rules'],
  asked: ['asked'],
  'asked-phone': ['asked', { ...PHONE, ...FRENCH, ...DARK }],
  settings: ['settings', { ...PHONE, ...CHINESE }],
  lobby: ['lobby'],
  'lobby-phone': ['lobby', PHONE],
  'lobby-chinese': ['lobby', { ...CHINESE, ...DARK }],
  early: ['early'],
  middle: ['middle'],
  unturned: ['unturned'],
  'unturned-phone': ['unturned', PHONE],
  'unturned-small': ['unturned', { ...SMALL, ...FRENCH, ...DARK }],
  said: ['said'],
  'said-phone': ['said', PHONE],
  offered: ['offered', DARK],
  'offered-phone': ['offered', PHONE],
  'offered-small': ['offered', { ...SMALL, ...FRENCH, ...DARK }],
  build: ['expand'],
  late: ['late'],
  box: ['box'],
  dark: ['late', DARK],
  settlement: ['settlement'],
  phone: ['middle', PHONE],
  'phone-build': ['expand', PHONE],
  'phone-dark': ['box', { ...PHONE, ...DARK }],
  'phone-result': ['counted', PHONE],
  small: ['build', SMALL],
  'small-french': ['build', { ...SMALL, ...FRENCH, ...DARK }],
  result: ['result'],
  'result-small': ['result', { ...SMALL, ...FRENCH, ...DARK }],
  counted: ['counted', DARK],
  replay: ['replay'],
  'replay-phone': ['replay', PHONE],
  totem: ['totem-cast'],
  'totem-dark': ['totem-take', DARK],
  'totem-cards': ['totem-cast', PHONE],
  'totem-phone': ['totem-settle', PHONE],
  'totem-small': ['totem-starve', { ...SMALL, ...FRENCH, ...DARK }],
  'totem-chinese': ['totem-reveal', CHINESE],
  'totem-replay': ['totem-replay'],
  'totem-replay-phone': ['totem-replay', PHONE],
  'totem-replay-small': ['totem-replay', { ...SMALL, ...FRENCH, ...DARK }],
  hint: ['hint'],
  'hint-phone': ['hint', PHONE],
  'hint-small': ['hint', { ...SMALL, ...FRENCH, ...DARK }],
  analysis: ['analysis'],
  'analysis-dark': ['analysis', { ...DARK, ...CHINESE }],
  'analysis-phone': ['analysis', PHONE],
  'analysis-small': ['analysis', { ...SMALL, ...FRENCH, ...DARK }],
  talk: ['talk'],
  menu: ['menu', PHONE],
  help: ['help'],
  french: ['build', FRENCH],
  'phone-french': ['build', { ...PHONE, ...FRENCH }],
  chinese: ['middle', CHINESE],
  'phone-chinese': ['middle', { ...PHONE, ...CHINESE }],
  tablet: ['late', { viewport: { width: 768, height: 1024 }, ...touch }],
};

/** Every screen in every size, language and theme. @returns {{[name: string]: [string, any]}} */
function matrix() {
  const all = {};
  for (const screen of Object.keys(SCREENS))
    for (const [size, ofSize] of Object.entries(SIZES))
      for (const [language, ofLanguage] of Object.entries(LANGUAGES))
        for (const [theme, ofTheme] of Object.entries(THEMES))
          all[`${screen}/${size}-${language}-${theme}`] = [screen, { ...ofSize, ...ofLanguage, ...ofTheme }];
  return all;
}

const TAP_PX = 44;
const SIGNS = '.room, .seat, .result, .quarter, .ask-tell:not([hidden]), .lesson h2, .rules figure, .hand[data-mode=place], .hand[data-mode=build]';

/** @param {any} page @param {string} url @param {string} screen @param {string} file */
async function picture(page, url, screen, file) {
  const { scene, hash = '#/r/k3m9x0aq', act } = SCREENS[screen];
  const { tell } = await playServer(page, scene());
  await page.goto(url + hash);
  await page.waitForSelector(SIGNS);
  await page.waitForTimeout(300);
  await act?.(page, tell);
  await page.waitForTimeout(400);
  mkdirSync(path.dirname(file), { recursive: true });
  await page.screenshot({ path: file });
}

/** The same picture of the page as it was. @param {any} options @param {string} screen @param {string} file @returns {Promise<string[]>} why there is none */
async function pictureBefore(options, screen, file) {
  const page = await visitor(browser, options);
  page.setDefaultTimeout(LACKING_MS);
  const lacking = await picture(page, was.url, screen, file).then(() => [], ({ message }) => [`before: ${message.split('\n')[0]}`]);
  await page.context().close();
  return lacking;
}

const files = await serveFiles();
const was = before ? await serveFiles(path.join(before, 'clients', 'web')) : files;
const browser = await launch();
for (const [name, [screen, more = {}]] of Object.entries(every ? matrix() : PICTURES)) {
  if (every ? !wanted.every((part) => name.split(/[/-]/).includes(part) || screen === part) : wanted.length && !wanted.includes(name)) continue;
  const options = { reducedMotion: 'reduce', ...more };
  const page = await visitor(browser, options);
  const file = path.join(folder, `${name}.png`);
  await picture(page, files.url, screen, file);
  const misfits = every ? await faults(page, options.hasTouch ? TAP_PX : 0) : [];
  const lacking = before ? await pictureBefore(options, screen, path.join(folder, `${name}-before.png`)) : [];
  console.log([file, ...page.troubles, ...misfits, ...lacking].join('\n    '));
  await page.context().close();
}
await browser.close();
files.close();
was.close();
