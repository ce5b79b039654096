// What comes from the others at the table and is seen without opening anything: a line that was just said, an offer with what to answer, and who
// is away with what one can do about it.

import { el } from './dom.js';
import { talkText } from './log.js';
import { clockText, nameOf, t } from './words.js';

/** @typedef {import('./table.js').Table} Table */

const TICK_MS = 1000;
/** From then on the server lets the computer play for somebody who is away, without a clock. */
const AWAY_MS = 600_000;
/** So long a line stays, while the log is closed. */
const LINE_MS = 8000;
const OFFERS = ['pause', 'resume', 'call_off'];

export class Asks {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    this.element = el('div', { class: 'asks' });
    /** @type {Set<string>} offers that were put aside, each with who made it */
    this.aside = new Set();
    this.shown = '';
    /** @type {WeakSet<import('./wire.js').Message>} what was said before, or is shown */
    this.heard = new WeakSet(table.room.talk);
    /** @type {{said: import('./wire.js').Message, until: number}[]} */
    this.lines = [];
    /** @type {ReturnType<typeof setInterval> | undefined} while there is a time to be told */
    this.ticks = undefined;
    table.room.listeners.add(() => this.show());
  }

  /** The seats at this device that are still in play. */
  get seats() {
    const { room, game } = this.table;
    const running = room.state.phase === 'playing' || room.state.phase === 'paused';
    return running ? room.seatsHere.filter((seat) => !game.card(room.state, seat).out) : [];
  }

  show() {
    const { seats } = this;
    const asked = seats.length ? [...OFFERS.flatMap((what) => this.offer(what, seats)), ...this.away(seats)] : [];
    const all = [...this.said(), ...asked];
    const key = all.map((one) => one.key).join('|');
    if (key !== this.shown) this.element.replaceChildren(...all.map((one) => one.build()));
    this.shown = key;
    this.follow(all.some((one) => one.ticks));
  }

  /** @param {boolean} wanted */
  follow(wanted) {
    if (wanted === (this.ticks !== undefined)) return;
    clearInterval(this.ticks);
    this.ticks = wanted ? setInterval(() => (this.element.isConnected ? this.show() : this.follow(false)), TICK_MS) : undefined;
  }

  /** @param {string} words @param {HTMLElement[]} buttons */
  bar(words, ...buttons) {
    return el('section', { class: 'ask-bar', role: 'status' }, el('p', {}, words), ...(buttons.length ? [el('div', { class: 'actions' }, ...buttons)] : []));
  }

  /** @param {string} kind @param {string} words @param {() => void} onclick */
  button(kind, words, onclick) {
    return el('button', { type: 'button', class: kind, onclick }, words);
  }

  /** The last line that others have said, for a while; and a dot at the button of the log until that is opened. */
  said() {
    const { room, element, logButton } = this.table;
    const open = element.classList.contains('with-log');
    const now = room.wire.now();
    for (const said of room.talk) {
      const own = said.seat !== undefined && room.seatsHere.includes(said.seat);
      if (!this.heard.has(said) && !own && !open) this.lines.push({ said, until: now + LINE_MS });
      this.heard.add(said);
    }
    this.lines = open ? [] : this.lines.filter((line) => line.until > now).slice(-1);
    logButton.classList.toggle('unread', !open && (this.lines.length > 0 || logButton.classList.contains('unread')));
    return this.lines.map(({ said }) => ({ key: `${talkText(said)} ${said.seat}`, ticks: true, build: () => this.line(said) }));
  }

  /** @param {import('./wire.js').Message} said */
  line(said) {
    const { room, game } = this.table;
    const colour = room.state.seats?.[said.seat ?? -1]?.colour;
    return el('p', { class: 'ask-bar said', 'aria-hidden': 'true' }, colour && game.mark(colour), el('span', {}, talkText(said)));
  }

  /** What others offer and somebody here has not agreed to. @param {string} what @param {number[]} seats */
  offer(what, seats) {
    const { table } = this;
    const { state, wire } = table.room;
    const by = Object.keys(state.offers?.[what] ?? {});
    const missing = seats.filter((seat) => !by.includes(String(seat)));
    const others = by.filter((seat) => !seats.includes(Number(seat)));
    const name = `${what} ${others.join(' ')}`;
    if (!others.length || !missing.length || this.aside.has(name)) return [];
    const rest = what === 'resume' && state.resumes ? clockText(Math.max(0, state.resumes - wire.now())) : '';
    const offered = t('ev_offered', { name: others.map((seat) => nameOf(state, seat)).join(', '), what: t(`offer_${what}`) });
    const words = rest ? `${offered} ${t('resumes_in', { time: rest })}` : offered;
    const put = () => {
      this.aside.add(name);
      this.show();
    };
    const agree = () => void table.act('offer', { what }, missing);
    const build = () => this.bar(words, this.button('plain', t('offer_no'), put), this.button('confirm', t('offer_yes'), agree));
    return [{ key: `${name} ${words}`, ticks: rest !== '', build }];
  }

  /** Who is away, for how long, and what can be done without a clock. @param {number[]} seats */
  away(seats) {
    const { table } = this;
    const { state, online, away, wire } = table.room;
    const gone = Object.keys(away).filter((seat) => online[seat] === false && !seats.includes(Number(seat)) && !state.seats?.[seat]?.replaced);
    if (!gone.length || state.phase !== 'playing' || state.clock?.kind !== 'none') return [];
    return gone.map((seat) => {
      const ms = Math.max(0, wire.now() - away[seat]);
      const late = ms >= AWAY_MS;
      const gist = t('away_for', { name: nameOf(state, seat), time: clockText(ms) });
      const words = late ? gist : `${gist} ${t('away_wait', { time: clockText(AWAY_MS - ms) })}`;
      const play = () => void table.act('offer', { what: 'computer' }, seats.slice(0, 1));
      return { key: `away ${seat} ${words}`, ticks: true, build: () => this.bar(words, ...(late ? [this.button('confirm', t('away_computer'), play)] : [])) };
    });
  }
}
