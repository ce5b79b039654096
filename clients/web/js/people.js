// The part of the form for a new table that says who plays at this device, and their names.

import { el } from './dom.js';
import { choice } from './fields.js';
import { prefs } from './prefs.js';
import { t } from './words.js';

const PEOPLE_MOST = 5; // a game has no more seats

/** A field for a person's name. @param {string} label @param {string} [value] */
export function nameField(label, value = '') {
  const input = el('input', { type: 'text', class: 'person-name', maxlength: 24, value, placeholder: t('name_hint'), autocomplete: 'off', spellcheck: 'false' });
  return {
    element: el('label', { class: 'field' }, el('span', {}, label), input),
    input,
    get value() {
      return input.value.trim();
    },
  };
}

/** It outlives the form, which is made anew for another game. */
export class PeopleHere {
  constructor() {
    this.all = Array.from({ length: PEOPLE_MOST }, (_, i) =>
      nameField(i ? t('name_n', { person: i + 1 }) : t('name'), i ? '' : prefs.name),
    );
    this.count = 1;
    this.fields = el('div', { class: 'grid', hidden: true });
    const numbers = this.all.map((_, i) => String(i + 1));
    this.choice = choice(t('people_here'), '1', numbers.map((n) => [n, n]), (n) => this.take(Number(n)));
  }

  /** @param {number} count */
  take(count) {
    this.count = count;
    this.fields.hidden = count === 1;
    this.fields.replaceChildren(...this.all.slice(0, count).map(({ element }) => element));
  }

  /** The visitor's first; none if nobody else is here. */
  get names() {
    return this.count === 1 ? [] : this.all.slice(0, this.count).map(({ value }) => value);
  }
}
