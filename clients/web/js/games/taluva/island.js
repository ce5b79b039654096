// Draws the island: one group per hex, in rows from back to front. Given a new table it touches
// only the hexes whose token changed. It only draws: it decides nothing and handles no input.

import { HUTS_DRAWN, mark, RING, stamp } from './art.js';
import { svg } from '../../dom.js';
import { hexOf, keyOf, lagoons, neighbours, step, ZONES } from './hexes.js';
import { coastOf, corners, fixed, HALF, outline, pointOf, RISE, rowOf, SIZE, SQUASH, TOP } from './iso.js';
import { readCell } from './notation.js';

/** @typedef {import('./notation.js').Cell} Cell */
/** @typedef {import('./hexes.js').Key} Key */
/** @typedef {{[seat: string]: string}} ColourBySeat */
/** @typedef {{hexes?: {[key: Key]: string}, boats?: {[key: Key]: number}}} Land */

/** @typedef {{token: string, cell: Cell, element: SVGGElement, shade: SVGPathElement, shaded: string}} Drawn */
/** @typedef {{turn: number, rows: SVGGElement, rowAt: Map<number, SVGGElement>, hexes: Map<Key, Drawn>}} Side */

const WALLS = corners();

export class Island {
  constructor() {
    this.shore = ['deep', 'shallow', 'foam'].map((name) => svg('path', { class: `shore-${name}`, d: '' }));
    this.zone = svg('path', { class: 'zone-sea', d: '' });
    this.edge = svg('path', { class: 'zone-edge', d: '' });
    this.water = svg('g', { class: 'lagoons' });
    this.rows = svg('g');
    this.numerals = svg('g');
    this.root = svg('g', {}, this.zone, ...this.shore, this.edge, this.water, this.rows, this.numerals);
    this.turn = 0;
    /** @type {Map<Key, Drawn>} */
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
    /** What must be seen of it, as long as it stays as it is. @type {{boxes: import('./camera.js').Box[], water: Set<Key>} | null} */
    this.coast = null;
    /** How many hexes the last `show` drew. */
    this.drawn = 0;
    /** The hexes as they are seen from another side, drawn before the view is turned there. @type {Side | null} */
    this.coming = null;
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
    const recoloured = JSON.stringify(colours) !== JSON.stringify(this.colours);
    const anew = turn !== this.turn || recoloured;
    if (recoloured) this.forget();
    this.colours = colours;
    this.turn = turn;
    if (anew) this.clear();
    const zoned = anew || zone !== this.zoneName;
    if (zoned) this.drawZone(zone);
    const grown = this.drawHexes(land.hexes ?? {});
    if (grown || anew) this.drawWater();
    if (this.drawn || grown || anew) this.drawShades();
    if (this.drawn || grown || anew) this.drawNumerals();
    if (this.drawn || grown || anew || zoned) this.coast = null;
    this.drawBoats(land.boats ?? {});
  }

  /** Nothing is drawn any more, but for what was prepared of this side. */
  clear() {
    const side = this.coming?.turn === this.turn ? this.coming : sideOf(this.turn);
    if (side !== this.coming) this.forget();
    this.coming = null;
    this.boats.clear();
    this.hexes = side.hexes;
    this.rowAt = side.rowAt;
    if (!side.rows.parentNode) this.rows.before(side.rows); // what is there already must not be moved: it would be styled and laid out again
    this.rows.remove();
    side.rows.removeAttribute('class');
    this.rows = side.rows;
  }

  /**
   * Draws some more hexes as they are seen from another side, without showing them: all at once would take too long.
   * @param {number} turn @param {number} most how many @returns whether there are more
   */
  prepare(turn, most) {
    if (this.coming?.turn !== turn) {
      this.forget();
      this.coming = sideOf(turn);
      this.coming.rows.setAttribute('class', 'coming');
      this.rows.before(this.coming.rows);
    }
    const side = this.coming;
    let drawn = 0;
    for (const [key, { token, cell }] of this.hexes) {
      if (side.hexes.has(key)) continue;
      if (drawn++ === most) return true;
      this.drawOn(side, key, token, cell, this.levelOf);
    }
    return false;
  }

  forget() {
    this.coming?.rows.remove();
    this.coming = null;
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
      this.drawOn(this, key, token, readCell(token), (front) => levelOf(hexes[front]));
      this.drawn++;
      if (!old) grown = true;
    }
    return grown;
  }

  /** @param {Side} side @param {Key} key @param {string} token @param {Cell} cell @param {(key: Key) => number} levelAt */
  drawOn(side, key, token, cell, levelAt) {
    const [right, left] = this.inFront(key, side.turn).map(levelAt);
    const element = drawHex(key, cell, side.turn, this.colours[cell.seat] ?? '', left, right);
    const shade = svg('path', { class: 'shade cast', d: '' });
    element.append(shade);
    const old = side.hexes.get(key);
    if (old) old.element.replaceWith(element);
    else rowIn(side, key).append(element);
    side.hexes.set(key, { token, cell, element, shade, shaded: '' });
  }

  /** The hexes before a hex's right and left wall. @param {Key} key @param {number} [turn] */
  inFront(key, turn = this.turn) {
    return [1, 2].map((direction) => keyOf(step(hexOf(key), direction - turn)));
  }

  /** A hex sinks or goes, in an undo or a replay: the walls behind it show again. @param {Key} key @param {{[key: Key]: string}} hexes */
  uncover(key, hexes) {
    for (const direction of [4, 5]) {
      const behind = keyOf(step(hexOf(key), direction - this.turn));
      const known = this.hexes.get(behind);
      if (known && behind in hexes) known.token = '';
    }
  }

  drawWater() {
    const coast = coastOf(this.hexes.keys(), this.turn);
    for (const shore of this.shore) shore.setAttribute('d', coast);
    this.lagoons = lagoons((key) => this.hexes.has(key), [...this.hexes.keys()]);
    this.water.replaceChildren(
      ...[...this.lagoons.values()].map((water) => svg('path', { class: 'lagoon', d: coastOf(water, this.turn) })),
    );
  }

  /** The shadows that higher hexes cast on those at their right: the light comes from the left. */
  drawShades() {
    for (const [key, hex] of this.hexes) {
      const [west, northWest] = [3, 4].map((d) => this.levelOf(keyOf(step(hexOf(key), d - this.turn))) - hex.cell.level);
      const shaded = shadow(west, northWest);
      if (shaded === hex.shaded) continue;
      hex.shaded = shaded;
      hex.shade.setAttribute('d', shaded);
    }
  }

  /** The levels from 2 on, above all hexes: what stands in front must not hide them. */
  drawNumerals() {
    const numerals = [];
    for (const [key, { cell }] of this.hexes) {
      if (cell.level < 2) continue;
      const { x, y } = pointOf(hexOf(key), cell.level, this.turn);
      const [right] = this.inFront(key).map(this.levelOf);
      const [dx, dy] = NUMERAL_PLACES[Math.min(3, Math.max(0, right - cell.level))];
      numerals.push(numeral(cell.level, x + dx, y + dy));
    }
    this.numerals.replaceChildren(...numerals);
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
      rowIn(this, at).append(element);
      this.boats.set(key, { seat, element });
    }
  }

  /** @param {string} zone */
  drawZone(zone) {
    this.zoneName = zone;
    for (const path of [this.zone, this.edge]) path.setAttribute('d', zoneOutline(zone, this.turn));
  }

  /**
   * What the camera must show to show all: a box for each hex of the coast, for the water around it, and for the zone's corners.
   * @param {Key[]} [wanted] hexes of water that must be seen too @param {number} [turn] from another side
   */
  boxes(wanted = [], turn = this.turn) {
    if (turn === this.turn) this.coast ??= this.coastBoxes(turn);
    const { boxes, water } = (turn === this.turn && this.coast) || this.coastBoxes(turn);
    const more = wanted.filter((key) => !water.has(key) && !this.hexes.has(key)).map((key) => boxAround(key, turn, 14, 16));
    const all = [...boxes, ...more];
    return all.length ? all : [boxAround('0,0', turn, 14, 16)];
  }

  /** @param {number} turn */
  coastBoxes(turn) {
    const boxes = [];
    /** @type {Set<Key>} */
    const water = new Set();
    for (const [key, { cell }] of this.hexes) {
      const coast = neighbours(key).filter((next) => !this.hexes.has(next));
      if (!coast.length) continue;
      boxes.push(boxAround(key, turn, cell.kind === 'w' || cell.kind === 't' ? 48 : 32, HALF + 3, cell.level));
      for (const next of coast) water.add(next);
    }
    for (const key of water) boxes.push(boxAround(key, turn, 14, 16));
    for (const [x, y] of zoneCorners(this.zoneName, turn)) boxes.push({ left: x, right: x, top: y, bottom: y });
    return { boxes, water };
  }
}

/** Around a hex. @param {Key} key @param {number} turn @param {number} up @param {number} side @param {number} [level] @returns {import('./camera.js').Box} */
function boxAround(key, turn, up, side, level = 0) {
  const { x, y } = pointOf(hexOf(key), level, turn);
  return { left: x - side, right: x + side, top: y - up, bottom: y + 30 + RISE * level };
}

/** @param {number} turn @returns {Side} */
const sideOf = (turn) => ({ turn, rows: svg('g'), rowAt: new Map(), hexes: new Map() });

/** The group of a hex's row, made where it belongs among the others. @param {Side} side @param {Key} key */
function rowIn({ turn, rows, rowAt }, key) {
  const at = rowOf(key, turn);
  const known = rowAt.get(at);
  if (known) return known;
  const group = svg('g');
  const behind = [...rowAt.keys()].filter((row) => row > at).sort((a, b) => a - b)[0];
  rows.insertBefore(group, behind === undefined ? null : (rowAt.get(behind) ?? null));
  rowAt.set(at, group);
  return group;
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

/** How far a shadow falls for each level, along and across the screen; more than this many levels make no difference. */
const SHADOW = { west: [8, 3], northWest: [4, 5], most: 3 };

/** The shadow on a top. @param {number} west by how many levels the hex at the left is higher @param {number} northWest and the one behind it */
function shadow(west, northWest) {
  const [north, , , , southWest, left] = WALLS;
  /** @param {number[]} a @param {number[]} b @param {number[]} by @param {number} levels */
  const cast = (a, b, [dx, dy], levels) => {
    if (levels <= 0) return '';
    const n = Math.min(levels, SHADOW.most);
    return outline([a, b, [b[0] + dx * n, b[1] + dy * n], [a[0] + dx * n, a[1] + dy * n]]);
  };
  return cast(left, southWest, SHADOW.west, west) + cast(left, north, SHADOW.northWest, northWest);
}

/** Drawings by their look: each is made once and then copied. @type {Map<string, DocumentFragment>} */
const looks = new Map();

/** @param {string} look @param {() => Node[]} draw */
function copyOf(look, draw) {
  let drawn = looks.get(look);
  if (!drawn) {
    drawn = document.createDocumentFragment();
    drawn.append(...draw());
    looks.set(look, drawn);
  }
  return drawn.cloneNode(true);
}

/** Higher hexes look like this level: lighter on top, with darker walls. */
const LEVELS_TOLD_APART = 5;

/**
 * One hex: walls, top, terrain, building.
 * @param {Key} key @param {Cell} cell @param {number} turn @param {string} colour of the building's owner
 * @param {number} [left] @param {number} [right] levels of the hexes before its walls, which hide so much of them
 */
export function drawHex(key, cell, turn, colour, left = 0, right = 0) {
  const facing = cell.facing < 0 ? -1 : (cell.facing + turn) % 6;
  const [deepLeft, deepRight] = [left, right].map((front) => Math.max(0, cell.level - front));
  const high = Math.min(cell.level, LEVELS_TOLD_APART);
  const top = copyOf(`${cell.terrain}${cell.small}${facing}${colour}${cell.kind}${cell.count}/${high}`, () => [
    svg('path', { class: `top top-${cell.terrain}`, d: TOP }),
    ...(high > 1 ? [svg('path', { class: 'lift', d: TOP })] : []),
    ...ground(cell, facing),
    ...(cell.kind ? building(cell, colour) : []),
  ]);
  const { x, y } = pointOf(hexOf(key), cell.level, turn);
  return svg(
    'g',
    { class: `hex level-${high}${colour ? ` p-${colour}` : ''}`, transform: `translate(${fixed(x)} ${fixed(y)})` },
    (deepLeft || deepRight) && copyOf(`wall${deepLeft}/${deepRight}`, () => walls(deepLeft, deepRight)),
    top,
  );
}

/** The two walls that one sees, with a line for every level. @param {number} left @param {number} right how many levels deep they are */
function walls(left, right) {
  const [, , east, south, west] = WALLS;
  const parts = [];
  let lines = '';
  for (const { name, from, to, levels } of [
    { name: 'wall-left', from: west, to: south, levels: left },
    { name: 'wall-right', from: south, to: east, levels: right },
  ]) {
    const line = (/** @type {number} */ i) =>
      `M${fixed(from[0])} ${fixed(from[1] + i * RISE)}L${fixed(to[0])} ${fixed(to[1] + i * RISE)}`;
    const deep = levels * RISE;
    if (levels <= 0) continue;
    parts.push(
      svg('path', { class: name, d: `${line(0)}V${fixed(to[1] + deep)}L${fixed(from[0])} ${fixed(from[1] + deep)}Z` }),
    );
    for (let i = 1; i < levels; i++) lines += line(i);
  }
  if (lines) parts.push(svg('path', { class: 'strata', d: lines }));
  return parts;
}

/** @param {Cell} cell @param {number} facing as one sees it */
function ground(cell, facing) {
  if (cell.terrain === 'V') return [stamp('cone'), stamp(`lava-${cell.small ? 's' : 'b'}${facing}`)];
  return [stamp(`${cell.kind ? 'sparse' : 'full'}-${cell.terrain}`)];
}

/** What stands on a hex, with its owner's sign. @param {{kind: string, count: number}} piece @param {string} colour */
export function building(piece, colour) {
  return [
    svg('path', { class: 'tint', d: TOP }),
    svg('path', { class: 'rim', d: RING, 'fill-rule': 'evenodd' }),
    ...(piece.kind === 'h' ? huts(piece.count) : []),
    ...(piece.kind === 't' ? [stamp('temple', 'translate(0 9)')] : []),
    ...(piece.kind === 'w' ? [stamp('tower', 'translate(0 6)')] : []),
    ...(piece.kind === 'b' ? [stamp('boat')] : []),
    mark(colour, `translate(${fixed(-HALF + 9.5)} -9)`),
  ];
}

/** @param {number} count */
function huts(count) {
  const drawn = stamp(`huts-${Math.min(count, HUTS_DRAWN)}`);
  return count > HUTS_DRAWN ? [drawn, svg('text', { class: 'many', x: 0, y: -20 }, `×${count}`)] : [drawn];
}

/** Where a level is written, by how much higher the hex is that lies before the right wall. */
const NUMERAL_PLACES = [
  [HALF - 9, -9],
  [HALF - 9, -9],
  [14, -14],
  [2, -19],
];

/** @param {number} level @param {number} x @param {number} y */
const numeral = (level, x, y) =>
  svg(
    'g',
    { transform: `translate(${fixed(x)} ${fixed(y)})` },
    svg('circle', { class: 'level-disc', r: 7.5 }),
    svg('text', { class: 'level', y: 3.9 }, level),
  );
