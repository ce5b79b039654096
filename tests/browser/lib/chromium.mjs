// Starts Chromium for the tests, and opens pages that record all errors.

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { chromium } from 'playwright-core';

export const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

// Chromium's engine without a browser around it: the same pages in two thirds of the time.
const SHELL = '/usr/bin/chromium-headless-shell';
const ENGINE = !process.env.CHROMIUM && existsSync(SHELL) ? SHELL : CHROMIUM;

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A browser keeps something at home and at run time, whatever its profile: so each has a folder of its own for both. @param {string} executablePath */
function launched(executablePath) {
  const home = mkdtempSync(path.join(tmpdir(), 'taluva-browser-home-'));
  process.on('exit', () => rmSync(home, { recursive: true, force: true }));
  return chromium.launch({ executablePath, args: FLAGS, env: { ...process.env, HOME: home, XDG_RUNTIME_DIR: home } });
}

export const launch = () => launched(ENGINE);

/** The whole browser, for what the engine leaves to it: notifications. */
export const launchWhole = () => launched(CHROMIUM);

/** How long to wait for anything. The tests do not measure speed, so this leaves time for a busy machine. */
export const PATIENCE_MS = Number(process.env.TALUVA_PATIENCE_MS ?? 120_000); // less shows a failure sooner

/** The factor by which the processor of every page is slowed down. A test that passes at 6 does not depend on a fast machine. */
const SLOW = Number(process.env.TALUVA_SLOW ?? 1);

/** Slows a page down, if the environment variable is set. @template {import('playwright-core').Page} P @param {P} page */
export async function slowed(page) {
  if (SLOW > 1) {
    const client = await page.context().newCDPSession(page);
    await client.send('Emulation.setCPUThrottlingRate', { rate: SLOW });
  }
  return page;
}

/** Contexts that were left, by browser and by what they were made with. @type {WeakMap<object, Map<string, {context: any, origin: string}[]>>} */
const left = new WeakMap();

/** @param {any} browser @param {any} options */
function leftBy(browser, options) {
  if (!left.has(browser)) left.set(browser, new Map());
  const made = JSON.stringify(options);
  const all = left.get(browser);
  if (!all.has(made)) all.set(made, []);
  return all.get(made);
}

/**
 * Opens a page with a browser context of its own, or with one that was left by `leave`: that still has the page's files, so that they
 * need not be fetched and compiled again, and nothing else. `page.troubles` collects console errors, uncaught errors and violations of
 * the policy.
 * @param {import('playwright-core').Browser} browser
 * @param {import('playwright-core').BrowserContextOptions} [options]
 */
export async function visitor(browser, options = {}) {
  // A service worker would answer instead of what tests put in the server's place.
  const settings = { locale: 'en-GB', viewport: { width: 1280, height: 800 }, serviceWorkers: 'block', ...options };
  const waiting = leftBy(browser, settings);
  const used = waiting.pop();
  const context = used?.context ?? (await browser.newContext(settings));
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await slowed(await context.newPage());
  if (used) {
    const client = await context.newCDPSession(page);
    await client.send('Storage.clearDataForOrigin', { origin: used.origin, storageTypes: 'cookies,local_storage,indexeddb' });
    await client.detach();
  }
  const troubles = [];
  page.on('pageerror', (error) => troubles.push(`uncaught: ${error.stack}`));
  page.on('console', (message) => {
    if (/^Service Worker registration blocked by Playwright/.test(message.text())) return;
    if (/was preloaded using link preload but not used within a few seconds/.test(message.text())) return; // a busy machine took longer
    if (['error', 'warning'].includes(message.type())) troubles.push(`console: ${message.text()}`);
  });
  await page.exposeFunction('reportViolation', (text) => troubles.push(`policy: ${text}`));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) =>
      window.reportViolation(`${event.violatedDirective} ${event.blockedURI}`),
    );
  });
  return Object.assign(page, { troubles, waiting });
}

/**
 * Closes a page of `visitor`, whose context the next one with the same options may have. Not for a test that has changed the context
 * itself, by its clock for instance.
 * @param {any} page
 */
export async function leave(page) {
  if (page.isClosed()) return;
  const { origin } = new URL(page.url());
  await page.close();
  page.waiting.push({ context: page.context(), origin });
}

/**
 * For counting what the page holds: Playwright's handles of elements, which would keep them, are given up at once. What is found can
 * then only be asked whether it is there.
 * @template {import('playwright-core').Page} P @param {P} page @returns {P}
 */
export function holdingNothing(page) {
  for (const name of ['$', 'waitForSelector']) {
    const find = page[name].bind(page);
    page[name] = async (...wanted) => {
      const handle = await find(...wanted);
      await handle?.dispose();
      return handle;
    };
  }
  return page;
}
