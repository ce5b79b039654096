// Totem, as the page knows it: see ../game.js for what each part is.

import { svg } from '../../dom.js';
import { figure, hut, tree } from './art.js';
import { chapter, eventSentence, familyName, infoLine, turnLine } from './describe.js';
import { help } from './help.js';
import { COLOUR_OF, FAMILIES } from './notation.js';
import { optionsForm, summary } from './options.js';
import { hutIcon, markIcon, paintOf, personIcon, pole } from './pieces.js';
import { card, decidedSentence, resultTable, winnersOf } from './standing.js';
import { has, t } from './words.js';

/** @param {string} colour */
const familyOfColour = (colour) => FAMILIES.find((family) => COLOUR_OF[family] === colour) ?? 'G';

/** A village for the first page. */
function picture() {
  const at = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ scale, /** @type {string} */ colour, /** @type {Node} */ part) =>
    svg('g', { class: paintOf(colour), transform: `translate(${x} ${y}) scale(${scale})` }, part);
  return svg(
    'svg',
    { viewBox: '-215 -150 460 300', class: 'totem-icon totem-hero', 'aria-hidden': 'true', focusable: 'false' },
    at(0, 20, 2.4, 'green', tree()),
    at(-120, 10, 2, 'red', hut()),
    at(130, 10, 2, 'blue', hut()),
    at(-60, 110, 2.2, 'yellow', hut()),
    at(80, 112, 2.2, 'green', hut()),
    at(-185, 90, 1.5, 'red', pole(4)),
    at(205, 110, 1.5, 'blue', pole(5)),
    ...['w', 'm', 'g', 'b'].map((kind, i) => at(-150 + i * 26, 62, 1.5, 'red', figure(kind))),
    ...['W', 'M', 'e'].map((kind, i) => at(140 + i * 24, 66, 1.5, 'blue', figure(kind))),
  );
}

/** @param {string} key */
const wordsOf = (key) => (has(key) ? t(key) : '');

/** @type {import('../game.js').Game} */
export default {
  id: 'totem',
  title: 'Totem',
  lessons: () => import('./learn/course.js'),
  rules: () => import('./learn/rules.js'),
  analysis: false,
  hidden: true,
  hints: false,
  styles: [new URL('./totem.css', import.meta.url).href],
  tagline: () => t('tagline'),
  picture,
  help,

  colours: [],
  colourName: (colour) => familyName(familyOfColour(colour)),
  mark: markIcon,
  paint: paintOf,
  pieces: (colour) => [hutIcon(colour), personIcon('M', familyOfColour(colour))],

  seats: (options) => options.players,
  teams: () => null,
  summary,
  optionsForm,
  presets: () => [],
  levels: ['beginner', 'simple', 'skilled', 'strong'],
  level: 3,
  levelLine: (word) => t(`plays_${word}`),
  solo: { most: 3, first: 3, options: (opponents) => ({ players: opponents + 1 }) },

  turnLine,
  infoLine,
  card,
  eventSentence,
  chapter,
  winners: winnersOf,
  reason: (why, state) => decidedSentence(state) || wordsOf(`why_${why}`),
  resultTable,
  refusal: (code) => wordsOf(`e_${code.replaceAll('-', '_')}`),
  fieldName: (field) => wordsOf(`opt_${field}`),

  view: () => import('./view.js'),
};
