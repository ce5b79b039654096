// The keyboard in the village: a cursor that walks from hut to hut, says what it stands on, picks people up and puts them
// down, and chooses huts for spells.

import { hutsOf } from './notation.js';

/** @typedef {import('./view.js').TableView} View */

export class Cursor {
  /** @param {import('./village.js').Village} village @param {View} view */
  constructor(village, view) {
    this.village = village;
    this.view = view;
    this.hut = '';
    /** Which of the people here Enter would pick up. */
    this.kind = '';
    const { element } = village;
    element.addEventListener('keydown', (event) => this.press(event));
    element.addEventListener('focus', () => {
      if (element.matches('.by-keys :focus-visible')) this.go(this.hut || this.places()[0] || '');
    });
    element.addEventListener('blur', () => village.point(''));
    element.addEventListener('pointerdown', () => village.point(''));
  }

  /** Everywhere that the cursor can go. @returns {string[]} */
  places() {
    const { scene } = this.village;
    return Object.entries(scene?.families ?? {}).flatMap(([family, home]) => [
      ...hutsOf(family),
      ...(home.away === null ? [] : [`${family}0`]),
    ]);
  }

  /** @param {string} hut */
  go(hut) {
    this.hut = hut;
    const kinds = this.view.takeable(hut);
    if (!kinds.includes(this.kind)) this.kind = kinds[0] ?? '';
    this.village.point(hut);
    this.view.drawVillage();
  }

  /** To the nearest place in a direction. @param {number} dx @param {number} dy */
  walk(dx, dy) {
    const here = this.middle(this.hut);
    if (!here) {
      this.go(this.places()[0] ?? '');
      return;
    }
    let best = '';
    let least = Infinity;
    for (const place of this.places()) {
      const there = this.middle(place);
      if (!there || place === this.hut) continue;
      const along = (there.x - here.x) * dx + (there.y - here.y) * dy;
      const aside = Math.abs((there.x - here.x) * dy) + Math.abs((there.y - here.y) * dx);
      if (along > 4 && along + 2.5 * aside < least) {
        least = along + 2.5 * aside;
        best = place;
      }
    }
    if (best) this.go(best);
  }

  /** @param {string} hut */
  middle(hut) {
    const area = hut ? this.village.areaOf(hut) : null;
    return area && { x: area.x + area.width / 2, y: area.y + area.height / 2 };
  }

  /** The next kind of people here, or the next place with some. @param {number} by */
  next(by) {
    const kinds = this.view.takeable(this.hut);
    const at = kinds.indexOf(this.kind) + by;
    if (at >= 0 && at < kinds.length) {
      this.kind = kinds[at];
      this.go(this.hut);
      return;
    }
    const places = this.places();
    const start = places.indexOf(this.hut);
    for (let i = 1; i <= places.length; i++) {
      const place = places[(start + i * by + places.length * 2) % places.length];
      const some = this.view.takeable(place);
      if (!some.length) continue;
      this.kind = by > 0 ? some[0] : some[some.length - 1];
      this.go(place);
      return;
    }
  }

  enter() {
    const { view, hut, kind } = this;
    if (view.held || !view.movable({ hut, kind })) view.enterHut(hut);
    else view.touch({ hut, kind });
    this.go(hut);
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    if (event.target !== this.village.element || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = this.actions()[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  /** @returns {{[key: string]: () => void}} */
  actions() {
    const { view } = this;
    return {
      ArrowRight: () => this.walk(1, 0),
      ArrowLeft: () => this.walk(-1, 0),
      ArrowUp: () => this.walk(0, -1),
      ArrowDown: () => this.walk(0, 1),
      Enter: () => this.enter(),
      ' ': () => this.enter(),
      n: () => this.next(1),
      p: () => this.next(-1),
      Escape: () => view.changed(),
      c: () => view.send(),
      u: () => view.takeNoteBack(),
    };
  }
}
