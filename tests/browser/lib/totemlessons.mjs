// Totem's lessons by the rules core: the table of each as the server would tell it to seat 0, and what comes of everything that can be
// done in it. Which of it is right follows from what it comes to.
//
// usage: totemlessons.mjs     writes the page's file anew; the environment variable TOTEMLESSONS names the program tests/vectors/totemlessons

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const TOP = fileURLToPath(new URL('../../..', import.meta.url));
const PROGRAM = process.env.TOTEMLESSONS ?? path.join(TOP, 'build', 'tests', 'vectors', 'totemlessons');
export const PAGE_FILE = path.join(TOP, 'clients/web/js/games/totem/learn/positions.js');
const LESSONS = readFileSync(path.join(TOP, 'tests/vectors/totemlessons.txt'), 'utf8').trim().split('\n');

/** @typedef {{status: string, event: {move: string, effects: string[]}, patch: any}} Outcome */
/** @typedef {{table: any, asked: any, moves: string[]}} Begun */

/** @param {string[]} lines @returns {any[]} an answer each */
function ask(lines) {
  const { status, stdout, stderr } = spawnSync(PROGRAM, { input: `${lines.join('\n')}\n`, encoding: 'utf8', maxBuffer: 1 << 26 });
  if (status !== 0) throw new Error(`${PROGRAM}: ${stderr}`);
  return stdout.trim().split('\n').map((line) => JSON.parse(line));
}

/** What comes of commands, several with spaces between them, in the position of a lesson. @param {string} id @param {string[]} tries @returns {Outcome[]} */
export function outcomes(id, tries) {
  const begin = LESSONS.find((line) => line.split(' ')[1] === id) ?? '';
  return ask([begin, ...tries.map((commands) => `try ${commands}`)]).slice(1);
}

/** All ways to put people into three huts with room for six. @param {string} people @returns {string[]} */
function settlings(people) {
  const kinds = [...new Set(people)];
  let all = [['', '', '']];
  for (const kind of kinds) {
    const n = people.split(kind).length - 1;
    all = all.flatMap(([one, two, three]) =>
      Array.from({ length: n + 1 }, (_, a) => a).flatMap((a) =>
        Array.from({ length: n - a + 1 }, (_, b) => [one + kind.repeat(a), two + kind.repeat(b), three + kind.repeat(n - a - b)]),
      ),
    );
  }
  return all.filter((huts) => huts.every((hut) => hut.length <= 6)).map((huts) => `settle@R=${huts.map((hut) => hut || '-').join('/')}`);
}

/** Everything that can be done in a lesson: what the core lists, and what it does not list. @param {Begun} lesson */
function everything({ asked, moves }) {
  const { kind, people, spells, huts } = asked.R;
  if (kind === 'settle') return settlings(people);
  if (kind === 'write') return ['write@R=-', ...[...spells].flatMap((spell) => huts.map((/** @type {string} */ hut) => `write@R=${spell}:${hut}`))];
  return moves;
}

/** Children born to a family. @param {Outcome} outcome @param {string} family */
const born = ({ event }, family) =>
  event.effects.filter((effect) => effect.startsWith(`born@${family}`)).reduce((sum, effect) => sum + effect.split('=')[1].length, 0);

/** @param {string} letter @param {string} [family] what the others do in the phase of births, when nobody uncovers anything */
const passed = (letter, family = 'GBYR') => [...family].map((one) => `${letter}@${one}=-`).join(' ');

/** By lesson what follows each command until it shows what that was good for, and how good it was: the best of all are right. @type {{[id: string]: {then?: (move: string) => string, worth: (outcome: Outcome, move: string) => number}}} */
const AIMS = {
  settle: { then: () => passed('choose'), worth: (outcome) => born(outcome, 'R') },
  choose: { worth: (_, move) => Number(move.endsWith('=TL')) }, // the two that the lesson names
  cast: { then: () => `${passed('reveal', 'GBY')} reveal@R=T`, worth: (outcome) => born(outcome, 'R') },
  reveal: { worth: (outcome) => born(outcome, 'R') },
  starve: { worth: ({ event }) => -event.effects.filter((effect) => effect.startsWith('fall')).length },
  elders: { worth: ({ event }) => -event.effects.filter((effect) => effect.startsWith('mourn')).length },
  write: {
    then: (move) => passed('reveal', 'GBY') + (move === 'write@R=-' ? '' : ` reveal@R=${'GBTI'.includes(move[8]) ? move[8] : '-'}`),
    worth: (outcome) => -born(outcome, 'G'),
  },
  win: { worth: ({ event }) => Number(event.effects.includes('over@totem=R')) },
};

/**
 * What the core says, by lesson: the beginning, all that can be done, what comes of it at once, and what it is worth.
 * @returns {{[id: string]: Begun & {tries: {[move: string]: Outcome & {worth: number}}, right: string[]}}}
 */
export function byTheCore() {
  return Object.fromEntries(
    ask(LESSONS).map((begun) => {
      const id = begun.lesson;
      const { then, worth } = AIMS[id];
      const moves = everything(begun);
      const now = outcomes(id, moves);
      const later = then ? outcomes(id, moves.map((move) => `${move} ${then(move)}`)) : now;
      for (const { status } of [...now, ...later]) if (status !== 'ok') throw new Error(`${id}: ${status}`);
      const worths = later.map((outcome, i) => worth(outcome, moves[i]));
      const tries = Object.fromEntries(moves.map((move, i) => [move, { ...now[i], worth: worths[i] }]));
      const right = moves.filter((_, i) => worths[i] === Math.max(...worths));
      return [id, { ...begun, tries, right }];
    }),
  );
}

/** A value as it stands in the page's sources. @param {any} value @returns {string} */
function written(value) {
  if (Array.isArray(value)) return `[${value.map(written).join(', ')}]`;
  if (typeof value === 'string') return `'${value}'`;
  if (value === null || typeof value !== 'object') return String(value);
  return `{ ${Object.entries(value).map(([key, member]) => `${key}: ${written(member)}`).join(', ')} }`.replace('{  }', '{}');
}

/** @param {string} id @param {ReturnType<typeof byTheCore>[string]} lesson */
function entry(id, { table, asked, tries, right }) {
  // of all ways to settle one stands for the others, which differ in their huts alone
  const kept = id === 'settle' ? right.slice(0, 1) : right;
  const answers = kept.map((move) => `      '${move}': ${written({ effects: tries[move].event.effects, patch: tries[move].patch })},\n`);
  return `  ${id}: {\n    table: ${written(table)},\n    asked: ${written(asked)},\n    right: {\n${answers.join('')}    },\n  },\n`;
}

/** The page's file, as it must be. */
export function pageFile() {
  return `// The positions of the lessons as the server would tell them to the learner, and what comes of each right command. Made by the rules
// core from tests/vectors/totemlessons.txt: tests/browser/lib/totemlessons.mjs writes this file, and a test holds it against the core.
// The fields are described in course.js.

/** @type {{[id: string]: import('./course.js').Position}} */
export const POSITIONS = {
${Object.entries(byTheCore())
  .map(([id, lesson]) => entry(id, lesson))
  .join('')}};
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(PAGE_FILE, pageFile());
