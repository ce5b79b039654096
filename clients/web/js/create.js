// The form for a new table: what every game has (who may join, clock, title) and between it the options of the game.

import { el } from './dom.js';
import { choice } from './fields.js';
import { t } from './words.js';

/** @typedef {import('./games/game.js').Game} Game */
/** @typedef {import('./wire.js').Message} Message */

/** @type {{[kind: string]: Message}} */
const CLOCKS = {
  none: { kind: 'none' },
  fast: { kind: 'fischer', bank_s: 300, increment_s: 10 },
  calm: { kind: 'fischer', bank_s: 900, increment_s: 20 },
  move: { kind: 'move', move_s: 60 },
  byoyomi: { kind: 'byoyomi', bank_s: 600, periods: 3, period_s: 30 },
  days: { kind: 'days', days: 3 },
};

/** @param {Game[]} games to choose from @param {(fields: Message) => void} create */
export function createForm(games, create) {
  const form = el('form', { class: 'create' });
  /** @param {string} id */
  const show = (id) => {
    const game = games.find((one) => one.id === id) ?? games[0];
    const chosen = { access: 'open', clock: 'none', on_timeout: 'eliminate', title: '' };
    const options = game.optionsForm();
    form.replaceChildren(...formParts(games, game, options, chosen, show));
    form.onsubmit = (event) => {
      event.preventDefault();
      create({ game: game.id, options: options.options(), ...fieldsOf(chosen) });
    };
  };
  show(games[0].id);
  return form;
}

/**
 * @param {Game[]} games @param {Game} game that is chosen @param {import('./games/game.js').OptionsForm} options
 * @param {{[name: string]: string}} chosen changes with what is chosen
 * @param {(id: string) => void} show the form of another game
 */
function formParts(games, game, options, chosen, show) {
  /** @param {string} name @param {[string, string][]} values @param {string} [label] */
  const pick = (name, values, label = t(name)) =>
    choice(label, chosen[name], values, (value) => {
      chosen[name] = value;
      update();
    });
  const title = el('input', {
    type: 'text',
    maxlength: 40,
    placeholder: t('title_hint'),
    oninput: () => {
      chosen.title = title.value;
    },
  });
  const timeout = pick('on_timeout', [
    ['eliminate', t('timeout_eliminate')],
    ['computer', t('timeout_computer')],
  ]);
  const update = () => {
    const select = /** @type {HTMLSelectElement} */ (timeout.querySelector('select'));
    select.disabled = chosen.clock === 'none';
  };
  const access = pick(
    'access',
    [
      ['open', t('access_open')],
      ['code', t('access_code')],
    ],
    t('who_may_join'),
  );
  const clock = pick(
    'clock',
    Object.keys(CLOCKS).map((id) => [id, t(`clock_${id}`)]),
  );
  const which =
    games.length > 1 &&
    choice(
      t('game'),
      game.id,
      games.map((one) => [one.id, one.title]),
      show,
    );
  update();
  return [
    el('div', { class: 'grid' }, which, ...options.fields, access, clock),
    ...options.ticks,
    el(
      'details',
      {},
      el('summary', {}, t('more_options')),
      el(
        'div',
        { class: 'grid' },
        el('label', { class: 'field' }, el('span', {}, t('title')), title),
        ...options.moreFields,
        timeout,
      ),
      ...options.moreTicks,
    ),
    el('button', { type: 'submit', class: 'confirm' }, t('create')),
  ];
}

/** What was chosen, as `create` wants it: nothing that is the default. @param {{[name: string]: string}} chosen @returns {Message} */
function fieldsOf({ access, clock, on_timeout, title }) {
  return {
    access,
    ...(clock === 'none' ? {} : { clock: { ...CLOCKS[clock], on_timeout } }),
    ...(title.trim() ? { title: title.trim() } : {}),
  };
}
