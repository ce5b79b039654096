// The dialog of what those who look after the server have decided about this player: what, why, and until when.

import { openDialog } from './dialogs.js';
import { el } from './dom.js';
import { t } from './latewords.js';

/** @typedef {import('./wire.js').Message} Message */

/** @param {Message} judgement */
function judgementLine({ verdict, why, until, text }) {
  const day = until && new Date(until).toLocaleString(document.documentElement.lang, { dateStyle: 'medium', timeStyle: 'short' });
  return el('li', {}, el('p', {}, t(`judged_${verdict}`, { why: t(`why_${why}`), day })), text && el('blockquote', {}, text));
}

/** @param {import('./wire.js').Wire} wire @param {Message[]} judgements that were not read yet */
export function openJudged(wire, judgements) {
  document.querySelector('.judged')?.closest('dialog')?.remove(); // what is new has all of it
  const list = el('ul', { class: 'judged' }, ...judgements.map(judgementLine));
  const read = el('button', { type: 'button', class: 'confirm', onclick: () => dialog.close() }, t('judged_read'));
  const dialog = openDialog(t('judged'), list, el('div', { class: 'actions' }, read));
  dialog.addEventListener('close', () => {
    wire.hello.judgements = [];
    void wire.askPatiently('heed').catch(() => undefined); // else it is shown again
  });
  return dialog;
}
