// The table of one match: puts board, players, hand, log and replay together, asks the server what may be done, and
// sends what was decided. The state is the server's; what is chosen but not yet sent lives in Placing and Building.

import { chime, entitle, notify } from './attention.js';
import { Board } from './games/taluva/board.js';
import { Building } from './games/taluva/building.js';
import { Cursor } from './games/taluva/cursor.js';
import { coloursOf, hexSentence, lastTurns, choiceWords, costWords } from './games/taluva/describe.js';
import { momentSentence } from './events.js';
import { el } from './dom.js';
import { Hand } from './games/taluva/hand.js';
import { hexOf, keyOf, region } from './games/taluva/hexes.js';
import { iconButton } from './icons.js';
import { LegalMoves } from './legal.js';
import { Log } from './log.js';
import { openMenu } from './menu.js';
import { placementOf, readPlacement } from './games/taluva/notation.js';
import { Overlay } from './games/taluva/overlay.js';
import { Placing } from './games/taluva/placing.js';
import { Players } from './players.js';
import { Replay } from './replay.js';
import { resultCard } from './result.js';
import { save } from './share.js';
import { Refusal } from './wire.js';
import { t } from './games/taluva/words.js';
import { sorry } from './words.js';

/** @typedef {import('./room.js').Room} Room */
/** @typedef {import('./wire.js').Message} Message */
/** @typedef {import('./games/taluva/hexes.js').Key} Key */

const RECOUNTED_MOST = 8; // moves that are told to whoever opens a table
const PANELS = '.table-bar, .cards, .side, .view-buttons, .replay, .log'; // they may lie over the board
const HAND_HEIGHT = 310; // at least this is kept clear for the hand, so that the island does not move with it

export class Table {
  /** @param {Room} room @param {import('./games/game.js').Game} game @param {import('./shell.js').Shell} shell */
  constructor(room, game, shell) {
    this.room = room;
    this.game = game;
    this.shell = shell;
    this.board = new Board();
    this.overlay = new Overlay(this.board);
    const explain = (/** @type {string} */ move) => this.explain(move);
    this.placing = new Placing(this.board, this.overlay, explain, () => this.changed());
    this.building = new Building(this.board, this.overlay, explain, () => this.changed());
    this.players = new Players(room, game);
    this.hand = new Hand(this.placing, this.building, this.board, {
      play: (move, confirm) => void this.play(move, confirm),
      undo: () => void this.act('undo'),
      take: (tile) => this.take(tile),
    });
    this.log = new Log(
      room,
      game,
      () => this.showLog(false),
      (error) => this.fail(error),
    );
    this.replay = new Replay(
      (index) => this.lookAt(index),
      () => this.leaveReplay(),
    );
    this.cursor = new Cursor(this.board, this.overlay, this.keys());
    /** Which moment is shown; -1 is now. */
    this.index = -1;
    this.legal = new LegalMoves(room, () => this.redraw());
    this.taken = '';
    /** @type {Set<string>} what was asked for and is not answered yet; all that belongs to the turn is one */
    this.underway = new Set();
    this.trouble = '';
    this.wasOver = false;
    this.edition = room.edition;
    this.opened = false;
    this.said = '';
    this.turnLine = el('p', { class: 'turn-line' });
    this.infoLine = el('p', { class: 'info-line' });
    this.side = el('div', { class: 'side' }, this.hand.element);
    this.logButton = iconButton('chat', t('log'), () => this.showLog(!this.element.classList.contains('with-log')), {
      bare: true,
      class: 'round',
      'aria-pressed': 'false',
    });
    this.element = this.build();
    this.sizes = new ResizeObserver(() => this.cover());
    for (const part of [this.side, this.players.element, this.element, this.replay.element, this.log.element])
      this.sizes.observe(part);
    this.board.hands = this.handsOnBoard();
    this.board.turned.add(() => this.redrawOverlay());
  }

  build() {
    const { board } = this;
    board.element.setAttribute('role', 'application');
    board.element.setAttribute('aria-label', t('board_label'));
    const views = el(
      'div',
      { class: 'view-buttons', role: 'group', 'aria-label': t('view') },
      iconButton('plus', t('zoom_in'), () => board.zoom(1.3), { bare: true, class: 'round' }),
      iconButton('minus', t('zoom_out'), () => board.zoom(1 / 1.3), { bare: true, class: 'round' }),
      iconButton('fit', t('fit'), () => board.fit(), { bare: true, class: 'round' }),
      iconButton('viewLeft', t('view_left'), () => board.turnBy(-1), { bare: true, class: 'round' }),
      iconButton('viewRight', t('view_right'), () => board.turnBy(1), { bare: true, class: 'round' }),
    );
    const bar = el(
      'div',
      { class: 'table-bar' },
      this.turnLine,
      this.infoLine,
      this.logButton,
      iconButton('menu', t('menu'), () => openMenu(this), { bare: true, class: 'round' }),
    );
    return el(
      'div',
      { class: 'table' },
      el('h1', { class: 'visually-hidden' }, t('table')),
      bar,
      this.players.element,
      el('div', { class: 'stage' }, board.element, views, this.replay.element),
      this.side,
      this.log.element,
    );
  }

  close() {
    this.players.close();
    this.legal.forget();
    this.replay.pause();
    this.sizes.disconnect();
  }

  /** Tells the board which parts of it lie under panels. */
  cover() {
    const stage = this.board.element.getBoundingClientRect();
    const panels = [];
    for (const panel of this.element.querySelectorAll(PANELS)) {
      const box = panel.getBoundingClientRect();
      const high = panel === this.side && box.height ? Math.max(box.height, HAND_HEIGHT) : box.height;
      if (!high || box.bottom <= stage.top || box.top >= stage.bottom) continue;
      panels.push({
        left: box.left - stage.left,
        right: box.right - stage.left,
        top: box.bottom - high - stage.top,
        bottom: box.bottom - stage.top,
      });
    }
    this.element.style.setProperty('--side-high', `${this.side.offsetHeight}px`);
    this.board.cover(panels);
  }

  // ---- what is shown ----

  get moment() {
    const { past } = this.room;
    return past[this.index < 0 ? past.length - 1 : this.index];
  }

  /** A move is under way. */
  get busy() {
    return this.underway.has('turn');
  }

  /** The server's answer to `moves`; null while it is not there. */
  get moves() {
    return this.legal.answer;
  }

  get live() {
    return this.index < 0;
  }

  get mayAct() {
    const { room } = this;
    return this.live && room.seat >= 0 && room.state.phase === 'playing' && Boolean(room.state.acting?.includes(room.seat));
  }

  /** @param {Message[]} news pushes that have just come */
  show(news) {
    if (this.edition !== this.room.edition && this.replay.open) this.leaveReplay(); // it steps through another past
    this.edition = this.room.edition;
    if (!this.opened) this.recount();
    this.opened = true;
    this.narrate(news);
    if (this.room.state.phase === 'over' && !this.wasOver) this.ended(news.length > 0);
    this.log.show();
    this.redraw();
  }

  redraw() {
    const { state } = this.moment;
    this.board.show(state.table ?? {}, coloursOf(state), state.options.zone);
    this.players.show(state, this.live);
    this.showTurn(state);
    this.redrawHand();
    this.redrawOverlay();
    this.cursor.draw();
  }

  redrawOverlay() {
    const { past } = this.room;
    const index = this.index < 0 ? past.length - 1 : this.index;
    this.overlay.showLast(lastTurns(past.slice(0, index + 1)));
    this.overlay.showTown([], '');
    if (this.placing.active) this.placing.draw();
    if (this.building.active) this.building.draw();
    this.cursor.draw();
    this.hand.refresh();
  }

  /** @param {Message} state */
  showTurn(state) {
    const { room, game } = this;
    const mine = state.phase === 'playing' && Boolean(state.acting?.includes(room.seat));
    const line =
      state.phase === 'over' ? t('over') : state.phase === 'paused' ? t('paused') : game.turnLine(state, room.seat);
    this.turnLine.textContent = line;
    this.turnLine.classList.toggle('mine', mine);
    this.infoLine.textContent = game.infoLine(state);
    entitle(this.mayAct ? `● ${t('your_turn')}` : line);
  }

  redrawHand() {
    const { room } = this;
    const { state } = this.moment;
    if (!this.mayAct) {
      this.legal.forget();
      this.idle();
    } else if (!this.legal.current) {
      this.idle();
      void this.legal.ask();
    } else if (this.moves) {
      this.offer(this.moves);
    }
    const over = state.phase === 'over' && this.live;
    if (over && !this.card) {
      this.card = resultCard(this.game, state, room.seat >= 0, {
        rematch: () => void this.rematch(),
        replay: () => void this.startReplay(0),
        record: () => void this.download(),
        home: () => this.shell.go('#/'),
      });
      this.cardFor = JSON.stringify([state.rematch]);
      this.side.append(this.card);
    } else if (this.card && (!over || this.cardFor !== JSON.stringify([state.rematch]))) {
      this.card.remove();
      this.card = undefined;
      if (over) this.redrawHand();
    }
    this.side.classList.toggle('is-over', over);
    this.hand.show({
      mode: this.mode(),
      state,
      seat: room.seat,
      busy: this.busy,
      trouble: this.trouble || this.legal.refusal,
      canDraw: this.moves?.moves?.includes('draw') ?? false,
      offers: this.offers(),
      taken: this.taken !== '',
      canUndo: this.mayAct && state.table?.turn?.step === 'build',
    });
  }

  /** @returns {'wait' | 'draw' | 'place' | 'build' | 'ask'} */
  mode() {
    if (!this.mayAct) return 'wait';
    if (!this.moves) return 'ask';
    if (this.placing.active) return 'place';
    if (this.building.active) return 'build';
    return this.moves.step === 'draw' ? 'draw' : 'ask';
  }

  /** The 2-Hex tiles among the moves. @returns {string[]} */
  offers() {
    if (this.moves?.step !== 'draw') return [];
    /** @type {string[]} */
    const moves = this.moves.moves;
    return [...new Set(moves.flatMap((move) => readPlacement(move)?.tile ?? []))].sort();
  }

  idle() {
    this.placing.stop();
    this.building.stop();
    this.taken = '';
    this.trouble = '';
  }

  // ---- what may be done ----

  /** @param {Message} moves */
  offer(moves) {
    const { state, seat } = this.room;
    if (moves.step === 'build') {
      if (!this.building.active) this.building.start(moves.moves, moves.huts ?? {}, seat, coloursOf(state)[seat]);
      return;
    }
    const tile = moves.step === 'draw' ? this.taken : (state.table.turn?.tile ?? '');
    if (!tile) this.placing.stop();
    else if (this.placing.tile !== tile) this.placing.start(tile, moves.moves, moves.eliminating ?? []);
  }

  /** @param {string} tile a 2-Hex tile, or "" */
  take(tile) {
    this.taken = tile;
    this.placing.stop();
    this.redraw();
    if (tile) this.board.element.focus({ preventScroll: true });
  }

  /** @param {string} move @returns {Promise<string>} why it may not be made, or "" */
  async explain(move) {
    try {
      await this.room.ask('check', { move });
      return '';
    } catch (error) {
      return sorry(error, this.game);
    }
  }

  /** @param {string} move @param {boolean} [confirm] */
  async play(move, confirm = false) {
    await this.act('move', { move, ...(confirm ? { confirm: true } : {}) });
  }

  /** @param {string} op @param {Message} [fields] */
  async act(op, fields = {}) {
    const what = op === 'move' || op === 'undo' ? 'turn' : `${op} ${fields.what ?? ''}`;
    if (this.underway.has(what)) return;
    this.underway.add(what);
    this.trouble = '';
    this.hand.refresh();
    try {
      await this.room.ask(op, fields);
    } catch (error) {
      this.trouble = error instanceof Refusal ? sorry(error, this.game) : String(error);
    }
    this.underway.delete(what);
    this.redrawHand();
  }

  /** @param {unknown} error */
  fail(error) {
    this.trouble = sorry(error, this.game);
    this.redrawHand();
  }

  // ---- hands and keys ----

  /** @returns {import('./games/taluva/board.js').Hands} */
  handsOnBoard() {
    const { placing, building } = this;
    return {
      tap: (hex, point) => {
        if (placing.active) placing.tap(hex, point);
        else if (building.active) building.tap(hex);
        else this.point(keyOf(hex));
      },
      hover: (hex, point) => {
        if (placing.active) placing.hover(hex, point);
        else if (!building.active) this.point(hex ? keyOf(hex) : null);
      },
      grab: (hex) => placing.active && placing.covers(hex),
      drag: (hex, point) => placing.drag(hex, point),
      drop: () => placing.look(),
      wheel: (steps) => {
        if (!placing.active) return false;
        if (steps) placing.rotate(steps);
        return true;
      },
    };
  }

  /** Outlines the settlement or lagoon that is pointed at. @param {Key | null} key */
  point(key) {
    const { island } = this.board;
    const cell = key === null ? undefined : island.cell(key);
    const lagoon = key === null ? undefined : this.lagoonAt(key);
    if (key !== null && cell?.kind) {
      this.overlay.showTown(
        region(key, (k) => island.cell(k)?.seat === cell.seat),
        coloursOf(this.moment.state)[cell.seat],
      );
    } else {
      this.overlay.showTown(lagoon ?? [], '');
    }
  }

  /** @param {Key} key */
  lagoonAt(key) {
    return [...this.board.island.lagoons.values()].find((water) => water.has(key));
  }

  /** @returns {import('./games/taluva/cursor.js').Keys} */
  keys() {
    const { placing, building, board } = this;
    return {
      label: (key) => this.labelOf(key),
      moved: (hex) => {
        if (placing.active) {
          placing.pinned = false;
          placing.at = hex;
          placing.reason = '';
          placing.drawTile();
          this.changed();
        } else {
          this.point(keyOf(hex));
        }
      },
      enter: (hex) => this.enter(hex),
      space: (hex) => this.handsOnBoard().tap?.(hex, { x: NaN, y: NaN }),
      next: (by) => {
        if (placing.active) placing.next(by);
        if (building.active) building.next(by);
        return placing.active ? placing.at : building.chosen ? hexOf(building.chosen.spots[0]) : null;
      },
      commands: {
        r: () => placing.rotate(1),
        R: () => placing.rotate(-1),
        ']': () => placing.rotate(1),
        '[': () => placing.rotate(-1),
        Escape: () => (building.active ? building.choose(null) : placing.active && placing.lift()),
        u: () => void (this.mayAct && this.act('undo')),
        d: () => void (this.mode() === 'draw' && this.play('draw')),
        f: () => board.fit(),
        '+': () => board.zoom(1.2),
        '-': () => board.zoom(1 / 1.2),
        t: () => board.turnBy(1),
        T: () => board.turnBy(-1),
      },
    };
  }

  /** Puts the tile down or chooses a build; a second time confirms. @param {import('./games/taluva/hexes.js').Hex} hex */
  enter(hex) {
    const { placing, building } = this;
    if (placing.active) {
      const here = placing.pinned && placing.at && keyOf(placing.at) === keyOf(hex);
      const { placement, verdict } = placing;
      if (!here) placing.tap(hex);
      else if (placement && verdict !== 'illegal') void this.play(placement.text, verdict === 'danger');
    } else if (building.active) {
      if (building.chosen?.spots.includes(keyOf(hex))) void this.play(building.chosen.text);
      else building.tap(hex);
    } else {
      this.point(keyOf(hex));
    }
  }

  /** @param {Key} key */
  labelOf(key) {
    const { placing, building } = this;
    const parts = [hexSentence(this.moment.state, key, (k) => this.lagoonAt(k))];
    if (placing.active) {
      const ways = placing.legal.get(key);
      parts.push(ways ? t('can_place', { n: ways.size }) : t('cannot_place'));
      if (ways?.has(placing.k) && placing.dangers.has(placementOf(placing.tile, hexOf(key), placing.k).text))
        parts.push(t('danger'));
    }
    if (building.active) {
      const here = building.choicesAt(key);
      if (here.length)
        parts.push(
          t('can_build', { what: here.map((choice) => `${choiceWords(choice)}, ${costWords(choice)}`).join('; ') }),
        );
    }
    return parts.join('. ');
  }

  /** Something was chosen, turned or moved. */
  changed() {
    this.hand.refresh();
    this.cursor.draw();
    const { placing, building } = this;
    const words =
      placing.active && placing.pinned
        ? this.hand.verdictWords()
        : building.chosen
          ? `${choiceWords(building.chosen)}, ${costWords(building.chosen)}`
          : building.reason;
    if (words && words !== this.said && words !== t('looking')) this.shell.say(words, true);
    this.said = words;
  }

  // ---- what is told ----

  /** Tells whoever opens the table what was played since their own last move, and whose turn it is. */
  recount() {
    const { past, seat, newsAfter } = this.room;
    const known = past.filter(({ seq }) => seq <= newsAfter);
    /** @type {string[]} */
    const told = [];
    for (let i = known.length - 1; i > 0 && told.length < RECOUNTED_MOST; i--) {
      const { event } = known[i];
      if (event?.kind !== 'move' || event.move === 'draw') continue;
      if (event.seat === seat) break;
      told.unshift(momentSentence(this.game, known[i], known[i - 1].state));
    }
    const turn = known.at(-1)?.state.table?.turn;
    if (turn && turn.seat === seat && this.mayAct) told.push(t(`yours_${turn.step}`));
    if (told.length) this.shell.say(told.join(' '));
  }

  /** @param {Message[]} news */
  narrate(news) {
    const { past, seat, state } = this.room;
    for (const push of news) {
      if (push.push === 'said') this.log.said(push);
      if (push.push === 'said') this.shell.say(`${push.name}: ${push.text}`);
      if (push.push !== 'event') continue;
      const index = past.findIndex(({ seq }) => seq === push.seq);
      const sentence = index > 0 && momentSentence(this.game, past[index], past[index - 1].state);
      if (sentence) this.shell.say(sentence);
      if (push.event.seat !== seat && push.event.kind === 'move') chime('move');
    }
    const turn = state.table?.turn;
    const first = news.find((push) => push.push === 'event');
    const before = first && past.findLast(({ seq }) => seq < first.seq)?.state.table?.turn;
    if (before && turn && turn.seat === seat && before.seat !== seat && state.phase === 'playing') {
      chime('turn');
      notify(t('your_turn'));
      this.shell.say(t(`yours_${turn.step}`));
    }
  }

  /** @param {boolean} justNow */
  ended(justNow) {
    this.wasOver = true;
    if (justNow) chime('over');
  }

  /** @param {boolean} on */
  showLog(on) {
    this.element.classList.toggle('with-log', on);
    this.logButton.setAttribute('aria-pressed', String(on));
    if (on) this.log.list.scrollTop = this.log.list.scrollHeight;
  }

  // ---- the past, and afterwards ----

  /** @param {number} index */
  lookAt(index) {
    const wasNow = this.live;
    this.index = index === this.room.past.length - 1 && this.room.state.phase !== 'over' ? -1 : index;
    if (wasNow && !this.live) this.idle();
    this.redraw();
    const sentence = index > 0 && momentSentence(this.game, this.room.past[index], this.room.past[index - 1].state);
    if (sentence) this.shell.say(sentence);
  }

  /** @param {number} [at] the moment to begin at; the last one if left out */
  async startReplay(at) {
    await this.room.fetchPast();
    if (!this.element.isConnected) return;
    this.show([]);
    this.replay.start(this.room.past, at);
  }

  leaveReplay() {
    this.replay.stop();
    this.index = -1;
    this.legal.forget();
    this.redraw();
  }

  async rematch() {
    try {
      const known = this.room.state.rematch;
      const { room, code } = known ? { room: known, code: '' } : await this.room.ask('rematch');
      this.shell.go(`#/r/${room}${code ? `/${code}` : ''}`);
    } catch (error) {
      this.fail(error);
    }
  }

  /** Saves the record as a file. */
  async download() {
    try {
      const { record } = await this.room.ask('record');
      save(`taluva-${this.room.id}.txt`, record);
    } catch (error) {
      this.fail(error);
    }
  }
}
