// The first page: a picture, a game against the computer at one press, the visitor's own tables, the ways to play with friends and
// to learn, and the open tables.

import { SITE } from './attention.js';
import { openHelp } from './dialogs.js';
import { el, fill } from './dom.js';
import { FirstTurn, takeEarly } from './firstturn.js';
import { entryOf, fetchGame, gameOf, GAMES } from './games/registry.js';
import { seatGuests } from './hotseat.js';
import { glyph } from './icons.js';
import { EASIEST, levelChoice } from './levels.js';
import { ownLines } from './mine.js';
import { looksLikePass, readPass, takesPasskeys } from './pass.js';
import { Played } from './played.js';
import { prefs } from './prefs.js';
import { playSolo } from './solo.js';
import { agoText, errorText, fetchWorded, handleOf, nameOf, nameText, t, titleOf } from './words.js';

/** @typedef {import('./shell.js').Shell} Shell */
/** @typedef {import('./wire.js').Message} Message */

const REFRESH_MS = 4000,
  TICK_MS = 1000,
  MINUTE_MS = 60_000,
  ALL_AWAY_MS = 2 * MINUTE_MS;

/** Nobody starts that match: who waited there is gone. @param {Message} room a line of the list @param {number} now */
const isAllAway = ({ phase, away }, now) => phase === 'lobby' && away !== undefined && now - away >= ALL_AWAY_MS;

export class Home {
  /**
   * @param {import('./wire.js').Wire} wire @param {Shell} shell
   * @param {import('./games/game.js').Game} game that the page shows; others are offered where one is chosen
   */
  constructor(wire, shell, game) {
    this.wire = wire;
    this.game = game;
    this.shell = shell;
    /** @type {Message[]} the visitor's own, as the server last said */
    this.own = [];
    this.rooms = el('ul', { class: 'rooms' });
    this.ownRooms = el('ul', { class: 'rooms' });
    this.away = el('p', { class: 'hint', role: 'status', hidden: true }, t('tables_away'));
    this.mine = el('section', { class: 'panel mine', hidden: true }, el('h2', {}, t('my_tables')), this.ownRooms);
    this.played = new Played(wire, (ask) => void this.attempt(ask));
    /** The turn of somebody new: who has neither played here nor has a name. */
    this.first = prefs.begun || prefs.name ? undefined : this.firstTurn();
    this.busy = this.closed = false;
    this.renaming = 0; // so many new names are not answered yet
    this.digest = '';
    this.name = this.nameInput();
    this.passkeyRow = el(
      'div',
      { class: 'row', hidden: true },
      el('button', { type: 'button', class: 'plain', id: 'enter-passkey', onclick: () => void this.enterByPasskey() }, t('passkey_enter')),
    );
    /** @type {import('./quick.js').Quick | undefined} of who has an account */
    this.quick = undefined;
    /** @type {import('./chat.js').Chat | undefined} where there is talk in the lobby */
    this.chat = undefined;
    this.learn = this.learnCard();
    this.ways = el('div', { class: 'ways' }, this.friendsCard(), this.learn, this.linkCard());
    this.scene = this.first?.element ?? this.picture();
    this.words = el('div', { class: 'hero-words' }, ...this.heroWords());
    this.element = el(
      'div',
      { class: `home${this.first ? ' fresh' : ''}` },
      el(
        'div',
        { class: 'hero' },
        this.scene,
        this.words,
        this.quickCard(),
      ),
      this.mine,
      this.played.element,
      this.ways,
      this.card(t('open_tables'), this.away, this.rooms),
    );
    this.ready = () => {
      this.showName();
      this.passkeyRow.hidden = !takesPasskeys(wire.hello);
      void this.showQuick();
      void this.showChat();
      void this.refresh();
      void this.played.refresh();
    };
    wire.readies.add(this.ready);
    /** What was left out of the lists is there again. @param {Message} push */
    this.onPush = (push) => void (push.push === 'notice' && push.code === 'whole' && this.refresh());
    wire.listeners.add(this.onPush);
    this.timers = [setInterval(() => void this.refresh(), REFRESH_MS), setInterval(() => this.showOwn(), TICK_MS)];
    if (wire.status === 'open') this.ready();
  }

  close() {
    this.closed = true;
    this.quick?.close();
    this.chat?.close();
    for (const timer of this.timers) clearInterval(timer);
    this.wire.readies.delete(this.ready);
    this.wire.listeners.delete(this.onPush);
  }

  nameInput() {
    const input = el('input', {
      type: 'text',
      id: 'name',
      maxlength: 24,
      value: prefs.name,
      placeholder: t('name_hint'),
      autocomplete: 'nickname',
      spellcheck: 'false',
    });
    input.addEventListener('change', () => void this.rename(input.value.trim()));
    return input;
  }

  /** Whoever has given no name sees the one that others see; a name that was given may have been changed on another device. */
  showName() {
    const { name } = this.wire.hello;
    if (!name) return;
    this.name.placeholder = nameText(name);
    if (!prefs.name || this.renaming) return;
    prefs.name = name;
    if (document.activeElement !== this.name) this.name.value = name;
  }

  /** Rated matches are between accounts. */
  async showQuick() {
    if (!this.wire.hello.account || this.quick) return;
    const { Quick } = (await this.attempt(() => fetchWorded(() => import('./quick.js')))) ?? {};
    if (!Quick || this.closed || this.quick) return;
    this.quick = new Quick(this.shell, this.game, (ask) => this.attempt(ask));
    this.ways.before(this.quick.element);
  }

  /** Talk in the lobby, where the server has it for this visitor: below the ways to play, which are what most have come for. */
  async showChat() {
    const { chat, quiet } = this.wire.hello;
    if (!chat || quiet || this.chat) return;
    const found = await this.attempt(() => fetchWorded(() => import('./chat.js')));
    if (!found?.hasChat(this.wire.hello) || this.closed || this.chat) return;
    this.chat = new found.Chat(this.shell);
    this.ways.after(this.chat.element);
  }

  /** @param {string} name */
  async rename(name) {
    prefs.name = name;
    if (!name) return;
    this.renaming++;
    await this.attempt(() => this.wire.rename(name));
    this.renaming--;
    this.showName();
  }

  /** What the page is about: the site, or the other game that was chosen. */
  heroWords() {
    const { id, title, tagline } = this.game;
    return [el('h1', {}, id === GAMES[0].id ? SITE : title), ...(this.first ? [] : [el('p', {}, tagline())])];
  }

  /** The page is about another game from now on: its title, picture, and the ways to learn it. @param {import('./games/game.js').Game} game */
  turnTo(game) {
    if (game === this.game) return;
    this.game = game;
    this.first = undefined;
    this.element.classList.remove('fresh');
    this.element.querySelector('#solo')?.classList.add('confirm'); // a first turn has the page's main button, as long as it is there
    const [picture, learn] = [this.picture(), this.learnCard()];
    this.scene.replaceWith(picture);
    this.learn.replaceWith(learn);
    this.scene = picture;
    this.learn = learn;
    fill(this.words, ...this.heroWords());
  }

  picture() {
    const picture = this.game.picture();
    picture.classList.add('hero-picture');
    return picture;
  }

  /** For somebody new, who may have begun already. */
  firstTurn() {
    const { game, shell } = this;
    const opponents = game.solo.first ?? 1;
    const play = () => {
      prefs.setTips(game.id, game.tips?.names ?? []);
      void this.solo(game, opponents, EASIEST);
    };
    const first = takeEarly() ?? (game.firstTurn && new FirstTurn(game.firstTurn()));
    first?.adopt({ title: game.title, opponents, say: (text) => shell.say(text), play });
    return first;
  }

  /** @param {string} title @param {...Node} parts */
  card(title, ...parts) {
    return el('section', { class: 'panel' }, el('h2', {}, title), ...parts);
  }

  quickCard() {
    let { game } = this;
    const count = el('select', { id: 'solo-count' });
    const level = el('div', { class: 'how-well' });
    const offer = () => {
      count.replaceChildren(
        ...Array.from({ length: game.solo.most }, (_, i) => el('option', { value: i + 1 }, i + 1)),
      );
      const choice = levelChoice(game, 'solo-level');
      level.hidden = !choice;
      fill(level, choice);
    };
    offer();
    const which = el(
      'select',
      {
        id: 'solo-game',
        onchange: async () => {
          game = (await this.fetch(which.value)) ?? game;
          which.value = game.id;
          offer();
          this.turnTo(game);
        },
      },
      ...GAMES.map(({ id, title }) => el('option', { value: id, selected: id === game.id }, title)),
    );
    /** @param {string} words @param {HTMLElement} field */
    const labelled = (words, field) => el('label', { class: 'field' }, el('span', {}, words), field);
    return el(
      'section',
      { class: 'panel play' },
      el('h2', {}, t('solo_title')),
      el('p', { class: 'hint' }, t('play_hint')),
      el('div', { class: 'two' }, labelled(t('opponents'), count), level),
      el(
        'button',
        { type: 'button', class: this.first ? 'big' : 'confirm big', id: 'solo', onclick: () => void this.solo(game, Number(count.value)) },
        glyph('play'),
        el('span', {}, t('solo')),
      ),
      el('div', { class: 'two' }, labelled(t('name'), this.name), GAMES.length > 1 && labelled(t('game'), which)),
    );
  }

  friendsCard() {
    const open = async () => {
      const dialog = await this.attempt(() => fetchWorded(() => import('./create.js')));
      dialog?.openCreate(
        GAMES,
        this.game,
        (id) => this.fetch(id),
        (fields, names) => this.create(fields, names),
      );
    };
    return this.card(
      t('friends'),
      el('p', { class: 'hint' }, t('friends_hint')),
      el('button', { type: 'button', id: 'new-table', onclick: open }, glyph('friends'), el('span', {}, t('new_table_dots'))),
    );
  }

  /** The ways to learn the game: by lessons, and by its rules. */
  learnCard() {
    const { id, lessons, rules } = this.game;
    return this.card(
      t('learn_title'),
      el('p', { class: 'hint' }, t('learn_hint')),
      el(
        'div',
        { class: 'row wrap' },
        lessons &&
          el(
            'a',
            { class: 'button', id: 'learn', href: `#/learn/${id}` },
            glyph('book'),
            el('span', {}, t(prefs.lesson(id) ? 'learn_on' : 'learn')),
          ),
        rules && el('a', { class: 'button quiet', href: `#/rules/${id}` }, t('rules')),
        ...GAMES.filter((other) => other.lessons && other.id !== id).map((other) =>
          el('a', { class: 'button quiet', href: `#/learn/${other.id}` }, t('learn_game', { game: other.title })),
        ),
        !lessons && el('button', { type: 'button', onclick: () => openHelp(this.game) }, glyph('book'), el('span', {}, t('help'))),
      ),
    );
  }

  /** A game that was chosen: the help is about it from now on. @param {string} id */
  async fetch(id) {
    const game = await fetchGame(id);
    if (game) this.shell.game = game;
    return game;
  }

  linkCard() {
    const input = el('input', {
      type: 'text',
      id: 'link',
      'aria-label': t('link_or_code'),
      placeholder: t('link_or_code'),
      autocomplete: 'off',
      spellcheck: 'false',
    });
    const form = el('form', { class: 'row' }, input, el('button', { type: 'submit' }, t('open')));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (looksLikePass(input.value)) {
        void this.enter(readPass(input.value));
        return;
      }
      const found = /([0-9a-z]{8})(?:\/([0-9a-z]{16}))?\/?$/.exec(input.value.trim());
      if (found) this.shell.go(`#/r/${found[1]}${found[2] ? `/${found[2]}` : ''}`);
      else this.shell.toast(t('bad_link'));
    });
    return this.card(t('by_link'), el('p', { class: 'hint' }, t('by_link_hint')), form, this.passkeyRow);
  }

  /** As the player who has a passkey. */
  async enterByPasskey() {
    const enter = await this.attempt(() => fetchWorded(() => import('./enter.js')));
    await enter?.enterByPasskey(this.shell);
  }

  /** A link to a player, or a recovery phrase. @param {string} pass "" has a slip in it */
  async enter(pass) {
    if (!pass) return this.shell.toast(t('bad_pass'));
    const enter = await this.attempt(() => fetchWorded(() => import('./enter.js')));
    enter?.askToEnter(this.shell, pass);
  }

  /** @template T @param {() => Promise<T>} ask @returns {Promise<T | undefined>} */
  async attempt(ask) {
    try {
      return await ask();
    } catch (error) {
      this.shell.toast(errorText(error));
      return undefined;
    }
  }

  /**
   * A table for others too, with a seat for each of the people at this device.
   * @param {Message} fields of `create` @param {string[]} names the visitor's first; none: the visitor is alone
   * @returns {Promise<string>} why there is none, or ""
   */
  async create(fields, names) {
    if (this.busy) return '';
    this.busy = true;
    try {
      this.wire.expectLine();
      if (names[0] && names[0] !== prefs.name) await this.rename(names[0]);
      const { room, code } = await this.wire.askPatiently('create', fields);
      await this.wire.askPatiently('join', { room, ...(code ? { code } : {}) });
      await this.attempt(() => seatGuests(this.wire, room, code ?? '', names.slice(1))); // whoever found no seat can be asked again there
      this.shell.go(`#/r/${room}${code ? `/${code}` : ''}`);
      return '';
    } catch (error) {
      return errorText(error, gameOf(fields.game));
    } finally {
      this.busy = false;
    }
  }

  /** A table with computer players, started at once. @param {import('./games/game.js').Game} game @param {number} opponents @param {number} [level] */
  async solo(game, opponents, level) {
    if (this.busy) return;
    this.busy = true;
    await this.attempt(async () => {
      this.shell.go(await playSolo(this.wire, game, opponents, level));
    });
    this.busy = false;
  }

  async refresh() {
    if (this.wire.status !== 'open' || document.hidden) return;
    try {
      const { rooms, mine = [], incomplete = false } = await this.wire.ask('rooms');
      this.away.hidden = !incomplete;
      this.showRooms(rooms, mine);
    } catch {
      // the next refresh tries again
    }
  }

  /** @param {Message[]} rooms @param {Message[]} mine one's own, which are not listed twice */
  showRooms(rooms, mine) {
    const now = this.wire.now();
    const digest = JSON.stringify([rooms, mine, rooms.map(({ away }) => away && Math.floor((now - away) / MINUTE_MS))]);
    if (digest === this.digest) return;
    this.digest = digest;
    this.own = mine;
    const others = rooms.filter((room) => !mine.some((own) => own.room === room.room) && !isAllAway(room, now));
    this.showLines(others);
    void this.fetchGames([...others, ...mine], others);
  }

  /** @param {Message[]} others */
  showLines(others) {
    fill(this.rooms, ...others.map((room) => this.roomLine(room)));
    if (!others.length) this.rooms.append(el('li', { class: 'hint' }, t('no_rooms')));
    this.showOwn();
  }

  /** One's own tables; again every second, as clocks run. */
  showOwn() {
    this.mine.hidden = !this.own.length;
    fill(this.ownRooms, ...ownLines(this.own, this.wire.now()));
  }

  /** Fetches the games of rooms that are not there yet, and shows the rooms again. @param {Message[]} rooms @param {Message[]} others */
  async fetchGames(rooms, others) {
    const missing = [...new Set(rooms.map(({ game }) => game))].filter((id) => entryOf(id) && !gameOf(id));
    const fetched = await Promise.all(missing.map(fetchGame));
    if (fetched.some(Boolean)) this.showLines(others);
  }

  /** @param {Message} room */
  roomLine(room) {
    const game = gameOf(room.game);
    const words = [
      t(`phase_${room.phase}`),
      ...(GAMES.length > 1 ? [entryOf(room.game)?.title ?? room.game] : []),
      ...(game?.summary(room.options) ?? []),
      ...(room.away ? [t('all_away', { ago: agoText(this.wire.now() - room.away) })] : []),
    ];
    const taken = Object.values(room.seats);
    const names = Object.keys(room.seats)
      .map((seat) => [nameOf(room, seat), handleOf(room, seat)].filter(Boolean).join(' '))
      .join(', ');
    const marks = taken.map(({ colour }) => game?.mark(colour) ?? null);
    const free = Array.from({ length: room.size - taken.length }, () => el('span', { class: 'free-seat' }));
    return el(
      'li',
      { class: 'room', 'data-room': room.room },
      el(
        'span',
        { class: 'about' },
        el('strong', {}, titleOf(room) || names || t('table')),
        el('small', {}, words.join(' · ')),
      ),
      el('span', { class: 'taken', title: names }, ...marks, ...free),
      el('a', { class: 'button', href: `#/r/${room.room}` }, t(room.phase === 'lobby' ? 'join' : 'watch')),
    );
  }
}
