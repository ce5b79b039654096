// The form for a new table: what every game has (who may join, clock, title) and between it the options of the game.

import { openDialog } from './dialogs.js';
import { el } from './dom.js';
import { choice, tick } from './fields.js';
import { t } from './latewords.js';
import { PeopleHere } from './people.js';

/** @typedef {import('./games/game.js').Game} Game */
/** @typedef {import('./games/registry.js').Entry} Entry */
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

/**
 * The dialog for a new table.
 * @param {Entry[]} games to choose from @param {Game} first that is shown
 * @param {(id: string) => Promise<Game | undefined>} fetch
 * @param {(fields: Message, names: string[]) => Promise<string>} create makes it, and says why it could not; `names`: of the people at this
 *   device, the visitor's first
 */
export function openCreate(games, first, fetch, create) {
  const form = el('form', { class: 'create' });
  const dialog = openDialog(t('new_table'), form);
  const people = new PeopleHere();
  /** @param {Game} game @param {number} [at] which preset, if it has some */
  const show = (game, at = 0) => {
    const preset = game.presets()[at];
    const chosen = { access: 'code', clock: preset?.clock ?? 'none', on_timeout: 'eliminate', title: '', hints: '' };
    const options = game.optionsForm(preset?.options);
    const trouble = el('p', { class: 'trouble', role: 'alert' });
    form.replaceChildren(
      ...presetButtons(game, at, (chosen) => show(game, chosen)),
      ...formParts(games, game, options, chosen, choose, people),
      trouble,
      el('button', { type: 'submit', class: 'confirm' }, t('create')),
    );
    form.onsubmit = async (event) => {
      event.preventDefault();
      /** @type {Message} */
      const fields = { game: game.id, options: options.options(), ...fieldsOf(chosen) };
      const most = game.seats(fields.options);
      trouble.textContent = people.count > most ? t('too_many_here', { n: most }) : '';
      if (people.count > most) return;
      if (people.count === most) fields.access = 'code'; // nobody else has a seat there: it is in no list
      const why = await create(fields, people.names);
      if (why) trouble.textContent = why;
      else dialog.close();
    };
  };
  /** @param {string} id */
  const choose = async (id) => {
    const game = await fetch(id);
    if (game) show(game);
    const again = form.querySelector('.game-choice select'); // the form was made anew
    if (again instanceof HTMLSelectElement) again.focus();
  };
  show(first);
}

/** @param {Game} game @param {number} now the one that is chosen @param {(at: number) => void} choose @returns {Element[]} */
function presetButtons(game, now, choose) {
  const presets = game.presets();
  if (!presets.length) return [];
  const buttons = presets.map(({ title, line }, at) =>
    el(
      'button',
      {
        type: 'button',
        class: 'preset',
        'aria-pressed': String(at === now),
        onclick: () => {
          choose(at);
          const again = document.querySelectorAll('.create .preset')[at]; // the form was made anew
          if (again instanceof HTMLElement) again.focus();
        },
      },
      el('strong', {}, title),
      el('small', {}, line),
    ),
  );
  return [el('div', { class: 'presets', role: 'group', 'aria-label': t('preset') }, ...buttons)];
}

/**
 * @param {Entry[]} games @param {Game} game that is chosen @param {import('./games/game.js').OptionsForm} options
 * @param {{[name: string]: string}} chosen changes with what is chosen
 * @param {(id: string) => Promise<void>} choose another game @param {PeopleHere} people at this device
 */
function formParts(games, game, options, chosen, choose, people) {
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
  const hints =
    game.hints &&
    tick(
      t('hints_allowed'),
      true,
      (on) => {
        chosen.hints = on ? 'yes' : 'no';
      },
      { name: 'hints' },
    );
  const update = () => {
    const select = /** @type {HTMLSelectElement} */ (timeout.querySelector('select'));
    select.disabled = chosen.clock === 'none';
    const box = hints && hints.querySelector('input');
    if (box && !chosen.hints) box.checked = chosen.clock === 'none'; // as the server has it
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
      (id) => void choose(id),
    );
  if (which) which.classList.add('game-choice');
  update();
  return [
    el('div', { class: 'grid' }, which, ...options.fields, access, clock, people.choice),
    people.fields,
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
      hints,
      ...options.moreTicks,
    ),
  ];
}

/** What was chosen, as `create` wants it: nothing that is the default. @param {{[name: string]: string}} chosen @returns {Message} */
function fieldsOf({ access, clock, on_timeout, title, hints }) {
  return {
    access,
    ...(clock === 'none' ? {} : { clock: { ...CLOCKS[clock], on_timeout } }),
    ...(hints ? { hints: hints === 'yes' } : {}),
    ...(title.trim() ? { title: title.trim() } : {}),
  };
}
