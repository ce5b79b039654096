// The page reconnects by itself: after a reload in the middle of a turn, after the server was killed and restarted, after a lost
// connection and after one that drops all data. Two tabs of the same visitor do not disturb each other.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { pageView, Fixture, serverView } from './lib/fixture.mjs';
import { PATIENCE_MS, slowed } from './lib/chromium.mjs';
import { atNight } from './lib/night.mjs';
import { act, after as afterSeq, dice, myMove, pastDanger, playOut, seqOf } from './lib/player.mjs';
import { Tunnel } from './lib/tunnel.mjs';

const fixture = new Fixture();
const random = dice(5);
const tunnel = new Tunnel(() => fixture.server.port);
let page;
before(async () => {
  await fixture.open();
  await tunnel.open();
  fixture.entryUrl = tunnel.url;
});
after(() => tunnel.close());
after(() => fixture.close([/WebSocket connection to .* failed/, /net::ERR_(CONNECTION_REFUSED|INTERNET_DISCONNECTED)/]));

const place = () => page.evaluate(() => ({ room: window.taluva.room().id, code: window.taluva.room().code }));

/** Waits until the page shows this about its connection; the empty pattern: that it shows nothing. @param {string} pattern */
const says = (pattern) =>
  page.waitForFunction((wanted) => {
    const { hidden, textContent } = document.querySelector('.line');
    return wanted ? !hidden && new RegExp(wanted, 'i').test(textContent) : hidden;
  }, pattern);

/** Asserts that the page has the server's state. */
async function agree() {
  const { room, code } = await place();
  const view = await serverView(fixture, room, code);
  await page.waitForFunction((seq) => window.taluva.room().seq >= seq, view.seq);
  const mine = await pageView(page);
  if (mine.seq === view.seq) assert.deepEqual(mine.state, view.state);
  else assert.ok(mine.seq > view.seq);
}

test('reloaded with the tile placed, before the build', async () => {
  page = await fixture.visit('Ana');
  await page.click('#solo');
  await page.waitForSelector('.table');
  for (let i = 0; i < 4; i++) await act(page, random);
  await myMove(page);
  await act(page, random); // the tile
  assert.equal(await myMove(page), 'build');
  const before = await pageView(page);
  await page.reload();
  assert.equal(await myMove(page), 'build');
  assert.deepEqual((await pageView(page)).state, before.state);
  await act(page, random);
  await agree();
});

test('reloaded with the tile in hand, turned and put down but not confirmed', async () => {
  assert.equal(await myMove(page), 'place');
  await page.focus('.board');
  await page.keyboard.press('n');
  await page.reload();
  assert.equal(await myMove(page), 'place');
  await act(page, random);
  await act(page, random);
  await agree();
});

test('the server is killed and started again; the page says so and goes on', async () => {
  await myMove(page);
  const before = await pageView(page);
  await fixture.server.kill();
  await says('connection is lost|Connecting');
  await fixture.server.start();
  await says('');
  assert.deepEqual((await pageView(page)).state, before.state);
  for (let i = 0; i < 4; i++) await act(page, random);
  await agree();
});

atNight('what is confirmed while the server is known to be away is told, and not played later by itself', async () => {
  assert.equal(await myMove(page), 'place');
  const { seq } = await pageView(page);
  await page.focus('.board');
  await page.keyboard.press('n');
  await page.waitForSelector('.verdict.is-legal, .verdict.is-danger');
  await pastDanger(page);
  await fixture.server.kill();
  await page.waitForFunction(() => window.taluva?.wire.status === 'waiting');
  await page.click('.hand .confirm');
  await page.waitForSelector('.hand .trouble:has-text("You are not connected")');
  await fixture.server.start();
  await says('');
  assert.equal(await myMove(page), 'place');
  assert.equal((await pageView(page)).seq, seq, 'it was not played');
  for (let i = 0; i < 2; i++) await act(page, random);
  await agree();
});

atNight('a tunnel: the browser goes offline and comes back', async () => {
  await myMove(page);
  await page.context().setOffline(true);
  tunnel.cut();
  await says('offline');
  tunnel.mend();
  await page.context().setOffline(false);
  await says('');
  for (let i = 0; i < 2; i++) await act(page, random);
  await agree();
});

atNight('a sleep: the line carries nothing and nobody says so; what was confirmed meanwhile is played once', async () => {
  assert.equal(await myMove(page), 'place');
  const { seq } = await pageView(page);
  await page.focus('.board');
  await page.keyboard.press('n');
  await pastDanger(page);
  tunnel.silence();
  await page.click('.hand .confirm');
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange'))); // the page is shown again
  await says('connection is lost|Connecting');
  tunnel.mend();
  await says('');
  await page.waitForFunction((before) => window.taluva.room().seq > before, seq);
  if ((await myMove(page)) === 'build') {
    assert.equal((await pageView(page)).seq, seq + 1, 'it was played once');
    await act(page, random);
  }
  await agree();
});

atNight('two tabs are one player', async () => {
  const { room, code } = await place();
  const tab = await slowed(await page.context().newPage());
  const troubles = [];
  tab.on('console', (message) => message.type() === 'error' && troubles.push(message.text()));
  await tab.goto(`${fixture.url}#/r/${room}/${code}`);
  const step = await myMove(page);
  assert.equal(await myMove(tab), step, 'both may move');
  for (let i = 0; i < 4; i++) {
    const [one, other] = i % 2 ? [page, tab] : [tab, page];
    await act(one, random);
    await myMove(one);
    await afterSeq(other, (await seqOf(one)) - 1);
    await myMove(other);
    assert.deepEqual((await pageView(tab)).state, (await pageView(page)).state);
  }
  assert.deepEqual(troubles, []);
  await tab.close();
});

const session = (tab) => tab.evaluate(() => window.taluva.wire.hello.session);
const kept = (tab) => tab.evaluate(() => localStorage.getItem('taluva.token'));
const isOpen = (tab) => tab.waitForFunction(() => window.taluva?.wire.status === 'open');

test('tabs opened by a new visitor at once become one session', async () => {
  const context = await fixture.browser.newContext();
  context.setDefaultTimeout(PATIENCE_MS);
  const tabs = await Promise.all([context.newPage(), context.newPage(), context.newPage()]);
  await Promise.all(tabs.map(async (tab) => (await slowed(tab)).goto(fixture.url)));
  await Promise.all(tabs.map(isOpen));
  // A browser tells one tab of another's writes when it likes: until then each may have a session of its own.
  let sessions = [];
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await tabs[0].waitForTimeout(50)) {
    sessions = await Promise.all(tabs.map(session));
    if (new Set(sessions).size === 1) break;
  }
  assert.equal(new Set(sessions).size, 1, sessions.join());
  await context.close();
});

atNight('tabs that were given a session each become the one that was kept last', async () => {
  const [context, elsewhere] = [await fixture.browser.newContext(), await fixture.browser.newContext()];
  for (const each of [context, elsewhere]) each.setDefaultTimeout(PATIENCE_MS);
  const tabs = [await slowed(await context.newPage()), await slowed(await context.newPage())];
  const other = await slowed(await elsewhere.newPage());
  for (const tab of [...tabs, other]) {
    await tab.goto(fixture.url);
    await isOpen(tab);
  }
  const [first, second] = [await session(tabs[0]), await session(other)];
  assert.notEqual(first, second);
  await tabs[1].evaluate((token) => localStorage.setItem('taluva.token', token), await kept(other));
  await tabs[0].waitForFunction((wanted) => window.taluva.wire.hello.session === wanted, second);
  await isOpen(tabs[0]);
  await context.close();
  await elsewhere.close();
});

atNight('the match that went through all this ends like any other', async () => {
  await playOut(page, 77, { prefer: ['temple', 'tower', 'expand'] });
  await agree();
  const { past, seq } = await page.evaluate(() => ({
    past: window.taluva.room().past.length,
    seq: window.taluva.room().seq,
  }));
  assert.equal(past, seq, 'and the page knows every event of it');
});
