// From the first page to the start of a match, and what can be done at the table: creating a table with all options, finding it, joining by
// link and by code, seats, colours and teams, computer players, chat, pauses, resigning, languages and themes.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { PHONE, takeTurns } from './lib/evening.mjs';
import { pageView, Fixture, makeTable, ready, start } from './lib/fixture.mjs';
import { atNight } from './lib/night.mjs';
import { act, dice } from './lib/player.mjs';

const fixture = new Fixture();
before(() => fixture.open());
after(() => fixture.close());

/** Two players at one table. */
let across;

const options = async (page) => (await pageView(page)).state.options;

test('a table with everything that can be chosen', async () => {
  const page = await fixture.visit('Ana');
  await makeTable(page, {
    Players: '3',
    Edition: 'original-2006',
    'Who may join': 'open',
    Clock: 'byoyomi',
    'When time': 'computer',
    Tiles: '36',
    'Single huts': 'isolated',
    'Who starts': '2',
    Board: 'expert',
    ranking: true,
    boats: true,
    two_hex: true,
    hints: true,
  });
  assert.deepEqual(await options(page), {
    preset: 'custom', // the preset does not allow 36 tiles
    players: 3,
    tiles: 36,
    huts: 'isolated',
    first: 2,
    teams: false,
    ranking: true,
    boats: true,
    two_hex: true,
    zone: 'expert',
  });
  const { clock, hints } = (await pageView(page)).state;
  assert.equal(hints, true);
  assert.match(await page.textContent('.seating .hint'), / · hints allowed$/);
  assert.equal(clock.kind, 'byoyomi');
  assert.equal(clock.on_timeout, 'computer');
  await page.click('[data-focus=leave]');
  await page.waitForSelector('.home');
});

test('a table is by invitation, and who follows one gives a name and sits down', async () => {
  const ana = await fixture.visit('Ana');
  await makeTable(ana, { 'Who may join': 'code' });
  const link = new URL(await ana.inputValue('.lobby .share input')).pathname.slice(1);
  await ana.waitForSelector('.lobby .qr');
  for (const [width, height] of [[390, 844], [320, 568]]) {
    await ana.setViewportSize({ width, height });
    const { x, y, width: wide, height: high } = await ana.locator('.invitation').boundingBox();
    assert.ok(x >= 0 && x + wide <= width && y >= 0 && y + high <= height, `${width}: who waits sees the invitation whole`);
  }
  const [press, shown] = await ana.$$eval('.invitation button, .invitation input', (all) => all.map((one) => one.tagName));
  assert.deepEqual([press, shown], ['BUTTON', 'INPUT'], 'the press is before what it shares');
  await ana.focus('.invitation button');
  const bo = await fixture.visit('', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }, link);
  await bo.waitForSelector('.invited h2:has-text("Ana invites you to Taluva")');
  assert.ok(await bo.isVisible('.invited svg'));
  await bo.fill('.invited input', 'Bo');
  await bo.tap('.invited [data-focus=sit-down]');
  await bo.waitForSelector('.seat.mine .name:has-text("Bo")');
  assert.ok(await bo.isHidden('.invited'), 'who sits is invited no more');
  assert.ok(await ana.isHidden('.invited'));
  await ana.waitForSelector('.seating + .invitation'); // nobody is waited for any more
  assert.equal(await ana.evaluate(() => document.activeElement?.closest('section')?.className), 'panel invitation', 'the focus stays');
  assert.ok(await bo.$('.seating + .invitation'), 'who has come sees the seats first');
  const eve = await fixture.visit('Eve', {}, link);
  await eve.waitForSelector('.seat .name:has-text("Bo")');
  assert.ok(await eve.isHidden('.invited'), 'no seat is free');
  await bo.click('[data-focus=leave]');
  await ana.click('[data-focus=leave]');
  await eve.waitForSelector('[data-focus=sit-0]');
  assert.ok(await eve.isHidden('.invited'), 'nobody is there to invite');
});

atNight('an evening: two on phones, an invitation, a line, a pause, one who leaves in the middle, and again', async () => {
  const ana = await fixture.visit('Ana', PHONE);
  await ana.tap('#new-table');
  await ana.tap('.create button[type=submit]'); // as it is offered: by invitation, two players
  await ana.waitForSelector('.seat.mine');
  assert.match(await ana.textContent('.lobby'), /No clock: for whoever is away/);
  const link = new URL(await ana.inputValue('.lobby .share input')).pathname.slice(1);
  const bo = await fixture.visit('', PHONE, link);
  await bo.fill('.invited input', 'Bo');
  await bo.tap('.invited [data-focus=sit-down]');
  await bo.waitForSelector('.seat.mine .name:has-text("Bo")');
  await bo.tap('.lobby [data-focus=ready]');
  await ana.tap('.lobby [data-focus=start]:not(:disabled)');
  await Promise.all([ana, bo].map((page) => page.waitForSelector('.table .board .hex, .table .hand')));
  const random = dice(11);
  await takeTurns([ana, bo], random, 6);

  await bo.tap('.table-bar button[aria-label="Moves and chat"]');
  await bo.fill('.log input', 'a moment, please');
  await bo.press('.log input', 'Enter');
  await ana.waitForSelector('.ask-bar.said:has-text("a moment, please")');
  await bo.tap('.table-bar button[aria-label="Moves and chat"]');
  await bo.tap('.table-bar button[aria-label="Menu"]');
  await bo.tap('.entry:has-text("Propose a pause")');
  await ana.tap('.ask-bar .confirm');
  await bo.waitForFunction(() => window.taluva.room().state.phase === 'paused');
  await ana.tap('.table-bar button[aria-label="Menu"]');
  await ana.tap('.entry:has-text("resuming")');
  await bo.tap('.ask-bar .confirm');
  await ana.waitForFunction(() => window.taluva.room().state.phase === 'playing');

  await bo.goto('about:blank'); // the phone is put away
  await ana.waitForSelector('.ask-bar:has-text("Bo is away")');
  await bo.goto(`${fixture.url}${link}`);
  await bo.waitForSelector('.table');
  await ana.waitForFunction(() => !document.querySelector('.ask-bar'));
  await takeTurns([ana, bo], random, 4);
  await bo.tap('.table-bar button[aria-label="Menu"]');
  await bo.tap('.entry.dangerous');
  await bo.tap('.dialog .confirm.dangerous');
  await Promise.all([ana, bo].map((page) => page.waitForSelector('.result')));
  assert.match(await ana.textContent('.ending'), /You won|Ana/);
  await ana.tap('.result .actions > .confirm');
  await ana.waitForSelector('.seat.mine');
  await bo.tap('.result .actions > .confirm');
  await bo.waitForSelector('.seat.mine');
  await bo.tap('.lobby [data-focus=ready]:not([aria-pressed=true])');
  await ana.tap('.lobby [data-focus=start]:not(:disabled)');
  await Promise.all([ana, bo].map((page) => page.waitForSelector('.table')));
  await takeTurns([ana, bo], random, 2);
});

atNight('the form for a new table begins with an invitation', async () => {
  const page = await fixture.visit('Ana');
  await page.click('#new-table');
  await page.click('.create summary');
  assert.equal(await page.inputValue('.create select:has(option[value=code])'), 'code');
});

test('what does not go together cannot be chosen together', async () => {
  const page = await fixture.visit('Ana');
  await page.click('#new-table');
  await page.click('.create summary');
  assert.ok(await page.isDisabled('input[name=teams]'), 'teams are for four');
  await page
    .locator('.create .field', { hasText: /^Players/ })
    .locator('select')
    .selectOption('4');
  await page.check('input[name=teams]');
  assert.ok(await page.isDisabled('input[name=ranking]'));
  const clock = page.locator('.create .field', { hasText: /^Clock/ }).locator('select');
  assert.ok(await page.isChecked('input[name=hints]'));
  await clock.selectOption('fast');
  assert.ok(!(await page.isChecked('input[name=hints]')), 'against a clock everybody thinks alone');
  await page.check('input[name=hints]');
  await clock.selectOption('calm');
  assert.ok(await page.isChecked('input[name=hints]'), 'but whoever wants them has them');
  await page.uncheck('input[name=teams]');
  await page.check('input[name=ranking]');
  assert.ok(await page.isDisabled('input[name=teams]'));
});

test('an open table is listed, joined from the list, and its seats, colours and computers are arranged', async () => {
  const ana = await fixture.visit('Ana');
  const room = await makeTable(ana, { Players: '4', teams: true });
  const bo = await fixture.visit('Bo');
  await bo.click(`.room[data-room="${room}"] .button`, { timeout: 15_000 });
  await bo.waitForSelector('.seat.empty');
  await bo.click('.seat[data-seat="3"] [data-focus^=sit]');
  await bo.waitForSelector('.seat.mine[data-seat="3"]');
  await bo.click('.seat[data-seat="1"] [data-focus^=sit]');
  await bo.waitForSelector('.seat.mine[data-seat="1"]');
  await bo.click('[data-focus=colour-black]');
  await ana.waitForSelector('.seat.p-black[data-seat="1"]');
  assert.ok(await ana.isDisabled('[data-focus=colour-black]'), 'nobody else can be black');
  await ana.click('.seat[data-seat="2"] [data-focus^=bot]');
  await ana.click('.seat[data-seat="3"] [data-focus^=bot]'); // the first request is still pending; neither is lost
  await ana.waitForSelector('.seat[data-seat="3"]:not(.empty)');
  await ana.click('.seat[data-seat="2"] [data-focus^=unseat]');
  await ana.waitForSelector('.seat.empty[data-seat="2"]');
  await ana.click('.seat[data-seat="2"] [data-focus^=bot]');
  await ana.waitForSelector('.seat[data-seat="2"]:not(.empty)');
  assert.ok(await ana.isDisabled('[data-focus=start]'));
  await ready(ana);
  await ready(bo);
  await ana.waitForSelector('[data-focus=start]:not(:disabled)');
  await bo.click('[data-focus=ready]'); // takes it back
  await ana.waitForSelector('[data-focus=start]:disabled');
  await ready(bo);
  await start(bo);
  await ana.waitForSelector('.table');
  across = [ana, bo];
  const { state } = await pageView(ana);
  assert.equal(state.phase, 'playing');
  assert.equal(Object.keys(state.fair.nonces).length, 2, 'both people gave their share of the stack');
});

atNight('every tap counts, however quick, and however slow the server', async () => {
  const page = await fixture.visit('Dee');
  await makeTable(page, { Players: '5' });
  const asked = await page.evaluate(async () => {
    const { wire } = window.taluva;
    const asked = [];
    const ask = wire.ask.bind(wire);
    wire.ask = async (op, fields) => {
      asked.push(op);
      await new Promise((resolve) => setTimeout(resolve, 300));
      return ask(op, fields);
    };
    for (const seat of [1, 2, 3, 4]) document.querySelector(`[data-focus=bot-${seat}]`).click();
    for (let i = 0; i < 3; i++) document.querySelector('[data-focus=ready]').click();
    return asked;
  });
  await page.waitForSelector('[data-focus=start]:not(:disabled)');
  assert.deepEqual(asked, ['bot', 'bot', 'bot', 'bot', 'ready'], 'but what was asked already is asked once');
  assert.equal(Object.keys((await pageView(page)).state.seats).length, 5);
});

const LEVELS = ['Beginner', 'Simple', 'Regular', 'Skilled', 'Strong', 'Master'];

atNight('how well the computer plays is chosen where it is seated, and shown at its seat', async () => {
  const page = await fixture.visit('Eva');
  await makeTable(page, { Players: '3' });
  assert.deepEqual(await page.$$eval('#level option', (all) => all.map((one) => one.textContent)), LEVELS);
  assert.equal(await page.inputValue('#level'), 'beginner', 'for who has never played');
  await page.selectOption('#level', 'Beginner');
  assert.match(await page.textContent('#level-line'), /for a first game/);
  await page.click('[data-focus=bot-1]');
  await page.waitForSelector('.seat[data-seat="1"] .name:has-text("(computer: Beginner)")');
  assert.equal(await page.inputValue('#level'), 'beginner', 'the choice stays');
  await page.selectOption('#level', 'Master');
  assert.match(await page.textContent('#level-line'), /without mercy/);
  await page.click('[data-focus=bot-2]');
  await page.waitForSelector('.seat[data-seat="2"] .name:has-text("(computer: Master)")');
  const { seats } = (await pageView(page)).state;
  assert.deepEqual([seats[0].level, seats[1].level, seats[2].level], [undefined, 1, 6]);
  await page.click('[data-focus=ready]');
  await page.click('[data-focus=start]:not(:disabled)');
  await page.waitForSelector('.card .presence.bot[title="(computer: Beginner)"]');
});

atNight('the quick game has a choice of level, which is remembered', async () => {
  const page = await fixture.visit('Fay');
  await page.waitForFunction(() => window.taluva?.wire.status === 'open');
  assert.equal(await page.inputValue('#solo-level'), 'beginner', 'for who has never played');
  await page.selectOption('#solo-level', 'Skilled');
  assert.match(await page.textContent('#solo-level-line'), /every win in hand/);
  await page.click('#solo');
  await page.waitForSelector('.card .presence.bot[title="(computer: Skilled)"]');
  await page.goto(new URL('/', page.url()).href);
  await page.waitForSelector('.home');
  assert.equal(await page.inputValue('#solo-level'), 'skilled');
  await page.evaluate(() => localStorage.setItem('taluva.level.taluva', 'godlike'));
  await page.reload();
  await page.waitForSelector('.home');
  assert.equal(await page.inputValue('#solo-level'), 'simple', 'a level that there is no more');
});

test('chat; a pause and its end when all agree; resigning', async () => {
  const [ana, bo] = across;
  await ana.click('.table-bar button[aria-label="Moves and chat"]');
  await ana.fill('.say input', 'good luck');
  await ana.press('.say input', 'Enter');
  await bo.click('.table-bar button[aria-label="Moves and chat"]');
  await ana.waitForSelector('.events .chat:has-text("Ana: good luck")');
  await bo.fill('.say input', 'you too');
  await bo.press('.say input', 'Enter');
  await ana.waitForSelector('.events .chat:has-text("Bo: you too")');
  const menu = async (page, words) => {
    await page.click('.table-bar button[aria-label="Menu"]');
    await page.click(`.entry:has-text("${words}")`);
  };
  await menu(ana, 'Propose a pause');
  await bo.waitForSelector('.events :text("Ana proposes a pause")');
  await menu(bo, 'Agree to a pause');
  for (const page of [ana, bo]) await page.waitForSelector('.turn-line:has-text("Paused")');
  await menu(bo, 'Propose resuming the match');
  await ana.waitForFunction(() => window.taluva?.room().state.offers?.resume);
  await menu(ana, 'Agree to resuming the match');
  for (const page of [ana, bo]) await page.waitForFunction(() => window.taluva?.room().state.phase === 'playing');
  await menu(bo, 'Resign');
  await bo.click('.dialog .confirm.dangerous');
  await ana.waitForSelector('.card.p-black.out');
});

atNight('a table by invitation: the link opens it, its name alone asks for the code', async () => {
  const ana = await fixture.visit('Ana');
  const room = await makeTable(ana, { 'Who may join': 'code' });
  const link = await ana.inputValue('.share input');
  assert.match(link, new RegExp(`/r/${room}/[0-9a-z]{16}$`));
  const code = link.split('/').at(-1);
  const bo = await fixture.visit('Bo', {}, `#/r/${room}`);
  await bo.waitForSelector('#code');
  await bo.fill('#code', '0'.repeat(16));
  await bo.press('#code', 'Enter');
  await bo.waitForFunction(() => window.taluva?.room()?.refused?.code === 'wrong_code');
  await bo.waitForFunction(() => document.querySelector('#code')?.value === '');
  await bo.fill('#code', code);
  await bo.press('#code', 'Enter');
  await bo.waitForSelector('.seat.empty');
  const chi = await fixture.visit('Chi');
  await chi.fill('#link', link);
  await chi.press('#link', 'Enter');
  await chi.waitForSelector('.seat.empty');
  const lost = await fixture.visit('', {}, '#/r/00000000');
  await lost.waitForSelector('h1:has-text("cannot be opened")');
});

test('language and theme are kept', async () => {
  const page = await fixture.visit('', { locale: 'fr-FR' });
  await page.waitForSelector('#solo:has-text("Jouer contre l’ordinateur")');
  await page.click('.masthead button >> nth=1');
  await page.selectOption('.dialog select >> nth=0', 'zh');
  await page.waitForSelector('#solo:has-text("与电脑对局")');
  assert.equal(await page.getAttribute('html', 'lang'), 'zh-Hans');
  await page.click('.masthead button >> nth=1');
  await page.selectOption('.dialog select >> nth=1', 'dark');
  await page.reload();
  await page.waitForSelector('#solo:has-text("与电脑对局")');
  assert.equal(await page.getAttribute('html', 'data-theme'), 'dark');
});

atNight('a refusal is shown in the visitor’s language', async () => {
  const page = await fixture.visit('', { locale: 'fr-FR' });
  await page.waitForFunction(() => window.taluva?.wire.status === 'open');
  await page.click('#solo');
  await page.waitForSelector('.table');
  await page.waitForFunction(() => window.taluva?.page().mayAct && window.taluva.page().moves);
  const tile = await page.evaluate(() => window.taluva.page().view.placing.tile);
  const why = await page.evaluate((move) => window.taluva.page().explain(move), `${tile}@40,40:0`);
  assert.match(why, /île|place fixe/);
});
