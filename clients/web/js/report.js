// The dialog in which somebody at a table is reported to those who look after the server.

import { openDialog } from './dialogs.js';
import { el } from './dom.js';
import { choice } from './fields.js';
import { t } from './latewords.js';
import { seatsToReport } from './log.js';
import { errorText, nameText } from './words.js';

/** @typedef {import('./room.js').Room} Room */

const WHYS = ['talk', 'name', 'cheating', 'stalling', 'other'];

/** @param {Room} room @param {(text: string) => void} say */
export function openReport(room, say) {
  const seats = seatsToReport(room);
  let seat = seats[0]?.[0] ?? '';
  let why = WHYS[0];
  const wrong = el('p', { class: 'hint', role: 'alert' });
  const text = el('input', { type: 'text', maxlength: 280, autocomplete: 'off' });
  const send = el('button', { type: 'submit', class: 'confirm' }, t('report_send'));
  const form = el(
    'form',
    { class: 'report' },
    choice(t('report_who'), seat, seats.map(([id, who]) => [id, who.handle ? `${nameText(who.name)} @${who.handle}` : nameText(who.name)]), (id) => {
      seat = id;
    }),
    choice(t('report_why'), why, WHYS.map((word) => [word, t(`why_${word}`)]), (word) => {
      why = word;
    }),
    el('label', { class: 'field' }, el('span', {}, t('report_words')), text),
    wrong,
    el('div', { class: 'actions' }, send),
  );
  const dialog = openDialog(t('report'), el('p', { class: 'hint' }, t('report_hint')), form);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const words = text.value.trim();
    send.disabled = true;
    try {
      await room.ask('report', { seat: Number(seat), why, ...(words && { text: words }) });
      dialog.close();
      say(t('report_sent'));
    } catch (error) {
      wrong.textContent = errorText(error);
      send.disabled = false;
    }
  });
}
