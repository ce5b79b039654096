// The visitor's matches that are over, the newest first: against whom, how each ended for the visitor, and when. The server has
// them by page.

import { el, fill } from './dom.js';
import { outcome } from './events.js';
import { entryOf, fetchGame, gameOf, GAMES } from './games/registry.js';
import { agoText, nameOf, t } from './words.js';

/** @typedef {import('./wire.js').Message} Message */

/** How it ended for who sat there. Of a game that the page does not know only that it is over. @param {Message} line */
function endOf(line) {
  const game = gameOf(line.game);
  if (!game) return t('phase_over');
  const { words, won, decided } = outcome(game, line, line.seat);
  const rank = line.result.ranks?.[line.seat];
  return decided && !won && rank && line.size > 2 ? `${t('place_of', { rank, size: line.size })} · ${words}` : words;
}

/** @param {Message} line of `games` @param {number} now the server's time */
function playedLine(line, now) {
  const game = gameOf(line.game);
  const others = Object.keys(line.seats).filter((seat) => Number(seat) !== line.seat);
  const names = others.map((seat) => nameOf(line, seat)).join(', ') || t('alone_here');
  const rest = [GAMES.length > 1 && (entryOf(line.game)?.title ?? line.game), agoText(now - line.at)].filter(Boolean);
  return el(
    'li',
    { class: 'room', 'data-played': line.room },
    el(
      'span',
      { class: 'about' },
      el('strong', {}, line.title ? `${line.title} – ${names}` : names),
      el('small', {}, `${endOf(line)} · ${rest.join(' · ')}`),
    ),
    el('span', { class: 'taken' }, ...Object.values(line.seats).map(({ colour }) => game?.mark(colour) ?? null)),
    el('a', { class: 'button', href: `#/r/${line.room}`, 'aria-label': `${t('open')}: ${names}` }, t('open')),
  );
}

/**
 * With whom somebody has played, by the list of their matches, the newest first: each once.
 * @param {Message[]} games @returns {{handle: string, game: string, at: number}[]}
 */
export function peopleOf(games) {
  const people = new Map();
  for (const { seats, seat, game, at } of games) {
    for (const [number, { handle, bot }] of Object.entries(seats)) {
      if (handle && !bot && Number(number) !== seat && !people.has(handle)) people.set(handle, { handle, game, at });
    }
  }
  return [...people.values()];
}

export class Played {
  /** @param {import('./wire.js').Wire} wire @param {(ask: () => Promise<void>) => void} attempt tells of what fails */
  constructor(wire, attempt) {
    this.wire = wire;
    /** @type {Message[]} */
    this.lines = [];
    this.list = el('ul', { class: 'rooms' });
    this.older = el('button', { type: 'button', class: 'quiet', hidden: true, onclick: () => attempt(() => this.more()) }, t('older_games'));
    this.element = el('section', { class: 'panel played', hidden: true }, el('h2', {}, t('my_games')), this.list, this.older);
  }

  /** The newest page; a server that has no such lists shows none. */
  async refresh() {
    try {
      await this.fetch();
    } catch {
      // the next visit tries again
    }
  }

  async more() {
    const { length } = this.lines;
    await this.fetch(this.lines[length - 1]?.room);
    /** @type {HTMLElement | undefined} */ (this.list.children[length]?.querySelector('a') ?? undefined)?.focus();
  }

  /** @param {string} [after] the last that is there */
  async fetch(after) {
    const { games, more } = await this.wire.ask('games', after ? { after } : {});
    this.lines = after ? [...this.lines, ...games] : games;
    await Promise.all([...new Set(this.lines.map(({ game }) => game))].filter((id) => entryOf(id) && !gameOf(id)).map(fetchGame));
    this.older.hidden = !more;
    this.element.hidden = !this.lines.length;
    fill(this.list, ...this.lines.map((line) => playedLine(line, this.wire.now())));
  }
}
