// Placing the tile in hand: it follows the pointer, snaps to places, turns, is put down as a
// preview and confirmed. The legal placements came from the server (`moves`), which is also asked
// why one is illegal (`check`). No rule is applied here.

import { Part } from '../../frames.js';
import { distance, hexOf, keyOf } from './hexes.js';
import { boxOf, pointOf } from './iso.js';
import { footprint, placementOf, readPlacement, rotationsOf } from './notation.js';

/** @typedef {import('./hexes.js').Hex} Hex */
/** @typedef {import('./hexes.js').Key} Key */
/** @typedef {import('./iso.js').Point} Point */
/** @typedef {import('./notation.js').Placement} Placement */
/** @typedef {import('./overlay.js').SpotKind} SpotKind */
/** @typedef {import('./overlay.js').Verdict} Verdict */

const CALM = 24; // where there are more places than this, only those near the pointer are shown
const NEAR = 150; // how near, in units of the drawing
const SNAP = 52; // how near the pointer must be to a legal spot, in units of the drawing

export class Placing {
  /**
   * @param {import('./board.js').Board} board @param {import('./overlay.js').Overlay} overlay
   * @param {(move: string) => Promise<string>} explain why a move is refused: a sentence, or ""
   * @param {() => void} changed
   */
  constructor(board, overlay, explain, changed) {
    this.board = board;
    this.overlay = overlay;
    this.explain = explain;
    this.changed = changed;
    this.tile = '';
    this.k = 0;
    /** @type {Hex | null} */
    this.at = null;
    this.pinned = false;
    this.reason = '';
    /** @type {Map<Key, Set<number>>} legal rotations by where the tile's first hex goes */
    this.legal = new Map();
    /** @type {Set<string>} */
    this.dangers = new Set();
    this.asked = '';
    this.asking = 0;
    /** All places: after what was done to the tile is painted, as that is looked at. */
    this.spotting = new Part(() => this.active && this.drawSpots());
    /** Where the pointer, a finger or the keyboard's cursor was last; null: not on the island. @type {Point | null} */
    this.pointer = null;
    /** Whether all places are shown, and whether they are for a new tile. */
    this.all = this.allAtFirst = false;
    /** How the tile lay before the last tap. @type {{at: Hex | null, k: number, pinned: boolean}} */
    this.before = { at: null, k: 0, pinned: false };
  }

  get active() {
    return this.tile !== '';
  }

  /** Not drawn yet. @param {string} tile @param {string[]} moves @param {string[]} eliminating */
  start(tile, moves, eliminating) {
    const anew = tile !== this.tile;
    this.tile = tile;
    this.legal = new Map();
    this.dangers = new Set(eliminating);
    for (const text of moves) {
      const placement = readPlacement(text);
      if (!placement || placement.tile !== tile) continue;
      for (const alike of this.alikes(placement)) {
        const key = keyOf(alike.at);
        const ways = this.legal.get(key) ?? new Set();
        ways.add(alike.k);
        this.legal.set(key, ways);
      }
    }
    this.legal = new Map([...this.legal].sort(([a], [b]) => distance(hexOf(a)) - distance(hexOf(b))));
    if (anew) {
      this.at = null;
      this.pinned = false;
      this.reason = '';
      this.all = this.allAtFirst;
      const only = [...this.legal][0];
      if (this.legal.size === 1 && only[1].size === 1) {
        // the first tile of a game
        this.at = hexOf(only[0]);
        [this.k] = only[1];
        this.pinned = true;
      }
    }
  }

  /** A tile whose halves are alike can be held by either of them. @param {Placement} placement @returns {Placement[]} */
  alikes(placement) {
    if (rotationsOf(placement.tile) === 6) return [placement];
    const [, other] = footprint(placement);
    return [placement, { ...placement, at: other, k: placement.k + 3 }];
  }

  stop() {
    if (!this.active) return;
    this.tile = '';
    this.at = null;
    this.pinned = false;
    this.legal = new Map();
  }

  /** Where the tile is now, in the server's spelling. @returns {Placement | null} */
  get placement() {
    return this.at && placementOf(this.tile, this.at, this.k);
  }

  /** @returns {Verdict} */
  get verdict() {
    const { placement } = this;
    if (!placement || !this.at || !this.legal.get(keyOf(this.at))?.has(this.k)) return 'illegal';
    return this.dangers.has(placement.text) ? 'danger' : 'legal';
  }

  /** Whether it may lie where it is only if it is turned. */
  get fitsTurned() {
    return this.at !== null && this.verdict === 'illegal' && this.legal.has(keyOf(this.at));
  }

  /** The level that the tile's hexes would have. */
  get level() {
    if (!this.at) return 1;
    const held = { text: '', tile: this.tile, at: this.at, k: this.k };
    return 1 + Math.max(...footprint(held).map((hex) => this.board.island.levelOf(keyOf(hex))));
  }

  /** @param {Hex | null} hex @param {Point | null} point */
  hover(hex, point) {
    if (!this.active) return;
    this.near(point);
    if (this.pinned) return;
    const at = hex && point && this.snapped(hex, point);
    if (at === this.at || (at && this.at && keyOf(at) === keyOf(this.at))) return;
    this.at = at;
    this.reason = '';
    this.drawTile();
    this.changed();
  }

  /** The nearest spot where the tile may lie as it is turned now, else the hex itself. @param {Hex} hex @param {Point} point */
  snapped(hex, point) {
    if (this.legal.get(keyOf(hex))?.has(this.k)) return hex;
    let best = hex,
      least = this.board.reach(SNAP);
    for (const [key, ways] of this.legal) {
      if (!ways.has(this.k)) continue;
      const spot = pointOf(hexOf(key), this.board.island.levelOf(key), this.board.camera.turn);
      const away = Math.hypot(spot.x - point.x, spot.y - point.y);
      if (away < least) [best, least] = [hexOf(key), away];
    }
    return best;
  }

  /** @param {Hex} hex @param {Point} [point] */
  tap(hex, point) {
    if (!this.active) return;
    this.before = { at: this.at, k: this.k, pinned: this.pinned };
    if (point && point.x === point.x) this.pointer = point; // the space bar has none
    if (this.pinned && this.at && keyOf(this.at) === keyOf(hex)) {
      this.rotate(1, true);
      return;
    }
    const here = this.legal.get(keyOf(hex));
    if (here && !here.has(this.k)) this.k = this.nextWay(this.harmless(hex, here), 1);
    this.put(here || !point ? hex : this.snapped(hex, point));
  }

  /** A second tap has followed quickly on one that only turned the tile: it lies as before. */
  untap() {
    const { at, k, pinned } = this.before;
    if (!pinned || !at || !this.at || keyOf(at) !== keyOf(this.at) || k === this.k) return;
    this.k = k;
    this.look();
  }

  /** Puts the tile down as a preview. @param {Hex} hex */
  put(hex) {
    this.at = hex;
    this.pinned = true;
    this.look();
  }

  /** Takes it up again. */
  lift() {
    this.pinned = false;
    this.reason = '';
    this.redraw();
    this.changed();
  }

  /** Those of the legal rotations that leave something to build; all of them, if none does. @param {Hex} hex @param {Set<number>} ways */
  harmless(hex, ways) {
    const safe = new Set([...ways].filter((k) => !this.isDanger(hex, k)));
    return safe.size ? safe : ways;
  }

  /** @param {Hex} hex @param {number} k */
  isDanger(hex, k) {
    return this.dangers.size > 0 && this.dangers.has(placementOf(this.tile, hex, k).text);
  }

  /** @param {Set<number>} ways @param {number} by @returns the next of these rotations */
  nextWay(ways, by) {
    for (let i = 1; i <= 6; i++) {
      const k = (this.k + by * i + 36) % 6;
      if (ways.has(k)) return k;
    }
    return this.k;
  }

  /** @param {number} by +1 is clockwise @param {boolean} [legalOnly] skip rotations that are not legal here, if any is */
  rotate(by, legalOnly = false) {
    if (!this.active) return;
    const ways = this.at && this.legal.get(keyOf(this.at));
    this.k = legalOnly && ways ? this.nextWay(ways, Math.sign(by)) : (this.k + by + 36) % 6;
    this.look();
  }

  /** The tile is dragged. @param {Hex} hex @param {Point} point */
  drag(hex, point) {
    const at = this.snapped(hex, point);
    if (this.at && keyOf(at) === keyOf(this.at)) return;
    this.at = at;
    this.pinned = true;
    this.reason = '';
    this.pointer = point;
    this.redraw();
    this.changed();
  }

  /** Whether a hex belongs to the tile as it lies. @param {Hex} hex */
  covers(hex) {
    if (!this.at || !this.pinned) return false;
    return footprint({ text: '', tile: this.tile, at: this.at, k: this.k }).some((part) => keyOf(part) === keyOf(hex));
  }

  /** Goes to the next place that is legal in some rotation; all rotations of one place come first. @param {number} by */
  next(by) {
    const all = [...this.legal].flatMap(([key, ways]) => [...ways].map((k) => ({ key, k })));
    if (!all.length) return;
    const now = this.at ? keyOf(this.at) : '';
    const index = all.findIndex(({ key, k }) => key === now && k === this.k);
    const { key, k } = all[(index < 0 ? (by > 0 ? 0 : all.length - 1) : index + by + all.length) % all.length];
    this.k = k;
    this.put(hexOf(key));
  }

  /** The pointer is here: the places around it are shown. @param {Point | null} point */
  near(point) {
    const { pointer } = this;
    if (point && pointer && Math.hypot(point.x - pointer.x, point.y - pointer.y) < 4) return;
    this.pointer = point;
    this.spotting.ask();
  }

  /** Shows all places, or only those near the pointer. */
  toggleAll() {
    this.all = !this.all;
    this.drawSpots();
  }

  /** There are so many places that most are hidden. */
  get calm() {
    return this.legal.size > CALM;
  }

  /** Draws, and asks the server for the reason if the tile lies where it may not. */
  look() {
    this.reason = '';
    this.redraw();
    this.changed();
    if (this.pinned && this.verdict === 'illegal') this.askWhy();
  }

  askWhy() {
    clearTimeout(this.asking);
    const { placement } = this;
    if (!placement) return;
    this.asked = placement.text;
    this.asking = window.setTimeout(async () => {
      const reason = await this.explain(placement.text);
      if (this.asked !== placement.text || this.placement?.text !== placement.text) return;
      this.reason = reason;
      this.changed();
    }, 120);
  }

  /** All of it, at once. */
  draw() {
    this.spotting.drop();
    this.drawSpots();
    this.drawTile();
  }

  /** The tile at once, and the places soon. */
  redraw() {
    this.drawTile();
    this.spotting.ask();
  }

  drawSpots() {
    /** @type {Map<Key, SpotKind>} */
    const spots = new Map();
    /** @type {Set<Key>} */
    const far = new Set();
    for (const [key, ways] of this.legal) {
      const fits = ways.has(this.k);
      const danger = (fits ? [this.k] : [...ways]).every((k) => this.isDanger(hexOf(key), k));
      const erupts = this.board.island.levelOf(key) > 0;
      spots.set(key, danger ? 'danger' : erupts ? (fits ? 'erupt' : 'erupt-turn') : fits ? 'legal' : 'turn');
      if (this.isFar(key)) far.add(key);
    }
    this.overlay.showSpots(spots, far);
  }

  /** Too far from the pointer to be shown. @param {Key} key */
  isFar(key) {
    if (this.all || !this.calm) return false;
    const { island, camera } = this.board;
    const { x, y } = pointOf(hexOf(key), island.levelOf(key), camera.turn);
    return !this.pointer || Math.hypot(x - this.pointer.x, y - this.pointer.y) > NEAR;
  }

  /** The level of the tile's top, if it lies over a hex. @param {Key} key @returns {number | undefined} */
  levelOver(key) {
    if (!this.at) return undefined;
    const held = { text: '', tile: this.tile, at: this.at, k: this.k };
    return footprint(held).some((hex) => keyOf(hex) === key) ? this.level : undefined;
  }

  /** The huts under the tile, which it would crush. */
  crushed() {
    const { island } = this.board;
    const held = this.at && { text: '', tile: this.tile, at: this.at, k: this.k };
    if (!held || this.level < 2) return [];
    return footprint(held).flatMap((hex) => {
      const cell = island.cell(keyOf(hex));
      return cell?.kind === 'h' ? [{ key: keyOf(hex), count: cell.count, colour: island.colours[cell.seat] ?? '' }] : [];
    });
  }

  /** The tile as it lies, hex by hex, in units of the drawing. */
  boxes() {
    if (!this.pinned || !this.at) return [];
    const held = { text: '', tile: this.tile, at: this.at, k: this.k };
    return footprint(held).map((hex) => boxOf(hex, this.level, this.board.camera.turn, 6));
  }

  drawTile() {
    const held = this.at && { text: '', tile: this.tile, at: this.at, k: this.k };
    this.overlay.showTile(held, this.level, this.verdict, this.pinned, this.verdict === 'illegal' ? [] : this.crushed());
  }
}
