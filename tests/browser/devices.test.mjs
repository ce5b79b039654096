// A player on several devices: the link of a QR code opened in another browser goes on with the same match on the same seat, a
// device that is ended is told so and is somebody new, and a recovery phrase brings the player back.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { Fixture } from './lib/fixture.mjs';
import { act, dice, myMove } from './lib/player.mjs';

const fixture = new Fixture();
const random = dice(7);
let desk, phone;
before(() => fixture.open());
after(() => fixture.close());

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const session = (page) => page.evaluate(() => window.taluva.wire.hello.session);

/** From the first page. */
async function openDevices(page) {
  await page.evaluate(() => (location.hash = '#/'));
  await page.waitForSelector('.home');
  await page.click('.masthead button:last-child');
  await page.click('#devices');
  await page.waitForSelector('.devices li');
}

const lines = (page) => page.$$eval('.devices li', (all) => all.map((one) => one.querySelector('.about').innerText.split('\n')));

async function makeLink(page) {
  await page.click('.dialog .confirm');
  await page.waitForSelector('.device-link input');
  return page.inputValue('.device-link input');
}

/** In a browser that has been nowhere before. @param {string} link */
async function openElsewhere(link, options = {}) {
  const page = await fixture.visit('', options, new URL(link).hash);
  await page.waitForFunction(() => window.taluva?.wire.status === 'open');
  return page;
}

test('the link in the QR code opens the same match on the same seat', async () => {
  desk = await fixture.visit('Ana');
  await desk.click('#solo');
  await desk.waitForSelector('.table');
  await myMove(desk);
  const room = await desk.evaluate(() => window.taluva.room().id);
  await openDevices(desk);
  const link = await makeLink(desk);
  assert.match(link, /#link=[0-9a-z]{28}$/);
  const drawn = await desk.$eval('.qr path', (path) => path.getAttribute('d').length);
  assert.ok(drawn > 1000);
  phone = await openElsewhere(link, PHONE);
  assert.equal(await phone.evaluate(() => location.href.includes('link=')), false);
  assert.equal(await session(phone), await session(desk));
  await phone.waitForSelector('.mine:not([hidden]) a');
  await phone.tap('.mine a');
  await phone.waitForSelector('.table');
  assert.equal(await phone.evaluate(() => window.taluva.room().id), room);
  await desk.keyboard.press('Escape');
  await desk.goBack();
  await desk.waitForSelector('.table');
  await myMove(phone);
  await act(phone, random);
  const seat = (page) => page.evaluate(() => window.taluva.room().seat);
  assert.equal(await seat(phone), await seat(desk));
});

test('the link is good once', async () => {
  await openDevices(desk);
  const link = await makeLink(desk);
  const one = await openElsewhere(link);
  assert.equal(await session(one), await session(desk));
  const other = await openElsewhere(link);
  await other.waitForSelector('dialog');
  assert.match(await other.innerText('dialog'), /not valid/);
  assert.notEqual(await session(other), await session(desk));
  await desk.keyboard.press('Escape');
});

test('a link with a slip in it is told, and the page is there all the same', async () => {
  const page = await openElsewhere('https://x/#link=0000000000000000000000000001');
  assert.match(await page.innerText('dialog'), /slip/);
  assert.equal(await page.evaluate(() => location.hash), '#/');
});

test('a browser with a player of its own asks before that is left behind', async () => {
  await openDevices(desk);
  const link = await makeLink(desk);
  const bo = await fixture.visit('Bo');
  const own = await session(bo);
  await bo.goto(link);
  await bo.waitForSelector('dialog .confirm');
  assert.match(await bo.innerText('dialog'), /Bo is left behind/);
  assert.equal(await session(bo), own);
  await bo.click('dialog .confirm');
  await bo.waitForFunction((was) => window.taluva.wire.hello.session !== was, own);
  assert.equal(await session(bo), await session(desk));
  await desk.keyboard.press('Escape');
});

test('a device that is ended is told so, goes home and is somebody new', async () => {
  const was = await session(desk);
  await openDevices(desk);
  const shown = await lines(desk);
  assert.equal(shown.length, 4);
  assert.match(shown[0][0], /^\w+ on \w+$/);
  assert.equal(shown[0][1], 'this one');
  assert.equal(shown[1][1], 'online now');
  await desk.click('.devices li:nth-child(2) .dangerous');
  await desk.click('dialog:last-of-type .confirm');
  await phone.waitForSelector('.toast');
  assert.match(await phone.innerText('.toast'), /This device was ended\. You are a new player here/);
  await phone.waitForSelector('.home');
  await phone.waitForFunction((old) => window.taluva.wire.status === 'open' && window.taluva.wire.hello.session !== old, was);
  await desk.waitForFunction(() => document.querySelectorAll('.devices li').length === 3);
  assert.equal(await session(desk), was);
});

test('a device is given a name', async () => {
  await desk.click('.devices li:nth-child(2) .plain');
  await desk.fill('dialog:last-of-type input', 'My tablet');
  await desk.keyboard.press('Enter');
  await desk.waitForFunction(() => document.querySelector('.devices li:nth-child(2) strong').textContent === 'My tablet');
});

test('a recovery phrase is shown once, and brings the player back', async () => {
  await desk.click('.dialog .plain:text("Make a recovery phrase")');
  const phrase = await desk.innerText('.phrase');
  assert.match(phrase, /^([0-9a-z]{4} ){6}[0-9a-z]{4}$/);
  await desk.keyboard.press('Escape');
  await openDevices(desk);
  assert.equal(await desk.$('.phrase'), null);
  assert.match(await desk.innerText('.dialog'), /There is one, made (just now|\d+ minutes? ago)/);
  await phone.fill('#link', `${phrase.slice(0, -1)}${phrase.endsWith('0') ? '1' : '0'}`);
  await phone.click('.ways form button');
  await phone.waitForFunction(() => /slip/.test(document.querySelector('.toasts').innerText));
  await phone.fill('#link', phrase.toUpperCase().replaceAll('0', 'O'));
  await phone.click('.ways form button');
  await phone.click('dialog .confirm');
  const wanted = await session(desk);
  await phone.waitForFunction((id) => window.taluva.wire.hello.session === id, wanted);
});
