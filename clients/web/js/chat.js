// Talk in the lobby, on the first page of a server that has it: what was said last, folded away or not, and a line of one's own. It is asked for as long
// as it is shown; who is there is told nobody.

import { openDialog } from './dialogs.js';
import { el } from './dom.js';
import { t } from './latewords.js';
import { prefs } from './prefs.js';
import { errorText, fetchWorded, nameText } from './words.js';

/** @typedef {import('./wire.js').Message} Message */

const LINES = 100, // as many as the server has
  RETRY_MS = 5000,
  /** The rooms of the lobby, a language each. @type {[string, string][]} */
  ROOMS = [
    ['en', 'English'],
    ['de', 'Deutsch'],
    ['es', 'Español'],
    ['fr', 'Français'],
    ['it', 'Italiano'],
    ['ja', '日本語'],
    ['pl', 'Polski'],
    ['zh', '中文'],
  ];
/** Then nobody talks here, or not with this visitor. */
const NEVER = ['chat_off', 'quiet', 'account_needed', 'not_allowed', 'unknown_op'];

/** Is it talked here, so that this visitor hears it? @param {Message} hello */
export const hasChat = ({ chat, account, quiet }) => Boolean(chat) && !quiet && !account?.quiet && (chat === 'everybody' || Boolean(account));

/** @param {number} ms */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export class Chat {
  /** @param {import('./shell.js').Shell} shell */
  constructor(shell) {
    this.shell = shell;
    this.wire = shell.wire;
    /** @type {number | undefined} what the server has said last */
    this.have = undefined;
    /** Lines by their numbers, with where each stands. @type {Map<number, {line: Message, element: Element}>} */
    this.lines = new Map();
    /** Whom this visitor wants to hear no more of, by their handles. @type {Set<string>} */
    this.muted = new Set();
    this.closed = false;
    this.turn = 0; // how often it was begun to listen: in the last room alone it goes on
    this.lang = prefs.chatLang || document.documentElement.lang.slice(0, 2);
    this.list = el('ol', { class: 'chat-lines', tabindex: 0, 'aria-live': 'polite', 'aria-label': t('chat_title') });
    this.none = el('p', { class: 'hint' }, t('chat_none'));
    this.unread = el('span', { class: 'unread' }, el('span', { class: 'visually-hidden' }, t('chat_unread')));
    this.unread.hidden = true;
    this.wrong = el('p', { class: 'hint', role: 'alert' });
    this.text = el('input', { type: 'text', id: 'chat-text', maxlength: 140, 'aria-label': t('chat_say'), placeholder: t('chat_say'), autocomplete: 'off' });
    this.element = el(
      'details',
      { class: 'panel chat', id: 'chat', open: prefs.chatOpen },
      el('summary', {}, t('chat_title'), this.unread),
      el('div', { class: 'chat-body' }, this.roomChoice(), this.none, this.list, this.form(), this.wrong),
    );
    this.element.addEventListener('toggle', () => {
      prefs.chatOpen = this.element.open;
      this.showLast();
      this.note();
    });
    void this.listen();
  }

  close() {
    this.closed = true;
  }

  get handle() {
    return this.wire.hello.account?.handle;
  }

  roomChoice() {
    const options = ROOMS.map(([lang, name]) => el('option', { value: lang, lang, selected: lang === this.lang }, name));
    const choice = el('select', { id: 'chat-room', 'aria-label': t('chat_room'), onchange: () => this.enter(choice.value) }, ...options);
    return choice;
  }

  /** Another room: the server answers what was asked of the one before. @param {string} lang */
  enter(lang) {
    prefs.chatLang = this.lang = lang;
    this.have = undefined;
    for (const n of [...this.lines.keys()]) this.remove(n);
    void this.listen();
  }

  form() {
    if (!this.handle) return el('p', { class: 'hint' }, t('chat_account'));
    const form = el('form', { class: 'say' }, this.text, el('button', { type: 'submit' }, t('send')));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.say(this.text.value.trim());
    });
    return form;
  }

  /** What fails is said here. @param {() => Promise<unknown>} ask @returns {Promise<boolean>} */
  async attempt(ask) {
    this.wrong.textContent = '';
    try {
      await ask();
      return true;
    } catch (error) {
      this.wrong.textContent = errorText(error);
      return false;
    }
  }

  /** @param {string} text */
  async say(text) {
    if (!text) return;
    const said = await this.attempt(async () => {
      this.wire.expectLine();
      await this.wire.ask('chat_say', { text, lang: this.lang });
    });
    if (said && this.text.value.trim() === text) this.text.value = '';
  }

  /** One question after the other: each is answered when there is something new. */
  async listen() {
    const turn = ++this.turn;
    while (!this.closed && turn === this.turn) {
      if (document.hidden) await new Promise((resolve) => document.addEventListener('visibilitychange', resolve, { once: true }));
      else if (!(await this.hear(turn))) return;
    }
  }

  /** False: it is no use. @param {number} turn */
  async hear(turn) {
    const { lang, have } = this;
    try {
      const news = await this.wire.ask('chat', have === undefined ? { lang } : { lang, have });
      if (this.closed || turn !== this.turn) return false;
      this.take(news);
      if (news.again_ms) await pause(news.again_ms);
    } catch (/** @type {any} */ error) {
      this.element.hidden = NEVER.includes(error.code);
      if (this.element.hidden) return false;
      await pause(error.retryMs ?? RETRY_MS);
    }
    return true;
  }

  /** @param {Message} news */
  take({ have, whole, lines, gone }) {
    const low = this.isLow();
    this.have = have;
    for (const n of whole ? [...this.lines.keys()] : gone) this.remove(n);
    for (const line of lines) this.add(line);
    for (const n of [...this.lines.keys()].slice(0, Math.max(0, this.lines.size - LINES))) this.remove(n);
    this.none.hidden = this.lines.size > 0;
    this.list.hidden = this.lines.size === 0;
    if (low) this.showLast();
    this.note();
  }

  /** @param {Message} line */
  add(line) {
    if (this.muted.has(line.handle) || this.lines.has(line.line)) return;
    const element = this.lineElement(line);
    this.lines.set(line.line, { line, element });
    this.list.append(element);
  }

  /** @param {number} n */
  remove(n) {
    this.lines.get(n)?.element.remove();
    this.lines.delete(n);
  }

  /** Is the last line seen? */
  isLow() {
    const { list } = this;
    return list.scrollTop + list.clientHeight > list.scrollHeight - 30;
  }

  showLast() {
    this.list.scrollTop = this.list.scrollHeight;
  }

  /** What others have said since it was open last is unread. */
  note() {
    const others = [...this.lines.values()].filter(({ line }) => line.operator || line.handle !== this.handle);
    const last = others.at(-1)?.line.line ?? 0;
    if (this.element.open && last > prefs.chatSeen) prefs.chatSeen = last;
    this.unread.hidden = last <= prefs.chatSeen;
  }

  /** @param {Message} line */
  lineElement(line) {
    const at = new Date(line.at);
    const time = at.toLocaleTimeString(document.documentElement.lang, { hour: '2-digit', minute: '2-digit' });
    const more = () => el('button', { type: 'button', class: 'plain who', title: t('chat_more'), onclick: () => this.open(line) }, el('strong', {}, nameText(line.name)), ` @${line.handle}`);
    return el(
      'li',
      {},
      line.operator ? el('strong', { class: 'operator' }, t('chat_operator')) : more(),
      el('time', { class: 'hint', datetime: at.toISOString() }, time),
      el('p', {}, line.text),
    );
  }

  /** What can be done about a line, and about who has said it. @param {Message} line */
  open(line) {
    const own = line.handle === this.handle;
    const { moderator } = this.wire.hello;
    /** @type {HTMLDialogElement} */
    let dialog;
    /** @param {string} word @param {string} name @param {() => unknown} act */
    const button = (word, name, act) =>
      el('button', { type: 'button', id: `chat-${name}`, onclick: () => {
        dialog.close();
        void act();
      } }, t(word));
    dialog = openDialog(
      `${nameText(line.name)} @${line.handle}`,
      el('blockquote', {}, line.text),
      el(
        'div',
        { class: 'chat-actions' },
        !own && button('chat_mute', 'mute', () => this.mute(line.handle)),
        !own && this.handle && button('block', 'block', () => this.block(line.handle)),
        !own && this.handle && button('report', 'report', () => this.report(line)),
        (own || moderator) && button('chat_drop', 'drop', () => this.attempt(() => this.wire.ask('chat_drop', { line: line.line }))),
      ),
    );
  }

  /** Until the page is loaded again. @param {string} handle */
  mute(handle) {
    this.muted.add(handle);
    for (const [n, { line }] of this.lines) if (line.handle === handle) this.remove(n);
    this.note();
  }

  /** @param {string} handle */
  async block(handle) {
    if (await this.attempt(() => this.wire.askPatiently('block', { handle }))) this.mute(handle);
  }

  /** @param {Message} line */
  async report(line) {
    const { openLineReport } = await fetchWorded(() => import('./report.js'));
    openLineReport(this.wire, line, (text) => this.shell.say(text));
  }
}
