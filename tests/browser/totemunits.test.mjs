// Totem's own arithmetic in the page: notation, what a visitor chooses, where the village lies, what a position shows.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Beforehand } from '../../clients/web/js/games/totem/beforehand.js';
import { Draft } from '../../clients/web/js/games/totem/draft.js';
import { blob, islandOf, wilds } from '../../clients/web/js/games/totem/land.js';
import { ASIDE, BEHIND, crowd, freeArea, layOut } from '../../clients/web/js/games/totem/layout.js';
import * as notation from '../../clients/web/js/games/totem/notation.js';
import { chipsOn, actingNow, ledBy, placesOf } from '../../clients/web/js/games/totem/table.js';
import { laidBy } from '../../clients/web/js/games/totem/worth.js';
import { badgesOf } from '../../clients/web/js/games/totem/badges.js';
import { scenes } from './lib/totem.mjs';

/** A draft of a scene's question. @param {string} name @param {string} [family] */
function draftOf(name, family) {
  const { state, moves } = scenes[name]();
  const who = family ?? Object.keys(moves.asked)[0];
  return new Draft(who, moves.asked[who], placesOf(state, who));
}

/** @param {any} problem */
const key = (problem) => problem?.key ?? '';

test('commands, lists and effects are read and written back', () => {
  assert.deepEqual(notation.readCommand('take@B=R:-/e/-'), { verb: 'take', family: 'B', rest: 'R:-/e/-' });
  assert.deepEqual(notation.readCommand('pass@Y'), { verb: 'pass', family: 'Y', rest: '' });
  for (const text of ['', 'settle', 'leap@R=-', 'pass@Z', 'settle@R1=-']) assert.equal(notation.readCommand(text), null, text);
  assert.deepEqual(notation.readEffect('round@4=G'), { what: 'round', who: '4', value: 'G' });
  assert.deepEqual(notation.readEffect('age'), { what: 'age', who: '', value: '' });
  assert.equal(notation.listOf('eMWmwbg'), 'gbwmWMe');
  assert.equal(notation.listOf(''), '-');
  assert.equal(notation.setOf('LHG'), 'GHL');
  const text = 'wwm/-/WMe';
  assert.equal(notation.writeHuts('G', notation.readHuts('G', text)), text);
  assert.deepEqual(notation.readPuts('G:Y2,?:R1'), [
    { spell: 'G', hut: 'Y2' },
    { spell: '?', hut: 'R1' },
  ]);
  assert.deepEqual(notation.countOf('mwwe'), { w: 2, m: 1, e: 1 });
});

test('settling: six in a hut, all stay up to 18, and the command says where', () => {
  const draft = draftOf('start');
  assert.equal(key(draft.problem), 'no_crowd');
  assert.equal(draft.move('w', 'R1', 'R2'), null);
  assert.equal(draft.problem, null);
  assert.equal(draft.command, 'settle@R=wmmWMe/w/-');
  assert.equal(key(draft.move('g', 'R1', 'R2')), 'no_such');
  assert.equal(key(draft.move('w', 'R1', 'G2')), 'no_own');
  assert.equal(key(draft.move('w', 'R1', 'R0')), 'no_leaving');
  for (const kind of 'mmWMe') draft.move(kind, 'R1', 'R2');
  assert.equal(key(draft.move('w', 'R1', 'R2')), 'no_room');
  assert.equal(draft.command, 'settle@R=w/wmmWMe/-');
  draft.arrange();
  assert.equal(draft.problem, null);
  assert.equal(draft.settled.length, 7);
  draft.reset();
  assert.equal(key(draft.problem), 'no_crowd');
});

test('settling: of more than 18 the others leave, and a couple must stay', () => {
  const draft = draftOf('crowd');
  assert.equal(draft.leavers, 1);
  for (const kind of 'mmM') draft.move(kind, 'R3', kind === 'M' ? 'R1' : 'R0');
  assert.equal(key(draft.problem), 'no_leave_less');
  draft.move('m', 'R0', 'R2');
  assert.equal(draft.problem, null);
  assert.equal(key(draft.move('m', 'R1', 'R2')), 'no_room');
  draft.arrange();
  assert.equal(draft.problem, null);
  assert.equal(draft.settled.length, 18);
  assert.equal(draft.command.startsWith('settle@R='), true);
  const pair = new Draft('R', { kind: 'settle', people: 'wwm', stay: 2 }, { R1: 'ww', R2: '', R3: 'm' });
  pair.move('m', 'R3', 'R0');
  assert.equal(key(pair.problem), 'no_couple');
  const elders = new Draft('R', { kind: 'settle', people: 'wme', stay: 2 }, { R1: 'wme', R2: '', R3: '' });
  assert.equal(key(elders.problem), 'no_leave_more');
  elders.move('e', 'R1', 'R0');
  assert.equal(elders.problem, null);
  assert.equal(elders.losesElder, true);
});

test('spells: as many as pieces and birds, the cost, the phase', () => {
  const choose = draftOf('choose');
  for (const spell of 'GTH') assert.equal(choose.toggle(spell), null);
  assert.equal(key(choose.toggle('L')), 'no_most');
  assert.equal(choose.cost, 1);
  assert.equal(choose.command, 'choose@R=GTH');
  choose.toggle('T');
  assert.equal(choose.command, 'choose@R=GH');
  const cast = draftOf('cast');
  assert.equal(key(cast.problem), 'no_spell_yet');
  assert.equal(key(cast.put('G1')), 'no_held');
  assert.equal(key(cast.hold('T')), 'no_spell');
  cast.hold('A');
  assert.equal(key(cast.problem), 'no_hut_yet');
  assert.equal(cast.put('G1'), null);
  assert.equal(cast.command, 'cast@R=A:G1');
  const reveal = draftOf('reveal');
  assert.equal(reveal.command, 'reveal@R=-');
  assert.equal(key(reveal.toggle('H')), 'no_phase');
  reveal.toggle('T');
  assert.equal(reveal.command, 'reveal@R=T');
});

test('spells that are written go each on a hut, in their order', () => {
  const draft = draftOf('write', 'B');
  assert.equal(draft.command, 'write@B=-');
  for (const [spell, hut] of [
    ['H', 'B1'],
    ['I', 'R2'],
  ]) {
    draft.hold(spell);
    assert.equal(draft.put(hut), null);
  }
  assert.equal(draft.command, 'write@B=I:R2,H:B1');
  draft.takeBack('I');
  assert.equal(draft.command, 'write@B=H:B1');
  for (const spell of 'GBTI') {
    draft.hold(spell);
    draft.put('B2');
  }
  assert.equal(key(draft.hold('L')), 'no_most');
  assert.equal(draft.hold('G'), null, 'one that is written can be moved');
});

test('who goes: as many as are asked, and elders only for takers', () => {
  const starve = draftOf('starve');
  assert.equal(key(starve.pick('R2', 'e')), 'no_elder');
  assert.equal(key(starve.pick('R2', 'w')), 'no_such');
  for (const [hut, kind] of [
    ['R1', 'g'],
    ['R1', 'g'],
    ['R3', 'w'],
  ]) {
    assert.notEqual(starve.problem, null);
    assert.equal(starve.pick(hut, kind), null);
  }
  assert.equal(starve.problem, null);
  assert.equal(key(starve.pick('R1', 'b')), 'no_more');
  assert.equal(starve.command, 'starve@R=gg/-/w');
  const take = draftOf('take');
  take.pick('B2', 'e');
  take.pick('B1', 'b');
  assert.equal(take.command, 'take@G=B:b/e/-');
  take.unpick('B1', 'b');
  assert.equal(key(take.problem), 'no_count');
});

test('a position shows what its audience may know', () => {
  const { state } = scenes.reveal();
  assert.deepEqual(chipsOn(state, 'R1', 0), [
    { owner: 'R', spell: 'T', up: false, told: false },
    { owner: 'B', spell: '', up: false, told: false },
  ]);
  assert.deepEqual(chipsOn(state, 'R2', 0), [{ owner: 'G', spell: '', up: false, told: false }]);
  assert.deepEqual(chipsOn(state, 'B1', 0), [{ owner: 'G', spell: 'I', up: true, told: false }]);
  assert.deepEqual(actingNow(state), ['R']);
  assert.deepEqual(ledBy(scenes.write().state, 0), ['R', 'B']);
  assert.deepEqual(actingNow(scenes.write().state), ['G', 'R', 'Y', 'B']);
});

test('whoever looks back with the eyes of others is told what lies face down', () => {
  const { state } = scenes.reveal();
  assert.deepEqual(chipsOn(state, 'R1'), [
    { owner: 'R', spell: 'T', up: false, told: true },
    { owner: 'B', spell: '', up: false, told: false },
  ]);
});

test('quarters lie beside each other, in the picture, huts in their quarter', () => {
  const inside = (part, whole) =>
    part.x >= whole.x - 0.5 &&
    part.y >= whole.y - 0.5 &&
    part.x + part.width <= whole.x + whole.width + 0.5 &&
    part.y + part.height <= whole.y + whole.height + 0.5;
  const apart = (a, b) =>
    a.x + a.width <= b.x + 0.5 || b.x + b.width <= a.x + 0.5 || a.y + a.height <= b.y + 0.5 || b.y + b.height <= a.y + 0.5;
  for (const [width, height] of [
    [720, 690],
    [390, 460],
    [540, 250],
    [320, 240],
    [844, 144],
  ])
    for (const families of [['R'], ['R', 'G'], ['R', 'G', 'B'], ['R', 'G', 'B', 'Y']]) {
      const area = { x: 10, y: 20, width, height };
      const { quarters, middle } = layOut(area, families);
      const all = Object.values(quarters);
      assert.equal(all.length, families.length);
      for (const quarter of all) {
        assert.ok(inside(quarter.area, area));
        for (const part of [...quarter.huts, quarter.pen, quarter.pole, quarter.title]) assert.ok(inside(part, quarter.area));
        for (const hut of quarter.huts) assert.ok(hut.width > 20 && hut.height > 20, `${width} × ${height}: ${hut.width} × ${hut.height}`);
        for (const other of all) assert.ok(other === quarter || apart(quarter.area, other.area));
        if (middle) assert.ok(apart(quarter.area, middle));
      }
    }
});

test('panels are kept clear of, and a crowd fits its field', () => {
  const side = { left: 900, right: 1270, top: 400, bottom: 790 };
  const cards = { left: 0, right: 250, top: 0, bottom: 300 };
  assert.deepEqual(freeArea(1280, 800, [cards, side]), { x: 250, y: 0, width: 650, height: 800 });
  for (let people = 1; people <= 16; people++) {
    const { size, rows, perRow } = crowd(people, { x: 0, y: 0, width: 98, height: 140 }, 68);
    assert.ok(rows * perRow >= people);
    assert.ok(size + (rows - 1) * size * BEHIND <= 140);
    assert.ok(perRow * size * ASIDE <= 98);
    assert.ok(size >= 50 || people > 9, `${people} people are ${size} pixels high`);
  }
});

test('a quarter that is high has two huts, and one before them', () => {
  const [first, second, third] = layOut({ x: 0, y: 0, width: 380, height: 520 }, ['R']).quarters.R.huts;
  assert.equal(first.y, second.y);
  assert.ok(third.y >= first.y + first.height && third.x > first.x && third.x < second.x);
});

test('the island lies around the village, and things grow on it, beside where people live', () => {
  const village = { x: 250, y: 110, width: 720, height: 690 };
  const land = islandOf(village, 1280, 800);
  assert.ok(land.x > 150 && land.x < 250 && land.x + land.width > 970 && land.x + land.width < 1280, 'with a shore where there is room');
  assert.ok(land.y + land.height > 800, 'and without one where there is none');
  const taken = Object.values(layOut(village, ['R', 'G', 'B', 'Y']).quarters).map(({ area }) => area);
  const found = wilds(land, taken);
  assert.ok(found.length > 8);
  assert.deepEqual(found, wilds(land, taken), 'always the same');
  for (const { x, y } of found) assert.ok(!taken.some((area) => x > area.x && x < area.x + area.width && y > area.y && y < area.y + area.height));
  for (const number of blob(land, 7, 5).match(/-?[\d.]+/g) ?? []) assert.ok(Number.isFinite(Number(number)));
});

test('numbers beside huts and pens are those of the latest event with any', () => {
  const moment = (effects) => ({ seq: 1, at: 0, event: { kind: 'move', effects }, state: {} });
  const past = [
    moment(['born@R1=ggb', 'catch@R=3', 'eat@R=2', 'catch@G=1', 'eat@G=1', 'gone@B=b/-/m']),
    moment([]),
  ];
  assert.deepEqual(badgesOf(past), { R1: '+3', R: '+1', B1: '−1', B3: '−1' });
  assert.deepEqual(badgesOf([]), {});
});

test('what is worth uncovering comes first: what helps at home, and what harms elsewhere, if it touches anybody', () => {
  const { state } = scenes.reveal();
  const wanted = (down) => {
    state.table.mine.R.down = down;
    return laidBy(state, 0).map(({ spell, touches, wanted: good }) => `${spell}${touches}${good ? '!' : ''}`).join(' ');
  };
  assert.equal(wanted({ T: 'R1', H: 'G1', A: 'R3', G: 'B2' }), 'T2! G1! A1! H3');
  assert.equal(wanted({ I: 'R1', F: 'Y1', P: 'R1', L: 'R2' }), 'F1! L1! I2 P2');
  const nothing = () => undefined;
  const plan = new Beforehand(new Map(), nothing, nothing);
  state.table.mine.R.down = { T: 'R1', H: 'G1' };
  plan.propose(state, 0);
  assert.equal(plan.answer(state, 'R'), 'reveal@R=T');
  plan.toggle('R', 'T');
  plan.propose(state, 0);
  assert.equal(plan.answer(state, 'R'), 'reveal@R=-', 'it is proposed once');
  state.table.round++;
  plan.propose(state, 0);
  assert.equal(plan.answer(state, 'R'), 'reveal@R=T');
  plan.keepAll(state, 0);
  assert.equal(plan.answer(state, 'R'), 'reveal@R=-');
});

test('nothing is an answer where it is one, and is not taken for a choice', () => {
  for (const name of ['choose', 'write', 'reveal']) assert.equal(draftOf(name).mayPass, true, name);
  for (const name of ['settle', 'cast', 'starve', 'take']) assert.equal(draftOf(name).mayPass, false, name);
  const draft = draftOf('choose');
  draft.toggle('T');
  assert.equal(draft.mayPass, false);
});

test('what is asked for beforehand outlives the view of a turn, for its own player alone', () => {
  const { state } = scenes.wait();
  const nothing = () => undefined;
  const ana = new Map();
  const first = new Beforehand(ana, nothing, nothing);
  first.turn(state, true);
  first.toggle('R', 'T');
  const next = new Beforehand(ana, nothing, nothing);
  assert.ok(next.isOn(state) && next.kept.has('RT'));
  assert.ok(!new Beforehand(new Map(), nothing, nothing).isOn(state));
  next.turn(state, false);
  assert.ok(!new Beforehand(ana, nothing, nothing).isOn(state));
});
