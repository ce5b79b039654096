// The table's menu: everything besides the moves.

import { openDialog, openHelp, openSettings } from './dialogs.js';
import { el } from './dom.js';
import { glyph } from './icons.js';
import { savePicture, shareBox } from './share.js';
import { nameOf, t } from './words.js';

/** @typedef {import('./table.js').Table} Table */

/** @param {Table} table */
export function openMenu(table) {
  const { room, shell } = table;
  const { state } = room;
  const inPlay = room.seatsHere.filter((seat) => !table.game.card(state, seat).out);
  const seated = inPlay.length > 0;
  const running = state.phase === 'playing' || state.phase === 'paused';
  const dialog = openDialog(t('menu'));
  /** @param {string} picture @param {string} words @param {() => void} act @param {string} [name] */
  const entry = (picture, words, act, name = '') =>
    el(
      'button',
      {
        type: 'button',
        class: `entry ${name}`,
        onclick: () => {
          dialog.close();
          act();
        },
      },
      glyph(picture),
      el('span', {}, words),
    );

  /** @type {HTMLElement[]} */
  const entries = [entry('play', t('replay'), () => void table.startReplay())];
  if (table.canAnalyse)
    entries.push(entry('curve', t(table.analysis?.open ? 'analysis_close' : 'analysis'), () => void table.analyse()));
  entries.push(entry('down', t('record'), () => void table.download()));
  if (table.game.portrait && state.table)
    for (const kind of /** @type {const} */ (['png', 'svg']))
      entries.push(
        entry('down', t('picture_as', { kind: kind.toUpperCase() }), () => {
          savePicture(table.game, room, kind).catch((error) => table.fail(error));
        }),
      );
  if (seated && running)
    entries.push(
      ...offers(table, inPlay, entry),
      entry('close', t('resign'), () => confirmResign(table, inPlay), 'dangerous'),
    );
  if (room.shared?.secret && running) entries.push(entry('device', t('curtain_pass'), () => room.shared?.hide()));
  entries.push(
    entry('gear', t('settings'), () => openSettings(shell)),
    entry('help', t('help'), () => openHelp(table.game)),
  );
  entries.push(entry('home', t('leave_table'), () => shell.go('#/')));
  dialog.append(el('div', { class: 'entries' }, ...entries), shareBox(room, shell));
}

/**
 * People at one device agree aloud: they propose and agree together.
 * @param {Table} table @param {number[]} seats at this device @param {(picture: string, words: string, act: () => void) => HTMLElement} entry
 */
function offers(table, seats, entry) {
  const { state } = table.room;
  const kinds = state.phase === 'paused' ? ['resume', 'call_off'] : ['pause', 'call_off'];
  return kinds.map((what) => {
    const by = Object.keys(state.offers?.[what] ?? {});
    const mine = seats.every((seat) => by.includes(String(seat)));
    const others = by
      .filter((other) => !seats.includes(Number(other)))
      .map((other) => nameOf(state, other))
      .join(', ');
    const words = mine
      ? t('withdraw', { what: t(`offer_${what}`) })
      : others
        ? t('agree', { what: t(`offer_${what}`), names: others })
        : t('propose', { what: t(`offer_${what}`) });
    return entry(
      what === 'call_off' ? 'close' : what === 'pause' ? 'pause' : 'play',
      words,
      () => void table.act(mine ? 'withdraw' : 'offer', { what }, seats.filter((seat) => mine || !by.includes(String(seat)))),
    );
  });
}

/** @param {Table} table @param {number[]} seats at this device that are in play */
function confirmResign(table, seats) {
  const { state, shared } = table.room;
  const dialog = openDialog(t('resign'), el('p', {}, t(shared ? 'resign_who' : 'resign_sure')));
  /** @param {number} seat */
  const resign = (seat) =>
    el(
      'button',
      {
        type: 'button',
        class: 'confirm dangerous',
        onclick: () => {
          dialog.close();
          void table.act('resign', {}, [seat]);
        },
      },
      shared ? t('resigns', { name: nameOf(state, seat) }) : t('resign'),
    );
  if (seats.length > 1) dialog.append(el('div', { class: 'entries' }, ...seats.map(resign)));
  dialog.append(
    el(
      'div',
      { class: 'actions' },
      el('button', { type: 'button', class: 'plain', onclick: () => dialog.close() }, t('cancel')),
      seats.length === 1 && resign(seats[0]),
    ),
  );
}
