// Draws the island: one group per hex, in rows from back to front. Given a new table it touches only the hexes
// whose token changed. It shows; it never decides and never listens.

import { hutPlaces, mark, RIM, stamp } from './art.js';
import { svg } from './dom.js';
import { hexOf, keyOf, lagoons, step, ZONES } from './hexes.js';
import { corners, fixed, HALF, outline, pointOf, RISE, rowOf, SIZE, SQUASH, TOP } from './iso.js';
import { readCell } from './notation.js';

/** @typedef {import('./notation.js').Cell} Cell */
/** @typedef {import('./hexes.js').Key} Key */
/** @typedef {{[seat: string]: string}} ColourBySeat */
/** @typedef {{hexes?: {[key: Key]: string}, boats?: {[key: Key]: number}}} Land */

const WALLS = corners();

export class Island {
  constructor() {
    this.shore = ['deep', 'shallow', 'foam'].map((name) => svg('path', { class: `shore-${name}`, d: '' }));
    this.zone = svg('path', { class: 'zone-sea', d: '' });
    this.edge = svg('path', { class: 'zone-edge', d: '' });
    this.water = svg('g', { class: 'lagoons' });
    this.rows = svg('g');
    this.root = svg('g', {}, this.zone, ...this.shore, this.edge, this.water, this.rows);
    this.turn = 0;
    /** @type {Map<Key, {token: string, cell: Cell, element: SVGGElement}>} */
    this.hexes = new Map();
    /** @type {Map<number, SVGGElement>} */
    this.rowAt = new Map();
    /** @type {Map<Key, {seat: number, element: SVGElement}>} */
    this.boats = new Map();
    /** @type {Map<Key, Set<Key>>} */
    this.lagoons = new Map();
    /** @type {ColourBySeat} */
    this.colours = {};
    this.zoneName = 'none';
    /** How many hexes the last `show` drew. */
    this.drawn = 0;
  }

  /** @param {Key} key */
  cell(key) {
    return this.hexes.get(key)?.cell;
  }

  /** @param {Key} key */
  levelOf = (key) => this.hexes.get(key)?.cell.level ?? 0;

  /**
   * @param {Land} land @param {ColourBySeat} colours by seat @param {string} [zone]
   * @param {number} [turn] sixths by which the view is turned
   */
  show(land, colours, zone = 'none', turn = this.turn) {
    const anew = turn !== this.turn || JSON.stringify(colours) !== JSON.stringify(this.colours);
    this.colours = colours;
    this.turn = turn;
    if (anew) this.clear();
    if (anew || zone !== this.zoneName) this.drawZone(zone);
    const grown = this.drawHexes(land.hexes ?? {});
    if (grown || anew) this.drawWater();
    this.drawBoats(land.boats ?? {});
  }

  clear() {
    this.hexes.clear();
    this.rowAt.clear();
    this.boats.clear();
    this.rows.replaceChildren();
  }

  /** @param {{[key: Key]: string}} hexes @returns whether the coast moved */
  drawHexes(hexes) {
    let grown = false;
    this.drawn = 0;
    for (const [key, old] of this.hexes) {
      if (key in hexes && levelOf(hexes[key]) >= old.cell.level) continue;
      this.uncover(key, hexes);
      if (key in hexes) continue;
      old.element.remove();
      this.hexes.delete(key);
      grown = true;
    }
    for (const [key, token] of Object.entries(hexes)) {
      const old = this.hexes.get(key);
      if (old?.token === token) continue;
      const cell = readCell(token);
      const [right, left] = this.inFront(key).map((front) => levelOf(hexes[front]));
      const element = drawHex(key, cell, this.turn, this.colours[cell.seat] ?? '', left, right);
      if (old) old.element.replaceWith(element);
      else this.row(key).append(element);
      this.hexes.set(key, { token, cell, element });
      this.drawn++;
      if (!old) grown = true;
    }
    return grown;
  }

  /** The hexes before a hex's right and left wall. @param {Key} key */
  inFront(key) {
    return [1, 2].map((direction) => keyOf(step(hexOf(key), direction - this.turn)));
  }

  /** A hex sinks or goes, in an undo or a replay: the walls behind it show again. @param {Key} key @param {{[key: Key]: string}} hexes */
  uncover(key, hexes) {
    for (const direction of [4, 5]) {
      const behind = keyOf(step(hexOf(key), direction - this.turn));
      const known = this.hexes.get(behind);
      if (known && behind in hexes) known.token = '';
    }
  }

  /** The group of a hex's row, made where it belongs among the others. @param {Key} key */
  row(key) {
    const at = rowOf(key, this.turn);
    const known = this.rowAt.get(at);
    if (known) return known;
    const group = svg('g');
    const behind = [...this.rowAt.keys()].filter((row) => row > at).sort((a, b) => a - b)[0];
    this.rows.insertBefore(group, behind === undefined ? null : (this.rowAt.get(behind) ?? null));
    this.rowAt.set(at, group);
    return group;
  }

  drawWater() {
    const path = [...this.hexes.keys()].map((key) => outline(corners(), pointOf(hexOf(key), 0, this.turn))).join('');
    for (const shore of this.shore) shore.setAttribute('d', path);
    this.lagoons = lagoons((key) => this.hexes.has(key), [...this.hexes.keys()]);
    this.water.replaceChildren(
      ...[...this.lagoons.values()].map((water) =>
        svg('path', {
          class: 'lagoon',
          d: [...water].map((key) => outline(corners(), pointOf(hexOf(key), 0, this.turn))).join(''),
        }),
      ),
    );
  }

  /** @param {{[key: Key]: number}} boats */
  drawBoats(boats) {
    for (const [key, old] of this.boats) {
      if (key in boats) continue;
      old.element.remove();
      this.boats.delete(key);
    }
    for (const [key, seat] of Object.entries(boats)) {
      if (this.boats.has(key)) continue;
      const at = middleOf(this.lagoons.get(key) ?? new Set([key]));
      const { x, y } = pointOf(hexOf(at), 0, this.turn);
      const colour = this.colours[seat] ?? '';
      const element = svg(
        'g',
        { class: `boat p-${colour}`, transform: `translate(${fixed(x)} ${fixed(y)})` },
        stamp('boat'),
        mark(colour, 'translate(-20 12)'),
      );
      this.row(at).append(element);
      this.boats.set(key, { seat, element });
    }
  }

  /** @param {string} zone */
  drawZone(zone) {
    this.zoneName = zone;
    for (const path of [this.zone, this.edge]) path.setAttribute('d', zoneOutline(zone, this.turn));
  }

  /** What the camera must show to show all. @returns {{left: number, right: number, top: number, bottom: number}} */
  bounds() {
    const box = { left: -120, right: 120, top: -100, bottom: 100 };
    /** @param {number} x @param {number} y @param {number} up @param {number} side */
    const grow = (x, y, up, side) => {
      box.left = Math.min(box.left, x - side);
      box.right = Math.max(box.right, x + side);
      box.top = Math.min(box.top, y - up);
      box.bottom = Math.max(box.bottom, y + side);
    };
    for (const [key, { cell }] of this.hexes) {
      const { x, y } = pointOf(hexOf(key), cell.level, this.turn);
      grow(x, y, cell.kind === 'w' || cell.kind === 't' ? 70 : 50, 60);
    }
    for (const [x, y] of zoneCorners(this.zoneName, this.turn)) grow(x, y, 20, 20);
    return box;
  }
}

/** The hex of a region that is nearest to its middle. @param {Set<Key>} keys */
export function middleOf(keys) {
  const points = [...keys].map((key) => ({ key, ...pointOf(hexOf(key), 0, 0) }));
  const x = points.reduce((sum, p) => sum + p.x, 0) / points.length;
  const y = points.reduce((sum, p) => sum + p.y, 0) / points.length;
  return points.reduce((best, p) => (Math.hypot(p.x - x, p.y - y) < Math.hypot(best.x - x, best.y - y) ? p : best)).key;
}

/** @param {string} zone @param {number} turn @returns {number[][]} */
function zoneCorners(zone, turn) {
  const reach = ZONES[zone];
  if (!reach) return [];
  return [0, 1, 2, 3, 4, 5].map((i) => {
    const angle = ((30 + 60 * (i + turn)) * Math.PI) / 180;
    return [Math.cos(angle) * 2 * reach * SIZE, Math.sin(angle) * 2 * reach * SIZE * SQUASH];
  });
}

/** @param {string} zone @param {number} turn */
const zoneOutline = (zone, turn) => (ZONES[zone] ? outline(zoneCorners(zone, turn)) : '');

/** The level of a hex's token; 0 for water. @param {string | undefined} token */
const levelOf = (token) => (token ? parseInt(token, 10) : 0);

/** Hexes that look the same are drawn once and copied. @type {Map<string, SVGGElement>} */
const looks = new Map();

/**
 * One hex: walls, top, terrain, building, level.
 * @param {Key} key @param {Cell} cell @param {number} turn @param {string} colour of the building's owner
 * @param {number} [left] @param {number} [right] levels of the hexes before its walls, which hide so much of them
 */
export function drawHex(key, cell, turn, colour, left = 0, right = 0) {
  const walled = [Math.min(left, cell.level), Math.min(right, cell.level)];
  const facing = cell.facing < 0 ? -1 : (cell.facing + turn) % 6;
  const look = `${cell.level}${cell.terrain}${cell.small}${facing}${colour}${cell.kind}${cell.count}/${walled}`;
  let drawn = looks.get(look);
  if (!drawn) {
    drawn = svg('g', { class: `hex${colour ? ` p-${colour}` : ''}` });
    drawn.append(...walls(cell.level, walled[0], walled[1]), svg('path', { class: `top top-${cell.terrain}`, d: TOP }));
    drawn.append(...ground(cell, facing));
    if (cell.kind) drawn.append(...building(cell, colour));
    if (cell.level > 1) drawn.append(...numeral(cell.level));
    looks.set(look, drawn);
  }
  const { x, y } = pointOf(hexOf(key), cell.level, turn);
  const copy = /** @type {SVGGElement} */ (drawn.cloneNode(true));
  copy.setAttribute('transform', `translate(${fixed(x)} ${fixed(y)})`);
  return copy;
}

/** The two walls that one sees, down to what lies before them, with a line for every level. @param {number} level @param {number} left @param {number} right */
function walls(level, left, right) {
  const [, , east, south, west] = WALLS;
  return [...wall('wall-left', west, south, level - left), ...wall('wall-right', south, east, level - right)];
}

/** @param {string} name @param {number[]} a @param {number[]} b @param {number} levels */
function wall(name, [ax, ay], [bx, by], levels) {
  if (levels <= 0) return [];
  const deep = levels * RISE;
  const line = (/** @type {number} */ i) =>
    `M${fixed(ax)} ${fixed(ay + i * RISE)}L${fixed(bx)} ${fixed(by + i * RISE)}`;
  const parts = [svg('path', { class: name, d: `${line(0)}V${fixed(by + deep)}L${fixed(ax)} ${fixed(ay + deep)}Z` })];
  if (levels > 1)
    parts.push(svg('path', { class: 'strata', d: Array.from({ length: levels - 1 }, (_, i) => line(i + 1)).join('') }));
  return parts;
}

/** @param {Cell} cell @param {number} facing as one sees it */
function ground(cell, facing) {
  if (cell.terrain === 'V') return [stamp('cone'), stamp(`lava-${cell.small ? 's' : 'b'}${facing}`)];
  return [stamp(`${cell.kind ? 'sparse' : 'full'}-${cell.terrain}`)];
}

/** What stands on a hex, with its owner's sign. @param {{kind: string, count: number}} piece @param {string} colour */
export function building(piece, colour) {
  /** @type {SVGElement[]} */
  const parts = [svg('path', { class: 'rim', d: RIM })];
  if (piece.kind === 'h') parts.push(...huts(piece.count));
  if (piece.kind === 't') parts.push(stamp('temple', 'translate(0 9)'));
  if (piece.kind === 'w') parts.push(stamp('tower', 'translate(0 6)'));
  if (piece.kind === 'b') parts.push(stamp('boat'));
  parts.push(mark(colour, `translate(${fixed(-HALF + 11)} -7)`));
  return parts;
}

/** @param {number} count */
export function huts(count) {
  const { places, scale } = hutPlaces(count);
  /** @type {SVGElement[]} */
  const parts = places.map(([x, y]) => stamp('hut', `translate(${x} ${y}) scale(${scale})`));
  if (count > places.length) parts.push(svg('text', { class: 'many', x: 0, y: -20 }, `×${count}`));
  return parts;
}

/** @param {number} level */
const numeral = (level) => [
  svg('circle', { class: 'level-disc', cx: HALF - 10, cy: -8, r: 7.5 }),
  svg('text', { class: 'level', x: HALF - 10, y: -4.1 }, level),
];
