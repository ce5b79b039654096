// The dialog of whom this player has blocked: the list, and one more by the handle.

import { openDialog } from './dialogs.js';
import { el, fill } from './dom.js';
import { addStyle } from './games/registry.js';
import { t } from './latewords.js';
import { agoText, errorText } from './words.js';

/** @typedef {import('./wire.js').Message} Message */

class Blocked {
  /** @param {import('./shell.js').Shell} shell */
  constructor(shell) {
    this.wire = shell.wire;
    this.list = el('ul', { class: 'devices blocked', 'aria-live': 'polite' });
    this.wrong = el('p', { class: 'hint', role: 'alert' });
    this.input = el('input', {
      type: 'text',
      minlength: 3,
      maxlength: 20,
      required: true,
      autocomplete: 'off',
      autocapitalize: 'off',
      spellcheck: 'false',
    });
    const form = el(
      'form',
      { class: 'block' },
      el('label', { class: 'field' }, el('span', {}, t('handle')), this.input),
      this.wrong,
      el('div', { class: 'actions' }, el('button', { type: 'submit', class: 'confirm' }, t('block'))),
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.change('block', this.input.value.trim().replace(/^@/, ''));
    });
    openDialog(t('blocked'), el('p', { class: 'hint' }, t('blocked_hint')), this.list, form);
  }

  async refresh() {
    const { blocks } = await this.wire.askPatiently('blocks');
    fill(this.list, ...blocks.map((/** @type {Message} */ block) => this.line(block)));
  }

  /** @param {Message} block */
  line({ handle, since }) {
    return el(
      'li',
      {},
      el('span', { class: 'about' }, el('strong', {}, `@${handle}`), el('small', {}, agoText(this.wire.now() - since))),
      el('button', { type: 'button', class: 'plain', onclick: () => void this.change('unblock', handle) }, t('unblock')),
    );
  }

  /** @param {string} op @param {string} handle */
  async change(op, handle) {
    this.wrong.textContent = '';
    try {
      await this.wire.askPatiently(op, { handle });
      this.input.value = '';
      await this.refresh();
    } catch (error) {
      this.wrong.textContent = errorText(error);
      this.input.focus();
    }
  }
}

/** @param {import('./shell.js').Shell} shell */
export async function openBlocked(shell) {
  await addStyle(new URL('../css/devices.css', import.meta.url).href);
  await new Blocked(shell).refresh();
}
