// The dialog of who has a handle: since when they are here, what they have played, and their last matches, to be opened.

import { openDialog } from './dialogs.js';
import { el, fill } from './dom.js';
import { entryOf } from './games/registry.js';
import { t } from './latewords.js';
import { ratingsOf } from './rating.js';
import { searchOf } from './search.js';
import { agoText, errorText } from './words.js';

/** @typedef {import('./wire.js').Message} Message */

/** @param {string} game */
const gameTitle = (game) => entryOf(game)?.title ?? game;

/** @param {Message} kind */
function kindOf({ game, against, size }) {
  return `${gameTitle(game)} · ${t(against === 'people' ? 'who_people' : 'who_computers', { n: size })}`;
}

/** @param {Message} kind */
function kindLine(kind) {
  const { matches, won, finished } = kind;
  return el('li', {}, el('strong', {}, kindOf(kind)), el('small', {}, t('who_sums', { matches, won, finished })));
}

/** @param {Message} match @param {number} now */
function matchLine(match, now) {
  const how = t(match.won ? 'who_won' : match.left ? 'who_left' : 'who_lost');
  return el(
    'li',
    {},
    el('a', { href: `#/r/${match.room}` }, kindOf(match)),
    el('small', {}, `${how} · ${agoText(now - match.at)}`),
  );
}

class Who {
  /** @param {import('./shell.js').Shell} shell @param {string} handle */
  constructor(shell, handle) {
    this.shell = shell;
    this.wire = shell.wire;
    this.about = el('div', { class: 'who-is', 'aria-live': 'polite' });
    this.dialog = openDialog(t('who_is', { handle }), this.about);
    this.about.addEventListener('click', ({ target }) => {
      if (target instanceof HTMLAnchorElement) this.dialog.close();
    });
    void this.fetch(handle);
  }

  /** @param {string} handle */
  async fetch(handle) {
    try {
      const profile = await this.wire.askPatiently('profile', { handle });
      this.show(profile);
      const ratings = await ratingsOf(profile.account);
      if (ratings) this.about.append(ratings);
    } catch (error) {
      fill(this.about, el('p', { role: 'alert' }, errorText(error)));
    }
  }

  /** A match with that one alone: the first page shows how long one has waited. @param {string} handle */
  async challenge(handle) {
    this.dialog.close();
    this.shell.go('#/');
    await searchOf(this.shell).begin({ game: this.shell.game.id, sizes: [2], clocks: ['normal'], handle });
  }

  /** @param {string} handle @param {HTMLButtonElement} button that says what has come of it */
  async follow(handle, button) {
    button.disabled = true;
    button.textContent = await this.wire.askPatiently('follow', { handle }).then(() => t('followed'), errorText);
  }

  /** @param {Message} profile */
  show({ handle, since, hidden, matches, last }) {
    const now = this.wire.now();
    const own = this.wire.hello.account;
    const button = el('button', { type: 'button', class: 'plain', id: 'follow-person', onclick: () => void this.follow(handle, button) }, t('follow'));
    fill(
      this.about,
      el('p', { class: 'handle' }, `@${handle}`),
      el('p', { class: 'hint' }, t('who_since', { ago: agoText(now - since) })),
      hidden && el('p', { class: 'hint' }, t('who_hidden')),
      matches?.length === 0 && el('p', { class: 'hint' }, t('who_nothing')),
      matches?.length > 0 && el('ul', {}, ...matches.map(kindLine)),
      own && own.handle !== handle && el('button', { type: 'button', class: 'plain', id: 'challenge', onclick: () => void this.challenge(handle) }, t('challenge')),
      own && own.handle !== handle && button,
      last?.length > 0 && el('h3', {}, t('who_last')),
      last?.length > 0 && el('ul', {}, ...last.map((/** @type {Message} */ match) => matchLine(match, now))),
    );
  }
}

/** @param {import('./shell.js').Shell} shell @param {string} handle */
export function openWho(shell, handle) {
  return new Who(shell, handle);
}
