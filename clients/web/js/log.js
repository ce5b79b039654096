// The log: what happened and what was said, and a field to say something.

import { el } from './dom.js';
import { momentSentence } from './events.js';
import { iconButton } from './icons.js';
import { nameText, t } from './words.js';

/** @typedef {import('./room.js').Room} Room */

/** What is said at one press, by the sign that is sent; every page shows it in its reader's language. @type {{[sign: string]: string}} */
const EMOTES = { '👋': 'wave', '👍': 'good', '😄': 'laugh', '🤔': 'think', '😮': 'wow', '🙏': 'thanks' };

/** @param {string} text */
export const saidText = (text) => (Object.hasOwn(EMOTES, text) ? t(`emote_${EMOTES[text]}`) : text);

export class Log {
  /**
   * @param {Room} room @param {import('./games/game.js').Game} game @param {(() => void) | null} close null: it stays open
   * @param {(error: unknown) => void} failed
   */
  constructor(room, game, close, failed) {
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
    const form = el('form', { class: 'say' }, text, el('button', { type: 'submit' }, t('send')));
    /** @param {string} words */
    const say = async (words) => {
      try {
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
    const emotes = Object.entries(EMOTES).map(([sign, name]) =>
      iconButton(name, t(`emote_${name}`), () => void say(sign), { bare: true, class: 'emote quiet' }),
    );
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
      el('div', { class: 'emotes', role: 'group', 'aria-label': t('emotes') }, ...emotes),
      form,
    );
    this.told = 0;
    this.edition = room.edition;
    /** @type {WeakSet<import('./wire.js').Message>} what was said and is in the list */
    this.heard = new WeakSet();
  }

  /** Begins anew. */
  forget() {
    this.edition = this.room.edition;
    this.told = 0;
    this.heard = new WeakSet();
    this.list.replaceChildren();
  }

  /** Adds what is new. */
  show() {
    const { past } = this.room;
    if (this.edition !== this.room.edition) this.forget();
    for (; this.told < past.length; this.told++) {
      const moment = past[this.told];
      const sentence = momentSentence(this.game, moment, past[this.told - 1]?.state ?? {});
      if (sentence) this.add(moment.state.seats?.[moment.event?.seat]?.colour ?? '', sentence, 'event');
    }
    for (const said of this.room.talk) this.said(said);
  }

  /** @param {import('./wire.js').Message} said */
  said(said) {
    if (this.heard.has(said)) return;
    this.heard.add(said);
    const colour = this.room.state.seats?.[said.seat]?.colour ?? '';
    this.add(colour, `${nameText(said.name)}: ${saidText(said.text)}`, 'chat');
  }

  /** @param {string} colour @param {string} text @param {string} name */
  add(colour, text, name) {
    const low = this.list.scrollTop + this.list.clientHeight > this.list.scrollHeight - 30;
    this.list.append(el('li', { class: name }, colour && this.game.mark(colour), el('span', {}, text)));
    if (low) this.list.scrollTop = this.list.scrollHeight;
  }
}
