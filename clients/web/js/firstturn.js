// A first turn on the first page, for somebody who has never played: one sentence, and one dot to press. It ends with a first game.

import { el, fill } from './dom.js';
import { t } from './words.js';

export class FirstTurn {
  /**
   * @param {import('./games/game.js').Game} game @param {import('./games/game.js').FirstTurn} turn
   * @param {(text: string) => void} say to a screen reader @param {() => void} play a first game
   */
  constructor(game, turn, say, play) {
    this.game = game;
    this.turn = turn;
    this.say = say;
    this.play = play;
    this.at = 0;
    this.dot = el('button', { type: 'button', class: 'first-dot', id: 'first-dot', onclick: () => this.press() });
    this.words = el('div', { class: 'first-words' });
    const picture = el('div', { class: 'first-picture' }, turn.picture, this.dot);
    picture.style.setProperty('--ratio', String(turn.ratio));
    this.element = el('section', { class: 'first-turn', 'aria-label': t('first_turn') }, picture, this.words);
    this.show();
  }

  press() {
    this.turn.steps[this.at].act();
    this.at++;
    this.show();
    this.say(this.turn.steps[this.at]?.words ?? this.turn.done);
    if (this.at === this.turn.steps.length) this.words.querySelector('button')?.focus({ preventScroll: true });
  }

  show() {
    const step = this.turn.steps[this.at];
    if (!step) {
      this.dot.remove();
      fill(this.words, el('p', {}, this.turn.done), this.firstGame());
      return;
    }
    this.dot.style.left = `${100 * step.x}%`;
    this.dot.style.top = `${100 * step.y}%`;
    this.dot.setAttribute('aria-label', step.words);
    fill(this.words, this.at === 0 && el('h2', {}, t('first_turn')), el('p', {}, step.words));
  }

  firstGame() {
    const n = this.game.solo.first ?? 1;
    return el('button', { type: 'button', class: 'confirm big', id: 'first-game', onclick: this.play }, t('first_game', { game: this.game.title, n }));
  }
}
