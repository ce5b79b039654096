// The room before the match: seats, colours and sides, computer players, ready, start, and the link to share.

import { openDialog } from './dialogs.js';
import { el, fill } from './dom.js';
import { hearTalk } from './heard.js';
import { glyph, iconButton } from './icons.js';
import { Invited } from './invited.js';
import { t } from './latewords.js';
import { levelChoice, levelOf } from './levels.js';
import { Log, talkText } from './log.js';
import { nameField } from './people.js';
import { teamLetter } from './players.js';
import { linkTo, shareBox } from './share.js';
import { fetchPart } from './unfetched.js';
import { nonce } from './solo.js';
import { nameOfSeat } from './named.js';
import { computerText, handleOf, nameOf, errorText, titleOf } from './words.js';

/** @typedef {import('./hotseat.js').SharedRoom} Room */
/** @typedef {import('./wire.js').Message} Message */

export class Seats {
  /** @param {Room} room @param {import('./games/game.js').Game} game @param {import('./shell.js').Shell} shell */
  constructor(room, game, shell) {
    this.room = room;
    this.game = game;
    this.shell = shell;
    /** @type {Set<string>} what was asked for and is not answered yet */
    this.underway = new Set();
    this.head = el('div', {});
    this.invited = new Invited(room, game, (ask) => this.once('invited', ask));
    this.list = el('div', { class: 'seats' });
    this.foot = el('div', { class: 'actions' });
    this.log = new Log(room, game, null, (error) => shell.toast(errorText(error, game)), (text) => shell.toast(text));
    this.invitation = el(
      'section',
      { class: 'panel invitation' },
      el('h2', {}, t('invite')),
      el('p', { class: 'hint' }, t('invite_hint')),
      shareBox(room, shell),
    );
    void this.showCode();
    this.seating = el('section', { class: 'panel seating' }, this.invited.element, this.head, this.list, this.foot);
    this.element = el('div', { class: 'lobby' }, this.seating, this.invitation, this.log.element);
  }

  close() {}

  /** The invitation for the camera of whoever stands beside. */
  async showCode() {
    const qr = await fetchPart(() => import('./qr.js')).catch(() => undefined); // the link is there without
    if (qr) this.invitation.append(qr.qrPicture(linkTo(this.room), t('qr_label')));
  }

  /** Whoever waits for others to come has what calls them first, else it is after the seats. @param {boolean} first */
  placeInvitation(first) {
    if (this.invitation.classList.contains('comes-first') === first) return;
    const active = document.activeElement;
    this.invitation.classList.toggle('comes-first', first);
    this.invitation.querySelector('button')?.classList.replace(first ? 'plain' : 'confirm', first ? 'confirm' : 'plain');
    if (first) this.seating.before(this.invitation);
    else this.seating.after(this.invitation);
    if (active instanceof HTMLElement && this.invitation.contains(active)) active.focus();
  }

  /**
   * Sends a request even if others are not answered yet; one that is the same as an unanswered one is not sent.
   * @param {string} op @param {Message} [fields] @param {number[]} [seats] at this device, if it is for them
   */
  act(op, fields = {}, seats = undefined) {
    return this.once(`${op} ${fields.seat ?? ''} ${fields.colour ?? ''} ${seats ?? ''}`, () => {
      if (op === 'join') return this.room.join(fields);
      return seats ? this.room.askFor(seats, op, fields) : this.room.ask(op, fields);
    });
  }

  /** @param {string} what not while the same is under way @param {() => Promise<unknown>} ask */
  async once(what, ask) {
    if (this.underway.has(what)) return;
    this.underway.add(what);
    try {
      this.room.wire.expectLine();
      await ask();
    } catch (error) {
      this.shell.toast(errorText(error, this.game));
    }
    this.underway.delete(what);
    this.show();
  }

  /** @param {Message[]} [news] pushes that have just come */
  show(news = []) {
    const { state, you, seatsHere } = this.room;
    this.log.show();
    hearTalk(news, this.room.seat);
    for (const push of news) {
      if (push.push === 'said') this.shell.say(talkText(push));
    }
    const all = [...Array(this.game.seats(state.options)).keys()];
    const taken = all.every((s) => state.seats?.[s]);
    const me = seatsHere.length > 0;
    const ready = me && seatsHere.every((s) => state.seats?.[s]?.ready);
    const othersReady = all.every((s) => seatsHere.includes(s) || state.seats?.[s]?.ready); // nothing is missing but the word of those who are here
    this.invitation.hidden = Boolean(state.rated); // who plays is chosen by the server there
    const calls = you.host && me && !taken && !state.rated; // what is to be done first is to call the others
    this.placeInvitation(Boolean(calls));
    this.invited.show();
    fill(
      this.head,
      el('h1', {}, titleOf(state) || t('table')),
      el('p', { class: 'hint' }, this.optionWords(state).join(' · ')),
      state.clock.kind === 'none' && el('p', { class: 'hint' }, t('away_rule')),
      this.game.lessons &&
        el(
          'div',
          { class: 'row wrap to-learn' },
          el('a', { class: 'button quiet', 'data-focus': 'learn', href: `#/learn/${this.game.id}` }, t('learn')),
          this.game.rules && el('a', { class: 'button quiet', 'data-focus': 'rules', href: `#/rules/${this.game.id}` }, t('rules')),
        ),
      you.host &&
        !taken &&
        el(
          'div',
          { class: 'filling' },
          levelChoice(this.game, 'level'),
          iconButton('robot', t('fill'), () => void this.fill(all), { class: 'plain', 'data-focus': 'fill' }),
        ),
    );
    const teams = this.game.teams(state.options);
    fill(
      this.list,
      ...(teams ?? [all]).map((seats, team) =>
        el(
          'div',
          { class: teams ? 'side-of' : 'all' },
          teams && el('h2', {}, t('team_n', { team: teamLetter(team) })),
          ...seats.map((s) => this.seat(s)),
        ),
      ),
    );
    fill(
      this.foot,
      me &&
        el(
          'button',
          { type: 'button', class: 'plain', 'data-focus': 'leave', onclick: () => void this.leave() },
          t('leave'),
        ),
      me &&
        el(
          'button',
          {
            type: 'button',
            class: ready || calls || (taken && othersReady) ? 'plain' : 'confirm',
            'data-focus': 'ready',
            'aria-pressed': String(ready),
            onclick: () => void this.sayReady(!ready),
          },
          glyph('check'),
          el('span', {}, this.room.shared ? t(ready ? 'not_all_ready' : 'all_ready') : t(ready ? 'not_ready' : 'ready')),
        ),
      (me || you.host) &&
        el(
          'button',
          {
            type: 'button',
            class: taken && othersReady ? 'confirm' : 'plain',
            'data-focus': 'start',
            disabled: !(taken && othersReady),
            onclick: () => void this.start(),
          },
          t('start'),
        ),
      !(taken && othersReady) && el('p', { class: 'hint' }, t(taken ? 'wait_ready' : 'wait_seats')),
    );
  }

  /** Seats a computer player on every free seat. @param {number[]} all */
  async fill(all) {
    const free = all.filter((seat) => !this.room.state.seats?.[seat]);
    await Promise.all(free.map((seat) => this.act('bot', { seat, level: levelOf(this.game) })));
  }

  /** All at this device are ready, or not. @param {boolean} ready */
  sayReady(ready) {
    const { seatsHere, state } = this.room;
    const others = seatsHere.filter((seat) => Boolean(state.seats?.[seat]?.ready) !== ready);
    return Promise.all(others.map((seat) => this.act('ready', ready ? { ready, nonce: nonce() } : { ready }, [seat])));
  }

  /** Begins, and says first that all here are ready. */
  async start() {
    await this.sayReady(true);
    await this.act('start');
  }

  async leave() {
    await this.act('leave', {}, this.room.seatsHere);
    this.shell.go('#/');
  }

  /** Somebody else at this device sits down. @param {number} seat */
  seatGuest(seat) {
    const name = nameField(t('name_here'));
    const form = el('form', { class: 'create' }, name.element, el('button', { type: 'submit', class: 'confirm' }, t('sit')));
    const dialog = openDialog(t('person_here'), el('p', { class: 'hint' }, t('person_here_hint')), form);
    form.onsubmit = (event) => {
      event.preventDefault();
      dialog.close();
      void this.once(`guest ${seat}`, () => this.room.invite(name.value, { seat }));
    };
    name.input.focus();
  }

  /** @param {Message} state @returns {string[]} */
  optionWords({ options, clock, access, hints, rated }) {
    return [
      ...(rated ? [t('rated')] : []),
      ...this.game.summary(options),
      t(`clock_kind_${clock.kind}`),
      t(`access_${access}`),
      ...(this.game.hints ? [t(hints ? 'with_hints' : 'no_hints')] : []),
    ];
  }

  /** @param {number} seat */
  seat(seat) {
    const { state, you, own, shared, seatsHere, online } = this.room;
    const who = state.seats?.[seat];
    const mine = seatsHere.includes(seat);
    const guest = mine && seat !== own;
    if (!who) return this.emptySeat(seat);
    return el(
      'div',
      { class: `seat ${this.game.paint(who.colour)}${mine ? ' mine' : ''}${who.ready ? ' is-ready' : ''}`, 'data-seat': seat },
      el('span', { class: 'pieces' }, ...this.game.pieces(who.colour)),
      el(
        'span',
        { class: 'name' },
        this.game.mark(who.colour),
        ' ',
        nameOfSeat(state, seat, 'called'),
        who.handle && el('small', { class: 'handle' }, ` ${handleOf(state, seat)}`),
        mine && el('small', {}, ` ${t(shared ? 'here' : 'you')}`),
        who.bot && el('small', {}, ` ${computerText(this.game, who)}`),
      ),
      el('span', { class: 'state' }, t(who.ready ? 'is_ready' : online[seat] === false ? 'away' : 'is_waiting')),
      (guest || (you.host && !mine && !state.rated)) &&
        iconButton(
          'close',
          t('unseat', { name: nameOf(state, seat) }),
          () => void (guest ? this.act('leave', {}, [seat]) : this.act('unseat', { seat })),
          { bare: true, class: 'round quiet', 'data-focus': `unseat-${seat}` },
        ),
      mine && this.colourChoice(who.colour, seat),
    );
  }

  /** @param {number} seat */
  emptySeat(seat) {
    const { you } = this.room;
    const seated = this.room.own >= 0;
    return el(
      'div',
      { class: 'seat empty', 'data-seat': seat },
      el('span', { class: 'name' }, t('seat_n', { seat: seat + 1 })),
      el(
        'button',
        {
          type: 'button',
          'data-focus': `sit-${seat}`,
          onclick: () => void this.act(seated ? 'sit' : 'join', { seat }),
        },
        t(seated ? 'move_here' : 'sit'),
      ),
      seated &&
        iconButton('device', t('person_here'), () => this.seatGuest(seat), { class: 'plain', 'data-focus': `guest-${seat}` }),
      you.host &&
        iconButton('robot', t('add_bot'), () => void this.act('bot', { seat, level: levelOf(this.game) }), {
          class: 'plain',
          'data-focus': `bot-${seat}`,
        }),
    );
  }

  /** @param {string} own @param {number} seat */
  colourChoice(own, seat) {
    const taken = Object.values(this.room.state.seats).map(({ colour }) => colour);
    return el(
      'span',
      { class: 'colours', role: 'group', 'aria-label': t('colour') },
      ...this.game.colours.map((colour) =>
        el(
          'button',
          {
            type: 'button',
            class: 'colour',
            'data-focus': seat === this.room.own ? `colour-${colour}` : `colour-${seat}-${colour}`,
            'aria-pressed': String(colour === own),
            'aria-label': this.game.colourName(colour),
            title: this.game.colourName(colour),
            disabled: colour !== own && taken.includes(colour),
            onclick: () => void this.act('sit', { colour }, [seat]),
          },
          this.game.mark(colour),
        ),
      ),
    );
  }
}
