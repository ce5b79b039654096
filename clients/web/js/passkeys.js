// Of the dialog of one's devices, the part about passkeys: signing up with one, the list, adding and dropping; and showing that it is
// oneself, which the server asks for before what could lock somebody out.

import { openDialog } from './dialogs.js';
import { el, fill } from './dom.js';
import { t } from './latewords.js';
import { makePasskey, showPasskey } from './passkey.js';
import { readPass } from './pass.js';
import { goAndSignIn, signInWords, signsInElsewhere } from './signin.js';
import { Refusal } from './wire.js';
import { agoText, errorText } from './words.js';

/** @typedef {import('./wire.js').Message} Message */

/** What a browser throws when nobody has used a passkey is no sentence for people. @param {unknown} error */
export const passkeyErrorText = (error) => (error instanceof DOMException ? t('passkey_cancelled') : errorText(error));

export class Passkeys {
  /** @param {import('./shell.js').Shell} shell */
  constructor(shell) {
    this.shell = shell;
    this.wire = shell.wire;
    this.box = el('div', { class: 'passkeys', 'aria-live': 'polite' });
    this.section = el('section', {}, el('h3', {}, t('passkeys')), el('p', { class: 'hint' }, t('passkeys_hint')), this.box);
  }

  /** @template T @param {() => Promise<T>} act @returns {Promise<T | undefined>} */
  async attempt(act) {
    try {
      return await act();
    } catch (error) {
      this.shell.toast(passkeyErrorText(error));
      return undefined;
    }
  }

  async refresh() {
    if (!this.wire.hello.account) this.showSignUp();
    else this.show(await this.attempt(() => this.wire.askPatiently('passkeys')));
  }

  // ---- signing up

  showSignUp() {
    const input = el('input', {
      type: 'text',
      id: 'handle',
      maxlength: 20,
      autocomplete: 'username',
      autocapitalize: 'off',
      spellcheck: 'false',
      'aria-label': t('passkey_handle'),
      placeholder: t('passkey_handle'),
    });
    const form = el('form', { class: 'row' }, input, el('button', { type: 'submit', class: 'confirm', id: 'sign-up' }, t('passkey_sign_up')));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.signUp(input.value.trim());
    });
    fill(this.box, el('p', { class: 'hint' }, t('passkey_handle_hint')), form);
  }

  /** @param {string} handle */
  async signUp(handle) {
    const claimed = await this.attempt(() => this.wire.askPatiently('claim', { handle }));
    if (!claimed) return;
    this.wire.hello.account = claimed.account;
    await this.add();
    await this.refresh();
  }

  // ---- the list

  /** @param {Message | undefined} answer */
  show(answer) {
    if (!answer) return;
    fill(
      this.box,
      el('ul', { class: 'devices' }, ...answer.passkeys.map((/** @type {Message} */ passkey) => this.line(passkey))),
      el('div', { class: 'row' }, el('button', { type: 'button', class: 'plain', id: 'add-passkey', onclick: () => void this.add() }, t('passkey_add'))),
    );
  }

  /** @param {Message} passkey */
  line(passkey) {
    const name = passkey.name || t('passkey_nameless');
    const about = [t('passkey_seen', { ago: agoText(this.wire.now() - passkey.seen) }), passkey.synced && t('passkey_synced'), passkey.elsewhere && t('passkey_elsewhere')];
    return el(
      'li',
      { 'data-focus': passkey.key },
      el(
        'span',
        { class: 'about' },
        el('strong', {}, name),
        el('small', {}, about.filter(Boolean).join(' · ')),
        passkey.copied && el('small', { class: 'warning' }, t('passkey_copied')),
      ),
      el('button', { type: 'button', class: 'plain dangerous', 'aria-label': t('passkey_drop_named', { name }), onclick: () => this.drop(passkey, name) }, t('passkey_drop')),
    );
  }

  async add() {
    const answer = await this.attempt(() =>
      this.proven(async () => {
        const asked = await this.wire.ask('passkey', { for: 'add' });
        const passkey = await makePasskey(asked, this.wire.hello.account.handle);
        return this.wire.ask('passkey_add', { passkey, name: this.wire.keeper.client() });
      }),
    );
    this.show(answer);
  }

  /** @param {Message} passkey @param {string} name */
  drop(passkey, name) {
    const drop = async () => {
      dialog.close();
      this.show(await this.attempt(() => this.proven(() => this.wire.ask('passkey_drop', { key: passkey.key }))));
    };
    const dialog = openDialog(
      t('passkey_drop_named', { name }),
      el('p', {}, t('passkey_drop_sure')),
      el(
        'div',
        { class: 'actions' },
        el('button', { type: 'button', class: 'plain', onclick: () => dialog.close() }, t('cancel')),
        el('button', { type: 'button', class: 'confirm dangerous', onclick: () => void drop() }, t('passkey_drop')),
      ),
    );
  }

  // ---- showing that it is oneself

  /** Does it; if the server wants to see first who it is, again after that. @param {() => Promise<Message>} act @returns {Promise<Message | undefined>} */
  async proven(act) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'proof_needed') throw error;
    }
    return (await this.prove()) ? act() : undefined;
  }

  /** Leads away from the page: back here, it is done once more. */
  bySigningIn() {
    const { hello } = this.wire;
    if (!hello.site?.signed_in || !signsInElsewhere(hello)) return null;
    return el('div', { class: 'row' }, el('button', { type: 'button', class: 'plain', id: 'prove-sign-in', onclick: () => void this.attempt(goAndSignIn) }, signInWords(hello)));
  }

  /** @returns {Promise<boolean>} */
  prove() {
    return new Promise((resolve) => {
      /** @param {() => Promise<Message>} show */
      const attempt = async (show) => {
        if (!(await this.attempt(show))) return;
        resolve(true);
        dialog.close();
      };
      const input = el('input', { type: 'text', id: 'proof-phrase', autocomplete: 'off', spellcheck: 'false', 'aria-label': t('phrase'), placeholder: t('phrase') });
      const form = el('form', { class: 'row' }, input, el('button', { type: 'submit' }, t('prove_phrase')));
      form.addEventListener('submit', (event) => {
        event.preventDefault();
        const pass = readPass(input.value);
        if (pass) void attempt(() => this.wire.ask('prove', { pass }));
        else this.shell.toast(t('bad_pass'));
      });
      const byPasskey = async () => this.wire.ask('prove', { passkey: await showPasskey(await this.wire.ask('passkey', { for: 'proof' })) });
      const dialog = openDialog(
        t('prove_title'),
        el('p', {}, t('prove_why')),
        el(
          'div',
          { class: 'prove' },
          el('div', { class: 'row' }, el('button', { type: 'button', class: 'confirm', id: 'prove', onclick: () => void attempt(byPasskey) }, t('prove_passkey'))),
          form,
          this.bySigningIn(),
        ),
      );
      dialog.addEventListener('close', () => resolve(false));
    });
  }
}
