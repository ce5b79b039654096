// A second game, for the tests: two players take pebbles from heaps, and who takes the last one wins. A move is "HEAP-COUNT".
// It uses of the page what any game may use, and has none of Taluva's board.

import { el } from '../../dom.js';
import { choice } from '../../fields.js';
import { nameOf, vocabulary } from '../../words.js';

/** @typedef {import('../game.js').Message} Message */
/** @typedef {import('../game.js').GameView} View */

const { t, has } = vocabulary(
  {
    tagline: 'Take the last pebble.',
    heaps: 'Heaps',
    n_heaps_one: '{n} heap',
    n_heaps_other: '{n} heaps',
    n_left_one: '{n} pebble left',
    n_left_other: '{n} pebbles left',
    your_move: 'Take some pebbles',
    others_move: '{name} takes pebbles',
    take: 'Take {count} of heap {heap}',
    took: '{name} takes {count} of heap {heap}.',
    why_empty: 'The last pebble is taken.',
    help: 'Take as many as you like, of one heap.',
    c_granite: 'Granite',
    c_marble: 'Marble',
  },
  async (language) => (language === 'fr' ? { default: { your_move: 'Prenez des cailloux', e_heap_empty: 'Ce tas est vide.' } } : undefined),
);

/** @param {Message} state @returns {number[]} */
const heapsOf = (state) => state.table?.heaps ?? [];

/** @param {Message} state */
const leftIn = (state) => heapsOf(state).reduce((sum, n) => sum + n, 0);

/** @param {string} move */
const wordsOf = (move) => {
  const [heap, count] = move.split('-').map(Number);
  return { heap: heap + 1, count };
};

/** @implements {View} */
class Heaps {
  /** @param {import('../game.js').Host} host */
  constructor(host) {
    this.host = host;
    this.picture = el('div', { class: 'board heaps', tabindex: 0 });
    this.prompt = el('section', { class: 'hand' });
    /** @type {Element[]} */
    this.tools = [];
    this.covered = 0;
  }

  /** @param {import('../game.js').Shown} shown */
  show({ state, moves, trouble }) {
    this.picture.replaceChildren(
      ...heapsOf(state).map((n) => el('div', { class: 'heap', 'data-pebbles': n }, '●'.repeat(n))),
    );
    const takes = (moves?.moves ?? []).map((/** @type {string} */ move) =>
      el(
        'button',
        { type: 'button', class: 'take', 'data-move': move, onclick: () => this.host.play(move) },
        t('take', wordsOf(move)),
      ),
    );
    this.prompt.replaceChildren(...takes, ...(trouble ? [el('p', { class: 'trouble' }, trouble)] : []));
  }

  cover() {
    this.covered++;
  }
}

/** @type {import('../game.js').Game} */
export default {
  id: 'pebbles',
  title: 'Pebbles',
  analysis: false,
  hidden: false,
  hints: false,
  styles: [new URL('./pebbles.css', import.meta.url).href],
  tagline: () => t('tagline'),
  picture: () => el('div', {}, '●●●'),
  help: () => [el('p', {}, t('help'))],

  colours: ['granite', 'marble'],
  colourName: (colour) => t(`c_${colour}`),
  mark: (colour) => el('span', { class: `pebble ${colour}` }, '●'),
  paint: (colour) => `is-${colour}`,
  pieces: (colour) => [el('span', { class: `pebble ${colour}` }, '●')],

  seats: () => 2,
  teams: () => null,
  summary: ({ heaps }) => [t('n_heaps', { n: heaps })],
  optionsForm: () => {
    let heaps = '3';
    const field = choice(
      t('heaps'),
      heaps,
      ['2', '3', '4'].map((n) => [n, n]),
      (value) => {
        heaps = value;
      },
    );
    return {
      fields: [field],
      ticks: [],
      moreFields: [],
      moreTicks: [],
      options: () => ({ heaps: Number(heaps) }),
    };
  },
  presets: () => [],
  levels: ['simple'],
  level: 1,
  levelLine: () => '',
  solo: { most: 1, options: () => ({ heaps: 3 }) },

  turnLine: (state, seat) =>
    state.acting?.includes(seat) ? t('your_move') : t('others_move', { name: nameOf(state, state.acting?.[0] ?? 0) }),
  infoLine: (state) => t('n_left', { n: leftIn(state) }),
  card: (state, seat) => ({
    standing: String(state.table?.taken?.[seat] ?? 0),
    short: '',
    hint: '',
    out: false,
    stock: null,
  }),
  eventSentence: ({ event }, _before, name) =>
    event?.kind === 'move' ? t('took', { name, ...wordsOf(event.move) }) : '',
  winners: (state) => Object.keys(state.result?.winners ?? {}).map(Number),
  reason: (why) => (has(`why_${why}`) ? t(`why_${why}`) : ''),
  resultTable: (state) => el('p', { class: 'taken' }, Object.values(state.table.taken).join(' : ')),
  refusal: (code) => (has(`e_${code}`) ? t(`e_${code}`) : ''),
  fieldName: () => '',

  view: async () => ({ TableView: Heaps }),
};
