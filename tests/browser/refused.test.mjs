// What the page does when the server refuses a question, cannot save moves or restarts soon. They use a mock server, because
// a test cannot make a real one do this.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { launch, leave, PATIENCE_MS, visitor } from './lib/chromium.mjs';
import { readMeanwhile } from './lib/live.mjs';
import { atNight, NIGHT, someOf } from './lib/night.mjs';
import { scenes } from './lib/scenes.mjs';
import { playServer, refusedOnce, serveFiles } from './lib/stage.mjs';
import { frames } from './lib/until.mjs';

let files, browser;
before(async () => {
  files = await serveFiles();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  files?.close();
});

/** @param {() => boolean} holds */
async function until(holds) {
  for (const end = Date.now() + PATIENCE_MS; !holds(); await new Promise((resolve) => setTimeout(resolve, 20)))
    assert.ok(Date.now() < end, 'it never came to this');
}

/**
 * Lets time pass for a page, in parts that are shorter than the page waits for an answer to its own ping: in a longer one it
 * would take the server for lost before the answer can arrive, and would reconnect only when more time passes.
 * @param {any} page @param {number} ms
 */
async function passes(page, ms) {
  for (let left = ms; left > 0; left -= 5_000) {
    await page.clock.runFor(Math.min(left, 5_000));
    await page.evaluate(() => window.taluva.wire.ask('ping'));
  }
}

test('the server says how long to wait before the legal moves are asked for again', async () => {
  const page = await visitor(browser);
  await page.clock.install({ time: 1_790_000_000_000 });
  await page.clock.pauseAt(1_790_000_001_000);
  const scene = { ...scenes.early(), refusals: { moves: { code: 'slow_down', message: 'Too many.', retry_ms: 30_000 } } };
  const { asked, tell } = await playServer(page, scene);
  const times = () => asked.filter(({ op }) => op === 'moves').length;
  await page.goto(`${files.url}#/r/k3m9x0aq`);
  await until(() => times() > 0);
  for (let i = 0; i < 10; i++) {
    const event = { kind: 'hinted', seat: 1 };
    tell({ push: 'event', room: 'k3m9x0aq', seq: 101 + i, at: 0, event, patch: { table: { stack: 20 - i } } });
  }
  await page.waitForFunction(() => window.taluva?.room().seq === 110);
  await passes(page, 25_000);
  await page.evaluate(() => window.taluva.wire.ask('ping'));
  assert.equal(times(), 1, 'not before its time, and not for each change');
  scene.refusals = {};
  await passes(page, 10_000);
  await until(() => times() > 1);
  await frames(page);
  await page.waitForSelector('.hand[data-mode=place]');
  assert.equal(times(), 2);
  await page.context().close();
});

atNight('a refusal for another reason is asked again as soon as the table changes', async () => {
  const page = await visitor(browser);
  const scene = { ...scenes.early(), refusals: { moves: { code: 'not_your_turn', message: 'It is not your turn.' } } };
  const { asked, tell } = await playServer(page, scene);
  const times = () => asked.filter(({ op }) => op === 'moves').length;
  await page.goto(`${files.url}#/r/k3m9x0aq`);
  await until(() => times() > 0);
  await page.waitForSelector('.trouble');
  scene.refusals = {};
  const event = { kind: 'hinted', seat: 1 };
  tell({ push: 'event', room: 'k3m9x0aq', seq: 101, at: 0, event, patch: { table: { stack: 20 } } });
  await page.waitForSelector('.hand[data-mode=place]');
  await page.context().close();
});

atNight('legal moves that are refused are asked for again after a pause, not as fast as answers come', async () => {
  const page = await visitor(browser);
  await page.clock.install({ time: 1_790_000_000_000 });
  await page.clock.pauseAt(1_790_000_001_000); // the page's time passes only when the test advances it
  const scene = { ...scenes.early(), refusals: { moves: { code: 'slow_down', message: 'Too many requests.' } } };
  const { asked, tell } = await playServer(page, scene);
  const times = () => asked.filter(({ op }) => op === 'moves').length;
  await page.goto(`${files.url}#/r/k3m9x0aq`);
  await until(() => times() > 0);
  /** Lets 40 requests be answered. */
  const manyAnswers = () =>
    page.evaluate(async () => {
      for (let i = 0; i < 40; i++) await window.taluva.wire.ask('ping');
    });
  await manyAnswers();
  assert.equal(times(), 1, 'once');
  await frames(page);
  assert.equal(await page.locator('.trouble').textContent(), 'Too many requests.');

  const event = { kind: 'move', seat: 1, move: 'draw' };
  tell({ push: 'event', room: 'k3m9x0aq', seq: 101, at: 0, event, patch: { table: { stack: 7 } } });
  await page.waitForFunction(() => window.taluva?.room().seq === 101);
  await manyAnswers();
  assert.equal(times(), 1, 'a change does not make it impatient');
  await passes(page, 3000);
  await until(() => times() > 1);
  await manyAnswers();
  assert.equal(times(), 2, 'once more after a pause');

  await passes(page, 60_000);
  await until(() => times() > 2);
  await manyAnswers();
  const before = times();
  assert.ok(before < 10, `a few times more in a minute: ${before}`);

  scene.refusals = {};
  await passes(page, 60_000);
  await until(() => times() > before);
  await manyAnswers();
  await passes(page, 60_000);
  await manyAnswers();
  assert.equal(times(), before + 1, 'and no more once there is an answer');
  assert.equal(await page.locator('.hand[data-mode=place]').count(), 1);
  assert.equal(await page.locator('.trouble').count(), 0);
  assert.deepEqual(page.troubles, []);
});

const SLOW_DOWN = { code: 'slow_down', message: 'Too many requests.' };

/** The pushes of 100 events that lead to a state. @param {any} state */
const pushesOf = (state) => (have) =>
  Array.from({ length: Math.min(40, 100 - have) }, (_, i) => ({
    push: 'event',
    room: 'k3m9x0aq',
    seq: have + i + 1,
    at: 1_790_000_000_000,
    event: { kind: 'move', seat: 0, move: 'draw' },
    patch: have + i + 1 === 100 ? state : {},
  }));

for (const op of NIGHT ? ['watch', 'past'] : ['watch'])
  test(`\`${op}\` that is refused with slow_down is asked again after growing pauses, until there is an answer`, async () => {
    const page = await visitor(browser);
    await page.clock.install({ time: 1_790_000_000_000 });
    await page.clock.pauseAt(1_790_000_001_000);
    const scene = { ...scenes.early(), refusals: { [op]: SLOW_DOWN } };
    scene.past = pushesOf(scene.state);
    const { asked } = await playServer(page, scene);
    const times = () => asked.filter((request) => request.op === op).length;
    await page.goto(`${files.url}#/r/k3m9x0aq`);
    await until(() => times() > 0);
    /** Lets so many requests be answered. @param {number} count */
    const answers = (count) =>
      page.evaluate(async (n) => {
        for (let i = 0; i < n; i++) await window.taluva.wire.ask('ping');
      }, count);
    await answers(40);
    assert.equal(times(), 1, 'no pause, no second attempt');
    const counts = [];
    for (let minute = 0; minute < 5; minute++) {
      const before = times();
      for (let part = 0; part < 12; part++) {
        await page.clock.runFor(5_000);
        await answers(4); // an attempt after each would be 48 in a minute
      }
      counts.push(times() - before);
    }
    assert.ok(counts[0] >= 3 && counts[0] <= 7, `a few attempts in the first minute: ${counts}`);
    assert.ok(counts[4] >= 1 && counts[4] <= 2, `about one a minute later: ${counts}`);
    assert.equal(await page.locator('[data-page=refused]').count(), 0, 'the room is not given up');
    scene.refusals = {};
    await passes(page, 60_000);
    await page.waitForFunction(() => window.taluva?.room().past.length === 100); // every event is known
    assert.deepEqual(page.troubles, []);
  });

atNight('a room that is left is not asked about any more', async () => {
  const page = await visitor(browser);
  await page.clock.install({ time: 1_790_000_000_000 });
  await page.clock.pauseAt(1_790_000_001_000);
  const { asked } = await playServer(page, { ...scenes.early(), refusals: { past: SLOW_DOWN } });
  const times = () => asked.filter((request) => request.op === 'past').length;
  await page.goto(`${files.url}#/r/k3m9x0aq`);
  await until(() => times() > 0);
  await page.evaluate(() => void (location.hash = '#/'));
  await page.waitForSelector('[data-page=home]');
  await passes(page, 300_000);
  await page.evaluate(() => window.taluva.wire.ask('ping'));
  assert.equal(times(), 1);
  assert.deepEqual(page.troubles, []);
});

const SAYS = {
  en: [/cannot save moves right now.*nothing is lost/, /can save moves again/],
  fr: [/ne peut pas enregistrer les coups.*rien n’est perdu/, /enregistre de nouveau les coups/],
  zh: [/暂时无法保存.*不会丢失/, /已恢复保存/],
};
for (const [language, [failing, recovered]] of Object.entries(someOf(SAYS, 'zh')))
  test(`the page says that the server cannot save moves, and that it can again: ${language}`, async () => {
    const page = await visitor(browser, { locale: language });
    const { tell } = await playServer(page, scenes.early());
    await page.goto(`${files.url}#/r/k3m9x0aq`);
    await page.waitForSelector('[data-page=table]');
    const line = page.locator('.line');
    assert.equal(await line.isVisible(), false);
    const notice = (code, room = 'k3m9x0aq') => tell({ push: 'notice', room, code, message: '...' });
    notice('store_failing', 'another1');
    notice('store_failing');
    await line.waitFor();
    assert.match(await page.getByRole('status').filter({ hasText: failing }).innerText(), failing);
    notice('store_recovered');
    await line.waitFor({ state: 'hidden' });
    assert.match(await page.getByRole('alert').innerText(), recovered);
    assert.deepEqual(page.troubles, []);
  });

atNight('that the store of a room fails is not shown once the room was left', async () => {
  const page = await visitor(browser);
  const { tell } = await playServer(page, scenes.early());
  await page.goto(`${files.url}#/r/k3m9x0aq`);
  await page.waitForSelector('[data-page=table]');
  tell({ push: 'notice', room: 'k3m9x0aq', code: 'store_failing', message: '...' });
  await page.locator('.line').waitFor();
  await page.evaluate(() => void (location.hash = '#/'));
  await page.waitForSelector('[data-page=home]');
  assert.equal(await page.locator('.line').isVisible(), false);
  assert.equal(await page.locator('.toast').count(), 0);
  assert.deepEqual(page.troubles, []);
});

const OPERATOR = { en: /The operator says: Pause at 22:00/, fr: /L’exploitant du serveur dit\s: Pause/, zh: /管理员通知：Pause/ };
for (const [language, words] of Object.entries(someOf(OPERATOR, 'fr')))
  test(`the page shows what the operator says, and leaves a lobby that is closed: ${language}`, async () => {
    const page = await visitor(browser, { locale: language });
    const { tell } = await playServer(page, scenes.lobby());
    await page.goto(`${files.url}#/r/k3m9x0aq`);
    await page.waitForSelector('[data-page=lobby]');
    tell({ push: 'notice', code: 'announcement', message: 'Pause at 22:00, <b>really</b>.' });
    await page.locator('.toast').waitFor();
    assert.match(await page.getByRole('alert').innerText(), words);
    assert.match(await page.getByRole('alert').innerText(), /<b>really/);
    tell({ push: 'notice', room: 'another1', code: 'closed', message: 'Not this one.' });
    await page.evaluate(() => window.taluva.wire.ask('ping'));
    assert.doesNotMatch(await page.getByRole('alert').innerText(), /Not this/);
    tell({ push: 'notice', room: 'k3m9x0aq', code: 'closed', message: 'It was spam.' });
    await page.waitForSelector('[data-page=home]');
    assert.match(await page.getByRole('alert').innerText(), /It was spam/);
    assert.deepEqual(page.troubles, []);
  });

atNight('a match that the operator has closed stays on the page', async () => {
  const page = await visitor(browser);
  const { tell } = await playServer(page, scenes.early());
  await page.goto(`${files.url}#/r/k3m9x0aq`);
  await page.waitForSelector('[data-page=table]');
  tell({ push: 'notice', room: 'k3m9x0aq', code: 'closed', message: 'It was spam.' });
  await page.locator('.toast').waitFor();
  await page.evaluate(() => window.taluva.wire.ask('ping'));
  assert.equal(await page.evaluate(() => document.body.dataset.page), 'table');
  assert.deepEqual(page.troubles, []);
});

const BANNED = { en: /banned you for a time/, fr: /vous a banni pour un temps/, zh: /暂时禁止您连接/ };
for (const [language, words] of Object.entries(someOf(BANNED, 'en')))
  test(`the page says that the operator has banned its visitor: ${language}`, async () => {
    const page = await visitor(browser, { locale: language });
    const { disconnect } = await playServer(page, scenes.early());
    await page.goto(`${files.url}#/r/k3m9x0aq`);
    await page.waitForSelector('[data-page=table]');
    disconnect(4005);
    await page.locator('.line').waitFor();
    assert.match(await page.locator('.line').innerText(), words);
    await page.locator('#live', { hasText: words }).waitFor({ state: 'attached' });
    assert.deepEqual(await readMeanwhile(page, '.line'), [], 'it is said once, not each second');
    assert.deepEqual(page.troubles, []);
  });

const RESTARTS = { en: /restarts soon/, fr: /va bientôt redémarrer/, zh: /即将重启/ };
for (const [language, words] of Object.entries(someOf(RESTARTS, 'fr')))
  test(`the page says that the server restarts soon, until it has reconnected: ${language}`, async () => {
    const page = await visitor(browser, { locale: language });
    const { tell, disconnect } = await playServer(page, scenes.early());
    await page.goto(`${files.url}#/r/k3m9x0aq`);
    await page.waitForSelector('[data-page=table]');
    const line = page.locator('.line');
    tell({ push: 'notice', code: 'unknown_to_it', message: '...' });
    await page.evaluate(() => window.taluva.wire.ask('ping'));
    assert.equal(await line.isVisible(), false);
    tell({ push: 'notice', code: 'draining', message: '...' });
    await line.waitFor();
    assert.match(await line.innerText(), words);
    tell({ push: 'notice', code: 'serving', message: '...' });
    await line.waitFor({ state: 'hidden' }); // it does not after all
    tell({ push: 'notice', code: 'draining', message: '...' });
    await line.waitFor();
    await page.evaluate(() => void (location.hash = '#/'));
    await page.waitForSelector('[data-page=home]');
    assert.match(await line.innerText(), words, 'on every page, as it is about the server');
    disconnect(1012);
    await line.waitFor({ state: 'hidden' }); // connected again
    assert.deepEqual(page.troubles, []);
  });

atNight('a device that is ended forgets who played here, on the first page too', async () => {
  const page = await visitor(browser);
  await page.addInitScript(() => {
    if (localStorage.getItem('taluva.token') !== null) return;
    for (const [name, value] of [['token', 'y'.repeat(43)], ['name', 'Ana'], ['guests', '[]']]) localStorage.setItem(`taluva.${name}`, value);
  });
  const { disconnect } = await playServer(page, scenes.early());
  await page.goto(`${files.url}#/`);
  await page.waitForFunction(() => window.taluva?.wire.status === 'open');
  assert.equal(await page.inputValue('#name'), 'Ana');
  await page.click('.masthead button >> nth=1');
  await page.waitForSelector('dialog');
  disconnect(4006);
  await page.waitForSelector('.toast:has-text("This device was ended. You are a new player here.")');
  assert.equal(await page.locator('dialog').count(), 0);
  assert.equal(await page.inputValue('#name'), '');
  assert.deepEqual(await page.evaluate(() => [localStorage.getItem('taluva.name'), localStorage.getItem('taluva.guests')]), [null, null]);
  await page.waitForFunction(() => window.taluva?.wire.status === 'open');
  await leave(page);
});

/** A browser that has played here before, as Ana. @param {any} scene */
async function knownVisitor(scene) {
  const page = await visitor(browser);
  await page.addInitScript(() => {
    if (localStorage.getItem('taluva.token') !== null) return;
    for (const [name, value] of [['token', 'y'.repeat(43)], ['name', 'Ana']]) localStorage.setItem(`taluva.${name}`, value);
  });
  const server = await playServer(page, scene);
  await page.goto(`${files.url}#/`);
  await page.waitForFunction(() => window.taluva?.wire.status === 'open');
  return { page, ...server };
}

atNight('a name that was changed on another device is not changed back', async () => {
  const { page, asked } = await knownVisitor({ ...scenes.early(), hello: { name: 'Ana Maria', token: undefined } });
  await page.waitForFunction(() => document.querySelector('#name').value === 'Ana Maria');
  assert.deepEqual(asked.filter(({ op }) => op === 'hello').map(({ name, token }) => [name, token]), [[undefined, 'y'.repeat(43)]]);
  assert.equal(await page.evaluate(() => localStorage.getItem('taluva.name')), 'Ana Maria');
  await page.fill('#name', 'Anouk');
  await page.press('#name', 'Tab');
  await until(() => asked.some(({ op, name }) => op === 'rename' && name === 'Anouk'));
  await page.evaluate(() => void (location.hash = '#/learn/taluva'));
  await page.waitForSelector('.learn');
  await page.evaluate(() => void (location.hash = '#/'));
  await page.waitForSelector('#name');
  assert.equal(await page.inputValue('#name'), 'Anouk', 'the name of a moment ago is not the one of the last hello');
  await leave(page);
});

atNight('a name that the server refuses does not stay', async () => {
  const { page, asked } = await knownVisitor({ ...scenes.early(), hello: { token: undefined }, refusals: { rename: { code: 'bad_field', field: 'name', message: 'No.' } } });
  await page.fill('#name', 'Nobody');
  await page.press('#name', 'Tab');
  await until(() => asked.some(({ op }) => op === 'rename'));
  await page.waitForFunction(() => document.querySelector('#name').value === 'Ana');
  assert.equal(await page.evaluate(() => localStorage.getItem('taluva.name')), 'Ana');
  await leave(page);
});

test('what is pressed and refused for the moment is done all the same, and nothing is said', async () => {
  const scene = { ...scenes.lobby(), hello: { token: undefined }, devices: [{ device: '00000000', name: 'Chromium', since: 0, seen: 0, online: true, this: true }] };
  scene.refusals = Object.fromEntries(['rename', 'devices', 'create'].map((op) => [op, refusedOnce()]));
  const { page, asked } = await knownVisitor(scene);
  const times = (op) => asked.filter((request) => request.op === op).length;
  await page.fill('#name', 'Anouk');
  await page.press('#name', 'Tab');
  await until(() => times('rename') === 2);
  await page.click('.masthead button:last-child');
  await page.click('#devices');
  await page.waitForSelector('.devices li');
  await page.keyboard.press('Escape');
  await page.click('#new-table');
  await page.click('.create button[type=submit]');
  await page.waitForSelector('.lobby');
  assert.deepEqual([times('rename'), times('devices'), times('create')], [2, 2, 2]);
  assert.equal(await page.locator('.toast').count(), 0);
  await leave(page);
});

atNight('whoever ends their own device is told so once, even if the server closes before it answers', async () => {
  const devices = [{ device: '00000000', name: 'Chromium', since: 0, seen: 0, online: true, this: true }];
  const { page } = await knownVisitor({ ...scenes.early(), hello: { token: undefined }, devices, ends: { forget: 4006 } });
  await page.click('.masthead button:last-child');
  await page.click('#devices');
  await page.click('.devices .dangerous');
  await page.click('dialog .confirm.dangerous');
  await page.waitForSelector('.toast:has-text("This device was ended.")');
  await page.waitForFunction(() => window.taluva?.wire.status === 'open');
  assert.equal(await page.locator('.toast').count(), 1);
  await leave(page);
});

atNight('somebody at this device who finds no seat: the table is there all the same', async () => {
  const scene = { ...scenes.lobby(), hello: { token: undefined } };
  const { page, asked } = await knownVisitor(scene);
  await page.click('#new-table');
  await page.locator('.create .field', { hasText: /^People at this device/ }).locator('select').selectOption('2');
  await page.locator('.create .person-name').nth(1).fill('Bo');
  scene.refusals = { hello: { code: 'full', message: 'Full.' } };
  await page.click('.create button[type=submit]');
  await page.waitForSelector('.lobby');
  assert.equal(await page.locator('.toast').count(), 1);
  assert.equal(asked.filter(({ op }) => op === 'create').length, 1);
  assert.equal(asked.filter(({ op }) => op === 'leave').length, 0);
  await leave(page);
});
