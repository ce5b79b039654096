// Looking back at a match: the analysis of the real server as a curve, lists and a table, and the replay that shows what is
// picked, with the better turn on the island. What a server without an answer does comes from a mock one.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { findings } from './lib/axe.mjs';
import { PATIENCE_MS, visitor } from './lib/chromium.mjs';
import { faults } from './lib/fits.mjs';
import { Fixture, makeTable, ready, start } from './lib/fixture.mjs';
import { atNight } from './lib/night.mjs';
import { COMPUTERS, playOut, shown, still } from './lib/player.mjs';
import { scenes } from './lib/scenes.mjs';
import { playServer, serveFiles } from './lib/stage.mjs';
import { scenes as totem } from './lib/totem.mjs';
import { stillBox, until } from './lib/until.mjs';

/** The thread that analyses comes behind everything else on a busy machine: as long as the server waits for it (--analysis-wait-ms). */
const ANALYSIS_MS = 2.5 * PATIENCE_MS;
const SMALL = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true, colorScheme: 'dark' };
const fixture = new Fixture();
let files, page, link;
before(async () => {
  files = await serveFiles();
  await fixture.open();
});
after(async () => {
  files?.close();
  await fixture.close();
});

/** @param {any} page */
const found = (page) => page.evaluate(() => window.taluva.page().analysis.found);

/** What the replay shows, and what was played next. @param {any} page */
const shownMoment = (page) =>
  page.evaluate(() => {
    const { index, past } = window.taluva.page();
    return { index, next: past[index + 1]?.event?.move, hexes: Object.keys(past[index].state.table.hexes).length };
  });

/** The turn that the page describes. @param {any} page */
const described = (page) => page.$eval('.now h3', (line) => Number(/\d+/.exec(line.textContent)?.[0]));

/** Waits until the page describes a turn. @param {any} page @param {number} number */
const describes = (page, number) =>
  page.waitForFunction((n) => document.querySelector('.now h3')?.textContent.includes(`Turn ${n}:`), number);

/** Checks that a turn is shown as it was chosen: before its tile lay there, and with the better turn if there was one. @param {any} page @param {any} turn */
async function showsTurn(page, { turn, moves, better }) {
  await describes(page, turn);
  await shown(page);
  const { next } = await shownMoment(page);
  assert.equal(next, moves[0]);
  assert.equal(await page.locator('.advised-tile').count(), better?.some((move) => move.includes(':')) ? 1 : 0);
  assert.equal(await page.locator('.advised .last-tile').count(), better ? 1 : 0, 'and what was played instead');
  assert.equal(await page.locator('.now .better').count(), better ? 1 : 0);
}

test('a match is played to its end', async () => {
  page = await fixture.visit('Ana');
  const room = await makeTable(page, { Players: '2', Tiles: '24' });
  link = `#/r/${room}`;
  await page.click('.seat[data-seat="1"] [data-focus^=bot]');
  await ready(page);
  await start(page);
  await playOut(page, 12, {});
  await page.waitForSelector('.result');
});

test('the analysis is asked for, waited for, and drawn', async () => {
  await page.click('.result button:has-text("Analysis")');
  await page.waitForSelector('.analysis .waiting');
  await page.waitForSelector('.analysis .curve', { timeout: ANALYSIS_MS });
  const { turns, turning_points: points, seats } = await found(page);
  const played = await page.evaluate(() => window.taluva.room().past.filter(({ event }) => /@.*:\d$/.test(event?.move)).length);
  assert.equal(turns.length, played, 'every tile that was placed is a turn');
  const lines = await page.$$eval('.line-of', (all) =>
    all.map((line) => ({ corners: line.getAttribute('d').split(/[ML]/).length - 1, dashes: line.getAttribute('stroke-dasharray'), class: line.getAttribute('class') })),
  );
  assert.deepEqual(lines.map(({ corners }) => corners), [turns.length + 1, turns.length + 1]);
  assert.notEqual(lines[0].dashes, lines[1].dashes, 'told apart without colours');
  assert.notEqual(lines[0].class, lines[1].class);
  assert.equal(await page.locator('.curve .end svg').count(), 2);
  assert.ok(points.length > 0, 'who plays at random makes turning points');
  assert.equal(await page.locator('.point').count(), points.length);
  const sums = await page.$$eval('.analysis .body > .sums tbody tr', (rows) => rows.map((row) => row.innerText.split(/\s+/)));
  assert.deepEqual(sums.map((cells) => cells.slice(-2).map(Number)), seats.map(({ mistakes, blunders }) => [mistakes, blunders]));
  await still(page);
  assert.deepEqual(await findings(page), []);
});

test('each turning point is one press away, with the better turn on the island', async () => {
  const { turns, turning_points: points } = await found(page);
  for (const [i, number] of points.entries()) {
    await page.click(`.point >> nth=${i}`);
    await showsTurn(page, turns.find(({ turn }) => turn === number));
  }
  const bad = turns.filter(({ better }) => better);
  assert.ok(bad.length > 0, 'who plays at random makes mistakes');
  await page.click('.analysis summary');
  assert.equal(await page.locator('.analysis details tbody tr').count(), turns.length);
  await page.click(`.analysis details tbody tr >> nth=${turns.indexOf(bad[0])} >> button`);
  await showsTurn(page, bad[0]);
  assert.match(await page.textContent('.now .better'), /★ Better: \S+/);
  const { index } = await shownMoment(page);
  await page.click('.replay button[aria-label="One step forward"]');
  await page.waitForFunction((before) => window.taluva.page().index > before && window.taluva.drawn(), index);
  assert.equal(await page.locator('.advised > *').count(), 0, 'when it has been played nothing is pointed out');
});

test('the curve by pointer and by keys', async () => {
  const { turns } = await found(page);
  const { x, y, width, height } = await stillBox(page, '.curve');
  await page.mouse.click(x + width * 0.55, y + height / 2);
  await page.waitForFunction((last) => {
    const at = Number(document.querySelector('.curve').getAttribute('aria-valuenow'));
    return at > last * 0.3 && at < last * 0.7;
  }, turns.length);
  await showsTurn(page, turns[(await described(page)) - 1] ?? {});
  await page.focus('.curve');
  await page.keyboard.press('End');
  await showsTurn(page, turns.at(-1));
  await page.keyboard.press('ArrowLeft');
  await showsTurn(page, turns.at(-2));
  await page.keyboard.press('Home');
  await showsTurn(page, turns[0]);
  assert.match(await page.getAttribute('.curve', 'aria-valuetext'), new RegExp(`^Turn 1: .* Ana \\d+%, ${COMPUTERS}.* \\d+%\\.$`));
  await page.keyboard.press('ArrowLeft');
  await describes(page, turns[0].turn);
  await page.click('.now [data-focus=next]');
  await showsTurn(page, turns[1]);
});

test('it follows the replay, and stays known when it is closed', async () => {
  const { turns } = await found(page);
  await page.click('.replay button[aria-label="To the end"]');
  await describes(page, turns.at(-1).turn);
  await page.click('.analysis header button');
  assert.ok(await page.isHidden('.analysis'));
  await page.evaluate(() => {
    const { wire } = window.taluva;
    wire.ask = () => Promise.reject(new Error('nothing needs to be asked again'));
  });
  await page.click('.replay .analyse');
  assert.ok(await page.isVisible('.curve'));
  await page.evaluate(() => delete window.taluva.wire.ask);
  assert.equal(await page.getAttribute('.replay .analyse', 'aria-pressed'), 'true');
  await page.click('.replay button[aria-label="Leave the replay"]');
  await page.waitForSelector('.result');
  assert.ok(await page.isHidden('.analysis'));
});

test('by finger on a small phone, by the link', async () => {
  const phone = await fixture.visit('Bo', SMALL, link);
  await phone.tap('.result button:has-text("Analysis")');
  await phone.waitForSelector('.curve');
  await still(phone);
  assert.deepEqual(await faults(phone, 44), []);
  assert.deepEqual(await findings(phone), []);
  const { turns, turning_points: points } = await found(phone);
  assert.deepEqual(turns, (await found(page)).turns, 'everybody gets the same');
  await phone.tap('.point >> nth=0');
  await showsTurn(phone, turns.find(({ turn }) => turn === points[0]));
  await still(phone);
  const board = await phone.locator('.board').boundingBox();
  const curve = await phone.locator('.curve').boundingBox();
  assert.ok(curve.y >= board.y + board.height - 1 && curve.y + curve.height <= 640, 'the island and the curve are both seen');
  await phone.tap('.replay .analyse');
  assert.ok(await phone.isHidden('.analysis'));
});

/** A match that a mock server tells. @param {any} scene @param {string} [at] what is waited for @param {any} [options] */
async function ended(scene, at = '.result', options = {}) {
  const away = await visitor(fixture.browser, { reducedMotion: 'reduce', ...options });
  const server = await playServer(away, scene);
  await away.goto(`${files.url}#/r/k3m9x0aq`);
  await away.waitForSelector(at);
  return { away, ...server };
}

test('who is busy is asked again; a refusal is told', async () => {
  const scene = { ...scenes.analysed(), refusals: { analysis: { code: 'busy', message: 'Busy.' } } };
  const { away, asked } = await ended(scene);
  const times = () => asked.filter(({ op }) => op === 'analysis').length;
  await away.click('.result button:has-text("Analysis")');
  await away.waitForSelector('.analysis .waiting');
  await until(() => times() === 2);
  assert.ok(await away.isVisible('.analysis .waiting'), 'the visitor still waits');
  scene.refusals = { analysis: { code: 'no_analysis', message: 'Matches of this game are not analysed here.' } };
  await away.waitForSelector('.analysis .trouble:has-text("are not analysed here")');
  scene.refusals = {};
  await away.click('.analysis button:has-text("Try again")');
  await away.waitForSelector('.curve');
  assert.deepEqual(away.troubles, []);
});

test('a match without a whole turn has no curve', async () => {
  const empty = { game: 'taluva', rules: 1, simulations: 400, turns: [], turning_points: [], seats: [] };
  const { away } = await ended({ ...scenes.analysed(), analysis: empty });
  await away.click('.result button:has-text("Analysis")');
  await away.waitForSelector('text=There is no whole turn to look at.');
  await away.click('.replay button[aria-label="To the start"]');
  assert.deepEqual(away.troubles, []);
});

const openMenu = (/** @type {any} */ page) => page.click('.table-bar button[aria-label="Menu"]');

/** Neither the result, nor the menu, nor the replay offers an analysis. @param {any} away */
async function offersNone(away) {
  assert.equal(await away.locator('button:has-text("Analysis")').count(), 0);
  await openMenu(away);
  await away.waitForSelector('.entry:has-text("Record")');
  assert.equal(await away.locator('button:has-text("Analysis")').count(), 0);
  await away.keyboard.press('Escape');
  await away.click('.result button:has-text("Replay")');
  await away.waitForSelector('.replay:not([hidden])');
  assert.ok(await away.isHidden('.replay .analyse'));
}

test('a game that nobody looks back at has no analysis', async () => {
  const { away } = await ended(totem.lookback());
  await offersNone(away);
});

test('a server without threads that think offers none', async () => {
  const { away } = await ended({ ...scenes.analysed(), analyses: [] });
  await offersNone(away);
});

test('a match that goes on has none in its menu', async () => {
  const { away } = await ended(scenes.middle(), '.hand');
  await openMenu(away);
  await away.waitForSelector('.entry:has-text("Record")');
  assert.equal(await away.locator('.entry:has-text("Analysis")').count(), 0);
});

atNight('the menu has it, in every language, by keys and by finger', async () => {
  for (const [locale, words, close] of [['en', 'Analysis', 'Close the analysis'], ['fr', 'Analyse', 'Fermer l’analyse'], ['zh', '分析', '关闭分析']]) {
    const { away } = await ended(scenes.analysed(), '.result', { ...SMALL, locale });
    const menu = away.locator('.table-bar button:visible').last();
    const entry = away.locator('.entry', { has: away.locator('path') }).filter({ hasText: words });
    await menu.tap();
    assert.equal((await entry.first().innerText()).trim(), words);
    await still(away);
    assert.deepEqual(await faults(away, 44), []);
    await entry.first().tap();
    await away.waitForSelector('.analysis .curve');
    await menu.focus();
    await away.keyboard.press('Enter');
    await away.waitForSelector('.entry');
    const index = (await away.locator('.entry').allInnerTexts()).findIndex((text) => text.trim() === close);
    for (let i = 0; i < 20 && !(await away.evaluate((n) => document.activeElement === document.querySelectorAll('.entry')[n], index)); i++)
      await away.keyboard.press('Tab');
    await away.keyboard.press('Enter');
    await away.waitForSelector('.analysis', { state: 'hidden' });
    assert.deepEqual(away.troubles, []);
  }
});
