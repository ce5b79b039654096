// Marks above the island: last moves, settlements, spots, the tile in hand, previews, the
// keyboard's cursor. Redrawing them does not redraw the island.

import { RIM, stamp } from './art.js';
import { svg } from '../../dom.js';
import { hexOf, keyOf } from './hexes.js';
import { building, drawHex } from './island.js';
import { signedAt } from './advice.js';
import { borderOf, fixed, pointOf, rowOf, TOP } from './iso.js';
import { still } from './motion.js';
import { footprint, placedCells } from './notation.js';

/** @typedef {import('./board.js').Board} Board */
/** @typedef {import('./advice.js').Imagined} Imagined */
/** @typedef {import('./hexes.js').Key} Key */
/** @typedef {import('./notation.js').Placement} Placement */
/** @typedef {'legal' | 'turn' | 'erupt' | 'erupt-turn' | 'danger' | 'build' | 'lit' | 'chosen'} SpotKind */
/** @typedef {'legal' | 'danger' | 'illegal'} Verdict */

const WAIT_MS = 400, // for the last move to be seen
  RISE_MS = 280,
  SPREAD_MS = 320; // from the first building to the last

export class Overlay {
  /** @param {Board} board */
  constructor(board) {
    this.board = board;
    this.lastGroup = svg('g', { class: 'last-moves' });
    this.townGroup = svg('g', { class: 'town' });
    this.decisiveGroup = svg('g', { class: 'decided' });
    this.adviceGroup = svg('g', { class: 'advised' });
    this.spotGroup = svg('g', { class: 'spots' });
    this.pieceGroup = svg('g', { class: 'previews' });
    this.tileGroup = svg('g', { class: 'held-tile' });
    this.cursorGroup = svg('g', { class: 'cursor' });
    this.crushGroup = svg('g', { class: 'crushed' });
    board.island.root.insertBefore(this.lastGroup, board.island.numerals); // under the numerals
    board.over.append(
      this.decisiveGroup,
      this.townGroup,
      this.adviceGroup,
      this.spotGroup,
      this.pieceGroup,
      this.tileGroup,
      this.crushGroup,
      this.cursorGroup,
    );
    /** @type {Map<Key, {element: SVGElement, look: string, shape: string, name: string, place: string}>} `look`: what it was drawn for */
    this.spots = new Map();
    this.tileDrawn = '';
    this.lastDrawn = '';
    this.townDrawn = ' ';
    this.piecesDrawn = '';
    this.decidedDrawn = '';
    this.cursorDrawn = '';
  }

  get turn() {
    return this.board.camera.turn;
  }

  /** @param {Key} key @param {number} [level] */
  at(key, level = this.board.island.levelOf(key)) {
    const { x, y } = pointOf(hexOf(key), level, this.turn);
    return `translate(${fixed(x)} ${fixed(y)})`;
  }

  /** Everybody's latest turn. @param {{keys: Key[], built: Key[], colour: string, newest: boolean}[]} turns */
  showLast(turns) {
    const { levelOf, hexes } = this.board.island;
    const levels = turns.flatMap(({ keys, built }) => [...keys, ...built].map((key) => hexes.get(key)?.cell.level));
    const digest = JSON.stringify([turns, levels, this.turn]);
    if (digest === this.lastDrawn) return; // it is part of the island's drawing, which takes long to paint
    this.lastDrawn = digest;
    this.lastGroup.replaceChildren(
      ...turns.flatMap(({ keys, built, colour, newest }) => {
        const name = `p-${colour}${newest ? ' newest' : ''}`;
        const parts = [];
        if (keys.length) parts.push(this.line(`last-tile ${name}`, borderOf(keys, levelOf, this.turn, 0.97)));
        for (const key of built) parts.push(this.line(`last-built ${name}`, borderOf([key], levelOf, this.turn, 0.84)));
        return parts;
      }),
    );
  }

  /** Lights the buildings that decided the match. They rise one after the other when they are first shown. @param {Key[]} keys */
  showDecisive(keys) {
    const { island } = this.board;
    const digest = keys.length ? `${keys.join(' ')}/${this.turn}` : '';
    if (digest === this.decidedDrawn) return;
    const first = this.decidedDrawn === '';
    this.decidedDrawn = digest;
    const shown = [...keys].sort((a, b) => rowOf(a, this.turn) - rowOf(b, this.turn)).flatMap((key) => this.lit(key));
    this.decisiveGroup.replaceChildren(...shown.map(({ group }) => group));
    if (!first || still.matches || !island.hexes.size) return;
    shown.forEach(({ inner }, i) => {
      const delay = WAIT_MS + (SPREAD_MS * i) / shown.length;
      inner.animate([{ scale: '1' }, { scale: '1.25' }, { scale: '1' }], { duration: RISE_MS, delay, easing: 'ease-out' });
    });
  }

  /** A building, drawn again above all. @param {Key} key */
  lit(key) {
    const { island } = this.board;
    const cell = island.cell(key);
    const seat = cell?.kind ? cell.seat : island.boats.get(key)?.seat;
    if (seat === undefined) return [];
    const colour = island.colours[seat] ?? '';
    const piece = cell?.kind ? cell : { kind: 'b', count: 1 };
    const inner = svg('g', { class: 'rising' }, ...building(piece, colour));
    const rims = ['glow', 'spot-halo'].map((name) => svg('path', { class: name, d: RIM }));
    return [{ inner, group: svg('g', { class: `hex lit p-${colour}`, transform: this.at(key) }, ...rims, inner) }];
  }

  /** @param {Iterable<Key>} keys of a settlement or a lagoon @param {string} colour */
  showTown(keys, colour) {
    const path = borderOf(keys, this.board.island.levelOf, this.turn, 0.98);
    if (`${colour} ${path}` === this.townDrawn) return;
    this.townDrawn = `${colour} ${path}`;
    this.townGroup.replaceChildren(...(path ? [this.line(`town-line p-${colour}`, path)] : []));
  }

  /** A line with a light border, so that it shows on every ground. @param {string} name @param {string} d */
  line(name, d) {
    return svg('g', { class: name }, svg('path', { class: 'halo', d }), svg('path', { class: 'ink', d }));
  }

  /**
   * The best turn as it would lie there, and above it the outline of what was played instead.
   * @param {Imagined | null} best @param {Imagined | null} instead @param {string} colour whose turn it is @param {string} mark for `instead`
   */
  showAdvice(best, instead, colour, mark) {
    this.adviceGroup.replaceChildren(
      ...(best ? this.ghost(best, colour) : []),
      ...(instead ? this.traces(instead, colour, mark) : []),
    );
  }

  /** @param {Imagined} turn @param {string} colour */
  ghost({ placement, level, pieces, tile, levelOf }, colour) {
    const parts = [];
    if (placement) {
      const { x, y } = pointOf(placement.at, level - 1, this.turn);
      const shape = tileShape(placement, this.turn);
      parts.push(svg('g', { class: 'advised-tile', transform: `translate(${fixed(x)} ${fixed(y)})` }, shape));
    }
    for (const { key, piece } of pieces)
      parts.push(
        svg(
          'g',
          { class: `hex advised-piece p-${colour}`, transform: this.at(key, levelOf(key)) },
          svg('path', { class: 'spot-halo', d: RIM }),
          svg('path', { class: 'spot-rim', d: RIM }),
          ...building(piece, colour),
        ),
      );
    return [...parts, ...this.sign({ placement, level, pieces, tile, levelOf }, '★', 'best')];
  }

  /** @param {Imagined} turn @param {string} colour @param {string} mark */
  traces(turn, colour, mark) {
    const { tile, pieces, levelOf } = turn;
    const name = `p-${colour}`;
    const parts = tile.length ? [this.line(`last-tile newest ${name}`, borderOf(tile, levelOf, this.turn, 0.97))] : [];
    for (const { key } of pieces) parts.push(this.line(`last-built newest ${name}`, borderOf([key], levelOf, this.turn, 0.84)));
    return [...parts, ...(mark ? this.sign(turn, mark, 'played') : [])];
  }

  /** A sign beside a turn, so that it is told apart without colours. @param {Imagined} turn @param {string} text @param {string} name */
  sign(turn, text, name) {
    const key = signedAt(turn);
    if (key === undefined) return [];
    const { x, y } = pointOf(hexOf(key), turn.levelOf(key), this.turn);
    const place = `translate(${fixed(x + (name === 'best' ? -20 : 20))} ${fixed(y - 16)})`;
    return [
      svg(
        'g',
        { class: `sign is-${name}`, transform: place },
        svg('circle', { r: 11 }),
        svg('text', { y: 5 }, text),
      ),
    ];
  }

  /** Spots that may be chosen; only those that change are touched. @param {Map<Key, SpotKind>} spots @param {Set<Key>} [far] those that are hidden */
  showSpots(spots, far = new Set()) {
    for (const [key, { element }] of this.spots) {
      if (spots.has(key)) continue;
      element.remove();
      this.spots.delete(key);
    }
    const fresh = [];
    for (const [key, kind] of spots) {
      const old = this.spots.get(key);
      const look = `${kind} ${far.has(key)} ${this.turn} ${this.board.island.levelOf(key)}`;
      if (old?.look === look) continue;
      const spot = { look, shape: SHAPES[kind], name: `spot ${namesOf(kind)}${far.has(key) ? ' far' : ''}`, place: this.at(key) };
      const element = old?.element ?? svg('g');
      if (old?.shape !== spot.shape) element.replaceChildren(...spotShape(spot.shape));
      if (old?.name !== spot.name) element.setAttribute('class', spot.name);
      if (old?.place !== spot.place) element.setAttribute('transform', spot.place);
      if (!old) fresh.push(element);
      this.spots.set(key, { element, ...spot });
    }
    this.spotGroup.append(...fresh);
  }

  /** The tile in hand. @param {Placement | null} placement @param {number} level that its hexes would have @param {Verdict} verdict @param {boolean} pinned
   * @param {{key: Key, count: number, colour: string}[]} crushed huts under it */
  showTile(placement, level, verdict, pinned, crushed) {
    this.showCrushed(crushed, level);
    if (!placement) {
      this.tileGroup.replaceChildren();
      this.tileDrawn = '';
      return;
    }
    const look = `${placement.tile}:${placement.k}/${this.turn}`;
    if (look !== this.tileDrawn) {
      this.tileDrawn = look;
      this.tileGroup.replaceChildren(tileShape(placement, this.turn));
    }
    this.tileGroup.setAttribute('class', `held-tile is-${verdict}${pinned ? ' is-pinned' : ''}`);
    const lift = pinned ? 0 : 6;
    const { x, y } = pointOf(placement.at, level - 1, this.turn);
    this.tileGroup.setAttribute('transform', `translate(${fixed(x)} ${fixed(y - lift)})`);
  }

  /** The huts that a tile would crush, as a number on each of them. @param {{key: Key, count: number, colour: string}[]} crushed @param {number} level of the tile */
  showCrushed(crushed, level) {
    this.crushGroup.replaceChildren(
      ...crushed.map(({ key, count, colour }) =>
        svg(
          'g',
          { class: `crush p-${colour}`, transform: this.at(key, level) },
          svg('circle', { r: 15, cy: -4 }),
          stamp('huts-1', 'translate(-4 3) scale(0.8)'),
          svg('path', { class: 'cross', d: 'M-11-15L11 7M11-15L-11 7' }),
          svg('text', { x: 13, y: 12 }, `−${count}`),
        ),
      ),
    );
  }

  /** Previews of buildings. @param {{key: Key, piece: {kind: string, count: number}, colour: string, faint: boolean}[]} pieces */
  showPieces(pieces) {
    const digest = pieces.map(({ key, piece, colour, faint }) => `${this.at(key)} ${piece.kind}${piece.count} ${colour} ${faint}`).join();
    if (digest === this.piecesDrawn) return;
    this.piecesDrawn = digest;
    this.pieceGroup.replaceChildren(
      ...pieces.map(({ key, piece, colour, faint }) =>
        svg(
          'g',
          { class: `hex preview p-${colour}${faint ? ' faint' : ''}`, transform: this.at(key) },
          ...building(piece, colour),
        ),
      ),
    );
  }

  /** Made anew only elsewhere: a reader that has been told of one goes on to the next. @param {Key | null} key @param {number} [level] if it is not the hex's */
  showCursor(key, level) {
    const place = key === null ? '' : `${key} ${this.at(key, level)}`;
    if (place === this.cursorDrawn) return;
    this.cursorDrawn = place;
    if (key === null) this.cursorGroup.replaceChildren();
    else this.cursorGroup.replaceChildren(this.cursorAt(key, level));
  }

  /** @param {Key} key @param {number} [level] */
  cursorAt(key, level) {
    const shape = ['cursor-halo', 'cursor-ink'].map((name) => svg('path', { class: name, d: TOP }));
    return svg('g', { id: `hex_${key.replace(',', '_')}`, role: 'img', transform: this.at(key, level) }, ...shape);
  }

  /** @param {string} label what a screen reader says at the cursor @returns {string} the id of its element */
  nameCursor(label) {
    const shown = this.cursorGroup.firstElementChild;
    shown?.setAttribute('aria-label', label);
    return shown?.id ?? '';
  }
}

/** The classes of a spot: an eruption is a place where the tile may go, too. @param {SpotKind} kind */
const namesOf = (kind) => ({ erupt: 'spot-legal erupts', 'erupt-turn': 'spot-turn erupts' }[/** @type {string} */ (kind)] ?? `spot-${kind}`);

/** Kinds of one shape differ by their style: a tile that is turned changes the kind of most places. @type {{[kind in SpotKind]: 'disc' | 'glow' | 'sign' | 'rim'}} */
const SHAPES = { legal: 'disc', turn: 'disc', erupt: 'glow', 'erupt-turn': 'glow', danger: 'sign', build: 'rim', lit: 'rim', chosen: 'rim' };

/** @param {'disc' | 'glow' | 'sign' | 'rim'} shape */
function spotShape(shape) {
  switch (shape) {
    case 'sign':
      return [svg('path', { d: 'M0-12L12 9H-12Z' }), svg('text', { x: 0, y: 6.5 }, '!')];
    case 'rim':
      return [svg('path', { class: 'spot-halo', d: RIM }), svg('path', { class: 'spot-rim', d: RIM })];
    case 'glow':
      return [svg('ellipse', { class: 'glow', cy: -13, rx: 17, ry: 11 }), svg('ellipse', { class: 'glow-core', cy: -13, rx: 11, ry: 6.5 })];
    case 'disc':
      return [svg('circle', { r: 7 })];
  }
}

/** A tile around its first hex, on level 1. @param {Placement} placement @param {number} turn */
export function tileShape({ tile, k }, turn) {
  const placement = { text: '', tile, at: { q: 0, r: 0 }, k };
  const keys = footprint(placement).map(keyOf);
  const cells = placedCells(placement, 1);
  const drawn = keys.map((key, i) => ({ y: pointOf(hexOf(key), 1, turn).y, hex: drawHex(key, cells[i], turn, '') }));
  drawn.sort((a, b) => a.y - b.y);
  const edge = borderOf(keys, () => 1, turn, 1);
  return svg(
    'g',
    {},
    ...drawn.map(({ hex }) => hex),
    svg('path', { class: 'tile-halo', d: edge }),
    svg('path', { class: 'tile-edge', d: edge }),
  );
}
