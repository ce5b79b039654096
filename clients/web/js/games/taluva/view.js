// What a table shows of Taluva: the board with the island, the hand with what may be done, and the keys. It holds what is
// chosen but not yet sent; what is legal comes from the server.

import { el } from '../../dom.js';
import { iconButton } from '../../icons.js';
import { imagined, touched } from './advice.js';
import { Part } from '../../frames.js';
import { AtPiece } from './atpiece.js';
import { Board } from './board.js';
import { Building } from './building.js';
import { Cursor } from './cursor.js';
import { decisiveKeys } from './decided.js';
import { choiceWords, coloursOf, costWords, hexSentence, lastTurns } from './describe.js';
import { Hand, pieceOfChoice } from './hand.js';
import { hexOf, keyOf, neighbours, region } from './hexes.js';
import { Motion } from './motion.js';
import { pointOf } from './iso.js';
import { placementOf, readPlacement } from './notation.js';
import { Overlay } from './overlay.js';
import { Placing } from './placing.js';
import { lookFrom } from './where.js';
import { t } from './words.js';

/** @typedef {import('../game.js').Message} Message */
/** @typedef {import('../game.js').Shown} Shown */
/** @typedef {import('./hexes.js').Key} Key */
/** @typedef {import('./advice.js').Imagined} Imagined */

export class TableView {
  /** @param {import('../game.js').Host} host */
  constructor(host) {
    this.host = host;
    this.board = new Board();
    this.overlay = new Overlay(this.board);
    const changed = () => this.changed();
    this.placing = new Placing(this.board, this.overlay, host.explain, changed);
    this.building = new Building(this.board, this.overlay, host.explain, changed, () => this.hand.refresh(false));
    this.hand = new Hand(this.placing, this.building, this.board, {
      play: host.play,
      undo: host.undo,
      take: (tile) => this.take(tile),
    });
    this.cursor = new Cursor(this.board, this.overlay, this.keys());
    this.motion = new Motion(this.board, this.overlay.spotGroup);
    this.atPiece = new AtPiece(this.board, t('at_piece'));
    /** @type {Shown | null} */
    this.shown = null;
    /** @type {Message | null} the list of moves that is being chosen from */
    this.offered = null;
    /** The 2-Hex tile that was taken into the hand; "" without one. */
    this.taken = '';
    this.said = '';
    /** What was chosen, in words: after it is painted. */
    this.saying = new Part(() => this.sayChosen());
    this.pointedOut = '';
    /** The turns that are pointed out, as they would lie there. @type {{best: Imagined | null, instead: Imagined | null}} */
    this.advised = { best: null, instead: null };
    this.marks = new Part(() => this.drawOverlay());
    this.allButton = iconButton('dots', t('all_places'), () => this.toggleAll(), { bare: true, class: 'round', 'aria-pressed': 'false', hidden: true });
    this.board.hands = this.handsOnBoard();
    this.board.turned.add(() => this.turned());
    lookFrom(0);
    this.picture.setAttribute('role', 'application');
    this.picture.setAttribute('aria-label', t('board_label'));
  }

  get picture() {
    return this.board.element;
  }

  get prompt() {
    return this.hand.element;
  }

  get tools() {
    const { board } = this;
    const button = (/** @type {string} */ name, /** @type {string} */ label, /** @type {() => void} */ act) =>
      iconButton(name, label, act, { bare: true, class: 'round' });
    return [
      button('plus', t('zoom_in'), () => board.zoom(1.3)),
      button('minus', t('zoom_out'), () => board.zoom(1 / 1.3)),
      button('fit', t('fit'), () => board.fitTurned()),
      button('viewLeft', t('view_left'), () => board.turnBy(-1)),
      button('viewRight', t('view_right'), () => board.turnBy(1)),
      this.allButton,
    ];
  }

  /** Shows all places for the tile, or only those near the pointer. */
  toggleAll() {
    if (!this.placing.active || !this.placing.calm) return;
    this.placing.toggleAll();
    this.showAllButton();
  }

  showAllButton() {
    const { active, calm, all } = this.placing;
    this.allButton.hidden = !active || !calm;
    this.allButton.setAttribute('aria-pressed', String(all));
  }

  /** North is where it is up now, in all that is said. */
  turned() {
    lookFrom(this.board.camera.turn);
    this.drawOverlay();
    this.hand.refresh();
    this.host.reworded();
  }

  /** @param {import('../game.js').Box[]} panels */
  cover(panels) {
    this.board.cover(panels);
  }

  /** The table was opened. */
  opened() {
    this.board.takeFocus();
  }

  /** @returns {Message} */
  get state() {
    return this.shown?.state ?? {};
  }

  /** The table is left. */
  closed() {
    const { marks, hand, atPiece, cursor, placing, saying } = this;
    for (const part of [marks, hand.part, hand.filling, atPiece.part, cursor.telling, placing.spotting, saying]) part.drop();
  }

  /** The island at once; what may be done there, and the hand, in the next frames. @param {Shown} shown */
  show(shown) {
    const { state, moves } = shown;
    const anew = state.table !== this.shown?.state.table;
    const before = anew ? this.motion.before() : null;
    this.shown = shown;
    this.board.show(state.table ?? {}, coloursOf(state), state.options.zone);
    if (moves !== this.offered) this.idle();
    this.offered = moves;
    if (moves) this.offer(moves);
    this.imagine(shown.advice);
    if (anew) this.motion.play(before, shown.past.at(-1)?.event?.seat === shown.seat);
    this.overlay.showLast(lastTurns(shown.past)); // it is painted with the island
    this.marks.ask();
    this.showHand(shown);
  }

  /** What lies above the island. */
  drawOverlay() {
    this.marks.drop();
    if (!this.shown) return;
    const { overlay, placing, building } = this;
    const { state, live, past, advice } = this.shown;
    const { best, instead } = this.advised;
    overlay.showLast(lastTurns(past));
    overlay.showDecisive(live && state.phase === 'over' ? decisiveKeys(state) : []);
    overlay.showAdvice(best, instead, coloursOf(state)[advice?.seat ?? -1] ?? '', advice?.mark ?? '');
    if (placing.active) placing.draw();
    else overlay.showTile(null, 0, 'legal', false, []);
    if (building.active) building.draw();
    else {
      overlay.showTown([], '');
      overlay.showPieces([]);
    }
    if (!placing.active && !building.active) overlay.showSpots(new Map());
    this.cursor.draw();
    this.showAtPiece();
    this.showAllButton();
  }

  /** The turns to point out; they are seen, and so are the places for the tile. @param {import('../game.js').Advice | null} advice */
  imagine(advice) {
    const { state, board } = this;
    const turn = (/** @type {string[]} */ moves) =>
      advice && moves.length ? imagined(state.table?.hexes ?? {}, moves, advice.seat) : null;
    const best = turn(advice?.moves ?? []);
    const instead = turn(advice?.instead ?? []);
    this.advised = { best, instead };
    const keys = [best, instead].flatMap((one) => (one ? touched(one) : []));
    const around = keys.flatMap((key) => [key, ...neighbours(key)]); // so that its hexes are seen whole
    board.want([...this.placing.legal.keys(), ...new Set(around)]);
    if (keys.length && keys.join() !== this.pointedOut && board.camera.held) board.reveal(keys[0]);
    this.pointedOut = keys.join();
  }

  /** @param {Shown} shown */
  showHand({ state, seat, mayAct, moves, busy, trouble }) {
    this.hand.show({
      mode: this.mode(),
      state,
      seat,
      busy,
      trouble,
      canDraw: moves?.moves?.includes('draw') ?? false,
      offers: this.offers(),
      taken: this.taken !== '',
      canUndo: mayAct && state.table?.turn?.step === 'build',
    });
  }

  /** @returns {'wait' | 'draw' | 'place' | 'build' | 'ask'} */
  mode() {
    if (!this.shown?.mayAct) return 'wait';
    if (!this.offered) return 'ask';
    if (this.placing.active) return 'place';
    if (this.building.active) return 'build';
    return this.offered.step === 'draw' ? 'draw' : 'ask';
  }

  /** The 2-Hex tiles among the moves. @returns {string[]} */
  offers() {
    if (this.offered?.step !== 'draw') return [];
    /** @type {string[]} */
    const moves = this.offered.moves;
    return [...new Set(moves.flatMap((move) => readPlacement(move)?.tile ?? []))].sort();
  }

  idle() {
    this.placing.stop();
    this.building.stop();
    this.taken = '';
  }

  /** @param {Message} moves */
  offer(moves) {
    const { state } = this;
    const seat = this.shown?.seat ?? -1;
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
    if (!this.shown) return;
    this.taken = tile;
    this.placing.stop();
    this.show(this.shown);
    if (tile) this.picture.focus({ preventScroll: true });
  }

  // ---- pointer and keys ----

  /** @returns {import('./board.js').Hands} */
  handsOnBoard() {
    const { placing, building } = this;
    return {
      tap: (hex, point, twice) => {
        if (twice && (placing.active ? placing.pinned : building.chosen)) this.tapTwice(hex);
        else if (placing.active) placing.tap(hex, point);
        else if (building.active) building.tap(hex, point);
        else this.point(keyOf(hex));
      },
      hover: (hex, point) => {
        if (placing.active) placing.hover(hex, point);
        else if (building.active) building.hover(hex ? keyOf(hex) : null);
        else this.point(hex ? keyOf(hex) : null);
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
        coloursOf(this.state)[cell.seat],
      );
    } else {
      this.overlay.showTown(lagoon ?? [], '');
    }
  }

  /** @param {Key} key */
  lagoonAt(key) {
    return [...this.board.island.lagoons.values()].find((water) => water.has(key));
  }

  /** @returns {import('./cursor.js').Keys} */
  keys() {
    const { placing, building, board } = this;
    return {
      label: (key) => this.labelOf(key),
      level: (key) => (placing.active ? placing.levelOver(key) : undefined),
      moved: (hex) => {
        if (placing.active) {
          placing.pinned = false;
          placing.at = hex;
          placing.reason = '';
          placing.near(pointOf(hex, board.island.levelOf(keyOf(hex)), board.camera.turn));
          placing.drawTile();
          this.changed();
        } else {
          this.point(keyOf(hex));
        }
      },
      enter: (hex) => this.enter(hex),
      space: (hex) => this.handsOnBoard().tap?.(hex, { x: NaN, y: NaN }, false),
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
        u: () => this.shown?.mayAct && this.host.undo(),
        a: () => this.toggleAll(),
        h: () => this.host.hint(),
        d: () => this.mode() === 'draw' && this.host.play('draw'),
        f: () => board.fitTurned(),
        '+': () => board.zoom(1.2),
        '-': () => board.zoom(1 / 1.2),
        t: () => board.turnBy(1),
        T: () => board.turnBy(-1),
      },
    };
  }

  /** A double click or double tap: confirms what is chosen there. @param {import('./hexes.js').Hex} hex */
  tapTwice(hex) {
    const { placing, building } = this;
    if (placing.active) placing.untap();
    else building.untap(hex);
    if (placing.active || building.chosen?.spots.includes(keyOf(hex))) this.confirm(false);
  }

  /** Sends what is chosen, if it may be. @param {boolean} anyway even if it would leave nothing to build */
  confirm(anyway) {
    const { placing, building } = this;
    if (this.shown?.busy) return;
    if (placing.active) {
      const { placement, verdict, pinned } = placing;
      if (placement && pinned && (verdict === 'legal' || (verdict === 'danger' && anyway)))
        this.host.play(placement.text, verdict === 'danger');
    } else if (building.chosen) {
      this.host.play(building.chosen.text);
    }
  }

  /** The buttons beside what is chosen. */
  showAtPiece() {
    const { placing, building } = this;
    const busy = Boolean(this.shown?.busy);
    const button = (/** @type {string} */ name, /** @type {string} */ label, /** @type {() => void} */ act, more = {}) =>
      iconButton(name, label, act, { bare: true, class: 'round', 'data-focus': `piece-${name}`, ...more });
    const leave = (/** @type {() => void} */ act) => () => {
      act();
      this.picture.focus({ preventScroll: true });
    };
    if (placing.active && placing.pinned) {
      const danger = placing.verdict === 'danger';
      this.atPiece.show(placing.boxes(), () => [
        button('left', t('piece_left'), () => placing.rotate(-1, true)),
        button('right', t('piece_right'), () => placing.rotate(1, true)),
        button('close', t('piece_away'), leave(() => placing.lift())),
        button('check', t(danger ? 'place_anyway' : 'place'), leave(() => this.confirm(true)), {
          class: `round confirm${danger ? ' dangerous' : ''}`,
          disabled: busy || placing.verdict === 'illegal',
        }),
      ]);
    } else if (building.active && building.chosen) {
      const others = building.litHere();
      this.atPiece.show(building.boxes(), () => [
        ...others.map((choice) =>
          el(
            'button',
            {
              type: 'button',
              class: 'round other',
              'aria-label': `${choiceWords(choice, this.state)}, ${costWords(choice)}`,
              title: choiceWords(choice, this.state),
              'aria-pressed': String(choice === building.chosen),
              'data-focus': `piece-${choice.text}`,
              onclick: () => building.choose(choice),
            },
            pieceOfChoice(choice, building.colour),
          ),
        ),
        button('close', t('piece_away'), leave(() => building.choose(null))),
        button('check', t('build'), leave(() => this.confirm(true)), { class: 'round confirm', disabled: busy }),
      ]);
    } else {
      this.atPiece.show([], () => []);
    }
  }

  /** Puts the tile down or chooses a build; a second time confirms. @param {import('./hexes.js').Hex} hex */
  enter(hex) {
    const { placing, building } = this;
    if (placing.active) {
      const here = placing.pinned && placing.at && keyOf(placing.at) === keyOf(hex);
      if (!here) placing.tap(hex);
      else this.confirm(true);
    } else if (building.active) {
      if (building.chosen?.spots.includes(keyOf(hex))) this.confirm(true);
      else building.tap(hex);
    } else {
      this.point(keyOf(hex));
    }
  }

  /** @param {Key} key */
  labelOf(key) {
    const { placing, building } = this;
    const parts = [hexSentence(this.state, key, (k) => this.lagoonAt(k), this.shown?.seat ?? -1)];
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
          t('can_build', { what: here.map((choice) => `${choiceWords(choice, this.state)}, ${costWords(choice)}`).join('; ') }),
        );
    }
    return parts.join('. ');
  }

  /** Something was chosen, turned or moved. */
  changed() {
    const { placing, building } = this;
    // a key goes on from what was chosen, however that was done
    if (placing.active && placing.pinned && placing.at) this.cursor.follow(placing.at);
    else if (building.chosen && !building.chosen.spots.includes(keyOf(this.cursor.hex)))
      this.cursor.follow(hexOf(building.tapped(building.chosen)));
    this.hand.refresh();
    this.cursor.draw();
    this.showAtPiece();
    this.saying.ask();
  }

  sayChosen() {
    const { placing, building } = this;
    const words =
      placing.active && placing.pinned
        ? this.hand.verdictWords()
        : building.chosen
          ? this.hand.chosenWords(building.chosen)
          : building.reason;
    if (words && words !== this.said && words !== t('looking')) this.host.say(words, true);
    this.said = words;
  }
}
