// What was played as a guest, in this browser or on another device, becomes the account's. Whoever asks for it shows a secret of the guest's: the
// token that this browser had, or a link that was made there.

import { openDialog } from './dialogs.js';
import { el } from './dom.js';
import { t } from './latewords.js';
import { readPass } from './pass.js';
import { Refusal } from './wire.js';
import { errorText, nameText } from './words.js';

/** @typedef {import('./wire.js').Message} Message */

/** What is shown. @typedef {{token: string} | {pass: string}} Shown */

/** What the server's words say of something else. */
const WHY = /** @type {Record<string, string>} */ ({ already_account: 'adopt_account', already_seated: 'adopt_seated', banned: 'adopt_barred' });

/** @param {unknown} error */
const whyText = (error) => (error instanceof Refusal && WHY[error.code] ? t(WHY[error.code]) : errorText(error));

/** It is asked for; what becomes of it is pushed. @param {import('./shell.js').Shell} shell @param {Shown} shown */
async function adopt(shell, shown) {
  try {
    await shell.wire.askPatiently('adopt', shown);
    shell.toast(t('adopt_asked'));
    return true;
  } catch (error) {
    shell.toast(whyText(error));
    return false;
  }
}

/** Before this browser was one of the account's it had a guest. @param {import('./shell.js').Shell} shell @param {string} token @param {string} name */
export function offerToAdopt(shell, token, name) {
  const agreed = () => {
    dialog.close();
    void adopt(shell, { token });
  };
  const dialog = openDialog(
    t('adopt_title'),
    el('p', {}, t('adopt_sure', { name: nameText(name), handle: shell.wire.hello.account.handle })),
    el(
      'div',
      { class: 'actions' },
      el('button', { type: 'button', class: 'plain', onclick: () => dialog.close() }, t('adopt_not')),
      el('button', { type: 'button', class: 'confirm', id: 'adopt-go', onclick: agreed }, t('adopt_go')),
    ),
  );
}

/** Of the dialog of the account: with a link of the other device. @param {import('./shell.js').Shell} shell */
export function adopting(shell) {
  const input = el('input', { type: 'text', id: 'adopt-link', required: true, autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false' });
  const form = el(
    'form',
    {},
    el('p', { class: 'hint' }, t('adopt_hint')),
    el('label', { class: 'field' }, el('span', {}, t('adopt_link')), input),
    el('div', { class: 'actions' }, el('button', { type: 'submit', class: 'confirm' }, t('adopt_go'))),
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const pass = readPass(input.value);
    if (!pass) shell.toast(t('bad_pass'));
    else if (await adopt(shell, { pass })) input.value = '';
  });
  return el('details', { class: 'adopt' }, el('summary', {}, t('adopt_title')), form);
}

/** What has become of it. @param {import('./shell.js').Shell} shell @param {Message} push */
export function adopted(shell, push) {
  if (push.refused) {
    shell.toast(whyText(new Refusal({ code: push.refused, message: t('adopt_failed') })));
    return;
  }
  shell.toast(t('adopt_done'));
  shell.again();
}
