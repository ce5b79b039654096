// A word over the table that goes by itself: whose turn it is now, among people who play at one device.

import { el } from './dom.js';

export class Cue {
  constructor() {
    this.element = el('div', { class: 'cue-place', 'aria-hidden': 'true' }); // screen readers are told by the live region
    this.seat = -1;
  }

  /** @param {number} seat @param {string} words @param {Element} mark */
  show(seat, words, mark) {
    if (seat === this.seat) return;
    this.seat = seat;
    const cue = el('p', { class: 'cue' }, mark, el('span', {}, words));
    cue.addEventListener('animationend', () => cue.remove());
    this.element.replaceChildren(cue);
  }

  /** Nobody here is to move. */
  forget() {
    this.seat = -1;
    this.element.replaceChildren();
  }
}
