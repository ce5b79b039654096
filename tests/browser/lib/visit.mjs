// What tests with the mock server begin and end with.

import assert from 'node:assert/strict';

import { leave, visitor } from './chromium.mjs';
import { still } from './player.mjs';
import { playServer } from './stage.mjs';

/** A table of the mock server at which something is to be done; what the page asks is in `asked`. @param {any} browser
 *  @param {string} url of the files @param {any} scene @param {any} [options] of the browser's context */
export async function openTable(browser, url, scene, options = {}) {
  const page = await visitor(browser, { reducedMotion: 'reduce', ...options });
  Object.assign(page, await playServer(page, scene));
  await page.goto(`${url}#/r/k3m9x0aq`);
  await page.waitForSelector('.hand[data-mode]:not([data-mode=ask])');
  await still(page);
  return page;
}

/** The page goes, and has said nothing that it should not. @param {any} page */
export async function done(page) {
  assert.deepEqual(page.troubles, []);
  await leave(page);
}
