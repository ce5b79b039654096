// Passkeys, with Chromium's own virtual authenticators: somebody signs up with one, enters with it in another browser that has nothing
// of theirs, shows it before what could lock them out, loses every device and comes back by the recovery phrase.

import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import net from 'node:net';
import { after, before, test } from 'node:test';

import { Fixture } from './lib/fixture.mjs';
import { atNight } from './lib/night.mjs';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const fixture = new Fixture();
let desk, phone, phrase;
/** Of the page whose authenticator it is. @type {Map<any, {client: any, authenticatorId: string}>} */
const authenticators = new Map();

/** One that the system gives nobody: while the server is not up, a connection of another program could have it. */
async function freePort() {
  for (;;) {
    const port = 10000 + Math.floor(Math.random() * 22000);
    const probe = net.createServer();
    const free = await new Promise((resolve) => probe.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true)));
    if (!free) continue;
    await new Promise((resolve) => probe.close(resolve));
    return port;
  }
}

before(async () => {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  await fixture.open(['--computer-ms', '0', '--listen', `127.0.0.1:${port}`, '--origin', origin, '--accounts', 'open']);
  fixture.entryUrl = `${origin}/`;
});
after(() => fixture.close());

/** A browser with an authenticator that unlocks by itself. @param {string} name @param {any} [options] */
async function visit(name, options) {
  const page = await fixture.visit(name, options);
  const client = await page.context().newCDPSession(page);
  await client.send('WebAuthn.enable');
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
  });
  authenticators.set(page, { client, authenticatorId });
  await page.waitForFunction(() => window.taluva?.wire.status === 'open');
  return page;
}

const credentials = async (page) => {
  const { client, authenticatorId } = authenticators.get(page);
  return (await client.send('WebAuthn.getCredentials', { authenticatorId })).credentials;
};

/** As if the makers of both had synchronised them. */
async function carry(from, to) {
  const { client, authenticatorId } = authenticators.get(to);
  for (const credential of await credentials(from)) await client.send('WebAuthn.addCredential', { authenticatorId, credential });
}

const session = (page) => page.evaluate(() => window.taluva.wire.hello.session);

async function openDevices(page) {
  await page.waitForSelector('.home');
  await page.click('.masthead button:last-child');
  await page.click('#devices');
  await page.waitForSelector('#handle, #add-passkey');
}

const passkeys = (page) => page.$$eval('.passkeys li strong', (all) => all.map((one) => one.textContent));

async function picture(page, name) {
  if (!process.env.PASSKEY_PICTURES) return;
  mkdirSync(process.env.PASSKEY_PICTURES, { recursive: true });
  await page.screenshot({ path: `${process.env.PASSKEY_PICTURES}/${name}.png` });
}

test('somebody signs up with a passkey, by the keyboard', async () => {
  desk = await visit('Ana');
  await openDevices(desk);
  await picture(desk, 'sign-up-1280');
  await desk.focus('#handle');
  await desk.keyboard.type('ana-1903');
  await desk.keyboard.press('Enter');
  await desk.waitForSelector('.passkeys li');
  assert.equal((await passkeys(desk)).length, 1);
  assert.equal((await credentials(desk)).length, 1);
  assert.equal((await credentials(desk))[0].isResidentCredential, true);
  await picture(desk, 'list-1280');
});

test('another browser that has nothing of theirs enters with it', async () => {
  phone = await visit('', PHONE);
  const own = await session(phone);
  await carry(desk, phone);
  await phone.waitForSelector('#enter-passkey');
  await picture(phone, 'enter-390');
  await phone.click('#enter-passkey');
  await phone.waitForFunction((was) => window.taluva.wire.status === 'open' && window.taluva.wire.hello.session !== was, own);
  assert.equal(await session(phone), await session(desk));
  assert.equal(await phone.evaluate(() => window.taluva.wire.hello.account.handle), 'ana-1903');
  await openDevices(phone);
  await phone.waitForSelector('.passkeys li');
  await picture(phone, 'list-390');
});

atNight('who was let in by a passkey makes a phrase; a device that only has its token shows first who it is', async () => {
  await desk.reload();
  await desk.waitForFunction(() => window.taluva?.wire.status === 'open');
  await openDevices(desk);
  await desk.click('text=Make a recovery phrase');
  await desk.waitForSelector('#prove');
  await picture(desk, 'prove-1280');
  await desk.click('#prove');
  await desk.waitForSelector('p.phrase');
  phrase = await desk.innerText('p.phrase');
  await desk.keyboard.press('Escape');
});

atNight('a passkey that the browser does not have leaves everything as it was', async () => {
  const bo = await visit('Bo');
  const own = await session(bo);
  const { client, authenticatorId } = authenticators.get(bo);
  await client.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
  await bo.evaluate(() => (navigator.credentials.get = () => Promise.reject(new DOMException('', 'NotAllowedError'))));
  await bo.click('#enter-passkey');
  await bo.waitForSelector('dialog');
  assert.match(await bo.innerText('dialog'), /No passkey was used/);
  await bo.waitForFunction(() => window.taluva?.wire.status === 'open');
  assert.equal(await session(bo), own);
});

atNight('a passkey is dropped, and opens nothing any more', async () => {
  await phone.click('.passkeys li .dangerous');
  await phone.click('dialog:last-of-type .confirm');
  await phone.waitForFunction(() => document.querySelectorAll('.passkeys li').length === 0);
  const thief = await visit('');
  const own = await session(thief);
  await carry(phone, thief);
  await thief.click('#enter-passkey');
  await thief.waitForSelector('dialog');
  assert.match(await thief.innerText('dialog'), /Nobody here has this passkey/);
  await thief.waitForFunction(() => window.taluva?.wire.status === 'open');
  assert.equal(await session(thief), own);
});

atNight('both are lost, and the phrase brings the player back', async () => {
  const was = await session(desk);
  const fresh = await visit('');
  await fresh.fill('#link', phrase);
  await fresh.press('#link', 'Enter');
  await fresh.click('dialog .confirm');
  await fresh.waitForFunction((wanted) => window.taluva.wire.hello.session === wanted, was);
  await openDevices(fresh);
  await fresh.click('#add-passkey');
  await fresh.waitForSelector('.passkeys li');
  assert.equal((await credentials(fresh)).length, 1);
});
