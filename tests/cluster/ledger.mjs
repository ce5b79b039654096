// What checks the others sees what is lost, doubled or missing. TAP.
import {assert, run, test} from '../wire/lib/tap.mjs';
import {hold} from './lib/ledger.mjs';

const told = (seq, move, id = 1000 + seq) => ({room: 'k3m9x0aq', session: '00000000000000aa', id, seq, move});
/** As psql prints it. */
const row = (seq, move, id = 1000 + seq) =>
  JSON.stringify(['k3m9x0aq', seq, '00000000000000aa', id, Buffer.from(move).toString('base64')]).replaceAll('\\', '\\\\');
const counts = ({lost, doubled, gaps}) => ({lost, doubled, gaps});
const moves = ['one', 'two', 'three'].map((move, at) => [at + 1, move]);
const acknowledged = moves.map(([seq, move]) => told(seq, move));

test('what is there once is well', () => {
  assert.deepEqual(counts(hold(acknowledged, [...moves.map(([seq, move]) => row(seq, move)), row(4, 'four'), ''])), {lost: 0, doubled: 0, gaps: 0});
});

test('a move that is not there is lost, and so is one of another request or with another text', () => {
  assert.deepEqual(counts(hold(acknowledged, moves.slice(0, 2).map(([seq, move]) => row(seq, move)))), {lost: 1, doubled: 0, gaps: 0});
  assert.deepEqual(counts(hold(acknowledged, moves.map(([seq, move]) => row(seq, move, 2000 + seq)))), {lost: 3, doubled: 0, gaps: 0});
  assert.deepEqual(counts(hold(acknowledged, moves.map(([seq]) => row(seq, 'other')))), {lost: 3, doubled: 0, gaps: 0});
});

test('a request that is there twice is doubled', () => {
  const rows = [...moves.map(([seq, move]) => row(seq, move)), row(4, 'three', 1003)];
  assert.deepEqual(counts(hold(acknowledged, rows)), {lost: 0, doubled: 1, gaps: 0});
});

test('a number that is missing or twice is a gap', () => {
  assert.deepEqual(counts(hold([], [row(1, 'one'), row(3, 'three')])), {lost: 0, doubled: 0, gaps: 1});
  assert.deepEqual(counts(hold([], [row(2, 'two')])), {lost: 0, doubled: 0, gaps: 1});
  assert.deepEqual(counts(hold([], [row(1, 'one'), row(1, 'one')])), {lost: 0, doubled: 0, gaps: 1});
});

await run();
