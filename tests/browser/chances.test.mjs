// Unit tests of what hints are shown with: chances in words, and a turn that was not played on the island.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { chanceWord } from '../../clients/web/js/chances.js';
import { imagined } from '../../clients/web/js/games/taluva/advice.js';
import { lagoons } from '../../clients/web/js/games/taluva/hexes.js';
import { readCell } from '../../clients/web/js/games/taluva/notation.js';
import { percent } from '../../clients/web/js/words.js';
import { readGames, stateAfter, VECTORS } from './lib/vectors.mjs';

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
