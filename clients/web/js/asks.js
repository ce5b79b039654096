// What comes from the others at the table and is seen without opening anything: a line that was just said, at the card of who has said it, an offer
// with what to answer, and who is away with what one can do about it. And in a first game, what matters for the first time.

import { el, fill } from './dom.js';
import { talkText } from './log.js';
import { prefs } from './prefs.js';
import { fetchPart } from './unfetched.js';
import { clockText, learnWords, nameOf, t } from './words.js';

/** @typedef {import('./table.js').Table} Table */

const TICK_MS = 1000;
/** From then on the server lets the computer play for somebody who is away, without a clock; and then the others go on without. */
const AWAY_MS = 600_000,
  CLAIM_MS = 1_800_000;
/** So long a line stays, while the log is closed. */
const LINE_MS = 8000;
const OFFERS = ['pause', 'resume', 'call_off'];
const TAIL_PX = 12; // between a card and what was said

export class Asks {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    this.element = el('div', { class: 'asks' });
    /** @type {Set<string>} offers that were put aside, each with who made it */
    this.aside = new Set();
    this.shown = '';
    /** What of the bars with a running time was said, without the time. @type {string[]} */
    this.told = [];
    /** @type {WeakSet<import('./wire.js').Message>} what was said before, or is shown */
    this.heard = new WeakSet(table.room.talk);
    /** @type {{said: import('./wire.js').Message, until: number}[]} */
    this.lines = [];
    /** @type {ReturnType<typeof setInterval> | undefined} while there is a time to be told */
    this.ticks = undefined;
    /** @type {import('./tips.js').Tips | undefined} of a first game */
    this.tips = undefined;
    table.room.listeners.add(() => this.show());
    if (prefs.tips(table.game.id).length && !table.room.shared) void this.fetchTips().catch(() => undefined); // one plays without, too
  }

  async fetchTips() {
    const { id, tips } = this.table.game;
    if (!tips) return;
    const [{ Tips }, { default: made }] = await fetchPart(() => Promise.all([import('./tips.js'), tips.fetch()]));
    await learnWords();
    this.tips = new Tips(id, made);
    this.show();
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
    const all = [...this.said(), ...asked, ...this.tip()];
    const key = all.map((one) => one.key).join('|');
    if (key !== this.shown) {
      fill(this.element, ...all.map((one) => one.build()));
      this.pin();
    }
    this.shown = key;
    this.tell(asked);
    this.follow(all.some((one) => one.ticks));
  }

  /** Says once what has a running time, with the time as it is then. @param {{gist?: string, words?: string}[]} asked */
  tell(asked) {
    const fresh = asked.filter(({ gist, words }) => gist && words && !this.told.includes(gist));
    for (const { words = '' } of fresh) this.table.shell.say(words);
    this.told = asked.flatMap(({ gist = '' }) => gist);
  }

  /** What matters for the first time. */
  tip() {
    const { tips, table } = this;
    const { room, mayAct, busy, moves } = table;
    const words = tips?.words(room.state, mayAct && !busy ? moves : null, room.seat);
    if (!tips || !words) return [];
    const then = (/** @type {() => void} */ act) => () => {
      act();
      this.show();
    };
    const known = this.button('confirm', t('tip_known'), then(() => tips.known()));
    const none = this.button('plain', t('tips_end'), then(() => tips.end()));
    return [{ key: `tip ${words}`, ticks: false, build: () => this.kind('tip', this.bar('tip', words, none, known)) }];
  }

  /** @param {boolean} wanted */
  follow(wanted) {
    if (wanted === (this.ticks !== undefined)) return;
    clearInterval(this.ticks);
    this.ticks = wanted ? setInterval(() => (this.element.isConnected ? this.show() : this.follow(false)), TICK_MS) : undefined;
  }

  /** A tip, and who is away: they stay, and the picture makes room for them. @param {'tip' | 'away' | 'asked'} kind @param {HTMLElement} bar */
  kind(kind, bar) {
    bar.classList.add(kind);
    return bar;
  }

  /** One that is read when it comes. @param {string} name @param {string} words @param {HTMLElement[]} buttons */
  bar(name, words, ...buttons) {
    const bar = this.silentBar(name, words, ...buttons);
    bar.setAttribute('role', 'status');
    return bar;
  }

  /**
   * One in which a time runs: a screen reader would read it each second.
   * @param {string} name by which it is told from the others, and stays with its buttons while its words change @param {string} words @param {HTMLElement[]} buttons
   */
  silentBar(name, words, ...buttons) {
    return el('section', { class: 'ask-bar', 'data-focus': name }, el('p', {}, words), ...(buttons.length ? [el('div', { class: 'actions' }, ...buttons)] : []));
  }

  /** @param {string} kind @param {string} words @param {() => void} onclick */
  button(kind, words, onclick) {
    return el('button', { type: 'button', class: kind, 'data-focus': words, onclick }, words);
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

  /** Puts the line that was said to the card of who has said it: under the card where all of them are above the picture, else beside it. */
  pin() {
    const bubble = this.element.querySelector('.said');
    const [line] = this.lines;
    const card = line?.said.seat === undefined ? null : this.table.players.placeOf(line.said.seat);
    if (!(bubble instanceof HTMLElement) || !card) return;
    const own = this.element.getBoundingClientRect();
    const under = card.bottom <= this.table.view.picture.getBoundingClientRect().top + 1;
    bubble.classList.add(under ? 'under-card' : 'at-card');
    const middle = (card.left + card.right) / 2 - own.left;
    const left = under ? Math.max(0, Math.min(middle - bubble.offsetWidth / 2, own.width - bubble.offsetWidth)) : card.right - own.left + TAIL_PX;
    bubble.style.marginLeft = `${Math.round(left)}px`;
    bubble.style.setProperty('--tail', `${Math.round(under ? middle - left : Math.min(card.height, bubble.offsetHeight) / 2)}px`);
    if (!under) bubble.style.top = `${Math.round(card.top - own.top)}px`;
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
    const ways = () => [this.button('plain', t('offer_no'), put), this.button('confirm', t('offer_yes'), agree)];
    const build = () => this.kind('asked', rest ? this.silentBar(name, words, ...ways()) : this.bar(name, words, ...ways()));
    return [{ key: `${name} ${words}`, ticks: rest !== '', gist: rest && name, words, build }];
  }

  /** Who is away, for how long, and what can be done without a clock. @param {number[]} seats */
  away(seats) {
    const { table } = this;
    const { state, online, away, wire } = table.room;
    const gone = Object.keys(away).filter((seat) => online[seat] === false && !seats.includes(Number(seat)) && !state.seats?.[seat]?.replaced);
    if (!gone.length || state.phase !== 'playing' || state.clock?.kind !== 'none') return [];
    return gone.map((seat) => {
      const ms = Math.max(0, wire.now() - away[seat]);
      const gist = t('away_for', { name: nameOf(state, seat), time: clockText(ms) });
      const [next, at] = ms < AWAY_MS ? ['away_wait', AWAY_MS] : ['away_out_wait', CLAIM_MS];
      const words = ms < at ? `${gist} ${t(next, { time: clockText(at - ms) })}` : gist;
      const ways = this.waysWithout(Number(seat), ms, seats);
      const build = () => this.kind('away', this.silentBar(`away ${seat}`, words, ...ways.map(([kind, label, act]) => this.button(kind, label, act))));
      const said = [words, ...ways.map(([, label]) => label)].join(' ');
      return { key: `away ${seat} ${words} ${ways.length}`, ticks: true, gist: `away ${seat} ${ms < at ? next : ''}`, words: said, build };
    });
  }

  /**
   * What can be done without the consent of somebody who is away.
   * @param {number} gone @param {number} ms for so long @param {number[]} seats at this device @returns {[string, string, () => void][]}
   */
  waysWithout(gone, ms, seats) {
    const { room, game } = this.table;
    const { state } = room;
    if (ms < AWAY_MS) return [];
    const alone = Object.keys(state.seats).every((seat) => Number(seat) === gone || seats.includes(Number(seat)) || game.card(state, Number(seat)).out);
    /** @param {string} what @param {number[]} by */
    const offer = (what, by) => () => void this.table.act('offer', { what }, by);
    const missing = seats.filter((seat) => !state.offers?.call_off?.[seat]);
    const waiting = seats.filter((seat) => !state.acting?.includes(seat)); // who has to act waits for nobody
    const claim = t(alone ? 'away_win' : 'away_out', { name: nameOf(state, gone) });
    return [
      ...(missing.length ? [/** @type {[string, string, () => void]} */ (['plain', t('away_call_off'), offer('call_off', missing)])] : []),
      ...(ms >= CLAIM_MS && waiting.length ? [/** @type {[string, string, () => void]} */ (['plain', claim, offer('claim', waiting.slice(0, 1))])] : []),
      ['confirm', t('away_computer'), offer('computer', seats.slice(0, 1))],
    ];
  }
}
