// QR codes (ISO/IEC 18004) of short texts: bytes, error correction level M, versions 1 to 10. Drawn as SVG.

import { svg } from './dom.js';

/** Of each version at level M: all codewords, those that correct a block, and the number of blocks. */
const CODEWORDS = [26, 44, 70, 100, 134, 172, 196, 242, 292, 346];
const CORRECTING = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26];
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5];
/** The last centre of an alignment pattern; from version 7 on there is one halfway too. */
const LAST_CENTRE = [0, 18, 22, 26, 30, 34, 38, 42, 46, 50];
const QUIET = 4;

const dataCodewords = (/** @type {number} */ v) => CODEWORDS[v - 1] - CORRECTING[v - 1] * BLOCKS[v - 1];
const lengthBits = (/** @type {number} */ v) => (v < 10 ? 8 : 16);

/** The smallest version that holds so many bytes; 0: none does. @param {number} count */
function versionFor(count) {
  for (let v = 1; v <= 10; v++) if (4 + lengthBits(v) + 8 * count <= 8 * dataCodewords(v)) return v;
  return 0;
}

/** Mode, length, bytes, end, and what fills the rest. @param {Uint8Array} bytes @param {number} v */
function dataOf(bytes, v) {
  /** @type {number[]} */
  const bits = [];
  const put = (/** @type {number} */ value, /** @type {number} */ count) => {
    for (let i = count - 1; i >= 0; i--) bits.push((value >> i) & 1);
  };
  put(4, 4);
  put(bytes.length, lengthBits(v));
  for (const byte of bytes) put(byte, 8);
  const most = 8 * dataCodewords(v);
  put(0, Math.min(4, most - bits.length));
  put(0, -bits.length & 7);
  for (let pad = 0xec; bits.length < most; pad ^= 0xec ^ 0x11) put(pad, 8);
  return Array.from({ length: most / 8 }, (_, i) => parseInt(bits.slice(8 * i, 8 * i + 8).join(''), 2));
}

/** A product in the field of 256 elements, modulo x^8 + x^4 + x^3 + x^2 + 1. @param {number} a @param {number} b */
function times(a, b) {
  let product = 0;
  for (let i = 7; i >= 0; i--) product = ((product << 1) ^ ((product >> 7) * 0x11d)) ^ (((b >> i) & 1) * a);
  return product;
}

/** The remainder of a block divided by the generator of that degree. @param {number[]} block @param {number} degree */
function correctionOf(block, degree) {
  let generator = [1];
  for (let i = 0, root = 1; i < degree; i++, root = times(root, 2))
    generator = [...generator, 0].map((value, at) => value ^ times(generator[at - 1] ?? 0, root));
  const rest = [...block, ...Array(degree).fill(0)];
  for (let at = 0; at < block.length; at++) {
    const factor = rest[at];
    generator.forEach((value, i) => (rest[at + i] ^= times(value, factor)));
  }
  return rest.slice(block.length);
}

/** The first codeword of each block, the second of each, and so on; then the same of what corrects them. @param {number[]} data @param {number} v */
function interleaved(data, v) {
  const count = BLOCKS[v - 1];
  const short = Math.floor(data.length / count);
  let at = 0;
  const blocks = Array.from({ length: count }, (_, i) => data.slice(at, (at += short + (i >= count - (data.length % count) ? 1 : 0))));
  const corrections = blocks.map((block) => correctionOf(block, CORRECTING[v - 1]));
  const across = (/** @type {number[][]} */ lists) =>
    Array.from({ length: Math.max(...lists.map(({ length }) => length)) }, (_, i) => lists.flatMap((list) => list.slice(i, i + 1))).flat();
  return [...across(blocks), ...across(corrections)];
}

/** Bits with those that check them: divided by a polynomial of that degree. @param {number} value @param {number} polynomial @param {number} degree */
function checked(value, polynomial, degree) {
  let rest = value << degree;
  for (let bit = 31 - Math.clz32(rest); bit >= degree; bit = 31 - Math.clz32(rest)) rest ^= polynomial << (bit - degree);
  return (value << degree) | rest;
}

/** @type {((row: number, column: number) => boolean)[]} where a mask turns modules over */
const MASKS = [
  (r, c) => (r + c) % 2 === 0,
  (r) => r % 2 === 0,
  (_, c) => c % 3 === 0,
  (r, c) => (r + c) % 3 === 0,
  (r, c) => (Math.floor(r / 2) + Math.floor(c / 3)) % 2 === 0,
  (r, c) => ((r * c) % 2) + ((r * c) % 3) === 0,
  (r, c) => (((r * c) % 2) + ((r * c) % 3)) % 2 === 0,
  (r, c) => (((r + c) % 2) + ((r * c) % 3)) % 2 === 0,
];

/** What every code of a version has; undefined where data goes. @param {number} v @returns {(boolean | undefined)[][]} */
function patterns(v) {
  const size = 17 + 4 * v;
  /** @type {(boolean | undefined)[][]} */
  const modules = Array.from({ length: size }, () => Array(size).fill(undefined));
  const square = (/** @type {number} */ row, /** @type {number} */ column, /** @type {number} */ radius, /** @type {number[]} */ light) => {
    for (let r = -radius; r <= radius; r++)
      for (let c = -radius; c <= radius; c++)
        if (row + r in modules && column + c in modules)
          modules[row + r][column + c] = !light.includes(Math.max(Math.abs(r), Math.abs(c)));
  };
  for (let i = 8; i < size - 8; i++) modules[6][i] = modules[i][6] = i % 2 === 0;
  const centres = v === 1 ? [] : v < 7 ? [6, LAST_CENTRE[v - 1]] : [6, (6 + LAST_CENTRE[v - 1]) / 2, LAST_CENTRE[v - 1]];
  const corner = (/** @type {number} */ row, /** @type {number} */ column) => row === 6 && (column === 6 || column === size - 7);
  for (const row of centres)
    for (const column of centres) if (!corner(row, column) && !corner(column, row)) square(row, column, 2, [1]);
  for (const [row, column] of [
    [3, 3],
    [3, size - 4],
    [size - 4, 3],
  ])
    square(row, column, 4, [2, 4]);
  return modules;
}

/** Format and version: which mask, and how large. @param {(boolean | undefined)[][]} modules @param {number} v @param {number} mask */
function putFormat(modules, v, mask) {
  const size = modules.length;
  const format = checked(mask, 0x537, 10) ^ 0x5412; // level M is 00
  for (let i = 0; i < 15; i++) {
    const dark = ((format >> i) & 1) === 1;
    modules[i < 6 ? i : i < 8 ? i + 1 : size - 15 + i][8] = dark;
    modules[8][i < 8 ? size - 1 - i : i < 9 ? 7 : 14 - i] = dark;
  }
  modules[size - 8][8] = true;
  const version = checked(v, 0x1f25, 12);
  for (let i = 0; v >= 7 && i < 18; i++) {
    const far = size - 11 + (i % 3),
      near = Math.floor(i / 3);
    modules[near][far] = modules[far][near] = ((version >> i) & 1) === 1;
  }
}

/** Up and down in columns of two, from the right. @param {(boolean | undefined)[][]} modules @param {number[]} codewords @param {number} mask */
function putData(modules, codewords, mask) {
  const size = modules.length;
  let at = 0;
  for (let right = size - 1, up = true; right > 0; right -= right === 8 ? 3 : 2, up = !up)
    for (let i = 0; i < 2 * size; i++) {
      const row = up ? size - 1 - (i >> 1) : i >> 1,
        column = right - (i & 1);
      if (modules[row][column] !== undefined) continue;
      const bit = ((codewords[at >> 3] ?? 0) >> (7 - (at & 7))) & 1;
      at++;
      modules[row][column] = (bit === 1) !== MASKS[mask](row, column);
    }
}

/** How hard a code is to read, as the standard counts it. @param {boolean[][]} modules */
function penaltyOf(modules) {
  const size = modules.length;
  let penalty = 0,
    dark = 0;
  const lines = [...modules, ...modules.map((_, i) => modules.map((row) => row[i]))];
  for (const line of lines) {
    const text = line.map(Number).join('');
    for (const run of text.match(/0{5,}|1{5,}/g) ?? []) penalty += run.length - 2;
    for (let i = 0; i + 11 <= size; i++) if (['10111010000', '00001011101'].includes(text.slice(i, i + 11))) penalty += 40;
  }
  for (let r = 0; r < size; r++)
    for (let c = 0; c < size; c++) {
      dark += Number(modules[r][c]);
      if (r && c && new Set([modules[r][c], modules[r - 1][c], modules[r][c - 1], modules[r - 1][c - 1]]).size === 1) penalty += 3;
    }
  return penalty + 10 * Math.floor(Math.abs((dark * 20) / (size * size) - 10));
}

/**
 * The modules of a code, row by row; true is dark.
 * @param {string} text @param {number} [wanted] the mask; without it the one that is easiest to read
 * @returns {boolean[][]}
 */
export function qrModules(text, wanted) {
  const bytes = new TextEncoder().encode(text);
  const v = versionFor(bytes.length);
  if (!v) throw new Error('too long for a QR code');
  const codewords = interleaved(dataOf(bytes, v), v);
  const codes = (wanted === undefined ? [...MASKS.keys()] : [wanted]).map((mask) => {
    const modules = patterns(v);
    putFormat(modules, v, mask);
    putData(modules, codewords, mask);
    return /** @type {boolean[][]} */ (modules);
  });
  const penalties = codes.map(penaltyOf);
  return codes[penalties.indexOf(Math.min(...penalties))];
}

/** Dark on light whatever the theme, as cameras expect it. @param {string} text @param {string} label */
export function qrPicture(text, label) {
  const modules = qrModules(text);
  const size = modules.length + 2 * QUIET;
  const path = modules.flatMap((row, r) => row.map((dark, c) => (dark ? `M${c + QUIET} ${r + QUIET}h1v1h-1z` : ''))).join('');
  return svg(
    'svg',
    { class: 'qr', viewBox: `0 0 ${size} ${size}`, role: 'img', 'aria-label': label, 'shape-rendering': 'crispEdges' },
    svg('rect', { width: size, height: size, fill: '#fff' }),
    svg('path', { d: path, fill: '#000' }),
  );
}
