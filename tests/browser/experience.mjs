// Measures what a visitor waits for, with the processor four times slower than it is: the first visit over a slow line, the longest
// task in whole games with motion, and the memory that stays after each of them. The time from an input to its picture is measured by
// bench.mjs (TALUVA_SLOW=4 slows it down as well).
//
// usage: experience.mjs [--json] BUILD [GAMES]

import { holdingNothing, launch, visitor } from './lib/chromium.mjs';
import { playOut } from './lib/player.mjs';

const words = process.argv.slice(2);
const json = words[0] === '--json';
const [build, games = '3'] = json ? words.slice(1) : words;
if (!build) {
  console.error('usage: experience.mjs [--json] BUILD [GAMES]');
  process.exit(2);
}
process.env.TALUVA_BUILD = build;
const { Server } = await import('./lib/server.mjs');

const SLOWER = 4;
// A slow mobile line, as page tests usually take it.
const LINE = { offline: false, latency: 150, downloadThroughput: (1.6 * 1e6) / 8, uploadThroughput: (0.75 * 1e6) / 8 };
const LONG_MS = 50; // a task is long from here on, by the standard of the Long Tasks API

/** Notes long tasks from the beginning. @param {any} page */
const watch = (page) =>
  page.addInitScript(() => {
    window.seen = { tasks: [] };
    new PerformanceObserver((list) => window.seen.tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
      type: 'longtask',
      buffered: true,
    });
  });

/** The first visit, with nothing in the cache. @param {any} browser @param {string} url */
async function firstVisit(browser, url) {
  const page = await visitor(browser, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const client = await page.context().newCDPSession(page);
  const found = { bytes: 0, requests: 0 };
  client.on('Network.loadingFinished', ({ encodedDataLength }) => {
    found.bytes += encodedDataLength;
    found.requests++;
  });
  await client.send('Network.enable');
  await client.send('Network.emulateNetworkConditions', LINE);
  await client.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await watch(page);
  await page.goto(url);
  await page.waitForFunction(() => window.taluva?.wire.status === 'open' && document.querySelector('#solo:not(:disabled)'));
  const { interactive, tasks } = await page.evaluate(() => ({ interactive: performance.now(), ...window.seen }));
  await page.context().close();
  const blocked = tasks.reduce((sum, ms) => sum + Math.max(ms - LONG_MS, 0), 0);
  return { ...found, interactive_ms: interactive, blocked_ms: blocked };
}

/** Plays games against the computer in one visit. @param {any} browser @param {string} url @param {number} count */
async function wholeGames(browser, url, count) {
  const page = holdingNothing(await visitor(browser, { reducedMotion: 'no-preference' }));
  const client = await page.context().newCDPSession(page);
  await client.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await watch(page);
  await page.goto(url);
  const heap = async () => {
    await client.send('HeapProfiler.collectGarbage');
    return (await client.send('Runtime.getHeapUsage')).usedSize;
  };
  const found = [];
  for (let game = 0; game < count; game++) {
    await page.waitForSelector('#solo:not(:disabled)');
    await page.click('#solo');
    await playOut(page, game + 1);
    await page.waitForSelector('.result');
    const tasks = await page.evaluate(() => window.seen.tasks.splice(0));
    await page.evaluate(() => (location.hash = '#/'));
    await page.waitForSelector('.home');
    await page.click('#link'); // Playwright keeps what it has clicked last
    const nodes = await page.evaluate(() => document.querySelectorAll('*').length);
    found.push({ longest_ms: Math.max(0, ...tasks), long_tasks: tasks.length, heap_bytes: await heap(), nodes });
  }
  const troubles = page.troubles;
  await page.context().close();
  if (troubles.length) throw new Error(troubles.join('\n'));
  return found;
}

const server = await new Server(['--computer-ms', '0']).start();
const browser = await launch();
const visit = await firstVisit(browser, server.url);
const played = await wholeGames(browser, server.url, Number(games));
await browser.close();
await server.close();

if (json) {
  console.log(JSON.stringify({ slower: SLOWER, visit, games: played }));
} else {
  console.log(`processor ${SLOWER} times slower; the first visit over 1.6 Mbit/s with 150 ms`);
  for (const [name, value] of Object.entries(visit)) console.log(`  ${name.padEnd(18)} ${Math.round(value)}`);
  console.log('whole games against the computer, with motion; memory after a forced collection, on the first page');
  for (const [at, { longest_ms, long_tasks, heap_bytes, nodes }] of played.entries())
    console.log(
      `  game ${at + 1}: longest task ${Math.round(longest_ms)} ms, ${long_tasks} above ${LONG_MS} ms, heap ${(heap_bytes / 1e6).toFixed(2)} MB, ${nodes} elements`,
    );
}
