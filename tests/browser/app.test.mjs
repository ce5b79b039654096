// The page as an app: what a phone needs to install it, what it shows without a network, and the clock of whoever is to move.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { traditional } from '../../clients/web/js/traditional.js';
import { LANGUAGES } from '../../clients/web/js/words.js';
import { Fixture } from './lib/fixture.mjs';
import { scenes } from './lib/scenes.mjs';
import { PATIENCE_MS, visitor } from './lib/chromium.mjs';
import { atNight, someOf } from './lib/night.mjs';
import { playServer, serveFiles } from './lib/stage.mjs';
import { until } from './lib/until.mjs';

const WEB = fileURLToPath(new URL('../../clients/web/', import.meta.url));
/** @param {string} name of a file of the page */
const read = (name) => readFileSync(path.join(WEB, name), 'utf8');

const fixture = new Fixture();
let files;
before(async () => {
  await fixture.open();
  files = await serveFiles();
});
after(async () => {
  files?.close();
  await fixture.close([/ERR_|Failed to load resource|WebSocket connection/]);
});

test('a phone can install it: the manifest and its icons are served as what they are', async () => {
  const page = await fixture.visit('Ana');
  const href = await page.getAttribute('link[rel=manifest]', 'href');
  const address = new URL(href, fixture.url);
  const answer = await fetch(address);
  assert.equal(answer.headers.get('content-type'), 'application/manifest+json');
  const { icons, start_url, display } = await answer.json();
  assert.equal(new URL(start_url, address).href, fixture.url);
  assert.equal(display, 'standalone');
  for (const { src, type, sizes } of icons) {
    const icon = await fetch(new URL(src, address));
    assert.equal(icon.headers.get('content-type'), type);
    const size = await page.evaluate(async (url) => {
      const image = new Image();
      image.src = url;
      await image.decode();
      return `${image.naturalWidth}x${image.naturalHeight}`;
    }, new URL(src, address).href);
    if (sizes !== 'any') assert.equal(size, sizes);
  }
  assert.ok(icons.some(({ purpose, sizes }) => purpose?.includes('maskable') && sizes === '512x512'));
});

atNight('the headings have a font of the page’s own', async () => {
  const page = await fixture.visit('Ana');
  await page.evaluate(() => document.fonts.ready);
  assert.ok(await page.evaluate(() => [...document.fonts].some(({ family, status }) => family === 'Vollkorn' && status === 'loaded')));
});

const LEARN = 'js/games/taluva/learn';

/** A module and all that it imports at once. @param {string} name @param {Set<string>} [found] @returns {Set<string>} */
function madeOf(name, found = new Set()) {
  if (found.has(name)) return found;
  found.add(name);
  for (const [, from] of read(name).matchAll(/^import [^;]*?'(\.[^']+)';$/gm)) madeOf(path.join(path.dirname(name), from), found);
  return found;
}

/** What the lessons and the rules are shown by. */
const shellOfLessons = () =>
  ['js/app.js', 'js/games/taluva/game.js', 'js/games/taluva/view.js', 'js/learn.js', 'js/learning.js'].flatMap((name) => [...madeOf(name)]);

/** What the page says that it keeps of them. */
function partsOfLessons() {
  const [, names] = /const LEARNT = \[([^\]]+)\]/.exec(read('js/games/taluva/game.js')) ?? [];
  return [...names.matchAll(/'([^']+)'/g)].map(([, name]) => path.join(LEARN, `${name}.js`));
}

/** @param {any} page @returns {Promise<string[]>} the files that the service worker keeps */
const keptOf = (page) => page.evaluate(async () => (await (await caches.open('taluva-files')).keys()).map(({ url }) => new URL(url).pathname));

/** Until it keeps these files. @param {any} page @param {string[]} names */
async function untilKept(page, names) {
  let missing = names;
  await until(
    async () => {
      const kept = await keptOf(page);
      missing = names.filter((name) => !kept.includes(`/${name}`));
      return !missing.length;
    },
    () => missing.join(' '),
  );
}

test('without a network the page opens again and says so, and goes on when it is back', async () => {
  const page = await fixture.visit('Ana', { serviceWorkers: 'allow' });
  await untilKept(page, [...shellOfLessons(), ...partsOfLessons(), 'css/learn.css']);
  const inGerman = await page.evaluate(async () => {
    const { default: game } = await import(`${location.origin}/js/games/taluva/game.js`);
    document.documentElement.lang = 'de';
    return game.learnt();
  });
  assert.ok(inGerman.some((/** @type {string} */ url) => url.endsWith(`/${LEARN}/i18n/de.js`)), 'in the language that is spoken');
  await page.context().setOffline(true);
  await page.reload();
  await page.waitForSelector('.home .living .hex');
  await page.waitForSelector('.line:has-text("You are offline")');
  await page.evaluate(() => {
    window.asked = [];
    const { wire } = window.taluva;
    const { ask } = wire;
    wire.ask = (op, fields) => (window.asked.push(op), ask.call(wire, op, fields));
  });
  await page.click('#solo');
  await page.waitForSelector('.toast:has-text("You are not connected")');
  for (const [hash, sign] of [['learn', '.lesson h2'], ['rules', '.rules h1']]) {
    await page.evaluate((to) => (location.hash = `#/${to}/taluva`), hash);
    await page.waitForSelector(sign);
  }
  await page.evaluate(() => (location.hash = '#/'));
  await page.context().setOffline(false);
  await page.waitForFunction(() => window.taluva?.wire.status === 'open');
  await page.waitForSelector('.line', { state: 'hidden' });
  assert.ok(!(await page.evaluate(() => window.asked)).includes('create'), 'what was pressed without a network is not done later');
  const kept = await keptOf(page);
  assert.ok(kept.includes('/') && !kept.some((name) => name.startsWith('/api') || name === '/ws'), String(kept));
});

test('with nothing but the page itself there are words and an outline, in the visitor’s language and theme', async () => {
  for (const [locale, words] of [['en-GB', 'A game against'], ['de-AT', 'Eine Partie'], ['zh-TW', '立即與']]) {
    const page = await visitor(fixture.browser, { locale });
    let go = () => undefined;
    const held = new Promise((resolve) => (go = () => resolve(undefined)));
    await page.route(/\/[^/]+\.[^/]+$/, (route) => held.then(() => route.continue()));
    await page.goto(fixture.url, { waitUntil: 'commit' });
    await page.waitForSelector(`.welcome p:visible:has-text("${words}")`);
    assert.equal(await page.locator('.welcome p:visible').count(), 1, locale);
    assert.ok((await page.$eval('.welcome path', (path) => path.getBoundingClientRect().width)) > 100);
    assert.equal(await page.$eval('.welcome', (box) => getComputedStyle(box).backgroundColor), 'rgb(143, 208, 214)', 'it has its style');
    go();
    await page.waitForSelector('.home');
    assert.equal(await page.locator('.welcome').count(), 0);
    assert.deepEqual(page.troubles, []);
    await page.context().close();
  }
});

test('what the page says before its scripts are there, they say, too', async () => {
  const html = read('index.html');
  const said = Object.fromEntries([...html.matchAll(/<p lang="([^"]+)">([^<]+)<\/p>/g)].map(([, language, text]) => [language, text]));
  const hintIn = async (/** @type {string} */ language) => (await import(path.join(WEB, 'i18n', `${language}.js`))).default.play_hint;
  const hints = Object.fromEntries(await Promise.all(Object.keys(LANGUAGES).map(async (tag) => [tag, await hintIn(tag.slice(0, 2))])));
  const { zh, 'zh-hant': _, ...others } = hints;
  assert.deepEqual(said, { ...others, 'zh-Hans': zh, 'zh-Hant': traditional(zh) });
  const [, known] = /'([^']+)'\.split/.exec(html) ?? [];
  assert.deepEqual(known.toLowerCase().split(' '), Object.keys(LANGUAGES));
});

test('what is kept of the lessons and the rules is all that they are made of', async () => {
  const [there, kept] = [shellOfLessons(), partsOfLessons()];
  const needed = ['course', 'rules'].flatMap((name) => [...madeOf(path.join(LEARN, `${name}.js`))]);
  assert.ok(needed.length > 12);
  assert.deepEqual(needed.filter((name) => !there.includes(name) && !kept.includes(name)), []);
});

/** As translators in browsers do: each text is put into elements of the translator's own, in place of the page's text node. */
function translate() {
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode;
    if (text.textContent.trim() && !text.parentElement.closest('script, style, svg')) texts.push(text);
  }
  for (const text of texts) {
    const outer = document.createElement('font'), inner = document.createElement('font');
    inner.textContent = `\u00bb${text.textContent}\u00ab`;
    outer.append(inner);
    text.replaceWith(outer);
  }
}

atNight('a page that the browser has translated goes on, from the first page to the match', async () => {
  const page = await fixture.visit('Ana');
  await page.evaluate(translate);
  await page.click('#new-table');
  await page.evaluate(translate);
  await page.click('.create button[type=submit]');
  await page.waitForSelector('.seat.mine');
  await page.evaluate(translate);
  await page.click('[data-focus=fill]');
  await page.waitForSelector('[data-focus=start].confirm');
  await page.evaluate(translate);
  await page.click('[data-focus=start].confirm');
  await page.waitForFunction(() => window.taluva?.room()?.state?.phase === 'playing');
  await page.evaluate(translate);
  await page.evaluate(() => (location.hash = '#/'));
  await page.waitForSelector('.home .living .hex');
});

test('where nothing may be stored one plays all the same, for as long as the page is open', async () => {
  const page = await visitor(fixture.browser, { reducedMotion: 'reduce' });
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage', 'caches', 'indexedDB'])
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException('access is denied', 'SecurityError');
        },
      });
  });
  await page.goto(fixture.url);
  await page.waitForFunction(() => window.taluva?.wire.status === 'open');
  await page.click('#new-table');
  await page.click('.create button[type=submit]');
  await page.waitForSelector('.seat.mine');
  assert.deepEqual(page.troubles, []);
  await page.close();
});

/** A table where the visitor has so much time left. @param {number} left_ms @param {string} reducedMotion */
async function clockAt(left_ms, reducedMotion) {
  const page = await visitor(fixture.browser, { reducedMotion });
  await page.clock.install({ time: 1_790_000_000_000 });
  await page.clock.pauseAt(1_790_000_001_000);
  const scene = scenes.middle();
  const seats = Object.fromEntries(Object.keys(scene.state.seats).map((seat) => [seat, { left_ms }]));
  scene.state.clock = { kind: 'fischer', bank_s: 300, increment_s: 10, on_timeout: 'eliminate', seats };
  await playServer(page, scene);
  await page.goto(`${files.url}#/r/k3m9x0aq`);
  // whatever waits in the page would wait for its clock, which stands still
  for (const end = Date.now() + PATIENCE_MS; !(await page.locator('.pill-clock:not(:empty)').count()); )
    assert.ok(Date.now() < end, 'the table is not shown');
  return page;
}

test('the clock stands beside whose turn it is and in the title, and pulses in the last ten seconds', async () => {
  const page = await clockAt(60_000, 'no-preference');
  const shown = async () => [await page.textContent('.pill-clock'), await page.title()];
  const left = await page.evaluate(() => window.taluva.page().pill.left());
  assert.ok(left > 50_000, String(left));
  const animation = () => page.$eval('.pill-clock', (clock) => getComputedStyle(clock).animationName);
  await page.clock.runFor(1000);
  const [clock, title] = await shown();
  assert.match(clock, /^0:5\d$/);
  assert.equal(title, `● ${clock} Your turn · Taluva`);
  assert.equal(await animation(), 'none');
  await page.clock.fastForward(left - 9_000); // as one step: what the page asks meanwhile would not be answered
  assert.match((await shown())[0], /^0:0\d$/);
  assert.equal(await animation(), 'pulse');
  const calm = await clockAt(5_000, 'reduce');
  await calm.clock.runFor(500);
  assert.equal(await calm.locator('.pill-clock.last').count(), 1);
  assert.equal(await calm.$eval('.pill-clock', (clock) => getComputedStyle(clock).animationName), 'none');
});

test('a table whose files cannot be fetched says so in one’s language, and is there when one tries again', async () => {
  for (const [locale, [words, again]] of Object.entries(someOf({
    'en-GB': ['A part of this page could not be fetched', 'Try again'],
    'fr-FR': ['Une partie de cette page n’a pas pu être chargée', 'Réessayer'],
    'zh-TW': ['本頁面的一部分無法載入', '再試一次'],
  }, 'en-GB'))) {
    const page = await visitor(fixture.browser, { locale });
    let gone = true;
    await page.route(/\/js\/(table|games\/taluva\/view)\.js$/, (route) => (gone ? route.abort() : route.continue()));
    await playServer(page, scenes.middle());
    await page.goto(`${files.url}#/r/k3m9x0aq`);
    const text = await page.textContent('.refused, [data-page=refused] .panel');
    assert.ok(text.includes(words), text);
    assert.doesNotMatch(text, /module|http|\.js/);
    assert.equal(await page.textContent('[data-page=refused] button.confirm'), again);
    gone = false;
    await page.click('[data-page=refused] button.confirm');
    await page.waitForSelector('.hand[data-mode=place]');
    await page.context().close();
  }
});

atNight('a browser that remembers what it could not fetch asks for the whole page', async () => {
  const page = await visitor(fixture.browser);
  await page.route('**/js/table.js', (route) => route.abort());
  await playServer(page, scenes.middle());
  await page.goto(`${files.url}#/r/k3m9x0aq`);
  await page.waitForSelector('[data-page=refused] button.confirm');
  await page.evaluate(() => (window.before = document.querySelector('.panel')));
  await page.click('[data-page=refused] button.confirm');
  await page.waitForFunction(() => document.querySelector('.panel') && document.querySelector('.panel') !== window.before);
  assert.ok(await page.evaluate(() => window.before), 'the same page asks once more');
  const anew = page.waitForEvent('load');
  await page.click('[data-page=refused] button.confirm');
  await anew;
  await page.context().close();
});
