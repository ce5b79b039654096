// A search for a match: whoever has an account looks for others of about their rating, or for one alone, at one press, and comes to the
// table that the server has opened for them. It goes on wherever the page is: at a table with the computer, say, to warm up.

import { notify } from './attention.js';
import { openDialog } from './dialogs.js';
import { el } from './dom.js';
import { prefs } from './prefs.js';
import { nonce } from './solo.js';
import { play } from './sound.js';
import { requestOf } from './wanted.js';
import { errorText, t } from './words.js';

/** @typedef {import('./wire.js').Message} Message */
/** @typedef {import('./wanted.js').Wanted} Wanted */

const AGAIN_MS = 50000, // a seek holds for two minutes
  AWAY_MS = 60000; // whoever does not see the page, and has done nothing for so long, may not be there

/** @type {WeakMap<object, Search>} */
const searches = new WeakMap();

export class Search {
  /** @param {import('./shell.js').Shell} shell */
  constructor(shell) {
    this.wire = shell.wire;
    this.shell = shell;
    this.since = 0; // 0: nobody is looked for
    this.state = ''; // what the server last said of it: `waiting`, `full`, `crowd`
    /** How far it looked at first, in each class, and since when. @type {{since: number, windows: {[name: string]: [number, number]}}} */
    this.reach = { since: 0, windows: {} };
    this.warm = ''; // a table with the computer, at which one waits
    /** @type {Wanted} */
    this.wanted = { game: '', sizes: [2], clocks: ['normal'] };
    /** Who wants to play with the visitor alone, until when, and what. @type {Map<string, Message>} */
    this.challenges = new Map();
    /** What shows it. @type {Set<() => void>} */
    this.watchers = new Set();
    this.touchedAt = Date.now();
    for (const kind of ['pointerdown', 'keydown']) addEventListener(kind, () => (this.touchedAt = Date.now()), { capture: true, passive: true });
    this.wire.listeners.add((/** @type {Message} */ push) => this.hear(push));
    setInterval(() => this.since && void this.seek().catch(() => {}), AGAIN_MS);
  }

  changed() {
    for (const watcher of this.watchers) watcher();
  }

  /** @param {Message} push */
  hear(push) {
    if (push.push === 'found' && this.since) void this.found(push);
    else if (push.push === 'seeking') this.told(push);
    else if (push.push === 'challenged') this.challenged(push);
  }

  /** @param {Message} push */
  told({ state, since, windows }) {
    if (state === 'ended') this.shell.toast(t('quick_ended'));
    if (state === 'playing' && this.since) this.shell.toast(t('quick_playing'));
    if (state === 'ended' || state === 'playing') this.since = 0;
    if (state === 'again' && !this.since) this.since = Date.now();
    if (state === 'waiting') this.reach = { since, windows };
    this.state = state;
    this.changed();
  }

  /** @param {Message} push */
  challenged(push) {
    if (!this.challenges.has(push.handle)) this.shell.toast(t(push.teams ? 'challenged_teams' : 'challenged', { handle: push.handle }));
    this.challenges.set(push.handle, push);
    this.changed();
  }

  /** Those that hold still. @returns {Message[]} */
  get open() {
    const now = this.wire.now();
    for (const [handle, { until }] of this.challenges) if (until < now) this.challenges.delete(handle);
    return [...this.challenges.values()];
  }

  seek() {
    this.state = '';
    return this.wire.askPatiently('seek', { ...requestOf(this.wanted), device: prefs.device });
  }

  /** @param {Wanted} wanted */
  async begin(wanted) {
    if (this.since) return;
    this.wanted = wanted;
    this.since = Date.now();
    this.warm = '';
    this.reach = { since: 0, windows: {} };
    this.changed();
    try {
      await this.seek();
    } catch (error) {
      this.since = 0;
      this.shell.toast(errorText(error));
    }
    this.changed();
  }

  async end() {
    if (!this.since) return;
    this.since = 0;
    this.changed();
    await this.wire.askPatiently('unseek').catch(() => {}); // it ends by itself too
  }

  /**
   * To be ready is to accept: nobody does that who is not there.
   * @param {number} [until] when that is too late @returns {Promise<boolean>}
   */
  isThere(until) {
    if (!document.hidden || Date.now() - this.touchedAt < AWAY_MS) return Promise.resolve(true);
    return new Promise((resolve) => {
      const dialog = openDialog(
        t('quick_found'),
        el('p', {}, t('quick_there')),
        el('button', { type: 'button', class: 'confirm', id: 'i-am-here', onclick: () => (resolve(true), dialog.close()) }, t('quick_here')),
      );
      dialog.addEventListener('close', () => resolve(false));
      if (until) setTimeout(() => dialog.close(), until - this.wire.now());
    });
  }

  /** The seats are there already; who sits down is ready, and who is the last begins. @param {Message} found */
  async found({ room, unrated, until }) {
    const { warm } = this;
    this.since = 0;
    this.warm = '';
    this.challenges.clear();
    this.changed();
    // The computer agrees: that match has no result, for anybody.
    if (warm) void this.wire.ask('offer', { room: warm, what: 'call_off' }).catch(() => {});
    this.shell.toast(t('quick_found'));
    if (unrated) this.shell.toast(t(`found_${unrated}`));
    play('turn');
    notify(t('quick_found'), this.shell.game.title, room);
    if (!(await this.isThere(until))) return;
    try {
      await this.wire.askPatiently('join', { room });
      await this.wire.askPatiently('ready', { room, ready: true, nonce: nonce() });
      await this.wire.askPatiently('start', { room }).catch((error) => {
        if (error.code !== 'not_ready') throw error;
      });
    } catch (error) {
      this.shell.toast(errorText(error));
    }
    this.shell.go(`#/r/${room}`);
  }
}

/** The one of this visit. @param {import('./shell.js').Shell} shell */
export function searchOf(shell) {
  const search = searches.get(shell.wire) ?? new Search(shell);
  searches.set(shell.wire, search);
  return search;
}
