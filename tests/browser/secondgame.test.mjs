// A second game needs a folder and one line in the registry: the page shows it from the first page to the end of a match, and
// none of its other files depends on the game. The folder is web/js/games/pebbles beside this file; the test adds the line to the
// registry when the browser loads it, and uses a mock server.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { launch, PATIENCE_MS, visitor } from './lib/chromium.mjs';
import { atNight } from './lib/night.mjs';
import { scenes } from './lib/scenes.mjs';
import { playServer, serveFiles } from './lib/stage.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const REGISTRY = path.join(HERE, '../../clients/web/js/games/registry.js');
const GAME = path.join(HERE, 'web/js/games/pebbles');
const ROOM = '#/r/k3m9x0aq';

let files, browser;
before(async () => {
  files = await serveFiles();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  files?.close();
});

/** The registry with one more line. */
function registry() {
  const text = readFileSync(REGISTRY, 'utf8');
  const line = /^ {2}\{ id: 'taluva'.*\n/m;
  assert.match(text, line, 'the registry has a line for each game');
  return text.replace(line, "$&  { id: 'pebbles', title: 'Pebbles', load: () => import('./pebbles/game.js') },\n");
}

/** A page that knows the second game. @param {any} scene @param {string} hash @param {any} [options] */
async function open(scene, hash, options) {
  const page = await visitor(browser, { reducedMotion: 'reduce', ...options });
  await page.route('**/js/games/registry.js', (route) =>
    route.fulfill({ body: registry(), contentType: 'text/javascript' }),
  );
  await page.route('**/js/games/pebbles/*', (route) =>
    route.fulfill({ path: path.join(GAME, path.basename(new URL(route.request().url()).pathname)) }),
  );
  const server = await playServer(page, scene);
  await page.goto(files.url + hash);
  return { page, ...server };
}

const SEATS = {
  0: { name: 'Ana', colour: 'granite', ready: true },
  1: { name: 'Bo', colour: 'marble', ready: true },
};
const LOBBY = {
  game: 'pebbles',
  phase: 'lobby',
  access: 'open',
  title: '',
  options: { heaps: 3 },
  seats: { 0: SEATS[0] },
  clock: { kind: 'none' },
};
const PLAYING = {
  ...LOBBY,
  phase: 'playing',
  seats: SEATS,
  acting: [0],
  table: { heaps: [3, 1], taken: { 0: 0, 1: 2 } },
};
const MOVES = { moves: ['0-1', '0-2', '0-3', '1-1'] };

/** @param {() => boolean} holds */
async function until(holds) {
  for (const end = Date.now() + PATIENCE_MS; !holds(); await new Promise((resolve) => setTimeout(resolve, 20)))
    assert.ok(Date.now() < end, 'it never came to this');
}

test('on the first page it is listed, and a table of it is made with its own options', async () => {
  const line = { room: 'k3m9x0aq', game: 'pebbles', phase: 'lobby', size: 2, options: { heaps: 4 }, seats: { 0: SEATS[0] } };
  const rooms = [line, ...scenes.rooms().rooms, { ...line, room: '0a7t2m9z', game: 'unheard-of' }];
  const { page, asked } = await open({ rooms, state: LOBBY, seat: 0, host: true }, '#/');
  await page.waitForSelector('.room .pebble'); // its module was fetched for the list
  const about = await page.$$eval('.room .about small', (lines) => lines.map((one) => one.textContent));
  assert.deepEqual(about, [
    'Waiting for players · Pebbles · 4 heaps',
    'Waiting for players · Taluva · Ferti 2014 · 48 tiles · teams',
    'Playing · Taluva · Ferti 2014 · 48 tiles · boats · Player’s zone',
    'Waiting for players · unheard-of',
  ]);
  assert.equal(await page.locator('.room .pebble.granite').count(), 1);
  await page.click('#new-table');
  await page.waitForSelector('.create'); // it is fetched
  assert.equal(await page.locator('.create input[name=teams]').count(), 1, 'the form is Taluva’s at first');
  await page.selectOption('.create label:has-text("Game") select', 'pebbles');
  await page.waitForSelector('.create input[name=teams]', { state: 'detached' });
  await page.selectOption('.create label:has-text("Heaps") select', '4');
  await page.selectOption('.create label:has-text("Clock") select', 'move');
  await page.click('.create button[type=submit]');
  await page.waitForSelector('.lobby');
  const { op: _, ...fields } = asked.find(({ op }) => op === 'create');
  assert.deepEqual(fields, {
    game: 'pebbles',
    options: { heaps: 4 },
    access: 'code',
    clock: { kind: 'move', move_s: 60, on_timeout: 'eliminate' },
  });
  assert.deepEqual(page.troubles, []);
});

atNight('its module is not fetched before it is asked for, and solo play offers it', async () => {
  const { page, asked } = await open({ rooms: [], state: LOBBY, seat: 0, host: true }, '#/');
  const fetched = [];
  page.on('request', (request) => fetched.push(new URL(request.url()).pathname));
  await page.reload();
  await page.waitForSelector('#solo-game');
  assert.ok(fetched.includes('/js/games/taluva/game.js'));
  assert.ok(!fetched.some((name) => name.includes('pebbles')), 'not yet');
  await page.selectOption('#solo-game', 'pebbles');
  await page.waitForFunction(() => document.querySelectorAll('#solo-count option').length === 1);
  assert.ok(fetched.includes('/js/games/pebbles/game.js'));
  await page.click('.masthead button >> nth=0');
  assert.match(await page.textContent('.dialog'), /Take as many as you like/, 'help is about what was chosen');
  await page.keyboard.press('Escape');
  await page.click('#solo');
  await until(() => asked.some(({ op, game }) => op === 'create' && game === 'pebbles'));
  assert.deepEqual(page.troubles, []);
});

atNight('its lobby has its seats, and its colours by name and as colour', async () => {
  const { page, asked } = await open({ state: LOBBY, seat: 0, host: true }, ROOM);
  await page.waitForSelector('.seat');
  assert.equal(await page.locator('.seat').count(), 2);
  assert.match(await page.textContent('.seating .hint'), /^3 heaps · no clock/);
  assert.match(await page.title(), /· Pebbles$/);
  const paint = await page.$eval('.seat[data-seat="0"]', (seat) => getComputedStyle(seat).borderLeftColor);
  assert.equal(paint, 'rgb(80, 90, 100)');
  const names = await page.$$eval('.colour', (buttons) => buttons.map((button) => button.title));
  assert.deepEqual(names, ['Granite', 'Marble']);
  await page.click('.colour[title=Marble]');
  await until(() => asked.some(({ op, colour }) => op === 'sit' && colour === 'marble'));
  await page.click('.masthead button >> nth=0');
  assert.match(await page.textContent('.dialog'), /Take as many as you like/);
  assert.deepEqual(page.troubles, []);
});

test('its table is drawn, played, announced and ended', async () => {
  const scene = { state: PLAYING, seat: 0, moves: MOVES, refusals: {} };
  const { page, asked, tell } = await open(scene, ROOM);
  await page.waitForSelector('.take');
  const heaps = () => page.$$eval('.heap', (all) => all.map(({ dataset }) => Number(dataset.pebbles)));
  assert.deepEqual(await heaps(), [3, 1]);
  assert.equal((await page.textContent('.turn-line')).trim(), 'Take some pebbles');
  assert.equal(await page.textContent('.info-line'), '4 pebbles left');
  assert.equal(await page.title(), '● Your turn · Pebbles');
  assert.equal(await page.locator('.card.is-granite.acts').count(), 1);
  assert.equal(await page.textContent('.card.is-marble .place'), '2');
  assert.ok(await page.evaluate(() => window.taluva.page().view.covered > 0), 'it is told what lies over its picture');

  scene.refusals = { move: { code: 'heap_empty', message: 'There is no pebble left in that heap.' } };
  await page.click('.take[data-move="1-1"]');
  await page.waitForSelector('.trouble');
  assert.equal(await page.textContent('.trouble'), 'There is no pebble left in that heap.');

  await page.click('.take[data-move="0-3"]');
  await until(() => asked.filter(({ op }) => op === 'move').length === 2);
  assert.equal(asked.findLast(({ op }) => op === 'move').move, '0-3');
  const event = (seq, fields, patch) => tell({ push: 'event', room: 'k3m9x0aq', seq, at: 0, event: fields, patch });
  event(101, { kind: 'move', seat: 0, move: '0-3' }, { table: { heaps: [0, 1], taken: { 0: 3 } }, acting: [1] });
  await page.waitForSelector('.turn-line:not(.mine)');
  assert.equal((await page.textContent('.turn-line')).trim(), 'Bo takes pebbles');
  assert.deepEqual(await heaps(), [0, 1]);
  assert.equal(await page.locator('.take').count(), 0, 'nothing is offered when others move');
  assert.match(await page.textContent('.events'), /Ana takes 3 of heap 1\./);

  const over = { phase: 'over', acting: null, result: { why: 'empty', winners: { 1: true } } };
  event(102, { kind: 'move', seat: 1, move: '1-1', over: true }, { table: { heaps: [0, 0], taken: { 1: 3 } }, ...over });
  await page.waitForSelector('.result');
  assert.equal(await page.textContent('.outcome'), 'Bo wins.');
  assert.match(await page.textContent('.result .hint'), /The last pebble is taken\./);
  assert.equal(await page.textContent('.result .taken'), '3 : 3');
  assert.match(await page.textContent('.events'), /Bo takes 1 of heap 2\. Bo wins\. The last pebble is taken\./);
  assert.deepEqual(page.troubles, []);
});

atNight('it speaks another language as far as it can', async () => {
  const refusals = { move: { code: 'heap_empty', message: 'There is no pebble left in that heap.' } };
  const { page } = await open({ state: PLAYING, seat: 0, moves: MOVES, refusals }, ROOM, { locale: 'fr-FR' });
  await page.waitForSelector('.take');
  assert.equal((await page.textContent('.turn-line')).trim(), 'Prenez des cailloux');
  assert.equal(await page.textContent('.info-line'), '4 pebbles left');
  await page.click('.take >> nth=0');
  await page.waitForSelector('.trouble');
  assert.equal(await page.textContent('.trouble'), 'Ce tas est vide.');
  assert.deepEqual(page.troubles, []);
});

atNight('a room with a game that the page does not know says so', async () => {
  const { page } = await open({ state: { ...PLAYING, game: 'unheard-of' }, seat: 0 }, ROOM);
  await page.waitForSelector('.panel');
  assert.match(await page.textContent('.panel'), /does not know the game/);
  assert.deepEqual(page.troubles, []);
});

atNight('what fails while it is not one’s turn is shown', async () => {
  const refusals = { say: { code: 'slow_down', message: 'Too many requests.' } };
  const { page } = await open({ state: { ...PLAYING, acting: [1] }, seat: 0, refusals }, ROOM);
  await page.click('.table-bar button >> nth=0');
  await page.fill('.say input', 'Hello');
  await page.click('.say button');
  await page.waitForSelector('.toast');
  assert.equal(await page.textContent('.toast'), 'Too many requests.');
  assert.deepEqual(page.troubles, []);
});
