// Names of people: who has a handle is known better by one press on the name, wherever it stands.

import { el } from './dom.js';
import { errorText, fetchWorded, nameOf, t } from './words.js';

/** @param {{[name: string]: any}} state @param {number | string} seat @param {string} [style] */
export function nameOfSeat(state, seat, style = 'name') {
  const { handle } = state.seats[seat];
  if (!handle) return el('span', { class: style }, nameOf(state, seat));
  const title = t('who_is', { handle });
  return el('button', { type: 'button', class: `${style} named`, title, 'data-handle': handle }, nameOf(state, seat));
}

/** @param {import('./shell.js').Shell} shell */
export function openNamed(shell) {
  document.addEventListener('click', async ({ target }) => {
    const named = target instanceof Element && target.closest('[data-handle]');
    if (!(named instanceof HTMLElement) || !named.dataset.handle) return;
    try {
      (await fetchWorded(() => import('./others.js'))).openWho(shell, named.dataset.handle);
    } catch (error) {
      shell.toast(errorText(error));
    }
  });
}
