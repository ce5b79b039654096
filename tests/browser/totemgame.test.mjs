// Whole games of Totem against the real server: two people and two computers by mouse, with everything hidden that is not
// theirs to know; one by keys alone; one by finger on a phone.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { Fixture, makeTable, pageView, ready, serverView, start } from './lib/fixture.mjs';
import { atNight } from './lib/night.mjs';
import { dice } from './lib/player.mjs';
import { byFinger, byKeys, byMouse, playOut } from './lib/totemplayer.mjs';

/** At night all games are played to their ends. */
const WHOLE = Boolean(process.env.EVERYTHING);

const fixture = new Fixture();
before(() => fixture.open());
after(() => fixture.close());

/** A visitor whose page has all that the server said to it in `heard`. @param {string} name @param {any} [options] @param {string} [hash] */
async function visit(name, options, hash) {
  const page = await fixture.visit(name, options, hash);
  const heard = [];
  page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => heard.push(payload.toString())));
  await page.reload();
  await page.waitForFunction(() => window.taluva);
  return Object.assign(page, { heard });
}

/** Chooses Totem in the form and makes a table. @param {any} page @param {{[field: string]: string | boolean}} wishes */
async function makeTotem(page, wishes) {
  await page.click('#new-table');
  await page.selectOption('.create .game-choice select', 'totem');
  await page.waitForSelector('.create input[name=totem_a]', { state: 'attached' });
  return makeTable(page, wishes);
}

/** What a page was told that its seat may not know. @param {string[]} heard @param {string} own families */
function leaks(heard, own) {
  const others = [...'RGBY'].filter((family) => !own.includes(family)).join('');
  const hidden = [
    new RegExp(`choose@[${others}]=(?!\\*|-)`),
    new RegExp(`cast@[${others}]=(?!\\?)`),
    new RegExp(`write@[${others}]=(?!\\*)`),
    new RegExp(`put@[${others}]=(?!\\?)`),
    new RegExp(`"mine":\\{(?:[^}]*\\}[^}]*)?"[${others}]":`),
  ];
  return heard.filter((text) => hidden.some((pattern) => pattern.test(text)));
}

/** @param {any} page @param {'click' | 'tap'} press */
async function resign(page, press) {
  for (const selector of ['.table-bar button[aria-label="Menu"]', '.entry:has-text("Resign")', '.dialog .confirm.dangerous'])
    await page[press](selector);
}

/** The page holds what the server tells to a newcomer, but for what only its seat knows. @param {any} page */
async function sameAsTold(page) {
  const { room, code } = await page.evaluate(() => ({ room: window.taluva.room().id, code: window.taluva.room().code }));
  for (;;) {
    const told = await serverView(fixture, room, code);
    await page.waitForFunction((seq) => window.taluva.room().seq >= seq, told.seq);
    const { seq, state } = await pageView(page);
    if (seq > told.seq) continue; // a computer has played meanwhile; it stops where this player has to move
    delete state.table.mine;
    assert.deepEqual(state, told.state);
    return;
  }
}

atNight('two people and two computers, by mouse: nobody’s page knows what is hidden', async () => {
  const ana = await visit('Ana');
  const room = await makeTotem(ana, { Players: '4', 'Last round': '6' });
  const bo = await visit('Bo', {}, `#/r/${room}`);
  await bo.click('.seat.empty[data-seat="1"] button');
  await bo.waitForSelector('.seat.mine');
  for (const seat of [2, 3]) await ana.click(`[data-focus=bot-${seat}]`);
  await ready(ana);
  await ready(bo);
  await start(ana);
  await bo.waitForSelector('.quarter');
  const enough = ({ settle, cast, reveal }) => !WHOLE && settle > 2 && cast > 0 && reveal > 0;
  const players = [{ page: ana, seed: 5 }, { page: bo, seed: 9 }];
  const [first, second] = await Promise.all(
    players.map(async ({ page, seed }) => {
      const done = await playOut(page, dice(seed), byMouse(page), enough);
      if (!WHOLE) await resign(page, 'click'); // the others play on
      return done;
    }),
  );
  for (const done of [first, second]) {
    assert.ok(done.settle >= 3, JSON.stringify(done));
    assert.ok(done.cast > 0 && done.reveal > 0, JSON.stringify(done));
    assert.ok(done.reveal <= done.settle, `what to uncover is asked once a round: ${JSON.stringify(done)}`);
  }
  assert.deepEqual(leaks(ana.heard, 'R'), []);
  assert.deepEqual(leaks(bo.heard, 'G'), []);
  assert.notDeepEqual(leaks(ana.heard, 'G'), [], 'what is one’s own is told');
  for (const page of [ana, bo]) await page.waitForSelector('.result .totem-result');
  assert.equal(await ana.textContent('.totem-result'), await bo.textContent('.totem-result'));
  await sameAsTold(ana);
});

atNight('two families at a seat, what is written at once, and what others take: by mouse', async () => {
  const cy = await visit('Cy');
  await makeTotem(cy, { Players: '2', 'Spells are laid': 'B', 'Who goes hungry': 'B', 'Last round': '6', totem_b: true });
  await cy.click('[data-focus=bot-1]');
  await ready(cy);
  await start(cy);
  const done = await playOut(cy, dice(17), byMouse(cy), ({ write, take }) => !WHOLE && write > 1 && take > 0);
  assert.ok(done.write > 0 && done.settle > 0, JSON.stringify(done));
  assert.deepEqual(leaks(cy.heard, 'RB'), []);
  if (WHOLE) await cy.waitForSelector('.result .totem-result');
});

atNight('by keys alone', async () => {
  const di = await visit('Di');
  await makeTotem(di, { Players: '3', 'Last round': '6' });
  for (const seat of [1, 2]) await di.click(`[data-focus=bot-${seat}]`);
  await ready(di);
  await start(di);
  await di.evaluate(() => {
    window.pointed = 0;
    for (const kind of ['pointerdown', 'pointermove', 'click'])
      addEventListener(kind, (event) => event.pointerType && window.pointed++, true);
  });
  const done = await playOut(di, dice(23), byKeys(di), ({ settle, cast }) => !WHOLE && settle > 1 && cast > 1);
  assert.ok(done.settle > 0 && done.cast > 0, JSON.stringify(done));
  assert.equal(await di.evaluate(() => window.pointed), 0, 'no pointer was used');
  if (WHOLE) await di.waitForSelector('.result .totem-result');
  await sameAsTold(di);
});

test('by finger on a phone, from the first page to the replay', async () => {
  const phone = await visit('Eli', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 });
  await phone.waitForFunction(() => window.taluva?.wire.status === 'open');
  await phone.selectOption('#solo-game', 'totem');
  await phone.waitForFunction(() => document.querySelector('.masthead') && document.querySelectorAll('link[href*=totem]').length === 1);
  await phone.waitForFunction(() => window.taluva?.drawn()); // or the button may move under the finger
  await phone.tap('#solo');
  await phone.waitForSelector('.quarter');
  const done = await playOut(phone, dice(31), byFinger(phone), ({ settle, reveal }) => !WHOLE && settle > 1 && reveal > 1);
  assert.ok(done.settle > 0 && done.reveal <= done.settle, `what to uncover is asked once a round: ${JSON.stringify(done)}`);
  if (!WHOLE) await resign(phone, 'tap');
  await phone.waitForSelector('.result .totem-result');
  await sameAsTold(phone);
  await phone.tap('.result button:has-text("Replay")');
  await phone.tap('.replay button[aria-label="One step forward"]');
  await phone.waitForFunction(() => window.taluva?.page().replay.at === 1 && window.taluva.drawn());
  assert.ok(await phone.locator('.person').count());
});
