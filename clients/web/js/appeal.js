// The door for whoever is banned: a connection of its own, which is let in to appeal and for nothing else (protocol/README.md, 2.17).

import { openDialog } from './dialogs.js';
import { el } from './dom.js';
import { t } from './latewords.js';
import { judgementLine } from './others.js';
import { errorText } from './words.js';
import { Refusal } from './wire.js';

/** @typedef {import('./wire.js').Message} Message */

class Door {
  /** @param {string} url */
  constructor(url) {
    this.socket = new WebSocket(url, 'taluva.v1+json');
    this.lastId = 0;
    /** @type {Map<number, {resolve: (ok: Message) => void, reject: (error: Error) => void}>} */
    this.waiting = new Map();
    this.socket.onmessage = (event) => this.take(JSON.parse(event.data));
    this.socket.onclose = () => this.end();
  }

  /** @param {Message} message */
  take({ id, ok, error }) {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    if (error) waiting?.reject(new Refusal(error));
    else waiting?.resolve(ok);
  }

  /** Nothing more comes. */
  end() {
    for (const { reject } of this.waiting.values()) reject(new Refusal({ code: 'not_sent', message: '' }));
    this.waiting.clear();
  }

  /** @returns {Promise<void>} */
  opened() {
    return new Promise((resolve, reject) => {
      this.socket.onopen = () => resolve();
      this.socket.onerror = () => reject(new Refusal({ code: 'not_sent', message: '' }));
    });
  }

  /** @param {string} op @param {Message} fields @returns {Promise<Message>} */
  ask(op, fields) {
    return new Promise((resolve, reject) => {
      if (this.socket.readyState !== WebSocket.OPEN) return reject(new Refusal({ code: 'not_sent', message: '' }));
      this.lastId += 1;
      this.waiting.set(this.lastId, { resolve, reject });
      this.socket.send(JSON.stringify({ id: this.lastId, op, ...fields }));
    });
  }
}

/** What was decided about who is banned, and a word against each. @param {import('./shell.js').Shell} shell */
export async function openDoor({ wire }) {
  const door = new Door(wire.url);
  const said = el('div', { role: 'status' }, t('loading'));
  openDialog(t('judged'), said).addEventListener('close', () => door.socket.close());
  try {
    await door.opened();
    const { judgements = [] } = await door.ask('hello', { token: wire.token, for: 'appeal' });
    const lines = judgements.map((/** @type {Message} */ one) => judgementLine(door, one));
    said.replaceWith(lines.length ? el('ul', { class: 'judged' }, ...lines) : el('p', { class: 'hint' }, t('appeal_none')));
  } catch (error) {
    said.textContent = errorText(error);
  }
}
