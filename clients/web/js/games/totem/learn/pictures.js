// The pictures of the rules: quarters of the lessons' positions, drawn as the table draws them. What a picture says is allowed, or why
// not, a test asks the rules core.

import { el, svg } from '../../../dom.js';
import { textbook } from '../../../learning.js';
import { badgesOf } from '../badges.js';
import { layOut } from '../layout.js';
import { hutsOf, KINDS, readCommand, readHuts } from '../notation.js';
import { birdIcon, personIcon, spellIcon } from '../pieces.js';
import { homeOf, householdOf } from '../scenery.js';
import { Village } from '../village.js';
import { t as gameWords } from '../words.js';
import { begun } from './course.js';
import { t } from './words.js';

/**
 * @typedef {object} Picture
 * @property {string} lesson whose position it is
 * @property {string} [move] what is shown, as if it were played
 * @property {string} [answer] what the rules say to it, if the picture is about that; else it is allowed
 * @property {string} [family] whose quarter it is; "R" if left out
 */

/** By the key of their captions. @type {{[caption: string]: Picture}} */
export const PICTURES = {
  p_family: { lesson: 'cast', family: 'G' },
  p_settled: { lesson: 'settle', move: 'settle@R=wwm/WM/me', answer: 'ok' },
  p_crowd: { lesson: 'settle', move: 'settle@R=wwmmWMe/-/-', answer: 'hut-full' },
  p_hidden: { lesson: 'reveal' },
  p_phase: { lesson: 'reveal', move: 'reveal@R=L', answer: 'wrong-phase' },
  p_twins: { lesson: 'reveal', move: 'reveal@R=T' },
  p_spared: { lesson: 'starve', move: 'starve@R=-/e/b', answer: 'elder-spared' },
  p_starved: { lesson: 'starve', move: 'starve@R=b/-/b' },
  p_elder: { lesson: 'elders', move: 'reveal@R=L' },
  p_written: { lesson: 'write', move: 'write@R=I:G1', family: 'G' },
  p_win: { lesson: 'win', move: 'reveal@R=P' },
};

const WIDTH = 330,
  HEIGHT = 236;
const { framed } = textbook(t);

/** Who would be where, or would go, by a command that may not be allowed. @param {string} move @returns {{people?: {[hut: string]: string}, chosen?: {[hut: string]: string}}} */
function meant(move) {
  const { verb = '', family = '', rest = '' } = readCommand(move) ?? {};
  if (verb === 'settle') return { people: readHuts(family, rest) };
  return verb === 'starve' ? { chosen: readHuts(family, rest) } : {};
}

/** One of the pictures with its caption. @param {string} caption its key */
export function picture(caption) {
  const { lesson, move = '', answer, family = 'R' } = PICTURES[caption];
  const trial = begun(lesson);
  const { people, chosen } = meant(move);
  if (move && (answer ?? 'ok') === 'ok' && !chosen) trial.play(move);
  const { state, past } = trial;
  const badges = badgesOf(past);
  const homes = hutsOf(family).map((hut) => {
    const home = homeOf(state, hut, badges, 0);
    return [hut, { ...home, people: people?.[hut] ?? home.people, chosen: chosen?.[hut] ?? '' }];
  });
  const village = new Village();
  village.plan = layOut({ x: 0, y: 0, width: WIDTH, height: HEIGHT }, [family]);
  const quarter = village.quarter(
    { families: { [family]: householdOf(state, family, badges) }, huts: Object.fromEntries(homes), held: null, movable: () => false, supply: 0, name: () => '', away: '' },
    family,
  );
  const drawn = svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: 'village still', 'aria-hidden': 'true', focusable: 'false' }, quarter);
  return framed(drawn, caption, answer ? answer === 'ok' : null);
}

/** @param {Node} icon @param {string | Node} words */
const one = (icon, words) => el('span', { class: 'piece' }, icon, el('small', {}, words));

/** Small pictures in a row. @param {string} caption @param {(Node | string)[]} parts */
const row = (caption, parts) => framed(el('div', { class: 'pieces totem-row' }, ...parts), caption);

/** The kinds of people with their names. @param {string} caption */
export const kinds = (caption) => row(caption, KINDS.map((kind) => one(personIcon(kind, 'G'), gameWords(`one_${kind}`))));

/** Five people for a bird. @param {string} caption @param {string} people */
export const forBird = (caption, people) => row(caption, [...[...people].map((kind) => personIcon(kind, 'G')), el('b', {}, '→'), birdIcon()]);

/** How people grow older. @param {string} caption */
export const older = (caption) =>
  row(
    caption,
    ['gwWe', 'bmMe'].map((line) =>
      el('span', { class: 'totem-ages' }, ...[...line].flatMap((kind, i) => [i > 0 && '→', personIcon(kind, 'G')]).filter((part) => part !== false)),
    ),
  );

/** Spells that cancel each other. @param {string} caption */
export const opposites = (caption) =>
  row(
    caption,
    ['GB', 'TI', 'AF'].map((pair) => el('span', { class: 'totem-ages' }, spellIcon(pair[0]), '×', spellIcon(pair[1]))),
  );

