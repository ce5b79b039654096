// Accounts in the page: a handle is claimed by keyboard, what is refused is said beside it, and it is shown where one sits, to others too. A server
// without accounts shows nothing of them.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';

import { Fixture, makeTable } from './lib/fixture.mjs';
import { atNight } from './lib/night.mjs';
import { until } from './lib/until.mjs';

const fixture = new Fixture();
const family = new Fixture();
let ana, anasRoom;
before(async () => {
  await fixture.open(['--computer-ms', '0', '--accounts', 'open']);
  await family.open();
});
after(async () => {
  await fixture.close();
  await family.close();
});

async function openSettings(page) {
  await page.evaluate(() => (location.hash = '#/'));
  await page.waitForSelector('.home');
  await page.click('.masthead button:last-child');
  await page.waitForSelector('#devices');
}

/** By keyboard alone. */
async function openAccount(page) {
  await openSettings(page);
  await page.focus('#account');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.claim input');
  await page.focus('.claim input');
}

async function say(page, handle) {
  await page.keyboard.press('Control+A');
  await page.keyboard.type(handle);
  await page.keyboard.press('Enter');
}

atNight('a server without accounts shows nothing of them', async () => {
  const page = await family.visit('Ana');
  await openSettings(page);
  assert.equal(await page.$('#account'), null);
});

test('a handle is claimed by keyboard', async () => {
  ana = await fixture.visit('Ana');
  await openAccount(ana);
  await say(ana, 'an');
  assert.equal(await ana.$eval('.claim input', (input) => input.validity.valid), false);
  await say(ana, 'moderator');
  await ana.waitForFunction(() => document.querySelector('.claim [role=alert]').textContent !== '');
  assert.match(await ana.innerText('.claim [role=alert]'), /nobody.s to have/);
  assert.equal(await ana.evaluate(() => document.activeElement.tagName), 'INPUT');
  await say(ana, 'Ana-1903');
  await ana.waitForSelector('.claim', { state: 'detached' });
  assert.equal(await ana.evaluate(() => window.taluva.wire.hello.account.handle), 'Ana-1903');
  await openAccount(ana);
  assert.equal(await ana.innerText('.dialog .handle'), '@Ana-1903');
  await ana.keyboard.press('Escape');
});

test('it is shown where one sits, to others too, and in the list', async () => {
  const room = (anasRoom = await makeTable(ana, {}));
  await ana.waitForSelector('.seat.mine .handle');
  assert.equal((await ana.innerText('.seat.mine .handle')).trim(), '@Ana-1903');
  const bo = await fixture.visit('Bo', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await bo.waitForSelector(`[data-room="${room}"]`);
  assert.match(await bo.innerText(`[data-room="${room}"]`), /@Ana-1903/);
  await openAccount(bo);
  await say(bo, 'anaI903');
  await bo.waitForFunction(() => document.querySelector('.claim [role=alert]').textContent !== '');
  assert.match(await bo.innerText('.claim [role=alert]'), /looks like it/);
  const wide = await bo.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  assert.equal(wide, false);
});

test('a copy of all that the server has of one is saved as a file', async () => {
  await openAccount(ana);
  const [saved] = await Promise.all([ana.waitForEvent('download'), ana.click('.dialog .export')]);
  const all = JSON.parse(await readFile(/** @type {string} */ (await saved.path()), 'utf8'));
  assert.equal(saved.suggestedFilename(), 'taluva-export.json');
  assert.equal(all.account.handle, 'Ana-1903');
  assert.equal(all.devices.devices.length, 1);
  assert.deepEqual(all.kept_at_desk, { reports: [], ratings: [] });
  assert.ok(!JSON.stringify(all).includes(await ana.evaluate(() => window.taluva.wire.token ?? 'none')));
  await ana.keyboard.press('Escape');
});

test('it is ended with the handle typed once more, and kept after all', async () => {
  await openAccount(ana);
  await ana.click('.close-account summary');
  await ana.fill('.close-account input', 'Bo-1904');
  await ana.click('.close-account button');
  await ana.waitForSelector('.toasts > *');
  assert.equal(await ana.$('.closing'), null);
  await ana.fill('.close-account input', 'ana-1903');
  await ana.click('.close-account button');
  await ana.waitForSelector('.closing');
  assert.match(await ana.innerText('.closing p'), /deleted on/);
  await ana.click('.closing button');
  await ana.waitForSelector('.close-account');
  assert.equal(await ana.evaluate(() => window.taluva.wire.hello.account.closing), undefined);
  await ana.keyboard.press('Escape');
});

atNight('after the page is loaded again it is still there', async () => {
  await ana.reload();
  await ana.waitForFunction(() => window.taluva?.wire.hello.account?.handle === 'Ana-1903');
  await openAccount(ana);
  await say(ana, 'Hanna');
  await ana.waitForFunction(() => window.taluva?.wire.hello.account.handle === 'Hanna');
  await openAccount(ana);
  await say(ana, 'Susanna');
  await ana.waitForFunction(() => document.querySelector('.claim [role=alert]').textContent !== '');
  assert.match(await ana.innerText('.claim [role=alert]'), /cannot be changed/);
});

atNight('one press on a name shows who that is, by keyboard too', async () => {
  const cy = await fixture.visit('Cy', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await cy.evaluate((id) => (location.hash = `#/r/${id}`), anasRoom);
  await cy.tap('.named');
  await cy.waitForSelector('.who-is .handle');
  assert.equal(await cy.innerText('.who-is .handle'), '@Hanna');
  assert.match(await cy.innerText('.who-is'), /No match finished here yet/);
  assert.equal(await cy.evaluate(() => document.documentElement.scrollWidth > window.innerWidth), false);
  await cy.keyboard.press('Escape');
  await cy.waitForSelector('.who-is', { state: 'detached' });
  await ana.evaluate(() => window.taluva.wire.ask('profile_show', { hidden: true }));
  await cy.focus('.named');
  await cy.keyboard.press('Enter');
  await cy.waitForFunction(() => /Shows nothing/.test(document.querySelector('.who-is')?.textContent ?? ''));
});

atNight('where accounts are by invitation one comes with a code', async () => {
  const club = new Fixture();
  await club.open(['--accounts', 'invite']);
  try {
    const page = await club.visit('Dee');
    await openAccount(page);
    await page.fill('.claim input[name=invite]', '7zk3f09qa5vtd2e8r1x6mhbw4cbv');
    await page.fill('.claim input[autocomplete=username]', 'Dee-1903');
    await page.click('.claim button');
    await page.waitForFunction(() => document.querySelector('.claim [role=alert]').textContent !== '');
    assert.match(await page.innerText('.claim [role=alert]'), /not good/);
  } finally {
    await club.close();
  }
});

/** @param {any} page of a guest @returns {Promise<string>} the room of a table that it has made */
async function guestTable(page) {
  const { room } = await page.evaluate(() => window.taluva.wire.askPatiently('create', { options: { players: 2 } }));
  await page.evaluate((room) => window.taluva.wire.askPatiently('join', { room }), room);
  return room;
}

/** @param {string} room that becomes Ana's */
const isAnas = (room) =>
  until(() => ana.evaluate(async (/** @type {string} */ room) => (await window.taluva.wire.ask('watch', { room })).you.seat !== undefined, room));

/** @param {any} page whose player makes a link @returns {Promise<string>} */
const linkOf = (page) => page.evaluate(async () => (await window.taluva.wire.askPatiently('link')).pass);

test('what was played as a guest on another device is taken over with a link of it', async () => {
  const guest = await fixture.visit('Kim');
  const room = await guestTable(guest);
  await openAccount(ana);
  await ana.click('.adopt summary');
  await ana.fill('#adopt-link', 'no link');
  await ana.click('.adopt button');
  await ana.waitForSelector('.toasts > *');
  await ana.fill('#adopt-link', await linkOf(guest));
  await ana.click('.adopt button');
  await isAnas(room);
  await guest.waitForFunction(() => window.taluva.wire.hello.account === undefined && window.taluva.wire.hello.seats?.length === 0);
  await ana.evaluate((room) => window.taluva.wire.askPatiently('leave', { room }), room);
});

test('a browser that becomes one of the account’s devices asks whether its guest comes with it', async () => {
  const phone = await fixture.visit('Guest', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const room = await guestTable(phone);
  await phone.evaluate((pass) => (location.hash = `#link=${pass}`), await linkOf(ana));
  await phone.click('#enter-go');
  await phone.click('#adopt-go');
  await isAnas(room);
  assert.equal(await phone.evaluate(() => window.taluva.wire.hello.account.handle), 'Ana-1903');
});
