// The dialogs of other people: whom this player has blocked; whom they follow and who of them is there, and with whom they have played, to play again.

import { openDialog } from './dialogs.js';
import { el, fill } from './dom.js';
import { tick } from './fields.js';
import { addStyle, entryOf } from './games/registry.js';
import { t } from './latewords.js';
import { searchOf } from './search.js';
import { agoText, errorText } from './words.js';

/** @typedef {import('./wire.js').Message} Message */

const REFRESH_MS = 20_000; // who is there is asked again, as long as it is shown

/** Somebody by the handle, and one button. */
class HandleForm {
  /** @param {string} word of the button @param {(handle: string) => void} act */
  constructor(word, act) {
    this.wrong = el('p', { class: 'hint', role: 'alert' });
    this.input = el('input', {
      type: 'text',
      minlength: 3,
      maxlength: 21,
      required: true,
      autocomplete: 'off',
      autocapitalize: 'off',
      spellcheck: 'false',
    });
    this.element = el(
      'form',
      { class: `${word}-form` },
      el('label', { class: 'field' }, el('span', {}, t('handle')), this.input),
      this.wrong,
      el('div', { class: 'actions' }, el('button', { type: 'submit', class: 'confirm' }, t(word))),
    );
    this.element.addEventListener('submit', (event) => {
      event.preventDefault();
      act(this.input.value.trim().replace(/^@/, ''));
    });
  }

  /** What fails is said here. @param {() => Promise<void>} ask */
  async attempt(ask) {
    this.wrong.textContent = '';
    try {
      await ask();
      this.input.value = '';
    } catch (error) {
      this.wrong.textContent = errorText(error);
      this.input.focus();
    }
  }
}

class Blocked {
  /** @param {import('./shell.js').Shell} shell */
  constructor(shell) {
    this.wire = shell.wire;
    this.list = el('ul', { class: 'devices blocked', 'aria-live': 'polite' });
    this.form = new HandleForm('block', (handle) => void this.change('block', handle));
    openDialog(t('blocked'), el('p', { class: 'hint' }, t('blocked_hint')), this.list, this.form.element);
  }

  async refresh() {
    const { blocks } = await this.wire.askPatiently('blocks');
    fill(this.list, ...blocks.map((/** @type {Message} */ block) => this.line(block)));
  }

  /** @param {Message} block */
  line({ handle, since }) {
    return el(
      'li',
      {},
      el('span', { class: 'about' }, el('strong', {}, `@${handle}`), el('small', {}, agoText(this.wire.now() - since))),
      el('button', { type: 'button', class: 'plain', onclick: () => void this.change('unblock', handle) }, t('unblock')),
    );
  }

  /** @param {string} op @param {string} handle */
  async change(op, handle) {
    await this.form.attempt(async () => {
      await this.wire.askPatiently(op, { handle });
      await this.refresh();
    });
  }
}

/** @param {import('./shell.js').Shell} shell */
export async function openBlocked(shell) {
  await addStyle(new URL('../css/devices.css', import.meta.url).href);
  await new Blocked(shell).refresh();
}

/**
 * With whom somebody has played, by the list of their matches, the newest first: each once.
 * @param {Message[]} games @returns {{handle: string, game: string, at: number}[]}
 */
export function peopleOf(games) {
  const people = new Map();
  for (const { seats, seat, game, at } of games) {
    for (const [number, { handle, bot }] of Object.entries(seats)) {
      if (handle && !bot && Number(number) !== seat && !people.has(handle)) people.set(handle, { handle, game, at });
    }
  }
  return [...people.values()];
}

class Friends {
  /** @param {import('./shell.js').Shell} shell */
  constructor(shell) {
    this.shell = shell;
    this.wire = shell.wire;
    /** @type {Message[]} */
    this.friends = [];
    /** @type {ReturnType<typeof peopleOf>} */
    this.met = [];
    this.list = el('ul', { class: 'devices friends-list', 'aria-live': 'polite' });
    this.played = el('ul', { class: 'devices friends-met' });
    this.metTitle = el('h3', { hidden: true }, t('follows_met'));
    this.form = new HandleForm('follow', (handle) => void this.change('follow', handle));
    this.note = el('p', { class: 'hint' });
    this.seen = el('div');
    this.dialog = openDialog(t('follows'), el('p', { class: 'hint' }, t('follows_hint')), this.list, this.note, this.form.element, this.metTitle, this.played, this.seen);
    const timer = setInterval(() => void this.refresh().catch(() => undefined), REFRESH_MS);
    this.dialog.addEventListener('close', () => clearInterval(timer));
  }

  async open() {
    await this.refresh();
    const { games } = await this.wire.askPatiently('games');
    this.met = peopleOf(games);
    this.draw();
  }

  async refresh() {
    const { friends, hidden, incomplete } = await this.wire.askPatiently('friends');
    this.friends = friends;
    this.note.textContent = incomplete ? t('follows_incomplete') : '';
    if (!this.seen.firstChild || this.hidden !== !!hidden) {
      this.hidden = !!hidden;
      fill(this.seen, tick(t('presence_shown'), !hidden, (on) => this.show(on)));
    }
    this.draw();
  }

  draw() {
    const followed = new Set(this.friends.map(({ handle }) => handle));
    const others = this.met.filter(({ handle }) => !followed.has(handle));
    fill(this.list, ...[...this.friends].sort((a, b) => Number(!!b.online) - Number(!!a.online)).map((one) => this.friendLine(one)));
    fill(this.played, ...others.map((one) => this.metLine(one)));
    this.metTitle.hidden = others.length === 0;
  }

  /** @param {string} handle @param {string} word @param {() => unknown} act */
  button(handle, word, act) {
    return el('button', { type: 'button', class: 'plain', 'aria-label': `${t(word)}: @${handle}`, onclick: () => void act() }, t(word));
  }

  /** @param {Message} friend */
  friendLine({ handle, online }) {
    return el(
      'li',
      { 'data-friend': handle },
      el('span', { class: 'about' }, el('strong', {}, `@${handle}`), online && el('small', { class: 'is-there' }, t('device_online'))),
      this.button(handle, 'play_with', () => this.play(handle, this.met.find((one) => one.handle === handle)?.game)),
      this.button(handle, 'unfollow', () => this.change('unfollow', handle)),
    );
  }

  /** @param {{handle: string, game: string, at: number}} one */
  metLine({ handle, game, at }) {
    return el(
      'li',
      { 'data-met': handle },
      el('span', { class: 'about' }, el('strong', {}, `@${handle}`), el('small', {}, `${entryOf(game)?.title ?? game} · ${agoText(this.wire.now() - at)}`)),
      this.button(handle, 'play_again', () => this.play(handle, game)),
      this.button(handle, 'follow', () => this.change('follow', handle)),
    );
  }

  /** A match with that one alone: the first page shows how long one has waited. @param {string} handle @param {string} [game] */
  async play(handle, game = this.shell.game.id) {
    this.dialog.close();
    this.shell.go('#/');
    await searchOf(this.shell).begin({ game, sizes: [2], clocks: ['normal'], handle });
  }

  /** What holds afterwards. @param {boolean} shown */
  async show(shown) {
    await this.form.attempt(async () => {
      this.hidden = (await this.wire.askPatiently('presence', { hidden: !shown })).hidden;
    });
    return !this.hidden;
  }

  /** @param {string} op @param {string} handle */
  async change(op, handle) {
    await this.form.attempt(async () => {
      await this.wire.askPatiently(op, { handle });
      await this.refresh();
    });
  }
}

/** @param {import('./shell.js').Shell} shell */
export async function openFriends(shell) {
  await addStyle(new URL('../css/devices.css', import.meta.url).href);
  await new Friends(shell).open();
}
