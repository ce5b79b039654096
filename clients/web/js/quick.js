// Quick match: whoever has an account looks for others of about their rating, at one press, and comes to the table that the server has
// opened for them.

import { el, fill } from './dom.js';
import { nonce } from './solo.js';
import { t } from './words.js';

/** @typedef {import('./wire.js').Message} Message */

const AGAIN_MS = 50000, // a seek holds for two minutes
  TICK_MS = 1000;

/** @type {{[game: string]: number[]}} tables of which sizes there are */
const SIZES = { taluva: [2, 3, 4, 5], totem: [2, 3, 4] };

/** The table that was found was taken back, and the search goes on, whatever the page shows meanwhile. */
let again = false;
/** @type {Quick | null} */
let shown = null;
const heard = new WeakSet();

/** What becomes of a search, also while the page is at the table that it has found. @param {import('./wire.js').Wire} wire @param {import('./shell.js').Shell} shell */
function hear(wire, shell) {
  if (heard.has(wire)) return;
  heard.add(wire);
  wire.listeners.add((/** @type {Message} */ push) => {
    if (push.push !== 'seeking') return;
    if (push.state === 'ended') shell.toast(t('quick_ended'));
    again = push.state === 'again';
    if (shown) shown.heard(push.state === 'full');
  });
}

export class Quick {
  /**
   * @param {import('./wire.js').Wire} wire @param {import('./shell.js').Shell} shell @param {string} game
   * @param {(ask: () => Promise<unknown>) => Promise<unknown>} attempt tells of what fails; then nothing comes of it
   */
  constructor(wire, shell, game, attempt) {
    this.wire = wire;
    this.shell = shell;
    this.game = game;
    this.attempt = attempt;
    this.since = 0; // 0: nobody is looked for
    this.full = false; // as many as may have a place already
    this.sizes = new Set([2]);
    this.body = el('div');
    this.element = el('section', { class: 'panel quick' }, el('h2', {}, t('quick_match')), this.body);
    this.waited = el('span', {});
    /** @param {Message} push */
    this.onPush = (push) => void (push.push === 'found' && this.since && this.found(push.room));
    wire.listeners.add(this.onPush);
    this.timers = [setInterval(() => this.tick(), TICK_MS), setInterval(() => this.since && void this.seek(), AGAIN_MS)];
    hear(wire, shell);
    shown = this;
    this.heard(false);
  }

  /** @param {boolean} full */
  heard(full) {
    this.full = full;
    if (again && !this.since) this.since = Date.now();
    again = false;
    this.draw();
  }

  close() {
    shown = null;
    for (const timer of this.timers) clearInterval(timer);
    this.wire.listeners.delete(this.onPush);
    if (this.since) void this.wire.ask('unseek').catch(() => {}); // it ends by itself too
  }

  seek() {
    this.full = false;
    return this.wire.askPatiently('seek', { game: this.game, options: { sizes: [...this.sizes].sort() } });
  }

  async begin() {
    if (this.since) return;
    this.since = Date.now();
    const asked = await this.attempt(() => this.seek());
    if (!asked) this.since = 0;
    this.draw();
  }

  async end() {
    this.since = 0;
    this.draw();
    await this.attempt(() => this.wire.askPatiently('unseek'));
  }

  /** The seats are there already; who sits down is ready, and who is the last begins. @param {string} room */
  async found(room) {
    this.since = 0;
    this.draw();
    await this.attempt(async () => {
      await this.wire.askPatiently('join', { room });
      await this.wire.askPatiently('ready', { room, ready: true, nonce: nonce() });
      await this.wire.askPatiently('start', { room }).catch((error) => {
        if (error.code !== 'not_ready') throw error;
      });
    });
    this.shell.go(`#/r/${room}`);
  }

  tick() {
    if (this.since) fill(this.waited, this.full ? t('quick_full') : t('quick_waits', { s: Math.floor((Date.now() - this.since) / 1000) }));
  }

  /** @param {number} size */
  sizeBox(size) {
    const box = el('input', { type: 'checkbox', name: `size-${size}`, checked: this.sizes.has(size) });
    box.addEventListener('change', () => {
      if (box.checked) this.sizes.add(size);
      else if (this.sizes.size > 1) this.sizes.delete(size);
      box.checked = this.sizes.has(size);
    });
    return el('label', { class: 'tick' }, box, el('span', {}, t('quick_size', { n: size })));
  }

  draw() {
    this.tick();
    if (this.since) {
      const cancel = el('button', { type: 'button', id: 'unseek', onclick: () => void this.end() }, t('cancel'));
      fill(this.body, el('p', { class: 'hint', role: 'status' }, this.waited), cancel);
      return;
    }
    const begin = el('button', { type: 'button', class: 'confirm', id: 'seek', onclick: () => void this.begin() }, t('quick_match'));
    const sizes = (SIZES[this.game] ?? [2]).map((size) => this.sizeBox(size));
    fill(this.body, el('p', { class: 'hint' }, t('quick_hint')), el('div', { class: 'sizes' }, ...sizes), begin);
  }
}
