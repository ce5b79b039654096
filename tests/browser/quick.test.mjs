// Quick match: two who have never met, one on a phone, press it, and their match has begun.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { Fixture } from './lib/fixture.mjs';
import { atNight } from './lib/night.mjs';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const fixture = new Fixture();
before(() => fixture.open(['--accounts', 'open', '--accept-ms', '3600000']));
after(() => fixture.close());

/** Somebody with an account. @param {string} handle @param {any} [options] */
async function visit(handle, options = {}) {
  const page = await fixture.visit(handle, options);
  await page.evaluate((handle) => window.taluva.wire.askPatiently('claim', { handle }), handle);
  await page.reload(); // an account is said in the answer to `hello`
  await page.waitForSelector('#seek');
  return page;
}

/** @param {any} page */
const plays = (page) => page.waitForFunction(() => window.taluva?.room()?.state.phase === 'playing');

atNight('who has no account is offered no quick match', async () => {
  const page = await fixture.visit('Cleo');
  await page.waitForFunction(() => window.taluva?.wire.status === 'open');
  assert.equal(await page.locator('#seek').count(), 0);
});

atNight('one looks for somebody, waits, and can stop', async () => {
  const page = await visit('dora-1');
  await page.click('#seek');
  await page.waitForSelector('.quick [role=status]');
  await page.click('#unseek');
  await page.waitForSelector('#seek');
});

atNight('if somebody does not come, the search goes on', async () => {
  const ida = await visit('ida-1852');
  const kay = await visit('kay-7');
  await ida.click('#seek');
  const found = kay.evaluate(
    () =>
      new Promise((resolve) => {
        window.taluva.wire.listeners.add((push) => void (push.push === 'found' && resolve(push.room)));
        void window.taluva.wire.askPatiently('seek', { game: 'taluva', options: { sizes: [2] } });
      }),
  );
  const room = await found;
  await ida.waitForFunction((room) => window.taluva.room()?.id === room, room);
  await kay.evaluate(() => window.taluva.wire.askPatiently('unseek'));
  await ida.waitForSelector('.quick [role=status]');
  await ida.click('#unseek');
  await ida.waitForSelector('#seek');
});

test('two strangers press it, and their match has begun', async () => {
  const ada = await visit('ada-1815');
  const bea = await visit('bea-9', PHONE);
  await ada.click('#seek');
  await bea.tap('#seek');
  await Promise.all([plays(ada), plays(bea)]);
  const [one, other] = await Promise.all([ada, bea].map((page) => page.evaluate(() => window.taluva.room().id)));
  assert.equal(one, other);
  const state = await ada.evaluate(() => window.taluva.room().state);
  assert.equal(state.rated, 'taluva.duel.live');
  assert.deepEqual(Object.values(state.seats).map(({ handle }) => handle).sort(), ['ada-1815', 'bea-9']);
});
