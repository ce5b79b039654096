// Quick match on the first page: whom one looks for, and while one waits how long, and a table with the computer to warm up at.

import { el, fill } from './dom.js';
import { t } from './latewords.js';
import { searchOf } from './search.js';
import { playSolo } from './solo.js';
import { fetchWorded } from './words.js';

const TICK_MS = 1000,
  LEFT_MS = 1000; // in which the first page may be drawn anew

/** @type {{[game: string]: number[]}} tables of which sizes there are */
const SIZES = { taluva: [2, 3, 4, 5], totem: [2, 3, 4] };
const TEAMS = ['taluva']; // which games have two against two
const CLOCKS = ['normal', 'fast', 'calm'];

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
    /** @type {Set<number | 'teams'>} */
    this.sizes = new Set([2]);
    this.partner = el('input', { name: 'partner', autocomplete: 'off', maxlength: 21 });
    this.clocks = new Set(['normal']);
    this.body = el('div');
    this.element = el('section', { class: 'panel quick' }, el('h2', {}, t('quick_match')), this.body);
    this.waited = el('span', {});
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
    const clocks = CLOCKS.filter((clock) => this.clocks.has(clock));
    const teams = this.sizes.has('teams');
    const handle = teams ? this.partner.value.trim().replace(/^@/, '') : '';
    const sizes = /** @type {number[]} */ ([...this.sizes].filter((size) => size !== 'teams' && !handle)); // a partner plays nothing else
    return this.search.begin({ game: this.game.id, sizes, clocks, teams, ...(handle && { handle }) });
  }

  /** A table with the computer, while the search goes on. */
  async warmUp() {
    const address = /** @type {string | undefined} */ (await this.attempt(() => playSolo(this.shell.wire, this.game, 1)));
    if (!address || !this.search.since) return;
    this.search.warm = address.split('/')[2];
    this.shell.go(address);
  }

  words() {
    const { state, since, wanted } = this.search;
    const s = Math.floor((Date.now() - since) / 1000);
    if (state === 'full' || state === 'crowd') return t(`quick_${state}`);
    if (!wanted.handle) return t('quick_waits', { s });
    return t(wanted.teams ? 'quick_partner' : 'quick_with', { handle: wanted.handle, s });
  }

  tick() {
    if (this.search.since) fill(this.waited, this.words());
  }

  /** Of several at least one is taken. @template T @param {Set<T>} set @param {T} value @param {string} name @param {string} words */
  box(set, value, name, words) {
    const box = el('input', { type: 'checkbox', name, checked: set.has(value) });
    box.addEventListener('change', () => {
      if (box.checked) set.add(value);
      else if (set.size > 1) set.delete(value);
      box.checked = set.has(value);
    });
    return el('label', { class: 'tick' }, box, el('span', {}, words));
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

  /** Two against two, and with whom; of games that have it. */
  teamBoxes() {
    if (!TEAMS.includes(this.game.id)) return [];
    const who = el('label', { class: 'field', hidden: !this.sizes.has('teams') }, el('span', {}, t('quick_partner_who')), this.partner);
    const box = this.box(this.sizes, 'teams', 'size-teams', t('quick_teams'));
    box.addEventListener('change', () => (who.hidden = !this.sizes.has('teams')));
    return [box, who];
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
      fill(this.body, el('p', { class: 'hint', role: 'status' }, this.waited), warm, cancel);
      return;
    }
    const begin = el('button', { type: 'button', class: 'confirm', id: 'seek', onclick: () => void this.begin() }, t('quick_match'));
    const sizes = (SIZES[this.game.id] ?? [2]).map((size) => this.box(this.sizes, size, `size-${size}`, t('quick_size', { n: size })));
    const clocks = CLOCKS.map((clock) => this.box(this.clocks, clock, `clock-${clock}`, t(`clock_of_${clock}`)));
    const open = this.search.open.map((challenge) => this.challengeLine(challenge));
    fill(
      this.body,
      open.length > 0 && el('ul', { class: 'challenges' }, ...open),
      el('p', { class: 'hint' }, t('quick_hint')),
      el('div', { class: 'sizes' }, ...sizes, ...this.teamBoxes()),
      el('div', { class: 'sizes' }, ...clocks),
      begin,
      el('button', { type: 'button', class: 'plain', id: 'leaders', onclick: () => void this.showLeaders() }, t('leaders')),
    );
  }
}
