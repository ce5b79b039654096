// The form for a new table: everything that `create` takes, the common choices first.

import { choice, tick } from './dialogs.js';
import { el } from './dom.js';
import { t } from './games/taluva/words.js';

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

/** @param {(fields: Message) => void} create */
export function createForm(create) {
  const wish = {
    title: '',
    players: 2,
    preset: 'ferti-2014',
    access: 'open',
    clock: 'none',
    on_timeout: 'eliminate',
    tiles: '',
    huts: '',
    first: '',
    teams: false,
    ranking: false,
    boats: false,
    two_hex: false,
    zone: 'none',
  };
  const form = el('form', { class: 'create' });
  const title = el('input', {
    type: 'text',
    maxlength: 40,
    placeholder: t('title_hint'),
    oninput: () => {
      wish.title = title.value;
    },
  });

  /** @param {string} label @param {keyof typeof wish} name @param {[string, string][]} options */
  const pick = (label, name, options) =>
    choice(label, String(wish[name]), options, (value) => {
      Object.assign(wish, { [name]: name === 'players' ? Number(value) : value });
      settle();
    });
  /** @param {'teams' | 'ranking' | 'boats' | 'two_hex'} name */
  const flag = (name) =>
    tick(
      t(`o_${name}_long`),
      false,
      (on) => {
        wish[name] = on;
        settle();
      },
      { name },
    );

  const tiles = pick(t('tiles'), 'tiles', [
    ['', t('by_edition')],
    ['24', '24'],
    ['36', '36'],
    ['48', '48'],
    ['60', '60'],
  ]);
  const teams = flag('teams'),
    ranking = flag('ranking');
  const first = pick(t('first'), 'first', [
    ['', t('first_drawn')],
    ...[0, 1, 2, 3, 4].map((seat) => /** @type {[string, string]} */ ([String(seat), t('seat_n', { seat: seat + 1 })])),
  ]);
  const timeout = pick(t('on_timeout'), 'on_timeout', [
    ['eliminate', t('timeout_eliminate')],
    ['computer', t('timeout_computer')],
  ]);

  /** Greys out what does not go together; the server has the last word. */
  function settle() {
    const box = (/** @type {Element} */ label) =>
      /** @type {HTMLInputElement | HTMLSelectElement} */ (label.querySelector('input, select'));
    box(teams).disabled = wish.players !== 4 || wish.ranking;
    box(ranking).disabled = wish.teams && wish.players === 4;
    box(timeout).disabled = wish.clock === 'none';
    for (const option of box(first).querySelectorAll('option'))
      option.disabled = option.value !== '' && Number(option.value) >= wish.players;
    for (const option of box(tiles).querySelectorAll('option'))
      option.disabled = option.value === '60' && wish.players !== 5;
  }

  const count = [2, 3, 4, 5].map((n) => /** @type {[string, string]} */ ([String(n), t('n_players', { n })]));
  form.append(
    el(
      'div',
      { class: 'grid' },
      pick(t('players'), 'players', count),
      pick(
        t('edition'),
        'preset',
        ['ferti-2014', 'ferti-2013', 'original-2006'].map((id) => [id, t(`preset_${id}`)]),
      ),
      pick(t('who_may_join'), 'access', [
        ['open', t('access_open')],
        ['code', t('access_code')],
      ]),
      pick(
        t('clock'),
        'clock',
        Object.keys(CLOCKS).map((id) => [id, t(`clock_${id}`)]),
      ),
    ),
    teams,
    el(
      'details',
      {},
      el('summary', {}, t('more_options')),
      el(
        'div',
        { class: 'grid' },
        el('label', { class: 'field' }, el('span', {}, t('title')), title),
        tiles,
        pick(t('huts'), 'huts', [
          ['', t('by_edition')],
          ['isolated', t('huts_isolated')],
          ['anywhere', t('huts_anywhere')],
        ]),
        first,
        timeout,
        pick(
          t('zone'),
          'zone',
          ['none', 'beginner', 'player', 'expert'].map((id) => [id, t(`zone_${id}`)]),
        ),
      ),
      ranking,
      flag('boats'),
      flag('two_hex'),
    ),
    el('button', { type: 'submit', class: 'confirm' }, t('create')),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    create(fieldsOf(wish));
  });
  settle();
  return form;
}

/** What was wished, as `create` wants it: nothing that is the default. @param {any} wish @returns {Message} */
function fieldsOf(wish) {
  /** @type {Message} */
  const options = { preset: wish.preset, players: wish.players };
  if (wish.tiles && !(wish.tiles === '60' && wish.players !== 5)) options.tiles = Number(wish.tiles);
  if (wish.huts) options.huts = wish.huts;
  if (wish.first !== '' && Number(wish.first) < wish.players) options.first = Number(wish.first);
  if (wish.teams && wish.players === 4) options.teams = true;
  if (wish.ranking && !options.teams) options.ranking = true;
  for (const name of ['boats', 'two_hex']) if (wish[name]) options[name] = true;
  if (wish.zone !== 'none') options.zone = wish.zone;
  const clock = wish.clock === 'none' ? {} : { clock: { ...CLOCKS[wish.clock], on_timeout: wish.on_timeout } };
  return { options, access: wish.access, ...clock, ...(wish.title.trim() ? { title: wish.title.trim() } : {}) };
}
