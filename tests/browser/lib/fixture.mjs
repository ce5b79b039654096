// A server, a Chromium and visitors for one test file; afterwards every visitor is checked for errors in the page and
// on the wire.

import assert from 'node:assert/strict';

import { launch, visitor } from './chromium.mjs';
import { Server } from './server.mjs';
import { validateTraffic } from './traffic.mjs';

/** On a busy machine a page gives up a connection that is not there after some seconds (ANSWER_WITHIN_MS of wire.js), and tries again. */
const GIVEN_UP = /WebSocket is closed before the connection is established/;

export class Fixture {
  constructor() {
    this.visitors = [];
    /** The address that visitors open, if it is not the server's own. */
    this.entryUrl = '';
  }

  get url() {
    return this.entryUrl || this.server.url;
  }

  /** @param {string[]} [flags] of the server @param {typeof launch} [begin] @param {{[name: string]: string}} [env] of the server */
  async open(flags = ['--computer-ms', '0'], begin = launch, env = {}) {
    this.server = await new Server(flags, env).start();
    this.browser = await begin();
    return this;
  }

  /** Opens a page. @param {string} name @param {any} [options] of its context @param {string} [hash] */
  async visit(name, options = {}, hash = '#/') {
    const page = await visitor(this.browser, { reducedMotion: 'reduce', ...options });
    this.visitors.push({ name, page, wire: validateTraffic(page) });
    await page.goto(this.url + hash);
    await page.waitForFunction(() => window.taluva); // its scripts run
    if (hash === '#/' && name) {
      await page.fill('#name', name);
      await page.press('#name', 'Tab');
      await page.waitForFunction(() => window.taluva?.wire.status === 'open' && window.taluva.wire.pending.size === 0);
    }
    return page;
  }

  /** @param {RegExp[]} [expected] errors that the test causes on purpose, such as lost connections */
  async close(expected = []) {
    try {
      for (const { name, page, wire } of this.visitors) {
        const troubles = page.troubles.filter((text) => ![GIVEN_UP, ...expected].some((pattern) => pattern.test(text)));
        assert.deepEqual(troubles, [], `${name}: no errors in the page`);
        assert.deepEqual(wire.problems, [], `${name}: every message follows the protocol`);
        assert.ok(wire.messages >= 4, `${name}: there were messages`);
      }
    } finally {
      await this.browser?.close();
      await this.server?.close();
    }
  }
}

/** Creates a table with the dialog, for everybody if nothing else is wished. @param {any} page @param {{[field: string]: string | boolean}} wishes by label or name */
export async function makeTable(page, wishes) {
  if (!(await page.$('.create'))) await page.click('#new-table'); // else a game has been chosen in it
  await page.click('.create summary');
  for (const [label, value] of Object.entries({ 'Who may join': 'open', ...wishes })) {
    if (typeof value === 'boolean') await page.locator(`.create input[name="${label}"]`).setChecked(value);
    else
      await page
        .locator('.create .field', { hasText: new RegExp(`^${label}`) })
        .locator('select')
        .selectOption(value);
  }
  await page.click('.create button[type=submit]');
  await page.waitForSelector('.seat.mine');
  return page.evaluate(() => window.taluva.room().id);
}

/** @param {any} page */
export const ready = (page) => page.click('.lobby [data-focus=ready]:not([aria-pressed=true])');

/** @param {any} page */
export async function start(page) {
  await page.click('.lobby [data-focus=start]:not(:disabled)');
  await page.waitForSelector('.table');
}

/** The page's state of its room. @param {any} page */
export const pageView = (page) =>
  page.evaluate(() => ({ seq: window.taluva.room().seq, state: window.taluva.room().state }));

/**
 * The server's view of a room for a new watcher, over a connection of its own.
 * @param {Fixture} fixture @param {string} room @param {string} [code]
 */
export async function serverView(fixture, room, code) {
  const page = await fixture.browser.newPage();
  await page.goto(`${fixture.server.url}healthz`);
  const view = await page.evaluate(
    ([url, fields]) =>
      new Promise((resolve, reject) => {
        const socket = new WebSocket(url, 'taluva.v1+json');
        socket.onerror = () => reject(new Error('cannot connect'));
        socket.onopen = () => socket.send('{"id":1,"op":"hello"}');
        socket.onmessage = ({ data }) => {
          const message = JSON.parse(data);
          if (message.id === 1) socket.send(JSON.stringify({ id: 2, op: 'watch', ...fields }));
          if (message.id === 2) resolve(message.ok ?? message.error);
        };
      }),
    [`${fixture.server.url.replace('http', 'ws')}ws`, { room, ...(code ? { code } : {}) }],
  );
  await page.close();
  return view;
}
