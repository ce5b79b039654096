// What is left of a table when one has gone back to the first page: nothing. Counted after a collection of garbage, so that a whole
// evening at the page takes no more memory than its first game.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { holdingNothing, PATIENCE_MS } from './lib/chromium.mjs';
import { Fixture } from './lib/fixture.mjs';
import { act, dice } from './lib/player.mjs';

const fixture = new Fixture();
before(() => fixture.open());
after(() => fixture.close());

/** How many objects of a class the page holds. @param {any} client @param {string} file @param {string} name */
async function held(client, file, name) {
  const { result } = await client.send('Runtime.evaluate', {
    expression: `import('/js/${file}').then((all) => all.${name}.prototype)`,
    awaitPromise: true,
  });
  const { objects } = await client.send('Runtime.queryObjects', { prototypeObjectId: result.objectId });
  const { result: count } = await client.send('Runtime.callFunctionOn', {
    objectId: objects.objectId,
    functionDeclaration: 'function () { return this.length; }',
    returnByValue: true,
  });
  for (const { objectId } of [objects, result]) await client.send('Runtime.releaseObject', { objectId });
  return count.value;
}

/** Waits until it holds so many: what is under way, such as an answer, holds the table until it is there. @param {any} client @param {string} file @param {string} name @param {number} count */
async function left(client, file, name, count) {
  for (const end = Date.now() + PATIENCE_MS; (await held(client, file, name)) > count; ) assert.ok(Date.now() < end, `${name} is still held`);
}

const CLASSES = {
  'table.js': 'Table',
  'hotseat.js': 'SharedRoom',
  'log.js': 'Log',
  'pill.js': 'Pill',
  'games/taluva/view.js': 'TableView',
  'games/taluva/board.js': 'Board',
  'games/taluva/motion.js': 'Motion',
};

test('after a game is left, nothing of its table is held', async () => {
  const page = holdingNothing(await fixture.visit('', { reducedMotion: 'no-preference' }));
  const client = await page.context().newCDPSession(page);
  const random = dice(7);
  for (let game = 0; game < 2; game++) {
    await page.click('#solo');
    for (let step = 0; step < 4; step++) await act(page, random);
    for (const [file, name] of Object.entries(CLASSES)) assert.equal(await held(client, file, name), 1, `${name} while one plays`);
    await page.evaluate(() => (location.hash = '#/'));
    await page.waitForSelector('.home');
    await page.click('#link'); // Playwright keeps what it has clicked last
    for (const [file, name] of Object.entries(CLASSES)) await left(client, file, name, 0);
    await left(client, 'home.js', 'Home', 1);
  }
});
