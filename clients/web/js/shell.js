// The frame around every page: header, state of the connection, live region for screen readers, toasts.

import { el, fill } from './dom.js';
import { iconButton } from './icons.js';
import { openHelp, openSettings } from './dialogs.js';
import { SITE } from './attention.js';
import { Push } from './push.js';
import { BANNED, FULL } from './wire.js';
import { clockText, errorText, fetchWorded, t } from './words.js';

/** @typedef {import('./wire.js').Wire} Wire */

const TOAST_MS = 6000,
  SAY_MS = 150;

export class Shell {
  /**
   * @param {Wire} wire @param {() => void} again draws the page anew, in another language say
   * @param {import('./games/game.js').Game} game that the help is about, until a room with another one is shown
   */
  constructor(wire, again, game) {
    this.wire = wire;
    this.push = new Push(wire);
    this.game = game;
    this.again = again;
    /** The table that was left for the lessons or the rules, as an address; "" for none. */
    this.back = '';
    this.live = el('p', { class: 'visually-hidden', role: 'status', 'aria-live': 'polite', id: 'live' });
    this.line = el('p', { class: 'line', hidden: true }); // no live region: its seconds run
    /** What was last said of the connection, without the time. */
    this.lineSaid = '';
    const open = async () => (await fetchWorded(() => import('./appeal.js'))).openDoor(this);
    this.door = el('button', { type: 'button', id: 'door', hidden: true, onclick: () => void open().catch((error) => this.toast(errorText(error))) }, t('banned_appeal'));
    this.toasts = el('div', { class: 'toasts', role: 'alert' });
    this.header = el('header', { class: 'masthead' });
    this.main = el('main', { id: 'main', tabindex: -1 });
    /** @type {string[]} */
    this.queue = [];
    this.passing = '';
    this.speaking = 0;
    this.storeFailing = false;
    /** The connections of the others at this device. @type {() => Wire[]} */
    this.others = () => [];
    document.body.append(
      el('a', { class: 'skip', href: '#main', onclick: (/** @type {Event} */ event) => this.skip(event) }),
      this.header,
      this.line,
      this.door,
      this.main,
      this.live,
      this.toasts,
    );
    document.documentElement.classList.add('lettered');
    this.dress();
    wire.watchers.add(() => this.showLine());
    setInterval(() => this.showLine(), 1000);
  }

  /** Fills the header; again after a change of language. */
  dress() {
    const skip = document.querySelector('.skip');
    if (skip) skip.textContent = t('skip');
    fill(
      this.header,
      el('a', { class: 'brand', href: '#/', 'aria-label': `${SITE} – ${t('home')}` }, SITE),
      el('span', { class: 'spring' }),
      iconButton('help', t('help'), () => openHelp(this.game), { bare: true, class: 'round quiet' }),
      iconButton('gear', t('settings'), () => openSettings(this), { bare: true, class: 'round quiet' }),
    );
    this.showLine();
  }

  /** @param {Event} event */
  skip(event) {
    event.preventDefault();
    const board = this.main.querySelector('.board');
    (board instanceof HTMLElement ? board : this.main).focus();
  }

  /**
   * Says that the server cannot save moves of the room that is shown, and when it can again.
   * @param {boolean} failing @param {boolean} [quietly] no room is shown any more
   */
  showStore(failing, quietly = false) {
    if (this.storeFailing && !failing && !quietly) this.toast(t('store_recovered'));
    this.storeFailing = failing;
    this.showLine();
  }

  /** The connection that is lost, if one is. */
  get lostOne() {
    return [this.wire, ...this.others()].find((wire) => wire.status !== 'open') ?? this.wire;
  }

  /** Why moves cannot be made at present; "" if all is well. @param {string} seconds until it is tried again */
  lineWords(seconds) {
    const { status, code, refusal, draining, tries } = this.lostOne;
    if (status === 'open') return this.storeFailing ? t('line_store') : draining ? t('line_draining') : '';
    if (status === 'stopped') return t('line_stopped');
    if (status === 'connecting') return tries > 0 ? t('line_again') : t('line_connecting');
    if (code === BANNED) return t('line_banned', { seconds });
    if (code === 1012 || refusal === 'draining') return t('line_restart', { seconds });
    if (refusal === 'store_failing') return t('line_store_wait', { seconds });
    if (code === FULL || refusal === 'full') return t('line_full', { seconds });
    if (refusal === 'part_away') return t('line_moving', { seconds });
    return navigator.onLine === false ? t('line_offline') : t('line_lost', { seconds });
  }

  /** Shows the state of the connection, and whether the server cannot save moves or restarts soon; nothing if all is well. */
  showLine() {
    const words = this.lineWords(clockText(this.lostOne.retryAt - Date.now()));
    if (this.line.textContent !== words) this.line.textContent = words;
    this.line.hidden = words === '';
    this.sayLine(words);
    this.door.hidden = this.wire.status === 'open' || this.wire.code !== BANNED;
  }

  /** Once, with the time as it is then; that it is tried again, and again, is only shown. @param {string} words of the line */
  sayLine(words) {
    if (this.lostOne.status === 'connecting') return;
    const gist = this.lineWords('');
    if (gist && gist !== this.lineSaid) this.say(words);
    this.lineSaid = gist;
  }

  /**
   * Says something to a screen reader; what comes quickly after each other is said together.
   * @param {string} text @param {boolean} [passing] only worth saying if nothing of this kind follows at once
   */
  say(text, passing = false) {
    this.passing = passing ? text : '';
    if (!passing) this.queue.push(text);
    if (this.speaking) return;
    this.speaking = window.setTimeout(() => {
      this.live.textContent = [...this.queue, this.passing].join(' ').trim();
      this.queue = [];
      this.passing = '';
      this.speaking = 0;
    }, SAY_MS);
  }

  /** Takes back what was said and is still on the page: it was for one person's eyes. Dialogs are closed. */
  hush() {
    clearTimeout(this.speaking);
    this.speaking = 0;
    this.queue = [];
    this.passing = '';
    this.live.textContent = '';
    this.toasts.replaceChildren();
    for (const dialog of document.querySelectorAll('dialog')) dialog.close();
  }

  /** Something that belongs to no place on the page. @param {string} text @param {number} [duration] in ms */
  toast(text, duration = TOAST_MS) {
    const toast = el('p', { class: 'toast' }, text);
    this.toasts.append(toast);
    setTimeout(() => toast.remove(), duration);
  }

  /** @param {string} hash */
  go(hash) {
    location.hash = hash;
  }

  /** @param {string} name the page's kind, for the style sheets @param {...Node} parts */
  show(name, ...parts) {
    document.body.dataset.page = name;
    this.main.replaceChildren(...parts);
    document.querySelector('.welcome, .early')?.remove(); // what is there until something else is
  }
}
