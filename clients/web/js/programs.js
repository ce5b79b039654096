// The dialog of the programs that act for a player: accounts of their own, and the tokens by which they enter.

import { openDialog } from './dialogs.js';
import { el, fill } from './dom.js';
import { t } from './latewords.js';
import { Passkeys } from './passkeys.js';
import { copyField } from './share.js';
import { agoText } from './words.js';

/** @typedef {import('./wire.js').Message} Message */

const SCOPES = ['play', 'room', 'games', 'people'];
const DAYS = [7, 30, 90, 365];

/** A field with its label. @param {string} word @param {HTMLElement} field */
const labelled = (word, field) => el('label', { class: 'field' }, el('span', {}, t(word)), field);

class Programs {
  /** @param {import('./shell.js').Shell} shell */
  constructor(shell) {
    this.shell = shell;
    this.wire = shell.wire;
    this.passkeys = new Passkeys(shell);
    this.whose = el('select', { id: 'program', onchange: () => void this.showTokens() });
    this.list = el('ul', { class: 'devices tokens', 'aria-live': 'polite' });
    this.made = el('div', { class: 'device-link', 'aria-live': 'polite' });
    openDialog(
      t('programs'),
      el('p', { class: 'hint' }, t('programs_hint')),
      labelled('program_whose', this.whose),
      this.list,
      this.tokenForm(),
      this.made,
      el('h3', {}, t('program_new')),
      this.accountForm(),
    );
  }

  /** Of whom: nothing is of one's own account. */
  get fields() {
    return this.whose.value ? { handle: this.whose.value } : {};
  }

  /** @param {Message} answer */
  showAccounts({ bots }) {
    const chosen = this.whose.value;
    const own = el('option', { value: '' }, `@${this.wire.hello.account.handle}`);
    fill(this.whose, own, ...bots.map((/** @type {string} */ handle) => el('option', { value: handle }, `@${handle}`)));
    this.whose.value = chosen;
  }

  async refresh() {
    this.showAccounts(await this.wire.askPatiently('bots'));
    await this.showTokens();
  }

  async showTokens() {
    this.show(await this.passkeys.attempt(() => this.wire.askPatiently('tokens', this.fields)));
  }

  /** @param {Message | undefined} answer */
  show(answer) {
    if (answer) fill(this.list, ...answer.tokens.map((/** @type {Message} */ token) => this.line(token)));
  }

  /** @param {Message} token */
  line({ key, name, scope, seen }) {
    const words = scope.split(' ').map((/** @type {string} */ word) => t(`scope_${word}`));
    const drop = async () => this.show(await this.passkeys.attempt(() => this.wire.askPatiently('token_drop', { key, ...this.fields })));
    return el(
      'li',
      {},
      el('span', {}, name),
      el('small', {}, `${words.join(', ')} · ${agoText(this.wire.now() - seen)}`),
      el('button', { type: 'button', class: 'plain', onclick: () => void drop() }, t('token_end')),
    );
  }

  // ---- one more

  tokenForm() {
    const name = el('input', { type: 'text', maxlength: 24, required: true, autocomplete: 'off', id: 'token-name' });
    const ticks = SCOPES.map((scope) => el('input', { type: 'checkbox', value: scope, checked: scope === 'play' }));
    const days = el('select', {}, ...DAYS.map((n) => el('option', { value: String(n) }, t('token_days', { n }))));
    const form = el(
      'form',
      { class: 'token' },
      labelled('token_name', name),
      el('div', { class: 'row' }, ...ticks.map((tick) => el('label', {}, tick, ` ${t(`scope_${tick.value}`)}`))),
      labelled('token_long', days),
      el('div', { class: 'actions' }, el('button', { type: 'submit', class: 'confirm', id: 'token-make' }, t('token_make'))),
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const scope = ticks.flatMap((tick) => (tick.checked ? [tick.value] : [])).join(' ');
      void this.make({ name: name.value.trim(), scope, days: Number(days.value), ...this.fields });
    });
    return form;
  }

  /** @param {Message} wanted */
  async make(wanted) {
    const answer = await this.passkeys.attempt(() => this.passkeys.proven(() => this.wire.ask('token_add', wanted)));
    if (!answer) return;
    this.show(answer);
    fill(this.made, el('p', { class: 'hint' }, t('token_once')), copyField(answer.token, this.shell));
  }

  accountForm() {
    const input = el('input', {
      type: 'text',
      maxlength: 20,
      required: true,
      autocomplete: 'off',
      autocapitalize: 'off',
      spellcheck: 'false',
      id: 'program-handle',
      placeholder: 'ana-bot',
      'aria-label': t('handle'),
    });
    const form = el('form', { class: 'row' }, input, el('button', { type: 'submit', id: 'program-make' }, t('program_make')));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.makeAccount(input);
    });
    return form;
  }

  /** @param {HTMLInputElement} input */
  async makeAccount(input) {
    const handle = input.value.trim().replace(/^@/, '');
    const answer = await this.passkeys.attempt(() => this.wire.askPatiently('bot_account', { handle }));
    if (!answer) return;
    input.value = '';
    this.showAccounts(answer);
    this.whose.value = handle;
    await this.showTokens();
  }
}

/** @param {import('./shell.js').Shell} shell */
export async function openPrograms(shell) {
  await new Programs(shell).refresh();
}
