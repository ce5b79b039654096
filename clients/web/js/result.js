// The end of a match: who won and by what, the game's count, and what one can do next.

import { el } from './dom.js';
import { outcome, reasonSentence } from './events.js';
import { iconButton } from './icons.js';
import { t } from './words.js';

/** @typedef {import('./wire.js').Message} Message */
/**
 * `null`: it cannot be done.
 * @typedef {object} NextSteps
 * @property {() => void} rematch @property {() => void} replay @property {(() => void) | null} analyse @property {() => void} record
 * @property {(() => void) | null} picture @property {() => void} share @property {() => void} home
 */

/** A button that shows its picture alone. @param {string} picture @param {string} words @param {() => void} act */
const extra = (picture, words, act) => iconButton(picture, words, act, { class: 'plain extra', title: words });

/**
 * @param {import('./games/game.js').Game} game @param {Message} state @param {number} seat the visitor's, -1 for a watcher
 * @param {boolean} shared several people look at it: it is said to nobody alone
 * @param {import('./room.js').Moment[]} past what is known of the match @param {NextSteps} next
 */
export function resultCard(game, state, seat, shared, past, next) {
  const { words, won, decided } = outcome(game, state, shared ? -1 : seat);
  const [first] = game.winners(state);
  const paint = decided ? ` decided ${game.paint(state.seats?.[first]?.colour ?? '')}` : '';
  const rematch = seat >= 0 || state.rematch;
  /** The one thing that most want next is the large button. @param {boolean} most */
  const kind = (most) => ({ class: most ? 'confirm' : 'plain' });
  return el(
    'div',
    { class: `result${won ? ' won' : ''}${paint}` },
    el('h2', { class: 'visually-hidden' }, t('over')), // the bar shows it
    el('p', { class: `outcome${decided ? ' visually-hidden' : ''}` }, words), // large over the sea, if somebody has won
    el('p', { class: 'hint' }, decided ? reasonSentence(game, state, past) : t('nobody_wins')),
    state.result?.unrated && el('p', { class: 'hint unrated' }, t(`unrated_${state.result.unrated}`)),
    game.resultTable(state) ?? '',
    el(
      'div',
      { class: 'actions' },
      el(
        'div',
        { class: 'again' },
        iconButton('play', t('replay'), next.replay, kind(!rematch)),
        next.analyse && iconButton('curve', t('analysis'), next.analyse, kind(false)),
      ),
      extra('down', t('record'), next.record),
      next.picture && extra('picture', t('picture'), next.picture),
      extra('share', t('share'), next.share),
      rematch && el('button', { type: 'button', ...kind(true), onclick: next.rematch }, t(state.rematch ? 'to_rematch' : 'rematch')),
      seat < 0 && el('button', { type: 'button', ...kind(false), onclick: next.home }, t('home')),
    ),
  );
}
