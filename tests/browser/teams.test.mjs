// A whole team game: two people in two browsers and two bots of the command line. A third browser watches, and must have and
// show the server's state.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, test } from 'node:test';

import { pageView, Fixture, makeTable, ready, start, serverView } from './lib/fixture.mjs';
import { act, dice, shown } from './lib/player.mjs';

const fixture = new Fixture();
before(() => fixture.open());
after(() => fixture.close());

/** The island as the page has drawn it: the notation of every hex, read from the drawing. @param {any} page */
const drawn = async (page) => {
  await shown(page);
  return page.evaluate(() => {
    const { board } = window.taluva.page().view;
    const groups = new Set(document.querySelectorAll('.board .hex'));
    return Object.fromEntries(
      [...board.island.hexes].map(([key, { token, element }]) => [
        key,
        groups.has(element) ? token : 'not on the page',
      ]),
    );
  });
};

test('two browsers and two bots play a team game that a third browser watches', async () => {
  const ana = await fixture.visit('Ana');
  const room = await makeTable(ana, { Players: '4', teams: true, Tiles: '24' });
  const bo = await fixture.visit('Bo', {}, `#/r/${room}`);
  await bo.click('.seat.empty[data-seat="1"] button');
  await bo.waitForSelector('.seat.mine[data-seat="1"]');
  const bots = [
    fixture.server.bot(room, '--seed', '1', '--seat', '2'),
    fixture.server.bot(room, '--seed', '2', '--seat', '3'),
  ];
  const watcher = await fixture.visit('', {}, `#/r/${room}`);
  await watcher.waitForSelector('.side-of');
  assert.equal(await watcher.locator('.side-of').count(), 2, 'the sides are shown');
  await ready(ana);
  await ready(bo);
  await start(ana);
  await watcher.waitForSelector('.table');

  const players = [
    { page: ana, random: dice(11) },
    { page: bo, random: dice(12) },
  ];
  const turns = await Promise.all(
    players.map(async ({ page, random }) => {
      for (let moves = 0; ; moves++) {
        const { step } = await act(page, random, { prefer: ['temple', 'tower', 'expand'] });
        if (step === 'over') return moves;
        const { seq, state } = await pageView(page);
        const { past, island } = await page.evaluate(() => {
          const { past } = window.taluva.room();
          return { past: past.length, island: window.taluva.page().view.board.island.drawn };
        });
        assert.ok(
          past > 0 && seq > 0 && island <= Math.max(12, Object.keys(state.table.hexes).length / 2),
          `only what changed was drawn, in four turns at most: ${island}`,
        );
      }
    }),
  );
  assert.ok(
    turns.every((moves) => moves > 4),
    `both played: ${turns}`,
  );

  await watcher.waitForSelector('.result');
  const view = await serverView(fixture, room);
  assert.equal(view.state.phase, 'over');
  for (const [name, page] of Object.entries({ ana, bo, watcher })) {
    const { seq, state } = await pageView(page);
    assert.equal(seq, view.seq, name);
    assert.deepEqual(state, view.state, `${name} holds what the server says`);
    assert.deepEqual(await drawn(page), view.state.table.hexes, `${name} shows the island`);
    assert.equal(await page.evaluate(() => window.taluva.room().past.length), view.seq, `${name} has the whole match`);
  }
  for (const bot of bots) {
    if (bot.exitCode === null) await once(bot, 'exit');
    assert.equal(bot.exitCode, 0, bot.said);
  }
});

test('the finished match is replayed by its link, step by step, to the same end', async () => {
  const [{ page: ana }] = fixture.visitors;
  const room = await ana.evaluate(() => window.taluva.room().id);
  const late = await fixture.visit('', {}, `#/r/${room}`);
  await late.click('.result button:has-text("Replay")');
  await late.waitForSelector('.replay:not([hidden])');
  const { state } = await serverView(fixture, room);
  const steps = await late.evaluate(() => window.taluva.page().replay.stops.length);
  assert.ok(steps > 20);
  assert.deepEqual(await drawn(late), {}, 'it begins with the open sea');
  for (let i = 1; i < steps; i++) await late.click('.replay button[aria-label="One step forward"]');
  assert.deepEqual(await drawn(late), state.table.hexes);
  for (let i = 1; i < steps; i++) await late.click('.replay button[aria-label="One step back"]');
  assert.deepEqual(await drawn(late), {});
  await late.locator('.replay input').fill(String(steps >> 1));
  const half = Object.keys(await drawn(late)).length;
  assert.ok(half > 0 && half < Object.keys(state.table.hexes).length);
  await late.keyboard.press('Escape');
});

test('the record can be saved, and a rematch follows with the seats rotated', async () => {
  const [{ page: ana }, { page: bo }] = fixture.visitors;
  const [download] = await Promise.all([ana.waitForEvent('download'), ana.click('.result button:has-text("Record")')]);
  const chunks = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk);
  const record = Buffer.concat(chunks).toString();
  assert.match(record, /^\[Format "taluva-record 1"\]/);
  const before = (await pageView(ana)).state.seats;
  await ana.click('.result button:has-text("Rematch")');
  await ana.waitForSelector('.lobby .seat.mine');
  await bo.click('.result button:has-text("To the rematch")');
  await bo.waitForSelector('.lobby .seat.mine');
  const { state } = await pageView(ana);
  for (const [seat, { name }] of Object.entries(before)) {
    const now = Object.entries(state.seats).find(([, other]) => other.name === name);
    if (now) assert.notEqual(now[0], seat, `${name} sits elsewhere`);
  }
});
