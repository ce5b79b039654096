// The log: what happened and what was said, and a field to say something.

import { el } from './dom.js';
import { momentSentence } from './events.js';
import { iconButton } from './icons.js';
import { fetchWorded, isQuiet, nameText, t } from './words.js';

/** @typedef {import('./room.js').Room} Room */

/** What is said at one press, by the sign that is sent; every page shows it in its reader's language. @type {{[sign: string]: string}} */
const EMOTES = { '👋': 'wave', '👍': 'good', '😄': 'laugh', '🤔': 'think', '😮': 'wow', '🙏': 'thanks' };

/** @param {string} text */
const saidText = (text) => (Object.hasOwn(EMOTES, text) ? t(`emote_${EMOTES[text]}`) : text);

/** Something that was said, by somebody with a seat or not, or that some of it is missing here. @param {import('./wire.js').Message} talk */
export function talkText(talk) {
  if (talk.push === 'notice') return t('left_out');
  const words = { name: nameText(talk.name), text: saidText(talk.text) };
  return talk.seat === undefined ? t('said_watching', words) : `${words.name}: ${words.text}`;
}

/** The seats of other people: not computers, nor those who play at this device. @param {Room} room */
export const seatsToReport = (room) =>
  Object.entries(room.state.seats ?? {}).filter(([seat, who]) => who.name && !who.bot && !room.seatsHere.includes(Number(seat)));

export class Log {
  /**
   * @param {Room} room @param {import('./games/game.js').Game} game @param {(() => void) | null} close null: it stays open
   * @param {(error: unknown) => void} failed @param {(text: string) => void} tell
   */
  constructor(room, game, close, failed, tell) {
    this.room = room;
    this.game = game;
    this.list = el('ol', { class: 'events', tabindex: 0, 'aria-label': t('log') });
    const text = el('input', {
      type: 'text',
      maxlength: 280,
      'aria-label': t('say'),
      placeholder: t('say'),
      autocomplete: 'off',
    });
    const form = isQuiet() ? el('p', { class: 'hint' }, t('e_quiet')) : el('form', { class: 'say' }, text, el('button', { type: 'submit' }, t('send')));
    /** @param {string} words */
    const say = async (words) => {
      try {
        room.wire.expectLine();
        await room.ask('say', { text: words });
        return true;
      } catch (error) {
        failed(error);
        return false;
      }
    };
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      if (text.value.trim() && (await say(text.value.trim()))) text.value = '';
    });
    const emotes = Object.entries(isQuiet() ? {} : EMOTES).map(([sign, name]) =>
      iconButton(name, t(`emote_${name}`), () => void say(sign), { bare: true, class: 'emote quiet' }),
    );
    this.unmute = el('button', { type: 'button', class: 'plain unmute', onclick: () => this.hearAll() }, t('unmute'));
    this.unmute.hidden = room.muted.size === 0;
    const open = async () => (await fetchWorded(() => import('./report.js'))).openReport(room, tell);
    this.report = el('button', { type: 'button', class: 'plain report', onclick: () => void open().catch(failed) }, t('report'));
    this.report.hidden = true;
    this.element = el(
      'section',
      { class: 'log', 'aria-label': t('log') },
      el(
        'header',
        {},
        el('h2', {}, t(close ? 'log' : 'chat')),
        close && iconButton('close', t('close'), close, { bare: true, class: 'quiet' }),
      ),
      this.list,
      this.unmute,
      this.report,
      el('div', { class: 'emotes', role: 'group', 'aria-label': t('emotes') }, ...emotes),
      form,
    );
    this.told = 0;
    this.chapter = '';
    this.edition = room.edition;
    /** @type {WeakSet<import('./wire.js').Message>} what was said and is in the list */
    this.heard = new WeakSet();
  }

  /** Begins anew. */
  forget() {
    this.edition = this.room.edition;
    this.told = 0;
    this.chapter = '';
    this.heard = new WeakSet();
    this.list.replaceChildren();
  }

  /** Adds what is new. */
  show() {
    const { past } = this.room;
    this.report.hidden = !this.room.wire.hello?.account || !seatsToReport(this.room).length;
    if (this.edition !== this.room.edition) this.forget();
    const lines = [];
    for (; this.told < past.length; this.told++) {
      const moment = past[this.told];
      const before = past[this.told - 1]?.state ?? {};
      const sentence = momentSentence(this.game, moment, before);
      if (sentence) lines.push(...this.heading(moment, before), this.line(moment.event?.seat, moment.state, sentence, 'event'));
    }
    for (const said of this.room.talk) {
      if (this.heard.has(said)) continue;
      this.heard.add(said);
      lines.push(this.said(said));
    }
    if (lines.length) this.add(lines);
  }

  /** The part of the match that a move begins, where the game has parts. @param {import('./room.js').Moment} moment @param {import('./wire.js').Message} before */
  heading({ event }, before) {
    const chapter = (event?.kind === 'move' && this.game.chapter?.(before)) || '';
    if (!chapter || chapter === this.chapter) return [];
    this.chapter = chapter;
    return [el('li', { class: 'chapter' }, el('h3', {}, chapter))];
  }

  /** @param {number | undefined} seat @param {import('./wire.js').Message} state @param {string} text @param {string} name */
  line(seat, state, text, name) {
    const colour = state.seats?.[seat ?? -1]?.colour;
    return el('li', { class: name }, colour && this.game.mark(colour), el('span', {}, text));
  }

  /** A line of somebody else can be done without from now on, by a press. @param {import('./wire.js').Message} said */
  said(said) {
    const line = this.line(said.seat, this.room.state, talkText(said), 'chat');
    if (said.push === 'said' && !this.room.seatsHere.includes(said.seat ?? -1))
      line.append(iconButton('mute', t('mute_person', { name: nameText(said.name) }), () => this.mute(said), { bare: true, class: 'quiet mute' }));
    return line;
  }

  /** @param {import('./wire.js').Message} said */
  mute(said) {
    this.room.mute(said);
    this.unmute.hidden = false;
    this.forget();
    this.show();
  }

  /** Shows what they say from now on. */
  hearAll() {
    this.room.muted.clear();
    this.unmute.hidden = true;
    this.list.focus();
  }

  /** At once, as to look how far it is scrolled is to lay out the page. @param {Element[]} lines */
  add(lines) {
    const { list } = this;
    const low = list.scrollTop + list.clientHeight > list.scrollHeight - 30;
    list.append(...lines);
    if (low) list.scrollTop = list.scrollHeight;
  }
}
