// Asks once, while the player waits in a slow match against people, whether to be told when it is their turn.

import { el } from './dom.js';
import { prefs } from './prefs.js';
import { t } from './words.js';

const ANSWERED = 'answered';

export class AskToTell {
  /** @param {import('./room.js').Room} room @param {import('./shell.js').Shell} shell */
  constructor(room, shell) {
    this.room = room;
    this.shell = shell;
    this.waits = false;
    this.onChange = () => this.show(this.waits);
    shell.push.watchers.add(this.onChange);
    /** @param {string} kind @param {string} words @param {() => void} onclick */
    const button = (kind, words, onclick) => el('button', { type: 'button', class: kind, onclick }, words);
    this.element = el(
      'section',
      { class: 'ask-tell', 'aria-label': t('notify'), hidden: true },
      el('p', {}, t('ask_tell')),
      el(
        'div',
        { class: 'actions' },
        button('plain', t('ask_no'), () => this.answer()),
        button('confirm', t('ask_yes'), () => void this.accept()),
      ),
    );
  }

  close() {
    this.shell.push.watchers.delete(this.onChange);
  }

  /** The player has a seat in a match that may take days, could be told and was never asked elsewhere. */
  get fits() {
    const { state, seat, id, online } = this.room;
    const { push } = this.shell;
    const others = Object.keys(state.seats ?? {}).filter((other) => Number(other) !== seat);
    const together = state.clock?.kind !== 'days' && others.every((other) => state.seats[other].bot || online[other]);
    return (
      !together &&
      seat >= 0 &&
      !this.room.shared &&
      state.phase === 'playing' &&
      others.some((other) => !state.seats[other].bot) &&
      push.isSlow(state) &&
      push.reach === 'closed' &&
      !push.on &&
      ['', id].includes(prefs.askedIn)
    );
  }

  /** @param {boolean} waits the player has nothing to do */
  show(waits) {
    this.waits = waits;
    const fits = waits && this.fits;
    if (fits) prefs.askedIn = this.room.id;
    if (this.element.hidden === !fits) return;
    this.element.hidden = !fits;
    if (fits) this.shell.say(t('ask_tell'), true);
  }

  answer() {
    const board = this.shell.main.querySelector('.board');
    prefs.askedIn = ANSWERED;
    if (this.element.contains(document.activeElement) && board instanceof HTMLElement) board.focus({ preventScroll: true });
    this.element.hidden = true;
  }

  async accept() {
    const { push } = this.shell;
    const on = await push.turnOn();
    if (!on && push.reach === 'closed') return; // the browser's own question was put away: ours stays
    this.answer();
    this.shell.toast(t(push.reach === 'closed' ? 'ask_done' : `told_${push.reach}`));
  }
}
