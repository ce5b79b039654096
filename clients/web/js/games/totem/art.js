// The drawings: people of seven kinds, huts, totem poles, birds, spells, and the signs of the families. Each stands on the
// point 0, 0 in units of its own; whoever shows it scales it. Colours are those of the style sheet (own-… is the family's).

import { svg } from '../../dom.js';

/** @typedef {SVGElement} Drawing */

/** @param {string} name @param {string} d */
const path = (name, d) => svg('path', { class: name, d });
/** @param {string} name @param {number} cx @param {number} cy @param {number} r */
const disc = (name, cx, cy, r) => svg('circle', { class: name, cx, cy, r });

const ARMS = 'M-3.8-13.4Q-5.8-11-6-7.6M3.8-13.4Q5.8-11 6-7.6';
const HAIR = 'M-4.8-17.2Q-5.4-23.2 0-23.2Q5.4-23.2 4.8-17.2Q4-20.2.8-20.8Q-3.2-20.4-4.8-17.2Z';
const SHORT_HAIR = 'M-4.8-17Q-5.8-23.2-.6-23.2Q5.4-23.8 4.8-17Q4.4-19.6 2.6-20.4Q.4-18.9-1.4-20.3Q-4-20-4.8-17Z';

/** A head with a face, its middle so high. @param {number} y @param {number} r */
const head = (y, r) => [
  disc('skin', 0, y, r),
  disc('look', -r / 3, y + 0.5, 0.62),
  disc('look', r / 3, y + 0.5, 0.62),
  path('smile', `M${-r / 3} ${y + r / 2}q${r / 3} ${r / 4} ${(r * 2) / 3} 0`),
];

/** Grown-ups are 26 high, with what they wear or carry at most 31; each kind has an outline of its own. @type {{[kind: string]: () => Drawing[]}} */
const PEOPLE = {
  w: () => [
    path('hair', 'M-4.8-19.4Q-6.6-12.4-4.8-9.6Q0-8.2 4.8-9.6Q6.6-12.4 4.8-19.4Z'),
    path('limb', ARMS),
    path('own-m cloth', 'M-3.2-14.4Q0-13.4 3.2-14.4L7-1Q0 1.2-7-1Z'),
    path('trim', 'M-6.2-3.8Q0-1.8 6.2-3.8'),
    ...head(-18, 4.5),
    path('hair', HAIR),
    path('petal', 'M4-23.4a1.3 1.3 0 1 1 1.6 2a1.3 1.3 0 1 1-2.2 1.1a1.3 1.3 0 1 1-1.4-2a1.3 1.3 0 1 1 2-1.1Z'),
  ],
  m: () => [
    path('leg', 'M-2.3-6V-1.2M2.3-6V-1.2'),
    path('limb', 'M-4.6-13.4Q-6.6-11-6.6-7.4M4.6-13.4Q6.6-11 6.6-7.4'),
    path('own-m cloth', 'M-4.8-14.6Q0-13.6 4.8-14.6L4.4-5.2H-4.4Z'),
    path('own-l cloth', 'M-3.6-14.8Q0-12.2 3.6-14.8L2.8-12.6Q0-11-2.8-12.6Z'),
    ...head(-18, 4.5),
    path('hair', SHORT_HAIR),
  ],
  W: () => [
    path('hair', 'M-4.6-19Q-5.6-15-4.4-12.6H4.4Q5.6-15 4.6-19Z'),
    path('limb', ARMS),
    path('own-m cloth', 'M-3.6-14.4Q0-13.4 3.6-14.4L7.4-1Q0 1.2-7.4-1Z'),
    path('own-d cloth', 'M-3.4-7L3.4-7L4.6-1Q0 .2-4.6-1Z'),
    ...head(-18, 4.5),
    path('straw-hat', 'M-8.2-20Q-4-22-4-22Q-4-26.6 0-26.6Q4-26.6 4-22Q4-22 8.2-20Q0-17.8-8.2-20Z'),
    path('own-m', 'M-4-21.8Q0-20.2 4-21.8V-23.4Q0-21.8-4-23.4Z'),
    path('basket', 'M3-7.8H9.6L8.6-2.6H4Z'),
    path('fruit', 'M4.2-8a1.2 1.2 0 1 1 2.2-.2a1.2 1.2 0 1 1 2.2.2Z'),
  ],
  M: () => [
    path('rod', 'M7.4-.8V-23'),
    path('net', 'M7.4-23Q3.6-24.6 4.4-28Q5-30.8 7.4-30.8Q9.8-30.8 10.4-28Q11.2-24.6 7.4-23Z'),
    path('leg', 'M-2.6-6V-1.2M2.6-6V-1.2'),
    path('limb', 'M-5-13.6Q-7-11-7-7.4M5-13.6Q6.6-12 7.4-10'),
    path('own-m cloth', 'M-5.4-14.8Q0-13.6 5.4-14.8L4.8-5H-4.8Z'),
    path('own-d cloth', 'M-5.4-14.8L-2.4-14.2L-2.8-5H-4.8ZM5.4-14.8L2.4-14.2L2.8-5H4.8Z'),
    ...head(-18, 4.5),
    path('hair', 'M-4.4-17.4Q-4.4-12 0-11.8Q4.4-12 4.4-17.4Q2.6-15.4 0-15.6Q-2.6-15.4-4.4-17.4Z'),
    path('own-d cloth', 'M-4.8-19.4Q-5-24 0-24Q5-24 4.8-19.4L7.6-18.6Q3-20-4.8-19.4Z'),
  ],
  e: () => [
    path('rod', 'M8-.8V-14Q8-17 10-16.6'),
    path('limb', 'M4-12Q6.6-11 8-9'),
    path('own-d cloth', 'M-4.4-13.6Q0-15.6 4.4-13.6L7.2-1Q0 1.2-7.2-1Z'),
    path('own-l cloth', 'M-1.8-14H1.8L2.8-.4Q0 .2-2.8-.4Z'),
    disc('white-hair', 0, -22, 2.2),
    ...head(-17, 4.5),
    path('white-hair', 'M-4.9-15Q-6-22.4 0-22.4Q6-22.4 4.9-15Q4.4-19.4 0-19.6Q-4.4-19.4-4.9-15Z'),
  ],
  g: () => [
    path('hair', 'M-3.4-14Q-7.4-14-6.4-9.4Q-4.6-10.6-3.6-12.6ZM3.4-14Q7.4-14 6.4-9.4Q4.6-10.6 3.6-12.6Z'),
    path('leg', 'M-1.4-2.6V-.6M1.4-2.6V-.6'),
    path('limb', 'M-2.4-8.6L-4.6-5M2.4-8.6L4.6-5'),
    path('own-l cloth', 'M-2-9.6H2L4.8-2Q0-1-4.8-2Z'),
    path('own-m', 'M-4.2-3.6Q0-2.4 4.2-3.6L4.8-2Q0-1-4.8-2Z'),
    ...head(-12.6, 3.8),
    path('hair', 'M-4-12.6Q-4.4-17 0-17Q4.4-17 4-12.6Q2.6-15.2 0-15Q-2.6-15.2-4-12.6Z'),
  ],
  b: () => [
    path('leg', 'M-1.6-4V-.6M1.6-4V-.6'),
    path('limb', 'M-2.8-8.6L-4.8-4.6M2.8-8.6L4.8-4.6'),
    path('own-l cloth', 'M-3-9.6H3L2.8-5.4H-2.8Z'),
    path('own-d cloth', 'M-2.9-5.6H2.9L3.1-2.8H.4L0-3.6L-.4-2.8H-3.1Z'),
    ...head(-12.6, 3.8),
    path('hair', 'M-4-13Q-3.8-15.4 0-15.4Q3.8-15.4 4-13L3-14H-3Z'),
    path('own-m cloth', 'M-4-13.6Q-4.2-17.4 0-17.4Q4.2-17.4 4-13.6L6.6-13Q3-14.4-4-13.6Z'),
  ],
};

/** The tones of skin and hair, one after the other. */
const TONES = 4;

/** One person; people of one kind differ a little. @param {string} kind @param {number} [which] */
export const figure = (kind, which = 0) => svg('g', { class: `figure kind-${kind} tone-${(which + kind.charCodeAt(0)) % TONES}` }, ...PEOPLE[kind]());

/** A hut, 60 wide and 46 high. */
export const hut = () =>
  svg(
    'g',
    { class: 'hut-picture' },
    svg('ellipse', { class: 'cast-shade', cx: 0, cy: 0, rx: 29, ry: 4.5 }),
    path('wall', 'M-22 0V-17H22V0Q0 4-22 0Z'),
    path('own-m', 'M-22-7Q-19.2-10-16.5-7T-11-7T-5.5-7T0-7T5.5-7T11-7T16.5-7T22-7V-3Q0 1-22-3Z'),
    path('window', 'M-17-9.4V-13.6H-11.6V-9.4ZM11.6-9.4V-13.6H17V-9.4Z'),
    path('doorway', 'M-6 1.4V-10Q-6-15 0-15Q6-15 6-10V1.4Z'),
    path('roof', 'M-29-13Q-15-19-3.4-42H3.4Q15-19 29-13Q14-17.5 0-17.5Q-14-17.5-29-13Z'),
    path('straw', 'M-1.6-40Q-7-27-19-18M1.6-40Q7-27 19-18M0-40V-18.4M-.8-40Q-3-29-9-18.6M.8-40Q3-29 9-18.6'),
    path('own-d', 'M-4-40Q0-38 4-40L5.6-36.6Q0-34-5.6-36.6Z'),
    path('straw', 'M-2-42L-5-46M0-42V-47M2-42L5-46'),
  );

/**
 * The animals of a pole's pieces, from below: a turtle, a fish, a frog, a cat, an owl, a bird that spreads its wings. What sticks out
 * behind the block, the mouth, and lines. @type {[string, string, string][]}
 */
const FACES = [
  ['M-11-4Q-17-4-16 3Q-13 5-10 2ZM11-4Q17-4 16 3Q13 5 10 2Z', 'M-4 3.4Q0 6.6 4 3.4Q0 4.4-4 3.4Z', 'M-9.4 2h.01M9.4 2h.01'],
  ['M-11-5L-17-1L-11 4ZM11-5L17-1L11 4Z', 'M-1.8 4a1.8 1.6 0 1 0 3.6 0a1.8 1.6 0 1 0-3.6 0Z', 'M-10.6 1Q-8.4 3.4-10.6 6M10.6 1Q8.4 3.4 10.6 6'],
  ['', 'M-7 2.6Q0 7.6 7 2.6Q0 5-7 2.6Z', 'M-10.4-5.4Q-4.6-8.4-1.8-4.4M10.4-5.4Q4.6-8.4 1.8-4.4'],
  ['M-12-2L-14.6-9.4L-8-7ZM12-2L14.6-9.4L8-7Z', 'M-1.4 1.8H1.4L0 3.4Z', 'M-3 5Q-1.4 6.2 0 3.6Q1.4 6.2 3 5M-6 2.8L-11 2M-6 4.4L-11 5.2M6 2.8L11 2M6 4.4L11 5.2'],
  ['M-12-1L-13.4-10L-6-7.6ZM12-1L13.4-10L6-7.6Z', 'M-1.6 0L0 4.4L1.6 0Z', 'M-9 3.6L-6.6 5.6L-4.2 3.6M4.2 3.6L6.6 5.6L9 3.6'],
  ['M-10-1Q-15-8-18.5-2Q-15-2-10 4ZM10-1Q15-8 18.5-2Q15-2 10 4Z', 'M-2 0L0 5L2 0Z', 'M-8 4.6Q-6 6.4-4 4.6M4 4.6Q6 6.4 8 4.6'],
];
export const PIECE_HIGH = 17;

/** A piece of a totem pole, 24 wide: the face number `at`, from 0. @param {number} at */
export function piece(at) {
  const [aside, mouth, lines] = FACES[at];
  return svg(
    'g',
    { class: 'piece' },
    path('own-l carved', aside),
    svg('rect', { class: at % 2 ? 'own-d' : 'own-m', x: -12, y: -8.5, width: 24, height: 17, rx: 3 }),
    path('own-l', 'M-12-8H12V-6.4H-12Z'),
    disc('eye', -4.8, -2, 2.8),
    disc('eye', 4.8, -2, 2.8),
    disc('pupil', -4.4, -1.6, 1.3),
    disc('pupil', 4.4, -1.6, 1.3),
    path('mouth', mouth),
    path('carving', lines),
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

/** What grows between the quarters, each on 0, 0 and up to 40 high. @type {{[name: string]: () => Drawing[]}} */
const PLANTS = {
  palm: () => [
    svg('ellipse', { class: 'cast-shade', cx: 2, cy: 0, rx: 12, ry: 3 }),
    path('trunk', 'M-2 1Q1-14-1-27L2.4-27.4Q4.4-12 2.6 1Z'),
    path('leaves', 'M.6-27Q-13-33-16-20Q-8-25 .6-25ZM.6-27Q-5-42-17-34Q-6-33 .6-25ZM.6-27Q6-42 18-35Q7-33 .6-25ZM.6-27Q14-33 18-20Q9-25 .6-25Z'),
    path('leaves-light', 'M.6-27Q1-41 10-43Q7-34 .6-25ZM-1-26Q-6-29-11-27Q-6-26-1-25Z'),
  ],
  bush: () => [
    svg('ellipse', { class: 'cast-shade', cx: 1, cy: 0, rx: 13, ry: 3 }),
    path('leaves', 'M-12 0Q-16-8-8-10Q-6-17 2-14Q10-16 11-8Q16-4 11 0Q0 3-12 0Z'),
    path('leaves-light', 'M-9-5Q-8-9-4-8Q-2-13 3-11Q-1-9-2-6Q-6-7-9-5Z'),
    path('petal', 'M-6-3h.01M6-6h.01M3-2h.01'),
  ],
  grass: () => [path('blade', 'M-5 0L-7-6M-4 0V-8M-3 0L-1-6M4 2L2-4M5 2V-6M6 2L8-4')],
  stones: () => [
    path('stone', 'M-9 0Q-10-6-4-6.4Q1-6 1 0ZM2 1Q2-4 6-4Q10-3 9 1Z'),
  ],
};

/** @param {string} name */
export const plant = (name) => svg('g', { class: `plant is-${name}` }, ...PLANTS[name]());

/** A fire between stones, 24 wide. */
export const fire = () =>
  svg(
    'g',
    { class: 'fire' },
    disc('firelight', 0, -6, 22),
    path('rod', 'M-8 1L7-3M8 1L-7-3'),
    path('flame', 'M-5 0Q-8-7-2-11Q-2-7 1-8Q0-14 3-17Q9-8 5 0Z'),
    path('flame-inner', 'M-2 0Q-4-5 .6-8Q4-4 2.6 0Z'),
  );
