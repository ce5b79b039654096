// The drawings: people of seven kinds, huts, totem poles, birds, spells, and the signs of the families. Each stands on the
// point 0, 0 in units of its own; whoever shows it scales it. Colours are those of the style sheet (own-… is the family's).

import { svg } from '../../dom.js';

/** @typedef {SVGElement} Drawing */

/** @param {string} name @param {string} d */
const path = (name, d) => svg('path', { class: name, d });
/** @param {string} name @param {number} cx @param {number} cy @param {number} r */
const disc = (name, cx, cy, r) => svg('circle', { class: name, cx, cy, r });

const HAIR_TOP = 'M-4.4-18.6A4.4 4.6 0 0 1 4.4-18.6Q2-20.6 0-20.4Q-2-20.6-4.4-18.6Z';
const ARMS = 'M-3.6-13.4L-6-7.4M3.6-13.4L6-7.4';
const FEATHER = 'M1.5-22Q2-29 5.5-30.5Q6.5-26 3-21.6Z';

/** Grown-ups are 26 high, with what they wear on their heads at most 31. @type {{[kind: string]: () => Drawing[]}} */
const PEOPLE = {
  w: () => [
    path('hair', 'M-4.6-19Q-5.6-13-4.2-10.6H4.2Q5.6-13 4.6-19Z'),
    path('limb', ARMS),
    path('own-m cloth', 'M-3-14.6H3L6.6-.8Q0 1-6.6-.8Z'),
    path('trim', 'M-4.1-8.6H4.1M-5.8-3.4H5.8'),
    disc('skin', 0, -18, 4.1),
    path('hair', HAIR_TOP),
  ],
  m: () => [
    path('feather', FEATHER),
    path('leg', 'M-2.3-7V-.8M2.3-7V-.8'),
    path('limb', 'M-4.4-13.6L-6.8-7M4.4-13.6L6.8-7'),
    path('own-m cloth', 'M-4.6-14.8H4.6L3.9-5H-3.9Z'),
    path('trim', 'M-4-8H4'),
    disc('skin', 0, -18, 4.1),
    path('hair', HAIR_TOP),
    path('band', 'M-4.1-19H4.1'),
  ],
  W: () => [
    disc('hair', 0, -23.6, 2.3),
    path('limb', ARMS),
    path('own-m cloth', 'M-3.4-14.6H3.4L7.2-.8Q0 1-7.2-.8Z'),
    path('trim', 'M-6.3-3.4H6.3'),
    path('own-d shawl', 'M-3.8-15Q0-13 3.8-15L6.6-8Q0-5-6.6-8Z'),
    disc('skin', 0, -18, 4.1),
    path('hair', HAIR_TOP),
    path('basket', 'M3.6-7.6H10L9-2.4H4.6Z'),
  ],
  M: () => [
    path('spear', 'M8.4-.6V-27'),
    path('tip', 'M8.4-31L10.3-26.4H6.5Z'),
    path('feather', FEATHER),
    path('feather', 'M-1.5-22Q-2-29-5.5-30.5Q-6.5-26-3-21.6Z'),
    path('leg', 'M-2.6-7V-.8M2.6-7V-.8'),
    path('limb', 'M-5-13.6L-7-7M5-13.6L8.2-10'),
    path('own-m cloth', 'M-5.2-15H5.2L4.6-5H-4.6Z'),
    path('own-d shawl', 'M-5.2-15L5.4-6.4L4.6-5H2L-5.2-11Z'),
    disc('skin', 0, -18, 4.1),
    path('hair', HAIR_TOP),
    path('band', 'M-4.1-19H4.1'),
  ],
  e: () => [
    path('spear', 'M8-.6V-17Q8-20 10.4-19.4'),
    path('limb', 'M4-13L8-10'),
    path('own-d cloth', 'M-4.6-14.6Q0-17 4.6-14.6L7-.8Q0 1-7-.8Z'),
    path('own-l shawl', 'M-1.6-15.2H1.6L2.6-.3Q0 .2-2.6-.3Z'),
    path('trim', 'M-6.2-5H6.2'),
    disc('skin', 0, -17.6, 4.1),
    path('white-hair', 'M-4.7-14.4Q-6-22.6 0-22.8Q6-22.6 4.7-14.4L3.4-16Q4-20 0-20Q-4-20-3.4-16Z'),
  ],
  g: () => [
    disc('hair', -3.9, -10.6, 1.6),
    disc('hair', 3.9, -10.6, 1.6),
    path('leg', 'M-1.4-2.6V-.6M1.4-2.6V-.6'),
    path('limb', 'M-2.4-8.6L-4.6-5M2.4-8.6L4.6-5'),
    path('own-l cloth', 'M-2-9.6H2L4.6-2Q0-1-4.6-2Z'),
    disc('skin', 0, -12.4, 3.5),
    path('hair', 'M-3.7-12.8A3.7 3.9 0 0 1 3.7-12.8Q1.6-14.8 0-14.4Q-1.6-14.8-3.7-12.8Z'),
  ],
  b: () => [
    path('leg', 'M-1.6-4V-.6M1.6-4V-.6'),
    path('limb', 'M-2.8-8.6L-4.8-4.6M2.8-8.6L4.8-4.6'),
    path('own-l cloth', 'M-2.9-9.6H2.9L2.7-3.2H-2.7Z'),
    disc('skin', 0, -12.4, 3.5),
    path('hair', 'M-3.7-12.6Q-3.6-16.6 0-16.5Q3.6-16.6 3.7-12.6Q2-14 0-13.8Q-2-14-3.7-12.6Z'),
  ],
};

/** One person. @param {string} kind */
export const figure = (kind) => svg('g', { class: `figure kind-${kind}` }, ...PEOPLE[kind]());

/** A hut, 60 wide and 46 high. */
export const hut = () =>
  svg(
    'g',
    { class: 'hut-picture' },
    svg('ellipse', { class: 'cast-shade', cx: 0, cy: 0, rx: 29, ry: 4.5 }),
    path('wall', 'M-22 0V-17H22V0Q0 4-22 0Z'),
    path('own-m', 'M-22-6L-16.5-11L-11-6L-5.5-11L0-6L5.5-11L11-6L16.5-11L22-6V-3Q0 1-22-3Z'),
    path('doorway', 'M-6 1.4V-10Q-6-15 0-15Q6-15 6-10V1.4Z'),
    path('roof', 'M-29-13Q-15-19-3.4-42H3.4Q15-19 29-13Q14-17.5 0-17.5Q-14-17.5-29-13Z'),
    path('straw', 'M-1.6-40Q-7-27-19-18M1.6-40Q7-27 19-18M0-40V-18.4M-.8-40Q-3-29-9-18.6M.8-40Q3-29 9-18.6'),
    path('own-d', 'M-4-40Q0-38 4-40L5.6-36.6Q0-34-5.6-36.6Z'),
    path('straw', 'M-2-42L-5-46M0-42V-47M2-42L5-46'),
  );

/** The faces of a pole's pieces, from below. @type {string[][]} */
const FACES = [
  ['M-5 3H5', 'M-5 3L-3 5L-1 3L1 5L3 3L5 5'],
  ['M0-1L4 3L0 5L-4 3Z', ''],
  ['M-4 4Q0 1 4 4', 'M-9-2L-12 1M9-2L12 1'],
  ['M-6 3Q0 7 6 3', 'M-3 4V6M0 5V7M3 4V6'],
  ['M-2-1L0 6L2-1Z', 'M-7-5L-2-3M7-5L2-3'],
  ['M0-2L3 4H-3Z', 'M-10-1Q-15-8-18.5-2Q-15-2-10 4M10-1Q15-8 18.5-2Q15-2 10 4'],
];
export const PIECE_HIGH = 17;

/** A piece of a totem pole, 24 wide: the face number `at`, from 0. @param {number} at */
export function piece(at) {
  const [mouth, more] = FACES[at];
  return svg(
    'g',
    { class: 'piece' },
    more && at === 5 ? path('own-l carved', more) : '',
    svg('rect', { class: at % 2 ? 'own-d' : 'own-m', x: -12, y: -8.5, width: 24, height: 17, rx: 3 }),
    path('own-l', 'M-12-8H12V-5.6H-12Z'),
    disc('eye', -4.6, -2, 2.6),
    disc('eye', 4.6, -2, 2.6),
    disc('pupil', -4.2, -1.8, 1.1),
    disc('pupil', 4.2, -1.8, 1.1),
    path('mouth', mouth),
    more && at !== 5 ? path('carving', more) : '',
  );
}

/** A bird, 16 wide. @param {boolean} [flies] */
export const bird = (flies = false) =>
  svg(
    'g',
    { class: 'bird' },
    flies ? '' : path('bird-leg', 'M-1 3V6M1.6 3V6'),
    path('bird-body', 'M-8-3Q-5-1-3-2.6Q0-6 3.4-5.4A2.7 2.7 0 0 1 6.4-4L9-3L6.4-2Q6 3.6 1 4Q-4 4-8-3Z'),
    path('bird-wing', flies ? 'M-3-2Q-5-11 2-12Q1-6 3-2Z' : 'M-4-1Q0-3.4 3-1Q1 2.4-1.6 2Q-3.4 1.4-4-1Z'),
    disc('pupil', 4.6, -3.6, 0.7),
  );

/** What is on the face of a spell, within 8 of the middle: lines, and what is filled. @type {{[spell: string]: [string, string]}} */
const SIGNS = {
  G: ['M0 1V7M-2.6 4.4H2.6', 'M0-6.4A3.6 3.6 0 1 1 0 .8A3.6 3.6 0 1 1 0-6.4Z'],
  B: ['M1.4-1.6L6-6M2.4-6.4H6.4V-2.4', 'M-1.6-2.2A3.6 3.6 0 1 1-1.6 5A3.6 3.6 0 1 1-1.6-2.2Z'],
  T: ['M-3.4 0V6.4M3.4 0V6.4', 'M-3.4-6A2.8 2.8 0 1 1-3.4-.4A2.8 2.8 0 1 1-3.4-6ZM3.4-6A2.8 2.8 0 1 1 3.4-.4A2.8 2.8 0 1 1 3.4-6Z'],
  I: ['M0-5.4A5.4 5.4 0 1 1 0 5.4A5.4 5.4 0 1 1 0-5.4ZM-3.8 3.8L3.8-3.8', ''],
  A: ['M-6.4-1H6.4', 'M-6-.6H6Q5.4 5.6 0 5.6Q-5.4 5.6-6-.6ZM-3.4-4A2 2 0 1 1-3.4-3.9ZM1-4A2 2 0 1 1 1-3.9ZM5-3.4A1.6 1.6 0 1 1 5-3.3Z'],
  F: ['M-6 0H6Q5.4 5.6 0 5.6Q-5.4 5.6-6 0ZM-2.4-6.4L2.4-2.4M2.4-6.4L-2.4-2.4', ''],
  M: ['', 'M-4-5A1.7 1.7 0 1 1-4-4.9ZM2.4-5.6A1.7 1.7 0 1 1 2.4-5.5ZM-1-1A1.7 1.7 0 1 1-1-.9ZM6.6-1A1.7 1.7 0 1 1 6.6-.9ZM-3.4 4A1.7 1.7 0 1 1-3.4 4.1ZM3.4 4.6A1.7 1.7 0 1 1 3.4 4.7Z'],
  P: ['M-2.4 3.4V6M0 3.4V6M2.4 3.4V6', 'M0-6.6A5.2 5.2 0 0 1 4.4 1.6L3.6 3.8H-3.6L-4.4 1.6A5.2 5.2 0 0 1 0-6.6Z'],
  H: ['M0-5.8V5.8M-5.8 0H5.8', 'M-2-6H2V-2H6V2H2V6H-2V2H-6V-2H-2Z'],
  L: ['M0-6.8V-5M0 5V6.8M-6.8 0H-5M5 0H6.8M-4.8-4.8L-3.6-3.6M4.8-4.8L3.6-3.6M-4.8 4.8L-3.6 3.6M4.8 4.8L3.6 3.6', 'M0-3.4A3.4 3.4 0 1 1 0 3.4A3.4 3.4 0 1 1 0-3.4Z'],
};

/** A spell with its face up, 20 across. @param {string} spell */
export const spellFace = (spell) =>
  svg(
    'g',
    { class: 'chip-face' },
    disc('chip-rim', 0, 0, 10),
    disc('chip-ground', 0, 0, 8.4),
    path('sign-line', SIGNS[spell][0]),
    path('sign-fill', SIGNS[spell][1]),
  );

/** A spell with its face down. */
export const spellBack = () =>
  svg(
    'g',
    { class: 'chip-back' },
    disc('own-m chip-rim', 0, 0, 10),
    path('spiral', 'M0 0Q1.6-2 3 0Q3.6 3.4 0 4Q-4.8 3.8-5 0Q-4.6-5.6 0-6Q6.4-5.6 7 0'),
  );

/** The signs by which families are told apart without their colours. @type {{[colour: string]: string}} */
const MARKS = {
  red: 'M0-8L8 7H-8Z',
  green: 'M0-8A8 8 0 1 1 0 8A8 8 0 1 1 0-8Z',
  blue: 'M-7-7H7V7H-7Z',
  yellow: 'M0-9L9 0L0 9L-9 0Z',
};

/** @param {string} colour */
export const markShape = (colour) => path('family-mark', MARKS[colour] ?? MARKS.green);

/** A tree on which the supply of birds sits, 60 wide and 60 high. */
export const tree = () =>
  svg(
    'g',
    { class: 'tree' },
    svg('ellipse', { class: 'cast-shade', cx: 0, cy: 0, rx: 20, ry: 4 }),
    path('trunk', 'M-4 1Q-2-14-5-24L0-20L5-26Q2-12 4 1Z'),
    path('leaves', 'M-24-24Q-30-38-16-42Q-14-54 0-54Q14-56 17-43Q30-40 24-26Q14-16 0-20Q-16-14-24-24Z'),
    path('leaves-light', 'M-18-32Q-20-41-9-41Q-4-48 5-45Q-2-42-3-36Q-12-38-18-32Z'),
  );
