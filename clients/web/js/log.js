// The log: what happened and what was said, and a field to say something.

import { el } from './dom.js';
import { momentSentence } from './events.js';
import { iconButton } from './icons.js';
import { nameText, t } from './words.js';

/** @typedef {import('./room.js').Room} Room */

export class Log {
  /**
   * @param {Room} room @param {import('./games/game.js').Game} game @param {() => void} close
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
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      if (!text.value.trim()) return;
      try {
        await room.ask('say', { text: text.value.trim() });
        text.value = '';
      } catch (error) {
        failed(error);
      }
    });
    this.element = el(
      'section',
      { class: 'log', 'aria-label': t('log') },
      el('header', {}, el('h2', {}, t('log')), iconButton('close', t('close'), close, { bare: true, class: 'quiet' })),
      this.list,
      form,
    );
    this.told = 0;
    this.edition = room.edition;
  }

  /** Adds what is new. */
  show() {
    const { past } = this.room;
    if (this.edition !== this.room.edition) {
      this.edition = this.room.edition;
      this.told = 0;
      this.list.replaceChildren();
    }
    for (; this.told < past.length; this.told++) {
      const moment = past[this.told];
      const sentence = momentSentence(this.game, moment, past[this.told - 1]?.state ?? {});
      if (sentence) this.add(moment.state.seats?.[moment.event?.seat]?.colour ?? '', sentence, 'event');
    }
  }

  /** @param {import('./wire.js').Message} said */
  said(said) {
    const colour = this.room.state.seats?.[said.seat]?.colour ?? '';
    this.add(colour, `${nameText(said.name)}: ${said.text}`, 'chat');
  }

  /** @param {string} colour @param {string} text @param {string} name */
  add(colour, text, name) {
    const low = this.list.scrollTop + this.list.clientHeight > this.list.scrollHeight - 30;
    this.list.append(el('li', { class: name }, colour && this.game.mark(colour), el('span', {}, text)));
    if (low) this.list.scrollTop = this.list.scrollHeight;
  }
}
