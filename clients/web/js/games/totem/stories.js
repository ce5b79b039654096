// What has just happened, as small scenes over the village: births, the catch, meals, illness, the generations, poles that
// grow. They only decorate: what is true is drawn already. Whoever wants no motion sees numbers beside huts and pens instead;
// those stay for everybody until the next event that changes something.

import { svg } from '../../dom.js';
import { bird, figure, piece, PIECE_HIGH, spellBack, spellFace } from './art.js';
import { effectsOf } from './badges.js';
import { familyOf, hutsOf, readCommand, readHuts, readPuts, TOP } from './notation.js';
import { paintOfFamily } from './pieces.js';

/** @typedef {import('../game.js').Moment} Moment */
/** @typedef {import('./notation.js').Effect} Effect */
/** @typedef {{x: number, y: number}} Point */

const FIGURES_MOST = 6; // that are shown of one effect
const LONGEST_MS = 5000;

export class Stories {
  /** @param {import('./village.js').Village} village */
  constructor(village) {
    this.village = village;
    this.told = -1;
    this.still = window.matchMedia('(prefers-reduced-motion: reduce)');
    this.at = 0; // when the scene under way ends
  }

  /** Tells what is new. @param {Moment[]} past up to the moment that is shown */
  follow(past) {
    const last = past.at(-1)?.seq ?? 0;
    const fresh = this.told < 0 ? [] : past.filter(({ seq }) => seq > this.told);
    this.told = last;
    if (this.still.matches || document.hidden || fresh.length > 4) return;
    for (const moment of fresh) this.tell(moment);
  }

  /** @param {Moment} moment */
  tell(moment) {
    const now = performance.now();
    let delay = Math.max(0, this.at - now);
    if (delay > LONGEST_MS) return;
    const command = readCommand(moment.event?.move ?? '');
    if (command?.verb === 'cast') delay += this.chipFalls(command.family, command.rest.slice(2), delay);
    let before = '';
    let lasts = 0;
    for (const effect of effectsOf(moment)) {
      if (effect.what !== before) delay += lasts;
      before = effect.what;
      lasts = this.scene(effect, delay);
    }
    this.at = now + delay + lasts;
  }

  /** @param {Effect} effect @param {number} delay @returns {number} how long it lasts */
  scene({ what, who, value }, delay) {
    switch (what) {
      case 'born':
        return this.people(who, value, delay, true);
      case 'ill':
        return this.people(who, value, delay, false);
      case 'gone':
        return Math.max(0, ...Object.entries(readHuts(who, value)).map(([hut, people]) => this.people(hut, people, delay, false)));
      case 'catch':
      case 'bird':
        return this.birds(this.supply(), this.pen(who), Number(value), delay);
      case 'eat':
        return this.birds(this.pen(who), this.hearth(who), Number(value), delay);
      case 'spill':
      case 'burn':
        return this.birds(this.pen(who), this.supply(), Number(value), delay);
      case 'put':
        for (const { hut } of readPuts(value)) this.chipFalls(who, hut, delay);
        return 700;
      case 'show':
        for (const { spell, hut } of readPuts(value)) this.chipTurns(who, spell, hut, delay);
        return 1200;
      case 'age':
        return this.sun(delay);
      case 'build':
        return this.piece(who, Number(value), delay, true);
      case 'mourn':
        return this.piece(who, Number(value) + 1, delay, false);
      default:
        return 0;
    }
  }

  // ---- where things are ----

  /** @param {string} hut @returns {Point | null} */
  hut(hut) {
    const area = this.village.areaOf(hut);
    return area && { x: area.x + area.width / 2, y: area.y + area.height * 0.45 };
  }

  /** @param {string} family @returns {Point | null} */
  pen(family) {
    const pen = this.village.plan.quarters[family]?.pen;
    return pen ? { x: pen.x + pen.width / 3, y: pen.y + pen.height / 2 } : null;
  }

  /** @param {string} family */
  hearth(family) {
    return this.hut(hutsOf(family)[1]);
  }

  supply() {
    const { plan, area } = this.village;
    const { x, y, width, height } = plan.middle ?? area;
    return { x: x + width / 2, y: y + height / 2 };
  }

  // ---- what moves ----

  /** Moves a drawing that is there for as long as it moves. @param {SVGElement} drawing @param {Keyframe[]} frames @param {number} duration @param {number} delay */
  move(drawing, frames, duration, delay) {
    this.village.over.append(drawing);
    const motion = drawing.animate(frames, { duration, delay, easing: 'ease-in-out', fill: 'both' });
    motion.onfinish = motion.oncancel = () => drawing.remove();
  }

  /** People come out of a hut, or fade away. @param {string} hut @param {string} people @param {number} delay @param {boolean} come */
  people(hut, people, delay, come) {
    const at = this.hut(hut);
    if (!at || !people) return 0;
    [...people].slice(0, FIGURES_MOST).forEach((kind, i, all) => {
      const x = at.x + (i - (all.length - 1) / 2) * 18;
      const drawing = svg('g', { class: `${paintOfFamily(familyOf(hut))}${come ? '' : ' fading'}` }, figure(kind));
      const low = `translate(${x}px, ${at.y}px) scale(${come ? 0.2 : 1.4})`;
      const high = `translate(${x}px, ${at.y - 16}px) scale(1.7)`;
      this.move(
        drawing,
        come
          ? [{ transform: low, opacity: 0 }, { transform: high, opacity: 1, offset: 0.5 }, { transform: high, opacity: 0 }]
          : [{ transform: low, opacity: 1 }, { transform: high, opacity: 0 }],
        1100,
        delay + i * 60,
      );
    });
    return 1200;
  }

  /** @param {Point | null} from @param {Point | null} to @param {number} n @param {number} delay */
  birds(from, to, n, delay) {
    if (!from || !to || !n) return 0;
    for (let i = 0; i < Math.min(n, FIGURES_MOST); i++) {
      const mid = { x: (from.x + to.x) / 2 + (i % 2 ? 24 : -24), y: Math.min(from.y, to.y) - 40 - i * 8 };
      const turn = to.x < from.x ? ' scale(-1.4, 1.4)' : ' scale(1.4)';
      const place = (/** @type {Point} */ { x, y }) => `translate(${x}px, ${y}px)${turn}`;
      this.move(
        svg('g', {}, bird(true)),
        [
          { transform: place(from), opacity: 0 },
          { transform: place(mid), opacity: 1, offset: 0.5 },
          { transform: place(to), opacity: 0.2 },
        ],
        1000,
        delay + i * 70,
      );
    }
    return 1100;
  }

  /** @param {string} family @param {string} hut @param {number} delay */
  chipFalls(family, hut, delay) {
    const at = this.hut(hut);
    if (!at) return 0;
    const place = (/** @type {number} */ up, /** @type {number} */ size) => `translate(${at.x}px, ${at.y - up}px) scale(${size})`;
    this.move(
      svg('g', { class: paintOfFamily(family) }, spellBack()),
      [
        { transform: place(90, 2.6), opacity: 0 },
        { transform: place(40, 2), opacity: 1, offset: 0.4 },
        { transform: place(24, 1), opacity: 0 },
      ],
      650,
      delay,
    );
    return 350;
  }

  /** @param {string} family @param {string} spell @param {string} hut @param {number} delay */
  chipTurns(family, spell, hut, delay) {
    const at = this.hut(hut);
    if (!at || spell === '?') return;
    const place = (/** @type {number} */ wide) => `translate(${at.x}px, ${at.y - 22}px) scale(${wide * 2.4}, 2.4)`;
    const back = svg('g', { class: paintOfFamily(family) }, spellBack());
    const face = svg('g', { class: paintOfFamily(family) }, spellFace(spell));
    this.move(back, [{ transform: place(1), opacity: 1 }, { transform: place(0), opacity: 1 }], 300, delay);
    this.move(
      face,
      [{ transform: place(0), opacity: 0 }, { transform: place(1), opacity: 1, offset: 0.3 }, { transform: place(1), opacity: 1, offset: 0.8 }, { transform: place(1), opacity: 0 }],
      1000,
      delay + 300,
    );
  }

  /** A sun goes over the village. @param {number} delay */
  sun(delay) {
    const { x, y, width, height } = this.village.area;
    const place = (/** @type {number} */ share, /** @type {number} */ up) =>
      `translate(${x + width * share}px, ${y + height * (0.5 - up)}px)`;
    this.move(
      svg('circle', { class: 'sun', r: 26 }),
      [
        { transform: place(0, 0), opacity: 0 },
        { transform: place(0.5, 0.4), opacity: 0.9 },
        { transform: place(1, 0), opacity: 0 },
      ],
      1500,
      delay,
    );
    return 1500;
  }

  /** A piece comes onto a pole, or falls from it. @param {string} family @param {number} number @param {number} delay @param {boolean} comes */
  piece(family, number, delay, comes) {
    const stand = this.village.plan.quarters[family]?.pole;
    if (!stand || number < 1 || number > TOP) return 0;
    const scale = Math.min(stand.width / 25, stand.height / (TOP * PIECE_HIGH + 6));
    const x = stand.x + stand.width / 2;
    const y = stand.y + stand.height - 2 - (number - 0.5) * PIECE_HIGH * scale;
    const there = `translate(${x}px, ${y}px) scale(${scale})`;
    this.move(
      svg('g', { class: paintOfFamily(family) }, piece(number - 1)),
      comes
        ? [{ transform: `translate(${x}px, ${y - 120}px) scale(${scale * 2})`, opacity: 0 }, { transform: there, opacity: 1 }]
        : [{ transform: there, opacity: 1 }, { transform: `translate(${x + 40}px, ${y + 60}px) rotate(80deg) scale(${scale})`, opacity: 0 }],
      900,
      delay,
    );
    return 900;
  }
}
