// Looking back at a match of Totem that is over: everything shown, as each player saw it, as a watcher did; and never before.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';

import { findings } from './lib/axe.mjs';
import { leave, visitor } from './lib/chromium.mjs';
import { faults } from './lib/fits.mjs';
import { Fixture, makeTable, ready, start } from './lib/fixture.mjs';
import { NIGHT, someOf } from './lib/night.mjs';
import { dice, shown } from './lib/player.mjs';
import { scenes as taluva } from './lib/scenes.mjs';
import { playServer, serveFiles } from './lib/stage.mjs';
import { ROOM, scenes } from './lib/totem.mjs';
import { asked, byMouse, decide, tabTo } from './lib/totemplayer.mjs';

const fixture = new Fixture();
/** The pages that a test has opened with a mock server. */
const alone = [];
let files;
before(async () => {
  files = await serveFiles();
  await fixture.open();
});
afterEach(async () => {
  for (const page of alone.splice(0)) await leave(page); // a page that nobody looks at costs as much as one that is looked at
});
after(async () => {
  files?.close();
  await fixture.close();
});

/** The replay of a match that a mock server tells. @param {any} [options] @param {any} [scene] */
async function open(options = {}, scene = scenes.lookback()) {
  const page = await visitor(fixture.browser, { reducedMotion: 'reduce', ...options });
  alone.push(page);
  const server = await playServer(page, scene);
  await page.goto(files.url + ROOM);
  await page.click('.result .actions button >> nth=0');
  await page.waitForSelector('.replay:not([hidden])');
  await shown(page);
  return { page, ...server };
}

/** Goes to a step. @param {any} page @param {number} step */
async function goTo(page, step) {
  await page.locator('.replay input').fill(String(step));
  await shown(page);
}

/** Chooses whose eyes, and waits for it. @param {any} page @param {string} as */
async function look(page, as) {
  await page.selectOption('.replay .eyes', as);
  await page.waitForFunction((eyes) => window.taluva.page().replayed.as === eyes && window.taluva.drawn(), as);
}

/** The chips on a hut: owner and spell as far as it is told, and how it is drawn. @param {any} page @param {string} hut */
const chips = (page, hut) =>
  page.$$eval(`.hut[data-hut=${hut}] .chip`, (all) =>
    all.map((one) => `${one.getAttribute('data-chip')} ${one.querySelector('.chip-back') ? 'back' : one.matches('.is-told') ? 'told' : 'up'}`),
  );

const hints = (page) => page.$$eval('.hand .totem-body .hint', (all) => all.map((one) => one.textContent));

test('everything is shown at first: chips turned, spells that are laid aside, notes', async () => {
  const { page, asked: requests } = await open();
  assert.deepEqual(
    await page.$$eval('.replay .eyes option', (all) => all.map((one) => one.textContent)),
    ['Everything', 'As Ana saw it', 'As Bo saw it', 'As Cy saw it', 'As Di saw it', 'As watchers saw it'],
  );
  assert.equal(await page.inputValue('.replay .eyes'), 'server');
  assert.deepEqual(await hints(page), [
    'Red has laid aside: abundance and girls.',
    'Green has laid aside: empty cradles.',
    'Blue has laid aside: boys.',
  ]);
  await goTo(page, 2);
  assert.deepEqual(await chips(page, 'R1'), ['RT told', 'BF told']);
  assert.deepEqual(await chips(page, 'B1'), ['GI up']);
  await goTo(page, 3);
  assert.deepEqual(await hints(page), [
    'Red has written: twins: Red hut 1 and health: Green hut 2.',
    'Green has written: no spell.',
    'Blue has written: sniffles: Yellow hut 3.',
  ]);
  assert.equal(await page.locator('.hand [data-focus=undo]').count(), 0, 'nothing is taken back in the past');
  await goTo(page, 4);
  assert.deepEqual(await hints(page), ['Green has written: Blue hut 1: 1 boy; Blue hut 3: 1 young woman.']);
  assert.ok(requests.some(({ op, as }) => op === 'past' && as === 'server'));
  assert.deepEqual(page.troubles, []);
});

test('as each player and as watchers saw it, at the same step; each is asked for once', async () => {
  const { page, asked: requests } = await open();
  await goTo(page, 2);
  await look(page, '1');
  assert.equal(await page.inputValue('.replay input'), '2');
  assert.deepEqual(await chips(page, 'R1'), ['R back', 'B back']);
  assert.deepEqual(await chips(page, 'R2'), ['GP told']);
  await look(page, 'watcher');
  assert.deepEqual(await chips(page, 'R2'), ['G back']);
  assert.deepEqual(await hints(page), []);
  await look(page, '0');
  assert.deepEqual(await chips(page, 'R1'), ['RT back', 'B back'], 'one’s own lie as they lay');
  assert.equal(await page.locator('.hut[data-hut=R1] .peek').count(), 1);
  await look(page, '1');
  await look(page, 'server');
  const eyes = requests.filter(({ op, as }) => op === 'past' && as !== undefined).map(({ as }) => as);
  assert.deepEqual(eyes, ['server', 1, 'watcher']);
  assert.deepEqual(page.troubles, []);
});

test('there is nothing to choose before the end, nor where nothing was hidden', async () => {
  const early = await visitor(fixture.browser, { reducedMotion: 'reduce' });
  await playServer(early, scenes.reveal());
  await early.goto(files.url + ROOM);
  await early.waitForSelector('.quarter');
  await early.evaluate(() => window.taluva.page().startReplay());
  await early.waitForSelector('.replay:not([hidden])');
  assert.ok(await early.isHidden('.replay .eyes'));
  const { page } = await open({}, taluva.counted());
  assert.ok(await page.isHidden('.replay .eyes'));
  await page.click('.replay [aria-label="Leave the replay"]');
  assert.deepEqual([...early.troubles, ...page.troubles], []);
});

test('by keys, and heard', async () => {
  const { page } = await open();
  await goTo(page, 0);
  await tabTo(page, '.replay .eyes');
  const step = () => page.inputValue('.replay input');
  await page.keyboard.press('ArrowDown');
  await page.waitForFunction(() => window.taluva?.page().replayed.as === '0');
  assert.equal(await step(), '0', 'arrows choose here');
  await page.keyboard.press('ArrowUp');
  await page.waitForFunction(() => window.taluva?.page().replayed.as === 'server');
  await tabTo(page, '.replay [aria-label="One step forward"]');
  await page.keyboard.press('Enter');
  assert.equal(await step(), '1');
  await page.waitForFunction(() => document.body.textContent.includes('Bo places empty cradles of Green on Blue hut 1.'));
  await look(page, 'watcher');
  await page.waitForFunction(() => document.body.textContent.includes('Bo places a spell of Green on Blue hut 1.'));
  assert.deepEqual(await findings(page), []);
  await tabTo(page, '.board');
  await page.keyboard.press('ArrowRight');
  const label = () => page.$eval('.village .cursor [role=img]', (at) => at.getAttribute('aria-label'));
  assert.match(await label(), /face down/);
  assert.deepEqual(page.troubles, []);
});

test('what the server refuses is told, and the eyes stay', async () => {
  const scene = scenes.lookback();
  const { page } = await open({}, {
    ...scene,
    past: (have, as) => (as === 2 ? [] : scene.past(have, as)), // an answer that cannot be
  });
  await page.selectOption('.replay .eyes', '2');
  await page.waitForFunction(() => document.querySelector('.replay .eyes').value === 'server');
  assert.equal(await page.evaluate(() => window.taluva.page().replayed.as), 'server');
});

const LOCALES = ['en-GB', 'fr-FR', 'zh-CN'];
const SCREENS = { small: [320, 640], phone: [390, 844], sideways: [740, 360], narrow: [920, 700], wide: [1280, 800] };
// At every change two of them in one language each; at night all of it.
for (const [at, [screen, viewport]] of Object.entries(someOf(SCREENS, 'small', 'wide')).entries())
  test(`it fits: ${screen}`, async () => {
    const [width, height] = viewport;
    const touch = width < 900 ? { hasTouch: true, isMobile: true } : {};
    for (const locale of process.env.EVERYTHING || (NIGHT && screen === 'small') ? LOCALES : [LOCALES[at % LOCALES.length]]) {
      const { page } = await open({ viewport: { width, height }, locale, ...touch });
      for (const step of [0, 2, 3]) {
        await goTo(page, step);
        assert.deepEqual(await faults(page, 44), [], `${locale}, step ${step}`);
        const [bar, stage] = await Promise.all(['.replay', '.stage'].map((part) => page.locator(part).boundingBox()));
        assert.ok(bar.x >= stage.x && bar.x + bar.width <= stage.x + stage.width + 0.5, `${locale}: the bar lies over its picture alone`);
        for (const part of await page.locator('.replay > :not([hidden])').all()) {
          const box = await part.boundingBox();
          if (box) assert.ok(box.x >= bar.x - 0.5 && box.x + box.width <= bar.x + bar.width + 0.5, `${locale}: all parts are in the bar`);
        }
      }
      await leave(page);
    }
  });

test('a real match: refused while it goes on, everything afterwards, and the next one keeps its secrets', async () => {
  const ana = await fixture.visit('Ana');
  await ana.click('#new-table');
  await ana.selectOption('.create .game-choice select', 'totem');
  await ana.waitForSelector('.create input[name=totem_a]', { state: 'attached' });
  await makeTable(ana, { Players: '3', 'Last round': '6' });
  for (const seat of [1, 2]) await ana.click(`[data-focus=bot-${seat}]`);
  await ready(ana);
  await start(ana);
  const random = dice(41);
  const refusal = (as) => ana.evaluate((eyes) => window.taluva.room().ask('past', { have: 0, as: eyes }).then(() => '', (error) => error.code), as);
  for (let kind = ''; kind !== 'cast' && kind !== 'over'; ) kind = await decide(ana, random, byMouse(ana));
  for (const as of ['server', 'watcher', 1]) assert.equal(await refusal(as), 'not_over');
  assert.equal(await refusal(0), '');
  assert.equal(await refusal(7), 'unknown_seat');
  await ana.evaluate(() => window.taluva.room().ask('resign'));
  assert.equal(await asked(ana), 'over');
  await ana.click('.result button:has-text("Replay")');
  await ana.waitForSelector('.replay:not([hidden])');
  const { own, all, last } = await ana.evaluate(() => {
    const { room, page } = window.taluva;
    const mine = (past) => past.map(({ state }) => Object.keys(state.table?.mine ?? {}).join(''));
    return { own: mine(room().past), all: mine(page().replayed.past), last: [room().past, page().replayed.past].map((past) => past.at(-1).seq) };
  });
  assert.equal(last[0], last[1]);
  assert.equal(own.length, all.length);
  assert.ok(own.every((families) => families === '' || families === 'R'), own.join());
  assert.ok(all.some((families) => families.length > 1), all.join());
  const step = await ana.evaluate(() => {
    const { replay, replayed } = window.taluva.page();
    return replay.stops.findIndex((stop) => Object.values(replayed.past[stop].state.table.mine ?? {}).some(({ down }) => down));
  });
  await goTo(ana, step);
  assert.ok((await ana.locator('.chip.is-told').count()) > 0);
  await look(ana, 'watcher');
  assert.equal(await ana.locator('.chip.is-told').count(), 0);
  await ana.click('.replay [aria-label="Leave the replay"]');
  const first = await ana.evaluate(() => window.taluva.room().id);
  await ana.click('.result button:has-text("Rematch")');
  // Against computers alone it has begun.
  await ana.waitForFunction((first) => window.taluva.room()?.id !== first && window.taluva.room()?.state.phase === 'playing', first);
  for (const as of ['server', 'watcher', 1]) assert.equal(await refusal(as), 'not_over');
});
