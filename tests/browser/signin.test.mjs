// Signing in elsewhere, in Chromium, at a provider of the tests' own: somebody signs up, enters in another browser that has nothing of
// theirs, and is told what is wrong when something is.

import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';

import { Provider } from '../support/provider.mjs';
import { Fixture } from './lib/fixture.mjs';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const fixture = new Fixture();
const folder = mkdtempSync(path.join(tmpdir(), 'taluva-signin-'));
let provider, ana;

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
  const [port, secret] = [await freePort(), path.join(folder, 'secret')];
  const origin = `http://localhost:${port}`;
  provider = await Provider.start();
  writeFileSync(secret, `${provider.secret}\n`);
  chmodSync(secret, 0o600);
  const at = ['--oidc-issuer', provider.issuer, '--oidc-client', 'taluva', '--oidc-secret-file', secret, '--external-name', 'Club'];
  await fixture.open(['--computer-ms', '0', '--listen', `127.0.0.1:${port}`, '--origin', origin, '--accounts', 'external', ...at]);
  fixture.entryUrl = `${origin}/`;
});
after(async () => {
  await fixture.close();
  await provider.stop();
  rmSync(folder, { recursive: true });
});

const hello = (page) => page.evaluate(() => window.taluva.wire.hello);
const isOpen = (page) => page.waitForFunction(() => window.taluva?.wire.status === 'open');

/** From the settings to the provider and back. */
async function signIn(page) {
  await isOpen(page);
  await page.waitForSelector('.home');
  await page.click('.masthead button:last-child');
  await page.click('#account');
  assert.match(await page.innerText('#sign-in'), /Club/);
  await page.click('#sign-in');
}

/** What a dialog says after it, whose address says nothing any more. */
async function isTold(page, words) {
  await page.waitForFunction((source) => new RegExp(source).test(document.querySelector('.dialog p')?.textContent ?? ''), words.source);
  assert.equal(await page.evaluate(() => location.hash), '#/');
  await page.keyboard.press('Escape');
}

test('somebody signs up: there, and back, and a handle', async () => {
  ana = await fixture.visit('Ana');
  await isOpen(ana);
  const { session } = await hello(ana);
  await signIn(ana);
  await ana.waitForSelector('.claim input');
  await ana.fill('.claim input', 'Ana-1903');
  await ana.keyboard.press('Enter');
  await ana.waitForSelector('.claim', { state: 'detached' });
  const now = await hello(ana);
  assert.equal(now.session, session); // nothing of what they had is lost
  assert.equal(now.account.handle, 'Ana-1903');
  assert.equal(await ana.evaluate(() => location.hash), '#/');
  assert.equal(await ana.evaluate(() => sessionStorage.length), 0);
});

test('they enter in another browser, which has a player of its own and asks', async () => {
  const phone = await fixture.visit('Guest', PHONE);
  await signIn(phone);
  await phone.waitForSelector('#enter-go');
  await phone.click('#enter-go');
  await phone.waitForFunction(() => window.taluva?.wire.hello.account?.handle === 'Ana-1903');
  assert.equal((await hello(phone)).session, (await hello(ana)).session);
});

test('somebody else is somebody else', async () => {
  provider.person = 'bo';
  const bo = await fixture.visit('Bo');
  await signIn(bo);
  await bo.waitForSelector('.claim input');
  assert.equal((await hello(bo)).account, undefined);
  provider.person = 'someone';
});

test('what is wrong is said in words', async () => {
  const page = await fixture.visit('Cy');
  provider.faults = { error: 'access_denied' };
  await signIn(page);
  await isTold(page, /not let through/);
  provider.faults = { claims: { nonce: 'another' } };
  await signIn(page);
  await isTold(page, /cannot be believed/);
  provider.faults = {};
  await page.goto(`${fixture.entryUrl}#signed=${'A'.repeat(139)}`); // a link that somebody has sent
  await isTold(page, /another window/);
  provider.faults = { status: 503 };
  await signIn(page);
  await isTold(page, /cannot be reached/);
  assert.equal((await hello(page)).site.signed_in, undefined);
});

test('it is taken away again by who has another way in', async () => {
  await ana.evaluate(() => (location.hash = '#/'));
  await ana.waitForSelector('.home');
  const { phrase } = await ana.evaluate(async () => ({ phrase: (await window.taluva.wire.askPatiently('phrase')).pass }));
  await ana.reload(); // having signed in a moment ago is a proof, of that connection
  await isOpen(ana);
  await ana.waitForSelector('.home');
  await ana.click('.masthead button:last-child');
  await ana.click('#account');
  await ana.click('#sign-in-drop');
  await ana.fill('#proof-phrase', phrase);
  await ana.press('#proof-phrase', 'Enter');
  await ana.waitForSelector('#sign-in-drop', { state: 'detached' });
  assert.equal((await hello(ana)).account.handle, 'Ana-1903');
  provider.faults = {};
  const other = await fixture.visit('New');
  await signIn(other);
  await other.waitForSelector('.claim input'); // somebody new, who asks for nobody else's
  assert.equal((await hello(other)).account, undefined);
});
