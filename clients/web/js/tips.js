// Tips of a first game: what a lesson teaches, once, when it matters for the first time. One at a time, while the visitor may move.

import { prefs } from './prefs.js';

/** @typedef {import('./wire.js').Message} Message */

export class Tips {
  /** @param {string} game its id @param {import('./games/game.js').Tips} made */
  constructor(game, made) {
    this.game = game;
    this.made = made;
    /** What is said now; "": nothing. */
    this.name = '';
    /** @type {Message | null} the choice for which it was found */
    this.choice = null;
  }

  /** What to say while the visitor has this choice; "" for nothing. @param {Message} state @param {Message | null} choice the server's answer to `moves` @param {number} seat */
  words(state, choice, seat) {
    if (choice && choice !== this.choice) this.choose(this.made.now(state, choice, seat));
    this.choice = choice;
    return choice && this.name && this.made.words(this.name);
  }

  /** What is said stays until its moment is over: the same choice may be asked for twice. @param {string[]} fitting */
  choose(fitting) {
    if (this.name && !fitting.includes(this.name)) this.known();
    const left = prefs.tips(this.game);
    this.name ||= fitting.find((name) => left.includes(name)) ?? '';
  }

  /** It has been said. */
  known() {
    if (this.name) prefs.setTips(this.game, prefs.tips(this.game).filter((name) => name !== this.name));
    this.name = '';
  }

  /** None is wanted any more. */
  end() {
    prefs.setTips(this.game, []);
    this.name = '';
  }
}
