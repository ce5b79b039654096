// Measures the time from an input until its effect is on the screen, on the largest island, and for comparison on an empty page
// that gets the same inputs. Measured by Chromium: from the creation of the event to the presentation of the frame.
//
// usage: bench.mjs [--json] [RUNS] [INPUT...]     all inputs if none is named

import { cpus } from 'node:os';

import { launch, visitor } from './lib/chromium.mjs';
import { largest } from './lib/scenes.mjs';
import { playServer, serveFiles } from './lib/stage.mjs';

const json = process.argv.includes('--json');
const words = process.argv.slice(2).filter((word) => word !== '--json');
const runs = Number(words.find((word) => /^\d+$/.test(word)) ?? 5);
const wanted = words.filter((word) => !/^\d+$/.test(word));

/** The inputs, and the events of Chromium that are measured for each. The view turns, or fades where reduced motion is
 * set; `anew` also waits until the island is drawn from its other side. */
const INPUTS = {
  'move the tile': {
    event: 'MOUSE_MOVED_EVENT',
    act: (page, i) => page.mouse.move(480 + i * 13, 300 + (i % 7) * 9),
    times: 24,
    rest: 50,
  },
  'turn the tile': { event: 'KEY_PRESSED', act: (page) => page.keyboard.press('r'), times: 12, rest: 100 },
  'put it down': {
    event: 'MOUSE_RELEASED',
    act: (page, i) => page.mouse.click(300 + i * 50, 640),
    times: 8,
    rest: 220,
  },
  'walk by key': { event: 'KEY_PRESSED', act: (page) => page.keyboard.press('ArrowRight'), times: 12, rest: 100 },
  'drag the island': {
    event: 'MOUSE_DRAGGED',
    drag: true,
    act: (page, i) => page.mouse.move(420 + i * 5, 720 - i * 4),
    times: 24,
    rest: 50,
  },
  zoom: { event: 'KEY_PRESSED', act: (page, i) => page.keyboard.press(i % 2 ? '+' : '-'), times: 8, rest: 260 },
  'begin to turn': { event: 'KEY_PRESSED', act: (page) => page.keyboard.press('t'), times: 6, rest: 450 },
  'turn, no motion': {
    event: 'KEY_PRESSED',
    motion: 'reduce',
    anew: true,
    act: (page) => page.keyboard.press('t'),
    times: 6,
    rest: 300,
  },
};

if (wanted.length) for (const name of Object.keys(INPUTS)) if (!wanted.includes(name)) delete INPUTS[name];

/** Latencies in milliseconds of one kind of event in a trace. @param {Buffer} trace @param {string} kind */
function latencies(trace, kind) {
  const events = JSON.parse(trace.toString()).traceEvents.filter(({ name }) => name === 'EventLatency');
  const begun = new Map();
  const found = [];
  for (const event of events.sort((a, b) => a.ts - b.ts)) {
    const id = event.id2?.local;
    if (event.ph === 'b') begun.set(id, event);
    else if (begun.get(id)?.args?.event_latency?.event_type === kind) found.push((event.ts - begun.get(id).ts) / 1000);
  }
  return found;
}

/** Milliseconds from a key press until the page has redrawn the whole island, without the compositor's painting; on the
 * empty page, until the next frame. @param {any} page @param {any} act @param {number} times @param {number} rest */
async function drawnAnew(page, act, times, rest) {
  await page.evaluate(() => {
    window.drawn = [];
    let pressed = 0;
    const done = () => requestAnimationFrame(() => setTimeout(() => window.drawn.push(performance.now() - pressed)));
    addEventListener('keydown', (event) => (pressed = event.timeStamp), { capture: true });
    if (window.taluva) window.taluva.page().view.board.turned.add(done);
    else addEventListener('keydown', done);
  });
  for (let i = 0; i < times; i++) {
    await act(page, i);
    await page.waitForTimeout(rest);
  }
  return page.evaluate(() => window.drawn);
}

/** @param {import('playwright-core').Browser} browser @param {import('playwright-core').Page} page */
async function measure(browser, page) {
  const found = {};
  for (const [name, { event, act, times, rest, drag, anew, motion = 'no-preference' }] of Object.entries(INPUTS)) {
    await page.emulateMedia({ reducedMotion: motion });
    await page
      .locator('[tabindex]')
      .first()
      .evaluate((element) => element.ownerDocument.querySelector('.board, #empty').focus());
    if (drag) {
      await page.mouse.move(420, 720);
      await page.mouse.down();
    }
    await browser.startTracing(page, { categories: ['cc', 'benchmark', 'input', 'input.scrolling'] });
    for (let i = 0; i < times; i++) {
      await act(page, i);
      await page.waitForTimeout(rest);
    }
    found[name] = latencies(await browser.stopTracing(), event);
    if (anew) found[`${name}, drawn`] = await drawnAnew(page, act, times, rest);
    if (drag) await page.mouse.up();
    await page.waitForTimeout(300);
  }
  return found;
}

const EMPTY = `<!doctype html><title>empty</title><body tabindex="0" id="empty"><script>
  for (const kind of ['pointermove', 'pointerup', 'keydown']) addEventListener(kind, () => { document.title = String(Math.random());
    document.body.style.background = document.body.style.background ? '' : 'rgb(250, 250, 250)'; });
</script>`;

const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1] ?? NaN;
const high = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length * 0.95)] ?? NaN;

const files = await serveFiles();
const browser = await launch();
const { scene, hexes, level } = largest();
/** @type {{[name: string]: {floor: number[], ours: number[], medians: number[]}}} */
const names = Object.entries(INPUTS).flatMap(([name, { anew }]) => (anew ? [name, `${name}, drawn`] : [name]));
const table = Object.fromEntries(names.map((name) => [name, { floor: [], ours: [], medians: [] }]));
for (let run = 0; run < runs; run++) {
  const empty = await visitor(browser);
  await empty.setContent(EMPTY);
  const floor = await measure(browser, empty);
  await empty.context().close();
  const page = await visitor(browser);
  await playServer(page, scene);
  await page.goto(`${files.url}#/r/k3m9x0aq`);
  await page.waitForSelector('.hand[data-mode=place]');
  await page.waitForTimeout(500);
  const ours = await measure(browser, page);
  await page.context().close();
  for (const [name, row] of Object.entries(table)) {
    row.floor.push(...floor[name]);
    row.ours.push(...ours[name]);
    row.medians.push(median(ours[name]));
  }
}
const version = browser.version();
await browser.close();
files.close();

const rows = Object.entries(table).map(([input, { floor, ours, medians }]) => ({
  input,
  floor_ms: median(floor),
  median_ms: median(ours),
  spread_ms: [Math.min(...medians), Math.max(...medians)],
  p95_ms: high(ours),
  ratio: median(ours) / median(floor),
}));
if (json) {
  console.log(
    JSON.stringify({
      tiles: 60,
      hexes,
      level,
      runs,
      chromium: version,
      cpu: cpus()[0].model,
      cores: cpus().length,
      rows,
    }),
  );
} else {
  console.log(
    `input to screen, milliseconds: ${hexes} hexes of 60 tiles, up to level ${level}; Chromium ${version} without a GPU`,
  );
  console.log(`${cpus().length} × ${cpus()[0].model}, ${runs} runs\n`);
  console.log(`${'input'.padEnd(22)}  empty  median  of runs        p95  ratio`);
  for (const { input, floor_ms, median_ms, spread_ms, p95_ms, ratio } of rows) {
    const spread = spread_ms.map((ms) => ms.toFixed(0)).join('–');
    console.log(
      `${input.padEnd(22)}  ${floor_ms.toFixed(1).padStart(5)}  ${median_ms.toFixed(1).padStart(6)}  ${spread.padEnd(10)}  ${p95_ms.toFixed(1).padStart(6)}  ${ratio.toFixed(1).padStart(5)}`,
    );
  }
}
