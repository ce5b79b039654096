// Hints at the table: a button while the visitor may move in a room that has them, and a panel with the best turns. The one
// that is chosen is pointed out in the picture. Nothing is ever played from here.

import { chanceWord } from './chances.js';
import { el, fill } from './dom.js';
import { turnText } from './events.js';
import { iconButton } from './icons.js';
import { errorText, nameOf, percent, t } from './words.js';

/** @typedef {import('./wire.js').Message} Message */
/** @typedef {{moves: string[], chances: number[]}} HintTurn */

export class Hint {
  /**
   * @param {import('./room.js').Room} room @param {import('./games/game.js').Game} game
   * @param {() => void} changed something else is to be pointed out @param {(text: string) => void} say to a screen reader
   */
  constructor(room, game, changed, say) {
    this.room = room;
    this.game = game;
    this.changed = changed;
    this.say = say;
    this.button = iconButton('lamp', t('hint'), () => this.press(), { class: 'ask-hint', title: t('hint'), hidden: true });
    this.element = el('section', { class: 'advice', 'aria-label': t('hint'), tabindex: -1, hidden: true });
    /** @type {Message | null} the table that the turns are for */
    this.table = null;
    /** The best turns, best first; none while they are not there. @type {HintTurn[]} */
    this.turns = [];
    this.chosen = 0;
    this.waiting = false;
    /** Why there is no hint, in words. */
    this.trouble = '';
  }

  /** @returns {import('./games/game.js').Advice | null} the turn to point out */
  get advice() {
    const turn = this.turns[this.chosen];
    return turn ? { seat: this.room.seat, moves: turn.moves, instead: [], mark: '' } : null;
  }

  get offered() {
    return !this.button.hidden;
  }

  /** The table has changed, or whether the visitor may move. @param {boolean} mayAct */
  show(mayAct) {
    const { state } = this.room;
    this.button.hidden = !(mayAct && state.hints);
    if (!this.offered) this.forget();
    else if (this.table && this.table !== state.table) this.goOn();
  }

  /** The visitor has moved: what follows in the turns that began so is still the best. */
  goOn() {
    const { event, state } = this.room.past[this.room.past.length - 1];
    const followed = event?.kind === 'move' && event.seat === this.room.seat;
    const turns = followed ? this.turns.filter(({ moves }) => moves.length > 1 && moves[0] === event.move) : [];
    this.forget();
    if (!turns.length) return;
    this.table = state.table;
    this.turns = turns.slice(0, 1).map(({ moves, chances }) => ({ moves: moves.slice(1), chances }));
  }

  /** Nothing is known and nothing pointed out. */
  forget() {
    this.table = null;
    this.turns = [];
    this.chosen = 0;
    this.waiting = false;
    this.trouble = '';
    this.open(false);
  }

  /** @param {boolean} on */
  open(on) {
    const had = this.element.contains(document.activeElement);
    this.element.hidden = !on;
    this.button.setAttribute('aria-expanded', String(on));
    if (on) this.draw();
    else if (had && this.offered) this.button.focus();
  }

  /** Asks, or shows what was answered. */
  press() {
    if (!this.offered) return;
    if (!this.element.hidden) this.open(false);
    else if (this.turns.length || this.waiting) this.open(true);
    else void this.ask();
  }

  async ask() {
    const { table } = this.room.state;
    this.table = table;
    this.waiting = true;
    this.trouble = '';
    this.open(true);
    this.say(t('hint_wait'));
    /** @type {Message} */
    let answer = {};
    let trouble = '';
    try {
      answer = await this.room.ask('hint');
    } catch (error) {
      trouble = errorText(error, this.game);
    }
    if (this.table !== table || !this.waiting) return; // the match went on
    this.waiting = false;
    this.trouble = trouble;
    this.turns = answer.turns ?? [];
    this.chosen = 0;
    this.draw();
    if (this.turns.length) this.say(this.turnSentence(0));
    this.changed();
  }

  /** @param {number} index */
  choose(index) {
    this.chosen = index;
    this.draw();
    this.changed();
  }

  /** @param {number} index */
  turnSentence(index) {
    const { moves, chances } = this.turns[index];
    const { seat } = this.room;
    return `${turnText(this.game, moves, this.room.state)}. ${percent(chances[seat])}, ${t(chanceWord(chances, seat))}.`;
  }

  draw() {
    const { turns, waiting, trouble } = this;
    fill(
      this.element,
      el('h2', {}, t('hint')),
      waiting && el('p', { class: 'waiting', role: 'status' }, t('hint_wait')),
      trouble && el('p', { class: 'trouble', role: 'alert' }, trouble),
      turns.length > 0 && el('ol', { class: 'best' }, ...turns.map((turn, i) => el('li', {}, this.turnButton(turn, i)))),
      el(
        'div',
        { class: 'actions' },
        iconButton('close', t('hint_hide'), () => this.dismiss(), { bare: true, class: 'round', 'data-focus': 'hide' }),
        trouble
          ? el('button', { type: 'button', class: 'confirm', 'data-focus': 'again', onclick: () => void this.ask() }, t('try_again'))
          : el('button', { type: 'button', class: 'confirm', 'data-focus': 'back', onclick: () => this.open(false) }, t('hint_back')),
      ),
    );
  }

  /** Takes the signs away too. */
  dismiss() {
    this.forget();
    this.changed();
  }

  /** @param {HintTurn} turn @param {number} index */
  turnButton({ moves, chances }, index) {
    const { seat, state } = this.room;
    const others = chances
      .map((chance, other) => (other === seat ? '' : `${nameOf(state, other)} ${percent(chance)}`))
      .filter(Boolean);
    return el(
      'button',
      {
        type: 'button',
        class: 'advised-turn',
        'data-focus': `turn-${index}`,
        'aria-pressed': String(index === this.chosen),
        onclick: () => this.choose(index),
      },
      el('span', { class: 'what' }, turnText(this.game, moves, this.room.state), el('small', {}, others.join(' · '))),
      el('span', { class: 'chance' }, el('b', {}, percent(chances[seat])), el('small', {}, t(chanceWord(chances, seat)))),
    );
  }
}
