// Words over the table: whose turn it is now, among people who play at one device, which goes by itself; and who has won, which stays.

import { el } from './dom.js';

export class Cue {
  constructor() {
    this.passing = el('div', {});
    this.ending = el('div', {});
    this.element = el('div', { class: 'cue-place', 'aria-hidden': 'true' }, this.passing, this.ending); // screen readers are told by the live region
    this.seat = -1;
    this.ended = '';
  }

  /** @param {number} seat @param {string} words @param {Element} mark */
  show(seat, words, mark) {
    if (seat === this.seat) return;
    this.seat = seat;
    const cue = el('p', { class: 'cue' }, mark, el('span', {}, words));
    cue.addEventListener('animationend', () => cue.remove());
    this.passing.replaceChildren(cue);
  }

  /** Nobody here is to move. */
  forget() {
    this.seat = -1;
    this.passing.replaceChildren();
  }

  /** Who has won. @param {string} words "" if nobody has, or not yet @param {boolean} won it is said to the winner @param {string} paint a class that sets the winner's colour */
  showEnd(words, won, paint) {
    if (words === this.ended) return;
    this.ended = words;
    this.ending.replaceChildren(...(words ? [el('p', { class: `ending ${paint}${won ? ' won' : ''}` }, words)] : []));
  }
}
