// The archive: matches that are over and that anybody may open, to be searched by game, by whoever sat there, by how they ended and since when.

import { openDialog } from './dialogs.js';
import { el, fill } from './dom.js';
import { choice, chooseFrom } from './fields.js';
import { entryOf, GAMES } from './games/registry.js';
import { t } from './latewords.js';
import { fetchPage } from './rating.js';
import { agoText, errorText } from './words.js';

/** @typedef {import('./wire.js').Message} Message */

/** How matches of a game end. @type {{[game: string]: string[]}} */
const ENDS = { taluva: ['two-kinds', 'exhausted', 'no-room', 'last-standing'], totem: ['totem', 'rounds', 'last-standing'] };
const DAYS = ['7', '30', '365'];

/** Of a word that this page does not know the word itself. @param {string} why */
export const endWords = (why) => (Object.values(ENDS).flat().includes(why) ? t(`end_${why}`) : why);

/** @param {{[key: string]: string}} asked what is empty may be anything */
export const searchPath = (asked) => ['/api/archive', ...Object.entries(asked).flatMap(([key, value]) => (value ? [key, encodeURIComponent(value)] : []))].join('/');

/** @param {Message} match @param {number} now */
function matchItem({ room, game, at, why, size, against, seats }, now) {
  const names = seats.map((/** @type {Message} */ { handle, won }) => `@${handle}${won ? ` (${t('who_won')})` : ''}`);
  const words = [entryOf(game)?.title ?? game, t(against === 'people' ? 'who_people' : 'who_computers', { n: size }), endWords(why ?? ''), agoText(now - at)];
  return el('li', { 'data-archived': room }, el('a', { href: `#/r/${room}` }, names.join(', ')), el('small', {}, words.filter(Boolean).join(' · ')));
}

/** @returns {[string, string][]} */
const games = () => GAMES.map(({ id }) => [id, entryOf(id)?.title ?? id]);

/** @param {[string, string][]} options @returns {[string, string][]} */
const orAny = (options) => [['', t('archive_any')], ...options];

class Archive {
  /** @param {import('./shell.js').Shell} shell @param {string} handle "" for anybody's of the game that is shown */
  constructor(shell, handle) {
    this.shell = shell;
    /** @type {{[key: string]: string}} */
    this.asked = { handle, game: handle ? '' : shell.game.id, why: '', since: '' };
    this.game = this.choice('game', 'game', games());
    this.ended = this.choice('archive_end', 'why', []);
    const since = this.choice('archive_since', 'since', DAYS.map((n) => [n, t('token_days', { n })]));
    const fields = el('div', { class: 'archive-fields' }, this.handle(), this.game, this.ended, since);
    this.list = el('ul', { class: 'archive-list', 'aria-live': 'polite' });
    this.note = el('p', { class: 'hint', role: 'status' });
    this.more = el('button', { type: 'button', class: 'plain', hidden: true, onclick: () => void this.search(this.after) }, t('older_games'));
    this.dialog = openDialog(t('archive'), fields, el('div', { class: 'who-is' }, this.list), this.note, this.more);
    this.list.addEventListener('click', ({ target }) => {
      if (target instanceof HTMLAnchorElement) this.dialog.close();
    });
    this.change({});
  }

  /** A choice of what is asked for, or of anything. @param {string} label @param {string} key @param {[string, string][]} options */
  choice(label, key, options) {
    return choice(t(label), this.asked[key] ?? '', orAny(options), (value) => this.change({ [key]: value }));
  }

  handle() {
    const handle = el('input', { type: 'text', id: 'archive-handle', maxlength: 21, value: this.asked.handle, autocapitalize: 'off', spellcheck: 'false' });
    handle.addEventListener('change', () => this.change({ handle: handle.value.trim().replace(/^@/, '') }));
    return el('label', { class: 'field' }, el('span', {}, t('handle')), handle);
  }

  /** The fields stay: who leaves one of them has the next one in hand already. @param {{[key: string]: string}} more */
  change(more) {
    Object.assign(this.asked, more);
    if (!this.asked.handle) this.asked.game ||= this.shell.game.id;
    const { game = '' } = this.asked;
    const ends = ENDS[game] ?? [];
    if (!ends.includes(this.asked.why ?? '')) this.asked.why = '';
    chooseFrom(this.game, game, orAny(games()));
    chooseFrom(this.ended, this.asked.why ?? '', orAny(ends.map((why) => [why, endWords(why)])));
    void this.search();
  }

  /** @param {string} [after] goes on there */
  async search(after = '') {
    const asked = this.asked, { since } = asked;
    const path = searchPath({ ...asked, since: since ? String(this.shell.wire.now() - Number(since) * 86_400_000) : '', after });
    this.turn = path; // of which the answer is shown
    try {
      const text = await fetchPage(path);
      if (this.turn === path) this.show(JSON.parse(text || '{"matches":[]}'), !!after);
    } catch (error) {
      this.note.textContent = errorText(error);
    }
  }

  /** @param {Message} found @param {boolean} goesOn */
  show({ matches, after, hidden }, goesOn) {
    if (!goesOn) fill(this.list);
    this.list.append(...matches.map((/** @type {Message} */ match) => matchItem(match, this.shell.wire.now())));
    this.after = after;
    this.more.hidden = !after;
    this.note.textContent = hidden ? t('who_hidden') : this.list.firstChild ? '' : t('archive_none');
  }
}

/** @param {import('./shell.js').Shell} shell @param {string} [handle] */
export const openArchive = (shell, handle = '') => new Archive(shell, handle);
