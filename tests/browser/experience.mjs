// Measures what a visitor waits for, with the processor four times slower than it is: the first visit over two lines, the longest
// task in whole games with motion, and the memory that stays after each of them. The time from an input to its picture is measured by
// bench.mjs. Long tasks of the driver, which looks for what is not covered, are not the page's:
// those in which the page has run no script and has drawn nothing. Of each longest task is told when it began and what ran in it: scripts by
// what called them (those above 5 ms, as the browser reports no others), and the frame's styles and layout. Of the memory is told how much
// is compiled code, which the engine makes as long as something is called more often, so that only the rest could be kept by the page.
//
// usage: experience.mjs [--json] BUILD [GAMES]     0 games: the first visit alone; how far it is is told on the way

import { holdingNothing, launch, launchWhole, visitor } from './lib/chromium.mjs';
import { playOut } from './lib/player.mjs';

const words = process.argv.slice(2);
const json = words[0] === '--json';
const [build, games = '3'] = json ? words.slice(1) : words;
if (!build) {
  console.error('usage: experience.mjs [--json] BUILD [GAMES]');
  process.exit(64);
}
process.env.TALUVA_BUILD = build;
const { Server } = await import('./lib/server.mjs');

const SLOWER = 4;
// A mobile line as page tests usually take it, and a slow one.
const LINES = {
  '1.6 Mbit/s, 150 ms': { offline: false, latency: 150, downloadThroughput: (1.6 * 1e6) / 8, uploadThroughput: (0.75 * 1e6) / 8 },
  '400 kbit/s, 400 ms': { offline: false, latency: 400, downloadThroughput: (0.4 * 1e6) / 8, uploadThroughput: (0.4 * 1e6) / 8 },
};
const LONG_MS = 50; // a task is long from here on, by the standard of the Long Tasks API

const SETTLED_MS = 1000; // until motion has come to its end and the browser has reported its tasks
const LONGEST = 5; // of so many tasks of a game is told what ran in them

/** Notes long tasks from the beginning, and when the page's scripts ran and its frames were drawn. @param {any} page */
const watch = (page) =>
  page.addInitScript((most) => {
    const tasks = [];
    const own = [];
    let since = 0;
    const note = (type, found) => new PerformanceObserver((list) => list.getEntries().forEach(found)).observe({ type, buffered: true });
    note('longtask', ({ startTime, duration }) => tasks.push({ from: startTime, to: startTime + duration }));
    note('long-animation-frame', ({ scripts, startTime, duration, renderStart, styleAndLayoutStart }) => {
      const end = startTime + duration;
      for (const { invoker, startTime: from, duration: ms } of scripts) own.push({ what: invoker.replace(/https?:.*\//, ''), from, to: from + ms });
      if (renderStart) own.push({ what: '', from: renderStart, to: end });
      if (styleAndLayoutStart) own.push({ what: 'styles and layout', from: styleAndLayoutStart, to: end });
    });
    const ranIn = ({ from, to }) =>
      own
        .filter((one) => one.what && one.from < to && one.to > from)
        .sort((a, b) => a.from - b.from)
        .map((one) => `${one.what} ${Math.round(Math.min(one.to, to) - Math.max(one.from, from))}`)
        .join(', ');
    window.seen = () => {
      const pages = tasks.filter(({ from, to }) => own.some((one) => one.from < to && one.to > from));
      const found = { tasks: pages.map(({ from, to }) => to - from), drivers: tasks.length - pages.length };
      pages.sort((a, b) => b.to - b.from - (a.to - a.from));
      found.longest = pages.slice(0, most).map(({ from, to }) => ({ ms: to - from, at_s: (from - since) / 1000, ran: ranIn({ from, to }) }));
      tasks.length = own.length = 0;
      since = performance.now();
      return found;
    };
  }, LONGEST);

/** @param {any} client @returns {Promise<number>} the bytes of compiled code, and what belongs to it */
async function codeBytes(client) {
  const chunks = [];
  const keep = ({ chunk }) => chunks.push(chunk);
  client.on('HeapProfiler.addHeapSnapshotChunk', keep);
  await client.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  client.off('HeapProfiler.addHeapSnapshotChunk', keep);
  const { snapshot, nodes } = JSON.parse(chunks.join(''));
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const [type, size] = [fields.indexOf('type'), fields.indexOf('self_size')];
  let sum = 0;
  for (let i = 0; i < nodes.length; i += fields.length) if (types[type][nodes[i + type]] === 'code') sum += nodes[i + size];
  return sum;
}

/**
 * The first visit, with nothing in the cache: `words_ms` until something is painted, and what had come by then; `turn_ms` until the first turn
 * can be begun. @param {any} browser @param {string} url @param {any} line
 */
async function firstVisit(browser, url, line) {
  const page = await visitor(browser, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const client = await page.context().newCDPSession(page);
  const found = { bytes: 0, requests: 0 };
  const came = [];
  let begun = 0;
  client.on('Network.requestWillBeSent', ({ timestamp }) => (begun ||= timestamp));
  client.on('Network.loadingFinished', ({ encodedDataLength, timestamp }) => {
    found.bytes += encodedDataLength;
    found.requests++;
    came.push({ bytes: encodedDataLength, ms: (timestamp - begun) * 1000 });
  });
  await client.send('Network.enable');
  await client.send('Network.emulateNetworkConditions', line);
  await client.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await watch(page);
  await page.goto(url, { waitUntil: 'commit' });
  await page.waitForSelector('#first-dot', { timeout: 120_000 });
  const turn_ms = await page.evaluate(() => performance.now());
  await page.waitForFunction(() => window.taluva?.wire.status === 'open' && document.querySelector('#solo:not(:disabled)'), undefined, { timeout: 120_000 });
  const { interactive, tasks } = await page.evaluate(() => ({ interactive: performance.now(), ...window.seen() }));
  const words_ms = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN);
  await page.context().close();
  const blocked = tasks.reduce((sum, ms) => sum + Math.max(ms - LONG_MS, 0), 0);
  const before = came.filter(({ ms }) => ms <= words_ms);
  const words_bytes = before.reduce((sum, { bytes }) => sum + bytes, 0);
  return { ...found, words_ms, words_requests: before.length, words_bytes, turn_ms, interactive_ms: interactive, blocked_ms: blocked };
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
    if (game > 0) await page.evaluate(() => void window.seen()); // what the driver has just counted is of no game
    await page.click('#solo');
    await playOut(page, game + 1);
    await page.waitForSelector('.result');
    console.error(`game ${game + 1} of ${count} is over`);
    await page.waitForTimeout(SETTLED_MS);
    await page.evaluate(() => (location.hash = '#/'));
    await page.waitForSelector('.home');
    await page.waitForTimeout(SETTLED_MS);
    const { tasks, drivers, longest } = await page.evaluate(() => window.seen());
    await page.click('#link'); // Playwright keeps what it has clicked last
    const nodes = await page.evaluate(() => document.querySelectorAll('*').length);
    const heap_bytes = await heap();
    found.push({ longest_ms: Math.max(0, ...tasks), longest, long_tasks: tasks.length, drivers, heap_bytes, code_bytes: await codeBytes(client), nodes });
  }
  const troubles = page.troubles;
  await page.context().close();
  if (troubles.length) throw new Error(troubles.join('\n'));
  return found;
}

const server = await new Server(['--computer-ms', '0']).start();
const whole = await launchWhole(); // the engine alone reports no paint
const visits = {};
for (const [name, line] of Object.entries(LINES)) {
  visits[name] = await firstVisit(whole, server.url, line);
  console.error(`a first visit over ${name}: words after ${Math.round(visits[name].words_ms)} ms`);
}
await whole.close();
const browser = await launch();
const played = Number(games) ? await wholeGames(browser, server.url, Number(games)) : [];
await browser.close();
await server.close();

if (json) {
  console.log(JSON.stringify({ slower: SLOWER, visits, games: played }));
} else {
  console.log(`processor ${SLOWER} times slower; the first visit`);
  for (const [line, visit] of Object.entries(visits)) {
    console.log(`  over ${line}`);
    for (const [name, value] of Object.entries(visit)) console.log(`    ${name.padEnd(18)} ${Math.round(value)}`);
  }
  if (played.length) console.log('whole games against the computer, with motion; memory after a forced collection, on the first page');
  for (const [at, { longest_ms, longest, long_tasks, drivers, heap_bytes, code_bytes, nodes }] of played.entries()) {
    console.log(
      `  game ${at + 1}: longest task ${Math.round(longest_ms)} ms, ${long_tasks} above ${LONG_MS} ms (and ${drivers} of the driver), ` +
        `heap ${(heap_bytes / 1e6).toFixed(2)} MB, without code ${((heap_bytes - code_bytes) / 1e6).toFixed(2)} MB, ${nodes} elements`,
    );
    for (const { ms, at_s, ran } of longest.slice(0, 1)) console.log(`    ${Math.round(ms)} ms, ${at_s.toFixed(1)} s after the beginning: ${ran}`);
  }
}
