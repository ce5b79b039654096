// Taluva, as the page knows it: see ../game.js for what each part is.

import { COLOURS } from './art.js';
import { countTable } from './count.js';
import { decidedSentence } from './decided.js';
import { caption, eventSentence, outSentence, turnWords } from './describe.js';
import { firstTurn, livingIsland, styles } from './first.js';
import { help } from './help.js';
import { soundsOf } from './heard.js';
import { optionsForm, PRESETS_OF_TABLES, summary } from './options.js';
import { card, markIcon, paintOf, pieceIcon } from './pieces.js';
import { teamsOf, winnersOf } from './standing.js';
import { infoLine, turnLine } from './turn.js';
import { has, t } from './words.js';

/** What the options of a match are called. @type {{[name: string]: () => string}} */
const OPTION_NAMES = {
  preset: () => t('edition'),
  tiles: () => t('tiles'),
  huts: () => t('huts'),
  first: () => t('first'),
  zone: () => t('zone'),
  teams: () => t('o_teams'),
  ranking: () => t('o_ranking'),
  boats: () => t('o_boats'),
  two_hex: () => t('o_two_hex'),
};

const LEARNT = ['course', 'pictures', 'positions', 'refusals', 'rules', 'tips', 'words', 'i18n/en', '../portrait'];

/** With the words of the language that the page speaks. */
const learnt = () => [...LEARNT, `i18n/${document.documentElement.lang.slice(0, 2)}`].map((name) => new URL(`./learn/${name}.js`, import.meta.url).href);

/** @param {string} key */
const wordsOf = (key) => (has(key) ? t(key) : '');

/** @type {import('../game.js').Game} */
export default {
  id: 'taluva',
  title: 'Taluva',
  portrait: async (state) => (await import('./portrait.js')).portrait(state),
  lessons: () => import('./learn/course.js'),
  rules: () => import('./learn/rules.js'),
  learnt,
  analysis: true,
  hidden: false,
  hints: true,
  styles,
  tagline: () => t('tagline'),
  picture: livingIsland,
  firstTurn,
  tips: { names: ['place', 'build', 'expand', 'erupt', 'temple', 'tower', 'danger', 'win'], fetch: () => import('./learn/tips.js') },
  help,

  colours: COLOURS,
  colourName: (colour) => t(`c_${colour}`),
  mark: markIcon,
  paint: paintOf,
  pieces: (colour) => [pieceIcon('huts', colour), pieceIcon('temples', colour)],

  seats: (options) => options.players,
  teams: teamsOf,
  summary,
  optionsForm,
  presets: () => PRESETS_OF_TABLES.map(({ id, ...preset }) => ({ ...preset, title: t(`set_${id}`), line: t(`set_${id}_line`) })),
  levels: ['beginner', 'simple', 'regular', 'skilled', 'strong', 'master'],
  level: 2,
  levelLine: (word) => t(`plays_${word}`),
  solo: { most: 3, options: (opponents) => ({ players: opponents + 1 }) },

  turnLine,
  infoLine,
  card,
  eventSentence,
  outSentence,
  caption,
  sounds: soundsOf,
  voices: () => import('./sounds.js'),
  turnWords,
  winners: winnersOf,
  reason: (why, state) => decidedSentence(state) || wordsOf(`why_${why}`),
  resultTable: countTable,
  refusal: (code) => wordsOf(`e_${code}`),
  fieldName: (field) => OPTION_NAMES[field]?.() ?? '',

  view: () => import('./view.js'),
};
