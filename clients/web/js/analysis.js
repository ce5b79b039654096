// What can be learnt from a match that is over: the chances of all seats as a curve, luck told apart from the quality of the
// turns, the turning points. A turn that is picked is shown by the replay, with the better one in the picture.

import { SIGNS, chancesOver, spansOf, turnAt } from './chances.js';
import { drawCurve, showHere, turnUnder } from './curve.js';
import { el, fill } from './dom.js';
import { turnText } from './events.js';
import { iconButton } from './icons.js';
import { t } from './latewords.js';
import { errorText, nameOf, percent, points, wholePercent } from './words.js';

/** @typedef {import('./wire.js').Message} Message */
/** @typedef {import('./chances.js').Span} Span */
/**
 * What the table does for it.
 * @typedef {object} AnalysisHost
 * @property {() => import('./room.js').Moment[]} past the moments that the replay shows
 * @property {(moment: number) => void} go lets the replay show a moment
 * @property {() => void} changed something else is to be pointed out in the picture
 * @property {() => void} close
 * @property {(text: string) => void} say to a screen reader
 */

export class Analysis {
  /** @param {import('./room.js').Room} room @param {import('./games/game.js').Game} game @param {AnalysisHost} host */
  constructor(room, game, host) {
    this.room = room;
    this.game = game;
    this.host = host;
    this.element = el('section', { class: 'analysis', 'aria-label': t('analysis'), tabindex: -1, hidden: true });
    this.body = el('div', { class: 'body' });
    this.element.append(
      el('header', {}, el('h2', {}, t('analysis')), iconButton('close', t('analysis_close'), host.close, { bare: true, class: 'round quiet' })),
      this.body,
    );
    /** @type {Message | null} the server's answer */
    this.found = null;
    this.waiting = false;
    /** @type {Span[]} of the turns in `spansFor` */
    this.spans = [];
    /** @type {import('./room.js').Moment[] | null} */
    this.spansFor = null;
    this.moment = 0;
    /** @type {HTMLElement | null} */
    this.curve = null;
    this.now = el('div', { class: 'now' });
  }

  get open() {
    return !this.element.hidden;
  }

  /** @returns {Message[]} */
  get turns() {
    return this.found?.turns ?? [];
  }

  /** Which turn is looked at, as an index. */
  get at() {
    return turnAt(this.spans, this.moment);
  }

  show() {
    this.element.hidden = false;
    if (!this.found && !this.waiting) void this.ask();
  }

  async ask() {
    this.waiting = true;
    fill(
      this.body,
      el('p', { class: 'waiting', role: 'status' }, t('analysis_wait')),
      el('progress', { 'aria-label': t('analysis') }),
    );
    try {
      const { analysis } = await this.room.askPatiently('analysis', () => ({}));
      this.found = analysis;
      this.draw();
      this.host.say(t('analysis_done'));
    } catch (error) {
      fill(
        this.body,
        el('p', { class: 'trouble', role: 'alert' }, errorText(error, this.game)),
        el('button', { type: 'button', class: 'plain', onclick: () => void this.ask() }, t('try_again')),
      );
    }
    this.waiting = false;
    this.host.changed();
  }

  /** The marks of turns, by the moments that end them. @returns {Map<number, string>} */
  get marks() {
    const spans = spansOf(this.host.past(), this.turns);
    return new Map(this.turns.flatMap(({ mark }, i) => (mark ? [[spans[i].after, mark]] : [])));
  }

  // ---- what the replay shows ----

  /** The replay shows a moment. @param {number} moment */
  follow(moment) {
    this.moment = moment;
    if (!this.turns.length) return;
    const past = this.host.past();
    if (past !== this.spansFor) this.spans = spansOf(past, this.turns);
    this.spansFor = past;
    this.showNow();
  }

  /** What to point out at the moment that is shown: before a turn for which there was a better one. @returns {import('./games/game.js').Advice | null} */
  get advice() {
    if (!this.open || !this.turns.length) return null;
    const { seat, moves, better, mark } = this.turns[this.at];
    const { before } = this.spans[this.at];
    const since = this.host.past().slice(this.moment + 1, before + 1);
    const moved = since.some(({ event }) => ['move', 'undone'].includes(event?.kind));
    if (!better?.length || this.moment > before || moved) return null;
    return { seat, moves: better, instead: moves, mark: SIGNS[mark] ?? '' };
  }

  /** Lets the replay show a turn. @param {number} index */
  pick(index) {
    const at = Math.max(0, Math.min(this.turns.length - 1, index));
    const { before } = this.spans[at];
    if (before < 0) return;
    this.host.go(before);
    this.body.scrollTop = 0; // where the turn is described
    this.host.say(this.turnSentence(at));
  }

  // ---- drawing ----

  draw() {
    this.body.replaceChildren();
    if (!this.turns.length) {
      this.body.append(el('p', { class: 'hint' }, t('analysis_empty')));
      return;
    }
    this.curve = this.drawCurve();
    this.body.append(this.curve, this.now, ...this.turningPoints(), this.players(), this.figures());
    this.follow(this.moment);
  }

  drawCurve() {
    const { game, turns } = this;
    const { state } = this.room;
    const colour = (/** @type {number} */ seat) => state.seats[seat]?.colour ?? '';
    const curve = drawCurve({
      chances: chancesOver(this.found ?? { turns: [] }),
      points: this.found?.turning_points.map((/** @type {number} */ number) => ({
        after: 1 + this.indexOf(number),
        text: String(number),
      })),
      paint: (seat) => game.paint(colour(seat)),
      mark: (seat) => game.mark(colour(seat)),
      percent,
    });
    const attributes = { role: 'slider', tabindex: 0, 'aria-label': t('curve'), 'aria-valuemin': 1, 'aria-valuemax': turns.length };
    for (const [name, value] of Object.entries(attributes)) curve.setAttribute(name, String(value));
    const touch = (/** @type {PointerEvent} */ event) => {
      const { left, width } = curve.getBoundingClientRect();
      const index = turnUnder(turns.length, (event.clientX - left) / width) - 1;
      if (index !== this.at) this.pick(Math.max(0, index));
    };
    curve.addEventListener('pointerdown', (event) => {
      curve.setPointerCapture(event.pointerId);
      touch(event);
    });
    curve.addEventListener('pointermove', (event) => event.buttons && touch(event));
    curve.addEventListener('keydown', (event) => this.press(event));
    return curve;
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const last = this.turns.length - 1;
    const to = { ArrowLeft: this.at - 1, ArrowDown: this.at - 1, ArrowRight: this.at + 1, ArrowUp: this.at + 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.pick(to);
  }

  /** The index of a turn by its number. @param {number} number */
  indexOf = (number) => this.turns.findIndex(({ turn }) => turn === number);

  /** @param {Message} turn */
  nameOf = ({ seat }) => nameOf(this.room.state, seat);

  /** @param {number[]} chances */
  chancesText(chances) {
    return chances.map((chance, seat) => `${nameOf(this.room.state, seat)} ${percent(chance)}`).join(', ');
  }

  /** @param {number} index */
  turnSentence(index) {
    const turn = this.turns[index];
    const mark = turn.mark ? ` ${t(`mark_${turn.mark}`)}.` : '';
    return `${t('turn_n', { turn: turn.turn, name: this.nameOf(turn) })}.${mark} ${this.chancesText(turn.played)}.`;
  }

  /** The turn that is looked at. */
  showNow() {
    const { at, curve } = this;
    const turn = this.turns[at];
    const { seat, mark, moves, better, start, played, luck, loss } = turn;
    const before = this.host.past()[this.spans[at]?.before]?.state ?? {};
    if (curve) {
      showHere(curve, this.turns.length, at + 1);
      curve.setAttribute('aria-valuenow', String(at + 1));
      curve.setAttribute('aria-valuetext', this.turnSentence(at));
    }
    const step = (/** @type {string} */ picture, /** @type {string} */ words, /** @type {number} */ to) =>
      iconButton(picture, words, () => this.pick(to), {
        bare: true,
        class: 'round quiet',
        disabled: to < 0 || to >= this.turns.length,
        'data-focus': picture,
      });
    fill(
      this.now,
      el(
        'div',
        { class: 'heading' },
        step('back', t('turn_before'), at - 1),
        el('h3', {}, t('turn_n', { turn: turn.turn, name: this.nameOf(turn) }), mark && el('b', { class: `sign ${mark}` }, `${SIGNS[mark]} ${t(`mark_${mark}`)}`)),
        step('next', t('turn_next'), at + 1),
      ),
      el('p', {}, t('turn_figures', { from: percent(start[seat]), to: percent(played[seat]), luck: points(luck), loss: points(-loss) })),
      el('p', {}, el('b', {}, t('played')), ` ${turnText(this.game, moves, before)}`),
      better?.length > 0 && el('p', { class: 'better' }, el('b', {}, `★ ${t('better')}`), ` ${turnText(this.game, better, before)}`),
    );
  }

  turningPoints() {
    /** @type {number[]} */
    const numbers = this.found?.turning_points ?? [];
    const entries = numbers.map((number) => {
      const index = this.indexOf(number);
      const turn = this.turns[index];
      const { seat, mark, start, played } = turn;
      return el(
        'li',
        {},
        el(
          'button',
          { type: 'button', class: 'point', onclick: () => this.pick(index) },
          el('span', { class: 'number' }, number),
          this.game.mark(this.room.state.seats[seat]?.colour ?? ''),
          el('span', { class: 'what' }, this.nameOf(turn), mark && el('small', {}, `${SIGNS[mark]} ${t(`mark_${mark}`)}`)),
          el('span', { class: 'change' }, `${percent(start[seat])} → ${percent(played[seat])}`),
        ),
      );
    });
    return [
      el('h3', {}, t('turning_points')),
      entries.length ? el('ol', { class: 'points' }, ...entries) : el('p', { class: 'hint' }, t('no_turning_points')),
    ];
  }

  /** @param {string} text @param {string} [words] what it means */
  heading(text, words = '') {
    if (!words) return el('th', { scope: 'col' }, text);
    return el('th', { scope: 'col', title: words }, el('span', { 'aria-hidden': 'true' }, text), el('span', { class: 'visually-hidden' }, words));
  }

  /** Luck and quality of each player. */
  players() {
    const { state } = this.room;
    /** @type {Message[]} */
    const seats = this.found?.seats ?? [];
    const marks = Object.entries(SIGNS).map(([mark, sign]) => this.heading(sign, t(`marks_${mark}`)));
    const rows = seats.map(({ luck, loss, good, mistakes, blunders }, seat) =>
      el(
        'tr',
        {},
        el('th', { scope: 'row' }, this.game.mark(state.seats[seat]?.colour ?? ''), ` ${nameOf(state, seat)}`),
        ...[points(luck), points(-loss), good ?? 0, mistakes, blunders].map((cell) => el('td', {}, cell)),
      ),
    );
    return el(
      'table',
      { class: 'sums' },
      el('caption', {}, t('sums_hint')),
      el('thead', {}, el('tr', {}, this.heading(t('who')), this.heading(t('luck')), this.heading(t('loss')), ...marks)),
      el('tbody', {}, ...rows),
    );
  }

  /** All turns as a table: the curve for those who cannot see it. */
  figures() {
    const { state } = this.room;
    const heads = this.turns[0].start.map((/** @type {number} */ _, /** @type {number} */ seat) =>
      el(
        'th',
        { scope: 'col' },
        this.game.mark(state.seats[seat]?.colour ?? ''),
        el('span', { class: 'visually-hidden' }, t('chance_of', { name: nameOf(state, seat) })),
      ),
    );
    const rows = this.turns.map((turn, index) =>
      el(
        'tr',
        {},
        el(
          'th',
          { scope: 'row' },
          el(
            'button',
            { type: 'button', class: 'quiet', 'aria-label': t('turn_n', { turn: turn.turn, name: this.nameOf(turn) }), onclick: () => this.pick(index) },
            this.game.mark(state.seats[turn.seat]?.colour ?? ''),
            turn.turn,
          ),
        ),
        ...turn.played.map((/** @type {number} */ chance) => el('td', {}, wholePercent(chance))),
        el('td', {}, points(turn.luck)),
        el('td', {}, points(-turn.loss)),
        el('td', { title: turn.mark && t(`mark_${turn.mark}`) }, SIGNS[turn.mark] ?? ''),
      ),
    );
    return el(
      'details',
      {},
      el('summary', {}, t('all_turns')),
      el(
        'table',
        { class: 'sums' },
        el('caption', {}, t('figures_hint')),
        el('thead', {}, el('tr', {}, this.heading(t('turn')), ...heads, this.heading(t('luck')), this.heading(t('loss')), this.heading('', t('mark')))),
        el('tbody', {}, ...rows),
      ),
    );
  }
}
