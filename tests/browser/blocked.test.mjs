// Whom one has blocked, in the page: by the handle, and back.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { Fixture } from './lib/fixture.mjs';

const fixture = new Fixture();
before(() => fixture.open(['--accounts', 'open']));
after(() => fixture.close());

/** Somebody with an account. @param {string} name @param {string} handle */
async function visit(name, handle) {
  const page = await fixture.visit(name);
  await page.evaluate((handle) => window.taluva.wire.askPatiently('claim', { handle }), handle);
  await page.reload(); // an account is said in the answer to `hello`
  await page.waitForFunction(() => window.taluva?.wire.hello?.account);
  return page;
}

const refusal = (page, id) =>
  page.evaluate(
    (room) => window.taluva.wire.askPatiently('join', { room }).then(() => 'sits', (error) => error.code),
    id,
  );

test('somebody is blocked by the handle, finds the table closed, and is not any more', async () => {
  const ana = await visit('Ana', 'ana-1');
  const bo = await visit('Bo', 'bo-1904');
  await ana.click('.masthead button:last-child');
  await ana.click('#blocked');
  await ana.fill('.block input', 'nobody-1');
  await ana.keyboard.press('Enter');
  await ana.waitForFunction(() => document.querySelector('.block [role=alert]').textContent !== '');
  await ana.fill('.block input', '@bo-1904');
  await ana.keyboard.press('Enter');
  await ana.waitForSelector('.blocked li');
  assert.match(await ana.innerText('.blocked li'), /@bo-1904/);
  const { room } = await ana.evaluate(() => window.taluva.wire.askPatiently('create', { options: { players: 3 } }));
  assert.equal(await refusal(bo, room), 'seat_refused');
  await ana.click('.blocked li button');
  await ana.waitForSelector('.blocked li', { state: 'detached' });
  assert.equal(await refusal(bo, room), 'sits');
});
