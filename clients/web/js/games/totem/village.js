// The picture: the village with its quarters, huts, people, spells, poles and birds, and what is pointed at in it. It draws
// what it is given and says what was tapped, dragged or dropped; it decides nothing.

import { el, svg } from '../../dom.js';
import { bird, figure, fire, hut as hutPicture, markShape, PIECE_HIGH, spellBack, spellFace, tree } from './art.js';
import { blob, greenery, island, islandOf, ways, wilds } from './land.js';
import { ASIDE, BEHIND, crowd, freeArea, layOut } from './layout.js';
import { COLOUR_OF, familyOf, hutsOf, numberOf, TOP } from './notation.js';
import { paintOfFamily, pole } from './pieces.js';

/** @typedef {import('../game.js').Box} Box */
/** @typedef {import('./layout.js').Area} Area */
/** @typedef {import('./layout.js').Quarter} Quarter */
/** @typedef {import('./table.js').Chip} Chip */
/** @typedef {{hut: string, kind: string}} Someone one of a kind in a hut; the huts `R0` … are where those go who leave */
/**
 * What is shown of a family.
 * @typedef {object} Household
 * @property {string} title
 * @property {string} short the same for where there is little room
 * @property {number} pieces
 * @property {number} birds
 * @property {boolean} out
 * @property {boolean} won
 * @property {boolean} acts
 * @property {string | null} away those who leave; null if nobody has to
 * @property {string} badge what has changed in its enclosure, as "+2"
 */
/**
 * What is shown of a hut.
 * @typedef {object} Home
 * @property {string} people
 * @property {string} chosen of these, who is chosen
 * @property {Chip[]} chips
 * @property {string} badge what has just changed
 * @property {'' | 'open' | 'full' | 'aim'} look where somebody or something may go, may not go, or goes
 * @property {string} label for screen readers
 */
/**
 * @typedef {object} Scene
 * @property {{[family: string]: Household}} families that are shown, in their order
 * @property {{[hut: string]: Home}} huts
 * @property {Someone | null} held who is picked up
 * @property {(who: Someone) => boolean} movable
 * @property {number} supply
 * @property {(kind: string) => string} name of a kind of people, for whoever points at one
 * @property {string} away the words for where those go who leave
 */
/**
 * @typedef {object} Hands
 * @property {(who: Someone) => void} person was tapped
 * @property {(hut: string) => void} hut was tapped
 * @property {(family: string) => void} quarter was tapped beside its huts
 * @property {(who: Someone, hut: string) => void} dropped
 */

const DRAG_PX = 7,
  PEN_LEAST = 60, // pixels that an enclosure must be wide for its birds; else one stands for all
  SHORT_BELOW = 190; // pixels that a quarter must be wide for all of its title
const PERSON_MOST = 92,
  PERSON_SHARE = 0.7; // of a hut's width: three beside each other
const NEAR_FIRST = 'bgmwMWe'; // children stand in front
const LOW_HUT = 160; // pixels of a hut with its people, below which people stand before its wall
const WALL = 14; // of a hut that people may stand before
const PLOT_CORNERS = 11; // how square a quarter is; 2 is an oval

/** @param {number} value */
const fixed = (value) => Math.round(value * 10) / 10;
/** @param {number} x @param {number} y @param {number} [scale] */
const placed = (x, y, scale = 1) =>
  `translate(${fixed(x)} ${fixed(y)})${scale === 1 ? '' : ` scale(${Math.round(scale * 1000) / 1000})`}`;
/** @param {Area} area @param {number} [rx] */
const box = ({ x, y, width, height }, rx = 10) => ({
  x: fixed(x),
  y: fixed(y),
  width: fixed(Math.max(0, width)),
  height: fixed(Math.max(0, height)),
  rx,
});

export class Village {
  constructor() {
    this.land = svg('g', { class: 'lands' });
    this.landFor = '';
    this.ground = svg('g', {});
    this.over = svg('g', { class: 'over' });
    this.cursorGroup = svg('g', { class: 'cursor' });
    this.ghost = svg('g', { class: 'ghost' });
    this.svg = svg('svg', { class: 'village-picture', focusable: 'false' }, this.land, this.ground, this.over, this.cursorGroup, this.ghost);
    this.element = el('div', { class: 'board village', tabindex: 0 }, this.svg);
    /** @type {Box[]} */
    this.panels = [];
    /** @type {Scene | null} */
    this.scene = null;
    /** @type {import('./layout.js').Plan} */
    this.plan = { quarters: {}, middle: null };
    /** @type {Area} */
    this.area = { x: 0, y: 0, width: 0, height: 0 };
    /** @type {Partial<Hands>} */
    this.hands = {};
    this.cursor = '';
    this.listen();
  }

  /** @param {Box[]} panels */
  cover(panels) {
    this.panels = panels;
    this.draw();
  }

  /** @param {Scene} scene */
  show(scene) {
    this.scene = scene;
    this.draw();
  }

  /** How wide a hut would be if all quarters were shown. @param {number} families */
  roomFor(families) {
    const { quarters } = layOut(this.free(), Array.from({ length: families }, (_, i) => String(i)));
    return quarters[0]?.huts[0].width ?? 0;
  }

  free() {
    const { clientWidth, clientHeight } = this.element;
    return freeArea(clientWidth, clientHeight, this.panels);
  }

  draw() {
    const { scene } = this;
    const { clientWidth, clientHeight } = this.element;
    if (!scene || !clientWidth) return;
    this.svg.setAttribute('viewBox', `0 0 ${clientWidth} ${clientHeight}`);
    this.area = this.free();
    const families = Object.keys(scene.families);
    this.plan = layOut(this.area, families);
    this.drawLand(clientWidth, clientHeight);
    this.ground.replaceChildren(
      ...families.map((family) => this.quarter(scene, family)),
      ...(this.plan.middle ? [this.middle(scene, this.plan.middle)] : []),
    );
    this.drawCursor();
  }

  /** What stays as it is for as long as the picture is as large, and shows the same quarters. @param {number} width @param {number} height */
  drawLand(width, height) {
    const { area, plan } = this;
    const key = JSON.stringify([width, height, area, Object.keys(plan.quarters)]);
    if (key === this.landFor) return;
    this.landFor = key;
    const land = islandOf(area, width, height);
    const quarters = Object.values(plan.quarters);
    const taken = quarters.map((quarter) => quarter.area);
    const middle = { x: area.x + area.width / 2, y: area.y + area.height / 2 };
    const gates = taken.map((one) => ({ x: one.x + one.width / 2, y: one.y + one.height / 2 }));
    this.land.replaceChildren(
      island(land),
      ways(gates, middle),
      greenery(wilds(land, plan.middle ? [...taken, plan.middle] : taken), taken),
    );
  }

  // ---- parts ----

  /** @param {Scene} scene @param {string} family */
  quarter(scene, family) {
    const home = scene.families[family];
    const { area, huts, pole: stand, pen, title } = this.plan.quarters[family];
    const away = home.away === null ? null : { ...pen, x: pen.x + pen.width * 0.45, width: pen.width * 0.55 };
    const yard = away ? { ...pen, width: pen.width * 0.45 - 6 } : pen;
    return svg(
      'g',
      {
        class: `quarter ${paintOfFamily(family)}${home.acts ? ' acts' : ''}${home.out ? ' out' : ''}${home.won ? ' won' : ''}`,
        'data-family': family,
      },
      svg('path', { class: 'yard', d: blob(area, 1.5, PLOT_CORNERS, 3) }),
      svg('g', { transform: placed(title.x + 7, title.y + 10, 0.72) }, markShape(COLOUR_OF[family])),
      svg('text', { class: 'family-name', x: fixed(title.x + 19), y: fixed(title.y + 15) }, area.width < SHORT_BELOW ? home.short : home.title),
      home.won && feast(area, stand),
      this.stand(stand, home.pieces),
      ...hutsOf(family).map((id, i) => this.hut(scene, id, huts[i])),
      this.pen(yard, home),
      away && this.leaving(scene, `${family}0`, away, home.away ?? ''),
    );
  }

  /** The pole of a family, and the stake that it grows on. @param {Area} area @param {number} pieces */
  stand({ x, y, width, height }, pieces) {
    const scale = Math.min(width / 25, height / (TOP * PIECE_HIGH + 6));
    const foot = y + height - 2;
    const high = TOP * PIECE_HIGH * scale;
    return svg(
      'g',
      { class: 'stand' },
      svg('ellipse', { class: 'cast-shade', cx: fixed(x + width / 2), cy: fixed(foot), rx: fixed(15 * scale), ry: fixed(4 * scale) }),
      svg('path', { class: 'stake', d: `M${fixed(x + width / 2)} ${fixed(foot)}V${fixed(foot - high)}` }),
      svg('g', { transform: placed(x + width / 2, foot, scale) }, pole(pieces)),
    );
  }

  /** @param {Area} area @param {Household} home */
  pen({ x, y, width, height }, { birds, badge }) {
    if (width < PEN_LEAST)
      return svg(
        'g',
        { class: 'pen' },
        svg('g', { transform: placed(x + 12, y + height / 2, 0.9) }, bird()),
        svg('text', { class: 'pen-number', x: fixed(x + width - 2), y: fixed(y + height / 2 + 5) }, `${birds}`),
      );
    const size = Math.min(1.7, height / 20);
    const step = Math.min(17 * size, (width - 42) / Math.max(1, birds));
    const posts = Math.max(2, Math.round(width / 16));
    const rail = (/** @type {number} */ share) => `M${fixed(x)} ${fixed(y + height * share)}h${fixed(width)}`;
    const poles = Array.from(
      { length: posts + 1 },
      (_, i) => `M${fixed(x + (width * i) / posts)} ${fixed(y + height * 0.42)}V${fixed(y + height)}`,
    );
    return svg(
      'g',
      { class: 'pen' },
      ...Array.from({ length: birds }, (_, i) =>
        svg('g', { transform: placed(x + 11 * size + i * step, y + height - 9 * size, size) }, bird()),
      ),
      svg('path', { class: 'fence', d: rail(0.6) + rail(0.86) + poles.join('') }),
      svg('text', { class: 'pen-number', x: fixed(x + width - 4), y: fixed(y + height * 0.5) }, badge ? `${birds} (${badge})` : `${birds}`),
    );
  }

  /** Where those go who leave. @param {Scene} scene @param {string} id @param {Area} area @param {string} people */
  leaving(scene, id, area, people) {
    const field = { x: area.x + 4, y: area.y + 12, width: area.width - 8, height: area.height - 14 };
    return svg(
      'g',
      { class: `leaving is-${scene.huts[id]?.look ?? ''}`, 'data-hut': id },
      svg('rect', { class: 'target', ...box(area) }),
      svg('text', { class: 'leaving-name', x: fixed(area.x + area.width / 2), y: fixed(area.y + 11) }, scene.away),
      ...this.people(scene, id, people, '', field, area.height - 16),
    );
  }

  /** @param {Scene} scene @param {string} id @param {Area} area */
  hut(scene, id, area) {
    const { people, chosen, chips, badge, look } = scene.huts[id];
    const chip = Math.max(13, Math.min(24, area.width * 0.2));
    const scale = Math.min(area.width / 66, (area.height * (area.height < LOW_HUT ? 0.5 : 0.38)) / 48);
    const foot = area.y + chip + 2 + 47 * scale;
    const middle = area.x + area.width / 2;
    const field = {
      x: area.x + 3,
      y: foot - WALL * scale,
      width: area.width - 6,
      height: area.y + area.height - foot + WALL * scale,
    };
    return svg(
      'g',
      { class: `hut is-${look}`, 'data-hut': id, id: `hut_${id}` },
      svg('rect', { class: 'target', ...box({ x: area.x + 1, y: area.y + 1, width: area.width - 2, height: area.height - 2 }) }),
      svg('g', { transform: placed(middle, foot, scale) }, hutPicture(), hutSign(id[1])),
      ...this.people(scene, id, people, chosen, field, Math.min(PERSON_MOST, area.width * PERSON_SHARE)),
      ...this.chips(chips, { ...area, height: chip }),
      badge && this.badge(badge, middle, foot + 2),
    );
  }

  /** @param {Scene} scene @param {string} hut @param {string} people @param {string} chosen @param {Area} field @param {number} most */
  people(scene, hut, people, chosen, field, most) {
    const { size, rows } = crowd(Math.max(people.length, 6), field, most);
    const scale = size / 31;
    const all = [...people].sort((a, b) => NEAR_FIRST.indexOf(b) - NEAR_FIRST.indexOf(a));
    const used = Math.min(rows, Math.ceil(all.length / 3));
    const perRow = Math.ceil(all.length / Math.max(1, used));
    const back = all.length - perRow * (used - 1); // the rest of them stands behind
    const wide = Math.min(size * ASIDE * 1.4, field.width / Math.max(perRow, 1));
    const slack = Math.max(0, field.height - size * (1 + (used - 1) * BEHIND));
    return all.map((kind, at) => {
      const row = at < back ? 0 : 1 + Math.floor((at - back) / perRow);
      const [first, inRow] = row ? [back + (row - 1) * perRow, perRow] : [0, back];
      const x = field.x + field.width / 2 + (at - first - (inRow - 1) / 2) * wide;
      const y = field.y + slack * 0.3 + size * 0.98 + row * size * BEHIND;
      const before = all.slice(0, at).filter((one) => one === kind).length;
      const held = scene.held?.hut === hut && scene.held.kind === kind && before === 0;
      const taken = before < numberOf(chosen, kind);
      const movable = scene.movable({ hut, kind });
      return svg(
        'g',
        {
          class: `person${movable ? ' movable' : ''}${held ? ' held' : ''}${taken ? ' taken' : ''}`,
          'data-hut': hut,
          'data-kind': kind,
          transform: placed(x, y, scale),
        },
        svg('rect', { class: 'reach', x: -wide / scale / 2, y: -29, width: wide / scale, height: 31, rx: 4 }),
        svg('ellipse', { class: 'cast-shade', cx: 0, cy: 0, rx: 7, ry: 1.8 }),
        svg('title', {}, scene.name(kind)),
        figure(kind, at),
        taken && svg('path', { class: 'cross', d: 'M-7-24L7-2M7-24L-7-2' }),
      );
    });
  }

  /** @param {Chip[]} chips @param {Area} strip */
  chips(chips, { x, y, width, height }) {
    const step = Math.min(height + 2, (width - height) / Math.max(1, chips.length - 1));
    const start = x + width / 2 - (step * (chips.length - 1)) / 2;
    return chips.map(({ owner, spell, up, told }, i) =>
      svg(
        'g',
        {
          class: `chip ${paintOfFamily(owner)}${up ? ' is-up' : ''}${told ? ' is-told' : ''}${spell ? ' is-known' : ''}`,
          'data-chip': `${owner}${spell}`,
          transform: placed(start + i * step, y + height / 2 + 1, height / 21),
        },
        up || told ? spellFace(spell) : spellBack(),
        !up && !told && spell && svg('g', { class: 'peek', transform: 'translate(5 5) scale(.62)' }, spellFace(spell)),
      ),
    );
  }

  /** @param {string} words @param {number} x @param {number} y */
  badge(words, x, y) {
    const width = words.length * 8 + 12;
    return svg(
      'g',
      { class: `badge${words.startsWith('+') ? ' more' : ' less'}`, transform: placed(x, y) },
      svg('rect', { x: -width / 2, y: -10, width, height: 20, rx: 10 }),
      svg('text', { y: 5 }, words),
    );
  }

  /** @param {Scene} scene @param {Area} area */
  middle({ supply }, { x, y, width, height }) {
    const centre = x + width / 2;
    const each = Math.min(19, (width / 2 - 90) / Math.max(1, Math.ceil(supply / 2)));
    return svg(
      'g',
      { class: 'middle' },
      svg('ellipse', { class: 'square', cx: fixed(centre), cy: fixed(y + height / 2), rx: fixed(Math.min(width / 2, 60 + (supply / 2) * each + 26)), ry: fixed(height / 2 + 4) }),
      ...Array.from({ length: supply }, (_, i) => {
        const side = i % 2 ? 1 : -1;
        const at = centre + side * (62 + Math.floor(i / 2) * each);
        return svg('g', { transform: `${placed(at, y + height - 12 - ((i >> 1) % 2) * 17)} scale(${side * -1.15} 1.15)` }, bird());
      }),
      svg('g', { transform: placed(centre - 12, y + height - 3, 1.1) }, tree()),
      svg('g', { transform: placed(centre + 33, y + height - 6, 1.2) }, fire()),
      svg('text', { class: 'supply-number', x: fixed(centre - 12), y: fixed(y + height - 32) }, `${supply}`),
    );
  }

  // ---- the keyboard's cursor ----

  /** @param {string} hut "" hides it */
  point(hut) {
    this.cursor = hut;
    this.drawCursor();
  }

  drawCursor() {
    const area = this.cursor ? this.areaOf(this.cursor) : null;
    if (!area) {
      this.cursorGroup.replaceChildren();
      this.element.removeAttribute('aria-activedescendant');
      return;
    }
    const id = `at_${this.cursor}`;
    this.cursorGroup.replaceChildren(
      svg(
        'g',
        { id, role: 'img', 'aria-label': this.scene?.huts[this.cursor]?.label ?? '' },
        svg('rect', { class: 'cursor-halo', ...box(area) }),
        svg('rect', { class: 'cursor-ink', ...box(area) }),
      ),
    );
    this.element.setAttribute('aria-activedescendant', id);
  }

  /** Where a hut lies; null if it is not shown. @param {string} hut @returns {Area | null} */
  areaOf(hut) {
    const quarter = this.plan.quarters[familyOf(hut)];
    if (!quarter) return null;
    return hut[1] === '0' ? { ...quarter.pen, x: quarter.pen.x + quarter.pen.width * 0.45, width: quarter.pen.width * 0.55 } : quarter.huts[Number(hut[1]) - 1];
  }

  // ---- pointer ----

  listen() {
    /** @type {{x: number, y: number, who: Someone | null, id: number} | null} */
    let press = null;
    let dragging = false;
    const { element } = this;
    element.addEventListener('pointerdown', (event) => {
      if (event.button !== 0 || press || !(event.target instanceof Element) || event.target.closest('button')) return;
      press = { x: event.clientX, y: event.clientY, who: someoneAt(event.target), id: event.pointerId };
      element.setPointerCapture(event.pointerId);
    });
    element.addEventListener('pointermove', (event) => {
      if (!press || event.pointerId !== press.id) return;
      const far = Math.hypot(event.clientX - press.x, event.clientY - press.y) > DRAG_PX;
      if (!dragging && far && press.who && this.scene?.movable(press.who)) dragging = true;
      if (dragging && press.who) this.carry(press.who, event.clientX, event.clientY, event.pointerType === 'touch');
    });
    const end = (/** @type {PointerEvent} */ event, /** @type {boolean} */ done) => {
      if (!press || event.pointerId !== press.id) return;
      const { who } = press;
      const wasDrag = dragging;
      press = null;
      dragging = false;
      this.carry(null, 0, 0, false);
      if (!done) return;
      const under = document.elementFromPoint(event.clientX, event.clientY);
      const hut = hutAt(under);
      if (wasDrag) {
        if (who && hut) this.hands.dropped?.(who, hut);
      } else this.tap(under);
    };
    element.addEventListener('pointerup', (event) => end(event, true));
    element.addEventListener('pointercancel', (event) => end(event, false));
  }

  /** @param {Element | null} under */
  tap(under) {
    const who = someoneAt(under);
    const hut = hutAt(under);
    const family = under?.closest('[data-family]')?.getAttribute('data-family');
    if (who && this.scene?.movable(who)) this.hands.person?.(who);
    else if (hut) this.hands.hut?.(hut);
    else if (family) this.hands.quarter?.(family);
  }

  /** Shows who is dragged, above a finger. @param {Someone | null} who @param {number} clientX @param {number} clientY @param {boolean} touch */
  carry(who, clientX, clientY, touch) {
    if (!who) {
      this.ghost.replaceChildren();
      for (const hut of this.ground.querySelectorAll('.is-under')) hut.classList.remove('is-under');
      return;
    }
    const { left, top } = this.element.getBoundingClientRect();
    if (!this.ghost.firstChild) this.ghost.append(svg('g', { class: paintOfFamily(familyOf(who.hut)) }, figure(who.kind)));
    this.ghost.setAttribute('transform', placed(clientX - left, clientY - top + (touch ? -8 : 12), touch ? 2 : 1.5));
    const hut = hutAt(document.elementFromPoint(clientX, clientY));
    for (const one of this.ground.querySelectorAll('.hut, .leaving'))
      one.classList.toggle('is-under', one.getAttribute('data-hut') === hut);
  }
}

/** A family has won: lanterns over its quarter, and light about its pole. @param {Area} area @param {Area} stand */
function feast({ x, y, width }, stand) {
  const [foot, middle] = [stand.y + stand.height * 0.55, stand.x + stand.width / 2];
  const rays = Array.from({ length: 12 }, (_, i) => {
    const turn = (Math.PI * i) / 6;
    const to = (/** @type {number} */ more) => `${fixed(middle + Math.cos(turn + more) * stand.height * 0.46)} ${fixed(foot + Math.sin(turn + more) * stand.height * 0.46)}`;
    return `M${fixed(middle)} ${fixed(foot)}L${to(-0.09)}L${to(0.09)}Z`;
  });
  const lamps = Math.max(4, Math.round(width / 46));
  const places = Array.from({ length: lamps }, (_, i) => ({ x: x + 24 + ((width - 48) * (i + 0.5)) / lamps, y: y + 40 + (i % 2) * 5 }));
  return svg(
    'g',
    { class: 'feast' },
    svg('path', { class: 'rays', d: rays.join('') }),
    svg('path', { class: 'cord', d: `M${fixed(x + 16)} ${fixed(y + 31)}${places.map((at) => `L${fixed(at.x)} ${fixed(at.y - 6)}`).join('')}L${fixed(x + width - 16)} ${fixed(y + 31)}` }),
    ...places.map((at) => svg('circle', { class: 'lamp', cx: fixed(at.x), cy: fixed(at.y), r: 6 })),
  );
}

/** The number of a hut, above its door. @param {string} number */
const hutSign = (number) =>
  svg('g', { class: 'hut-sign' }, svg('circle', { cx: 0, cy: -23, r: 7.4 }), svg('text', { class: 'hut-number', y: -18.8 }, number));

/** @param {Element | null} element @returns {Someone | null} */
function someoneAt(element) {
  const person = element?.closest('[data-kind]');
  if (!person) return null;
  return { hut: person.getAttribute('data-hut') ?? '', kind: person.getAttribute('data-kind') ?? '' };
}

/** @param {Element | null} element */
const hutAt = (element) => element?.closest('[data-hut]')?.getAttribute('data-hut') ?? '';
