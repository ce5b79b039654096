// Makes this browser one more device of a player: by a link, or by a recovery phrase. A browser that has a player of its own asks
// first, as that one is left behind.

import { openDialog } from './dialogs.js';
import { el } from './dom.js';
import { t } from './latewords.js';
import { showPasskey } from './passkey.js';
import { passkeyErrorText } from './passkeys.js';
import { prefs } from './prefs.js';
import { nameText } from './words.js';

/** @param {import('./shell.js').Shell} shell @param {() => Promise<import('./wire.js').Message>} come */
async function enterAs(shell, come) {
  try {
    await shell.push.leave();
    const { name } = await come();
    prefs.name = ''; // the player has one already
    shell.toast(t('entered', { name: nameText(name) }));
    shell.again();
  } catch (error) {
    openDialog(t(prefs.token ? 'cannot_enter' : 'link_failed'), el('p', {}, passkeyErrorText(error)));
  }
}

/** @param {import('./shell.js').Shell} shell @param {string} pass */
export const enter = (shell, pass) => enterAs(shell, () => shell.wire.enter(pass));

/** @param {import('./shell.js').Shell} shell */
export const enterByPasskey = (shell) => enterAs(shell, () => shell.wire.enterByPasskey(showPasskey));

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
