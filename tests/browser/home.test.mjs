// The first page and the lobby as a visitor meets them: the island, the visitor's own tables, presets, names for those who give none,
// computers on all free seats, beginning at one press, chat and greetings.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { Fixture, makeTable, pageView, start } from './lib/fixture.mjs';
import { atNight } from './lib/night.mjs';
import { myMove, shown } from './lib/player.mjs';

const fixture = new Fixture();
before(() => fixture.open());
after(() => fixture.close());

const hexes = async (page) => {
  await shown(page);
  return page.locator('.living .hex').count();
};
/** How many buttons stand out, when all is drawn. @param {any} page */
const standOut = async (page) => {
  await shown(page);
  return page.evaluate(() => [...document.querySelectorAll('button.confirm:not(:disabled)')].filter((button) => button.checkVisibility()).length);
};
/** The dialog closes when its answer is there, which may be a moment after the table was shown. @param {any} page */
const dialogGone = (page) => page.waitForSelector('.dialog', { state: 'detached' });

/** Somebody who has played here. @param {string} name @param {any} [options] */
const oldHand = async (name, options) => {
  const page = await fixture.visit(name, options);
  await page.evaluate(() => localStorage.setItem('taluva.begun', 'yes'));
  await page.reload();
  await page.waitForSelector('#solo');
  return page;
};

atNight('the island grows before one’s eyes, once; and stays as it is for whoever wants no motion', async () => {
  const page = await oldHand('', { reducedMotion: 'no-preference' });
  const few = await hexes(page);
  await page.waitForFunction((few) => document.querySelectorAll('.living .hex').length > few, few);
  const calm = await oldHand('');
  const all = await hexes(calm);
  assert.ok(all > few);
  await calm.clock.install();
  await calm.reload();
  await calm.waitForSelector('.living .hex');
  await calm.clock.runFor(60_000);
  assert.equal(await hexes(calm), all);
  assert.equal(await calm.locator('.living .fresh').count(), 0);
});

test('one action stands out', async () => {
  const page = await fixture.visit('Ana');
  assert.equal(await standOut(page), 0, 'of somebody new it is the dot');
  assert.equal(await page.locator('#first-dot').count(), 1);
  await page.reload();
  await page.waitForSelector('#solo.confirm');
  assert.equal(await standOut(page), 1);
  assert.equal(await page.locator('#first-dot').count(), 0);
  await page.click('#new-table');
  await page.waitForSelector('.dialog .confirm');
  assert.equal(await page.locator('.dialog .confirm').count(), 1);
  await page.click('.create button[type=submit]');
  await page.waitForSelector('.seat.mine');
  await dialogGone(page);
  assert.equal(await standOut(page), 1);
  await page.click('[data-focus=fill]');
  await page.waitForSelector('[data-focus=start].confirm');
  assert.equal(await standOut(page), 1);
});

test('a preset is a table of its own, and what the server refuses is said in the dialog', async () => {
  const page = await fixture.visit('Ana');
  await page.click('#new-table');
  await page.click('.preset:has-text("Quick")');
  assert.ok(await page.evaluate(() => document.activeElement?.matches('.preset[aria-pressed=true]')), 'the focus stays');
  await page.click('.create summary');
  await page.fill('.create input[type=text]', '\u202e');
  await page.click('.create button[type=submit]');
  await page.waitForSelector('.create .trouble:has-text("(title)")');
  await page.fill('.create input[type=text]', 'Tea');
  await page.click('.create button[type=submit]');
  await page.waitForSelector('.seat.mine');
  await dialogGone(page);
  const { options, clock, title } = (await pageView(page)).state;
  assert.deepEqual([options.tiles, options.players, clock.kind, clock.bank_s, title], [24, 2, 'fischer', 300, 'Tea']);
});

atNight('whoever gives no name has one of their own, in the language of whoever reads it', async () => {
  const first = await fixture.visit('', { locale: 'fr-FR' });
  const second = await fixture.visit('');
  await first.click('#new-table');
  await first.click('.create button[type=submit]');
  await first.waitForSelector('.seat.mine');
  const link = await first.inputValue('.share input');
  await second.fill('#link', link);
  await second.press('#link', 'Enter');
  await second.click('.seat.empty button');
  await second.waitForSelector('.seat.mine');
  await first.waitForSelector('.seat[data-seat="1"]:not(.empty)');
  const { seats } = (await pageView(first)).state;
  assert.notEqual(seats[0].name, seats[1].name);
  const words = await first.evaluate(async () => (await import('/i18n/fr.js')).default);
  for (const seat of [0, 1]) {
    const name = await first.textContent(`.seat[data-seat="${seat}"] .name`);
    assert.ok(name.includes(words[`n_${seats[seat].name}`]), name);
    assert.ok((await second.textContent(`.seat[data-seat="${seat}"] .name`)).includes(seats[seat].name));
  }
});

test('all free seats are filled at one press, and the match begins at another', async () => {
  const page = await fixture.visit('Ana');
  await makeTable(page, { Players: '4' });
  await page.click('[data-focus=fill]');
  await page.waitForFunction(() => Object.keys(window.taluva.room().state.seats).length === 4);
  const names = await page.$$eval('.seat .name', (all) => all.map((one) => one.textContent));
  assert.equal(new Set(names).size, 4, 'nobody is called like somebody else');
  await start(page);
  const { state } = await pageView(page);
  assert.equal(state.phase, 'playing');
  assert.ok(state.fair.nonces[0], 'with one’s share of the stack');
});

atNight('in the lobby one talks and waves, and it is still there at the table', async () => {
  const ana = await fixture.visit('Ana');
  const room = await makeTable(ana, {});
  const bo = await fixture.visit('Bo', {}, `#/r/${room}`);
  await bo.click('.seat.empty button');
  await bo.waitForSelector('.seat.mine');
  await ana.fill('.say input', 'tea first?');
  await ana.press('.say input', 'Enter');
  const told = (page, text) => page.waitForSelector(`.events .chat:has-text("${text}")`, { state: 'attached' });
  for (const page of [ana, bo]) await told(page, 'tea first?');
  await bo.click('.emote[aria-label="Hello"]');
  for (const page of [ana, bo]) await told(page, ': Hello');
  await bo.click('[data-focus=ready]');
  await start(ana);
  await bo.waitForSelector('.table');
  for (const page of [ana, bo]) {
    await told(page, 'tea first?');
    assert.equal(await page.locator('.events .chat').count(), 2, 'each once');
  }
});

test('finished games are listed under one’s own tables, with how they ended, and open again', async () => {
  const ana = await fixture.visit('Ana');
  const room = await makeTable(ana, { Clock: 'none' });
  await ana.click('[data-focus=fill]');
  await start(ana);
  await ana.evaluate((room) => window.taluva.wire.ask('resign', { room }), room);
  await ana.waitForSelector('.result');
  await ana.goto(`${fixture.url}#/`);
  const line = ana.locator(`.played .room[data-played="${room}"]`);
  await line.waitFor();
  const { seats } = await ana.evaluate(async () => (await window.taluva.wire.ask('games')).games[0]);
  assert.match(await line.textContent(), new RegExp(`^${seats[1].name}${seats[1].name} wins.* · Taluva · `));
  assert.equal(await ana.locator(`.mine .room[data-room="${room}"]`).count(), 0);
  assert.equal(await ana.locator('.played button').isVisible(), false, 'there are no older ones');
  await line.locator('.button').click();
  await ana.waitForSelector('.result');
  const eve = await fixture.visit('Eve');
  await eve.waitForSelector('#solo');
  assert.equal(await eve.locator('.played').isVisible(), false);
});

atNight('that tables are left out is said, and the list is asked for again when they are there', async () => {
  const ana = await oldHand('Ana');
  await ana.waitForFunction(() => window.taluva?.wire.status === 'open');
  await ana.evaluate(() => {
    const { wire } = window.taluva, ask = wire.ask.bind(wire);
    window.partial = true;
    wire.ask = async (op, ...rest) => ({ ...(await ask(op, ...rest)), ...(op === 'rooms' && window.partial ? { incomplete: true } : {}) });
    wire.receive({ push: 'notice', code: 'whole', message: '' });
  });
  const away = ana.locator('[role=status]', { hasText: 'Some tables are away' });
  await away.waitFor();
  await ana.evaluate(() => {
    window.partial = false;
    window.taluva.wire.receive({ push: 'notice', code: 'whole', message: '' });
  });
  await away.waitFor({ state: 'hidden' });
});

atNight('one’s own tables say against whom, whose turn, the time that is left; they are seen at once and listed once', async () => {
  const ana = await fixture.visit('Ana');
  const room = await makeTable(ana, { Clock: 'calm', 'Who starts': '0' });
  await ana.click('[data-focus=fill]');
  await start(ana);
  await myMove(ana);
  await ana.goto(`${fixture.url}#/`);
  const line = ana.locator(`.mine .room[data-room="${room}"]`);
  await line.waitFor();
  const { seats } = await ana.evaluate(async (room) => (await window.taluva.wire.ask('rooms')).mine.find((one) => one.room === room), room);
  assert.match(await line.textContent(), new RegExp(`^${seats[1].name}Your turn · 1[45]:\\d\\d left · Taluva · `));
  await ana.waitForFunction((room) => document.querySelectorAll(`[data-room="${room}"]`).length === 1, room);
  const box = await ana.locator('.mine h2').boundingBox();
  assert.ok(box.y + box.height < 800, 'above the fold');
  const eve = await fixture.visit('Eve');
  await eve.waitForSelector(`.room[data-room="${room}"] .button:has-text("Watch")`);
  await line.locator('.button').click();
  await ana.waitForSelector('.table');
});

test('one press after the end, and another game against the computer has begun', async () => {
  const page = await fixture.visit('Ada');
  await page.click('#solo');
  await page.waitForFunction(() => window.taluva?.room()?.state.phase === 'playing');
  const first = await page.evaluate(() => window.taluva.room().id);
  await page.evaluate(() => window.taluva.room().ask('resign'));
  await page.click('.result button:has-text("Rematch")');
  await page.waitForFunction((first) => window.taluva.room()?.id !== first && window.taluva.room()?.state.phase === 'playing', first);
  const state = await page.evaluate(() => window.taluva.room().state);
  assert.equal(Object.values(state.seats).filter(({ bot }) => bot).length, Object.keys(state.seats).length - 1);
  assert.equal(await page.locator('.lobby').count(), 0);
});
