// Whom one has blocked, in the page: by the handle, and back; who is reported, and reads what was decided of it; and the programs of an account.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { after, before, test } from 'node:test';

import { Fixture } from './lib/fixture.mjs';

const fixture = new Fixture();
before(() => fixture.open(['--accounts', 'open', '--claims-per-address-per-day=20']));
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
  await ana.fill('.block-form input', 'nobody-1');
  await ana.keyboard.press('Enter');
  await ana.waitForFunction(() => document.querySelector('.block-form [role=alert]').textContent !== '');
  await ana.fill('.block-form input', '@bo-1904');
  await ana.keyboard.press('Enter');
  await ana.waitForSelector('.blocked li');
  assert.match(await ana.innerText('.blocked li'), /@bo-1904/);
  const { room } = await ana.evaluate(() => window.taluva.wire.askPatiently('create', { options: { players: 3 } }));
  assert.equal(await refusal(bo, room), 'seat_refused');
  await ana.click('.blocked li button');
  await ana.waitForSelector('.blocked li', { state: 'detached' });
  assert.equal(await refusal(bo, room), 'sits');
});

test('two who follow each other see that the other is there, unless they do not want it; and one is asked to play', async () => {
  const ana = await visit('Fay', 'fay-1');
  const bo = await visit('Guy', 'guy-1904');
  await ana.click('.masthead button:last-child');
  await ana.click('#follows');
  await ana.fill('.follow-form input', '@guy-1904');
  await ana.keyboard.press('Enter');
  await ana.waitForSelector('[data-friend="guy-1904"]');
  assert.equal(await ana.locator('.is-there').count(), 0); // they do not follow back
  await bo.evaluate(() => window.taluva.wire.askPatiently('follow', { handle: 'fay-1' }));
  const again = async (/** @type {string} */ state) => {
    await ana.keyboard.press('Escape');
    await ana.click('.masthead button:last-child');
    await ana.click('#follows');
    await ana.waitForSelector('[data-friend="guy-1904"]');
    await ana.waitForSelector('[data-friend="guy-1904"] .is-there', { state });
  };
  await again('visible');
  await bo.click('.masthead button:last-child');
  await bo.click('#follows');
  await bo.uncheck('.dialog .tick input');
  await bo.waitForFunction(async () => (await window.taluva.wire.askPatiently('friends')).hidden);
  await again('detached');
  await ana.click('[data-friend="guy-1904"] button');
  await ana.waitForSelector('#unseek');
  await bo.waitForFunction(() => document.querySelector('[data-accept="fay-1"]'));
});

/** What a program is answered that says hello. */
const enter = (page, token) =>
  page.evaluate(
    (token) =>
      new Promise((resolve) => {
        const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/ws`, 'taluva.v1+json');
        socket.onopen = () => socket.send(JSON.stringify({ id: 1, op: 'hello', token }));
        socket.onmessage = ({ data }) => resolve(JSON.parse(data));
      }),
    token,
  );

test('a program gets a handle and a token, which is shown once and enters; ended, it does not', async () => {
  const ana = await visit('Eve', 'eve-1');
  await ana.click('.masthead button:last-child');
  await ana.click('#programs');
  await ana.fill('#program-handle', 'eve-bot');
  await ana.click('#program-make');
  await ana.waitForFunction(() => document.querySelector('#program').value === 'eve-bot');
  await ana.fill('#token-name', 'evening');
  await ana.click('#token-make');
  await ana.waitForSelector('.tokens li');
  const token = await ana.inputValue('.device-link input');
  assert.match(token, /^taluva_[A-Za-z0-9_-]{43}[0-9a-hjkmnp-tv-z]{7}$/);
  assert.equal((await enter(ana, token)).ok.scope, 'play');
  await ana.click('.tokens li button');
  await ana.waitForSelector('.tokens li', { state: 'detached' });
  assert.equal((await enter(ana, token)).error.code, 'unknown_token');
});

/** What the operator's program prints. @param {...string} words */
function operator(...words) {
  const socket = path.join(fixture.server.folder, 'admin.sock');
  const { status, stdout, stderr } = spawnSync(process.env.TALUVA_ADMIN_PROGRAM, ['--socket', socket, ...words], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return stdout;
}

test('somebody is reported from the table, and reads what was decided of it', async () => {
  const chi = await visit('Chi', 'chi-1');
  const dora = await visit('Dora', 'dora-1');
  const { room } = await chi.evaluate(() => window.taluva.wire.askPatiently('create', { options: { players: 2 } }));
  for (const page of [chi, dora]) await page.evaluate((room) => window.taluva.wire.askPatiently('join', { room }), room);
  for (const page of [chi, dora]) {
    await page.goto(`${fixture.url}#/r/${room}`);
    await page.waitForSelector('.log .report:not([hidden])');
  }
  await dora.evaluate((room) => window.taluva.wire.askPatiently('say', { room, text: 'Sit on a cactus.' }), room);
  await chi.click('.log .report');
  await chi.selectOption('form.report .field:nth-of-type(2) select', 'talk');
  await chi.fill('form.report input', 'Look.');
  await chi.click('form.report [type=submit]');
  await chi.waitForSelector('form.report', { state: 'detached' });
  assert.match(operator('reports'), /dora-1 +Dora +talk +1 +1/);
  assert.match(operator('report', '1'), /Sit on a cactus\./);
  operator('judge', '1', 'silence', '--why=talk', '--for=1h', '--text=Be kind.');
  await dora.waitForSelector('.judged li');
  assert.match(await dora.innerText('.judged'), /Be kind\./);
  await dora.click('dialog .confirm');
  await dora.waitForFunction(() => window.taluva.wire.pending.size === 0);
  await dora.reload(); // it has been read
  await dora.waitForFunction(() => window.taluva?.wire.hello?.judgements?.[0]?.read);
  assert.equal(await dora.$('.judged'), null);
});
