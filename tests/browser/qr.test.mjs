// QR codes, read again by a reader that shares nothing with the page: it follows the standard from the modules to the text, and
// holds every block against its correction codewords.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { qrModules } from '../../clients/web/js/qr.js';

/** From table 9 of the standard, level M: [blocks, codewords of a block, of which data], twice where blocks differ. */
const LAYOUT = {
  1: [[1, 26, 16]], 2: [[1, 44, 28]], 3: [[1, 70, 44]], 4: [[2, 50, 32]], 5: [[2, 67, 43]], 6: [[4, 43, 27]], 7: [[4, 49, 31]],
  8: [[2, 60, 38], [2, 61, 39]], 9: [[3, 58, 36], [2, 59, 37]], 10: [[4, 69, 43], [1, 70, 44]],
};
/** From annex E: the centres of alignment patterns. */
const CENTRES = { 1: [], 2: [6, 18], 3: [6, 22], 4: [6, 26], 5: [6, 30], 6: [6, 34], 7: [6, 22, 38], 8: [6, 24, 42], 9: [6, 26, 46], 10: [6, 28, 50] };
/** From table C.1, level M: the fifteen bits of masks 0 to 7. */
const FORMATS = ['101010000010010', '101000100100101', '101111001111100', '101101101001011', '100010111111001', '100000011001110', '100111110010111', '100101010100000'];
/** From table D.1. */
const VERSIONS = { 7: '000111110010010100', 8: '001000010110111100', 9: '001001101010011001', 10: '001010010011010011' };

// The field of 256 elements, by logarithms.
const power = [],
  logarithm = [];
for (let i = 0, value = 1; i < 255; i++, value = value & 128 ? (value << 1) ^ 285 : value << 1) {
  power[i] = value;
  logarithm[value] = i;
}

/** A block is a multiple of the generator: it is 0 at each of its roots. */
function isWhole(block, correcting) {
  for (let root = 0; root < correcting; root++) {
    let sum = 0;
    for (const value of block) sum = (sum ? power[(logarithm[sum] + root) % 255] : 0) ^ value;
    if (sum !== 0) return false;
  }
  return true;
}

const MASK = [
  (i, j) => (i + j) % 2,
  (i) => i % 2,
  (i, j) => j % 3,
  (i, j) => (i + j) % 3,
  (i, j) => (Math.trunc(i / 2) + Math.trunc(j / 3)) % 2,
  (i, j) => ((i * j) % 2) + ((i * j) % 3),
  (i, j) => (((i * j) % 2) + ((i * j) % 3)) % 2,
  (i, j) => (((i + j) % 2) + ((i * j) % 3)) % 2,
];

const FINDER = ['1111111', '1000001', '1011101', '1011101', '1011101', '1000001', '1111111'];

function read(modules) {
  const size = modules.length;
  const version = (size - 17) / 4;
  const bit = (row, column) => (modules[row][column] ? '1' : '0');
  for (const [top, left] of [[0, 0], [0, size - 7], [size - 7, 0]])
    for (let r = 0; r < 7; r++) assert.equal(modules[top + r].slice(left, left + 7).map(Number).join(''), FINDER[r]);
  for (let i = 0; i < 8; i++)
    for (const [r, c] of [[7, i], [i, 7], [7, size - 1 - i], [i, size - 8], [size - 8, i], [size - 1 - i, 7]]) assert.equal(bit(r, c), '0');
  for (let i = 8; i < size - 8; i++) assert.equal(bit(6, i) + bit(i, 6), i % 2 ? '00' : '11');
  assert.equal(bit(size - 8, 8), '1');
  let first = '', second = '';
  for (const [r, c] of [[8, 0], [8, 1], [8, 2], [8, 3], [8, 4], [8, 5], [8, 7], [8, 8], [7, 8], [5, 8], [4, 8], [3, 8], [2, 8], [1, 8], [0, 8]]) first += bit(r, c);
  for (let i = 1; i <= 7; i++) second += bit(size - i, 8);
  for (let i = 8; i >= 1; i--) second += bit(8, size - i);
  assert.equal(first, second);
  const mask = FORMATS.indexOf(first);
  assert.notEqual(mask, -1, `format ${first}`);
  if (version >= 7) {
    let beside = '', above = '';
    for (let i = 17; i >= 0; i--) {
      above += bit(Math.trunc(i / 3), size - 11 + (i % 3));
      beside += bit(size - 11 + (i % 3), Math.trunc(i / 3));
    }
    assert.equal(above, VERSIONS[version]);
    assert.equal(beside, VERSIONS[version]);
  }
  const aligned = CENTRES[version].flatMap((r) => CENTRES[version].map((c) => [r, c])).filter(([r, c]) => !(r < 8 && c < 8) && !(r < 8 && c > size - 9) && !(r > size - 9 && c < 8));
  for (const [r, c] of aligned)
    for (let i = -2; i <= 2; i++) for (let j = -2; j <= 2; j++) assert.equal(bit(r + i, c + j), Math.max(Math.abs(i), Math.abs(j)) === 1 ? '0' : '1');
  const isFunction = (r, c) =>
    (r < 9 && c < 9) || (r < 9 && c > size - 9) || (r > size - 9 && c < 9) || r === 6 || c === 6 ||
    (version >= 7 && ((r < 6 && c > size - 12) || (c < 6 && r > size - 12))) ||
    aligned.some(([y, x]) => Math.abs(r - y) <= 2 && Math.abs(c - x) <= 2);
  let bits = '', upwards = true;
  for (let pair = size - 1; pair >= 1; pair -= 2) {
    if (pair === 6) pair = 5;
    for (let step = 0; step < size; step++) {
      const r = upwards ? size - 1 - step : step;
      for (const c of [pair, pair - 1]) if (!isFunction(r, c)) bits += Number(bit(r, c)) ^ Number(MASK[mask](r, c) === 0);
    }
    upwards = !upwards;
  }
  const codewords = bits.match(/.{8}/g).map((byte) => parseInt(byte, 2));
  const blocks = LAYOUT[version].flatMap(([count, all, data]) => Array.from({ length: count }, () => ({ all, data, values: [] })));
  let at = 0;
  for (let i = 0; i < Math.max(...blocks.map(({ data }) => data)); i++) for (const block of blocks) if (i < block.data) block.values.push(codewords[at++]);
  for (let i = 0; i < blocks[0].all - blocks[0].data; i++) for (const block of blocks) block.values.push(codewords[at++]);
  assert.equal(at, codewords.length, 'no codeword is left');
  for (const block of blocks) assert.ok(isWhole(block.values, block.all - block.data), 'a block is corrected');
  const stream = blocks.flatMap(({ values, data }) => values.slice(0, data)).map((value) => value.toString(2).padStart(8, '0')).join('');
  assert.equal(stream.slice(0, 4), '0100', 'bytes');
  const width = version < 10 ? 8 : 16;
  const length = parseInt(stream.slice(4, 4 + width), 2);
  const bytes = Array.from({ length }, (_, i) => parseInt(stream.slice(4 + width + 8 * i, 12 + width + 8 * i), 2));
  const padding = stream.slice(4 + width + 8 * length);
  assert.match(padding, /^0{0,11}((1110110000010001)*(11101100)?)?$/, 'the rest is filled as the standard says');
  return { version, mask, text: new TextDecoder().decode(new Uint8Array(bytes)) };
}

/** The most bytes of each version at level M (table 7). */
const MOST = [14, 26, 42, 62, 84, 106, 122, 152, 180, 213];

test('every version is read again, full and with one byte more', () => {
  for (const [i, most] of MOST.entries()) {
    const full = 'https://example.org/#link=7zk3f09qa5vtd2e8r1x6mhbw4cbv'.repeat(4).slice(0, most);
    assert.deepEqual({ ...read(qrModules(full)), mask: 0 }, { version: i + 1, mask: 0, text: full });
    if (i < 9) assert.equal(read(qrModules(`${full}!`)).version, i + 2);
    else assert.throws(() => qrModules(`${full}!`), /too long/);
  }
});

test('every mask is read again, and every length of a version', () => {
  for (let mask = 0; mask < 8; mask++) assert.deepEqual(read(qrModules('https://example.org/', mask)), { version: 2, mask, text: 'https://example.org/' });
  for (let length = 0; length <= 62; length++) assert.equal(read(qrModules('x'.repeat(length))).text, 'x'.repeat(length));
  assert.equal(read(qrModules('île 🌋 岛')).text, 'île 🌋 岛');
});

test('a reader would notice one wrong module', () => {
  const modules = qrModules('https://example.org/');
  modules[12][12] = !modules[12][12];
  assert.throws(() => read(modules), /corrected/);
});
