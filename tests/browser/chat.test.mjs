// Talk in the lobby: one on a laptop says something, one on a phone sees that there is something new, reads and answers it, and does away with what
// should not be there.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { after, before, test } from 'node:test';

import { findings } from './lib/axe.mjs';
import { Fixture } from './lib/fixture.mjs';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const fixture = new Fixture();
before(() => fixture.open(['--accounts', 'open', '--lobby-chat', 'everybody', '--chat-age-ms', '0', '--claims-per-address-per-day', '100']));
after(() => fixture.close());

/** Somebody with an account. @param {string} handle @param {any} [options] */
async function visit(handle, options = {}) {
  const page = await fixture.visit('', options);
  await page.evaluate((handle) => window.taluva.wire.askPatiently('claim', { handle }), handle);
  await page.reload(); // an account is said in the answer to `hello`
  await page.waitForSelector('#chat .say', { state: 'attached' });
  return page;
}

/** @param {...string} words */
function byOperator(...words) {
  const socket = path.join(fixture.server.folder, 'admin.sock');
  const { status, stderr } = spawnSync(process.env.TALUVA_ADMIN_PROGRAM, ['--socket', socket, ...words], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
}

/** @param {any} page @param {string} text */
async function say(page, text) {
  await page.fill('#chat-text', text);
  await page.press('#chat-text', 'Enter');
  await shows(page, text);
}

/** @param {any} page @param {string} text @param {boolean} [there] */
const shows = (page, text, there = true) =>
  page.waitForFunction(([text, there]) => [...document.querySelectorAll('.chat-lines p')].some((line) => line.textContent === text) === there, [text, there]);

const unread = (page, state = 'visible') => page.waitForSelector('.unread', { state });

test('a line is seen by everybody, who has it folded away sees that there is one', async () => {
  const ana = await visit('ana-1');
  const bo = await visit('bo-1904', PHONE);
  await ana.click('#chat > summary');
  await say(ana, 'Anybody for four players?');
  await unread(bo);
  await bo.tap('#chat > summary');
  await shows(bo, 'Anybody for four players?');
  await unread(bo, 'hidden');
  await say(bo, 'Here!');
  await shows(ana, 'Here!');
  await unread(ana, 'hidden');
  assert.deepEqual(await findings(bo), []);
  await bo.reload(); // it is open, and what was read is read
  await shows(bo, 'Here!');
  await unread(bo, 'hidden');
  const eve = await fixture.visit(''); // has no account: reads, and is told how to join in
  await eve.click('#chat > summary');
  await shows(eve, 'Here!');
  assert.equal(await eve.locator('#chat-text').count(), 0);
});

test('it stands below the ways to play, whoever comes', async () => {
  for (const page of [await visit('hal-9'), await fixture.visit('', PHONE)]) {
    await page.waitForSelector('#chat', { state: 'attached' });
    const tops = await page.evaluate(() => ['#new-table', '#chat'].map((what) => document.querySelector(what).getBoundingClientRect().top));
    assert.ok(tops[0] < tops[1], `a table with friends at ${tops[0]}, talk at ${tops[1]}`);
  }
});

test('each language has a room of its own, and one comes back to the one that was chosen', async () => {
  const gus = await visit('gus-1');
  await gus.click('#chat > summary');
  await say(gus, 'In English.');
  await gus.selectOption('#chat-room', 'fr');
  await shows(gus, 'In English.', false);
  await say(gus, 'En français.');
  await gus.reload();
  await shows(gus, 'En français.');
  assert.equal(await gus.inputValue('#chat-room'), 'fr');
  assert.equal(await gus.locator('.chat-lines li').count(), 1);
  await gus.selectOption('#chat-room', 'en');
  await shows(gus, 'In English.');
  await shows(gus, 'En français.', false);
});

test('what the operator says is unread, and shown as theirs', async () => {
  const eve = await fixture.visit('');
  await eve.waitForSelector('#chat', { state: 'attached' });
  byOperator('say', 'The server is restarted at ten.');
  await unread(eve);
  await eve.click('#chat > summary');
  await shows(eve, 'The server is restarted at ten.');
  assert.equal(await eve.innerText('.chat-lines li:last-child .operator'), 'The operator of this server');
  assert.deepEqual(await findings(eve), []);
});

test('what is too much, or a link, is refused where it is written', async () => {
  const dora = await visit('dora-1');
  await dora.click('#chat > summary');
  await dora.fill('#chat-text', 'see www.example.org');
  await dora.press('#chat-text', 'Enter');
  await dora.waitForFunction(() => document.querySelector('#chat [role=alert]').textContent !== '');
  assert.equal(await dora.inputValue('#chat-text'), 'see www.example.org');
});

test('a line is reported, its writer blocked, and a moderator takes it away', async () => {
  const ida = await visit('ida-1852');
  const kay = await visit('kay-7', PHONE);
  await kay.tap('#chat > summary');
  await ida.click('#chat > summary');
  await say(kay, 'You all play badly.');
  await shows(ida, 'You all play badly.');
  const open = () => ida.click('.chat-lines li:last-child .who');
  await open();
  assert.deepEqual(await findings(ida), []);
  await ida.click('#chat-report');
  await ida.click('.report button[type=submit]');
  await ida.waitForSelector('dialog', { state: 'detached' });
  byOperator('moderator', 'ida-1852');
  await ida.reload();
  await shows(ida, 'You all play badly.');
  await open();
  await ida.click('#chat-drop');
  await shows(kay, 'You all play badly.', false);
  await say(kay, 'Still here.');
  await shows(ida, 'Still here.');
  await open();
  await ida.click('#chat-block');
  await shows(ida, 'Still here.', false);
  await say(kay, 'And again.');
  await say(ida, 'Good night.');
  await shows(ida, 'And again.', false);
  await ida.reload();
  await shows(ida, 'Good night.');
  await shows(ida, 'And again.', false);
});
