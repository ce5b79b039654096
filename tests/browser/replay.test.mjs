// The replay of a long match: five players, the whole expansion box, far more events than the server pushes to a late
// watcher. The link replays all of it: from memory, from the store, after a restart. Missing events in the middle,
// as after a lost connection, are fetched.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { pageView, Fixture, makeTable, ready, start } from './lib/fixture.mjs';
import { act, after as afterSeq, dice, myMove, seqOf, shown } from './lib/player.mjs';
import { Tunnel } from './lib/tunnel.mjs';

const RESUME_PUSHES = 30; // the server's limit here: a client that missed more gets a state instead
const fixture = new Fixture();
const tunnel = new Tunnel(() => fixture.server.port);
before(async () => {
  await fixture.open(['--computer-ms', '0', '--over-idle-ms', '1000', '--resume-pushes', String(RESUME_PUSHES)]);
  await tunnel.open();
});
after(() => tunnel.close());
after(() => fixture.close([/WebSocket connection to .* failed/, /net::ERR_/]));

let link;
/** The moments as a page has them that was open from the beginning. */
let truth;

/** The moments that the page has. @param {any} page */
const past = (page) =>
  page.evaluate(() => window.taluva.room().past.map(({ seq, event, state }) => ({ seq, event, state })));

/** Waits until the page knows every event of its room. @param {any} page */
const knowsAll = (page) =>
  page.waitForFunction(() => {
    const room = window.taluva.room();
    return room?.known && room.past.length === room.seq && room.past.every(({ event }) => event);
  });

/** A computer sits down and stands up again. @param {any} page @param {number} times */
const tryComputers = (page, times) =>
  page.evaluate(async (n) => {
    const room = window.taluva.room();
    for (let i = 0; i < n; i++) {
      await room.ask(i % 2 === 0 ? 'bot' : 'unseat', { seat: 2 });
      await new Promise((resolve) => setTimeout(resolve, 60)); // within the server's rate
    }
  }, times);

/** Waits until the server has no room in memory. */
async function forgotten() {
  for (;;) {
    const text = await fixture.server.metrics();
    const rooms = [...text.matchAll(/^taluva_rooms\{[^}]*\} (\d+)$/gm)].map(([, n]) => Number(n));
    assert.ok(rooms.length > 0, text);
    if (rooms.every((n) => n === 0)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

test('a match of more events than the server pushes at once', async () => {
  const page = await fixture.visit('Eli');
  await makeTable(page, {
    Players: '5',
    boats: true,
    two_hex: true,
    Board: 'player',
    'Who may join': 'code',
  });
  for (let seat = 1; seat < 5; seat++) await page.click(`.seat[data-seat="${seat}"] [data-focus^=bot]`);
  await page.waitForFunction(() => Object.keys(window.taluva.room().state.seats).length === 5);
  await ready(page);
  await start(page);
  const random = dice(14);
  for (let undone = 0; ;) {
    const { step } = await act(page, random, { take: undone > 3, prefer: ['boat', 'tower', 'temple', 'expand'] });
    if (step === 'over') break;
    if (step !== 'place' || undone > 6 || (await myMove(page)) !== 'build') continue;
    const seq = await seqOf(page);
    await page.click('.hand [data-focus=undo]');
    await afterSeq(page, seq);
    undone++;
  }
  await knowsAll(page);
  truth = await past(page);
  assert.ok(truth.length > RESUME_PUSHES, `${truth.length} events`);
  link = `#/r/${await page.evaluate(() => `${window.taluva.room().id}/${window.taluva.room().code}`)}`;
});

/** @param {any} page */
async function replays(page) {
  await page.click('.result button:has-text("Replay")');
  await page.waitForSelector('.replay:not([hidden])');
  await knowsAll(page);
  assert.deepEqual(await past(page), truth, 'every moment is as it was');
  const { steps, at } = await page.evaluate(() => ({
    steps: window.taluva.page().replay.stops.length,
    at: window.taluva.page().replay.at,
  }));
  const played = truth.filter(({ event }) => ['started', 'move', 'undone'].includes(event.kind));
  assert.ok(steps >= played.length, `${steps} steps of ${played.length}`);
  assert.equal(at, 0);
  const hexes = async () => {
    await shown(page);
    return page.evaluate(() => window.taluva.page().view.board.island.hexes.size);
  };
  assert.equal(await hexes(), 0, 'it begins with the open sea');
  await page.click('.replay button[aria-label="One step forward"]');
  await page.locator('.replay input').fill(String(steps >> 1));
  const index = await page.evaluate(() => window.taluva.page().index);
  assert.equal(await hexes(), Object.keys(truth[index].state.table.hexes).length);
  await page.locator('.replay input').fill(String(steps - 1));
  assert.equal(await hexes(), Object.keys(truth.at(-1).state.table.hexes).length);
  assert.ok((await page.locator('.events .event').count()) > RESUME_PUSHES, 'the log has it too');
}

test('it is replayed whole by its link', async () => {
  const page = await fixture.visit('', {}, link);
  await replays(page);
  await page.goto(`${fixture.url}#/`);
});

test('it is replayed whole by its link when the server has forgotten it, also after a restart', async () => {
  for (const { page } of fixture.visitors) await page.goto(`${fixture.url}#/`);
  await forgotten();
  const page = await fixture.visit('', {}, link);
  await replays(page);
  await fixture.server.kill();
  await fixture.server.start();
  await forgotten();
  await replays(await fixture.visit('', {}, link));
});

test('a hole that a cut line leaves in the middle is filled', async () => {
  const ana = await fixture.visit('Ana');
  const room = await makeTable(ana, { Players: '3' });
  fixture.entryUrl = tunnel.url;
  const bo = await fixture.visit('Bo', {}, `#/r/${room}`);
  await bo.click('.seat.empty[data-seat="1"] button');
  await bo.waitForSelector('.seat.mine');
  await knowsAll(bo);
  tunnel.cut();
  await bo.waitForFunction(() => window.taluva?.wire.status !== 'open');
  await tryComputers(ana, RESUME_PUSHES + 20);
  tunnel.mend();
  const { seq } = await pageView(ana);
  await bo.waitForFunction((wanted) => window.taluva.room().seq === wanted, seq);
  await knowsAll(bo);
  assert.ok(await bo.evaluate(() => window.taluva.room().edition > 0), 'the server had left events out');
  assert.deepEqual(await past(bo), await past(ana));
});
