// Hints at the table: asked for by mouse, key and finger, shown in words, figures and on the island, told to everybody, and
// never played by themselves. Against the real server; only refusals come from a mock one.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { findings } from './lib/axe.mjs';
import { visitor } from './lib/chromium.mjs';
import { faults } from './lib/fits.mjs';
import { Fixture, makeTable, ready, start } from './lib/fixture.mjs';
import { COMPUTERS, act, after as afterSeq, dice, myMove, seqOf, shown, still } from './lib/player.mjs';
import { scenes } from './lib/scenes.mjs';
import { playServer, serveFiles } from './lib/stage.mjs';

const PHONE = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true };
const fixture = new Fixture();
let files, page, room;
before(async () => {
  files = await serveFiles();
  await fixture.open();
});
after(async () => {
  files?.close();
  await fixture.close();
});

/** The turns that the page was told. @param {any} page */
const hinted = (page) => page.evaluate(() => window.taluva.page().hint.turns);

/** What was played so far. @param {any} page */
const played = (page) =>
  page.evaluate(() => window.taluva.room().past.filter(({ event }) => event?.kind === 'move').length);

/** @param {any} page @param {{[field: string]: string | boolean}} [wishes] */
async function tableWithComputer(page, wishes = {}) {
  const id = await makeTable(page, { Players: '2', ...wishes });
  await page.click('.seat[data-seat="1"] [data-focus^=bot]');
  await ready(page);
  await start(page);
  await myMove(page);
  return id;
}

/** Goes on by key until something is chosen. @param {any} page @param {() => boolean} isChosen @param {any} wanted */
async function jumpTo(page, isChosen, wanted) {
  for (let i = 0; i < 600; i++) {
    await shown(page);
    if (await page.evaluate(isChosen, wanted)) return;
    await page.keyboard.press('n');
  }
  throw new Error(`${wanted} is not among what can be chosen`);
}

test('the button asks, and the best turns come in words and figures; nothing is played', async () => {
  page = await fixture.visit('Ana');
  room = await tableWithComputer(page);
  for (let i = 0; i < 4; i++) await act(page, dice(5));
  await myMove(page);
  const before = await played(page);
  await page.click('.ask-hint');
  await page.waitForSelector('.advised-turn');
  const turns = await hinted(page);
  assert.ok(turns.length >= 1 && turns.length <= 3);
  const words = await page.$$eval('.advised-turn', (all) => all.map((one) => one.innerText));
  words.forEach((text, i) => {
    assert.match(text, /^Volcano (in the|beside) .+, facing /);
    assert.match(text, /; (hut|tower|temple|expand) /);
    assert.match(text, /as good as won|far ahead|ahead|level|behind|as good as lost/);
    assert.ok(/\d%/.test(text) && new RegExp(COMPUTERS).test(text), text);
    assert.ok(turns[i].chances[0] <= turns[0].chances[0], 'best first');
  });
  assert.equal(await page.locator('.advised-tile').count(), 1, 'the best one lies on the island');
  assert.ok((await page.locator('.advised-piece').count()) >= 1);
  assert.equal(await page.textContent('.advised .sign text'), '★');
  assert.equal(await played(page), before, 'and nothing was played');
  await still(page);
  assert.deepEqual(await findings(page), []);
});

test('another of them can be pointed out', async () => {
  const turns = await hinted(page);
  assert.ok(turns.length > 1);
  const where = () => page.$eval('.advised', (group) => group.innerHTML);
  const first = await where();
  const others = []; // two turns may lead to the same pieces: by extending one settlement or the other
  for (let at = 1; at < turns.length; at++) {
    await page.click(`.advised-turn >> nth=${at}`);
    assert.equal(await page.getAttribute(`.advised-turn >> nth=${at}`, 'aria-pressed'), 'true');
    others.push(await where());
  }
  assert.ok(others.some((other) => other !== first));
  await page.click('.advised-turn >> nth=0');
  assert.equal(await where(), first);
});

test('everybody at the table sees in the log that a hint was taken', async () => {
  const bo = await fixture.visit('Bo', {}, `#/r/${room}`);
  await bo.waitForSelector('.table');
  for (const one of [page, bo]) {
    await one.click('.table-bar button >> nth=0');
    await one.waitForSelector('.events li:has-text("Ana takes a hint.")');
    await one.click('.table-bar button >> nth=0');
  }
  assert.ok(await bo.isHidden('.ask-hint'), 'who only watches is not offered any');
});

test('who follows the hint sees its second half, and after the turn it is gone', async () => {
  const [{ moves }] = await hinted(page);
  const seq = await seqOf(page);
  await page.focus('.board');
  await jumpTo(page, (text) => window.taluva.page().view.placing.placement?.text === text, moves[0]);
  await page.keyboard.press('Enter');
  await afterSeq(page, seq);
  assert.equal(await myMove(page), 'build');
  assert.deepEqual((await hinted(page)).map((turn) => turn.moves), [[moves[1]]]);
  assert.equal(await page.locator('.advised-tile').count(), 0);
  assert.ok((await page.locator('.advised-piece').count()) >= 1);
  const placed = await seqOf(page);
  await page.focus('.board');
  await jumpTo(page, (text) => window.taluva.page().view.building.chosen?.text === text, moves[1]);
  await page.keyboard.press('Enter');
  await afterSeq(page, placed);
  assert.notEqual(await myMove(page), 'over');
  assert.deepEqual(await hinted(page), []);
  assert.equal(await page.locator('.advised > *').count(), 0);
  assert.ok(await page.isHidden('.advice'));
});

test('by keys alone', async () => {
  await page.focus('.board');
  await page.keyboard.press('h');
  await page.waitForSelector('.advised-turn');
  const last = (await hinted(page)).length - 1;
  for (let i = 0; i < 40; i++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate((n) => document.activeElement?.dataset.focus === `turn-${n}`, last)) break;
  }
  await page.keyboard.press('Enter');
  await page.waitForFunction((n) => window.taluva.page().hint.chosen === n, last);
  assert.equal(await page.evaluate(() => document.activeElement?.dataset.focus), `turn-${last}`, 'the focus stays');
  await page.focus('.advice [data-focus=back]');
  await page.keyboard.press('Enter');
  assert.ok(await page.isHidden('.advice'));
  assert.ok(await page.evaluate(() => document.activeElement?.matches('.ask-hint')), 'and is not lost with the panel');
  assert.ok((await page.locator('.advised-piece').count()) >= 1, 'the sign stays while the turn is played');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.advised-turn');
  await page.click('.advice [data-focus=hide]');
  await page.waitForFunction(() => !document.querySelector('.advised > *'));
});

test('on a phone with one thumb', async () => {
  const phone = await fixture.visit('Cy', PHONE);
  await tableWithComputer(phone);
  await act(phone, dice(8), { touch: true });
  await act(phone, dice(8), { touch: true });
  await myMove(phone);
  const { top } = await phone.$eval('.ask-hint', (button) => button.getBoundingClientRect());
  assert.ok(top > 320, 'in the lower half');
  await phone.tap('.ask-hint');
  await phone.waitForSelector('.advised-turn');
  await still(phone);
  assert.deepEqual(await faults(phone, 44), []);
  await phone.tap('.advice [data-focus=back]');
  await phone.waitForSelector('.hand[data-mode=place]');
  assert.equal(await phone.locator('.advised-tile').count(), 1);
  await act(phone, dice(3), { touch: true });
});

test('where there are no hints there is no button', async () => {
  const dee = await fixture.visit('Dee');
  await tableWithComputer(dee, { hints: false });
  assert.ok(await dee.isHidden('.ask-hint'));
  await dee.focus('.board');
  await dee.keyboard.press('h');
  assert.ok(await dee.isHidden('.advice'));
});

test('a refusal is told, and it can be tried again', async () => {
  const scene = { ...scenes.hinted(), refusals: { hint: { code: 'busy', message: 'The computer players are busy.' } } };
  const away = await visitor(fixture.browser, { reducedMotion: 'reduce' });
  const { tell } = await playServer(away, scene);
  await away.goto(`${files.url}#/r/k3m9x0aq`);
  await away.click('.ask-hint');
  await away.waitForSelector('.advice .trouble:has-text("The computer players are busy.")');
  scene.refusals = {};
  await away.click('.advice [data-focus=again]');
  await away.waitForSelector('.advised-turn');
  assert.equal(await away.locator('.advice .trouble').count(), 0);
  const event = { kind: 'undone', seat: 0 };
  tell({ push: 'event', room: 'k3m9x0aq', seq: 101, at: 0, event, patch: { table: { stack: 7 } } });
  await away.waitForSelector('.advice', { state: 'hidden' });
  assert.equal(await away.locator('.advised > *').count(), 0, 'another position has other turns');
  assert.deepEqual(away.troubles, []);
});
