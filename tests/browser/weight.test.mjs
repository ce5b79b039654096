// How large the page is as the server sends it: at most 250 kB for a visit that plays in the largest language, headers
// included, and for all files that one game in one language can ask for; 50 kB more for the lessons and the rules of a game. Before the first
// words the page alone has to come (app.test.mjs), 4 kB; before somebody new can play a first turn, 64 kB in 24 files.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

import { LANGUAGES } from '../../clients/web/js/words.js';
import { visitor } from './lib/chromium.mjs';
import { Fixture } from './lib/fixture.mjs';
import { myMove } from './lib/player.mjs';

const MOST = 250_000;
const MOST_LEARNT = 50_000;
const MOST_BEFORE_WORDS = 4_096; // what a server sends at once to a browser that it does not know yet is some 14 kB: far below
const MOST_BEFORE_TURN = 64_000;
const MOST_FILES_BEFORE_TURN = 24; // a browser fetches six at a time
const LEARNT = /learn/; // what is fetched only by whoever learns
/** What is fetched for one language alone, by what it is of; English that comes at once is there for all, for what others lack. @type {{[language: string]: string[]}} */
const WORDS_OF = Object.fromEntries(
  Object.keys(LANGUAGES).map((tag) => {
    const language = tag.slice(0, 2);
    return [tag, [...(language === 'en' ? [] : [language]), `late/${language}`, ...(tag === 'zh-hant' ? ['traditional'] : [])]];
  }),
);
const OF_A_LANGUAGE = /i18n\/((?!en\b)\w+|late\/\w+)\.js$|\/(traditional)\.js$/;
const COMMENTS = /\/\*.*?\*\/|^\/\/[^\n]*$/gms;
const WEB = fileURLToPath(new URL('../../clients/web/', import.meta.url));
const fixture = new Fixture();
before(() => fixture.open());
after(() => fixture.close());

/** A response body, its size, and whether it is compressed. @param {string} name @returns {Promise<{body: Buffer, bytes: number, packed: boolean, status: number}>} */
const fetched = (name) =>
  new Promise((resolve, reject) => {
    const request = http.get(`${fixture.server.url}${name}`, { headers: { 'accept-encoding': 'gzip' } }, (response) => {
      const parts = [];
      response.on('data', (data) => parts.push(data));
      response.on('end', () => {
        const body = Buffer.concat(parts);
        resolve({ body, bytes: body.length, packed: response.headers['content-encoding'] === 'gzip', status: response.statusCode });
      });
    });
    request.on('error', reject);
  });

/** Whether it declares types and nothing else: only the comments of others name it, no browser asks for it. @param {string} name */
const isOfTypes = (name) => name.endsWith('.js') && readFileSync(path.join(WEB, name), 'utf8').replace(COMMENTS, '').trim() === 'export {};';

test('a visit: the first page, the table, in another language than English', async (t) => {
  const page = await fixture.visit('');
  await page.goto('about:blank'); // what is still underway of that visit is not counted
  const client = await page.context().newCDPSession(page);
  const bodies = new Map();
  let bytes = 0;
  client.on('Network.responseReceived', ({ requestId, response }) => bodies.set(requestId, response.url));
  client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (bodies.has(requestId)) bytes += encodedDataLength;
  });
  await client.send('Network.enable');
  await client.send('Network.setCacheDisabled', { cacheDisabled: true });
  await page.goto(`${fixture.url}#/`);
  await page.waitForFunction(() => window.taluva?.wire.status === 'open');
  const home = bytes;
  await page.click('#solo');
  await myMove(page);
  await page.goto(`${fixture.url}#/`);
  await page.waitForSelector('.home');
  await page.click('.masthead button >> nth=1');
  await page.selectOption('.dialog select >> nth=0', 'fr');
  await page.waitForSelector('text=Jouer contre l’ordinateur');
  const fetchedFiles = new Set([...bodies.values()].map((url) => new URL(url).pathname));
  t.diagnostic(`${home} bytes to the first page, ${bytes} in all, headers included, ${fetchedFiles.size} files`);
  for (const name of ['/js/table.js', '/js/games/taluva/taluva.css', '/i18n/fr.js', '/js/games/taluva/i18n/fr.js'])
    assert.ok(fetchedFiles.has(name), name);
  for (const name of fetchedFiles) {
    assert.doesNotMatch(name, LEARNT, 'the lessons are not fetched unasked');
    assert.doesNotMatch(name, /late|seats/, 'nor is what only others come to');
    assert.ok(!isOfTypes(name), `${name} is asked for by nobody`);
  }
  assert.ok(home > 10_000 && bytes > home, 'it was counted');
  assert.ok(bytes <= MOST, `${bytes} bytes`);
});

test('somebody new plays a first turn before the rest of the page is there', async (t) => {
  const [before] = readFileSync(path.join(WEB, 'index.html'), 'utf8').split('<script type="module" src="js/app.js">');
  const modules = [...before.matchAll(/(?:href|src)="((?:js|i18n)\/[^"]+\.(?:js|css))"/g)].map(([, name]) => name);
  const needed = ['', ...modules, 'css/base.css', 'css/pages.css', 'css/table.css'];
  const sizes = await Promise.all(needed.map(fetched));
  const sum = sizes.reduce((all, { bytes }) => all + bytes, 0);
  t.diagnostic(`${sum} bytes in ${needed.length} files`);
  assert.ok(sum <= MOST_BEFORE_TURN && needed.length <= MOST_FILES_BEFORE_TURN, `${sum} bytes in ${needed.length} files`);
  const page = await visitor(fixture.browser, { reducedMotion: 'reduce' });
  const held = [];
  let all = false;
  await page.route('**/*', (route) => {
    const { pathname } = new URL(route.request().url());
    if (all || needed.includes(pathname.slice(1)) || pathname.endsWith('.svg')) return route.continue();
    held.push(route);
  });
  await page.goto(fixture.url, { waitUntil: 'commit' });
  await page.focus('#first-dot');
  for (let press = 1; press <= 3; press++) await page.keyboard.press('Enter');
  await page.waitForSelector('#first-dot', { state: 'detached' });
  assert.equal(await page.locator('.first-picture .hex.p-yellow').count(), 2, 'the hut stands there');
  assert.equal(await page.locator('#first-game').count(), 0, 'a game is to be had when the page is there');
  assert.ok(held.some((route) => route.request().url().endsWith('/js/app.js')), 'which it is not');
  assert.deepEqual(held.filter((route) => /woff2$/.test(route.request().url())), [], 'nor are its letters asked for');
  all = true;
  await Promise.all(held.map((route) => route.continue()));
  await page.waitForSelector('.home #first-game:focus');
  assert.equal(await page.locator('.early').count(), 0);
  await page.keyboard.press('Enter');
  await page.waitForSelector('.table');
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

/** A line of our sources that has nothing but a comment, or a part of one. */
const COMMENT_LINE = /^\s*(\/\/|\/\*|\*)/;

/** Those of the scripts, with their source and what is sent of it, that are not the same to a browser. @param {[name: string, source: string, sent: string][]} scripts @returns {string[]} */
function different(scripts) {
  const program = fileURLToPath(new URL('lib/tokens.cjs', import.meta.url));
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--expose-internals', program], { input: JSON.stringify(scripts), encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

/** A script is sent line by line as it is in the source, but for its comments. @returns how many lines are left out */
function assertWhole(/** @type {[name: string, source: string, sent: string]} */ [name, ...texts]) {
  const [source, sent] = texts.map((text) => text.split('\n'));
  assert.equal(sent.length, source.length, name);
  const leftOut = source.filter((line, i) => line !== sent[i]);
  for (const line of leftOut) assert.match(line, COMMENT_LINE, name);
  assert.ok(!sent[0].startsWith('//'), `${name}: what it is, is a comment`);
  return leftOut.length;
}

test('all that one game in one language can ask for', async (t) => {
  const names = readdirSync(WEB, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(html|js|css|svg)$/.test(entry.name))
    .map((entry) => path.relative(WEB, path.join(entry.parentPath ?? entry.path, entry.name)))
    .filter((name) => !isOfTypes(name));
  /** @type {{[game: string]: {[language: string]: number}}} what all games, or languages, share is under "" */
  const sums = {};
  /** @type {{[game: string]: {[language: string]: number}}} the same of the lessons */
  const learnt = {};
  /** @type {[name: string, source: string, sent: string][]} */
  const scripts = [];
  for (const name of names) {
    const answer = await fetched(name);
    const { bytes, packed, status } = answer;
    assert.equal(status, 200, name);
    if (name.endsWith('.js')) scripts.push([name, readFileSync(path.join(WEB, name), 'utf8'), String(packed ? gunzipSync(answer.body) : answer.body)]);
    assert.ok(packed || bytes < 500, `${name} comes packed`);
    const [, game = ''] = /games\/(\w+)\//.exec(name) ?? [];
    const [, words, converted = ''] = OF_A_LANGUAGE.exec(name) ?? [];
    const language = words ?? converted;
    const into = LEARNT.test(name) ? learnt : sums;
    into[game] ??= {};
    into[game][language] = (into[game][language] ?? 0) + bytes;
  }
  const leftOut = scripts.map(assertWhole).reduce((one, other) => one + other);
  assert.deepEqual(different(scripts), [], 'other than their sources, and not by comments');
  assert.deepEqual(different([['text', 'a = `\n// b\n`;', 'a = `\n\n`;']]), ['text']);
  t.diagnostic(`${names.length} files, ${leftOut} lines of comments left out, packed ${JSON.stringify(sums)}, and of what is learnt from ${JSON.stringify(learnt)}`);
  assert.ok(names.length > 30 && leftOut > 2000, 'comments are for who reads the sources');
  const { bytes: first } = await fetched('index.html');
  t.diagnostic(`${first} bytes before the first words`);
  assert.ok(first <= MOST_BEFORE_WORDS, `${first} bytes before the first words`);
  for (const game of ['taluva', 'totem']) {
    for (const [language, words] of Object.entries(WORDS_OF)) {
      const shared = [sums[''][''], ...words.map((of) => sums[''][of])];
      const parts = [...shared, sums[game][''], ...words.map((of) => sums[game][of] ?? 0)];
      for (const part of shared) assert.ok(part > 1500, `${game}, ${language}: ${parts}`);
      assert.ok(sums[game][''] > 2000 && (language === 'en' || sums[game][words[0]] > 2000), `${game}, ${language}: ${parts}`);
      const sum = parts.reduce((one, other) => one + other);
      t.diagnostic(`${game}, ${language}: ${sum} bytes`);
      assert.ok(sum <= MOST, `${game}, ${language}: ${sum} bytes`);
    }
  }
  const { '': shared, ...own } = learnt;
  assert.deepEqual(Object.keys(own).sort(), ['taluva', 'totem']);
  for (const [game, { '': parts, ...words }] of Object.entries(own)) {
    assert.deepEqual(Object.keys(words).sort(), [...new Set(Object.keys(LANGUAGES).map((tag) => tag.slice(0, 2)))].filter((tag) => tag !== 'en').sort());
    const most = Math.max(...Object.values(words));
    const sum = parts + most + shared[''];
    assert.ok(parts > 5000 && most > 2000 && sum > 10_000 && sum <= MOST_LEARNT, `${game}: ${sum} bytes`);
  }
});
