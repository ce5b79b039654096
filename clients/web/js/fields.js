// Fields of forms: a choice from a list, a slider, and a box to tick.

import { el } from './dom.js';

/** @param {string} label @param {string} value @param {[string, string][]} options @param {(value: string) => void} change */
export function choice(label, value, options, change) {
  const select = el(
    'select',
    { onchange: () => change(select.value) },
    ...options.map(([id, words]) => el('option', { value: id, selected: id === value }, words)),
  );
  return el('label', { class: 'field' }, el('span', {}, label), select);
}

/** How much, in per cent. @param {string} label @param {number} value @param {(value: number) => void} change */
export function slider(label, value, change) {
  const range = el('input', { type: 'range', min: 5, max: 100, step: 5, value, onchange: () => change(Number(range.value)) });
  return el('label', { class: 'field' }, el('span', {}, label), range);
}

/**
 * @param {string} label @param {boolean} on @param {{[name: string]: any}} [more]
 * @param {(on: boolean) => void | Promise<boolean>} change may say later how it is after all
 */
export function tick(label, on, change, more = {}) {
  const onchange = async () => {
    const after = await change(box.checked);
    if (after !== undefined) box.checked = after;
  };
  const box = el('input', { type: 'checkbox', checked: on, ...more, onchange });
  return el('label', { class: 'tick' }, box, el('span', {}, label));
}
