// Quick match on the first page: whom one looks for, and while one waits what is looked for, how long and how far, and a table with the
// computer to warm up at.

import { el, fill } from './dom.js';
import { GAMES, entryOf } from './games/registry.js';
import { t } from './latewords.js';
import { prefs } from './prefs.js';
import { classWords } from './rating.js';
import { searchOf } from './search.js';
import { playSolo } from './solo.js';
import { CLOCKS, gamesOf, mayFill, RANGES, reachOf, readChoice, sizesOf, teamsOf, wantedOf } from './wanted.js';
import { fetchWorded } from './words.js';

const TICK_MS = 1000,
  LEFT_MS = 1000; // in which the first page may be drawn anew

export class Quick {
  /**
   * @param {import('./shell.js').Shell} shell @param {import('./games/game.js').Game} game
   * @param {(ask: () => Promise<unknown>) => Promise<unknown>} attempt tells of what fails; then nothing comes of it
   */
  constructor(shell, game, attempt) {
    this.shell = shell;
    this.game = game;
    this.attempt = attempt;
    this.search = searchOf(shell);
    this.choice = readChoice(prefs.quick);
    this.show = () => {}; // of the form, what goes with what is chosen
    this.partner = el('input', { type: 'text', name: 'partner', autocomplete: 'off', maxlength: 21 });
    this.body = el('div');
    this.element = el('section', { class: 'panel quick' }, el('h2', {}, t('quick_match')), this.body);
    this.fields = el('div', { class: 'fields' }, ...this.form());
    this.waited = el('p', { class: 'waited hint' }); // no live region: its seconds run
    this.told = '';
    this.reaches = el('ul', { class: 'reaches hint' });
    this.onChange = () => this.draw();
    this.search.watchers.add(this.onChange);
    this.timer = setInterval(() => this.tick(), TICK_MS);
    this.draw();
  }

  close() {
    clearInterval(this.timer);
    this.search.watchers.delete(this.onChange);
    const { since } = this.search;
    setTimeout(() => since === this.search.since && !this.search.warm && this.search.watchers.size === 0 && void this.search.end(), LEFT_MS);
  }

  begin() {
    return this.search.begin(wantedOf(this.game.id, this.choice, this.partner.value.trim().replace(/^@/, '')));
  }

  /** A table with the computer, while the search goes on. */
  async warmUp() {
    const address = /** @type {string | undefined} */ (await this.attempt(() => playSolo(this.shell.wire, this.game, 1)));
    if (!address || !this.search.since) return;
    this.search.warm = address.split('/')[2];
    this.shell.go(address);
  }

  /** @param {number} s for so many seconds */
  words(s) {
    const { state, wanted } = this.search;
    if (state === 'full' || state === 'crowd') return t(`quick_${state}`);
    if (!wanted.handle) return t('quick_waits', { s });
    return t(wanted.teams ? 'quick_partner' : 'quick_with', { handle: wanted.handle, s });
  }

  /** How far from the visitor's rating it is looked by now, in each class. */
  reachLines() {
    const { reach, wanted } = this.search;
    if (prefs.hideRatings) return [];
    const all = Object.entries(reach.windows).map(([name, window]) => {
      const now = reachOf(window, this.shell.wire.now() - reach.since, wanted.range);
      return { class: classWords(name), words: now ? t('quick_reach', { from: now[0], to: now[1] }) : t('quick_reach_any') };
    });
    const same = all.every(({ words }) => words === all[0].words);
    return same ? all.slice(0, 1).map(({ words }) => el('li', {}, words)) : all.map(({ class: name, words }) => el('li', {}, `${name} · ${words}`));
  }

  tick() {
    const { since } = this.search;
    const gist = since ? this.words(0) : '';
    if (gist && gist !== this.told) this.shell.say(gist); // once
    this.told = gist;
    if (!since) return;
    fill(this.waited, this.words(Math.floor((Date.now() - since) / 1000)));
    fill(this.reaches, ...this.reachLines());
  }

  /** What is looked for. */
  wantedWords() {
    const { game, games, sizes, teams, clocks, computers } = this.search.wanted;
    const titles = (games ?? [game]).map((id) => entryOf(id)?.title ?? id);
    const players = sizes.length > 0 && t('quick_size', { n: sizes.join(' / ') });
    const parts = [titles.join(' / '), players, teams && t('quick_teams'), ...clocks.map((clock) => t(`clock_of_${clock}`)), computers && t('quick_fills')];
    return parts.filter(Boolean).join(' · ');
  }

  /** What is chosen holds the next time, too. */
  keep() {
    prefs.quick = JSON.stringify(this.choice);
    this.show();
  }

  /** @param {boolean} checked @param {string} name @param {string} words @param {(on: boolean) => void} choose */
  box(checked, name, words, choose) {
    const box = el('input', { type: 'checkbox', name, checked });
    box.addEventListener('change', () => {
      choose(box.checked);
      this.keep();
    });
    return el('label', { class: 'tick' }, box, el('span', {}, words));
  }

  /** Of several at least one is taken. @template T @param {'sizes' | 'clocks' | 'games'} list @param {T} value @param {string} name @param {string} words */
  boxOf(list, value, name, words) {
    const of = /** @type {T[]} */ (/** @type {unknown[]} */ (this.choice[list]));
    const label = this.box(of.includes(value), name, words, (on) => {
      const at = of.indexOf(value);
      if (on && at < 0) of.push(value);
      const others = list === 'games' || of.length > 1 || (list === 'sizes' && this.choice.teams && this.offersTeams);
      if (!on && at >= 0 && others) of.splice(at, 1);
      /** @type {HTMLInputElement} */ (label.firstChild).checked = of.includes(value);
    });
    return label;
  }

  get offersTeams() {
    return teamsOf(gamesOf(this.game.id, this.choice)).length > 0;
  }

  /** Somebody who wants to play with the visitor alone. @param {import('./wire.js').Message} challenge */
  challengeLine({ handle, game, clocks, teams }) {
    const accept = () => this.search.begin({ game, sizes: teams ? [] : [2], clocks, teams, handle });
    return el(
      'li',
      {},
      el('span', {}, t(teams ? 'challenged_teams' : 'challenged', { handle })),
      el('button', { type: 'button', class: 'confirm', 'data-accept': handle, onclick: () => void accept() }, t('challenge_accept')),
    );
  }

  /** What one looks for; made once, so that what is being chosen stays when something comes. */
  form() {
    const { choice } = this;
    const sizes = [2, 3, 4, 5].map((size) => this.boxOf('sizes', size, `size-${size}`, t('quick_size', { n: size })));
    const also = GAMES.filter(({ id }) => id !== this.game.id).map(({ id, title }) => this.boxOf('games', id, `game-${id}`, t('quick_also', { game: title })));
    const clocks = CLOCKS.map((clock) => this.boxOf('clocks', clock, `clock-${clock}`, t(`clock_of_${clock}`)));
    const teams = this.box(choice.teams, 'size-teams', t('quick_teams'), (on) => this.chooseTeams(on));
    const who = el('label', { class: 'field' }, el('span', {}, t('quick_partner_who')), this.partner);
    const computers = this.box(choice.computers, 'computers', t('quick_computers'), (on) => (choice.computers = on));
    this.show = () => {
      const games = gamesOf(this.game.id, choice);
      sizes.forEach((label, i) => (label.hidden = !sizesOf(games).includes(i + 2)));
      teams.hidden = !this.offersTeams;
      who.hidden = teams.hidden || !choice.teams;
      computers.hidden = !mayFill(choice);
    };
    this.show();
    return [
      el('div', { class: 'sizes' }, ...also, ...sizes, teams, who),
      el('div', { class: 'sizes wide' }, ...clocks),
      el('div', { class: 'sizes wide' }, this.rangeField(), computers),
    ];
  }

  /** Some table is always taken. @param {boolean} on */
  chooseTeams(on) {
    this.choice.teams = on;
    if (on || this.choice.sizes.length) return;
    this.choice.sizes.push(2);
    const two = /** @type {HTMLInputElement | null} */ (this.fields.querySelector('[name=size-2]'));
    if (two) two.checked = true;
  }

  rangeField() {
    const select = el('select', { name: 'range' });
    for (const range of [0, ...RANGES]) select.append(el('option', { value: range, selected: range === this.choice.range }, range ? t('quick_range_of', { n: range }) : t('quick_range_any')));
    select.addEventListener('change', () => {
      this.choice.range = Number(select.value);
      this.keep();
    });
    return el('label', { class: 'field' }, el('span', {}, t('quick_range')), select);
  }

  async showLeaders() {
    const dialog = await this.attempt(() => fetchWorded(() => import('./others.js')));
    /** @type {any} */ (dialog)?.openLeaders(this.game, this.shell);
  }

  draw() {
    this.tick();
    if (this.search.since) {
      const cancel = el('button', { type: 'button', id: 'unseek', onclick: () => void this.search.end() }, t('cancel'));
      const warm = el('button', { type: 'button', class: 'plain', id: 'warm-up', onclick: () => void this.warmUp() }, t('quick_warm'));
      fill(this.body, this.waited, el('p', { class: 'wanted hint' }, this.wantedWords()), this.reaches, warm, cancel);
      return;
    }
    const begin = el('button', { type: 'button', class: 'confirm', id: 'seek', onclick: () => void this.begin() }, t('quick_match'));
    const open = this.search.open.map((challenge) => this.challengeLine(challenge));
    fill(
      this.body,
      open.length > 0 && el('ul', { class: 'challenges' }, ...open),
      el('p', { class: 'hint' }, t('quick_hint')),
      this.fields,
      begin,
      el('button', { type: 'button', class: 'plain', id: 'leaders', onclick: () => void this.showLeaders() }, t('leaders')),
    );
  }
}
