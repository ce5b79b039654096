// The dialog of one's account: the handle that this player has, or how to get one. All that one has already stays as it is.

import { openDialog } from './dialogs.js';
import { el, fill } from './dom.js';
import { agoText, errorText, t } from './words.js';

/** @typedef {import('./wire.js').Message} Message */

const HANDLE = '[A-Za-z][A-Za-z0-9]*([\\-_][A-Za-z0-9]+)*';

class You {
  /** @param {import('./shell.js').Shell} shell */
  constructor(shell) {
    this.shell = shell;
    this.wire = shell.wire;
    this.about = el('div', {});
    this.dialog = openDialog(t('account'), this.about);
    this.show();
  }

  show() {
    const { account } = this.wire.hello;
    if (!account) {
      fill(this.about, el('p', { class: 'hint' }, t('account_hint')), this.form(t('claim'), ''));
      return;
    }
    const may = account.rename_until > this.wire.now();
    fill(
      this.about,
      el('p', { class: 'handle' }, `@${account.handle}`),
      el('p', { class: 'hint' }, t('account_since', { ago: agoText(this.wire.now() - account.since) })),
      el('p', { class: 'hint' }, t(may ? 'handle_once' : 'handle_kept')),
      this.form(t('handle_change'), account.handle),
    );
  }

  /** @param {string} words on its button @param {string} handle */
  form(words, handle) {
    const wrong = el('p', { class: 'hint', role: 'alert' });
    const input = el('input', {
      type: 'text',
      value: handle,
      pattern: HANDLE,
      minlength: 3,
      maxlength: 20,
      required: true,
      title: t('handle_form'),
      autocomplete: 'username',
      autocapitalize: 'off',
      spellcheck: 'false',
    });
    const button = el('button', { type: 'submit', class: 'confirm' }, words);
    const form = el(
      'form',
      { class: 'claim' },
      el('label', { class: 'field' }, el('span', {}, t('handle')), input),
      el('p', { class: 'hint' }, t('handle_form')),
      wrong,
      el('div', { class: 'actions' }, button),
    );
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      wrong.textContent = '';
      button.disabled = true;
      try {
        await this.claim(input.value.trim());
      } catch (error) {
        wrong.textContent = errorText(error);
        button.disabled = false;
        input.focus();
      }
    });
    return form;
  }

  /** @param {string} handle */
  async claim(handle) {
    const { account } = await this.wire.askPatiently('claim', { handle });
    this.wire.hello.account = account;
    this.dialog.close();
    this.shell.toast(t('handle_yours', { handle: account.handle }));
  }
}

/** @param {import('./shell.js').Shell} shell */
export function openYou(shell) {
  return new You(shell);
}
