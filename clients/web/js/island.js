// Draws the island: one group per hex, in rows from back to front. Given a new table it touches only the hexes
// whose token changed. It shows; it never decides and never listens.

import { hutPlaces } from './art.js';
import { svg, use } from './dom.js';
import { hexOf, lagoons, ZONES } from './hexes.js';
import { corners, fixed, HALF, outline, pointOf, RISE, rowOf, SIZE, SQUASH } from './iso.js';
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
      if (key in hexes) continue;
      old.element.remove();
      this.hexes.delete(key);
      grown = true;
    }
    for (const [key, token] of Object.entries(hexes)) {
      const old = this.hexes.get(key);
      if (old?.token === token) continue;
      const cell = readCell(token);
      const element = drawHex(key, cell, this.turn, this.colours[cell.seat] ?? '');
      if (old) old.element.replaceWith(element);
      else this.row(key).append(element);
      this.hexes.set(key, { token, cell, element });
      this.drawn++;
      if (!old) grown = true;
    }
    return grown;
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
    this.lagoons = lagoons((key) => this.hexes.has(key), this.hexes.keys());
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
        use('boat'),
        use(`mark-${colour}`, { transform: 'translate(-20 12)' }),
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

/**
 * One hex: walls, top, terrain, building, level.
 * @param {Key} key @param {Cell} cell @param {number} turn @param {string} colour of the building's owner
 */
export function drawHex(key, cell, turn, colour) {
  const { x, y } = pointOf(hexOf(key), cell.level, turn);
  const group = svg('g', {
    class: `hex${colour ? ` p-${colour}` : ''}`,
    transform: `translate(${fixed(x)} ${fixed(y)})`,
  });
  group.append(...walls(cell.level), use('top', { class: `top top-${cell.terrain}` }));
  group.append(...ground(cell, turn));
  if (cell.kind) group.append(...building(cell, colour));
  if (cell.level > 1) group.append(...numeral(cell.level));
  return group;
}

/** The two walls that one sees, with a line for every level. @param {number} level */
function walls(level) {
  const [, , right, bottom, left] = WALLS;
  const deep = level * RISE;
  const face = (/** @type {number[]} */ a, /** @type {number[]} */ b) =>
    `M${fixed(a[0])} ${fixed(a[1])}L${fixed(b[0])} ${fixed(b[1])}V${fixed(b[1] + deep)}L${fixed(a[0])} ${fixed(a[1] + deep)}Z`;
  let lines = '';
  for (let i = 1; i < level; i++) {
    lines += `M${fixed(left[0])} ${fixed(left[1] + i * RISE)}L${fixed(bottom[0])} ${fixed(bottom[1] + i * RISE)}L${fixed(right[0])} ${fixed(right[1] + i * RISE)}`;
  }
  const parts = [
    svg('path', { class: 'wall-left', d: face(left, bottom) }),
    svg('path', { class: 'wall-right', d: face(bottom, right) }),
  ];
  if (lines) parts.push(svg('path', { class: 'strata', d: lines }));
  return parts;
}

/** @param {Cell} cell @param {number} turn */
function ground(cell, turn) {
  if (cell.terrain === 'V') {
    const flow = use(`lava-${cell.small ? 's' : 'b'}${(cell.facing + turn) % 6}`);
    return [use('cone'), flow];
  }
  return [use(`${cell.kind ? 'sparse' : 'full'}-${cell.terrain}`)];
}

/** What stands on a hex, with its owner's sign. @param {{kind: string, count: number}} piece @param {string} colour */
export function building(piece, colour) {
  /** @type {SVGElement[]} */
  const parts = [use('rim', { class: 'rim' })];
  if (piece.kind === 'h') parts.push(...huts(piece.count));
  if (piece.kind === 't') parts.push(use('temple', { transform: 'translate(0 9)' }));
  if (piece.kind === 'w') parts.push(use('tower', { transform: 'translate(0 6)' }));
  if (piece.kind === 'b') parts.push(use('boat'));
  parts.push(use(`mark-${colour}`, { transform: `translate(${fixed(-HALF + 11)} -7)` }));
  return parts;
}

/** @param {number} count */
export function huts(count) {
  const { places, scale } = hutPlaces(count);
  /** @type {SVGElement[]} */
  const parts = places.map(([x, y]) => use('hut', { transform: `translate(${x} ${y}) scale(${scale})` }));
  if (count > places.length) parts.push(svg('text', { class: 'many', x: 0, y: -20 }, `×${count}`));
  return parts;
}

/** @param {number} level */
const numeral = (level) => [
  svg('circle', { class: 'level-disc', cx: HALF - 10, cy: -8, r: 7.5 }),
  svg('text', { class: 'level', x: HALF - 10, y: -4.1 }, level),
];
