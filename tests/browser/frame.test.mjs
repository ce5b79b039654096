// Where the island goes between the panels, and the outline of its coast.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { framed, seesAll } from '../../clients/web/js/games/taluva/frame.js';
import { coastOf } from '../../clients/web/js/games/taluva/iso.js';

const STAGE = { width: 1280, height: 754 };
const PANELS = [
  { left: 10, right: 250, top: 10, bottom: 420 },
  { left: 974, right: 1270, top: 434, bottom: 744 },
  { left: 430, right: 850, top: 10, bottom: 62 },
  { left: 10, right: 250, top: 700, bottom: 744 },
];

/** An island of boxes, so many in a row. @param {number} columns @param {number} rows @param {number} [x] @param {number} [y] */
const land = (columns, rows, x = 0, y = 0) =>
  [...Array(columns * rows).keys()].map((i) => {
    const left = x + (i % columns) * 70 + ((Math.floor(i / columns) % 2) * 70) / 2,
      top = y + Math.floor(i / columns) * 43;
    return { left, right: left + 70, top, bottom: top + 58 };
  });

test('whatever the island is like, all of it is seen and no panel is over it', () => {
  for (const [columns, rows] of [
    [1, 1],
    [3, 2],
    [16, 6],
    [6, 16],
    [20, 20],
    [30, 3],
  ]) {
    for (const [x, y] of [
      [0, 0],
      [-3000, 500],
    ]) {
      const boxes = land(columns, rows, x, y);
      assert.ok(seesAll(boxes, framed(boxes, STAGE, PANELS), STAGE, PANELS), `${columns} × ${rows} at ${x}, ${y}`);
    }
  }
});

test('it is as large as it can be', () => {
  const boxes = land(16, 6);
  const view = framed(boxes, STAGE, PANELS);
  assert.ok(view.scale > framed(boxes, { width: 700, height: 370 }, []).scale, 'more than between all panels');
  assert.equal(framed(land(2, 2), STAGE, PANELS).scale, 1.5, 'and not larger than life');
  assert.ok(!seesAll(boxes, { ...view, scale: view.scale * 1.2 }, STAGE, PANELS));
  assert.ok(!seesAll(boxes, { ...view, x: view.x - 400 }, STAGE, PANELS), 'what is under a panel is not seen');
});

test('a coast is one loop around land, and one around each lagoon', () => {
  const loops = (keys, turn) => coastOf(keys, turn).match(/M/g).length;
  const corners = (keys, turn) => coastOf(keys, turn).match(/[ML]/g).length;
  const ring = ['1,0', '0,1', '-1,1', '-1,0', '0,-1', '1,-1'];
  for (let turn = 0; turn < 6; turn++) {
    assert.equal(loops(['0,0'], turn), 1);
    assert.equal(corners(['0,0'], turn), 6);
    assert.equal(corners(['0,0', '1,0', '0,1'], turn), 12, 'three hexes of one tile');
    assert.equal(loops(ring, turn), 2);
    assert.equal(corners(ring, turn), 18 + 6);
    assert.equal(loops(['0,0', '5,0'], turn), 2, 'two islands');
  }
});
