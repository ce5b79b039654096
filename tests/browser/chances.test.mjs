// Unit tests of what hints and analyses are shown with: chances in words, where turns lie in a match, the figures of the curve,
// a turn that was not played on the island, and how a player went out.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { chancesOver, chanceWord, spansOf, turnAt } from '../../clients/web/js/chances.js';
import { pathOf, placeOf, spread, turnUnder } from '../../clients/web/js/curve.js';
import { momentSentence, reasonSentence } from '../../clients/web/js/events.js';
import { classWords, levelNear, placesOf } from '../../clients/web/js/rating.js';
import { imagined } from '../../clients/web/js/games/taluva/advice.js';
import { lagoons } from '../../clients/web/js/games/taluva/hexes.js';
import { readCell } from '../../clients/web/js/games/taluva/notation.js';
import { merged } from '../../clients/web/js/patch.js';
import { learnWords, percent, points } from '../../clients/web/js/words.js';
import { pushesOf, readGames, stateAfter, VECTORS } from './lib/vectors.mjs';

const games = readGames(VECTORS).filter((_, i) => i % 6 === 1); // enough of them

test('a chance has a word that depends on how many hope for it', () => {
  const cases = [
    [[1000, 0], 0, 'chance_won'],
    [[975, 25], 0, 'chance_won'],
    [[612, 388], 0, 'chance_ahead'],
    [[612, 388], 1, 'chance_behind'],
    [[500, 500], 0, 'chance_level'],
    [[0, 1000], 0, 'chance_lost'],
    [[20, 980], 0, 'chance_lost'],
    [[200, 200, 200, 200, 200], 3, 'chance_level'],
    [[300, 175, 175, 175, 175], 0, 'chance_ahead'],
    [[612, 130, 130, 128], 0, 'chance_far_ahead'],
    [[500, 500, 500, 500], 2, 'chance_level'], // two teams
  ];
  for (const [chances, seat, word] of cases) assert.equal(chanceWord(chances, seat), word, `${chances}, seat ${seat}`);
});

test('only what is certain is written as 0 or 100 per cent', () => {
  assert.deepEqual([0, 1, 9, 500, 612, 996, 1000].map(percent), ['0%', '1%', '1%', '50%', '61%', '99%', '100%']);
  for (let chance = 0; chance <= 1000; chance++)
    assert.equal(parseInt(percent(chance)) + parseInt(percent(1000 - chance)), 100, `${chance}: the two of a match have 100 % together`);
  assert.deepEqual([-180, -4, 0, 4, 25].map(points), ['−18', '0', '0', '0', '+3']);
});

/** The moments of a match. @param {any[]} pushes */
function momentsOf(pushes) {
  let state = {};
  return pushes.map(({ seq, at, event, patch }) => ({ seq, at, event, state: (state = merged(state, patch)) }));
}

/** @param {any} game */
const turnsOf = (game) =>
  game.turns.map(({ seat, place, build }, i) => ({ turn: i + 1, seat, moves: build === 'none' ? [place] : [place, build] }));

test('every turn of every game is found among the moments', () => {
  let turns = 0;
  for (const game of games) {
    const past = momentsOf(pushesOf(game, 500, { phase: 'over' }));
    const spans = spansOf(past, turnsOf(game));
    spans.forEach(({ before, after }, i) => {
      assert.equal(after - before, game.turns[i].build === 'none' ? 1 : 2, `${game.id}, turn ${i + 1}`);
      assert.equal(before, i ? spans[i - 1].after : 0);
      turns++;
    });
    assert.equal(spans.at(-1).after, past.length - 1);
  }
  assert.ok(turns > 1000);
});

/** @param {string} kind @param {number} [seat] @param {string} [move] */
const moment = (kind, seat, move) => ({ seq: 0, at: 0, event: { kind, seat, move }, state: {} });

test('what was taken back, asked or offered between the moves does not confuse it', () => {
  const past = [
    moment('started'),
    moment('hinted', 0),
    moment('move', 0, 'JC@0,0:0'),
    moment('undone', 0),
    moment('move', 0, 'JC@0,0:3'),
    moment('undone', 0),
    moment('move', 0, 'JC@0,0:0'),
    moment('offered', 1),
    moment('move', 0, 'hut@1,0'),
    moment('resigned', 2),
    moment('move', 1, 'draw'),
    moment('move', 1, 'SS@2,0:1'),
    moment('move', 1, 'hut@1,0'),
  ];
  const turns = [
    { seat: 0, moves: ['JC@0,0:0', 'hut@1,0'] },
    { seat: 1, moves: ['SS@2,0:1', 'hut@1,0'] },
  ];
  const spans = spansOf(past, turns);
  assert.deepEqual(spans, [{ before: 5, after: 8 }, { before: 10, after: 12 }]);
  assert.deepEqual(past.map((_, i) => turnAt(spans, i)), [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1]);
  assert.deepEqual(spansOf(past.slice(0, 5), turns), [{ before: -1, after: -1 }, { before: -1, after: -1 }]);
});

test('the same moves again, by the same player or another, are other turns', () => {
  const past = [
    moment('started'),
    moment('move', 0, 'JC@0,0:0'),
    moment('move', 0, 'hut@1,0'),
    moment('move', 0, 'SS@2,0:1'),
    moment('timed_out', 0),
    moment('move', 1, 'SS@2,0:1'),
    moment('move', 1, 'hut@1,0'),
    moment('move', 1, 'JC@2,0:1'),
    moment('move', 1, 'hut@1,0'),
  ];
  const turns = [
    { seat: 0, moves: ['JC@0,0:0', 'hut@1,0'] },
    { seat: 1, moves: ['SS@2,0:1', 'hut@1,0'] },
    { seat: 1, moves: ['JC@2,0:1', 'hut@1,0'] },
  ];
  assert.deepEqual(spansOf(past, turns), [{ before: 0, after: 2 }, { before: 4, after: 6 }, { before: 6, after: 8 }]);
  const [, second] = spansOf(past, [turns[0], { seat: 1, moves: ['XX@9,9:9', 'hut@1,0'] }]);
  assert.deepEqual(second, { before: 2, after: 6 }, 'what is not there does not lead to another turn');
  assert.deepEqual(spansOf(past.slice(0, 5), [{ seat: 1, moves: ['SS@2,0:1'] }]), [{ before: -1, after: -1 }]);
});

test('the curve begins where the match did and goes through the chances after each turn', () => {
  const turns = [
    { start: [500, 500], played: [400, 600] },
    { start: [400, 600], played: [1000, 0] },
  ];
  const [ana, bo] = chancesOver({ turns });
  assert.deepEqual([ana, bo], [[500, 400, 1000], [500, 600, 0]]);
  assert.deepEqual(chancesOver({ turns: [] }), []);
  const corners = [placeOf(2, 0, 0), placeOf(2, 2, 1000)];
  const [, first, middle, last] = /^M(\S+ \S+)L(\S+ \S+)L(\S+ \S+)$/.exec(pathOf(ana)) ?? [];
  const where = (text) => text.split(' ').map(Number);
  assert.deepEqual(where(first), [corners[0].x, (corners[0].y + corners[1].y) / 2]);
  assert.equal(where(middle)[0], (corners[0].x + corners[1].x) / 2);
  assert.deepEqual(where(last), [corners[1].x, corners[1].y]);
});

test('what is touched is the turn that is drawn there', () => {
  const width = 320;
  for (const turns of [1, 12, 60]) {
    for (let after = 0; after <= turns; after++)
      assert.equal(turnUnder(turns, placeOf(turns, after, 500).x / width), after, `${after} of ${turns}`);
    assert.equal(turnUnder(turns, 0), 0);
    assert.equal(turnUnder(turns, 1), turns);
  }
});

test('signs at the ends of lines never cover each other and stay beside the curve', () => {
  for (const wanted of [[130], [10, 130], [130, 130, 130, 130, 130], [10, 10, 10], [60, 62, 130, 128, 61]]) {
    const placed = spread(wanted);
    const sorted = [...placed].sort((a, b) => a - b);
    sorted.forEach((y, i) => assert.ok(!i || y - sorted[i - 1] >= 14, `${wanted}: ${placed}`));
    assert.ok(sorted[0] >= 0 && sorted.at(-1) <= 140, `${wanted}: ${placed}`);
    const order = (list) => list.map((_, i) => i).sort((a, b) => list[a] - list[b] || a - b);
    assert.deepEqual(order(placed), order(wanted), 'the highest line has the highest sign');
  }
  assert.deepEqual(spread([10, 130]), [10, 130], 'where there is room they are where the lines end');
});

test('a turn that was not played stands where the rules would have put it', () => {
  let builds = 0;
  for (const game of games) {
    game.turns.forEach((turn, i) => {
      const before = stateAfter(game, i).table;
      const placed = stateAfter(game, i, true).table;
      const after = i + 1 < game.turns.length || turn.build !== 'none' ? stateAfter(game, i + 1).table : placed;
      const moves = turn.build === 'none' ? [turn.place] : [turn.place, turn.build];
      const { tile, pieces, levelOf, placement } = imagined(before.hexes, moves, turn.seat);
      const name = `${game.id}, turn ${i + 1}: ${moves}`;
      assert.equal(placement.text, turn.place);
      for (const key of tile) assert.equal(levelOf(key), readCell(placed.hexes[key]).level, name);
      if (turn.build.startsWith('boat')) {
        const water = lagoons((key) => key in placed.hexes, Object.keys(placed.hexes)).get(turn.build.slice(5));
        assert.ok(pieces.length === 1 && water.has(pieces[0].key) && pieces[0].piece.kind === 'b', name);
        return;
      }
      const changed = Object.keys(after.hexes).filter((key) => after.hexes[key] !== placed.hexes[key]);
      assert.deepEqual(pieces.map(({ key }) => key).sort(), changed.sort(), name);
      for (const { key, piece } of pieces) {
        const { kind, count } = readCell(after.hexes[key]);
        assert.equal(piece.kind, kind, name);
        if (kind === 'h') assert.equal(turn.build.startsWith('hut') ? 1 : piece.count, count, name);
        builds++;
      }
    });
  }
  assert.ok(builds > 1000);
});

test('only a build, and only a draw', () => {
  const game = games[0];
  const { hexes } = stateAfter(game, 3, true).table;
  const { seat, build } = game.turns[3];
  const { tile, pieces } = imagined(hexes, [build], seat);
  assert.deepEqual(tile, []);
  assert.ok(pieces.length > 0);
  assert.deepEqual(imagined(hexes, ['draw'], seat).pieces, []);
});

test('the curve of a rating has its first match on the left, and as much of it on each side as nobody knows', async () => {
  await learnWords(); // what says a class is fetched late
  const { low, high, places } = placesOf([
    { rating: 1600, deviation: 50 },
    { rating: 1500, deviation: 100 },
    { rating: 1700, deviation: 300 },
  ]);
  assert.deepEqual([low, high], [1100, 2300]);
  assert.ok(places[0].x < places[1].x && places[1].x < places[2].x);
  assert.ok(places[0].y < places[2].y && places[2].y < places[1].y, 'a better one is higher');
  for (const { y, top, bottom } of places) assert.ok(top < y && y < bottom && Math.abs(y - top - (bottom - y)) < 0.2);
  assert.equal(places[0].bottom - places[0].top > places[2].bottom - places[2].top, true);
  const [only] = placesOf([{ rating: 1500, deviation: 350 }]).places;
  assert.ok([only.x, only.y, only.top, only.bottom].every(Number.isFinite));
  assert.equal(classWords('taluva.duel.live'), 'Taluva · two players');
  assert.equal(classWords('totem.table.slow'), 'Totem · three to five · slow');
  assert.equal(classWords('new.odd.live'), 'new · odd');
});

test('a rating is that of the nearest level, or of none that there is', () => {
  const levels = [{ level: 'simple', rating: 1300 }, { level: 'skilled', rating: 1600 }];
  for (const [rating, words, level] of [[1400, 'level_about', 'simple'], [1500, 'level_about', 'skilled'], [1750, 'level_about', 'skilled'], [1751, 'level_above', 'skilled'], [1149, 'level_below', 'simple']])
    assert.deepEqual(levelNear(levels, Number(rating)), { words, level });
});

test('who is timed out where no clock runs was away, and no time has run out', () => {
  const game = /** @type {any} */ ({ eventSentence: () => '', winners: () => [1] });
  for (const [kind, sentence] of [['fischer', 'Ana has run out of time.'], ['none', 'Ana was away for too long, and is out.']]) {
    const state = { clock: { kind }, seats: { 0: { name: 'Ana' }, 1: { name: 'Bo' } }, result: { why: 'last-standing' } };
    const moment = /** @type {any} */ ({ event: { kind: 'timed_out', seat: 0 }, state });
    assert.equal(momentSentence(game, moment, state), sentence);
    assert.equal(reasonSentence(game, state, [moment]), sentence);
  }
});
