// The end of a match: who won and why, the game's count, and what one can do next.

import { el } from './dom.js';
import { reasonSentence, winnersSentence } from './events.js';
import { iconButton } from './icons.js';
import { t } from './words.js';

/** @typedef {import('./wire.js').Message} Message */
/** `analyse` null: there is no analysis. @typedef {{rematch: () => void, replay: () => void, analyse: (() => void) | null, record: () => void, home: () => void}} NextSteps */

/**
 * @param {import('./games/game.js').Game} game @param {Message} state @param {boolean} seated
 * @param {import('./room.js').Moment[]} past what is known of the match @param {NextSteps} next
 */
export function resultCard(game, state, seated, past, next) {
  return el(
    'div',
    { class: 'result' },
    el('h2', {}, t('over')),
    el('p', { class: 'outcome' }, winnersSentence(game, state)),
    el('p', { class: 'hint' }, reasonSentence(game, state, past)),
    game.resultTable(state) ?? '',
    el(
      'div',
      { class: 'actions' },
      iconButton('play', t('replay'), next.replay, { class: 'plain' }),
      next.analyse && iconButton('curve', t('analysis'), next.analyse, { class: 'plain' }),
      iconButton('down', t('record'), next.record, { class: 'plain' }),
      (seated || state.rematch) &&
        el(
          'button',
          { type: 'button', class: 'confirm', onclick: next.rematch },
          t(state.rematch ? 'to_rematch' : 'rematch'),
        ),
      !seated && el('button', { type: 'button', class: 'plain', onclick: next.home }, t('home')),
    ),
  );
}
