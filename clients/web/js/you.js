// The dialog of one's account: the handle that this player has, or how to get one. All that one has already stays as it is.

import { adopting } from './adopt.js';
import { openDialog } from './dialogs.js';
import { el, fill } from './dom.js';
import { tick } from './fields.js';
import { t } from './latewords.js';
import { Passkeys } from './passkeys.js';
import { save } from './share.js';
import { goAndSignIn, signInWords, signsInElsewhere } from './signin.js';
import { agoText, errorText, fetchWorded, heedQuiet } from './words.js';

/** @typedef {import('./wire.js').Message} Message */

const HANDLE = '[A-Za-z][A-Za-z0-9]*([\\-_][A-Za-z0-9]+)*';

class You {
  /** @param {import('./shell.js').Shell} shell */
  constructor(shell) {
    this.shell = shell;
    this.wire = shell.wire;
    this.about = el('div', {});
    this.passkeys = new Passkeys(shell); // for what it takes to end an account
    this.dialog = openDialog(t('account'), this.about);
    this.show();
  }

  show() {
    const { account } = this.wire.hello;
    if (!account && this.needsSignIn()) {
      fill(this.about, el('p', { class: 'hint' }, t('account_hint')), this.signingIn(), this.exporting());
      return;
    }
    if (!account) {
      fill(this.about, el('p', { class: 'hint' }, t('account_hint')), this.needsInvite() && el('p', { class: 'hint' }, t('invite_first')), this.form(t('claim'), ''), this.exporting());
      return;
    }
    const may = account.rename_until > this.wire.now();
    fill(
      this.about,
      el('p', { class: 'handle' }, `@${account.handle}`),
      el('p', { class: 'hint' }, t('account_since', { ago: agoText(this.wire.now() - account.since) })),
      el('p', { class: 'hint' }, t(may ? 'handle_once' : 'handle_kept')),
      this.form(t('handle_change'), account.handle),
      this.shown(),
      tick(t('quiet'), Boolean(account.quiet), async (on) => {
        await this.change(() => this.wire.askPatiently('quiet', { on }));
        heedQuiet(this.wire.hello);
        return Boolean(this.wire.hello.account.quiet);
      }),
      this.wire.hello.site?.accounts === 'invite' && this.inviting(),
      this.wire.hello.site?.signed_in && this.signedIn(),
      this.wire.hello.moderator && this.moderating(),
      !account.closing && adopting(this.shell),
      this.exporting(),
      account.closing ? this.closing(account) : this.ending(),
    );
    void this.lookUp(account.handle);
  }

  /** A copy of all that the server has of this player. */
  exporting() {
    const button = el('button', { type: 'button', class: 'export' }, t('export'));
    button.addEventListener('click', async () => {
      button.disabled = true;
      try {
        const { gatherAll } = await fetchWorded(() => import('./export.js'));
        save('taluva-export.json', JSON.stringify(await gatherAll(this.wire), null, 2));
      } catch (error) {
        this.shell.toast(errorText(error));
      }
      button.disabled = false;
    });
    return el('div', {}, el('p', { class: 'hint' }, t('export_hint')), el('div', { class: 'actions' }, button));
  }

  // ---- ending it

  /** @param {() => Promise<Message>} ask which answers with the account */
  async change(ask) {
    const answer = await this.passkeys.attempt(() => this.passkeys.proven(ask));
    if (!answer) return;
    this.wire.hello.account = answer.account;
    this.show();
  }

  /** It is to be erased. @param {Message} account */
  closing(account) {
    const day = new Date(account.closing).toLocaleString(document.documentElement.lang, { dateStyle: 'long', timeStyle: 'short' });
    const keep = () => this.change(() => this.wire.askPatiently('keep_account'));
    return el(
      'div',
      { class: 'closing', role: 'status' },
      el('p', {}, t('closing_at', { day })),
      el('div', { class: 'actions' }, el('button', { type: 'button', class: 'confirm', onclick: () => void keep() }, t('closing_keep'))),
    );
  }

  /** With the handle typed once more, so that nobody does it by a slip. */
  ending() {
    const input = el('input', { type: 'text', required: true, autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false' });
    const form = el(
      'form',
      {},
      el('p', { class: 'hint' }, t('closing_hint')),
      el('label', { class: 'field' }, el('span', {}, t('closing_handle')), input),
      el('div', { class: 'actions' }, el('button', { type: 'submit', class: 'confirm dangerous' }, t('closing'))),
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.change(() => this.wire.askPatiently('close_account', { handle: input.value.trim().replace(/^@/, '') }));
    });
    return el('details', { class: 'close-account' }, el('summary', {}, t('closing')), form);
  }

  /** Is this player to sign in elsewhere first? */
  needsSignIn() {
    const { site } = this.wire.hello;
    return site?.accounts === 'external' && !site.signed_in;
  }

  /** A browser has what that takes only on a page that came safely. */
  signingIn() {
    const { hello } = this.wire;
    if (!signsInElsewhere(hello)) return el('p', { class: 'hint' }, t('sign_in_insecure'));
    const button = el('button', { type: 'button', class: 'confirm', id: 'sign-in' }, signInWords(hello));
    button.addEventListener('click', () => void goAndSignIn().catch((error) => this.shell.toast(errorText(error))));
    return el('div', { class: 'actions' }, button);
  }

  /** Signing in elsewhere is a way into the account, as long as its owner wants it. */
  signedIn() {
    const drop = async () => {
      if (!(await this.passkeys.attempt(() => this.passkeys.proven(() => this.wire.askPatiently('sign_in_drop'))))) return;
      delete this.wire.hello.site.signed_in;
      this.show();
    };
    return el('div', { class: 'actions' }, el('button', { type: 'button', class: 'plain', id: 'sign-in-drop', onclick: () => void drop() }, t('sign_in_drop')));
  }

  /** Is this player to come with an invitation first? */
  needsInvite() {
    const { account, site } = this.wire.hello;
    return !account && site?.accounts === 'invite' && !site.invited;
  }

  /** Whether others see what one has played; asked for, as nobody else needs to know. */
  shown() {
    const field = tick(t('who_show'), true, async (on) => {
      try {
        const { hidden } = await this.wire.askPatiently('profile_show', { hidden: !on });
        return !hidden;
      } catch (error) {
        this.shell.toast(errorText(error));
        return !on;
      }
    });
    this.showing = /** @type {HTMLInputElement} */ (field.querySelector('input'));
    this.showing.disabled = true;
    return field;
  }

  /** @param {string} handle */
  async lookUp(handle) {
    try {
      const { hidden } = await this.wire.askPatiently('profile', { handle });
      if (!this.showing) return;
      this.showing.checked = !hidden;
      this.showing.disabled = false;
    } catch {
      // it stays as it is, and cannot be changed here now
    }
  }

  moderating() {
    const open = async () => (await fetchWorded(() => import('./moderate.js'))).openCases(this.shell);
    return el('div', { class: 'actions' }, el('button', { type: 'button', id: 'cases', onclick: () => void open() }, t('cases')));
  }

  inviting() {
    const code = el('p', { class: 'invite', role: 'status' });
    const button = el('button', { type: 'button' }, t('invite_make'));
    button.addEventListener('click', async () => {
      button.disabled = true;
      try {
        const { invite, until } = await this.wire.askPatiently('invite');
        const day = new Date(until).toLocaleDateString(document.documentElement.lang);
        fill(code, t('invite_made', { day }), ' ', el('code', {}, invite));
      } catch (error) {
        fill(code, errorText(error));
      }
      button.disabled = false;
    });
    return el('div', {}, code, el('div', { class: 'actions' }, button));
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
    const code = this.needsInvite() && el('input', { type: 'text', name: 'invite', required: true, autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false' });
    const button = el('button', { type: 'submit', class: 'confirm' }, words);
    const form = el(
      'form',
      { class: 'claim' },
      code && el('label', { class: 'field' }, el('span', {}, t('invite_code')), code),
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
        if (code && this.needsInvite()) await this.redeem(code.value.trim());
        await this.claim(input.value.trim());
      } catch (error) {
        wrong.textContent = errorText(error);
        button.disabled = false;
        input.focus();
      }
    });
    return form;
  }

  /** @param {string} invite */
  async redeem(invite) {
    await this.wire.askPatiently('redeem', { invite });
    this.wire.hello.site.invited = true;
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
