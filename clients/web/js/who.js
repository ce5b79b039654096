// The dialog of who has a handle: since when they are here, what they have played, and their last matches, to be opened.

import { openDialog } from './dialogs.js';
import { el, fill } from './dom.js';
import { entryOf } from './games/registry.js';
import { agoText, errorText, t } from './words.js';

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
      this.show(await this.wire.askPatiently('profile', { handle }));
    } catch (error) {
      fill(this.about, el('p', { role: 'alert' }, errorText(error)));
    }
  }

  /** @param {Message} profile */
  show({ handle, since, hidden, matches, last }) {
    const now = this.wire.now();
    fill(
      this.about,
      el('p', { class: 'handle' }, `@${handle}`),
      el('p', { class: 'hint' }, t('who_since', { ago: agoText(now - since) })),
      hidden && el('p', { class: 'hint' }, t('who_hidden')),
      matches?.length === 0 && el('p', { class: 'hint' }, t('who_nothing')),
      matches?.length > 0 && el('ul', {}, ...matches.map(kindLine)),
      last?.length > 0 && el('h3', {}, t('who_last')),
      last?.length > 0 && el('ul', {}, ...last.map((/** @type {Message} */ match) => matchLine(match, now))),
    );
  }
}

/** @param {import('./shell.js').Shell} shell @param {string} handle */
export function openWho(shell, handle) {
  return new Who(shell, handle);
}
