// Fields of forms: a choice from a list, a slider, and a box to tick. What was chosen is read of the element that was used: `fill` keeps the one
// that is there already, and gives it the listener of the one that was made anew.

import { el, fill } from './dom.js';

/** @param {string} value @param {[string, string][]} options */
const optionsOf = (value, options) => options.map(([id, words]) => el('option', { value: id, selected: id === value }, words));

/** @param {string} label @param {string} value @param {[string, string][]} options @param {(value: string) => void} change */
export function choice(label, value, options, change) {
  const onchange = (/** @type {Event} */ { currentTarget }) => change(/** @type {HTMLSelectElement} */ (currentTarget).value);
  return el('label', { class: 'field' }, el('span', {}, label), el('select', { onchange }, ...optionsOf(value, options)));
}

/** Another choice in the same field, which somebody may be about to open. @param {HTMLElement} field @param {string} value @param {[string, string][]} options */
export const chooseFrom = (field, value, options) => fill(/** @type {HTMLElement} */ (field.querySelector('select')), ...optionsOf(value, options));

/** How much, in per cent. @param {string} label @param {number} value @param {(value: number) => void} change */
export function slider(label, value, change) {
  const onchange = (/** @type {Event} */ { currentTarget }) => change(Number(/** @type {HTMLInputElement} */ (currentTarget).value));
  return el('label', { class: 'field' }, el('span', {}, label), el('input', { type: 'range', min: 5, max: 100, step: 5, value, onchange }));
}

/**
 * @param {string} label @param {boolean} on @param {{[name: string]: any}} [more]
 * @param {(on: boolean) => void | Promise<boolean>} change may say later how it is after all
 */
export function tick(label, on, change, more = {}) {
  const onchange = async (/** @type {Event} */ { currentTarget }) => {
    const box = /** @type {HTMLInputElement} */ (currentTarget);
    const after = await change(box.checked);
    if (after !== undefined) box.checked = after;
  };
  return el('label', { class: 'tick' }, el('input', { type: 'checkbox', checked: on, ...more, onchange }), el('span', {}, label));
}
