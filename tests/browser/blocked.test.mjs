// Whom one has blocked, in the page: by the handle, and back; who is reported, reads what was decided of it and appeals; a moderator's evening; and
// the programs of an account.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';

import { Fixture } from './lib/fixture.mjs';
import { until } from './lib/until.mjs';

const fixture = new Fixture();
before(() => fixture.open(['--accounts', 'open', '--claims-per-address-per-day=20', '--reports-per-account-per-day=20', '--rooms-per-session=20', '--rooms-per-address=40']));
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
  const room = await bo.evaluate(async () => {
    const { wire } = window.taluva;
    const { room } = await wire.askPatiently('create', { options: { players: 2 } });
    for (const [op, more] of [['join', { seat: 0 }], ['bot', { seat: 1 }], ['ready', { ready: true }], ['start', {}]]) await wire.askPatiently(op, { room, ...more });
    return room;
  });
  await again('visible');
  await ana.waitForSelector(`[data-friend="guy-1904"] .friend-watch[href="#/r/${room}"]`);
  await bo.click('.masthead button:last-child');
  await bo.click('#follows');
  await bo.uncheck('.dialog .tick input');
  await until(() => bo.evaluate(async () => (await window.taluva.wire.askPatiently('friends')).hidden));
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
  assert.match(operator('reports'), /dora-1 +Dora +talk +- +1 +1/);
  assert.match(operator('report', '1'), /Sit on a cactus\./);
  operator('judge', '1', 'silence', '--why=talk', '--for=1h', '--text=Be kind.');
  await dora.waitForSelector('.judged li');
  assert.match(await dora.innerText('.judged'), /Be kind\./);
  await dora.click('.appeal summary');
  await dora.fill('.appeal input', 'It was a song.');
  await dora.click('.appeal [type=submit]');
  await dora.waitForSelector('.appeal [role=status]');
  assert.match(operator('report', '3'), /It was a song\./);
  await dora.click('dialog .confirm');
  await dora.waitForFunction(() => window.taluva.wire.pending.size === 0);
  await dora.reload(); // it has been read
  await dora.waitForFunction(() => window.taluva?.wire.hello?.judgements?.[0]?.read);
  assert.equal(await dora.$('.judged'), null);
  operator('judge', '3', 'dismiss', '--why=talk');
  await dora.waitForSelector('.judged li');
  assert.match(await dora.innerText('.judged'), /holds no more/);
  assert.equal(await dora.locator('.appeal').count(), 0);
});

/** Ten who sit down one after the other, say something, and are reported for it. @param {any} page */
const reportTen = (page) =>
  page.evaluate(async () => {
    const { wire } = window.taluva;
    const comes = (/** @type {string} */ name, /** @type {string} */ room) =>
      new Promise((resolve, reject) => {
        const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/ws`, 'taluva.v1+json');
        const asks = [
          { op: 'hello', name },
          { op: 'join', room },
          { op: 'say', room, text: '<img src=x onerror=alert(1)> Sit on a cactus.' },
        ];
        const ask = (/** @type {number} */ id) => socket.send(JSON.stringify({ id, ...asks[id - 1] }));
        socket.onopen = () => ask(1);
        socket.onmessage = ({ data }) => {
          const { id, error } = JSON.parse(data);
          if (error) reject(new Error(error.message));
          else if (id === asks.length) resolve(socket.close());
          else if (id) ask(id + 1);
        };
      });
    for (let at = 0; at < 10; at++) {
      const { room } = await wire.askPatiently('create', { options: { players: 2 } });
      await wire.askPatiently('join', { room });
      await comes(`<b>Bad</b> ${at}`, room);
      await wire.askPatiently('report', { room, seat: 1, why: 'talk', text: `Report ${at}` });
      await wire.askPatiently('leave', { room });
    }
  });

test('the settings lead to what is kept of people, as the server is configured', async () => {
  const pia = await visit('Pia', 'pia-1');
  await pia.click('.masthead button:last-child');
  const [told] = await Promise.all([pia.context().waitForEvent('page'), pia.click('#privacy')]);
  await told.waitForSelector('[data-tables~="report"]');
  assert.match(await told.innerText('main'), /at most 1000 reports are kept/);
  await told.close();
});

test('a moderator has an evening of ten reports, and sees none of them without being one', async () => {
  const zoe = await visit('Zoe', 'zoe-1');
  await reportTen(zoe);
  const may = await visit('May', 'may-1');
  const settings = async () => {
    await may.click('.masthead button:last-child');
    await may.click('#account');
    await may.waitForSelector('.dialog .handle');
  };
  await settings();
  assert.equal(await may.locator('#cases').count(), 0);
  operator('moderator', 'may-1');
  await may.reload();
  await may.waitForFunction(() => window.taluva?.wire.hello?.moderator);
  await settings();
  await may.click('#cases');
  for (let left = 10; left > 0; left--) {
    await may.waitForFunction((left) => document.querySelectorAll('.cases > ul > li').length === left, left);
    await may.click('.cases > ul > li button');
    await may.waitForSelector('.case-report');
    const said = await may.innerText('.cases');
    assert.match(said, /<b>Bad<\/b> \d: <img src=x onerror=alert\(1\)> Sit on a cactus\./);
    assert.match(said, /Report \d/);
    await may.selectOption('.cases form .field:first-child select', left % 2 ? 'warn' : 'dismiss');
    await may.fill('.cases form input', 'Be kind.');
    await may.click('.cases form [type=submit]');
    await may.waitForSelector('.cases > [role=status]');
  }
  await may.waitForSelector('.cases > .hint');
  const audit = readFileSync(path.join(fixture.server.folder, 'admin-audit.log'), 'utf8').trim().split('\n');
  const acts = audit.map((line) => JSON.parse(line)).filter(({ moderator, op }) => moderator === 'may-1' && op === 'judge');
  assert.deepEqual(acts.map(({ verdict }) => verdict), Array.from({ length: 10 }, (_, at) => (at % 2 ? 'warn' : 'dismiss')));
});
