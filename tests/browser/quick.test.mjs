// Quick match: two who have never met, one on a phone, press it, and their match has begun.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { after, before, test } from 'node:test';

import { Fixture } from './lib/fixture.mjs';
import { readMeanwhile } from './lib/live.mjs';
import { atNight } from './lib/night.mjs';
import { TALUVA } from './lib/server.mjs';
import { listen, until } from './lib/heard.mjs';
import { until as untilTrue } from './lib/until.mjs';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const fixture = new Fixture();
before(() => fixture.open(['--accounts', 'open', '--accept-ms', '3600000', '--challenge-age-ms', '0', '--claims-per-address-per-day', '100']));
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
  await page.waitForSelector('.quick .waited');
  await page.locator('#live', { hasText: 'Looking for players' }).waitFor({ state: 'attached' });
  assert.deepEqual(await readMeanwhile(page, '.quick .waited'), [], 'it is said once, not each second');
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
  await ida.waitForSelector('.quick .waited');
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

test('both of two games are looked for, and what was chosen is remembered', async () => {
  const lou = await visit('lou-1', PHONE);
  assert.equal(await lou.locator('[name=computers]').isVisible(), false, 'they fill no table of two');
  await lou.tap('[name=game-totem]');
  await lou.tap('[name=size-3]');
  await lou.tap('[name=computers]');
  await lou.selectOption('[name=range]', '200');
  await lou.reload();
  await lou.waitForSelector('#seek');
  for (const name of ['game-totem', 'size-2', 'size-3', 'computers']) assert.ok(await lou.locator(`[name=${name}]`).isChecked(), name);
  await lou.tap('#seek');
  await lou.waitForSelector('.reaches li:has-text("Rated 1300 to 1700")'); // no farther
  assert.match(await lou.textContent('.wanted'), /^Taluva \/ Totem · 2 \/ 3 players · .*computers/);
  const moe = await visit('moe-2');
  await moe.evaluate(() => void window.taluva.wire.askPatiently('seek', { game: 'totem', options: { sizes: [3, 2] } }));
  await lou.waitForFunction(() => window.taluva.room()?.state.rated === 'totem.duel.live');
});

atNight('the form by keys alone', async () => {
  const nia = await visit('nia-3');
  await nia.focus('[name=game-totem]');
  await nia.keyboard.press('Space');
  while (!(await nia.evaluate(() => document.activeElement?.id === 'seek'))) await nia.keyboard.press('Tab');
  await nia.keyboard.press('Enter');
  await nia.waitForSelector('.wanted:has-text("Taluva / Totem")');
  await nia.focus('#unseek');
  await nia.keyboard.press('Enter');
  await nia.waitForSelector('[name=game-totem]:checked');
});

test('whoever has been away for a while is asked before they sit down', async () => {
  const oz = await visit('oz-1');
  const pam = await visit('pam-2');
  await oz.click('#seek');
  await oz.waitForSelector('.reaches li');
  await oz.evaluate(() => {
    const now = Date.now.bind(Date);
    Date.now = () => now() + 60_000;
    Object.defineProperty(document, 'hidden', { get: () => true });
  });
  await pam.click('#seek');
  await pam.waitForFunction(() => window.taluva.room());
  await oz.waitForSelector('.toast:has-text("A match is found.")', { state: 'attached' });
  await oz.click('#i-am-here');
  await Promise.all([plays(oz), plays(pam)]);
});

/** Sounds and messages are switched on, and noted. @param {any} page */
async function attends(page) {
  await listen(page);
  await page.evaluate(() => {
    localStorage.setItem('taluva.sound', 'on');
    localStorage.setItem('taluva.notify', 'on');
    window.notes = [];
    window.Notification = class {
      static permission = 'granted';
      constructor(/** @type {string} */ title, /** @type {any} */ { body, tag }) {
        window.notes.push({ title, body, tag });
      }
    };
  });
}

test('a match that is found is heard, and shown to who does not see the page', async () => {
  const [uma, vic, wes] = [await visit('uma-1'), await visit('vic-2'), await visit('wes-3')];
  for (const page of [uma, vic]) {
    await attends(page);
    await page.click('#seek');
    await page.waitForSelector('.reaches li');
    if (page === uma) await page.evaluate(() => Object.defineProperty(document, 'hidden', { get: () => true }));
    // Who does not sit down begins nothing: what is heard and shown is that a match is found.
    await wes.evaluate(() => void window.taluva.wire.askPatiently('seek', { game: 'taluva', options: { sizes: [2] } }));
    assert.deepEqual(await until(page, 'turn'), ['turn']);
    await page.waitForFunction(() => window.taluva.room());
    const room = await page.evaluate(() => window.taluva.room().id);
    const notes = page === uma ? [{ title: 'Taluva', body: 'A match is found.', tag: `turn-${room}` }] : [];
    assert.deepEqual(await page.evaluate(() => window.notes), notes);
    await wes.evaluate(() => window.taluva.wire.askPatiently('unseek'));
    await page.waitForSelector('#unseek'); // the search goes on
    await page.evaluate(() => window.taluva.wire.askPatiently('unseek'));
  }
});

/** Somebody in a terminal of their own, with an account of that handle, who looks for two others. @param {string} handle */
async function seeksInTerminal(handle) {
  const { folder, port } = fixture.server;
  const env = { ...process.env, TALUVA_SERVER: `ws://127.0.0.1:${port}/ws`, XDG_STATE_HOME: path.join(folder, handle), XDG_CONFIG_HOME: path.join(folder, handle), LC_ALL: 'C.UTF-8', TERM: 'xterm-256color' };
  const claimed = spawn(TALUVA, ['claim', handle, '--name', handle], { env, stdio: 'ignore' });
  assert.deepEqual(await once(claimed, 'exit'), [0, null]);
  const terminal = spawn('python3', ['-Ic', 'import pty, sys; pty.spawn(sys.argv[1:])', TALUVA, 'seek', '--sizes', '3'], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  /** @type {(text: string) => Promise<void>} */
  const shows = async (text) => {
    while (!said.includes(text)) await once(terminal.stdout, 'data');
  };
  let said = '';
  terminal.stdout.on('data', (data) => (said += data));
  return { shows, close: () => terminal.kill('SIGKILL') };
}

atNight('three strangers, two of them in terminals, sit at one table', async (t) => {
  const mia = await visit('mia-1905');
  await mia.check('[name=size-3]');
  await mia.uncheck('[name=size-2]');
  const others = [await seeksInTerminal('ned-1'), await seeksInTerminal('oda-2')];
  try {
    for (const other of others) await other.shows('Looking for others');
    const begun = Date.now();
    await mia.click('#seek');
    await mia.waitForFunction(() => window.taluva?.room());
    t.diagnostic(`at one table after ${((Date.now() - begun) / 1000).toFixed(1)} s`);
    for (const other of others) await other.shows('Others are found');
    await plays(mia);
    const { rated, seats } = await mia.evaluate(() => window.taluva.room().state);
    assert.equal(rated, 'taluva.table.live');
    assert.deepEqual(Object.values(seats).map(({ handle }) => handle).sort(), ['mia-1905', 'ned-1', 'oda-2']);
  } finally {
    for (const other of others) other.close();
  }
});

/** As a press on the name of somebody at a table. @param {any} page @param {string} handle */
async function who(page, handle) {
  await page.evaluate((handle) => {
    const name = document.createElement('button');
    name.dataset.handle = handle;
    document.body.append(name);
    name.click();
    name.remove();
  }, handle);
  await page.waitForSelector('.who-is .handle');
}

test('one asks somebody for a match, who sees it and presses Play', async () => {
  const eve = await visit('eve-3');
  const fay = await visit('fay-4');
  await who(eve, 'fay-4');
  await eve.click('#challenge');
  await eve.waitForSelector('.quick .waited:has-text("@fay-4")');
  await fay.click('[data-accept="eve-3"]');
  await Promise.all([plays(eve), plays(fay)]);
  const state = await eve.evaluate(() => window.taluva.room().state);
  assert.equal(state.rated, 'taluva.duel.live');
  await looksItUp(eve, fay);
});

/** The match of these two is over, and is found again: in a profile, and by a search. @param {any} loser @param {any} winner */
async function looksItUp(loser, winner) {
  const room = await loser.evaluate(() => window.taluva.room().id);
  await loser.evaluate((/** @type {string} */ room) => window.taluva.wire.askPatiently('resign', { room }), room);
  await untilTrue(() => winner.evaluate(async (/** @type {string} */ room) => (await (await fetch('/api/archive/handle/fay-4')).text()).includes(room), room));
  await who(loser, 'fay-4');
  await loser.waitForSelector('.recent-sums strong:has-text("all others are out")');
  await loser.click('#archive-of');
  const line = `[data-archived="${room}"]`;
  await loser.waitForSelector(`${line} a:has-text("@fay-4 (won)")`);
  await loser.fill('#archive-handle', '');
  await loser.press('#archive-handle', 'Enter');
  await loser.waitForSelector(`${line} a:has-text("@eve-3")`); // of the game, both are named
  await loser.selectOption('.archive-fields label:has-text("Ended") select', 'two-kinds');
  await loser.waitForSelector('.dialog [role=status]:has-text("No such match.")');
  await loser.selectOption('.archive-fields label:has-text("Ended") select', 'last-standing');
  await loser.click(`${line} a`);
  await loser.waitForFunction((/** @type {string} */ room) => location.hash === `#/r/${room}` && !document.querySelector('.archive-list'), room);
}

atNight('two who name each other are partners, against two who come alone', async () => {
  const pages = [await visit('pia-1'), await visit('quin-2'), await visit('rex-3'), await visit('sue-4')];
  const [pia, quin, ...others] = pages;
  await pia.check('[name=size-teams]');
  await pia.fill('[name=partner]', '@quin-2');
  await pia.click('#seek');
  await quin.click('[data-accept="pia-1"]');
  for (const page of others) {
    await page.check('[name=size-teams]');
    await page.uncheck('[name=size-2]');
    await page.click('#seek');
  }
  await Promise.all(pages.map(plays));
  const { rated, seats } = await pia.evaluate(() => window.taluva.room().state);
  assert.equal(rated, 'taluva.team.live');
  const handles = [0, 1, 2, 3].map((seat) => seats[seat].handle);
  assert.equal(handles.indexOf('pia-1') % 2, handles.indexOf('quin-2') % 2);
});

atNight('who waits warms up with the computer, and is called from there', async () => {
  const gil = await visit('gil-5');
  const hal = await visit('hal-6');
  await gil.click('#seek');
  await gil.click('#warm-up');
  await plays(gil);
  const warm = await gil.evaluate(() => window.taluva.room().id);
  await hal.click('#seek');
  await gil.waitForFunction((warm) => window.taluva.room() && window.taluva.room().id !== warm, warm);
  await Promise.all([plays(gil), plays(hal)]);
  assert.equal(await gil.evaluate(() => window.taluva.room().id), await hal.evaluate(() => window.taluva.room().id));
  await gil.waitForFunction((warm) => window.taluva.wire.askPatiently('watch', { room: warm }).then(({ state }) => state.result?.why === 'called-off', () => true), warm);
});

/** @param {any[]} rows */
const lines = (rows) => ({ contentType: 'application/x-ndjson', body: rows.map((row) => `${JSON.stringify(row)}\n`).join('') });

test('what somebody is rated, how that has changed, and who is best; or nothing of it', async () => {
  const page = await visit('kim-8');
  const row = { class: 'taluva.duel.live', rating: 1662, deviation: 290, provisional: true, matches: 2, last: 1790000000000 };
  const known = { ...row, class: 'totem.duel.live', provisional: undefined, deviation: 60 };
  await page.route('**/api/ratings/*', (/** @type {any} */ route) => route.fulfill(lines([row, known])));
  await page.route('**/api/levels/*', (/** @type {any} */ route) =>
    route.fulfill(lines([{ level: 'simple', rating: 1300, deviation: 30, matches: 80 }, { level: 'skilled', rating: 1600, deviation: 30, matches: 80 }])),
  );
  await page.route('**/api/curves/*/*', (/** @type {any} */ route) =>
    route.fulfill(lines([{ n: 3, at: 2, before: 1500, rating: 1662, deviation: 290 }, { n: 2, at: 1, before: 1500, rating: 1500, deviation: 300 }])),
  );
  await page.route('**/api/leaders/*', (/** @type {any} */ route) =>
    route.fulfill(lines(route.request().url().endsWith('taluva.duel.live') ? [{ ...row, handle: 'Bo-7', provisional: undefined, deviation: 60 }] : [])),
  );
  await who(page, 'kim-8');
  await page.waitForSelector('.ratings-of strong:has-text("1662 ? ± 580")');
  assert.deepEqual(await page.locator('.level-near').allTextContents(), ['About as good as the computer: Skilled']);
  await page.click('.ratings-of button');
  await page.waitForSelector('.rating-curve[aria-label*="from 1500 to 1662"]');
  await page.keyboard.press('Escape');
  await page.click('#leaders');
  await page.waitForSelector('.leaders td:has-text("1662 ± 120")');
  assert.equal(await page.textContent('.leaders th[scope=row]'), '@Bo-7');
  await page.selectOption('#leaders-class', 'totem.duel.live');
  await page.waitForSelector('.leaders .hint');
  await page.keyboard.press('Escape');
  await page.evaluate(() => localStorage.setItem('taluva.hide-ratings', 'yes'));
  await who(page, 'kim-8');
  await page.waitForSelector('.who-is .hint');
  assert.equal(await page.locator('.ratings-of').count(), 0);
});
