// Whole evenings, from the first page to "Play again" and into the next game, against the real server: a family at one phone, two strangers
// of whom one goes, two whom quick match brings together, somebody with a keyboard alone, somebody who sees nothing. Two friends at two
// phones: lobby.test.mjs; four at terminals: e2e/tour.py.

import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';

import { launch } from './lib/chromium.mjs';
import { enterAt, Listener, menu, PHONE, tabTo, takeTurns } from './lib/evening.mjs';
import { Fixture } from './lib/fixture.mjs';
import { act, after as afterSeq, dice, myMove, pastDanger, seqOf } from './lib/player.mjs';
import { until } from './lib/until.mjs';

const fixture = new Fixture();
/** As long as it is there, the server's time goes so many times as fast (tests/support/hurried_clock.c). */
const HURRY_FILE = path.join(tmpdir(), `taluva-hurry-${process.pid}`);
const HURRY = '60'; // of what a connection is given to answer a ping, two thirds of a second are left
const CLAIM_MS = 1_800_000; // as in asks.js
before(() => fixture.open(['--computer-ms', '0'], launch, { LD_PRELOAD: process.env.HURRIED_CLOCK ?? '', HURRY_FILE, HURRY }));
after(() => fixture.close());

const STEPS = 6;

/**
 * Until somebody at a page has waited for so long for whoever is away. A server that stands still for a moment leaves out what passed, and on a busy
 * machine that is most of it: so each step is waited for by itself.
 * @param {any} page @param {number} ms
 */
async function waitForAway(page, ms) {
  writeFileSync(HURRY_FILE, '');
  try {
    for (let step = 1; step <= STEPS; step++) await untilAway(page, (ms * step) / STEPS);
  } finally {
    rmSync(HURRY_FILE, { force: true });
  }
  await page.reload(); // to have the server's time
  await page.waitForSelector('.table');
}

/** @param {any} page @param {number} ms */
async function untilAway(page, ms) {
  // What the server says of the time comes with its answers.
  await until(
    () => page.evaluate(async (wanted) => {
      const { wire, away } = window.taluva.room();
      const { time } = await wire.ask('ping');
      return Object.values(away).some((since) => time - since >= wanted);
    }, ms),
    () => `nobody is away for ${ms} ms`,
  );
}

/** Ana opens a table for everybody, Bo finds it in the list, and it begins. @param {any} clock @returns {Promise<any[]>} their pages */
async function strangers(clock) {
  const ana = await fixture.visit('Ana', PHONE);
  const room = await ana.evaluate(async (wish) => {
    const { wire } = window.taluva;
    const made = await wire.ask('create', { game: 'taluva', options: { players: 2 }, access: 'open', clock: wish });
    await wire.ask('join', { room: made.room });
    location.hash = `#/r/${made.room}`;
    return made.room;
  }, clock);
  const bo = await fixture.visit('Bo', PHONE);
  await bo.tap(`.room[data-room="${room}"] .button`);
  await bo.tap('.invited [data-focus=sit-down]');
  await bo.waitForSelector('.seat.mine');
  await bo.tap('.lobby [data-focus=ready]:not([aria-pressed=true])');
  await ana.tap('.lobby [data-focus=start]:not(:disabled)');
  await Promise.all([ana, bo].map((page) => page.waitForSelector('.table')));
  return [ana, bo];
}

/** Bo goes for good, and Ana moves until it is his turn. @param {any[]} pages @param {() => number} random */
async function leaveOne([ana, bo], random) {
  await bo.goto('about:blank');
  await ana.waitForFunction(() => Object.values(window.taluva.room().online).includes(false));
  while (await ana.evaluate(() => window.taluva.room().state.acting?.includes(window.taluva.room().seat))) await act(ana, random, { touch: true });
}

/** Whoever stayed plays again, with a computer in the place of who went. @param {any} ana @param {() => number} random */
async function playAgainWithout(ana, random) {
  await ana.tap('.result .actions > .confirm');
  await ana.waitForSelector('.seat:has-text("Bo") .state:has-text("Not connected")');
  await ana.tap('.seat:has-text("Bo") [data-focus^=unseat]');
  await ana.waitForSelector('.lobby .invitation.comes-first');
  await ana.tap('[data-focus=fill]');
  await ana.tap('.lobby [data-focus=start]:not(:disabled)');
  await ana.waitForSelector('.table');
  await takeTurns([ana], random, 2);
}

/** Somebody at a phone who has a handle. @param {Fixture} accounts @param {string} handle */
async function withHandle(accounts, handle) {
  const page = await accounts.visit('', PHONE);
  await page.evaluate((wanted) => window.taluva.wire.askPatiently('claim', { handle: wanted }), handle);
  await page.reload(); // an account is said in the answer to `hello`
  await page.waitForSelector('#seek');
  return page;
}

const SEATS = 3;
const AWAY_TURN_S = 40; // of a clock that nobody runs out of who is there

test('a family at one phone, in no list, to the end and again', async () => {
  const page = await fixture.visit('Ana', PHONE);
  await page.tap('#new-table');
  await page.locator('.create .field', { hasText: /^People at this device/ }).locator('select').selectOption(String(SEATS));
  await page.locator('.create .field', { hasText: /^Players/ }).locator('select').selectOption(String(SEATS));
  const fields = await page.$$('.create .person-name');
  for (const [i, name] of ['Ana', 'Bo', 'Chi'].entries()) await fields[i].fill(name);
  await page.tap('.create button[type=submit]');
  await page.waitForFunction((n) => window.taluva?.room()?.seatsHere.length === n, SEATS);
  assert.equal(await page.locator('.invitation.comes-first').count(), 0, 'nobody else is waited for');
  const stranger = await fixture.visit('Dee');
  await stranger.evaluate(() => window.taluva.wire.ask('rooms').then(({ rooms }) => (window.listed = rooms.length)));
  assert.equal(await stranger.evaluate(() => window.listed), 0, 'a family is in no list');
  const begin = async () => {
    await page.tap('.lobby [data-focus=start]:not(:disabled)');
    await page.waitForSelector('.table');
  };
  await begin();
  const random = dice(5);
  assert.equal(await takeTurns([page], random, 4 * SEATS), 4 * SEATS);
  await page.reload();
  await page.waitForFunction(() => window.taluva?.room());
  await takeTurns([page], random, 2);
  for (const name of ['Bo', 'Chi']) {
    await menu(page, 'Resign');
    await page.tap(`.dialog button:has-text("${name} resigns")`);
    await page.waitForSelector('.dialog', { state: 'detached' });
  }
  await page.waitForSelector('.result');
  assert.match(await page.textContent('.ending'), /Ana/, 'by name: all of them look at it');
  await page.tap('.result .actions > .confirm');
  await page.waitForSelector('.lobby .seat.mine');
  await page.waitForFunction((n) => window.taluva.room().seatsHere.length === n, SEATS);
  await begin();
  await takeTurns([page], random, SEATS);
});

test('two strangers at an open table: one goes in the middle, the computer goes on, and who stays plays again', async () => {
  const clock = { kind: 'byoyomi', bank_s: 0, periods: 1, period_s: AWAY_TURN_S, on_timeout: 'computer' };
  const [ana, bo] = await strangers(clock);
  const random = dice(13);
  await takeTurns([ana, bo], random, 6);
  await leaveOne([ana, bo], random);
  await ana.waitForFunction(() => Object.values(window.taluva.room().state.seats).some(({ replaced }) => replaced)); // when the clock has run out
  await myMove(ana);
  await takeTurns([ana], random, 4);
  await menu(ana, 'Resign');
  await ana.tap('.dialog .confirm.dangerous');
  await ana.waitForSelector('.result');
  await playAgainWithout(ana, random);
});

test('two strangers without a clock: one goes for good, and who has moved and waits for him claims the win', async () => {
  assert.ok(process.env.HURRIED_CLOCK, 'what lets half an hour pass is named');
  const [ana, bo] = await strangers({ kind: 'none' });
  const random = dice(14);
  await takeTurns([ana, bo], random, 6);
  await leaveOne([ana, bo], random);
  await ana.waitForSelector('.ask-bar.away:has-text("Bo is away")');
  assert.equal(await ana.locator('.ask-bar.away button').count(), 0, 'nothing is done about somebody who has just gone');
  await waitForAway(ana, CLAIM_MS);
  await ana.tap('.ask-bar.away button:has-text("Claim the win")');
  await ana.waitForSelector('.result');
  await ana.waitForSelector('.ending.won');
  await playAgainWithout(ana, random);
});

test('two strangers whom quick match brings together: a rated match to its end, and again', async () => {
  const accounts = await new Fixture().open(['--accounts', 'open', '--accept-ms', '3600000']);
  try {
    const [ana, bo] = await Promise.all(['ana-1', 'bo-2'].map((handle) => withHandle(accounts, handle)));
    for (const page of [ana, bo]) await page.tap('#seek');
    await Promise.all([ana, bo].map((page) => page.waitForFunction(() => window.taluva.room()?.state.phase === 'playing')));
    const random = dice(15);
    await takeTurns([ana, bo], random, 6);
    await menu(bo, 'Resign');
    await bo.tap('.dialog .confirm.dangerous');
    await ana.waitForSelector('.ending.won');
    await ana.tap('.result .actions > .confirm');
    await bo.tap('.result .actions > .confirm');
    for (const page of [ana, bo]) await page.tap('.lobby [data-focus=ready]:not([aria-pressed=true])');
    await ana.tap('.lobby [data-focus=start]:not(:disabled)');
    await Promise.all([ana, bo].map((page) => page.waitForSelector('.table')));
    await takeTurns([ana, bo], random, 2);
  } finally {
    await accounts.close();
  }
});

test('somebody with a keyboard alone, from the first visit to the second game', async () => {
  const page = await fixture.visit('');
  await page.evaluate(() => {
    window.pointed = 0;
    for (const kind of ['pointerdown', 'pointermove', 'click']) addEventListener(kind, ({ pointerType }) => (window.pointed += pointerType ? 1 : 0), true);
  });
  await page.waitForFunction(() => window.taluva?.wire.status === 'open');
  await tabTo(page, '#first-dot');
  for (let press = 1; press <= 3; press++) await page.keyboard.press('Enter');
  await page.waitForSelector('#first-game:focus');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.table');
  const play = async (turns) => {
    for (let moves = 0; moves < turns; moves++) {
      if ((await myMove(page)) === 'over') return;
      const seq = await seqOf(page);
      await tabTo(page, '.board');
      for (let i = 0; i <= (moves * 5) % 7; i++) await page.keyboard.press('n');
      await pastDanger(page);
      await page.keyboard.press('Enter');
      await afterSeq(page, seq);
    }
  };
  await myMove(page);
  if (await page.evaluate(() => window.taluva.page().view.placing.legal.size === 1)) await play(1); // who begins lays the first tile where it lies, and is told nothing
  await myMove(page);
  await enterAt(page, '.ask-bar.tip .plain'); // no more tips
  await play(8);
  await enterAt(page, '.table-bar button[aria-label="Menu"]');
  await enterAt(page, '.entry.dangerous');
  await enterAt(page, '.dialog .confirm.dangerous');
  await enterAt(page, '.result .actions > .confirm');
  await page.waitForFunction(() => window.taluva.room().state.phase === 'playing');
  await play(4);
  assert.equal(await page.evaluate(() => window.pointed), 0, 'no pointer was used');
});

test('somebody who sees nothing: names and what is announced are enough to choose, to place and to play again', async () => {
  const page = await fixture.visit('');
  await page.waitForFunction(() => window.taluva?.wire.status === 'open');
  const blind = await new Listener(page).begin();
  for (const words of [/^Tap the dot/, /^Tap again/, /^And once more/]) await blind.press('button', words);
  await blind.press('button', /^Play a first game/);
  const turn = async () => {
    await blind.hears(/Your turn/);
    for (const words of [/may go here/, /Here you can/]) {
      await myMove(page); // a key before there is something to choose would be lost
      const seq = await seqOf(page);
      await blind.toPicture();
      await blind.choose(words);
      await page.keyboard.press('Enter');
      await afterSeq(page, seq);
    }
  };
  for (let round = 0; round < 3; round++) await turn();
  await blind.press('button', /^Menu$/);
  await blind.press('button', /^Resign$/);
  await blind.press('button', /^Resign$/);
  await blind.hears(/wins/);
  await blind.press('button', /^(Play again|Another game|Rematch)/);
  await turn();
});
