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

/**
 * A page of its own visitor. `page.troubles` collects console errors, uncaught errors and violations of the policy.
 * @param {import('playwright-core').Browser} browser
 * @param {import('playwright-core').BrowserContextOptions} [options]
 */
export async function visitor(browser, options = {}) {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
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
