// The table of one match: puts the game's view, players, log and replay together, asks the server what may be done, and sends
// what was decided. The state is the server's; what is chosen but not yet sent lives in the game's view.

import { Asks } from './asks.js';
import { setTitle, notify } from './attention.js';
import { AskToTell } from './asktell.js';
import { el } from './dom.js';
import { momentSentence, outcome } from './events.js';
import { Part } from './frames.js';
import { Heard } from './heard.js';
import { Hint } from './hint.js';
import { iconButton } from './icons.js';
import { LegalMoves } from './legal.js';
import { Log, talkText } from './log.js';
import { openMenu } from './menu.js';
import { panelsOver } from './panels.js';
import { Pill } from './pill.js';
import { Cue } from './cue.js';
import { Players } from './players.js';
import { eyesOf, Replay } from './replay.js';
import { resultCard } from './result.js';
import { save, savePicture, shareLink } from './share.js';
import { playAgain } from './solo.js';
import { Refusal } from './wire.js';
import { errorText, fetchWorded, nameOf, ratedText, t } from './words.js';

/** @typedef {import('./room.js').Room} Room */
/** @typedef {import('./wire.js').Message} Message */

/** There is room for the list of moves beside all else. */
const WIDE = window.matchMedia('(min-width: 901px) and (min-height: 561px)');
const RECOUNTED_MOST = 8; // moves that are told to whoever opens a table

export class Table {
  /**
   * @param {Room} room @param {import('./games/game.js').Game} game @param {import('./games/game.js').ViewClass} View of the game
   * @param {import('./shell.js').Shell} shell
   */
  constructor(room, game, View, shell) {
    this.room = room;
    this.game = game;
    this.shell = shell;
    this.view = new View({
      play: (move, confirm) => void this.play(move, confirm),
      undo: () => void (this.live && this.act('undo')),
      explain: (move) => this.explain(move),
      hint: () => this.hint.press(),
      say: (text, passing) => shell.say(text, passing),
      reworded: () => this.sayAnew(),
      kept: room.kept,
    });
    this.players = new Players(room, game);
    this.hint = new Hint(
      room,
      game,
      () => this.showView(),
      (text) => shell.say(text),
    );
    this.askToTell = new AskToTell(room, shell);
    /** @type {import('./analysis.js').Analysis | null} fetched when it is asked for */
    this.analysis = null;
    this.log = new Log(
      room,
      game,
      () => this.showLog(false),
      (error) => this.fail(error),
      (text) => shell.toast(text),
    );
    this.replay = new Replay(
      (index) => this.lookAt(index),
      () => this.leaveReplay(),
      (as) => void this.lookAs(as),
      () => void this.analyse(),
      () => this.showMoves(!this.list?.open),
    );
    /** @type {import('./moves.js').Moves | null} the list of moves, fetched with the first replay */
    this.list = null;
    /** What is replayed, and whose eyes saw it so; null: nothing is. @type {{as: string, past: import('./room.js').Moment[]} | null} */
    this.replayed = null;
    /** Which moment is shown; -1 is now. */
    this.index = -1;
    this.legal = new LegalMoves(room, () => this.showView());
    /** @type {Set<string>} what was asked for and is not answered yet; all that belongs to the turn is one */
    this.underway = new Set();
    this.trouble = '';
    this.wasOver = false;
    this.edition = room.edition;
    this.opened = false;
    this.closed = false;
    this.cue = new Cue();
    /** @type {HTMLElement | null} how it went, when it is over */
    this.card = null;
    this.cardFor = '';
    this.turnWords = el('span', {});
    this.heard = new Heard(room, game, (text) => shell.say(text));
    this.pill = new Pill(room, () => this.showTitle(), () => this.heard.hurry());
    this.turnLine = el('p', { class: 'turn-line' }, this.turnWords, ' ', this.pill.element);
    this.titleWords = '';
    this.sideHigh = '';
    this.infoLine = el('p', { class: 'info-line' });
    this.side = el('div', { class: 'side' }, this.hint.element, this.view.prompt, this.askToTell.element);
    const showLog = () => this.showLog(!this.element.classList.contains('with-log'));
    this.logButton = iconButton('chat', t('log'), showLog, { bare: true, class: 'round', 'aria-pressed': 'false' });
    this.asks = new Asks(this);
    this.element = this.build();
    this.drawing = {
      focus: new Part(() => this.takeFocus()),
      picture: new Part(() => this.drawView()),
      panels: new Part(() => this.drawPanels()),
      card: new Part(() => this.showResult(this.moment.state)),
      log: new Part(() => this.log.show()),
    };
    this.sizes = new ResizeObserver(() => this.cover());
    for (const part of [this.view.picture, this.asks.element, this.side, this.players.element, this.element, this.replay.element, this.log.element])
      this.sizes.observe(part);
  }

  build() {
    const { view } = this;
    const viewTools = el('div', { class: 'view-tools', role: 'group', 'aria-label': t('view') }, ...view.tools);
    const tools = el('div', { class: 'view-buttons' }, viewTools, this.hint.button);
    const bar = el(
      'div',
      { class: 'table-bar' },
      this.turnLine,
      this.infoLine,
      this.logButton,
      iconButton('menu', t('menu'), () => openMenu(this), { bare: true, class: 'round' }),
      this.heard.button,
    );
    return el(
      'div',
      { class: 'table' },
      el('h1', { class: 'visually-hidden' }, t('table')),
      bar,
      this.players.element,
      el('div', { class: 'stage' }, view.picture, tools, this.replay.element, this.cue.element, this.asks.element),
      this.side,
      this.log.element,
    );
  }

  /** It is on the screen: takes the focus when that has been painted, which to look for a place for it would do a second time. */
  enter() {
    this.drawing.focus.ask();
  }

  /** If nothing has it: the page that had it is gone. */
  takeFocus() {
    if (document.activeElement && document.activeElement !== document.body) return;
    if (this.view.opened) this.view.opened();
    else this.view.picture.focus({ preventScroll: true });
  }

  close() {
    this.closed = true;
    for (const part of Object.values(this.drawing)) part.drop();
    this.view.closed?.();
    this.pill.close();
    this.askToTell.close();
    this.heard.close();
    this.players.close();
    this.legal.forget();
    this.replay.pause();
    this.sizes.disconnect();
  }

  /** Tells the view which parts of its picture lie under panels. */
  cover() {
    const panels = panelsOver(this.view.picture, this.element, this.side);
    // There alone: on the whole table it would be inherited by each part of the picture, and all styles made anew.
    const high = `${this.side.offsetHeight}px`;
    if (high !== this.sideHigh) this.log.element.style.setProperty('--side-high', high);
    this.sideHigh = high;
    this.view.cover(panels);
  }

  // ---- what is shown ----

  /** Is there an analysis to be had? Of what is over, where the server makes them: it says so. */
  get canAnalyse() {
    const { room, game } = this;
    return game.analysis && room.state.phase === 'over' && Boolean(room.wire.hello.analyses?.includes(game.id));
  }

  /** The moments that can be shown. */
  get past() {
    return this.replayed?.past ?? this.room.past;
  }

  /** Whose seat the table is shown to; -1: nobody's, also while somebody else's eyes are looked through. */
  get seat() {
    const { room, replayed } = this;
    return !replayed || replayed.as === room.self ? room.seat : -1;
  }

  get moment() {
    const { past } = this;
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
    this.redraw();
  }

  /** Something has changed: what is known by other means than the picture at once, what is drawn in the next frames. */
  redraw() {
    if (this.closed) return;
    this.showView();
    this.nameTurn(this.moment.state);
    this.drawing.panels.ask();
    this.drawing.card.ask();
  }

  drawPanels() {
    const { state } = this.moment;
    this.players.show(state, this.live);
    this.showTurn(state);
    this.showWho();
  }

  /** Says whose turn it is to the people at this device, where they all look at the same table. */
  showWho() {
    const { room } = this;
    if (!room.shared || room.shared.secret || !this.mayAct) this.cue.forget();
    else this.cue.show(room.seat, this.whoseTurn, this.game.mark(room.state.seats[room.seat].colour));
  }

  /** What the visitor is told when it is their turn: by name, if others play at this device too. */
  get whoseTurn() {
    const { room } = this;
    return room.shared ? t('turn_of', { name: nameOf(room.state, room.seat) }) : t('your_turn');
  }

  /** Asks for the moves of a new table, and for the picture of it. */
  showView() {
    if (this.closed) return;
    const { legal } = this;
    if (!this.mayAct) {
      legal.forget();
      this.trouble = '';
    } else if (!legal.current) {
      this.trouble = '';
      void legal.ask();
    }
    this.drawing.picture.ask();
  }

  drawView() {
    const { room, legal } = this;
    this.hint.show(this.mayAct);
    this.askToTell.show(this.live && !this.mayAct);
    this.view.show({
      state: this.moment.state,
      past: this.live ? room.past : this.past.slice(0, this.index + 1),
      seat: this.seat,
      live: this.live,
      mayAct: this.mayAct,
      moves: legal.answer,
      busy: this.busy,
      trouble: this.trouble || legal.refusal,
      advice: this.advice,
    });
    this.asks.show();
    this.drawing.log.ask(); // after what the view draws later
  }

  /** The turn to point out. */
  get advice() {
    if (this.live) return this.hint.advice;
    return this.analysis?.advice ?? null;
  }

  /** What is written on the screen about places. */
  sayAnew() {
    this.log.forget();
    this.log.show();
    if (!this.hint.element.hidden) this.hint.draw();
    if (this.analysis?.open) this.analysis.show();
    this.list?.forget();
    if (this.list?.open) this.showMoves(true);
  }

  /** @param {Message} state */
  showTurn(state) {
    const mine = state.phase === 'playing' && Boolean(state.acting?.includes(this.seat));
    this.turnWords.textContent = state.phase === 'over' ? t('over') : this.titleWords;
    this.turnLine.classList.toggle('mine', mine);
    this.infoLine.textContent = this.game.infoLine(state);
  }

  /** @param {Message} state */
  nameTurn(state) {
    const { seat, game } = this;
    const together = this.room.shared && !this.room.shared.secret;
    const over = state.phase === 'over' ? outcome(game, state, this.room.shared ? -1 : seat) : null;
    const [winner] = over ? game.winners(state) : [];
    this.cue.showEnd(over?.decided && this.live ? over.words : '', Boolean(over?.won), game.paint(state.seats?.[winner]?.colour ?? ''));
    this.titleWords = over ? over.words : state.phase === 'paused' ? t('paused') : game.turnLine(state, together ? -1 : seat);
    this.pill.tick();
    this.showTitle();
  }

  /** Whose turn it is, and the visitor's own clock while it runs: also seen from another window. */
  showTitle() {
    const mine = ['●', this.pill.text, this.whoseTurn].filter(Boolean).join(' ');
    setTitle(this.mayAct ? mine : this.titleWords, this.game.title);
  }

  /** @param {Message} state */
  showResult(state) {
    const over = state.phase === 'over' && this.live;
    const key = over ? `over ${state.rematch ?? ''} ${this.canAnalyse} ${this.room.edition}` : '';
    this.side.classList.toggle('is-over', over);
    if (key === this.cardFor) return;
    this.cardFor = key;
    this.card?.remove();
    this.card = over ? this.resultCard(state) : null;
    if (this.card) this.side.append(this.card);
  }

  /** @param {Message} state */
  resultCard(state) {
    const { game, room, shell } = this;
    const picture = () => void savePicture(game, room, 'png').catch((error) => this.fail(error));
    return resultCard(game, state, room.seat, Boolean(room.shared), room.past, {
      rematch: () => void this.rematch(),
      replay: () => void this.startReplay(0),
      analyse: this.canAnalyse ? () => void this.analyse() : null,
      record: () => void this.download(),
      picture: game.portrait && state.table ? picture : null,
      share: () => void shareLink(room, shell),
      home: () => shell.go('#/'),
    });
  }

  // ---- what may be done ----

  /** @param {string} move @returns {Promise<string>} why it may not be made, or "" */
  async explain(move) {
    try {
      await this.room.ask('check', { move });
      return '';
    } catch (error) {
      return errorText(error, this.game);
    }
  }

  /** @param {string} move @param {boolean} [confirm] */
  async play(move, confirm = false) {
    await this.act('move', { move, ...(confirm ? { confirm: true } : {}) });
  }

  /** @param {string} op @param {Message} [fields] @param {number[]} [seats] at this device, if it is for others than the one who looks */
  async act(op, fields = {}, seats = undefined) {
    const what = op === 'move' || op === 'undo' ? 'turn' : `${op} ${fields.what ?? ''}`;
    if (this.underway.has(what)) return;
    this.underway.add(what);
    this.trouble = '';
    try {
      this.room.wire.expectLine();
      if (seats) await this.room.askFor(seats, op, fields);
      else await this.room.ask(op, fields);
    } catch (error) {
      this.complain(error instanceof Refusal ? errorText(error, this.game) : String(error));
    }
    this.underway.delete(what);
    this.showView();
  }

  /** @param {unknown} error */
  fail(error) {
    this.complain(errorText(error, this.game));
    this.showView();
  }

  /** Says what went wrong: with the prompt if the visitor may move, else on its own. @param {string} text */
  complain(text) {
    if (this.closed) return;
    if (this.mayAct) this.trouble = text;
    else this.shell.toast(text);
  }

  // ---- announcements ----

  /** Announces, when the table is opened, what was played since the visitor's last move, and whose turn it is. */
  recount() {
    const { past, seat, newsAfter } = this.room;
    const known = past.filter(({ seq }) => seq <= newsAfter);
    /** @type {string[]} */
    const told = [];
    for (let i = known.length - 1; i > 0 && told.length < RECOUNTED_MOST; i--) {
      const { event } = known[i];
      if (event?.kind !== 'move') continue;
      if (event.seat === seat) break;
      told.unshift(momentSentence(this.game, known[i], known[i - 1].state));
    }
    if (this.mayAct) told.push(this.game.turnLine(this.room.state, seat));
    if (told.length) this.shell.say(told.join(' '));
  }

  /** @param {Message[]} news */
  narrate(news) {
    const { game } = this;
    const { past, seat, state } = this.room;
    for (const push of news) {
      if (push.push === 'said') this.shell.say(talkText(push));
      if (push.push === 'rated') this.shell.toast(ratedText(push));
      if (push.push !== 'event') continue;
      const index = past.findIndex(({ seq }) => seq === push.seq);
      const sentence = index > 0 && momentSentence(game, past[index], past[index - 1].state);
      if (sentence) this.shell.say(sentence);
    }
    this.heard.hear(news);
    const first = news.find((push) => push.push === 'event');
    const before = first && past.findLast(({ seq }) => seq < first.seq)?.state.acting;
    if (before && !before.includes(seat) && state.acting?.includes(seat) && state.phase === 'playing') {
      this.heard.turn();
      notify(this.whoseTurn, this.game.title, this.room.id);
      this.shell.say(this.room.shared ? this.whoseTurn : game.turnLine(state, seat));
    }
  }

  /** @param {boolean} justNow */
  ended(justNow) {
    this.wasOver = true;
    if (justNow) this.heard.end(this.room.state);
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
    const { past } = this;
    this.index = index === past.length - 1 && this.room.state.phase !== 'over' ? -1 : index;
    this.analysis?.follow(index);
    this.list?.follow(index);
    this.redraw();
    if (this.list?.focused) return; // it is read there
    const sentence = index > 0 && momentSentence(this.game, past[index], past[index - 1].state);
    if (sentence) this.shell.say(sentence);
  }

  /** @param {number} [at] the moment to begin at; the last one if left out */
  async startReplay(at) {
    const { room } = this;
    await room.fetchPast();
    const eyes = eyesOf(room.state, this.game);
    const as = eyes.length ? eyes[0][0] : room.self;
    const past = await this.seenBy(as);
    if (!past || !this.element.isConnected) return;
    this.show([]);
    this.replayed = { as, past };
    this.replay.start(past, at, eyes, as);
    this.showAnalysis(false);
    await this.fetchMoves();
    if (this.replay.open && (WIDE.matches || !this.game.hidden)) this.showMoves(true);
  }

  async fetchMoves() {
    try {
      const { Moves } = await fetchWorded(() => import('./moves.js'));
      this.list ??= new Moves(this.game, (index) => this.replay.goToMoment(index), () => this.showMoves(false));
      if (!this.list.element.isConnected) this.side.append(this.list.element);
    } catch (error) {
      this.fail(error); // the replay goes on without
    }
  }

  /** @param {boolean} on */
  showMoves(on) {
    const { list, replay, analysis } = this;
    if (!list) return;
    if (on && analysis?.open) this.showAnalysis(false);
    list.element.hidden = !on || !replay.open;
    this.element.classList.toggle('with-moves', list.open);
    replay.listButton.setAttribute('aria-pressed', String(list.open));
    if (!list.open) return;
    list.show(this.past, replay.stops, analysis?.marks ?? new Map());
    list.follow(this.index);
  }

  /** Shows the analysis beside the replay, or hides it. */
  async analyse() {
    if (this.analysis?.open) return this.showAnalysis(false);
    if (!this.replay.open) await this.startReplay();
    if (!this.replay.open || (!this.analysis && !(await this.fetchAnalysis()))) return;
    this.showAnalysis(true);
    this.analysis?.element.focus({ preventScroll: true });
  }

  async fetchAnalysis() {
    try {
      const { Analysis } = await fetchWorded(() => import('./analysis.js'));
      this.analysis ??= new Analysis(this.room, this.game, {
        past: () => this.past,
        go: (moment) => this.replay.goToMoment(moment),
        changed: () => this.redraw(),
        close: () => this.showAnalysis(false),
        say: (text) => this.shell.say(text),
      });
      if (!this.analysis.element.isConnected) this.side.append(this.analysis.element);
      return true;
    } catch (error) {
      this.fail(error);
      return false;
    }
  }

  /** @param {boolean} on */
  showAnalysis(on) {
    const { analysis, replay } = this;
    if (on) this.showMoves(false);
    if (analysis && on) analysis.show();
    else if (analysis) analysis.element.hidden = true;
    analysis?.follow(this.index);
    this.element.classList.toggle('with-analysis', on && replay.open);
    replay.offerAnalysis(this.canAnalyse, on);
    if (replay.open) this.redraw();
  }

  /** The same moment with the eyes of somebody else. @param {string} as */
  async lookAs(as) {
    const past = await this.seenBy(as);
    if (!this.replayed || this.replay.eyes.value !== as) return; // something else was chosen meanwhile
    if (past) this.replayed = { as, past };
    this.replay.follow(this.past, this.replay.at, this.replayed.as);
    if (this.list?.open) this.showMoves(true);
  }

  /** @param {string} as @returns {Promise<import('./room.js').Moment[] | null>} null: the server would not say, which is told */
  async seenBy(as) {
    try {
      return await this.room.pastAs(as);
    } catch (error) {
      this.fail(error);
      return null;
    }
  }

  leaveReplay() {
    this.showAnalysis(false);
    this.replay.stop();
    this.showMoves(false);
    this.replayed = null;
    this.index = -1;
    this.legal.forget();
    this.redraw();
  }

  async rematch() {
    const address = await playAgain(this.room).catch((error) => void this.fail(error));
    if (address) this.shell.go(address);
  }

  /** Saves the record as a file. */
  async download() {
    try {
      const record = await this.room.record();
      save(`${this.game.id}-${this.room.id}.txt`, record);
    } catch (error) {
      this.fail(error);
    }
  }
}
