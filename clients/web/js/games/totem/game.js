// Totem, as the page knows it: see ../game.js for what each part is.

import { svg } from '../../dom.js';
import { bird, figure, fire, hut, plant } from './art.js';
import { chapter, eventSentence, familyName, infoLine, turnLine } from './describe.js';
import { help } from './help.js';
import { island, ways } from './land.js';
import { COLOUR_OF, FAMILIES } from './notation.js';
import { optionsForm, summary } from './options.js';
import { hutIcon, markIcon, paintOf, personIcon, pole } from './pieces.js';
import { card, decidedSentence, resultTable, winnersOf } from './standing.js';
import { has, t } from './words.js';

/** @param {string} colour */
const familyOfColour = (colour) => FAMILIES.find((family) => COLOUR_OF[family] === colour) ?? 'G';

/** A village on its island, for the first page. */
function picture() {
  const at = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ scale, /** @type {string} */ colour, /** @type {Node} */ part) =>
    svg('g', { class: paintOf(colour), transform: `translate(${x} ${y}) scale(${scale})` }, part);
  const folk = (/** @type {number} */ x, /** @type {number} */ y, /** @type {string} */ colour, /** @type {string} */ kinds) =>
    [...kinds].map((kind, i) => at(x + i * 25, y + (i % 2) * 7, 1.7, colour, figure(kind, i + x)));
  return svg(
    'svg',
    { viewBox: '-235 -150 470 300', class: 'totem-hero', 'aria-hidden': 'true', focusable: 'false' },
    island({ x: -208, y: -92, width: 416, height: 222 }),
    ways([{ x: -120, y: 20 }, { x: 128, y: 20 }, { x: -84, y: 96 }, { x: 96, y: 96 }], { x: 0, y: 66 }),
    ...[[-176, -34, 1.3], [-40, -58, 1.1], [66, -60, 1.2], [182, -26, 1.4]].map(([x, y, scale]) => at(x, y, scale, 'green', plant('palm'))),
    at(-118, 8, 1.6, 'red', hut()),
    at(124, 8, 1.6, 'blue', hut()),
    at(2, 62, 1.4, 'green', pole(6)),
    at(-186, 64, 1.2, 'green', plant('bush')),
    at(186, 72, 1.1, 'green', plant('stones')),
    ...folk(-168, 40, 'red', 'WmMw'),
    ...folk(82, 42, 'blue', 'ewMg'),
    at(-104, 104, 1.45, 'yellow', hut()),
    at(112, 106, 1.45, 'green', hut()),
    at(8, 92, 1.5, 'green', fire()),
    ...folk(-64, 116, 'yellow', 'wbg'),
    ...folk(34, 116, 'green', 'mM'),
    ...[[-160, 112], [-142, 120]].map(([x, y]) => at(x, y, 1.3, 'green', bird())),
  );
}

/** @param {string} key */
const wordsOf = (key) => (has(key) ? t(key) : '');

/** @type {import('../game.js').Game} */
export default {
  id: 'totem',
  title: 'Totem',
  portrait: async (state) => (await import('./portrait.js')).portrait(state),
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
