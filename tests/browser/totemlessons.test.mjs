// The lessons of Totem teach nothing that is not so: their positions are such as a game can come to, what is right in them is what the
// rules core makes of it, and the pictures of the rules show what it allows and refuses. And each lesson can be done, by mouse, by
// touch and by keys, and says something to whatever else is tried.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';

import { atNight } from './lib/night.mjs';
import { LOCALES, School } from './lib/school.mjs';
import { byTheCore, outcomes, PAGE_FILE, pageFile } from './lib/totemlessons.mjs';
import { byFinger, byKeys, byMouse, learnTotem } from './lib/totemplayer.mjs';

const IDS = ['settle', 'choose', 'cast', 'reveal', 'starve', 'elders', 'write', 'win'];
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
/** @type {Record<string, [any, any]>} */
const WAYS = { mouse: [byMouse, {}], touch: [byFinger, PHONE], keyboard: [byKeys, {}] };

const school = new School('totem');
before(() => school.open());
after(() => school.close());

test('the page has the positions and outcomes of the rules core', () => {
  assert.deepEqual(Object.keys(byTheCore()), IDS);
  assert.equal(readFileSync(PAGE_FILE, 'utf8'), pageFile(), 'run tests/browser/lib/totemlessons.mjs');
});

test('of all that can be done, what the core makes best of is right and changes what it changes; the rest is explained', async () => {
  const core = byTheCore();
  const page = await school.visit();
  const tried = Object.fromEntries(Object.entries(core).map(([id, { tries }]) => [id, Object.keys(tries)]));
  const lessons = await page.evaluate(async (all) => {
    const { default: make } = await import('/js/games/totem/learn/course.js');
    return make().map(({ id, begin }) => {
      const outcome = Object.fromEntries(
        all[id].map((move) => {
          const trial = begin();
          const { right, words } = trial.play(move);
          return [move, { right, words, table: trial.state.table, effects: trial.past.at(-1).event?.effects }];
        }),
      );
      const { state, moves } = begin();
      return { id, table: state.table, asked: moves.asked, outcome };
    });
  }, tried);
  assert.deepEqual(lessons.map(({ id }) => id), IDS);
  const { merged } = await import('../../clients/web/js/patch.js');
  for (const { id, table, asked, outcome } of lessons) {
    assert.deepEqual([table, asked], [core[id].table, core[id].asked], id);
    assert.ok(core[id].right.length > 0 && core[id].right.length < Object.keys(core[id].tries).length, `${id}: there is something to get wrong`);
    for (const [move, { right, words, table: then, effects }] of Object.entries(outcome)) {
      assert.equal(right, core[id].right.includes(move), `${id}: ${move}`);
      if (!right) assert.match(words, /^That is allowed as well, [^{}]*$/, move);
      if (!right) continue;
      const { event, patch } = core[id].tries[move];
      assert.deepEqual(effects, event.effects, move);
      assert.deepEqual(then, merged(table, patch), move);
    }
  }
  const said = (id, move) => lessons.find((lesson) => lesson.id === id).outcome[move].words;
  assert.match(said('settle', 'settle@R=W/wwmmM/e'), /in hut 1 a woman/);
  assert.match(said('choose', 'choose@R=THL'), /cost your only bird/);
  assert.match(said('cast', 'cast@R=T:R1'), /no man in hut 1/);
  assert.match(said('cast', 'cast@R=T:G1'), /not yours/);
  assert.match(said('write', 'write@R=T:G1'), /choose empty cradles/);
  assert.match(said('write', 'write@R=I:G2'), /many women, and a man/);
  await page.context().close();
});

test('what the lessons say of numbers is so', () => {
  const core = byTheCore();
  const { tries, right, table } = core.win;
  const people = (family) => Object.entries(table.huts).reduce((sum, [hut, { people = '' }]) => sum + (hut[0] === family ? people.length : 0), 0);
  assert.deepEqual(['B', 'G', 'R', 'Y'].map(people), [13, 11, 10, 7]);
  assert.deepEqual(right, ['reveal@R=P']);
  assert.equal(core.settle.tries[core.settle.right[0]].worth, 3, 'three children');
  assert.deepEqual(['R1', 'R2', 'R3'].map((hut) => core.cast.tries[`cast@R=T:${hut}`].worth), [3, 4, 5], 'none more, one more, two more');
  assert.equal(core.starve.right.some((move) => move.includes('M')), false, 'the only man stays');
  assert.ok(core.elders.tries['reveal@R=-'].event.effects.includes('mourn@R=2'));
  assert.ok(core.elders.tries['reveal@R=L'].event.effects.includes('build@R=4'));
  assert.equal(tries['reveal@R=-'].event.effects.length, 0);
});

atNight('lessons and rules are there in every language', async () => {
  const seen = new Map();
  for (const locale of LOCALES) {
    const page = await school.visit({ locale }, 'rules');
    const texts = await page.evaluate(async () => {
      const { default: make } = await import('/js/games/totem/learn/course.js');
      const lessons = make().flatMap(({ title, text, task, done, begin }) => [title, ...text, task, done, begin().play('reveal@R=-').words]);
      return [...lessons, ...[...document.querySelectorAll('.rules :is(h1, h2, h3, li, p, figcaption)')].map((one) => one.textContent)];
    });
    assert.ok(texts.length > 100, locale);
    assert.deepEqual(texts.filter((text) => !text.trim() || /[{}]|[a-z]_[a-z0-9]/.test(text)), [], locale);
    seen.set(locale, texts);
    assert.deepEqual(page.troubles, []);
    await page.context().close();
  }
  const [english, ...others] = LOCALES.map((locale) => seen.get(locale));
  for (const [i, texts] of others.entries()) {
    assert.equal(texts.length, english.length);
    assert.deepEqual(texts.filter((text, at) => text === english[at]), [], LOCALES[i + 1]);
  }
  const [simplified, traditional] = ['zh-CN', 'zh-TW'].map((locale) => seen.get(locale));
  assert.ok(traditional.filter((text, at) => text !== simplified[at]).length > 60);
});

test('every picture of the rules shows what it says, and the rules core agrees', async () => {
  const page = await school.visit({}, 'rules');
  const { pictures, shown } = await page.evaluate(async () => ({
    pictures: (await import('/js/games/totem/learn/pictures.js')).PICTURES,
    shown: [...document.querySelectorAll('.rules figure')].map((figure) => ({
      bad: figure.classList.contains('bad'),
      text: figure.lastChild.textContent.trim(),
      huts: figure.querySelectorAll('.hut').length,
      icons: figure.querySelectorAll('.icon').length,
    })),
  }));
  for (const [caption, { lesson, move, answer = 'ok' }] of Object.entries(pictures))
    if (move) assert.equal(outcomes(lesson, [move])[0].status, answer, caption);
  const refused = Object.values(pictures).filter(({ answer = 'ok' }) => answer !== 'ok').length;
  assert.ok(refused >= 3);
  assert.equal(shown.filter(({ bad }) => bad).length, refused);
  assert.ok(shown.every(({ bad, text }) => bad === text.startsWith('✗')));
  assert.equal(shown.filter(({ huts }) => huts === 3).length, Object.keys(pictures).length, 'each is a quarter of the table');
  assert.ok(shown.every(({ huts, icons }) => huts || icons), 'the others have small pictures');
  await page.context().close();
});

for (const [name, [way, options]] of Object.entries(WAYS))
  atNight(`all lessons by ${name}`, async () => {
    const page = await school.visit(options);
    await page.evaluate(() => {
      window.pointed = 0;
      for (const kind of ['pointerdown', 'click']) addEventListener(kind, (event) => event.pointerType && window.pointed++, true);
    });
    await learnTotem(page, way(page));
    await page.waitForSelector('#first-game');
    assert.match(await page.textContent('#first-game'), /first game of Totem against 3 easy computers/);
    if (name === 'keyboard') assert.equal(await page.evaluate(() => window.pointed), 0, 'no pointer was used');
    assert.deepEqual(page.troubles, []);
    await page.context().close();
  });

atNight('what is legal but not meant is told, what is illegal is explained, and one can go on another day', async () => {
  const page = await school.visit();
  const person = byMouse(page);
  await page.click('[data-focus=lesson_skip]');
  await page.click('[data-focus=lesson_skip]');
  await person.press('.spell[data-spell=T]');
  await person.hut('R1');
  await person.press('.hand .confirm:not(:disabled)');
  await page.waitForSelector('.note:has-text("no man in hut 1")');
  assert.equal(await page.$('.learn.is-done'), null);
  await page.click('[data-focus=lesson_back]');
  for (const spell of 'GBT') await person.press(`.spell[data-spell=${spell}]`);
  await page.click('.spell[data-spell=I]', { force: true }); // it is greyed, and says why
  await page.waitForSelector('.totem-verdict:has-text("At most 3 spells")');
  await page.reload();
  await page.waitForSelector('.lesson-number:has-text("Lesson 2 of 8")');
  await page.click('.lesson [data-focus=close]');
  await page.waitForSelector('.home a[href="#/learn/totem"]');
  await page.context().close();
});

school.testScreens(IDS);
