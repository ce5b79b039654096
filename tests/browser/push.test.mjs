// Messages of the server while the page is closed (Web Push): the page asks for them, says how far they reach, and ends them; the
// service worker shows them. The server posts to a push service of the tests' own. What cannot be had here stands at the browser's
// own boundary: PushManager, as no real push service is reached, and a person's press on a notification.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { Browser, service } from '../wire/lib/push.mjs';
import { launchWhole, visitor } from './lib/chromium.mjs';
import { Fixture, makeTable, ready, start } from './lib/fixture.mjs';
import { atNight } from './lib/night.mjs';
import { act, after as afterSeq, dice, seqOf } from './lib/player.mjs';
import { scenes, SENDING } from './lib/scenes.mjs';
import { playServer, refusedOnce, serveFiles } from './lib/stage.mjs';
import { until } from './lib/until.mjs';

const fixture = new Fixture();
const random = dice(5);
let push, files, ana, bo, room, browsers, worker;

before(async () => {
  push = await service();
  files = await serveFiles();
  const told = ['--push-contact', 'mailto:operator@club.example', '--push-service', push.origin, '--push-after-ms', '0', '--notifies-burst', '1000'];
  await fixture.open(['--computer-ms', '0', ...told], launchWhole);
  browsers = Array.from({ length: 8 }, (_, i) => new Browser(`${push.origin}/up/${i}`));
});
after(async () => {
  files?.close();
  push?.stop();
  await fixture.close();
});

/**
 * Runs before the page's scripts: a browser whose push service gives out these subscriptions, one after the other; what it has given
 * out outlives the page, as a browser's does.
 * @param {{endpoint: string, p256dh: string, auth: string}[]} subscriptions
 */
function pushService(subscriptions) {
  const KEPT = 'test.subscription';
  const held = () => JSON.parse(localStorage.getItem(KEPT) ?? 'null');
  const made = ({ endpoint, p256dh, auth, key, ends }) => ({
    endpoint,
    expirationTime: ends ?? null,
    options: { applicationServerKey: new Uint8Array(key).buffer },
    toJSON: () => ({ endpoint, keys: { p256dh, auth } }),
    unsubscribe: async () => {
      localStorage.removeItem(KEPT);
      return true;
    },
  });
  PushManager.prototype.getSubscription = async () => held() && made(held());
  PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
    if (localStorage.getItem('test.unreachable')) throw new DOMException('Registration failed - push service error', 'AbortError');
    const given = Number(localStorage.getItem('test.given'));
    if (!userVisibleOnly || Notification.permission !== 'granted') throw new DOMException('no permission', 'NotAllowedError');
    localStorage.setItem('test.given', String(given + 1));
    localStorage.setItem(KEPT, JSON.stringify({ ...subscriptions[given], key: [...applicationServerKey] }));
    return made(held());
  };
}

/** Whom the server tells at present, as it says to the session when no change of it is under way. @param {any} page */
const devices = (page) =>
  page.evaluate(async () => (await window.taluva.wire.askPatiently('unnotify', { endpoint: 'https://nobody.example/' })).devices.length);

/** @param {any} page @param {number} count */
async function untilDevices(page, count) {
  let found = 0;
  await until(async () => (found = await devices(page)) === count, () => `${found} instead of ${count}`);
}

/** @param {any} page */
const openSettings = async (page) => {
  await page.click('.masthead button >> nth=1');
  return page.locator('.dialog .tick', { hasText: 'Notify me' }).locator('input');
};

/** @param {any} page whose turn it is; plays until it is somebody else's */
async function playTurn(page) {
  do {
    assert.notEqual((await act(page, random)).step, 'over');
  } while (await page.evaluate(() => window.taluva.page().mayAct));
}

/** What is shown to the player. @returns {Promise<{title: string, body: string, tag: string, lang: string}[]>} */
const notes = () =>
  ana.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    return (await registration.getNotifications()).map(({ title, body, tag, lang }) => ({ title, body, tag, lang }));
  });

/**
 * The browser's service worker takes a message, as from a push service, and is done with it. The event is made in the worker: what the
 * developer tools deliver was lost now and then, and nothing said so.
 * @param {string} data
 */
async function deliver(data) {
  await ana.evaluate(() => navigator.serviceWorker.ready.then(() => undefined)); // one that is being installed takes no messages
  [worker] = ana.context().serviceWorkers();
  await worker.evaluate(async (text) => {
    const event = new PushEvent('push', { data: text });
    let work;
    Object.defineProperty(event, 'waitUntil', { value: (promise) => (work = promise) });
    self.dispatchEvent(event);
    await work;
  }, data);
}

/** Until Ana's page has left its words of messages in this language. @param {string} wanted */
const untilWordsIn = (wanted) =>
  until(() => ana.evaluate(async (language) => (await (await (await caches.open('taluva-words')).match('words'))?.json())?.language === language, wanted));

/** Waits until this is shown. @param {(shown: any[]) => boolean} right */
async function untilShown(right) {
  let shown = [];
  await until(async () => right((shown = await notes())), () => JSON.stringify(shown));
  return shown;
}

/** The messages that the push service has, decrypted as the browser would. */
const received = () =>
  push.taken.map(({ path, body }) => browsers.find(({ subscription }) => subscription.endpoint.endsWith(path)).decrypt(body));

const turnText = (more = {}) => JSON.stringify({ kind: 'turn', room, game: 'taluva', seat: 0, names: ['Bo'], ...more });

atNight('how far it reaches is said in the settings, and a box that cannot work cannot be ticked', async () => {
  /** @param {string} state of the permission */
  const permission = (state) => Object.defineProperty(Notification, 'permission', { get: () => state });
  /** @type {[string, (state: string) => void, string, any, RegExp, boolean][]} */
  const cases = [
    ['offered', permission, 'default', SENDING, /^Also while this page is closed/, true],
    ['no messages of the server', permission, 'default', {}, /this server sends no messages/, true],
    ['denied', permission, 'denied', SENDING, /Allow them in the browser’s settings/, true],
    ['a browser without messages', () => delete window.PushManager, '', SENDING, /this browser takes no messages/, true],
    ['a browser without notifications', () => delete window.Notification, '', SENDING, /cannot show notifications/, false],
    ['http', () => Object.defineProperty(window, 'isSecureContext', { value: false }), '', SENDING, /begins with https/, false],
    [
      'a phone whose browser wants the page on the home screen',
      () => {
        delete window.PushManager;
        delete window.Notification;
        Object.defineProperty(navigator, 'standalone', { value: false });
      },
      '',
      SENDING,
      /Add to Home Screen/,
      false,
    ],
  ];
  for (const [name, prepare, state, hello, words, enabled] of cases) {
    const page = await visitor(fixture.browser);
    await page.addInitScript(prepare, state);
    await playServer(page, { ...scenes.rooms(), hello });
    await page.goto(files.url);
    await page.waitForFunction(() => window.taluva?.wire.status === 'open');
    const box = await openSettings(page);
    assert.match(await page.textContent('#told'), words, name);
    assert.equal(await box.isEnabled(), enabled, name);
    assert.equal(await box.isChecked(), false, name);
    assert.equal(await box.getAttribute('aria-describedby'), 'told');
    assert.deepEqual(page.troubles, [], name);
    await page.context().close();
  }
});

test('a server that is just changing the session is asked again: the page subscribes, and unsubscribes', async () => {
  const page = await visitor(fixture.browser, { permissions: ['notifications'], serviceWorkers: 'allow' });
  await page.addInitScript(pushService, browsers.map(({ subscription }) => subscription));
  const refusals = { notify: refusedOnce(), unnotify: refusedOnce() };
  const { asked } = await playServer(page, { ...scenes.rooms(), hello: SENDING, refusals });
  const times = (op) => asked.filter((request) => request.op === op).length;
  await page.goto(files.url);
  await page.waitForFunction(() => window.taluva?.wire.status === 'open');
  const box = await openSettings(page);
  await box.check();
  await page.waitForFunction(() => localStorage.getItem('taluva.endpoint'));
  assert.match(await page.textContent('#told'), /^Also while this page is closed/);
  assert.equal(times('notify'), 2);
  await box.uncheck();
  await page.waitForFunction(() => !localStorage.getItem('taluva.endpoint'));
  assert.equal(times('unnotify'), 2);
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test('who waits in a slow match is asked once; a browser that forbids it is believed', async () => {
  bo = await fixture.visit('Bo', { permissions: [], serviceWorkers: 'allow' });
  await bo.addInitScript(() => {
    let state = 'default';
    Object.defineProperty(Notification, 'permission', { get: () => state });
    Notification.requestPermission = async () => {
      state = 'denied';
      return state;
    };
  });
  await bo.addInitScript(pushService, []);
  await bo.reload();
  ana = await fixture.visit('Ana', { permissions: ['notifications'], serviceWorkers: 'allow' });
  await ana.addInitScript(pushService, browsers.map(({ subscription }) => subscription));
  await ana.reload();
  room = await makeTable(ana, { Players: '2', 'Who starts': '1', Clock: 'days' });
  await bo.goto(`${fixture.url}#/r/${room}`);
  await bo.click('.seat.empty button');
  await bo.waitForSelector('.seat.mine');
  await ready(ana);
  await ready(bo);
  await start(bo);
  assert.equal(await bo.locator('.ask-tell').isVisible(), false, 'not while it is their turn');
  await playTurn(bo);
  await bo.click('.ask-tell .confirm');
  await bo.waitForSelector('.toast:has-text("Allow them in the browser’s settings")');
  assert.equal(await bo.locator('.ask-tell').isVisible(), false);
  await afterSeq(ana, (await seqOf(bo)) - 1);
  await playTurn(ana);
  await afterSeq(bo, (await seqOf(ana)) - 1);
  await playTurn(bo);
  assert.equal(await bo.locator('.ask-tell').isVisible(), false, 'once');
  assert.equal(await devices(bo), 0);
});

test('at one press the browser subscribes and the server is told', async () => {
  await afterSeq(ana, (await seqOf(bo)) - 1);
  await playTurn(ana);
  assert.equal(await ana.evaluate(() => localStorage.getItem('test.subscription')), null, 'nothing was asked before the press');
  await ana.click('.ask-tell .confirm');
  await ana.waitForSelector('.toast:has-text("You will be notified")');
  await ana.waitForSelector('.ask-tell', { state: 'hidden' });
  assert.equal(await devices(ana), 1);
  const box = await openSettings(ana);
  assert.ok(await box.isChecked());
  await ana.keyboard.press('Escape');
});

test('who has gone away is told by the server, in the words of their language', async () => {
  await ana.evaluate(() => {
    location.hash = '#/';
  });
  await ana.waitForSelector('.home');
  await ana.waitForFunction(() => window.taluva?.wire.pending.size === 0);
  const arrived = push.next();
  await playTurn(bo);
  await arrived;
  const [text] = received();
  assert.deepEqual(text, { kind: 'turn', room, game: 'taluva', seat: 0, names: ['Bo'] });
  await deliver(JSON.stringify(text));
  const shown = await untilShown(({ length }) => length === 1);
  assert.deepEqual(shown, [{ title: 'Your turn', body: 'Taluva with Bo', tag: `turn-${room}`, lang: 'en' }]);
});

test('a later one takes the place of that of the same room; another language is spoken; names that are no names are translated', async () => {
  await ana.click('.masthead button >> nth=1');
  await ana.selectOption('.dialog select >> nth=0', 'zh-hant');
  await ana.waitForSelector('text=與電腦對局');
  await untilWordsIn('zh-Hant');
  await deliver(turnText({ title: 'Friday <b>night</b>', names: ['Bo', 'Mango'] }));
  const [shown, ...others] = await untilShown(([first]) => first?.lang === 'zh-Hant');
  assert.deepEqual(others, []);
  assert.equal(shown.title, '輪到您 · Friday <b>night</b>');
  assert.match(shown.body, /^Taluva，與 Bo.芒果$/);
  await deliver(turnText({ room: 'aaaaaaaa' }));
  await untilShown(({ length }) => length === 2);
  await ana.click('.masthead button >> nth=1');
  await ana.selectOption('.dialog select >> nth=0', 'fr');
  await ana.waitForSelector('text=Jouer contre');
  await untilWordsIn('fr');
  await deliver(turnText({ names: ['Bo', 'Chi', 'Dee'] }));
  const french = await untilShown((all) => all.some(({ lang }) => lang === 'fr'));
  assert.ok(french.some(({ title, body }) => title === 'À vous' && body === 'Taluva avec Bo, Chi et Dee'), JSON.stringify(french));
  await ana.click('.masthead button >> nth=1');
  await ana.selectOption('.dialog select >> nth=0', 'en');
  await ana.waitForSelector('text=Play the computer');
});

/** Presses a notification. @param {string} tag @returns {Promise<{focused: number, opened: string[], left: number}>} */
async function press(tag) {
  [worker] = ana.context().serviceWorkers();
  return worker.evaluate(async (wanted) => {
    const did = { focused: 0, opened: [], left: 0 };
    WindowClient.prototype.focus = async function () {
      did.focused++;
      return this;
    };
    Clients.prototype.openWindow = async (url) => {
      did.opened.push(url);
      return null;
    };
    const [notification] = await self.registration.getNotifications({ tag: wanted });
    const event = new NotificationEvent('notificationclick', { notification });
    let work;
    Object.defineProperty(event, 'waitUntil', { value: (promise) => (work = promise) });
    self.dispatchEvent(event);
    await work;
    did.left = (await self.registration.getNotifications({ tag: wanted })).length;
    return did;
  }, tag);
}

test('a press leads to the table: in a window that shows none, in the one that shows it, else in a new one', async () => {
  assert.deepEqual(await press(`turn-${room}`), { focused: 1, opened: [], left: 0 });
  await ana.waitForSelector('.table');
  assert.equal(new URL(ana.url()).hash, `#/r/${room}`);
  await deliver(turnText({ room: 'bbbbbbbb' }));
  await untilShown((all) => all.some(({ tag }) => tag === 'turn-bbbbbbbb'));
  assert.deepEqual(await press('turn-bbbbbbbb'), { focused: 0, opened: [`${fixture.url}#/r/bbbbbbbb`], left: 0 });
  assert.equal(new URL(ana.url()).hash, `#/r/${room}`, 'who is at another table stays there');
});

test('nothing is shown to who has the table before them, and something whatever the message says', async () => {
  await deliver(turnText()); // the table is open and visible
  for (const [i, bad] of ['', '{', 'null', '7', '"turn"', '[]', '{"kind":"turn"}', '{"kind":"turn","room":7}', '{"kind":"turn","room":"../x"}', '{"kind":"later"}'].entries()) {
    await ana.evaluate(async () => {
      for (const note of await (await navigator.serviceWorker.ready).getNotifications({ tag: 'news' })) note.close();
    });
    await untilShown((all) => !all.some(({ tag }) => tag === 'news'));
    await deliver(bad);
    const shown = await untilShown((all) => all.some(({ tag }) => tag === 'news'));
    assert.ok(!shown.some(({ tag }) => tag === `turn-${room}`), 'shown to who sees the table');
    const { title, body } = shown.find(({ tag }) => tag === 'news');
    assert.deepEqual([title, body], ['Taluva', 'Something has happened at one of your tables.'], String(i));
  }
  assert.deepEqual(await press('news'), { focused: 0, opened: [`${fixture.url}#/`], left: 0 });
  await deliver(turnText({ room: 'cccccccc', game: 7, title: {}, names: [1, null, {}, 'Bo'] }));
  const shown = await untilShown((all) => all.some(({ tag }) => tag === 'turn-cccccccc'));
  const odd = shown.find(({ tag }) => tag === 'turn-cccccccc');
  assert.equal(odd.title, 'Your turn');
  assert.match(odd.body, /with Bo$/);
});

test('who is left behind at this browser is not told there any more', async () => {
  const cy = await fixture.visit('Cy', { permissions: ['notifications'], serviceWorkers: 'allow' });
  await cy.addInitScript(pushService, [new Browser(`${push.origin}/up/cy`).subscription]);
  await cy.reload();
  const box = await openSettings(cy);
  await box.check();
  const told = () => cy.waitForFunction(() => localStorage.getItem('taluva.endpoint') && window.taluva.wire.pending.size === 0);
  await told();
  await cy.keyboard.press('Escape');
  const link = (page) => page.evaluate(async () => `#link=${(await window.taluva.wire.ask('link')).pass}`);
  const back = await link(cy);
  const session = (page) => page.evaluate(() => window.taluva.wire.hello.session);
  const before = await session(cy);
  const dee = await fixture.visit('Dee');
  await cy.goto(`${fixture.url}#link=0000000000000000000000000000`); // it is nobody's: all stays as it was
  await cy.click('dialog .confirm');
  await cy.waitForSelector('dialog:has-text("not valid")');
  await cy.keyboard.press('Escape');
  await told();
  assert.equal(await devices(cy), 1);
  assert.equal(await session(cy), before);
  await cy.goto(`${fixture.url}${await link(dee)}`);
  await cy.click('dialog .confirm');
  await cy.waitForFunction((was) => window.taluva.wire.hello.session !== was, before);
  await told();
  assert.equal(await devices(dee), 1);
  const elsewhere = await fixture.visit('', {}, back);
  await elsewhere.waitForFunction((wanted) => window.taluva.wire.hello.session === wanted, before);
  assert.equal(await devices(elsewhere), 0);
});

test('a subscription that was lost, has another key or ends soon is renewed when the page opens', async () => {
  const endpoint = () => ana.evaluate(() => JSON.parse(localStorage.getItem('test.subscription'))?.endpoint);
  const changes = [
    () => localStorage.removeItem('test.subscription'),
    () => localStorage.setItem('test.subscription', JSON.stringify({ ...JSON.parse(localStorage.getItem('test.subscription')), key: [4, 1] })),
    () => localStorage.setItem('test.subscription', JSON.stringify({ ...JSON.parse(localStorage.getItem('test.subscription')), ends: Date.now() })),
  ];
  let known = await endpoint();
  await ana.reload();
  await ana.waitForFunction((url) => localStorage.getItem('taluva.endpoint') === url, known);
  for (const change of changes) {
    await ana.evaluate(change);
    await ana.reload();
    await ana.waitForFunction((old) => ![null, old].includes(localStorage.getItem('taluva.endpoint')), known);
    assert.notEqual(await endpoint(), known);
    known = await endpoint();
    assert.equal(await devices(ana), 1, 'the old one is not told any more');
  }
});

test('a permission that was taken back ends it at the server too, and it can be turned on again', async () => {
  await ana.goto(`${fixture.url}#/`);
  await ana.context().clearPermissions();
  await ana.evaluate(() => localStorage.removeItem('test.subscription')); // as browsers do
  await ana.reload();
  await ana.waitForFunction(() => window.taluva?.wire.status === 'open');
  await untilDevices(ana, 0);
  let box = await openSettings(ana);
  assert.equal(await box.isChecked(), false);
  await ana.keyboard.press('Escape');
  await ana.context().grantPermissions(['notifications']);
  await ana.reload();
  await ana.waitForFunction(() => window.taluva?.wire.status === 'open');
  await untilDevices(ana, 1);
  box = await openSettings(ana);
  assert.equal(await box.isChecked(), true, 'it is still what the player wants');
});

test('turned off, the browser ends its subscription and the server forgets it', async () => {
  const box = ana.locator('.dialog .tick', { hasText: 'Notify me' }).locator('input');
  await box.uncheck();
  await ana.waitForFunction(() => !localStorage.getItem('test.subscription') && !localStorage.getItem('taluva.endpoint'));
  assert.equal(await devices(ana), 0);
  await ana.reload();
  await ana.waitForFunction(() => window.taluva?.wire.status === 'open');
  assert.equal(await devices(ana), 0, 'and it stays so');
});

test('a browser that cannot reach its push service says so, and still tells while the page is open', async () => {
  await ana.evaluate(() => localStorage.setItem('test.unreachable', 'yes'));
  const box = await openSettings(ana);
  await box.check();
  await ana.waitForSelector('#told:has-text("cannot be used right now")');
  assert.ok(await box.isChecked());
  assert.equal(await devices(ana), 0);
  await ana.evaluate(() => localStorage.removeItem('test.unreachable'));
  await ana.reload();
  await ana.waitForFunction(() => window.taluva?.wire.status === 'open');
  await untilDevices(ana, 1); // with the next visit it is tried again
});
