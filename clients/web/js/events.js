// Describes events of a room in words: for the log, for screen readers, and when the match is over. What a move did is
// described by the game.

import { has, listed, nameOf, t } from './words.js';

/** @typedef {import('./games/game.js').Game} Game */
/** @typedef {import('./wire.js').Message} Message */
/** @typedef {import('./room.js').Moment} Moment */

const LAST_STANDING = 'last-standing';

/**
 * What happened, in one sentence; "" for events that need none. @param {Game} game @param {Moment}
 * moment @param {Message} before the state before it
 */
export function momentSentence(game, moment, before) {
  const { event, state } = moment;
  if (!event) return '';
  const name =
    event.seat === undefined ? '' : nameOf(event.kind === 'stood' ? before : state, event.seat);
  const over = event.over ? ` ${overSentence(game, state)}` : '';
  return (game.eventSentence(moment, before, name) || eventSentence(event, state, name)) + over;
}

/** A turn that may be played, in words. @param {Game} game @param {string[]} moves @param {Message} state before it */
export const turnText = (game, moves, state) => game.turnWords?.(moves, state) ?? moves.join(' ');

/** Where no clock runs, whoever is timed out was away: the others have claimed the end. @param {Message} event @param {Message} state */
const kindWords = ({ kind }, state) => (kind === 'timed_out' && state.clock?.kind === 'none' ? 'ev_timed_out_away' : `ev_${kind}`);

/** @param {Message} event @param {Message} state behind it @param {string} name */
function eventSentence(event, state, name) {
  if (event.kind === 'offered' || event.kind === 'withdrew')
    return t(`ev_${event.kind}`, { name, what: t(`offer_${event.what}`) });
  if (event.kind === 'readied') return t(event.ready === false ? 'ev_unready' : 'ev_readied', { name });
  const words = kindWords(event, state);
  return has(words) ? t(words, { name }) : '';
}

/** Who won and why; how the last opponent went out, the event itself says. @param {Game} game @param {Message} state */
function overSentence(game, state) {
  if (!state.result) return '';
  const reason = state.result.why === LAST_STANDING ? '' : reasonSentence(game, state);
  return `${winnersSentence(game, state)} ${reason}`.trim();
}

/** How each of the others went out, as far as it is known of one of them. @param {Game} game @param {Message} state @param {Moment[]} past */
function goneSentences(game, state, past) {
  /** @type {Map<number, string>} */
  const how = new Map();
  for (const { event } of past) {
    if (event?.seat === undefined) continue;
    const name = nameOf(state, event.seat);
    const words = ['resigned', 'timed_out'].includes(event.kind) ? t(kindWords(event, state), { name }) : game.outSentence?.(event, name);
    if (words) how.set(event.seat, words);
  }
  if (!how.size) return '';
  const winners = game.winners(state);
  return Object.keys(state.seats)
    .map(Number)
    .filter((seat) => !winners.includes(seat))
    .map((seat) => how.get(seat) ?? t('why_out', { name: nameOf(state, seat) }))
    .join(' ');
}

/** Who has won. @param {Game} game @param {Message} state */
export function winnersSentence(game, state) {
  const winners = game.winners(state).map((seat) => nameOf(state, seat));
  return winners.length ? t('wins', { n: winners.length, names: listed(winners) }) : t('nobody_wins');
}

/**
 * How it ended, said to a seat, and whether it has won. @param {Game} game @param {Message} state @param {number} seat -1: to a watcher
 * @returns {{words: string, won: boolean, decided: boolean}} `decided`: somebody has won
 */
export function outcome(game, state, seat) {
  const winners = game.winners(state);
  const won = winners.includes(seat);
  if (!winners.length) return { words: has(`why_${state.result?.why}`) ? t(`why_${state.result?.why}`) : t('nobody_wins'), won, decided: false };
  if (!won) return { words: winnersSentence(game, state), won, decided: true };
  const mates = game.teams(state.options)?.find((seats) => seats.includes(seat)) ?? [seat];
  const others = winners.filter((other) => !mates.includes(other)).map((other) => nameOf(state, other));
  const words = others.length ? t('you_shared', { names: listed(others) }) : t(mates.length > 1 ? 'your_team_won' : 'you_won');
  return { words, won, decided: true };
}

/**
 * Why the match is over. @param {Game} game @param {Message} state
 * @param {Moment[]} [past] the moments of the match, which say who resigned or ran out of time
 */
export function reasonSentence(game, state, past = []) {
  const why = state.result?.why ?? '';
  const gone = why === LAST_STANDING ? goneSentences(game, state, past) : '';
  if (gone) return gone;
  return game.reason(why, state) || (has(`why_${why}`) ? t(`why_${why}`) : '');
}
