// Makes this browser one more device of a player: by a link, or by a recovery phrase. A browser that has a player of its own asks
// first, as that one is left behind.

import { openDialog } from './dialogs.js';
import { el } from './dom.js';
import { prefs } from './prefs.js';
import { errorText, nameText, t } from './words.js';

/** @param {import('./shell.js').Shell} shell @param {string} pass */
export async function enter(shell, pass) {
  try {
    await shell.push.leave();
    const { name } = await shell.wire.enter(pass);
    prefs.name = ''; // the player has one already
    shell.toast(t('entered', { name: nameText(name) }));
    shell.again();
  } catch (error) {
    openDialog(t(prefs.token ? 'cannot_enter' : 'link_failed'), el('p', {}, errorText(error)));
  }
}

/** @param {import('./shell.js').Shell} shell @param {string} pass */
export function askToEnter(shell, pass) {
  const name = prefs.name || nameText(shell.wire.hello.name ?? '');
  const dialog = openDialog(
    t('enter_title'),
    el('p', {}, t('enter_sure', { name })),
    el(
      'div',
      { class: 'actions' },
      el('button', { type: 'button', class: 'plain', onclick: () => dialog.close() }, t('cancel')),
      el(
        'button',
        {
          type: 'button',
          class: 'confirm',
          onclick: () => {
            dialog.close();
            void enter(shell, pass);
          },
        },
        t('enter_go'),
      ),
    ),
  );
}
