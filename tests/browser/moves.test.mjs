// The list of moves beside the replay: turns and what was done in words, the one that is shown marked and in sight; by mouse, finger and
// keys, for either game, on every screen.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { findings } from './lib/axe.mjs';
import { launch, visitor } from './lib/chromium.mjs';
import { faults } from './lib/fits.mjs';
import { atNight, NIGHT } from './lib/night.mjs';
import { scenes } from './lib/scenes.mjs';
import { playServer, serveFiles } from './lib/stage.mjs';
import { scenes as totem } from './lib/totem.mjs';
import { readGames, VECTORS } from './lib/vectors.mjs';
import { done } from './lib/visit.mjs';

const game = readGames(VECTORS).find(({ id }) => id === 'base-builder-102');
const TOUCH = { hasTouch: true, isMobile: true };
let browser, files;
before(async () => {
  files = await serveFiles();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  files?.close();
});

/** The replay of a match that is over. @param {any} [options] @param {any} [scene] */
async function replay(options = {}, scene = scenes.analysed()) {
  const page = await visitor(browser, { reducedMotion: 'reduce', ...options });
  await playServer(page, scene);
  await page.goto(`${files.url}#/r/k3m9x0aq`);
  await page.click('.result button:has-text("Replay"), .result .actions .plain >> nth=0');
  await page.waitForSelector('.replay:not([hidden])');
  return page;
}

const list = (page) => page.waitForSelector('.moves:not([hidden])');
const current = (page) => page.$$eval('.step[aria-current=step]', (all) => all.map(({ textContent }) => textContent));
const step = (page) => page.inputValue('.replay input');

/** Whether the entry that is marked can be seen. @param {any} page */
const inSight = (page) =>
  page.evaluate(() => {
    const [body, at] = ['.moves .body', '.step[aria-current]'].map((one) => document.querySelector(one).getBoundingClientRect());
    return at.top >= body.top - 1 && at.bottom <= body.bottom + 1;
  });

test('every turn has a heading, every move words, and what is shown is marked and in sight', async () => {
  const page = await replay();
  await list(page);
  const headings = await page.$$eval('.moves h3 > span', (all) => all.map(({ textContent }) => textContent));
  assert.equal(headings.length, game.turns.length);
  assert.equal(headings[11], `Turn 12: ${['Ana', 'Bo', 'Chi', 'Dee'][game.turns[11].seat]}`);
  const steps = await page.$$eval('.step', (all) => all.map(({ textContent }) => textContent));
  const stops = await page.evaluate(() => window.taluva.page().replay.stops.length);
  assert.equal(steps.length, stops);
  for (const words of steps) assert.ok(words.length > 3 && !/[{@]|undefined/.test(words), words);
  assert.ok(steps.some((words) => /^Eruption .*, level 2: .*; \d huts? of \w+ crushed$/.test(words)), 'what an eruption crushes');
  assert.ok(steps.some((words) => /^Expand over \w+ .*, \d huts?$/.test(words)), 'how many huts');
  for (const at of [0, 40, stops - 1, 20]) {
    await page.locator('.replay input').fill(String(at));
    assert.deepEqual(await current(page), [steps[at]]);
    assert.ok(await inSight(page), `step ${at}`);
  }
  await done(page);
});

test('a press on a move shows it; the list can be closed and opened again', async () => {
  const page = await replay();
  await list(page);
  await page.click('.step >> nth=9');
  assert.equal(await step(page), '9');
  const hexes = await page.evaluate(() => window.taluva.page().view.board.island.hexes.size);
  assert.ok(hexes > 6 && hexes < 30, `${hexes}`);
  await page.click('.moves header button');
  assert.ok(await page.isHidden('.moves'));
  assert.equal(await page.getAttribute('.replay .listed', 'aria-pressed'), 'false');
  await page.click('.replay .listed');
  assert.ok(await page.isVisible('.moves'));
  await page.click('.replay button >> nth=-1');
  assert.ok(await page.isHidden('.moves'), 'it goes with the replay');
  await page.waitForSelector('.result');
  await done(page);
});

atNight('it goes with the match and with the view: what is played after the replay was closed, and what places are called', async () => {
  const page = await replay();
  await list(page);
  const steps = () => page.$$eval('.step', (all) => all.map(({ textContent }) => textContent));
  const all = await steps();
  await page.click('.replay button >> nth=-1');
  await page.evaluate(() => {
    const { past } = window.taluva.room();
    past.push({ ...past.at(-1), seq: past.at(-1).seq + 1 });
  });
  await page.evaluate(() => window.taluva.page().startReplay());
  await list(page);
  const longer = await steps();
  assert.equal(longer.length, all.length + 1);
  await page.focus('.step[aria-current]');
  await page.evaluate(() => window.taluva.page().view.board.turnBy(2));
  await page.waitForFunction((old) => [...document.querySelectorAll('.step')].some(({ textContent }, at) => textContent !== old[at]), longer);
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute('aria-current')), 'step', 'the focus stays');
  await done(page);
});

atNight('by keys: one stop of Tab, arrows from move to move; read once', async () => {
  const page = await replay();
  await list(page);
  assert.equal(await page.locator('.moves .body [tabindex="0"]').count(), 1);
  await page.focus('.step[aria-current]');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  assert.equal(await step(page), '2');
  const focused = () => page.evaluate(() => document.activeElement.textContent);
  assert.deepEqual([await focused()], await current(page));
  await page.keyboard.press('End');
  assert.equal(await step(page), await page.getAttribute('.replay input', 'max'));
  assert.ok(await inSight(page));
  await page.keyboard.press('Home');
  assert.equal(await step(page), '0');
  assert.equal(await page.locator('.moves .body [tabindex="0"]').count(), 1);
  assert.deepEqual(await findings(page), []);
  const live = () => page.textContent('#live');
  const before = await live();
  await page.keyboard.press('ArrowDown');
  await page.focus('.replay button[aria-label="One step forward"]');
  await page.keyboard.press('Enter');
  await page.waitForFunction((old) => document.querySelector('#live').textContent !== old, before);
  const [entry] = await page.$$eval('.step', (all) => [all[1].textContent]);
  assert.ok(!(await live()).includes(entry), 'what the list read is not said again');
  await done(page);
});

atNight('the marks of the analysis show in the list', async () => {
  const page = await replay();
  await list(page);
  assert.equal(await page.locator('.moves .sign').count(), 0);
  await page.click('.replay .analyse');
  await page.waitForSelector('.analysis .points');
  assert.ok(await page.isHidden('.moves'), 'one at a time');
  await page.click('.replay .listed');
  assert.ok(await page.isHidden('.analysis'));
  assert.deepEqual(await page.$$eval('.moves .sign', (all) => all.map(({ textContent }) => textContent)), ['?? blunder', '? mistake', '! good']);
  const marked = await page.$$eval('.moves h3:has(.sign) > span', (all) => all.map(({ textContent }) => textContent.match(/\d+/)[0]));
  assert.deepEqual(marked, ['12', '18', '25']);
  await done(page);
});

atNight('a sheet under the board on a phone, beside it when the phone lies on its side', async () => {
  for (const [viewport, beside] of [[{ width: 390, height: 844 }, false], [{ width: 844, height: 390 }, true]]) {
    const page = await replay({ viewport, ...TOUCH });
    await list(page);
    await page.locator('.replay input').fill('20');
    const [moves, stage, bar] = await Promise.all(['.moves', '.stage', '.replay'].map((part) => page.locator(part).boundingBox()));
    if (beside) assert.ok(moves.x >= bar.x + bar.width && moves.width < viewport.width / 2);
    else assert.ok(moves.y >= stage.y + stage.height - 1 && moves.height < viewport.height / 2);
    assert.ok(await inSight(page));
    await page.tap('.step[aria-current]');
    assert.equal(await step(page), '20');
    await page.tap('.replay .listed');
    assert.ok(await page.isHidden('.moves'));
    await done(page);
  }
});

for (const [screen, locale] of [[[390, 844], 'fr-FR'], [[844, 390], 'zh-TW'], [[320, 568], 'fr-FR'], [[1280, 800], 'zh-CN']].slice(NIGHT ? 0 : 2, NIGHT ? 4 : 3))
  test(`it fits: ${screen.join(' by ')}, ${locale}`, async () => {
    const [width, height] = screen;
    const page = await replay({ viewport: { width, height }, locale, ...(width < 900 ? TOUCH : {}) });
    await list(page);
    await page.locator('.replay input').fill('20');
    assert.deepEqual(await faults(page, 44), []);
    await done(page);
  });

atNight('Totem: by rounds and phases, and as whoever looks knew it', async () => {
  const page = await replay({}, totem.lookback());
  assert.ok(await page.isVisible('.moves'));
  const headings = await page.$$eval('.moves h3 > span', (all) => all.map(({ textContent }) => textContent));
  assert.ok(headings.length && headings.every((one) => /^Round \d · \w+$/.test(one)), headings.join());
  await page.click('.step:has-text("Bo places empty cradles of Green on Blue hut 1.")');
  assert.equal(await step(page), '1');
  await page.selectOption('.replay .eyes', 'watcher');
  await page.waitForSelector('.step[aria-current]:has-text("Bo places a spell of Green on Blue hut 1.")');
  assert.equal(await page.locator('.step:has-text("empty cradles")').count(), 0);
  await done(page);
});
