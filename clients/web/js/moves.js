// The moves of a match as a list beside the replay, turn by turn and in words. The one that is shown is marked and kept in sight;
// a press on another one shows it.

import { SIGNS } from './chances.js';
import { el } from './dom.js';
import { momentSentence } from './events.js';
import { iconButton } from './icons.js';
import { t } from './latewords.js';
import { nameOf } from './words.js';

/** @typedef {import('./games/game.js').Game} Game */
/** @typedef {import('./room.js').Moment} Moment */
/** @typedef {{title: string, seat: number, steps: {index: number, words: string}[]}} Chapter `seat` -1: nobody's alone; `index`: a moment's */

/** What a step is called under the heading of its chapter. @param {Game} game @param {Moment} moment @param {Moment | undefined} before @param {boolean} alone under no heading */
function stepWords(game, moment, before, alone) {
  const state = before?.state ?? {};
  if (!moment.event) return t('beginning');
  return (!alone && game.caption?.(moment, state)) || momentSentence(game, moment, state) || t('beginning');
}

/**
 * The moments that can be shown, by turns, or as the game divides them.
 * @param {Game} game @param {Moment[]} past @param {number[]} stops indices of those that can be shown @returns {Chapter[]}
 */
export function chaptersOf(game, past, stops) {
  /** @type {Chapter[]} */
  const chapters = [];
  let turns = 0;
  let last = '';
  for (const index of stops) {
    const moment = past[index];
    const { event, state } = moment;
    const before = past[index - 1];
    const alone = !event || !['move', 'undone'].includes(event.kind);
    const divided = !alone && before ? (game.chapter?.(before.state) ?? '') : '';
    const key = alone ? '' : divided || `seat ${event?.seat}`;
    if (!key || key !== last) {
      const seat = alone || divided ? -1 : event?.seat;
      const title = alone || divided ? divided : t('turn_n', { turn: ++turns, name: nameOf(state, seat) });
      chapters.push({ title, seat, steps: [] });
    }
    last = key;
    chapters[chapters.length - 1].steps.push({ index, words: stepWords(game, moment, before, alone) });
  }
  return chapters;
}

export class Moves {
  /** @param {Game} game @param {(index: number) => void} go shows a moment @param {() => void} close */
  constructor(game, go, close) {
    this.game = game;
    this.go = go;
    this.body = el('ol', { class: 'body' });
    this.element = el(
      'section',
      { class: 'moves', 'aria-label': t('moves'), hidden: true },
      el('header', {}, el('h2', {}, t('moves')), iconButton('close', t('close'), close, { bare: true, class: 'round quiet' })),
      this.body,
    );
    this.body.addEventListener('keydown', (event) => this.press(event));
    /** @type {Moment[] | null} */
    this.past = null;
    /** @type {{index: number, button: HTMLButtonElement}[]} */
    this.steps = [];
    this.at = 0;
    this.digest = '';
  }

  get open() {
    return !this.element.hidden;
  }

  /** Whether the visitor walks through it. */
  get focused() {
    return this.body.contains(document.activeElement);
  }

  /** @param {Moment[]} past @param {number[]} stops @param {Map<number, string>} marks of turns, by the moments that end them */
  show(past, stops, marks) {
    const digest = JSON.stringify([past.length, ...marks]);
    if (past === this.past && digest === this.digest) return;
    this.past = past;
    this.digest = digest;
    const { focused } = this;
    const { state } = past[past.length - 1];
    this.steps = [];
    this.body.replaceChildren(
      ...chaptersOf(this.game, past, stops).map(({ title, seat, steps }) => {
        const mark = steps.map(({ index }) => marks.get(index)).find(Boolean);
        const sign = mark && el('b', { class: `sign ${mark}` }, `${SIGNS[mark]} ${t(`mark_${mark}`)}`);
        return el(
          'li',
          {},
          title && el('h3', {}, seat >= 0 && this.game.mark(state.seats[seat]?.colour ?? ''), el('span', {}, title), sign),
          el('ol', {}, ...steps.map((step) => el('li', {}, this.step(step)))),
        );
      }),
    );
    if (focused) this.steps[this.at]?.button.focus({ preventScroll: true });
  }

  /** Words are others now: the list is made anew when it is shown. */
  forget() {
    this.past = null;
  }

  /** @param {{index: number, words: string}} step */
  step({ index, words }) {
    const button = el('button', { type: 'button', class: 'step', tabindex: -1, onclick: () => this.go(index) }, words);
    this.steps.push({ index, button });
    return button;
  }

  /** The replay shows a moment. @param {number} index */
  follow(index) {
    const { focused } = this;
    this.steps[this.at]?.button.removeAttribute('aria-current');
    this.steps[this.at]?.button.setAttribute('tabindex', '-1');
    this.at = Math.max(0, this.steps.findLastIndex((step) => step.index <= index));
    const button = this.steps[this.at]?.button;
    if (!button) return;
    button.setAttribute('aria-current', 'step');
    button.setAttribute('tabindex', '0');
    if (focused) button.focus({ preventScroll: true });
    this.reveal(button.closest('ol.body > li') ?? button);
    this.reveal(button);
  }

  /** Scrolls the list alone. @param {Element} part */
  reveal(part) {
    const list = this.body.getBoundingClientRect();
    const { top, bottom } = part.getBoundingClientRect();
    if (top < list.top) this.body.scrollTop -= list.top - top;
    else if (bottom > list.bottom) this.body.scrollTop += Math.min(bottom - list.bottom, top - list.top);
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const last = this.steps.length - 1;
    const to = { ArrowUp: this.at - 1, ArrowLeft: this.at - 1, ArrowDown: this.at + 1, ArrowRight: this.at + 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.go(this.steps[Math.max(0, Math.min(last, to))].index);
  }
}
