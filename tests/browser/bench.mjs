// Measures the time from an input to the next paint on the largest island, beside an empty page that gets the same inputs in the same
// run. The whole browser is needed: the engine alone reports no paint. Presses are measured by Event Timing. What the browser leaves out
// there, moves of the pointer and the wheel, is measured from the event to the end of the next frame's work in the page. What others do on
// the machine is in these times. With --work it is told what the page's own thread has computed (processor time) from the input until that
// frame was handed on, and what with. Each input is given so many times, or as often as there is time for, but three times at least; how far it is
// is told on the way.
//
// usage: bench.mjs [--throttle FACTOR] [--times N] [--seconds S] [--work] [--json] [INPUT...]     all inputs if none is named

import { cpus } from 'node:os';
import { parseArgs } from 'node:util';

import { footprint, placedCells, readCell, readPlacement, writeCell } from '../../clients/web/js/games/taluva/notation.js';
import { keyOf } from '../../clients/web/js/games/taluva/hexes.js';
import { launchWhole, visitor } from './lib/chromium.mjs';
import { spots, still } from './lib/player.mjs';
import { largest, someBuilds } from './lib/scenes.mjs';
import { playServer, serveFiles } from './lib/stage.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { throttle: { type: 'string', default: '1' }, times: { type: 'string', default: '20' }, seconds: { type: 'string', default: '180' }, json: { type: 'boolean', default: false }, work: { type: 'boolean', default: false } },
});
const [throttle, times, seconds] = [values.throttle, values.times, values.seconds].map(Number);

const LEAST = 3; // times of each input, however long they take
const EMPTY_PART = 0.3; // of the time, for the page with nothing on it
const REPORT_MS = 200; // after a frame, until the browser has reported what came before it

/** What the page records: `inputs` in milliseconds as [delay, handlers, painting], `frames` those of more than 50 ms. */
function record() {
  const inputs = [];
  const frames = [];
  const seen = new Set(['pointerdown', 'pointerup', 'click', 'keydown', 'keyup']);
  const events = new PerformanceObserver((list) => {
    for (const { name, startTime, processingStart, processingEnd, duration } of list.getEntries())
      if (seen.has(name)) inputs.push({ start: startTime, began: processingStart, ended: processingEnd, painted: startTime + duration });
  });
  events.observe({ type: 'event', durationThreshold: 16 });
  const long = new PerformanceObserver((list) => frames.push(...list.getEntries().map(({ duration }) => duration)));
  long.observe({ type: 'long-animation-frame' });
  const { port1, port2 } = new MessageChannel();
  const open = [];
  port1.onmessage = () => {
    for (const one of open.splice(0)) inputs.push({ ...one, painted: performance.now() });
  };
  for (const kind of ['pointermove', 'wheel']) {
    let one;
    addEventListener(kind, (event) => (one = { start: event.timeStamp, began: performance.now(), ended: 0 }), { capture: true, passive: true });
    addEventListener(kind, () => {
      if (!window.continuous) return;
      one.ended = performance.now();
      open.push(one);
      requestAnimationFrame(() => port2.postMessage(0));
    }, { passive: true });
  }
  window.taken = () => [inputs.splice(0), frames.splice(0)];
}

/** So that the camera rests, and what moves has come to its end, before the next input. @param {any} page @param {boolean} island */
async function rested(page, island) {
  if (!island) return;
  await still(page);
  await page.waitForFunction(() => window.taluva.page().view.motion.running.length === 0);
}

/** What was done is painted, and reported. @param {any} page */
const reported = (page) =>
  page.evaluate((ms) => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, ms)))), REPORT_MS);

/** @typedef {{page: any, island: boolean, i: number, at: {x: number, y: number}[]}} Act */

const tapSpot = async ({ page, island, i, at }) => {
  const all = island ? await spots(page, '.spot-legal, .spot-turn') : at;
  return all[(i * 7) % all.length];
};
const click = (/** @type {Act} */ { page }, /** @type {{x: number, y: number}} */ { x, y }) => page.mouse.click(x, y);
const press = (/** @type {string} */ key) => ({ act: ({ page }) => page.keyboard.press(key) });

/** The inputs: `ready` is done before each and not measured, `act` is measured, `after` puts all back. `continuous`: many events of one act. */
const INPUTS = {
  'tap a spot': { ready: tapSpot, act: click },
  'turn the tile': press('r'),
  'next place by key': press('n'),
  'cursor by key': { act: ({ page, i }) => page.keyboard.press(i % 2 ? 'ArrowLeft' : 'ArrowRight') },
  'drag the island': {
    continuous: true,
    ready: async ({ page }) => {
      await page.keyboard.press('Escape');
      await page.mouse.move(420, 720);
      await page.mouse.down();
      await page.mouse.move(440, 710);
    },
    act: async ({ page, i }) => {
      const way = i % 2 ? -1 : 1;
      await page.mouse.move(440 + way * 25, 710 - way * 20);
    },
    after: ({ page }) => page.mouse.up(),
  },
  'zoom by wheel': {
    continuous: true,
    ready: async ({ page }) => {
      await page.mouse.move(500, 400);
      await page.keyboard.down('Control'); // without it the wheel turns the tile
    },
    act: ({ page, i }) => page.mouse.wheel(0, i % 2 ? 20 : -20),
    after: ({ page }) => page.keyboard.up('Control'),
  },
  'pinch the island': {
    continuous: true,
    ready: async ({ page, i }) => {
      const client = await page.context().newCDPSession(page);
      const touch = (/** @type {string} */ type, /** @type {number} */ wide) =>
        client.send('Input.dispatchTouchEvent', { type, touchPoints: wide ? [{ x: 500 - wide, y: 420, id: 0 }, { x: 500 + wide, y: 420, id: 1 }] : [] });
      await touch('touchStart', 60);
      await touch('touchMove', 62); // the first is held back until it is known not to scroll
      return { touch, wide: i % 2 ? 55 : 70 };
    },
    act: (_, { touch, wide }) => touch('touchMove', wide),
    after: (_, { touch }) => touch('touchEnd', 0),
  },
  'turn the view': press('t'),
  'confirm a placing': {
    ready: async (one) => {
      await click(one, await tapSpot(one));
      if (!one.island) return { x: 640, y: 400 };
      await one.page.waitForSelector('.at-piece .confirm:enabled');
      await still(one.page);
      const { x, y, width, height } = await one.page.locator('.at-piece .confirm').boundingBox();
      return { x: x + width / 2, y: y + height / 2 };
    },
    act: async (one, at) => {
      const placed = one.island && (await one.page.evaluate(() => window.taluva.page().view.placing.placement.text));
      await click(one, at);
      if (placed) await one.place(placed);
    },
    after: (one) => one.island && one.takeBack(),
  },
  'choose a build': {
    ready: async (one) => {
      if (!one.island) return one.at[one.i % one.at.length];
      if (one.i === 0) await one.place(one.scene.moves.moves[0]);
      await one.page.waitForSelector('.choice');
      const all = await spots(one.page, '.spot-build, .spot-lit');
      return all[(one.i * 7) % all.length];
    },
    act: click,
  },
};

/** The pushes that lay a tile and take it up again. @param {any} page @param {any} scene @param {any} server */
function placings(page, scene, server) {
  const { state, moves } = scene;
  const { seat, tile } = state.table.turn;
  let seq = 100;
  let undo;
  const push = async (event, table, offered) => {
    scene.moves = offered;
    server.tell({ push: 'event', room: 'k3m9x0aq', seq: ++seq, at: 0, event, patch: { table } });
    await page.waitForFunction((wanted) => window.taluva.room().seq === wanted && (window.taluva.drawn?.() ?? true), seq);
  };
  return {
    place: async (text) => {
      const placement = readPlacement(text);
      const keys = footprint(placement).map(keyOf);
      const old = keys.map((key) => state.table.hexes[key]);
      const cells = placedCells(placement, old[0] ? readCell(old[0]).level + 1 : 1).map(writeCell);
      const hexes = Object.fromEntries(keys.map((key, i) => [key, cells[i]]));
      undo = { hexes: Object.fromEntries(keys.map((key, i) => [key, old[i] ?? null])), turn: { step: 'place', tile } };
      const builds = someBuilds({ table: { ...state.table, hexes: { ...state.table.hexes, ...hexes } } });
      await push({ kind: 'move', seat, move: text }, { hexes, turn: { step: 'build', tile: null } }, builds);
      await page.waitForSelector('.choice');
    },
    takeBack: async () => {
      await push({ kind: 'undone', seat }, undo, moves);
      await page.waitForSelector('.hand[data-mode=place]');
    },
  };
}

const EMPTY = `<!doctype html><title>empty</title><body tabindex="0" id="empty"><script>
  for (const kind of ['pointermove', 'pointerup', 'keydown', 'wheel']) addEventListener(kind, (event) => {
    if (event.type === 'wheel') event.preventDefault();
    document.body.style.background = document.body.style.background ? '' : 'rgb(250, 250, 250)'; }, { passive: false });
</script>`;

/** The input of an act that was painted last for a press, each of a continuous one. @param {any[]} inputs @param {boolean} continuous */
function timesOf(inputs, continuous) {
  if (continuous) return inputs.map(({ start, began, ended, painted }) => [painted - start, began - start, ended - began, painted - ended]);
  const slowest = inputs.sort((a, b) => b.painted - b.start - (a.painted - a.start))[0];
  if (!slowest) return [[16, 0, 0, 16]]; // shorter ones are not reported
  const { start, painted } = slowest;
  const together = inputs.filter((one) => Math.abs(one.start - start) < 1);
  const began = Math.min(...together.map((one) => one.began));
  const ended = Math.max(...together.map((one) => one.ended));
  return [[painted - start, began - start, ended - began, Math.max(0, painted - ended)]];
}

/** What the page does is recorded until the returned function is called, which says it. @param {any} client */
async function traced(client) {
  const events = [];
  const keep = ({ value }) => events.push(...value);
  client.on('Tracing.dataCollected', keep);
  await client.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories: ['devtools.timeline', 'disabled-by-default-devtools.timeline'] } });
  return async () => {
    const ended = new Promise((resolve) => client.once('Tracing.tracingComplete', resolve));
    await client.send('Tracing.end');
    await ended;
    client.off('Tracing.dataCollected', keep);
    return events;
  };
}

const INPUT_KINDS = ['pointerdown', 'pointerup', 'pointermove', 'click', 'keydown', 'keyup', 'mousedown', 'mouseup', 'wheel'];

/** What does not depend on what others do on the machine: how much was made anew, by what the browser says of its work. */
const COUNTS = {
  UpdateLayoutTree: ['elements styled', (/** @type {any} */ args) => args.elementCount],
  Layout: ['objects laid out', (/** @type {any} */ args) => args.beginData?.dirtyObjects],
};

/** The milliseconds of processor time from the last input up to the frame that follows it, in all and by what was done, and counts; and in all what
 * came after that. @param {any[]} events */
function workOf(events) {
  const inputs = events.filter(({ name, args }) => name === 'EventDispatch' && INPUT_KINDS.includes(args?.data?.type));
  const first = inputs.sort((a, b) => a.ts - b.ts).find(({ args }) => args.data.type !== 'pointermove' || inputs.every((one) => one.args.data.type === 'pointermove'));
  if (!first) return { all: 0, later: 0 };
  const thread = events.filter(({ pid, tid, ph, tdur }) => pid === first.pid && tid === first.tid && ph === 'X' && tdur !== undefined);
  const last = inputs.filter(({ ts }) => ts - first.ts < 100_000).at(-1);
  const frame = thread.filter(({ name, ts }) => name === 'Commit' && ts >= last.ts).sort((a, b) => a.ts - b.ts)[0];
  const until = frame ? frame.ts + frame.dur : Infinity;
  const work = { all: 0, later: 0 };
  for (const { name, ts, dur, tdur, args } of thread) {
    if (ts >= until && name === 'RunTask') work.later += tdur / 1000;
    if (ts + dur <= first.ts || ts >= until) continue;
    const [what, count] = COUNTS[name] ?? [];
    if (what) work[what] = (work[what] ?? 0) + (count(args) ?? 0);
    if (name === 'RunTask') work.all += tdur / 1000;
    else if (/^(EventDispatch|FireAnimationFrame|TimerFire|UpdateLayoutTree|Layout|PrePaint|Paint|Layerize|Commit|HitTest|RunMicrotasks)$/.test(name)) work[name] = (work[name] ?? 0) + tdur / 1000;
  }
  return work;
}

/** @param {any} page @param {any} more of the island, or nothing @param {number} budget_ms for all inputs together */
async function measure(page, more, budget_ms) {
  const island = Boolean(more);
  const begun = Date.now();
  const client = await page.context().newCDPSession(page);
  await page.evaluate(record);
  const found = {};
  for (const [which, [name, { ready, act, after, continuous = false }]] of wanted.entries()) {
    const end = begun + (budget_ms * (which + 1)) / wanted.length;
    let n = 0;
    const rows = [];
    const longest = [];
    const works = [];
    await page.evaluate((on) => {
      document.querySelector('.board, #empty').focus();
      window.continuous = on;
    }, continuous);
    for (let i = 0; i < times && (i < LEAST || Date.now() < end); i++, n++) {
      const one = { page, island, i, at: [{ x: 400, y: 400 }, { x: 640, y: 300 }, { x: 700, y: 500 }], ...more };
      const at = await ready?.(one);
      await rested(page, island);
      await page.evaluate(() => void window.taken());
      await client.send('Emulation.setCPUThrottlingRate', { rate: throttle });
      const recorded = values.work ? await traced(client) : null;
      await act(one, at);
      await reported(page);
      if (recorded) works.push(workOf(await recorded()));
      await client.send('Emulation.setCPUThrottlingRate', { rate: 1 });
      const [inputs, frames] = await page.evaluate(() => window.taken());
      rows.push(...timesOf(inputs, continuous));
      longest.push(Math.max(0, ...frames));
      await after?.(one, at);
    }
    console.error(`${island ? 'the island' : 'an empty page'}, ${name}: ${n} times, ${((Date.now() - begun) / 1000).toFixed(0)} s`);
    found[name] = { rows, longest, works };
  }
  return found;
}

const at = (/** @type {number[]} */ list, /** @type {number} */ part) => [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * part))] ?? NaN;

const wanted = Object.entries(INPUTS).filter(([name]) => !positionals.length || positionals.includes(name));
const files = await serveFiles();
const browser = await launchWhole();
const { scene, hexes, level } = largest();
const empty = await visitor(browser);
await empty.setContent(EMPTY);
const floor = await measure(empty, null, seconds * 1000 * EMPTY_PART);
await empty.context().close();
const page = await visitor(browser);
const server = await playServer(page, scene);
await page.goto(`${files.url}#/r/k3m9x0aq`);
await page.waitForSelector('.hand[data-mode=place]');
await still(page);
const ours = await measure(page, { scene, ...placings(page, scene, server) }, seconds * 1000 * (1 - EMPTY_PART));
const version = browser.version();
await browser.close();
files.close();

/** @param {{[what: string]: number}[]} works @returns {{[what: string]: number}} */
function medians(works) {
  const names = [...new Set(works.flatMap((work) => Object.keys(work)))];
  return Object.fromEntries(names.map((name) => [name, at(works.map((work) => work[name] ?? 0), 0.5)]));
}

const rows = wanted.map(([input]) => {
  const [total, ...parts] = [0, 1, 2, 3].map((i) => ours[input].rows.map((row) => row[i]));
  const bare = floor[input].rows.map(([all]) => all);
  return {
    input,
    times: total.length,
    empty_ms: [at(bare, 0.5), at(bare, 0.98)],
    ours_ms: [at(total, 0.5), at(total, 0.98)],
    parts_ms: parts.map((list) => at(list, 0.5)),
    work_ms: medians(ours[input].works),
    empty_work_ms: medians(floor[input].works).all,
    frame_ms: [at(ours[input].longest, 0.5), at(ours[input].longest, 0.98)],
  };
});
if (values.json) console.log(JSON.stringify({ tiles: 60, hexes, level, throttle, chromium: version, cpu: cpus()[0].model, cores: cpus().length, rows }));
else {
  console.log(`input to next paint, milliseconds, median and 98th percentile: ${hexes} hexes of 60 tiles, up to level ${level};`);
  console.log(`Chromium ${version}, processor ${throttle} times slower, ${cpus().length} × ${cpus()[0].model}\n`);
  const pair = (/** @type {number[]} */ list) => list.map((ms) => ms.toFixed(0).padStart(5)).join('');
  console.log('input                  n      empty       ours   waits handles paints (medians)   longest frame (0: none above 50)');
  for (const { input, times: n, empty_ms, ours_ms, parts_ms, frame_ms, work_ms, empty_work_ms } of rows) {
    const parts = parts_ms.map((ms) => ms.toFixed(0).padStart(7)).join('');
    console.log(`${input.padEnd(20)} ${String(n).padStart(3)} ${pair(empty_ms)} ${pair(ours_ms)} ${parts}                 ${pair(frame_ms)}`);
    const parts_of = Object.entries(work_ms).map(([what, ms]) => `${what} ${ms.toFixed(1)}`);
    if (values.work) console.log(`    computed: ${parts_of.join(', ')}; on the empty page ${empty_work_ms?.toFixed(1)}`);
  }
}
