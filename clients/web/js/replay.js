// Stepping through a match: a scrubber, step keys, and playing by itself; and, where a match hid something, with whose eyes. It
// only picks a moment; the table shows it.

import { el } from './dom.js';
import { glyph, iconButton } from './icons.js';
import { nameOf, t } from './words.js';

const STEP_MS = 1100;

/**
 * With whose eyes a match can be looked at, and their words; none while it goes on, or where nothing was hidden.
 * @param {import('./wire.js').Message} state @param {import('./games/game.js').Game} game @returns {[string, string][]}
 */
export function eyesOf(state, game) {
  if (!game.hidden || state.phase !== 'over' || !state.table) return [];
  const seats = Object.keys(state.seats);
  const names = seats.map((seat) => nameOf(state, Number(seat)));
  return [
    ['server', t('eyes_all')],
    ...seats.map((seat, i) => {
      const twice = names.indexOf(names[i]) !== names.lastIndexOf(names[i]);
      const colour = game.colourName(state.seats[seat].colour);
      return /** @type {[string, string]} */ ([seat, t('eyes_seat', { name: twice ? `${names[i]} (${colour})` : names[i] })]);
    }),
    ['watcher', t('eyes_watcher')],
  ];
}

export class Replay {
  /**
   * @param {(index: number) => void} show @param {() => void} leave back to now
   * @param {(as: string) => void} look with the eyes of somebody else @param {() => void} analyse shows the analysis, or hides it
   * @param {() => void} list shows the list of moves, or hides it
   */
  constructor(show, leave, look, analyse, list) {
    this.pick = show;
    /** Moments that changed the board, as indices into the room's past. @type {number[]} */
    this.stops = [];
    this.at = 0;
    this.playing = 0;
    this.range = el('input', {
      type: 'range',
      min: 0,
      max: 0,
      step: 1,
      'aria-label': t('replay'),
      oninput: () => this.go(Number(this.range.value)),
    });
    this.count = el('output', { class: 'count' });
    this.eyes = el('select', {
      class: 'eyes',
      'aria-label': t('eyes'),
      hidden: true,
      onchange: () => look(this.eyes.value),
    });
    this.playButton = el('button', { type: 'button', class: 'round', onclick: () => this.toggle() });
    this.analyseButton = iconButton('curve', t('analysis'), analyse, { bare: true, class: 'round analyse', hidden: true });
    this.listButton = iconButton('list', t('moves'), list, { bare: true, class: 'round listed', 'aria-pressed': 'false' });
    this.element = el(
      'section',
      { class: 'replay', 'aria-label': t('replay'), hidden: true },
      this.eyes,
      iconButton('first', t('first_step'), () => this.go(0), { bare: true, class: 'round jump' }),
      iconButton('back', t('step_back'), () => this.go(this.at - 1), { bare: true, class: 'round' }),
      this.playButton,
      iconButton('next', t('step_on'), () => this.go(this.at + 1), { bare: true, class: 'round' }),
      iconButton('last', t('last'), () => this.go(this.stops.length - 1), { bare: true, class: 'round jump' }),
      this.range,
      this.count,
      this.listButton,
      this.analyseButton,
      iconButton('close', t('replay_close'), leave, { bare: true, class: 'round quiet' }),
    );
    this.element.addEventListener('keydown', (event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (by === undefined || event.target === this.range || event.target === this.eyes) return;
      event.preventDefault();
      this.go(this.at + by);
    });
    this.dressPlay();
  }

  get open() {
    return !this.element.hidden;
  }

  /**
   * @param {import('./room.js').Moment[]} past @param {number} [at] the moment to begin at; the last one if left out
   * @param {[string, string][]} [eyes] that can be chosen, with their words @param {string} [as] whose they are
   */
  start(past, at, eyes = [], as = '') {
    this.eyes.hidden = !eyes.length;
    this.eyes.replaceChildren(...eyes.map(([value, words]) => el('option', { value }, words)));
    this.follow(past, at, as);
  }

  /** The same match with the eyes of somebody else. @param {import('./room.js').Moment[]} past @param {number | undefined} at @param {string} as */
  follow(past, at, as) {
    this.eyes.value = as;
    this.stops = past.flatMap(({ event, state }, index) =>
      state.table && (!event || ['started', 'move', 'undone'].includes(event.kind) || event.over) ? [index] : [],
    );
    this.range.max = String(this.stops.length - 1);
    this.element.hidden = false;
    this.go(at ?? this.stops.length - 1);
  }

  /** Whether there can be an analysis, and whether it is shown. @param {boolean} offered @param {boolean} shown */
  offerAnalysis(offered, shown) {
    this.analyseButton.hidden = !offered;
    this.analyseButton.setAttribute('aria-pressed', String(shown));
  }

  stop() {
    this.pause();
    this.element.hidden = true;
  }

  /** @param {number} at a stop */
  go(at) {
    this.at = Math.max(0, Math.min(this.stops.length - 1, at));
    this.range.value = String(this.at);
    this.count.textContent = `${this.at} / ${this.stops.length - 1}`;
    if (this.at === this.stops.length - 1) this.pause();
    this.pick(this.stops[this.at]);
  }

  /** Goes to what the board was like at a moment. @param {number} moment */
  goToMoment(moment) {
    this.pause();
    this.go(this.stops.findLastIndex((stop) => stop <= moment));
  }

  toggle() {
    if (this.playing) return this.pause();
    if (this.at === this.stops.length - 1) this.go(0);
    this.playing = window.setInterval(() => this.go(this.at + 1), STEP_MS);
    this.dressPlay();
  }

  pause() {
    clearInterval(this.playing);
    this.playing = 0;
    this.dressPlay();
  }

  dressPlay() {
    this.playButton.replaceChildren(glyph(this.playing ? 'pause' : 'play'));
    this.playButton.setAttribute('aria-label', t(this.playing ? 'pause' : 'play'));
  }
}
