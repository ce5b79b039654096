// Sounds of wood and stone: each is one of its own, and they tell what happens now, to whoever has switched them on.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { launch, visitor } from './lib/chromium.mjs';
import { heard, listen, until } from './lib/heard.mjs';
import { atNight } from './lib/night.mjs';
import { scenes, somePlacements } from './lib/scenes.mjs';
import { playServer, serveFiles } from './lib/stage.mjs';
import { readGames, stateAfter, VECTORS } from './lib/vectors.mjs';
import { done } from './lib/visit.mjs';

const game = readGames(VECTORS).find(({ id }) => id === 'base-builder-102');
const ROOM = 'k3m9x0aq';
let browser, files;
before(async () => {
  files = await serveFiles();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  files?.close();
});

/** A half of a turn as a push. @param {number} turns @param {boolean} building @param {number} seq */
function half(turns, building, seq) {
  const to = building ? stateAfter(game, turns + 1) : stateAfter(game, turns, true);
  const { seat, place, build } = game.turns[turns];
  const table = { ...to.table, turn: { tile: null, ...to.table.turn } };
  return { push: 'event', room: ROOM, seq, at: 0, event: { kind: 'move', seat, move: building ? build : place }, patch: { table, acting: to.acting } };
}

/** A table whose sounds are on, with something pressed. @param {any} scene @param {any} [options] */
async function table(scene, options = {}) {
  const page = await visitor(browser, { reducedMotion: 'reduce', ...options });
  await listen(page);
  await page.addInitScript((sound) => sound && localStorage.setItem('taluva.sound', sound), options.sound ?? 'on');
  Object.assign(page, await playServer(page, scene));
  await page.goto(`${files.url}#/r/${ROOM}`);
  await page.waitForSelector('.board .hex');
  await page.keyboard.press('z');
  return page;
}

/** @param {any} page @param {any[]} pushes */
async function tell(page, ...pushes) {
  for (const push of pushes) page.tell(push);
  const { seq } = pushes.at(-1);
  if (seq) await page.waitForFunction((wanted) => window.taluva.room().seq === wanted, seq);
}

const turn = game.turns.findIndex(({ seat, build }, i) => i > 4 && seat !== 0 && build.startsWith('hut'));
const extension = { state: stateAfter(game, turn), seat: game.turns[turn + 1].seat, moves: somePlacements(stateAfter(game, turn)) };

test('each sound can be heard, is not too loud, ends within a second, and is like no other', async () => {
  const page = await visitor(browser);
  await playServer(page, scenes.rooms());
  await page.goto(files.url);
  const found = await page.evaluate(async () => {
    const [{ render, VOICES }, { default: own }] = await Promise.all([import('/js/synth.js'), import('/js/games/taluva/sounds.js')]);
    const sounds = {};
    for (const [name, strikes] of Object.entries({ ...VOICES, ...own })) {
      const buffer = await render(strikes);
      const samples = buffer.getChannelData(0);
      const windows = Array.from({ length: 20 }, (_, i) => {
        const part = samples.subarray(i * 2205, (i + 1) * 2205);
        const crossings = part.reduce((sum, value, at) => sum + (at && value < 0 !== part[at - 1] < 0 ? 1 : 0), 0);
        return [Math.sqrt(part.reduce((sum, value) => sum + value * value, 0) / (part.length || 1)), crossings / 2205];
      });
      sounds[name] = {
        peak: samples.reduce((most, value) => Math.max(most, Math.abs(value)), 0),
        end: Math.abs(samples.at(-1)),
        seconds: buffer.duration,
        finite: samples.every(Number.isFinite),
        windows,
      };
    }
    return sounds;
  });
  const names = Object.keys(found);
  assert.deepEqual(names.sort(), ['boat', 'eruption', 'hurry', 'hut', 'lost', 'message', 'move', 'over', 'temple', 'tile', 'tower', 'turn', 'won']);
  for (const [name, { peak, end, seconds, finite }] of Object.entries(found)) {
    assert.ok(finite, name);
    assert.ok(peak > 0.1 && peak < 1, `${name}: as loud as ${peak}`);
    assert.ok(end < 0.02, `${name}: it does not end with a click: ${end}`);
    assert.ok(seconds <= 1, `${name}: ${seconds} s`);
  }
  for (const [i, one] of names.entries())
    for (const other of names.slice(i + 1)) {
      const distance = found[one].windows.reduce((sum, [loud, high], at) => {
        const [loud2, high2] = found[other].windows[at];
        return sum + Math.abs(loud - loud2) + Math.abs(high - high2);
      }, 0);
      assert.ok(distance > 0.1, `${one} is like ${other}: ${distance}`);
    }
  await done(page);
});

test('a turn of somebody else is heard as it is played, and then that it is one’s own', async () => {
  const page = await table(extension);
  await tell(page, half(turn, false, 101));
  assert.deepEqual(await until(page, 'tile'), ['tile']);
  await tell(page, half(turn, true, 102));
  assert.deepEqual(await until(page, 'turn'), ['hut', 'turn']);
  await done(page);
});

atNight('eruptions, towers and temples have sounds of their own, an expansion one for each hut, but not many', async () => {
  for (const [wanted, name, count] of [
    [({ build }) => build.startsWith('temple'), 'temple', 1],
    [({ build }) => build.startsWith('tower'), 'tower', 1],
    [({ build }, i) => build.startsWith('expand') && Object.keys(stateAfter(game, i + 1).table.hexes).some((key) => stateAfter(game, i + 1).table.hexes[key] !== stateAfter(game, i, true).table.hexes[key]), 'hut', 4],
  ]) {
    const at = game.turns.findIndex(wanted);
    assert.ok(at > 0, name);
    const page = await table({ state: stateAfter(game, at, true) });
    await tell(page, half(at, true, 101));
    const sounds = await until(page, name);
    assert.ok(sounds.every((one) => one === name) && sounds.length <= count, sounds.join());
    await done(page);
  }
  const at = game.turns.findIndex(({ place }, i) => i > 4 && Object.keys(stateAfter(game, i, true).table.hexes).length < Object.keys(stateAfter(game, i).table.hexes).length + 3 && place);
  const page = await table({ state: stateAfter(game, at) });
  await tell(page, half(at, false, 101));
  assert.deepEqual(await until(page, 'eruption'), ['eruption']);
  await done(page);
});

test('what was missed is not played again: many moves at once are silent', async () => {
  const page = await table(extension);
  const missed = [half(turn, false, 101), half(turn, true, 102), half(turn + 1, false, 103), half(turn + 1, true, 104)];
  await page.evaluate((pushes) => {
    const room = window.taluva.room();
    room.caughtUpAt = 104; // as after a lost connection
    for (const push of pushes) room.apply(push);
  }, missed);
  await page.waitForFunction(() => window.taluva?.room().seq === 104);
  page.tell({ push: 'said', room: ROOM, seat: 1, name: 'Bo', text: 'back?' });
  const sounds = await until(page, 'message');
  assert.deepEqual(sounds.filter((name) => ['tile', 'hut', 'eruption', 'tower', 'temple'].includes(name)), []);
  await done(page);
});

test('messages of others are heard, one’s own are not', async () => {
  const page = await table(extension);
  const said = (seat) => ({ push: 'said', room: ROOM, seat, name: 'x', text: `from ${seat}` });
  page.tell(said(extension.seat));
  page.tell(said(1 - extension.seat));
  await page.waitForFunction(() => document.querySelectorAll('.events .chat').length === 2);
  await until(page, 'message');
  await done(page);
});

for (const [seat, sound] of [[1, 'won'], [0, 'lost'], [undefined, 'over']])
  test(`the end is heard: ${sound}`, async () => {
    const scene = scenes.middle();
    delete scene.seat;
    const page = await table({ ...scene, ...(seat === undefined ? {} : { seat }) });
    const result = { why: 'last-standing', winners: { 1: true } };
    await tell(page, { push: 'event', room: ROOM, seq: 101, at: 0, event: { kind: 'resigned', seat: 0, over: 'last-standing' }, patch: { phase: 'over', result, acting: null } });
    assert.deepEqual(await until(page, sound), [sound]);
    await done(page);
  });

atNight('one’s own last ten seconds are heard once, others’ are not', async () => {
  for (const mine of [true, false]) {
    const scene = scenes.middle();
    const { seat } = scene;
    if (!mine) scene.seat = 1 - seat;
    scene.state.clock = { kind: 'fischer', bank_s: 60, increment_s: 0, on_timeout: 'eliminate', seats: { 0: { left_ms: 11_500 }, 1: { left_ms: 11_500 } } };
    const page = await table(scene);
    await page.waitForSelector('.pill-clock.last');
    if (mine) assert.deepEqual(await until(page, 'hurry'), ['hurry']);
    else assert.deepEqual(await heard(page), []);
    await done(page);
  }
});

test('off until somebody wants them: nothing is fetched; M and the button switch at once, and it is kept', async () => {
  const page = await table(extension, { sound: '' });
  const fetched = [];
  page.on('request', (request) => fetched.push(new URL(request.url()).pathname));
  await tell(page, half(turn, false, 101));
  assert.ok(!fetched.some((name) => /synth|sounds/.test(name)), fetched.join());
  const pressed = () => page.getAttribute('.table-bar .sound', 'aria-pressed');
  assert.equal(await pressed(), 'false');
  await page.click('.table-bar .sound');
  assert.equal(await pressed(), 'true');
  assert.deepEqual(await until(page, 'turn'), ['turn'], 'a sample');
  await page.keyboard.press('m');
  assert.equal(await pressed(), 'false');
  assert.deepEqual(await until(page, 'hush'), ['hush'], 'what sounds is cut off');
  await page.waitForFunction(() => document.querySelector('#live').textContent.includes('Sounds off.'));
  await tell(page, half(turn, true, 102));
  assert.deepEqual(await heard(page), []);
  await page.click('.table-bar button:has(+ button[aria-label="Menu"])');
  await page.locator('.say input').pressSequentially('mmm');
  assert.equal(await pressed(), 'false', 'letters that are typed are letters');
  assert.equal(await page.evaluate(() => localStorage.getItem('taluva.sound')), 'off');
  await done(page);
});

test('how loud is one setting, which is kept; a sample is played', async () => {
  const page = await table(extension);
  await page.click('.masthead button >> nth=1');
  await page.locator('.dialog input[type=range]').fill('25');
  await until(page, 'turn');
  assert.equal(await page.evaluate(() => localStorage.getItem('taluva.volume')), '25');
  await done(page);
});

test('the player makes real sounds, and none before anything was pressed', async () => {
  const page = await visitor(browser);
  await page.addInitScript(() => {
    localStorage.setItem('taluva.sound', 'on');
    window.activation = { hasBeenActive: false }; // what tests do in a page counts as a press
    Object.defineProperty(navigator, 'userActivation', { value: window.activation });
    window.started = 0;
    const { start } = AudioBufferSourceNode.prototype;
    AudioBufferSourceNode.prototype.start = function (...args) {
      if (this.context instanceof AudioContext) window.started++;
      return start.apply(this, args);
    };
  });
  await playServer(page, scenes.rooms());
  await page.goto(files.url);
  await page.waitForSelector('.home');
  const ask = () => page.evaluate(async () => (await import('/js/sound.js')).play('turn', 1000));
  const fetched = () => page.evaluate(() => performance.getEntriesByType('resource').some(({ name }) => name.endsWith('synth.js')));
  await ask();
  assert.equal(await fetched(), false);
  await page.evaluate(() => (window.activation.hasBeenActive = true));
  await ask();
  await page.waitForFunction(() => window.started === 1);
  await done(page);
});
