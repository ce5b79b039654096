// What the page does when the server refuses to list the legal moves. The server's part is played, so that it can refuse.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { launch, PATIENCE_MS, visitor } from './lib/chromium.mjs';
import { scenes } from './lib/scenes.mjs';
import { playServer, serveFiles } from './lib/stage.mjs';

let files, browser;
before(async () => {
  files = await serveFiles();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  files?.close();
});

/** @param {() => boolean} holds */
async function until(holds) {
  for (const end = Date.now() + PATIENCE_MS; !holds(); await new Promise((resolve) => setTimeout(resolve, 20)))
    assert.ok(Date.now() < end, 'it never came to this');
}

test('legal moves that are refused are asked for again after a pause or a change, not as fast as answers come', async () => {
  const page = await visitor(browser);
  await page.clock.install({ time: 1_790_000_000_000 });
  await page.clock.pauseAt(1_790_000_001_000); // no time passes for the page but what the test lets pass
  const scene = { ...scenes.early(), refusals: { moves: { code: 'slow_down', message: 'Too many requests.' } } };
  const { asked, tell } = await playServer(page, scene);
  const times = () => asked.filter(({ op }) => op === 'moves').length;
  await page.goto(`${files.url}#/r/k3m9x0aq`);
  await until(() => times() > 0);
  /** Gives the page the time of many answers. */
  const manyAnswers = () =>
    page.evaluate(async () => {
      for (let i = 0; i < 40; i++) await window.taluva.wire.ask('ping');
    });
  await manyAnswers();
  assert.equal(times(), 1, 'once');
  assert.equal(await page.locator('.trouble').textContent(), 'Too many requests.');

  const event = { kind: 'move', seat: 1, move: 'draw' };
  tell({ push: 'event', room: 'k3m9x0aq', seq: 101, at: 0, event, patch: { table: { stack: 7 } } });
  await until(() => times() > 1);
  await manyAnswers();
  assert.equal(times(), 2, 'once more after a change');

  await page.clock.runFor(60_000);
  await until(() => times() > 2);
  await manyAnswers();
  const before = times();
  assert.ok(before < 10, `a few times more in a minute: ${before}`);

  scene.refusals = {};
  await page.clock.runFor(60_000);
  await until(() => times() > before);
  await manyAnswers();
  await page.clock.runFor(60_000);
  await manyAnswers();
  assert.equal(times(), before + 1, 'and no more once there is an answer');
  assert.equal(await page.locator('.hand[data-mode=place]').count(), 1);
  assert.equal(await page.locator('.trouble').count(), 0);
  assert.deepEqual(page.troubles, []);
});
