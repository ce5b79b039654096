// The options of a match: the fields for a new one, and a summary of what was chosen.

import { choice, tick } from '../../fields.js';
import { t } from './words.js';

/** @typedef {import('../game.js').Message} Message */

const PRESETS = ['ferti-2014', 'ferti-2013', 'original-2006'];
const TILES = ['24', '36', '48', '60'];
const ZONES = ['none', 'beginner', 'player', 'expert'];
const FLAGS = /** @type {const} */ (['teams', 'ranking', 'boats', 'two_hex']);
const SEATS_LEAST = 2,
  SEATS_MOST = 5;

const DEFAULTS = {
  players: 2,
  preset: PRESETS[0],
  tiles: '',
  huts: '',
  first: '',
  teams: false,
  ranking: false,
  boats: false,
  two_hex: false,
  zone: 'none',
};

/** @typedef {typeof DEFAULTS} Chosen */

/** @param {Message} options @returns {string[]} */
export const summary = (options) => [
  t(`preset_${options.preset}`),
  ...(options.tiles ? [t('n_tiles', { n: options.tiles })] : []),
  ...FLAGS.filter((name) => options[name]).map((name) => t(`o_${name}`)),
  ...(options.zone && options.zone !== 'none' ? [t(`zone_${options.zone}`)] : []),
];

/** Tables as people like them, for the form of a new one. */
export const PRESETS_OF_TABLES = [
  { id: 'calm', options: { players: 2 }, clock: 'none' },
  { id: 'quick', options: { players: 2, tiles: '24' }, clock: 'fast' },
  { id: 'teams', options: { players: 4, teams: true }, clock: 'none' },
  { id: 'box', options: { players: 4, boats: true, two_hex: true }, clock: 'none' },
];

/** @param {Message} [wishes] @returns {import('../game.js').OptionsForm} */
export function optionsForm(wishes = {}) {
  const chosen = { ...DEFAULTS, ...wishes };

  /** @param {string} label @param {keyof Chosen} name @param {[string, string][]} values */
  const pick = (label, name, values) =>
    choice(label, String(chosen[name]), values, (value) => {
      Object.assign(chosen, { [name]: name === 'players' ? Number(value) : value });
      update();
    });
  /** @param {typeof FLAGS[number]} name */
  const flag = (name) =>
    tick(
      t(`o_${name}_long`),
      chosen[name],
      (on) => {
        chosen[name] = on;
        update();
      },
      { name },
    );
  /** @param {string[]} ids @param {(id: string) => string} words @returns {[string, string][]} */
  const named = (ids, words) => ids.map((id) => [id, words(id)]);

  const counts = Array.from({ length: SEATS_MOST - SEATS_LEAST + 1 }, (_, i) => String(SEATS_LEAST + i));
  const players = pick(
    t('players'),
    'players',
    named(counts, (n) => t('n_players', { n: Number(n) })),
  );
  const preset = pick(
    t('edition'),
    'preset',
    named(PRESETS, (id) => t(`preset_${id}`)),
  );
  const tiles = pick(t('tiles'), 'tiles', [['', t('by_edition')], ...named(TILES, (n) => n)]);
  const huts = pick(t('huts'), 'huts', [
    ['', t('by_edition')],
    ['isolated', t('huts_isolated')],
    ['anywhere', t('huts_anywhere')],
  ]);
  const seats = Array.from({ length: SEATS_MOST }, (_, seat) => String(seat));
  const first = pick(t('first'), 'first', [
    ['', t('first_drawn')],
    ...named(seats, (seat) => t('seat_n', { seat: Number(seat) + 1 })),
  ]);
  const zone = pick(
    t('zone'),
    'zone',
    named(ZONES, (id) => t(`zone_${id}`)),
  );
  const teams = flag('teams'),
    ranking = flag('ranking');

  /** Disables choices that do not go together; the server decides in the end. */
  function update() {
    const box = (/** @type {Element} */ label) =>
      /** @type {HTMLInputElement | HTMLSelectElement} */ (label.querySelector('input, select'));
    box(teams).disabled = chosen.players !== 4 || chosen.ranking;
    box(ranking).disabled = chosen.teams && chosen.players === 4;
    for (const option of box(first).querySelectorAll('option'))
      option.disabled = option.value !== '' && Number(option.value) >= chosen.players;
    for (const option of box(tiles).querySelectorAll('option'))
      option.disabled = option.value === '60' && chosen.players !== 5;
  }

  update();
  return {
    fields: [players, preset],
    ticks: [teams],
    moreFields: [tiles, huts, first, zone],
    moreTicks: [ranking, flag('boats'), flag('two_hex')],
    options: () => optionsOf(chosen),
  };
}

/** What was chosen, as `create` wants it: nothing that is the default. @param {Chosen} chosen @returns {Message} */
function optionsOf(chosen) {
  /** @type {Message} */
  const options = { preset: chosen.preset, players: chosen.players };
  if (chosen.tiles && !(chosen.tiles === '60' && chosen.players !== 5)) options.tiles = Number(chosen.tiles);
  if (chosen.huts) options.huts = chosen.huts;
  if (chosen.first !== '' && Number(chosen.first) < chosen.players) options.first = Number(chosen.first);
  if (chosen.teams && chosen.players === 4) options.teams = true;
  if (chosen.ranking && !options.teams) options.ranking = true;
  for (const name of /** @type {const} */ (['boats', 'two_hex'])) if (chosen[name]) options[name] = true;
  if (chosen.zone !== 'none') options.zone = chosen.zone;
  return options;
}
