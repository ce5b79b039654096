// Taluva, as the page knows it: see ../game.js for what each part is.

import { svg } from '../../dom.js';
import { COLOURS } from './art.js';
import { countTable } from './count.js';
import { eventSentence, turnWords } from './describe.js';
import { help } from './help.js';
import { Island } from './island.js';
import { optionsForm, summary } from './options.js';
import { card, markIcon, paintOf, pieceIcon } from './pieces.js';
import { teamsOf, winnersOf } from './standing.js';
import { infoLine, turnLine } from './turn.js';
import { TableView } from './view.js';
import { has, t } from './words.js';

/** An island for the first page. */
const ISLAND = {
  '0,0': '3V1',
  '1,0': '3J:0w',
  '0,1': '3L',
  '-1,1': '2C:0h2',
  '1,-1': '2J',
  '0,-1': '2V5',
  '2,-1': '1S:1h1',
  '-1,0': '2S:0h2',
  '2,0': '1V2',
  '1,1': '1R:1t',
  '-2,1': '1V4',
  '-2,2': '1J',
  '-1,2': '1L',
  '0,2': '1V3',
  '1,-2': '1C',
  '2,-2': '1J',
  '-1,-1': '1R',
  '3,-1': '1C:1h1',
  '-2,0': '1C:0t',
};

function picture() {
  const island = new Island();
  island.show({ hexes: ISLAND }, { 0: 'red', 1: 'yellow' });
  return svg(
    'svg',
    { viewBox: '-215 -150 460 300', 'aria-hidden': 'true', focusable: 'false' },
    island.root,
  );
}

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

/** @param {string} key */
const wordsOf = (key) => (has(key) ? t(key) : '');

/** @type {import('../game.js').Game} */
export default {
  id: 'taluva',
  title: 'Taluva',
  portrait: async (state) => (await import('./portrait.js')).portrait(state),
  lessons: () => import('./learn/course.js'),
  rules: () => import('./learn/rules.js'),
  analysis: true,
  hidden: false,
  hints: true,
  styles: [new URL('./taluva.css', import.meta.url).href],
  tagline: () => t('tagline'),
  picture,
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
  levels: ['beginner', 'simple', 'regular', 'skilled', 'strong', 'master'],
  level: 2,
  levelLine: (word) => t(`plays_${word}`),
  solo: { most: 3, options: (opponents) => ({ players: opponents + 1 }) },

  turnLine,
  infoLine,
  card,
  eventSentence,
  turnWords,
  winners: winnersOf,
  reason: (why) => wordsOf(`why_${why}`),
  resultTable: countTable,
  refusal: (code) => wordsOf(`e_${code}`),
  fieldName: (field) => OPTION_NAMES[field]?.() ?? '',

  createView: (host) => new TableView(host),
};
