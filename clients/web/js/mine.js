// The visitor's own tables that are not over: against whom, whose turn it is, what is left of the time, when something last happened.

import { el } from './dom.js';
import { entryOf, gameOf, GAMES } from './games/registry.js';
import { agoText, clockText, nameOf, t, titleOf } from './words.js';

/** @typedef {import('./wire.js').Message} Message */

/** What is left to the seat that is to move, in words; "" without a clock. @param {Message} room a line of `mine` @param {number} now the server's time */
function timeLeft({ clock, acting, phase, at, seat }, now) {
  const whose = acting?.includes(seat) ? seat : acting?.[0];
  const own = clock.seats?.[whose];
  if (!own) return '';
  return t('time_left', { time: clockText(own.left_ms - (phase === 'playing' ? now - at : 0)) });
}

/** @param {Message} room @param {number} now */
function wordsOf(room, now) {
  const { phase, acting, seat, game, at } = room;
  const mine = phase === 'playing' && Boolean(acting?.includes(seat));
  const turn = mine
    ? t('my_turn')
    : phase === 'playing' && acting
      ? t('turn_of', { name: nameOf(room, acting[0]) })
      : t(`phase_${phase}`);
  const rest = [timeLeft(room, now), GAMES.length > 1 && (entryOf(game)?.title ?? game), agoText(now - at)].filter(Boolean);
  return el('small', {}, el(mine ? 'strong' : 'span', { class: 'turn' }, turn), ` · ${rest.join(' · ')}`);
}

/** @param {Message} room @param {number} now */
function line(room, now) {
  const game = gameOf(room.game);
  const others = Object.keys(room.seats).filter((seat) => Number(seat) !== room.seat);
  const names = others.map((seat) => nameOf(room, seat)).join(', ') || t('alone_here');
  return el(
    'li',
    { class: `room${room.acting?.includes(room.seat) && room.phase === 'playing' ? ' is-due' : ''}`, 'data-room': room.room },
    el('span', { class: 'about' }, el('strong', {}, titleOf(room) ? `${titleOf(room)} – ${names}` : names), wordsOf(room, now)),
    el('span', { class: 'taken' }, ...Object.values(room.seats).map(({ colour }) => game?.mark(colour) ?? null)),
    el('a', { class: 'button', href: `#/r/${room.room}` }, t('go_on')),
  );
}

/** The lines, those where it is the visitor's turn first, then by what happened last. @param {Message[]} rooms @param {number} now */
export function ownLines(rooms, now) {
  const due = (/** @type {Message} */ { acting, seat, phase }) => (phase === 'playing' && acting?.includes(seat) ? 1 : 0);
  return [...rooms].sort((a, b) => due(b) - due(a) || b.at - a.at).map((room) => line(room, now));
}
