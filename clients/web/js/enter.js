// Makes this browser one more device of a player: by a link, or by a recovery phrase. A browser that has a player of its own asks
// first, as that one is left behind.

import { offerToAdopt } from './adopt.js';
import { openDialog } from './dialogs.js';
import { el } from './dom.js';
import { t } from './latewords.js';
import { showPasskey } from './passkey.js';
import { passkeyErrorText } from './passkeys.js';
import { prefs } from './prefs.js';
import { nameText } from './words.js';

/** Is this browser's player a guest who has a seat, or has played? @param {import('./wire.js').Wire} wire */
async function isGuestWithSomething(wire) {
  if (wire.hello.account || wire.status !== 'open') return false;
  const asked = Promise.all([wire.ask('rooms'), wire.ask('games')]);
  return asked.then(
    ([{ mine = [] }, { games }]) => mine.length > 0 || games.length > 0,
    () => false, // it is entered all the same
  );
}

/** This browser's player is another one from now on. @param {import('./shell.js').Shell} shell @param {() => Promise<import('./wire.js').Message>} come */
export async function becomes(shell, come) {
  const { token } = prefs,
    { name: guest = '' } = shell.wire.hello;
  const has = token && (await isGuestWithSomething(shell.wire));
  await shell.push.leave();
  const { name, account } = await come();
  prefs.name = ''; // the player has one already
  shell.toast(t('entered', { name: nameText(name) }));
  shell.again();
  if (has && account) offerToAdopt(shell, token, guest);
}

/** @param {import('./shell.js').Shell} shell @param {() => Promise<import('./wire.js').Message>} come */
async function enterAs(shell, come) {
  try {
    await becomes(shell, come);
  } catch (error) {
    openDialog(t(prefs.token ? 'cannot_enter' : 'link_failed'), el('p', {}, passkeyErrorText(error)));
  }
}

/** @param {import('./shell.js').Shell} shell @param {string} pass */
export const enter = (shell, pass) => enterAs(shell, () => shell.wire.enter(pass));

/** @param {import('./shell.js').Shell} shell */
export const enterByPasskey = (shell) => enterAs(shell, () => shell.wire.enterByPasskey(showPasskey));

/** Before the player of this browser is left for another one. @param {import('./shell.js').Shell} shell @param {() => Promise<void>} go */
export function askToLeave(shell, go) {
  const name = prefs.name || nameText(shell.wire.hello.name ?? '');
  const agreed = () => {
    dialog.close();
    void go();
  };
  const dialog = openDialog(
    t('enter_title'),
    el('p', {}, t('enter_sure', { name })),
    el(
      'div',
      { class: 'actions' },
      el('button', { type: 'button', class: 'plain', onclick: () => dialog.close() }, t('cancel')),
      el('button', { type: 'button', class: 'confirm', id: 'enter-go', onclick: agreed }, t('enter_go')),
    ),
  );
}

/** @param {import('./shell.js').Shell} shell @param {string} pass */
export const askToEnter = (shell, pass) => askToLeave(shell, () => enter(shell, pass));
