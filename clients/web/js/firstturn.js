// A first turn on the first page, for somebody who has never played: one sentence, and one dot to press. It ends with a first game, as
// soon as the page is there that has one.

import { el, fill } from './dom.js';
import { t } from './words.js';

/** @typedef {{title: string, opponents: number, say: (text: string) => void, play: () => void}} Page */

export class FirstTurn {
  /** @param {import('./games/game.js').FirstTurn} turn */
  constructor(turn) {
    this.turn = turn;
    this.at = 0;
    /** @type {Page | null} */
    this.page = null;
    this.dot = el('button', { type: 'button', class: 'first-dot', id: 'first-dot', onclick: () => this.press() });
    this.words = el('div', { class: 'first-words' });
    const picture = el('div', { class: 'first-picture' }, turn.picture, this.dot);
    picture.style.setProperty('--ratio', String(turn.ratio));
    this.element = el('section', { class: 'first-turn', 'aria-label': t('first_turn') }, picture, this.words);
    this.show();
  }

  /** The page is there, and shows it at once: what has the focus keeps it. @param {Page} page */
  adopt(page) {
    this.page = page;
    const had = this.element.contains(document.activeElement);
    this.show();
    if (had || this.ended) queueMicrotask(() => this.element.querySelector('button')?.focus({ preventScroll: true }));
  }

  get ended() {
    return this.at === this.turn.steps.length;
  }

  press() {
    this.turn.steps[this.at].act();
    this.at++;
    this.show();
    this.page?.say(this.turn.steps[this.at]?.words ?? this.turn.done);
    if (this.ended) this.words.querySelector('button')?.focus({ preventScroll: true });
  }

  show() {
    const step = this.turn.steps[this.at];
    if (!step) {
      this.dot.remove();
      fill(this.words, el('p', {}, this.turn.done), this.page && this.firstGame(this.page));
      return;
    }
    this.dot.style.left = `${100 * step.x}%`;
    this.dot.style.top = `${100 * step.y}%`;
    this.dot.setAttribute('aria-label', step.words);
    fill(this.words, this.at === 0 && el('h2', {}, t('first_turn')), el('p', {}, step.words));
  }

  /** @param {Page} page */
  firstGame({ title, opponents, play }) {
    return el('button', { type: 'button', class: 'confirm big', id: 'first-game', onclick: play }, t('first_game', { game: title, n: opponents }));
  }
}

/** The one that was there before the rest of the page. @type {FirstTurn | null} */
let early = null;

/** @param {FirstTurn} turn */
export function keepEarly(turn) {
  early = turn;
}

/** Once: a page in another language begins anew. */
export function takeEarly() {
  const taken = early;
  early = null;
  return taken;
}
