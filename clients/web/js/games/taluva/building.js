// Building: the legal builds on the island, one chosen and previewed, then confirmed. The list, and the huts that each
// build would set, came from the server.

import { hexOf, keyOf, region } from './hexes.js';
import { boxOf, pointOf } from './iso.js';
import { middleOf } from './island.js';
import { readBuild } from './notation.js';

/** @typedef {import('./hexes.js').Hex} Hex */
/** @typedef {import('./hexes.js').Key} Key */
/** @typedef {import('./notation.js').Build} Build */
/** @typedef {import('./overlay.js').SpotKind} SpotKind */
/**
 * @typedef {Build & {huts: {[key: Key]: number}, cost: number, spots: Key[], size: number}} Choice
 * `spots`: the hexes to tap for it; `size`: hexes of the settlement that expands
 */

/** The best first: where several builds share a hex, a tap offers them in this order. */
export const VERBS = ['temple', 'tower', 'boat', 'expand', 'hut'];

export class Building {
  /**
   * @param {import('./board.js').Board} board @param {import('./overlay.js').Overlay} overlay
   * @param {(move: string) => Promise<string>} explain @param {() => void} changed
   * @param {() => void} pointed something else is pointed at on the island
   */
  constructor(board, overlay, explain, changed, pointed) {
    this.board = board;
    this.overlay = overlay;
    this.explain = explain;
    this.changed = changed;
    this.pointed = pointed;
    /** @type {Choice[]} */
    this.choices = [];
    /** @type {Choice | null} */
    this.chosen = null;
    /** Only this kind of build is shown on the island, "" for all. */
    this.filter = '';
    this.colour = '';
    this.seat = -1;
    this.reason = '';
    this.active = false;
    /** What is pointed at on the island or in the list, and not chosen. @type {Choice | null} */
    this.lit = null;
    /** It is pointed at on the island: there. @type {Key} */
    this.litAt = '';
    /** What was chosen before the last tap. @type {Choice | null} */
    this.before = null;
    /** The hex that was tapped last. @type {Key} */
    this.tappedAt = '';
  }

  /** Not drawn yet. @param {string[]} moves @param {{[move: string]: {[key: Key]: number}}} huts @param {number} seat @param {string} colour */
  start(moves, huts, seat, colour) {
    this.active = true;
    this.colour = colour;
    this.seat = seat;
    this.choices = moves
      .map(readBuild)
      .filter((build) => build !== null)
      .map((build) => this.choiceOf(build, huts[build.text] ?? {}));
    this.choices.sort(
      (a, b) => VERBS.indexOf(a.verb) - VERBS.indexOf(b.verb) || b.cost - a.cost || (a.text < b.text ? -1 : 1),
    );
    this.chosen = this.choices.find((choice) => choice.text === this.chosen?.text) ?? null;
    if (!this.choices.some((choice) => choice.verb === this.filter)) this.filter = '';
    this.lit = null;
    this.litAt = '';
  }

  /** @param {Build} build @param {{[key: Key]: number}} huts @returns {Choice} */
  choiceOf(build, huts) {
    const { island } = this.board;
    const cost = Object.values(huts).reduce((sum, n) => sum + n, 0);
    const lagoon = build.verb === 'boat' ? island.lagoons.get(build.at) : undefined;
    const spots = build.verb === 'expand' ? Object.keys(huts) : lagoon ? [...lagoon] : [build.at];
    const town = build.verb === 'expand' ? region(build.at, (key) => island.cell(key)?.seat === this.seat) : new Set();
    return { ...build, huts, cost, spots, size: town.size };
  }

  stop() {
    if (!this.active) return;
    this.active = false;
    this.choices = [];
    this.chosen = null;
    this.lit = null;
    this.litAt = '';
    this.filter = '';
    this.reason = '';
  }

  /** @param {string} verb "" shows all */
  only(verb) {
    this.filter = verb === this.filter ? '' : verb;
    const shown = this.shown();
    if (this.chosen && !shown.includes(this.chosen)) this.chosen = null;
    if (verb && !this.chosen && shown.length === 1) [this.chosen] = shown;
    this.reason = '';
    this.draw();
    this.changed();
  }

  shown() {
    return this.choices.filter((choice) => !this.filter || choice.verb === this.filter);
  }

  /** @param {Key} key what may be built by tapping there, best first */
  choicesAt(key) {
    return this.shown().filter((choice) => choice.spots.includes(key));
  }

  /** All that may be built at the hex that was tapped for what is chosen, if there is more than that. */
  litHere() {
    const here = this.chosen ? this.choicesAt(this.tapped(this.chosen)) : [];
    return here.length > 1 ? here : [];
  }

  /** Where a choice was tapped, or the first hex of it. @param {Choice} choice @returns {Key} */
  tapped(choice) {
    return choice.spots.includes(this.tappedAt) ? this.tappedAt : choice.spots[0];
  }

  /** Lights what is pointed at in the list. @param {Choice | null} choice */
  light(choice) {
    if (!this.active || (this.lit === choice && !this.litAt)) return;
    this.lit = choice;
    this.litAt = '';
    this.draw();
  }

  /** Lights what may be built at a hex that is pointed at. @param {Key | null} key */
  hover(key) {
    const at = key !== null && this.choicesAt(key).length ? key : '';
    if (!this.active || at === this.litAt) return;
    this.litAt = at;
    this.lit = at ? this.choicesAt(at)[0] : null;
    this.draw();
    this.pointed();
  }

  /** Whether a choice is pointed at, or may be made at the hex that is. @param {Choice} choice */
  isLit(choice) {
    return this.lit === choice || (this.litAt !== '' && choice.spots.includes(this.litAt));
  }

  /** A second tap has followed quickly: what was chosen before the first stays, if it is there. @param {Hex} hex */
  untap(hex) {
    if (this.before?.spots.includes(keyOf(hex)) && this.before !== this.chosen) this.choose(this.before);
  }

  /** What is chosen, hex by hex, in units of the drawing. */
  boxes() {
    const { island, camera } = this.board;
    const { chosen } = this;
    if (!chosen) return [];
    const high = chosen.verb === 'tower' || chosen.verb === 'temple' || chosen.verb === 'boat' ? 44 : 0;
    return chosen.spots.map((key) => boxOf(hexOf(key), island.levelOf(key), camera.turn, high));
  }

  /** The hex that is meant by a tap: where nothing may be built, the nearest within a finger's reach. @param {Hex} hex @param {import('./iso.js').Point} point @returns {Key} */
  meant(hex, { x, y }) {
    const { island, camera } = this.board;
    if (this.choicesAt(keyOf(hex)).length) return keyOf(hex);
    let meant = keyOf(hex);
    let least = this.board.reach(0);
    for (const key of this.shown().flatMap(({ spots }) => spots)) {
      const spot = pointOf(hexOf(key), island.levelOf(key), camera.turn);
      const away = Math.hypot(spot.x - x, spot.y - y);
      if (away < least) [meant, least] = [key, away];
    }
    return meant;
  }

  /** @param {Hex} hex @param {import('./iso.js').Point} [point] */
  tap(hex, point) {
    if (!this.active) return;
    this.before = this.chosen;
    this.tappedAt = point ? this.meant(hex, point) : keyOf(hex);
    const here = this.choicesAt(this.tappedAt);
    if (here.length) this.choose(here[(here.findIndex((choice) => choice === this.chosen) + 1) % here.length]);
    else void this.sayWhyNot(hex);
  }

  /** @param {Hex} hex */
  async sayWhyNot(hex) {
    this.choose(null);
    const verb = this.filter && this.filter !== 'expand' ? this.filter : 'hut';
    this.reason = await this.explain(`${verb}@${keyOf(hex)}`);
    this.changed();
  }

  /** @param {Choice | null} choice */
  choose(choice) {
    this.chosen = choice;
    this.reason = '';
    this.draw();
    this.changed();
  }

  /** The next choice in the palette's order. @param {number} by */
  next(by) {
    const shown = this.shown();
    if (!shown.length) return;
    const index = this.chosen ? shown.indexOf(this.chosen) : by > 0 ? -1 : 0;
    this.choose(shown[(index + by + shown.length) % shown.length]);
    this.board.reveal(this.chosen?.spots[0] ?? '0,0');
  }

  draw() {
    const { chosen } = this;
    /** @type {Map<Key, SpotKind>} */
    const spots = new Map();
    for (const choice of this.shown()) for (const key of choice.spots) spots.set(key, 'build');
    const lit = this.lit === chosen ? null : this.lit;
    for (const key of lit?.spots ?? []) spots.set(key, 'lit');
    for (const key of chosen?.spots ?? []) spots.set(key, 'chosen');
    this.overlay.showSpots(spots);
    const pieces = chosen ? this.pieces(chosen) : lit ? [] : this.hints();
    const taken = new Set(pieces.map(({ key }) => key));
    const also = lit ? this.pieces(lit).filter(({ key }) => !taken.has(key)) : [];
    this.overlay.showPieces([...also.map((piece) => ({ ...piece, faint: chosen !== null })), ...pieces]);
    const town =
      chosen?.verb === 'expand' ? region(chosen.at, (key) => this.board.island.cell(key)?.seat === this.seat) : [];
    this.overlay.showTown(town, this.colour);
  }

  /** What would stand where, if this were built. @param {Choice} choice */
  pieces(choice) {
    if (choice.verb === 'boat') return [this.piece(middleOf(new Set(choice.spots)), choice, 0)];
    if (choice.verb === 'temple' || choice.verb === 'tower') return [this.piece(choice.at, choice, 0)];
    return Object.entries(choice.huts).map(([key, count]) => this.piece(key, choice, count));
  }

  /** @param {Key} key @param {Choice} choice @param {number} count */
  piece(key, choice, count) {
    const kind = /** @type {'h' | 't' | 'w' | 'b'} */ ({ temple: 't', tower: 'w', boat: 'b' }[choice.verb] ?? 'h');
    return { key, colour: this.colour, piece: { kind, count }, faint: false };
  }

  /** What a tap on each spot would offer first, faintly. */
  hints() {
    /** @type {Map<Key, ReturnType<Building['piece']>>} */
    const hints = new Map();
    for (const choice of this.shown()) {
      if (choice.verb === 'hut' && this.filter !== 'hut' && this.choices.some(({ verb }) => verb !== 'hut')) continue;
      for (const piece of this.pieces(choice))
        if (!hints.has(piece.key)) hints.set(piece.key, { ...piece, faint: true });
    }
    return [...hints.values()];
  }
}
