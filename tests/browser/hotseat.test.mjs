// Several people at one device: they are named when the table is made, or sit down in the lobby; where nothing is hidden they share the table, where
// something is hidden there is a curtain between them. Against the real server.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { Fixture, makeTable, pageView, serverView, start } from './lib/fixture.mjs';
import { atNight } from './lib/night.mjs';
import { act, dice } from './lib/player.mjs';
import { asked, byFinger, byMouse, decide } from './lib/totemplayer.mjs';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

const fixture = new Fixture();
before(() => fixture.open());
after(() => fixture.close());

/**
 * Makes a table for people at this device with the dialog.
 * @param {any} page @param {string[]} names the first is the visitor's @param {{[field: string]: string | boolean}} [wishes]
 */
async function makeForPeople(page, names, wishes = {}) {
  if (!(await page.$('.create'))) await page.click('#new-table');
  await page.locator('.create .field', { hasText: /^People at this device/ }).locator('select').selectOption(String(names.length));
  const fields = await page.$$('.create .person-name');
  assert.equal(fields.length, names.length);
  assert.equal(await fields[0].inputValue(), names[0], 'the visitor has given a name already');
  for (const [i, name] of names.entries()) if (i) await fields[i].fill(name);
  const room = await makeTable(page, wishes);
  await page.waitForFunction((n) => window.taluva.room().seatsHere.length === n, names.length);
  return room;
}

/** @param {any} page */
const seatNow = (page) => page.evaluate(() => window.taluva.room().seat);

/** Notes every word that the page shows in passing. @param {any} page */
const noteCues = (page) =>
  page.evaluate(() => {
    window.cues = [];
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        for (const node of addedNodes) if (node instanceof Element && node.matches('.cue')) window.cues.push(node.textContent);
    }).observe(document.body, { childList: true, subtree: true });
  });

/** @param {any} page @param {'click' | 'tap'} press @param {string} words */
async function menu(page, press, words) {
  await page[press]('.table-bar button[aria-label="Menu"]');
  await page[press](`.entry:has-text("${words}")`);
}

for (const [way, options, touch] of [
  ['by mouse', {}, false],
  ['by touch', PHONE, true],
])
  atNight(`a whole game of Taluva of two at one device, ${way}`, async () => {
    const page = await fixture.visit('Ana', options);
    const room = await makeForPeople(page, ['Ana', 'Bo'], { Players: '2', Tiles: '24' });
    assert.deepEqual(await page.$$eval('.seat.mine .name', (all) => all.map((one) => one.textContent.trim().replace(/\s+/g, ' '))), ['Ana (here)', 'Bo (here)']);
    await noteCues(page);
    await start(page); // one press: both are ready
    const random = dice(touch ? 41 : 7);
    const seats = new Set();
    let moves = 0;
    for (;;) {
      const { step } = await act(page, random, { touch });
      if (step === 'over') break;
      moves++;
      const { state } = await pageView(page);
      if (state.phase !== 'playing') continue;
      await page.waitForFunction(() => window.taluva?.room().state.acting?.includes(window.taluva.room().seat) ?? true);
      seats.add(await seatNow(page));
      if (moves === 9) {
        await page.reload(); // in the middle of a turn
        await noteCues(page);
      }
    }
    assert.deepEqual([...seats].sort(), [0, 1], 'each had turns');
    assert.ok(moves > 20);
    const cues = await page.evaluate(() => window.cues);
    assert.ok(cues.includes('Ana’s turn') && cues.includes('Bo’s turn'), `${cues}`);
    const outcome = await page.textContent('.outcome');
    assert.match(outcome, /Ana|Bo/, 'by name');
    assert.doesNotMatch(await page.innerText('.side'), /\byou\b/i);
    const told = await serverView(fixture, room, await page.evaluate(() => window.taluva.room().code));
    assert.deepEqual((await pageView(page)).state, told.state);
  });

// ---- among others ----

/** @param {any} page @param {string} name */
const isHere = (page, name) => page.waitForSelector(`.seat.mine .name:has-text("${name} (here)")`);

test('somebody sits down here in the lobby, takes a colour, stays after a reload, and can be sent away', async () => {
  const page = await fixture.visit('Ana');
  await makeTable(page, { Players: '3', 'Who may join': 'code' });
  assert.equal(await page.textContent('.lobby [data-focus=ready]'), 'I am ready');
  for (const [seat, name] of [[1, 'Bo'], [2, 'Chi']]) {
    await page.click(`[data-focus=guest-${seat}]`);
    await page.fill('.dialog .person-name', name);
    await page.press('.dialog .person-name', 'Enter');
    await isHere(page, name);
  }
  assert.equal(await page.textContent('.lobby [data-focus=ready]'), 'We are ready');
  await page.click('[data-focus=colour-1-black]');
  await page.waitForSelector('.seat.p-black[data-seat="1"]');
  await page.reload();
  for (const name of ['Ana', 'Bo', 'Chi']) await isHere(page, name);
  await page.click('[data-focus=unseat-2]');
  await page.waitForSelector('.seat.empty[data-seat="2"]');
  await page.waitForFunction(() => window.taluva?.room().guests.length === 1);
  await page.click('[data-focus=leave]');
  await page.waitForSelector('.home');
  assert.equal(await page.evaluate(() => localStorage.getItem('taluva.guests')), null, 'nobody is kept');
});

test('more people than seats: the dialog says so', async () => {
  const page = await fixture.visit('Ana');
  await page.click('#new-table');
  await page.locator('.create .field', { hasText: /^People at this device/ }).locator('select').selectOption('3');
  await page.click('.create button[type=submit]');
  assert.equal(await page.textContent('.create .trouble'), 'This table has 2 seats.');
});

atNight('two here, one elsewhere and a computer: each is asked in turn, one resigns alone, all here agree at once', async () => {
  const page = await fixture.visit('Ana');
  const room = await makeForPeople(page, ['Ana', 'Bo'], { Players: '4', 'Who starts': '0' });
  const chi = await fixture.visit('Chi', {}, `#/r/${room}`);
  await chi.click('.seat.empty[data-seat="2"] button');
  await chi.waitForSelector('.seat.mine');
  await page.click('[data-focus=bot-3]');
  await page.waitForSelector('.seat[data-seat="3"]:not(.empty)');
  await chi.click('[data-focus=ready]');
  await start(page);
  const random = dice(3);
  for (const seat of [0, 1]) {
    for (let i = 0; i < 2; i++) {
      await page.waitForFunction((own) => window.taluva.room().seat === own && window.taluva.page().mayAct, seat);
      await act(page, random);
    }
  }
  await chi.waitForFunction(() => window.taluva?.page()?.mayAct);
  assert.equal(await page.evaluate(() => window.taluva.page().mayAct), false, 'nobody here is to move');
  assert.equal(await page.locator('.card.mine').count(), 2);
  assert.equal(await chi.locator('.card .presence.here').count(), 3);

  await menu(page, 'click', 'Propose a pause');
  await chi.click('.table-bar button[aria-label="Menu"]');
  await chi.click('.entry:has-text("Agree to a pause (Ana, Bo)")');
  await page.waitForFunction(() => window.taluva?.room().state.phase === 'paused');
  await menu(chi, 'click', 'Propose resuming the match');
  await page.waitForFunction(() => window.taluva?.room().state.offers?.resume);
  await menu(page, 'click', 'Agree to resuming the match');
  await chi.waitForFunction(() => window.taluva?.room().state.phase === 'playing');

  await menu(page, 'click', 'Resign');
  await page.click('.dialog button:has-text("Bo resigns")');
  for (const each of [page, chi]) await each.waitForFunction(() => window.taluva?.room().state.table.players[1].out !== undefined);
  await menu(page, 'click', 'Resign');
  // Bo is out. The menu may still be closing.
  await page.waitForFunction(() => [...document.querySelectorAll('.dialog .dangerous')].map((one) => one.textContent).join() === 'Ana resigns');
  await page.keyboard.press('Escape');
  await act(chi, random);
  await act(chi, random);
  await page.waitForFunction(() => window.taluva?.page().mayAct && window.taluva.room().seat === 0);
});

test('the connection of one of them is lost: the page says so, and goes on when it is back', async () => {
  const page = await fixture.visit('Ana');
  await makeForPeople(page, ['Ana', 'Bo'], { Players: '2', 'Who starts': '1' });
  await start(page);
  await page.waitForFunction(() => window.taluva?.room().seat === 1 && window.taluva.page().moves);
  const lost = page.waitForFunction(() => /lost|econnecting|Connecting/.test(document.querySelector('.line').textContent));
  await page.evaluate(() => window.taluva.room().guests[0].wire.socket.close());
  await lost;
  await page.waitForFunction(() => document.querySelector('.line').hidden);
  const { step } = await act(page, dice(11));
  assert.equal(step, 'place');
});

test('the end by name, and the same people at the rematch', async () => {
  const page = await fixture.visit('Ana');
  const room = await makeForPeople(page, ['Ana', 'Bo'], { Players: '2' });
  assert.match(await page.evaluate(() => window.taluva.room().hash), /\/[0-9a-z]{16}$/, 'by invitation, so in no list: nobody else has a seat');
  await start(page);
  await menu(page, 'click', 'Resign');
  await page.click('.dialog button:has-text("Ana resigns")');
  await page.waitForSelector('.outcome:has-text("Bo wins.")');
  await page.click('.result button:has-text("Rematch")');
  await page.waitForFunction((old) => window.taluva.room().id !== old && window.taluva.room().seatsHere.length === 2, room);
  for (const name of ['Ana', 'Bo']) await isHere(page, name);
  await start(page);
});

// ---- where something is hidden ----

/** What comes next at the device: "curtain", "asked" or "over". @param {any} page */
async function comes(page) {
  const handle = await page.waitForFunction(() => {
    const { taluva } = window;
    const page = taluva?.page();
    // while a computer moves nobody is to have the device
    if (taluva?.room()?.due >= 0 && document.querySelector('.curtain button:not(:disabled)')) return 'curtain';
    if (taluva?.room()?.state.phase === 'over' && document.querySelector('.result')) return 'over';
    return page?.view?.draft && page.mayAct && page.legal.current && page.moves ? 'asked' : '';
  });
  return handle.jsonValue();
}

/** Nothing of the table is on the page. @param {any} page @returns {Promise<string>} who is to have the device */
async function behindCurtain(page) {
  const { words, live, table, title, dialogs } = await page.evaluate(() => ({
    words: document.querySelector('.curtain h1').textContent,
    live: document.querySelector('#live').textContent,
    table: [...document.querySelectorAll('.table, .board, .hut, .spell, .hand, .log, .toast, [data-move]')].map(({ outerHTML }) => outerHTML),
    dialogs: document.querySelectorAll('dialog[open]').length, // a closed one is taken away a moment later
    title: document.title,
  }));
  assert.deepEqual(table, [], 'no part of a table');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'curtain-title', 'whoever still types does not lift it');
  assert.equal(dialogs, 0);
  assert.equal(live, '', 'nothing is left of what was said');
  assert.equal(title, `${words} · Totem`);
  return words;
}

/** Says to be there, and finds a table with one's own secrets alone. @param {any} page @param {'click' | 'tap'} press @param {string} name */
async function liftCurtain(page, press, name) {
  await page[press](`.curtain button:has-text("I am ${name}")`);
  await page.waitForSelector('.table');
  const { seat, mine, state } = await page.evaluate(() => {
    const { room } = window.taluva.page();
    return { seat: room.seat, mine: Object.keys(room.state.table.mine ?? {}), state: room.state };
  });
  assert.equal(state.seats[seat].name, name);
  const own = Object.entries(state.table.families).flatMap(([family, one]) => (one.seat === seat ? [family] : []));
  assert.ok(mine.every((family) => own.includes(family)), `${name} sees ${mine}`);
}

/**
 * Plays at the device until it is enough. @param {any} page @param {number} seed @param {boolean} touch
 * @param {(done: {[kind: string]: number}) => boolean} enough
 */
async function playByTurns(page, seed, touch, enough) {
  const random = dice(seed);
  const way = touch ? byFinger(page) : byMouse(page);
  /** @type {{[kind: string]: number}} */
  const done = { curtain: 0 };
  const people = new Set();
  while (!enough(done)) {
    const what = await comes(page);
    if (what === 'over') break;
    if (what === 'curtain') {
      const name = /to (.*)$/.exec(await behindCurtain(page))?.[1] ?? '';
      await liftCurtain(page, touch ? 'tap' : 'click', name);
      people.add(name);
      done.curtain++;
    } else {
      const kind = await decide(page, random, way);
      done[kind] = (done[kind] ?? 0) + 1;
    }
  }
  return { done, people: [...people].sort() };
}

for (const [name, options, touch, seed] of [
  ['by mouse', {}, false, 5],
  ['by touch', PHONE, true, 9],
])
  atNight(`rounds of Totem with the curtain between two people and a computer, ${name}`, async () => {
    const press = touch ? 'tap' : 'click';
    const page = await fixture.visit('Ana', options);
    await page.click('#new-table');
    await page.selectOption('.create .game-choice select', 'totem');
    await page.waitForSelector('.create input[name=totem_a]', { state: 'attached' });
    await makeForPeople(page, ['Ana', 'Bo'], { Players: '3', 'Spells are laid': 'B', 'Last round': '6', Clock: 'calm' });
    await page[press]('[data-focus=bot-2]');
    await page.waitForSelector('.seat[data-seat="2"]:not(.empty)');
    await page[press]('.lobby [data-focus=start]:not(:disabled)');
    const { done, people } = await playByTurns(page, seed, touch, ({ write, settle }) => write > 3 && settle > 3);
    assert.deepEqual(people, ['Ana', 'Bo']);
    assert.ok(done.curtain > 4 && done.write > 3, JSON.stringify(done));
    // in the middle of it nobody knows who is there
    if ((await comes(page)) === 'curtain') await liftCurtain(page, press, /to (.*)$/.exec(await behindCurtain(page))[1]);
    const seat = await page.evaluate(() => window.taluva.page().room.seat);
    await page.reload();
    await page.waitForSelector('.curtain button:not(:disabled)');
    const due = await behindCurtain(page);
    assert.match(due, /^Please hand the device to (Ana|Bo)$/);
    assert.match(await page.textContent('.curtain-clock'), /^\d+:\d\d$/, 'the clock runs');
    await liftCurtain(page, press, /to (.*)$/.exec(due)[1]);
    assert.equal(await page.evaluate(() => window.taluva.page().room.seat), seat, 'whose turn it was');
    await menu(page, press, 'Hide my table');
    await behindCurtain(page);
  });
