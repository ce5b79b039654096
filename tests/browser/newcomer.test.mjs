// Somebody who has never heard of a game: from the first visit through the lessons into a first game, to its end, and into a second. By mouse, by
// touch, by keyboard alone, and without motion; all input comes from Chromium as a person's would. All of that is of
// the night; at every change it is looked at how one gets to the lessons and on.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { Fixture, makeTable } from './lib/fixture.mjs';
import { atNight } from './lib/night.mjs';
import { act, after as afterSeq, dice, finger, mouse, myMove, pastDanger, seqOf, shown, spots, still } from './lib/player.mjs';
import { byFinger, byMouse, learnTotem, playOut } from './lib/totemplayer.mjs';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const OUT = 6; // the lesson that warns
const TURNS = process.env.EVERYTHING ? Infinity : 3;
/** What is to be done in each lesson: where the tile's volcano goes, or what is built. */
const RIGHT = [
  { place: '', build: '' },
  { place: '-1,1' },
  { turn: true },
  { build: 'expand@-2,2=C' },
  { build: 'temple@-2,4' },
  { build: 'tower@0,1' },
  { place: '' },
  { build: 'tower@1,-1' },
];

const fixture = new Fixture();
before(() => fixture.open());
after(() => fixture.close());

/** Waits until a lesson is on the screen. @param {any} page @param {number} at */
const lesson = (page, at) => page.waitForFunction((n) => window.taluva.page()?.at === n && window.taluva.page().view, at);

const done = (page) => page.waitForSelector('.learn.is-done .lesson .confirm');

/** The middle of a spot on the board. @param {any} page @param {string} key */
async function spotAt(page, key) {
  await still(page);
  return page.evaluate((at) => {
    const { left, top, width, height } = window.taluva.page().view.overlay.spots.get(at).element.getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2 };
  }, key);
}

/** A person with a pointer. @param {any} page @param {boolean} touch */
function pointer(page, touch) {
  const point = touch ? finger(page) : mouse(page);
  const press = (selector) => (touch ? page.tap(selector) : page.click(selector));
  /** @param {string} key */
  const place = async (key) => {
    const { x, y } = key ? await spotAt(page, key) : (await spots(page, '.spot-legal'))[0];
    await point(x, y);
    await page.waitForSelector('.verdict.is-legal');
    await press('.hand .confirm:not(:disabled)');
  };
  return {
    press,
    open: () => press('#learn'),
    begin: async () => {
      if (await page.isVisible('.lesson .try')) await press('.lesson .try');
    },
    place,
    turn: async () => {
      await page.waitForSelector('.verdict.is-illegal:has-text("faces the same way")');
      await press('.hand [data-focus=right]');
      await page.waitForSelector('.verdict.is-legal');
      await press('.hand .confirm:not(:disabled)');
    },
    build: async (move) => {
      if (!move) {
        await page.waitForSelector('.choice');
        move = await page.$eval('.choice', (button) => button.dataset.move);
      }
      await press(`.choice[data-move="${move}"]`);
      await page.waitForSelector('.hand .confirm:not(:disabled)');
      await press('.hand .confirm:not(:disabled)');
    },
    next: () => press('.lesson .actions .confirm'),
    first: () => press('#first-game'),
    move: async (random) => (await act(page, random, { touch, prefer: ['temple', 'expand'] })).step !== 'over',
  };
}

/** Presses Tab until an element that matches has the focus. @param {any} page @param {string} selector */
async function tabTo(page, selector) {
  for (let i = 0; i < 80; i++) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${selector} cannot be reached by Tab`);
}

/** A person with a keyboard alone. @param {any} page */
function typist(page) {
  const press = async (selector) => {
    await tabTo(page, selector);
    await page.keyboard.press('Enter');
  };
  /** Steps through what is possible until it is right. @param {(view: any, wanted: string) => boolean} right @param {string} [wanted] */
  const choose = async (right, wanted = '') => {
    await tabTo(page, '.board');
    for (let i = 0; i < 400; i++) {
      await page.keyboard.press('n');
      if (await page.evaluate(`(${right})(window.taluva.page().view, ${JSON.stringify(wanted)})`)) break;
    }
    await page.keyboard.press('Enter');
  };
  const legal = (view) => view.placing.verdict === 'legal';
  const erupts = (view) => view.placing.verdict === 'legal' && view.placing.level > 1;
  return {
    press,
    open: () => press('#learn'),
    begin: async () => assert.ok(await page.evaluate(() => document.activeElement?.matches('.lesson')), 'the lesson is read first'),
    place: (key) => choose(key ? erupts : legal),
    turn: () => choose(erupts),
    build: (move) => choose((view, wanted) => (wanted ? view.building.chosen?.text === wanted : Boolean(view.building.chosen)), move),
    next: () => {
      return page.keyboard.press('Enter'); // the button has the focus
    },
    first: () => press('#first-game'),
    move: async () => {
      if ((await myMove(page)) === 'over') return false;
      const seq = await seqOf(page);
      if (!(await page.evaluate(() => document.activeElement?.matches('.board')))) await tabTo(page, '.board');
      await page.keyboard.press('n');
      await pastDanger(page);
      await page.keyboard.press('Enter');
      await afterSeq(page, seq);
      return true;
    },
  };
}

/** From the first page to the end of the lessons. @param {any} page @param {ReturnType<typeof pointer>} person */
async function learn(page, person) {
  await page.waitForFunction(() => window.taluva?.wire.status === 'open');
  await person.open();
  for (const [at, { place, turn, build }] of RIGHT.entries()) {
    await lesson(page, at);
    await person.begin();
    await shown(page);
    if (place !== undefined) await person.place(place);
    if (turn) await person.turn();
    if (build !== undefined) {
      await page.waitForSelector('.hand[data-mode=build]');
      await person.build(build);
    }
    await done(page);
    await person.next();
  }
  await page.waitForSelector('#first-game');
}

/** The first game, to its end, and into the second. @param {any} page @param {ReturnType<typeof pointer>} person @param {number} turns after which the player gives up */
async function firstGame(page, person, turns) {
  const random = dice(5);
  await person.first();
  await page.waitForSelector('.table');
  assert.equal(await myMove(page).then((step) => step !== 'over'), true);
  assert.equal(await page.evaluate(() => window.taluva.room().state.seats[1].level), 1, 'the easiest computer');
  for (let moves = 0; moves < 2 * turns && (await person.move(random)); moves++);
  if (Number.isFinite(turns)) {
    await myMove(page);
    await person.press('.table-bar button[aria-label="Menu"]');
    await person.press('.entry.dangerous');
    await person.press('.dialog .confirm.dangerous');
  }
  await page.waitForSelector('.result .outcome');
  await person.press('.result .actions > .confirm');
  await page.waitForFunction(() => window.taluva.room()?.state.phase === 'playing');
  assert.equal(await person.move(random), true, 'a turn of the second game');
}

atNight('by mouse, to the end of a game', async () => {
  const page = await fixture.visit('', { reducedMotion: 'no-preference' });
  const person = pointer(page, false);
  await learn(page, person);
  await firstGame(page, person, Infinity);
});

atNight('by touch, on a phone', async () => {
  const page = await fixture.visit('', { ...PHONE, reducedMotion: 'no-preference' });
  const person = pointer(page, true);
  await learn(page, person);
  await firstGame(page, person, TURNS);
});

atNight('by keyboard alone, and what a screen reader says', async () => {
  const page = await fixture.visit('', { reducedMotion: 'no-preference' });
  await page.evaluate(() => {
    window.pointed = 0;
    window.heard = [];
    for (const kind of ['pointerdown', 'click']) addEventListener(kind, (event) => event.pointerType && window.pointed++, true);
    new MutationObserver(() => window.heard.push(document.querySelector('#live').textContent)).observe(document.querySelector('#live'), {
      childList: true,
      characterData: true,
      subtree: true,
    });
  });
  const person = typist(page);
  await learn(page, person);
  // each lesson that was done was praised
  await page.waitForFunction((all) => window.heard.join(' ').split('Well done').length - 1 === all, RIGHT.length);
  await firstGame(page, person, TURNS);
  assert.equal(await page.evaluate(() => window.pointed), 0, 'no pointer was used');
});

atNight('without motion, on a screen held sideways', async () => {
  const page = await fixture.visit('', { viewport: { width: 844, height: 390 }, reducedMotion: 'reduce' });
  const person = pointer(page, false);
  await learn(page, person);
  await firstGame(page, person, TURNS);
});

test('what is legal but not meant is told, what is illegal is explained, and one can go on another day', async () => {
  const page = await fixture.visit('');
  const person = pointer(page, false);
  await person.open();
  await lesson(page, 0);
  await page.click('[data-focus=lesson_skip]');
  await lesson(page, 1);
  await person.place('2,1'); // new land
  await page.waitForSelector('.note:not(:empty)');
  assert.match(await page.textContent('.note'), /allowed as well/);
  assert.equal(await page.$('.learn.is-done'), null);
  await page.click('.hand .plain');
  await page.evaluate(() => window.taluva.page().view.placing.put({ q: -1, r: 2 })); // half on the island
  await page.waitForFunction(() => /partly on the island/.test(document.querySelector('.verdict.is-illegal')?.textContent ?? ''));
  assert.equal(await page.evaluate(() => window.taluva.room()), null, 'there is no room');

  await page.click('.lesson [data-focus=close]');
  await page.waitForSelector('.home');
  assert.equal((await page.textContent('#learn')).trim(), 'Go on learning');
  await page.reload();
  await page.click('#learn');
  await lesson(page, 1);
  await page.click('[data-focus=lesson_back]');
  await lesson(page, 0);
  for (let at = 0; at < RIGHT.length; at++) {
    await lesson(page, at);
    if (at === OUT) {
      await shown(page);
      assert.ok((await page.locator('.spot-danger').count()) > (await page.locator('.spot:not(.spot-danger)').count()), 'triangles');
      assert.equal(await page.locator('.spot.far').count(), 0, 'all of them are shown, without a pointer');
    }
    await page.click('[data-focus=lesson_skip]');
  }
  await page.waitForSelector('#first-game');
  await page.goto(`${fixture.url}#/`);
  await page.waitForSelector('.home');
  assert.equal((await page.textContent('#learn')).trim(), 'Learn to play', 'all is learnt, and can be learnt again');
});

test('a first visit: one sentence and one dot, a hut at the third press, then the easiest computer, with a tip for what matters for the first time', async () => {
  const page = await fixture.visit('', PHONE);
  await page.waitForFunction(() => window.taluva?.wire.status === 'open');
  assert.equal(await page.inputValue('#solo-level'), 'beginner');
  assert.equal(await page.locator('.home .hint:visible').count(), 0, 'few words');
  const said = () => page.textContent('.first-words p');
  const huts = () => page.locator('.first-picture .hex.p-yellow').count();
  const below = () => page.$eval('.play', (card) => card.getBoundingClientRect().top + scrollY);
  const [before, sentence, top] = [await huts(), await said(), await below()];
  for (let press = 1; press <= 3; press++) {
    assert.equal(await page.getAttribute('#first-dot', 'aria-label'), await said());
    assert.equal(await huts(), before);
    assert.ok((await below()) >= top - 1, 'what lies below does not jump up when there are fewer words');
    await page.tap('#first-dot');
  }
  assert.equal(await huts(), before + 1);
  assert.notEqual(await said(), sentence);
  assert.ok(await page.evaluate(() => document.activeElement?.matches('#first-game')), 'Enter goes on');
  await page.tap('#first-game');
  await page.waitForSelector('.table');
  assert.equal(await page.evaluate(() => window.taluva.room().state.seats[1].level), 1);
  const random = dice(5);
  const next = async (step) => {
    while ((await myMove(page)) !== step) await act(page, random, { touch: true });
  };
  await next('build');
  const tip = (words) => page.locator(`.ask-bar:has-text("${words}")`);
  await tip('Now build').waitFor();
  await page.tap('.ask-bar .confirm');
  await tip('Now build').waitFor({ state: 'detached' });
  await act(page, random, { touch: true });
  const bars = page.locator('.ask-bar');
  for (await next('place'); (await bars.count()) === 0; await myMove(page)) await act(page, random, { touch: true }); // the next tip there is
  await page.tap('.ask-bar .plain');
  await next('build');
  await next('place');
  assert.equal(await page.locator('.ask-bar').count(), 0, 'no more tips are wanted');
  await page.goto(`${fixture.url}#/`);
  await page.waitForSelector('.hero-picture');
  assert.equal(await page.inputValue('#solo-level'), 'simple', 'who has played is asked for no first turn');
});

test('the table’s help leads to the lessons and to the rules', async () => {
  const page = await fixture.visit('');
  await page.waitForFunction(() => window.taluva?.wire.status === 'open');
  await page.click('#solo');
  await page.waitForSelector('.table');
  const table = page.url();
  for (const [kind, sign] of [
    ['learn', '.lesson h2'],
    ['rules', '.rules h1'],
  ]) {
    await page.click('.table-bar button[aria-label="Menu"]');
    await page.click('.entry:has-text("How to play")');
    await page.click(`.dialog a[href="#/${kind}/taluva"]`);
    await page.waitForSelector(sign);
    await page.goto(table);
    await page.waitForSelector('.table');
  }
});

/** @param {any} page @param {import('./lib/totemplayer.mjs').Way} way */
async function learnTotemAndPlay(page, way) {
  await page.waitForFunction(() => window.taluva?.wire.status === 'open');
  await way.press('.home a[href="#/learn/totem"]');
  await page.waitForSelector('.lesson h2');
  assert.equal(await page.evaluate(() => window.taluva.room()), null, 'there is no room');
  await learnTotem(page, way);
  await way.press('#first-game');
  await page.waitForSelector('.table .quarter');
  const { seats, options } = await page.evaluate(() => window.taluva.room().state);
  assert.deepEqual([1, 2, 3].map((seat) => [seats[seat].bot, seats[seat].level]), Array(3).fill([true, 1]), 'three easy computers');
  assert.equal(options.players, 4);
  const asked = await playOut(page, dice(5), way, ({ settle = 0 }) => settle >= TURNS);
  assert.ok(asked.settle > 1, JSON.stringify(asked));
  if (Number.isFinite(TURNS)) for (const selector of ['.table-bar button[aria-label="Menu"]', '.entry.dangerous', '.dialog .confirm.dangerous']) await way.press(selector);
  await page.waitForSelector('.result .totem-result');
  assert.deepEqual(page.troubles, []);
}

atNight('Totem by mouse', async () => {
  const page = await fixture.visit('', { viewport: { width: 1280, height: 800 }, reducedMotion: 'no-preference' });
  await learnTotemAndPlay(page, byMouse(page));
});

atNight('Totem by touch, on a phone', async () => {
  const page = await fixture.visit('', { ...PHONE, reducedMotion: 'no-preference' });
  await learnTotemAndPlay(page, byFinger(page));
});

atNight('a lobby of Totem leads to the lessons and to the rules, and they lead back to one’s seat', async () => {
  const page = await fixture.visit('');
  await page.waitForFunction(() => window.taluva?.wire.status === 'open');
  await page.click('#new-table');
  await page.selectOption('.create .game-choice select', 'totem');
  await page.waitForSelector('.create input[name=totem_a]', { state: 'attached' });
  await makeTable(page, {});
  const table = page.url();
  await page.click('.to-learn a[href="#/learn/totem"]');
  await page.waitForSelector('.lesson h2');
  await page.click('.lesson [data-focus=close]');
  await page.waitForSelector('.seat.mine');
  assert.equal(page.url(), table);
  await page.click('.to-learn a[href="#/rules/totem"]');
  await page.click('.rules nav a:has-text("Back to the table")');
  await page.waitForSelector('.seat.mine');
  assert.equal(page.url(), table);
});
