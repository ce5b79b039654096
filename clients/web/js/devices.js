// The dialog of one's devices: the list, a link with its QR code to one more, and the recovery phrase.

import { openDialog } from './dialogs.js';
import { el, fill } from './dom.js';
import { addStyle } from './games/registry.js';
import { t } from './latewords.js';
import { grouped, takesPasskeys } from './pass.js';
import { Passkeys } from './passkeys.js';
import { copyField } from './share.js';
import { fetchPart } from './unfetched.js';
import { Refusal } from './wire.js';
import { agoText, errorText } from './words.js';

/** @typedef {import('./wire.js').Message} Message */

class Devices {
  /** @param {import('./shell.js').Shell} shell */
  constructor(shell) {
    this.shell = shell;
    this.wire = shell.wire;
    this.list = el('ul', { class: 'devices' });
    this.link = el('div', { class: 'device-link', 'aria-live': 'polite' });
    this.phrase = el('div', { 'aria-live': 'polite' });
    this.linkButton = el('button', { type: 'button', class: 'confirm', onclick: () => void this.showLink() }, t('link_make'));
    this.passkeys = new Passkeys(shell);
    this.dialog = openDialog(
      t('devices'),
      el('p', { class: 'hint' }, t('devices_hint')),
      this.list,
      el('h3', {}, t('add_device')),
      el('div', { class: 'row' }, this.linkButton),
      this.link,
      takesPasskeys(this.wire.hello) && this.passkeys.section,
      el('h3', {}, t('phrase')),
      el('p', { class: 'hint' }, t('phrase_hint')),
      this.phrase,
    );
  }

  /** Asks, and says why if that is refused. @param {string} op @param {Message} [fields] @returns {Promise<Message | undefined>} */
  async ask(op, fields) {
    try {
      return await this.wire.askPatiently(op, fields);
    } catch (error) {
      const ended = error instanceof Refusal && error.code === 'device_ended'; // which the page says by itself
      if (!ended) this.shell.toast(errorText(error));
      return undefined;
    }
  }

  async refresh() {
    if (takesPasskeys(this.wire.hello)) void this.passkeys.refresh();
    this.show(await this.ask('devices'));
  }

  /** @param {Message | undefined} answer of `devices` or `forget` */
  show(answer) {
    if (!answer) return;
    fill(this.list, ...answer.devices.map((/** @type {Message} */ device) => this.line(device)));
    this.showPhrase(answer.phrase);
  }

  /** @param {Message} device */
  line(device) {
    const name = device.name || t('device_nameless');
    const seen = device.online ? t('device_online') : t('device_seen', { ago: agoText(this.wire.now() - device.seen) });
    return el(
      'li',
      { 'data-focus': device.device },
      el('span', { class: 'about' }, el('strong', {}, name), el('small', {}, device.this ? t('device_here') : seen)),
      el(
        'span',
        { class: 'row' },
        el('button', { type: 'button', class: 'plain', 'aria-label': t('device_rename_named', { name }), onclick: () => this.rename(device) }, t('device_rename')),
        el('button', { type: 'button', class: 'plain dangerous', 'aria-label': t('device_end_named', { name }), onclick: () => this.end(device, name) }, t('device_end')),
      ),
    );
  }

  /** @param {Message} device */
  rename(device) {
    const input = el('input', { type: 'text', value: device.name, maxlength: 24, 'aria-label': t('device_name'), autocomplete: 'off' });
    const form = el('form', { class: 'row' }, input, el('button', { type: 'submit', class: 'confirm' }, t('device_rename')));
    const dialog = openDialog(t('device_name'), form);
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      const name = input.value.trim();
      if (!name || !(await this.ask('rename', { name, device: device.device }))) return;
      dialog.close();
      await this.refresh();
    });
    input.select();
  }

  /** @param {Message} device @param {string} name */
  end(device, name) {
    const end = async () => {
      dialog.close();
      const answer = await this.ask('forget', { device: device.device });
      fill(this.link); // open links have ended with it
      if (!device.this) this.show(answer);
      else this.dialog.close();
    };
    const dialog = openDialog(
      t('device_end_named', { name }),
      el('p', {}, t(device.this ? 'device_leave_sure' : 'device_end_sure', { name })),
      el(
        'div',
        { class: 'actions' },
        el('button', { type: 'button', class: 'plain', onclick: () => dialog.close() }, t('cancel')),
        el('button', { type: 'button', class: 'confirm dangerous', onclick: () => void end() }, t('device_end')),
      ),
    );
  }

  async showLink() {
    const [answer, qr] = await Promise.all([this.ask('link'), fetchPart(() => import('./qr.js')).catch((error) => this.shell.toast(errorText(error)))]);
    if (!answer || !qr) return;
    const link = `${location.origin}${location.pathname}#link=${answer.pass}`;
    const minutes = Math.round((answer.until - this.wire.now()) / 60_000);
    fill(this.link);
    this.link.append(
      qr.qrPicture(link, t('qr_label')),
      el('p', { class: 'hint' }, t('link_hint', { minutes })),
      copyField(link, this.shell),
    );
    this.linkButton.textContent = t('link_again');
    this.link.scrollIntoView({ block: 'nearest' });
  }

  /** @param {number | undefined} since when it was made */
  showPhrase(since) {
    const make = el('button', { type: 'button', class: 'plain', onclick: () => void this.makePhrase() }, t(since ? 'phrase_again' : 'phrase_make'));
    fill(this.phrase, since && el('p', {}, t('phrase_since', { ago: agoText(this.wire.now() - since) })), el('div', { class: 'row' }, make));
  }

  async makePhrase() {
    const answer = await this.passkeys.attempt(() => this.passkeys.proven(() => this.wire.askPatiently('phrase')));
    if (!answer) return;
    fill(this.phrase, el('p', { class: 'phrase' }, grouped(answer.pass)), el('p', { class: 'hint' }, t('phrase_shown')));
  }
}

/** @param {import('./shell.js').Shell} shell */
export async function openDevices(shell) {
  await addStyle(new URL('../css/devices.css', import.meta.url).href);
  await new Devices(shell).refresh();
}
