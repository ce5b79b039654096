// The turn of somebody new, in place of what index.html says, before the rest of the page is there: home.js takes it over.

import { el } from './dom.js';
import { FirstTurn, keepEarly } from './firstturn.js';
import { addStyle, GAMES } from './games/registry.js';
import { prefs } from './prefs.js';
import { setLanguage } from './words.js';

async function begin() {
  const { first } = GAMES[0];
  if (!first || prefs.begun || prefs.name || !['', '#', '#/'].includes(location.hash)) return;
  const { firstTurn, styles } = await first();
  await Promise.all([setLanguage(prefs.language), ...styles.map(addStyle)]);
  const place = document.querySelector('.welcome');
  if (!place) return; // the page is there
  const turn = new FirstTurn(firstTurn());
  keepEarly(turn);
  place.replaceWith(el('div', { class: 'early' }, el('div', { class: 'hero' }, turn.element)));
}

begin().catch(() => undefined); // the first page has a turn of its own
