// The tutorial teaches nothing that is not so: its positions are those of legal games, and what it lists as legal, and why the rest is
// not, is what the rules core says. And each lesson can be done, and says something to whatever else is tried.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';

import { byTheCore, PAGE_FILE, pageFile } from './lib/lessons.mjs';
import { atNight } from './lib/night.mjs';
import { School } from './lib/school.mjs';

const IDS = ['extend', 'erupt', 'facing', 'expand', 'temple', 'tower', 'out', 'win'];

const school = new School('taluva');
before(() => school.open());
after(() => school.close());

test('the page has the positions and answers of the rules core', () => {
  const core = byTheCore();
  assert.deepEqual(Object.keys(core), IDS);
  assert.equal(readFileSync(PAGE_FILE, 'utf8'), pageFile(), 'run tests/browser/lib/lessons.mjs');
});

test('each lesson offers what the core lists, and the right move is among it', async () => {
  const core = byTheCore();
  const page = await school.visit();
  const lessons = await page.evaluate(async () => {
    const { default: make } = await import('/js/games/taluva/learn/course.js');
    return make().map(({ id, begin }) => {
      const trial = begin();
      const { moves, eliminating = [] } = trial.moves;
      const fine = moves.filter((move) => begin().play(move).right);
      const after = fine.filter((move) => move.includes(':')).map((move) => {
        const next = begin();
        next.play(move);
        return [move, next.moves?.moves ?? []];
      });
      const silent = moves.filter((move) => {
        const { right, words } = begin().play(move);
        return !right && !words;
      });
      return { id, moves, eliminating, fine, after, silent };
    });
  });
  assert.deepEqual(
    lessons.map(({ id }) => id),
    IDS,
  );
  for (const { id, moves, eliminating, fine, after, silent } of lessons) {
    const { at, builds, after: then } = core[id];
    const listed = Object.keys(Object.keys(builds).length ? builds : then);
    assert.deepEqual([...moves].sort(), listed.sort(), `${id}: all that is legal`);
    const deadly = Object.entries(at).flatMap(([hex, answers]) => [...answers].flatMap((answer, k) => (answer === 'x' ? [`${hex}:${k}`] : [])));
    assert.deepEqual(eliminating.map((move) => move.split('@')[1]).sort(), deadly.sort(), `${id}: what ends the game for the player`);
    assert.ok(fine.length > 0, `${id}: it can be done`);
    assert.equal(fine.filter((move) => eliminating.includes(move)).length, 0, `${id}: nobody is taught to be out`);
    assert.deepEqual(silent, [], `${id}: what is not right is told`);
    if (id === 'extend') for (const [move, list] of after) assert.deepEqual([...list].sort(), [...then[move]].sort(), move);
  }
  const of = (id) => lessons.find((lesson) => lesson.id === id);
  assert.deepEqual(of('win').fine.sort(), Object.keys(core.win.builds).filter((move) => core.win.builds[move].end === 'two-kinds').sort());
  assert.ok(of('out').eliminating.length > of('out').fine.length, 'most places would end it');
  assert.equal(core.facing.at['-1,0'][4], 'f', 'the tile that lies there already faces the same way');
  assert.ok(of('erupt').fine.length < of('erupt').moves.length, 'not everything is an eruption');
  await page.context().close();
});

test('every reason has a sentence in every language', async () => {
  for (const locale of ['en-GB', 'fr-FR', 'zh-CN']) {
    const page = await school.visit({ locale });
    const missing = await page.evaluate(async () => {
      const { default: make } = await import('/js/games/taluva/learn/course.js');
      const { CODES } = await import('/js/games/taluva/learn/positions.js');
      const [placing, building] = [make()[0].begin(), make()[4].begin()];
      const said = Object.keys(CODES).filter((letter) => letter !== '.').map((letter) => {
        placing.answers['9,9'] = letter.repeat(6);
        return placing.explain('JC@9,9:0');
      });
      const all = make().flatMap(({ title, text, task, done }) => [title, ...text, task, done]);
      return [...said, ...all, building.explain('hut@99,99')].filter((text) => !/[ ，。：]/.test(text) && !/\p{Script=Han}/u.test(text));
    });
    assert.deepEqual(missing, [], locale);
    await page.context().close();
  }
});

test('every picture of the rules shows what it says, and the rules core agrees', async () => {
  const core = byTheCore();
  const page = await school.visit({}, 'rules');
  const { pictures, codes, captions } = await page.evaluate(async () => ({
    pictures: (await import('/js/games/taluva/learn/pictures.js')).PICTURES,
    codes: (await import('/js/games/taluva/learn/positions.js')).CODES,
    captions: [...document.querySelectorAll('.rules figure')].map((figure) => ({
      bad: figure.classList.contains('bad'),
      text: figure.lastChild.textContent.trim(),
      hexes: figure.querySelectorAll('.hex').length,
    })),
  }));
  const shown = Object.entries(pictures);
  assert.ok(shown.length >= 16);
  for (const [caption, { lesson, move, answer = 'ok' }] of shown) {
    if (!move) continue;
    const { at, on, builds } = core[lesson];
    const [, verb, hex, k] = /^(\w+)@(-?\d+,-?\d+)(?::(\d))?/.exec(move);
    const kind = ['hut', 'tower', 'temple'].indexOf(verb);
    const said = k === undefined ? (verb === 'expand' ? (move in builds ? 'ok' : '') : codes[on[hex][kind]]) : codes[at[hex][k]];
    assert.equal(said, answer, `${caption}: ${move}`);
  }
  const bad = shown.filter(([, { answer }]) => answer).length;
  assert.equal(captions.filter(({ bad }) => bad).length, bad, 'as many pictures of what is not allowed');
  assert.equal(captions.length, shown.length + 4, 'and of a tile, the pieces, a lagoon and 2-Hex tiles');
  assert.ok(captions.every(({ text, bad }) => text.trim().length > 5 && bad === text.startsWith('✗')));
  assert.ok(captions.filter(({ hexes }) => hexes >= 3).length >= shown.length);
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

atNight('the rules can be printed: text and pictures, and nothing else', async () => {
  const page = await school.visit({ viewport: { width: 794, height: 1123 } }, 'rules');
  await page.emulateMedia({ media: 'print' });
  assert.deepEqual(
    await page.$$eval('.masthead, .rules nav, .rules h1, .rules figure svg', (all) => all.filter((one) => one.checkVisibility()).map(({ tagName }) => tagName).slice(0, 2)),
    ['H1', 'svg'],
  );
  await page.context().close();
});

school.testScreens(IDS, ['en-GB', 'fr-FR', 'zh-CN']);
