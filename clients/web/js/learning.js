// What the lessons and the rules of all games are made of: how a lesson's past grows, and the parts of a page of rules.

import { el } from './dom.js';
import { merged } from './patch.js';

/** @typedef {import('./games/game.js').Message} Message */
/** @typedef {import('./games/game.js').Moment} Moment */

/** What every lesson has while it is tried; a game's trial adds what can be done in it. */
export class Scene {
  /** @param {number} seat the learner's */
  constructor(seat) {
    this.seat = seat;
    /** @type {Message} */
    this.state = {};
    /** @type {Message | null} */
    this.moves = null;
    /** @type {Moment[]} */
    this.past = [];
  }

  /** A state, and the event that led to it; without one it is the beginning. @param {Message} state @param {Message | null} [event] */
  show(state, event = null) {
    const moment = { seq: this.past.length + 1, at: 0, event, state };
    this.past = event ? [...this.past, moment] : [moment];
    this.state = state;
  }

  /** An event with what it changes, as a server tells it. @param {Message} event @param {Message} patch */
  happen(event, patch) {
    this.show(merged(this.state, patch), event);
  }
}

/**
 * What a page of rules is made of.
 * @param {(key: string) => string} t the words of the game's rules
 */
export function textbook(t) {
  /** @param {'h2' | 'h3'} level */
  const headed = (level) => (/** @type {string} */ title, /** @type {Node[]} */ ...parts) => el('section', {}, el(level, {}, t(title)), ...parts);
  const figures = (/** @type {Node[]} */ ...pictures) => el('div', { class: 'figures' }, ...pictures);
  return {
    section: headed('h2'),
    /** A section within one. */
    below: headed('h3'),
    figures,
    /** Sentences by their keys, and pictures beneath them. @param {string[]} keys @param {...Node} pictures */
    part: (keys, ...pictures) => [
      el('ul', {}, ...keys.map((key) => el('li', {}, t(key)))),
      ...(pictures.length ? [figures(...pictures)] : []),
    ],
    /** A picture with its caption. @param {Node} picture @param {string} caption @param {boolean | null} [allowed] null: it is not about that */
    framed: (picture, caption, allowed = null) => {
      const sign =
        allowed !== null &&
        el('b', { class: 'sign' }, el('span', { 'aria-hidden': 'true' }, allowed ? '✓' : '✗'), el('span', { class: 'visually-hidden' }, t(allowed ? 'allowed' : 'forbidden')));
      return el('figure', { class: allowed === false ? 'bad' : 'good' }, picture, el('figcaption', {}, sign, ' ', t(caption)));
    },
  };
}
