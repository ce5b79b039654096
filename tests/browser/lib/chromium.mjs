// Chromium as the tests start it, and pages that fail a test for whatever goes wrong in them.

import { chromium } from 'playwright-core';

export const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const launch = () => chromium.launch({ executablePath: CHROMIUM, args: FLAGS });

/** How long anything is waited for: nothing here is about speed, so a loaded machine is given time. */
export const PATIENCE_MS = 120_000;

/** By how much the processor of every page is slowed down: what passes at 6 does not hang on how quick a machine is. */
const SLOW = Number(process.env.TALUVA_SLOW ?? 1);

/** Slows a page down, if the environment wants it. @template {import('playwright-core').Page} P @param {P} page */
export async function slowed(page) {
  if (SLOW > 1) {
    const client = await page.context().newCDPSession(page);
    await client.send('Emulation.setCPUThrottlingRate', { rate: SLOW });
  }
  return page;
}

/**
 * A page of its own visitor. `page.troubles` collects console errors, uncaught errors and violations of the policy.
 * @param {import('playwright-core').Browser} browser
 * @param {import('playwright-core').BrowserContextOptions} [options]
 */
export async function visitor(browser, options = {}) {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 800 }, ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await slowed(await context.newPage());
  const troubles = [];
  page.on('pageerror', (error) => troubles.push(`uncaught: ${error.stack}`));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) troubles.push(`console: ${message.text()}`);
  });
  await page.exposeFunction('reportViolation', (text) => troubles.push(`policy: ${text}`));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) =>
      window.reportViolation(`${event.violatedDirective} ${event.blockedURI}`),
    );
  });
  return Object.assign(page, { troubles });
}
