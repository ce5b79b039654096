// The tutorial's positions, by the rules core: what is legal at each lesson, and why the rest is not.
//
// usage: lessons.mjs     writes the page's file anew; the environment variable LESSONS names the program tests/vectors/lessons

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const TOP = fileURLToPath(new URL('../../..', import.meta.url));
const PROGRAM = process.env.LESSONS ?? path.join(TOP, 'build', 'tests', 'vectors', 'lessons');
export const PAGE_FILE = path.join(TOP, 'clients/web/js/games/taluva/learn/positions.js');
const WIDTH = 120;

/** The letters for the core's answers in the page's file. */
const LETTERS = {
  ok: '.',
  eliminates_you: 'x',
  not_adjacent_to_island: '-',
  overlaps_island_edge: 'o',
  levels_differ: 'l',
  not_on_volcano: 'n',
  volcano_faces_same_way: 'f',
  covers_tower: 'w',
  covers_temple: 't',
  covers_whole_settlement: 's',
  on_volcano: 'v',
  hex_occupied: 'b',
  not_enough_huts: 'h',
  no_tower_left: 'p',
  no_temple_left: 'q',
  hut_above_level_1: 'u',
  next_to_own_building: 'i',
  tower_below_level_3: 'd',
  no_settlement_adjacent: 'a',
  settlement_has_tower: 'y',
  settlement_has_temple: 'z',
  settlement_too_small: 'm',
};

/** @param {string[]} answers */
const letters = (answers) =>
  answers
    .map((code) => {
      if (!(code in LETTERS)) throw new Error(`no letter for ${code}`);
      return LETTERS[code];
    })
    .join('');

/**
 * What the core says, by lesson.
 * @returns {{[id: string]: {position: string, at: {[hex: string]: string}, on: {[hex: string]: string},
 *   after: {[placement: string]: string[]}, builds: {[move: string]: {end: string, hexes: string[]}}}}}
 */
export function byTheCore() {
  const { status, stdout, stderr } = spawnSync(PROGRAM, [path.join(TOP, 'tests/vectors/lessons.txt')], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${PROGRAM}: ${stderr}`);
  const found = {};
  let lesson;
  for (const line of stdout.trim().split('\n')) {
    const [kind, what, ...more] = line.split(' ');
    if (kind === 'lesson') lesson = found[what] = { position: '', at: {}, on: {}, after: {}, builds: {} };
    if (kind === 'position') lesson.position = [what, ...more].join(' ');
    if (kind === 'at') lesson.at[what] = letters(more);
    if (kind === 'on') lesson.on[what] = letters(more);
    if (kind === 'after') lesson.after[what] = more;
    if (kind === 'build') lesson.builds[what] = { end: more[0], hexes: more.slice(1) };
  }
  return found;
}

/** Words as lines of a template literal. @param {string[]} words @param {string} between */
function wrapped(words, between) {
  const lines = [''];
  for (const word of words) {
    const line = lines[lines.length - 1];
    if (line && line.length + word.length > WIDTH - 8) lines.push(word);
    else lines[lines.length - 1] = line ? line + between + word : word;
  }
  return `\`\n      ${lines.join(`${between.trim()}\n      `)}\``;
}

/** @param {{[name: string]: string}} table */
const pairs = (table) => wrapped(Object.entries(table).map(([key, value]) => `${key}=${value}`), ' ');

/** The hexes of huts. @param {string[]} builds */
function hutsAt(builds) {
  if (!builds.every((build) => build.startsWith('hut@'))) throw new Error('more than huts');
  return builds.map((build) => build.slice(4)).join(';');
}

/** @param {string} id @param {ReturnType<typeof byTheCore>[string]} lesson */
function written(id, { position, at, on, after, builds }) {
  const [options, island, ...rest] = position.split(' ');
  const touching = Object.entries(at).filter(([, answers]) => answers !== '------');
  const parts = [`options: '${options}'`, `island: ${wrapped(island.split('/'), '/')}`, `rest: '${rest.join(' ')}'`];
  if (touching.length) parts.push(`at: ${pairs(Object.fromEntries(touching))}`);
  if (id === 'extend')
    parts.push(`after: ${pairs(Object.fromEntries(Object.entries(after).map(([place, then]) => [place.split('@')[1], hutsAt(then)])))}`);
  const lists = Object.entries(builds).map(([move, { hexes }]) => `'${move}': '${hexes.join(' ')}'`);
  if (lists.length) parts.push(`builds: {\n      ${lists.join(',\n      ')},\n    }`, `on: ${pairs(on)}`);
  const wins = Object.entries(builds).filter(([, { end }]) => end === 'two-kinds');
  if (wins.length) parts.push(`wins: '${wins.map(([move]) => move).join(' ')}'`);
  return `  ${id}: {\n    ${parts.join(',\n    ')},\n  },\n`;
}

/** The page's file, as it must be. */
export function pageFile() {
  const codes = Object.entries(LETTERS).map(([code, letter]) => `  '${letter}': '${code}',\n`);
  return `// The positions of the tutorial with what is legal in them, and why the rest is not. Made by the rules core from
// tests/vectors/lessons.txt: tests/browser/lib/lessons.mjs writes this file, and a test holds it against the core. The fields are
// described in course.js.

/** The answers of the rules by their letters. @type {{[letter: string]: string}} */
export const CODES = {
${codes.join('')}};

/** @type {{[id: string]: import('./course.js').Position}} */
export const POSITIONS = {
${Object.entries(byTheCore())
  .map(([id, lesson]) => written(id, lesson))
  .join('')}};
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(PAGE_FILE, pageFile());
