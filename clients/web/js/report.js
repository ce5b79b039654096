// The dialog in which somebody at a table, or a line of the lobby, is reported to those who look after the server.

import { openDialog } from './dialogs.js';
import { el } from './dom.js';
import { choice } from './fields.js';
import { t } from './latewords.js';
import { seatsToReport } from './log.js';
import { errorText, nameText } from './words.js';

/** @typedef {import('./room.js').Room} Room */
/** @typedef {import('./wire.js').Message} Message */

const WHYS = ['talk', 'name', 'cheating', 'stalling', 'other'];

/**
 * @param {Element} about what is reported @param {(more: {why: string, text?: string}) => Promise<unknown>} ask
 * @param {(text: string) => void} say
 */
function openForm(about, ask, say) {
  let why = WHYS[0];
  const wrong = el('p', { class: 'hint', role: 'alert' });
  const text = el('input', { type: 'text', maxlength: 280, autocomplete: 'off' });
  const send = el('button', { type: 'submit', class: 'confirm' }, t('report_send'));
  const form = el(
    'form',
    { class: 'report' },
    about,
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
      await ask({ why, ...(words && { text: words }) });
      dialog.close();
      say(t('report_sent'));
    } catch (error) {
      wrong.textContent = errorText(error);
      send.disabled = false;
    }
  });
}

/** @param {Room} room @param {(text: string) => void} say */
export function openReport(room, say) {
  const seats = seatsToReport(room);
  let seat = seats[0]?.[0] ?? '';
  const who = choice(t('report_who'), seat, seats.map(([id, who]) => [id, who.handle ? `${nameText(who.name)} @${who.handle}` : nameText(who.name)]), (id) => {
    seat = id;
  });
  openForm(who, (more) => room.ask('report', { seat: Number(seat), ...more }), say);
}

/** @param {import('./wire.js').Wire} wire @param {Message} line @param {(text: string) => void} say */
export function openLineReport(wire, line, say) {
  openForm(el('blockquote', {}, line.text), (more) => wire.ask('chat_report', { line: line.line, ...more }), say);
}
