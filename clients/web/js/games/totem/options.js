// The options of a match: the fields for a new one, and a summary of what was chosen.

import { choice, tick } from '../../fields.js';
import { familyName } from './describe.js';
import { FAMILIES } from './notation.js';
import { t } from './words.js';

/** @typedef {import('../game.js').Message} Message */

const PLAYERS = ['2', '3', '4'];
const ROUNDS = ['6', '12', '24', '48', '99'];
const FLAGS = /** @type {const} */ (['village', 'totem_a', 'totem_b']);
const DEFAULTS = {
  players: '4',
  first: 'drawn',
  rounds: '24',
  spells: 'turns',
  meals: 'owner',
  village: false,
  totem_a: false,
  totem_b: false,
};

/** @typedef {typeof DEFAULTS} Chosen */

/** @param {Message} options @returns {string[]} */
export const summary = (options) => [
  t('n_players', { n: Number(options.players) }),
  ...(options.rounds && options.rounds !== 24 ? [t('n_rounds', { n: options.rounds })] : []),
  ...(options.spells && options.spells !== 'turns' ? [t(`sumspells_${options.spells}`)] : []),
  ...(options.meals && options.meals !== 'owner' ? [t(`summeals_${options.meals}`)] : []),
  ...FLAGS.filter((name) => options[name]).map((name) => t(`o_${name}`)),
];

/** @returns {import('../game.js').OptionsForm} */
export function optionsForm() {
  const chosen = { ...DEFAULTS };
  /** @param {'players' | 'first' | 'rounds' | 'spells' | 'meals'} name @param {[string, string][]} values */
  const pick = (name, values) =>
    choice(t(name === 'players' ? 'players' : `opt_${name}`), chosen[name], values, (value) => {
      chosen[name] = value;
      settle();
    });
  /** @param {typeof FLAGS[number]} name */
  const flag = (name) =>
    tick(
      t(`o_${name}_long`),
      false,
      (on) => {
        chosen[name] = on;
      },
      { name },
    );
  const players = pick(
    'players',
    PLAYERS.map((n) => [n, t('n_players', { n: Number(n) })]),
  );
  const first = pick('first', [['drawn', t('first_drawn')], .../** @type {[string, string][]} */ (FAMILIES.map((family) => [family, familyName(family)]))]);
  const rounds = pick(
    'rounds',
    ROUNDS.map((n) => [n, t('n_rounds', { n: Number(n) })]),
  );
  const spells = pick(
    'spells',
    ['turns', 'A', 'B'].map((id) => [id, t(`spells_${id}`)]),
  );
  const meals = pick(
    'meals',
    ['owner', 'A', 'B'].map((id) => [id, t(`meals_${id}`)]),
  );
  /** Yellow is not in the game of three. */
  function settle() {
    const yellow = first.querySelector('option[value=Y]');
    if (yellow instanceof HTMLOptionElement) yellow.disabled = chosen.players === '3';
  }
  settle();
  return {
    fields: [players, spells],
    ticks: [],
    moreFields: [meals, first, rounds],
    moreTicks: FLAGS.map(flag),
    options: () => optionsOf(chosen),
  };
}

/** What was chosen, as `create` wants it: nothing that is the default. @param {Chosen} chosen @returns {Message} */
function optionsOf(chosen) {
  /** @type {Message} */
  const options = { players: Number(chosen.players) };
  if (chosen.first !== 'drawn' && !(chosen.first === 'Y' && chosen.players === '3')) options.first = chosen.first;
  if (chosen.rounds !== DEFAULTS.rounds) options.rounds = Number(chosen.rounds);
  for (const name of /** @type {const} */ (['spells', 'meals']))
    if (chosen[name] !== DEFAULTS[name]) options[name] = chosen[name];
  for (const name of FLAGS) if (chosen[name]) options[name] = true;
  return options;
}
