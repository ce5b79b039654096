// The tutorial: lessons that are played on the game's own view. No room and no server: a lesson's trial stands for both. Where the
// visitor stopped is remembered.

import { setTitle } from './attention.js';
import { el, fill } from './dom.js';
import { iconButton } from './icons.js';
import { EASIEST } from './levels.js';
import { prefs } from './prefs.js';
import { playSolo } from './solo.js';
import { errorText, t } from './words.js';

/** @typedef {import('./games/game.js').Game} Game */
/** @typedef {import('./games/game.js').Lesson} Lesson */
/** @typedef {import('./games/game.js').Trial} Trial */

/** @param {string} word @param {() => void} act @param {string} [name] */
const plainButton = (word, act, name = 'plain') =>
  el('button', { type: 'button', class: name, 'data-focus': word, onclick: act }, t(word));

/** Back to where one came from: a table, or the first page. @param {import('./shell.js').Shell} shell */
const wayOut = ({ back }) => el('a', { class: 'button', href: back || '#/' }, t(back ? 'to_table' : 'home'));

export class Learn {
  /** @param {import('./shell.js').Shell} shell @param {Game} game @param {import('./games/game.js').ViewClass} View @param {Lesson[]} lessons */
  constructor(shell, game, View, lessons) {
    this.shell = shell;
    this.game = game;
    this.View = View;
    this.lessons = lessons;
    this.at = Math.min(prefs.lesson(game.id), lessons.length - 1);
    /** @type {Trial | null} null after the last lesson */
    this.trial = null;
    /** @type {import('./games/game.js').GameView | null} */
    this.view = null;
    this.done = false;
    /** On a small screen the lesson is read first, and then tried; elsewhere there is room for both. */
    this.reading = true;
    this.busy = false;
    this.words = el('section', { class: 'lesson', tabindex: -1, 'aria-label': t('learn') });
    this.stage = el('div', { class: 'stage' });
    this.side = el('div', { class: 'side' });
    this.element = el('div', { class: 'learn' }, el('h1', { class: 'visually-hidden' }, t('learn')), this.words, this.stage, this.side);
    this.sizes = new ResizeObserver(() => this.cover());
    this.sizes.observe(this.stage);
  }

  /** It is on the screen. */
  opened() {
    this.go(this.at);
  }

  close() {
    this.sizes.disconnect();
  }

  get lesson() {
    return this.lessons[this.at];
  }

  /** Begins a lesson; after the last one it is all over. @param {number} at */
  go(at) {
    this.at = at;
    this.done = false;
    this.reading = true;
    prefs.setLesson(this.game.id, at < this.lessons.length ? at : 0);
    if (at < this.lessons.length) this.begin();
    else this.showEnd();
    this.words.scrollTop = 0;
    this.words.focus({ preventScroll: true });
  }

  begin() {
    const trial = this.lesson.begin();
    this.trial = trial;
    const view = new this.View({
      play: (move) => this.play(move),
      undo: () => this.undo(),
      explain: (move) => Promise.resolve(trial.explain(move)),
      hint: () => this.shell.say(this.lesson.task),
      say: (text, passing) => this.shell.say(text, passing),
      reworded: () => undefined,
      kept: new Map(),
    });
    this.view = view;
    const tools = el('div', { class: 'view-buttons', role: 'group', 'aria-label': t('view') }, ...view.tools);
    this.stage.replaceChildren(view.picture, tools);
    this.side.replaceChildren(view.prompt);
    setTitle(t('lesson_of', { at: this.at + 1, all: this.lessons.length }), this.game.title);
    this.showWords('');
    this.showView();
    this.cover();
    trial.prepare(view);
  }

  /** The buttons lie over the picture. */
  cover() {
    const stage = this.stage.getBoundingClientRect();
    const tools = this.stage.querySelector('.view-buttons')?.getBoundingClientRect();
    const boxes = tools?.height ? [tools] : [];
    this.view?.cover(
      boxes.map(({ left, right, top, bottom }) => ({
        left: left - stage.left,
        right: right - stage.left,
        top: top - stage.top,
        bottom: bottom - stage.top,
      })),
    );
  }

  /** @param {string} move a legal one: others the view does not send */
  play(move) {
    const { trial } = this;
    if (!trial || this.done) return;
    const { right, words } = trial.play(move);
    this.done = right && !trial.moves;
    if (right && words) this.shell.say(words);
    this.showWords(words, right);
    this.showView();
    if (this.done) this.praise();
  }

  undo() {
    if (!this.trial?.canUndo || this.done) return;
    this.trial.undo();
    this.showWords('');
    this.showView();
  }

  praise() {
    this.shell.say(`${t('well_done')} ${this.lesson.done}`);
    const next = this.words.querySelector('.confirm');
    if (next instanceof HTMLElement) next.focus({ preventScroll: true });
    this.words.scrollTop = this.words.scrollHeight;
  }

  showView() {
    const { trial, view, done } = this;
    if (!trial || !view) return;
    this.element.classList.toggle('is-done', done);
    this.element.classList.toggle('no-undo', !trial.canUndo);
    const { state, past, seat, moves } = trial;
    view.show({ state, past, seat, live: true, mayAct: !done, moves, busy: false, trouble: '', advice: null });
  }

  /** To the text, or to the board: on a small screen one at a time. @param {boolean} on */
  read(on) {
    this.reading = on;
    this.showWords('');
    if (!on) this.view?.picture.focus({ preventScroll: true });
  }

  /** @param {string} note to what was tried @param {boolean} [good] it is what is to be done next */
  showWords(note, good = false) {
    const { lesson, done } = this;
    this.element.classList.toggle('is-reading', this.reading && !done);
    fill(
      this.words,
      this.head(),
      el('h2', {}, lesson.title),
      !done && el('div', { class: 'teaching' }, ...lesson.text.map((text) => el('p', {}, text))),
      !done && el('p', { class: 'task' }, el('strong', {}, `${t('task')} `), good && note ? note : lesson.task),
      !done && el('p', { class: 'note', role: 'alert' }, good ? '' : note),
      done && el('p', { class: 'praise' }, el('strong', {}, `${t('well_done')} `), lesson.done),
      this.buttons(),
    );
    if (note) this.words.querySelector('.note')?.scrollIntoView({ block: 'nearest' });
  }

  /** Which lesson it is. */
  head() {
    const all = this.lessons.length;
    return el(
      'header',
      {},
      el('p', { class: 'lesson-number' }, t('lesson_of', { at: this.at + 1, all })),
      !this.done && !this.reading && plainButton('lesson_read', () => this.read(true), 'read-again quiet'),
      el('progress', { max: all, value: this.at + (this.done ? 1 : 0), 'aria-label': t('learn') }),
      iconButton('close', t('learn_close'), () => this.shell.go(this.shell.back || '#/'), { bare: true, class: 'round quiet', 'data-focus': 'close' }),
    );
  }

  buttons() {
    const { at, done } = this;
    return el(
      'div',
      { class: 'actions' },
      done ? plainButton('lesson_again', () => this.go(at)) : at > 0 && plainButton('lesson_back', () => this.go(at - 1)),
      !done && plainButton('lesson_skip', () => this.go(at + 1)),
      done && el('button', { type: 'button', class: 'confirm', 'data-focus': 'next', onclick: () => this.go(at + 1) }, t('lesson_next')),
      !done && el('button', { type: 'button', class: 'confirm try', 'data-focus': 'try', onclick: () => this.read(false) }, t('lesson_try')),
    );
  }

  showEnd() {
    const { shell, game } = this;
    this.trial = null;
    this.view = null;
    this.element.classList.add('is-done');
    this.element.classList.remove('is-reading');
    this.side.replaceChildren();
    prefs.setTips(game.id, []); // all that they say was learnt
    const picture = game.picture();
    picture.classList.add('end-picture');
    this.stage.replaceChildren(picture);
    setTitle(t('learnt'), game.title);
    shell.say(t('learnt'));
    fill(
      this.words,
      el('h2', {}, t('learnt')),
      el('p', {}, t('learnt_hint')),
      el(
        'div',
        { class: 'after-lessons' },
        el(
          'button',
          { type: 'button', class: 'confirm', id: 'first-game', onclick: () => void this.playFirst() },
          t('first_game', { game: game.title, n: this.opponents }),
        ),
        game.rules && el('a', { class: 'button', href: `#/rules/${game.id}` }, t('all_rules')),
        el('button', { type: 'button', class: 'plain', onclick: () => this.go(0) }, t('from_start')),
        wayOut(shell),
      ),
    );
  }

  /** How many computers play in the first game. */
  get opponents() {
    return this.game.solo.first ?? 1;
  }

  /** A game against the computer at its easiest. */
  async playFirst() {
    if (this.busy) return;
    this.busy = true;
    try {
      this.shell.go(await playSolo(this.shell.wire, this.game, this.opponents, EASIEST));
    } catch (error) {
      this.shell.toast(errorText(error));
    }
    this.busy = false;
  }
}

/** All the rules of a game on one page, which can be printed. */
export class Rules {
  /** @param {import('./shell.js').Shell} shell @param {Game} game @param {Element} text */
  constructor(shell, game, text) {
    this.shell = shell;
    this.game = game;
    this.element = el(
      'article',
      { class: 'rules', tabindex: -1 },
      el(
        'nav',
        { class: 'row wrap' },
        wayOut(shell),
        game.lessons && el('a', { class: 'button', href: `#/learn/${game.id}` }, t('learn')),
        el('button', { type: 'button', onclick: () => print() }, t('print')),
      ),
      text,
    );
  }

  opened() {
    setTitle(t('rules'), this.game.title);
    window.scrollTo(0, 0);
    this.element.focus({ preventScroll: true });
  }

  close() {}
}
