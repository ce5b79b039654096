// The page tells a player whose turn it is, if the settings say so: by sound, and by a notification while the page is hidden.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { launchWhole } from './lib/chromium.mjs';
import { heard, listen as listenFor, until } from './lib/heard.mjs';
import { pageView, Fixture, makeTable, ready, start } from './lib/fixture.mjs';
import { act, after as afterSeq, dice, myMove } from './lib/player.mjs';

const fixture = new Fixture();
const random = dice(8);
let ana, bo;
before(() => fixture.open(undefined, launchWhole));
after(() => fixture.close());

/** Runs before the page's scripts: records notifications, and lets the test pretend that the page is hidden. */
function listen() {
  window.notes = [];
  window.Notification = class extends window.Notification {
    constructor(title, options) {
      super(title, options);
      window.notes.push({ title, body: this.body, note: this });
    }
  };
  let hidden = false;
  Object.defineProperty(document, 'hidden', { get: () => hidden });
  window.hide = (now) => {
    hidden = now;
    document.dispatchEvent(new Event('visibilitychange'));
  };
}

const sounds = () => heard(ana);
const notes = () => ana.evaluate(() => window.notes.map(({ title, body }) => ({ title, body })));

/** Waits until both pages have the same event and have reacted to it. */
async function together() {
  const { seq } = await pageView(bo);
  await afterSeq(ana, seq - 1);
  assert.equal((await pageView(ana)).seq, seq);
}

/** Bo plays until it is Ana's turn. */
async function bosTurn() {
  do {
    assert.notEqual((await act(bo, random)).step, 'over');
  } while (await bo.evaluate(() => window.taluva.page().mayAct));
  await together();
  assert.notEqual(await myMove(ana), 'over');
}

/** Ana plays until it is Bo's turn. */
async function anasTurn() {
  do {
    assert.notEqual((await act(ana, random)).step, 'over');
  } while (await ana.evaluate(() => window.taluva.page().mayAct));
  await afterSeq(bo, (await pageView(ana)).seq - 1);
}

/** @param {string} name of the check box in the settings */
async function choose(name) {
  await ana.click('.masthead button >> nth=1');
  await ana.locator('.dialog .tick', { hasText: name }).locator('input').check();
}

test('without permission it makes no sound and shows no notification', async () => {
  ana = await fixture.visit('Ana', { permissions: ['notifications'] });
  await ana.addInitScript(listen);
  await listenFor(ana);
  await ana.reload();
  const room = await makeTable(ana, { Players: '2', 'Who starts': '1' });
  bo = await fixture.visit('Bo', {}, `#/r/${room}`);
  await bo.click('.seat.empty button');
  await bo.waitForSelector('.seat.mine');
  await ready(ana);
  await ready(bo);
  await start(bo);
  await ana.waitForSelector('.table');
  await ana.evaluate(() => window.hide(true));
  await bosTurn();
  assert.match(await ana.title(), /^● Your turn · Taluva$/);
  assert.deepEqual(await sounds(), []);
  assert.equal(await ana.evaluate(() => window.sounds), undefined, 'what makes them is not even fetched');
  assert.deepEqual(await notes(), []);
  await ana.evaluate(() => window.hide(false));
});

test('with sound switched on, it plays a sample at once and then when it is the player’s turn', async () => {
  await choose('Sounds');
  assert.deepEqual(await until(ana, 'turn'), ['turn']);
  await ana.keyboard.press('Escape');
  await anasTurn();
  assert.ok(!(await sounds()).includes('turn'));
  await bosTurn();
  const all = await until(ana, 'turn');
  assert.ok(all.length > 1, 'the other’s moves are heard too');
  assert.deepEqual(await notes(), []);
});

test('with notifications switched on, it shows one while the page is hidden', async () => {
  await choose('Notify me');
  await ana.waitForFunction(() => localStorage.getItem('taluva.notify') === 'on');
  await ana.keyboard.press('Escape');
  await anasTurn();
  await bosTurn();
  assert.deepEqual(await notes(), [], 'whoever looks at the table needs no notification');
  await anasTurn();
  await ana.evaluate(() => window.hide(true));
  await bosTurn();
  assert.deepEqual(await notes(), [{ title: 'Taluva', body: 'Your turn' }]);
  const closed = await ana.evaluate(
    () =>
      new Promise((resolve) => {
        const [{ note }] = window.notes;
        note.close = () => resolve(true);
        note.onclick();
      }),
  );
  assert.ok(closed, 'a click on it leads to the table and puts it away');
  await ana.evaluate(() => window.hide(false));
});

test('the choice is kept; a chat message alone causes no sound', async () => {
  await ana.reload();
  await myMove(ana);
  assert.ok(await ana.evaluate(() => localStorage.getItem('taluva.sound') === 'on'));
  await ana.evaluate(() => window.hide(true));
  await bo.evaluate(() => window.taluva.page().act('offer', { what: 'pause' }));
  await ana.waitForFunction(() => window.taluva?.room().state.offers?.pause);
  await myMove(ana);
  assert.deepEqual(await notes(), []);
  assert.deepEqual(await sounds(), []);
  await ana.evaluate(() => window.hide(false));
});

test('if the browser forbids notifications they are switched off again, visibly', async () => {
  const dee = await fixture.visit('Dee', { permissions: [] });
  await dee.addInitScript(() => {
    window.begged = 0;
    Notification.requestPermission = async () => {
      window.begged++;
      return 'denied';
    };
  });
  await dee.reload();
  await dee.click('.masthead button >> nth=1');
  const box = dee.locator('.dialog .tick', { hasText: 'Notify me' }).locator('input');
  await box.click();
  await dee.waitForFunction(() => window.begged === 1);
  await dee.waitForFunction(() => !document.querySelectorAll('.dialog .tick input')[1].checked);
  assert.equal(await dee.evaluate(() => localStorage.getItem('taluva.notify')), null);
});
