// The first page: the visitor's name, a quick game against the computer, a form for a new table,
// the open tables, a field for an invitation.

import { SITE } from './attention.js';
import { createForm } from './create.js';
import { el, fill } from './dom.js';
import { entryOf, fetchGame, gameOf, GAMES } from './games/registry.js';
import { glyph } from './icons.js';
import { levelChoice } from './levels.js';
import { prefs } from './prefs.js';
import { playSolo } from './solo.js';
import { errorText, t } from './words.js';

/** @typedef {import('./shell.js').Shell} Shell */
/** @typedef {import('./wire.js').Message} Message */

const REFRESH_MS = 4000;

export class Home {
  /**
   * @param {import('./wire.js').Wire} wire @param {Shell} shell
   * @param {import('./games/game.js').Game} game that the page shows; others are offered where one is chosen
   */
  constructor(wire, shell, game) {
    this.wire = wire;
    this.game = game;
    this.shell = shell;
    this.rooms = el('ul', { class: 'rooms' });
    this.seats = el('div', { hidden: true });
    this.busy = false;
    this.digest = '';
    const picture = this.game.picture();
    picture.classList.add('hero-picture');
    this.element = el(
      'div',
      { class: 'home' },
      el('div', { class: 'hero' }, el('h1', {}, SITE), el('p', {}, this.game.tagline()), this.school(), this.nameField(), picture),
      el(
        'div',
        { class: 'columns' },
        el('div', {}, this.quickCard(), this.newCard()),
        el('div', {}, this.openCard(), this.linkCard(), this.seats),
      ),
    );
    this.ready = () => this.refresh();
    wire.readies.add(this.ready);
    this.timer = window.setInterval(() => this.refresh(), REFRESH_MS);
    if (wire.status === 'open') this.refresh();
  }

  close() {
    clearInterval(this.timer);
    this.wire.readies.delete(this.ready);
  }

  nameField() {
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
    return el('label', { class: 'field name-field' }, el('span', {}, t('name')), input);
  }

  /** @param {string} name */
  async rename(name) {
    prefs.name = name;
    if (!name) return;
    await this.attempt(() => this.wire.ask('rename', { name }));
  }

  /** @param {string} title @param {...Node} parts */
  card(title, ...parts) {
    return el('section', { class: 'panel' }, el('h2', {}, title), ...parts);
  }

  quickCard() {
    let { game } = this;
    const count = el('select', { 'aria-label': t('opponents') });
    const level = el('div', {});
    const offer = () => {
      count.replaceChildren(
        ...Array.from({ length: game.solo.most }, (_, i) => el('option', { value: i + 1 }, t('n_opponents', { n: i + 1 }))),
      );
      const choice = levelChoice(game, 'solo-level');
      level.hidden = !choice;
      fill(level, choice);
    };
    offer();
    const button = el(
      'button',
      { type: 'button', class: 'confirm', id: 'solo', onclick: () => void this.solo(game, Number(count.value)) },
      glyph('robot'),
      el('span', {}, t('solo')),
    );
    const which = el(
      'select',
      {
        'aria-label': t('game'),
        id: 'solo-game',
        onchange: async () => {
          game = (await this.fetch(which.value)) ?? game;
          which.value = game.id;
          offer();
        },
      },
      ...GAMES.map(({ id, title }) => el('option', { value: id, selected: id === game.id }, title)),
    );
    return this.card(
      t('solo_title'),
      el('p', { class: 'hint' }, t('solo_hint')),
      el('div', { class: 'row wrap' }, GAMES.length > 1 && which, count),
      level,
      button,
    );
  }

  /** The ways to learn the game: by lessons, and by its rules. */
  school() {
    const { id, lessons, rules } = this.game;
    return el(
      'div',
      { class: 'school' },
      lessons && el('a', { class: 'button', id: 'learn', href: `#/learn/${id}` }, glyph('play'), t(prefs.lesson(id) ? 'learn_on' : 'learn')),
      rules && el('a', { class: 'button quiet', href: `#/rules/${id}` }, t('rules')),
    );
  }

  newCard() {
    return this.card(
      t('new_table'),
      createForm(
        GAMES,
        this.game,
        (id) => this.fetch(id),
        (fields) => void this.create(fields),
      ),
    );
  }

  /** A game that was chosen: the help is about it from now on. @param {string} id */
  async fetch(id) {
    const game = await fetchGame(id);
    if (game) this.shell.game = game;
    return game;
  }

  openCard() {
    return this.card(t('open_tables'), this.rooms);
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
      const found = /([0-9a-z]{8})(?:\/([0-9a-z]{16}))?\/?$/.exec(input.value.trim());
      if (found) this.shell.go(`#/r/${found[1]}${found[2] ? `/${found[2]}` : ''}`);
      else this.shell.toast(t('bad_link'));
    });
    return this.card(t('by_link'), el('p', { class: 'hint' }, t('by_link_hint')), form);
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

  /** @param {Message} fields of `create` */
  async create(fields) {
    if (this.busy) return;
    this.busy = true;
    const made = await this.attempt(() => this.wire.ask('create', fields));
    if (
      made &&
      (await this.attempt(() => this.wire.ask('join', { room: made.room, ...(made.code ? { code: made.code } : {}) })))
    ) {
      this.shell.go(`#/r/${made.room}${made.code ? `/${made.code}` : ''}`);
    }
    this.busy = false;
  }

  /** A table with computer players, started at once. @param {import('./games/game.js').Game} game @param {number} opponents */
  async solo(game, opponents) {
    if (this.busy) return;
    this.busy = true;
    await this.attempt(async () => {
      this.shell.go(await playSolo(this.wire, game, opponents));
    });
    this.busy = false;
  }

  async refresh() {
    if (this.wire.status !== 'open' || document.hidden) return;
    try {
      const { rooms } = await this.wire.ask('rooms');
      this.showRooms(rooms);
    } catch {
      // the next refresh tries again
    }
    this.showSeats(this.wire.hello.seats ?? []);
  }

  /** @param {Message[]} rooms */
  showRooms(rooms) {
    const digest = JSON.stringify(rooms);
    if (digest === this.digest) return;
    this.digest = digest;
    fill(this.rooms, ...rooms.map((room) => this.roomLine(room)));
    if (!rooms.length) this.rooms.append(el('li', { class: 'hint' }, t('no_rooms')));
    void this.fetchGames(rooms);
  }

  /** Fetches the games of rooms that are not there yet, and shows the rooms again. @param {Message[]} rooms */
  async fetchGames(rooms) {
    const missing = [...new Set(rooms.map(({ game }) => game))].filter((id) => entryOf(id) && !gameOf(id));
    const fetched = await Promise.all(missing.map(fetchGame));
    if (fetched.some(Boolean)) fill(this.rooms, ...rooms.map((room) => this.roomLine(room)));
  }

  /** @param {Message} room */
  roomLine(room) {
    const game = gameOf(room.game);
    const words = [
      t(`phase_${room.phase}`),
      ...(GAMES.length > 1 ? [entryOf(room.game)?.title ?? room.game] : []),
      ...(game?.summary(room.options) ?? []),
    ];
    const taken = Object.values(room.seats);
    const names = taken.map(({ name }) => name).join(', ');
    const marks = taken.map(({ colour }) => game?.mark(colour) ?? null);
    const free = Array.from({ length: room.size - taken.length }, () => el('span', { class: 'free-seat' }));
    return el(
      'li',
      { class: 'room', 'data-room': room.room },
      el(
        'span',
        { class: 'about' },
        el('strong', {}, room.title || names || t('table')),
        el('small', {}, words.join(' · ')),
      ),
      el('span', { class: 'taken', title: names }, ...marks, ...free),
      el('a', { class: 'button', href: `#/r/${room.room}` }, t(room.phase === 'lobby' ? 'join' : 'watch')),
    );
  }

  /** @param {{room: string, seat: number}[]} seats */
  showSeats(seats) {
    if (!seats.length || this.seats.firstChild) return;
    this.seats.hidden = false;
    const lines = seats.map(({ room, seat }) =>
      el(
        'li',
        { class: 'room' },
        el('span', { class: 'about' }, el('strong', {}, room), el('small', {}, t('seat_n', { seat: seat + 1 }))),
        el('a', { class: 'button', href: `#/r/${room}` }, t('go_on')),
      ),
    );
    this.seats.append(this.card(t('my_tables'), el('ul', { class: 'rooms' }, ...lines)));
  }
}
