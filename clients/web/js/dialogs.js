// Dialogs that belong to the whole page: settings and how to play.

import { askToNotify, canNotify, chime } from './attention.js';
import { el } from './dom.js';
import { iconButton } from './icons.js';
import { prefs, wearTheme } from './prefs.js';
import { t } from './games/taluva/words.js';
import { LANGUAGES, speak } from './words.js';

/** @param {string} title @param {...(Node | string | false | undefined)} parts @returns {HTMLDialogElement} */
export function openDialog(title, ...parts) {
  const dialog = el('dialog', { class: 'dialog', 'aria-label': title });
  dialog.append(
    el(
      'header',
      {},
      el('h2', {}, title),
      iconButton('close', t('close'), () => dialog.close(), { bare: true, class: 'round quiet' }),
    ),
    ...parts.flatMap((part) => (part ? [part] : [])),
  );
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** @param {string} label @param {string} value @param {[string, string][]} options @param {(value: string) => void} change */
export function choice(label, value, options, change) {
  const select = el(
    'select',
    { onchange: () => change(select.value) },
    ...options.map(([id, words]) => el('option', { value: id, selected: id === value }, words)),
  );
  return el('label', { class: 'field' }, el('span', {}, label), select);
}

/**
 * @param {string} label @param {boolean} on @param {{[name: string]: any}} [more]
 * @param {(on: boolean) => void | Promise<boolean>} change may say later how it is after all
 */
export function tick(label, on, change, more = {}) {
  const onchange = async () => {
    const after = await change(box.checked);
    if (after !== undefined) box.checked = after;
  };
  const box = el('input', { type: 'checkbox', checked: on, ...more, onchange });
  return el('label', { class: 'tick' }, box, el('span', {}, label));
}

/** @param {import('./shell.js').Shell} shell */
export function openSettings(shell) {
  /** @type {[string, string][]} */
  const languages = [['', t('language_auto')], .../** @type {[string, string][]} */ (Object.entries(LANGUAGES))];
  const dialog = openDialog(
    t('settings'),
    choice(t('language'), prefs.language, languages, async (value) => {
      prefs.language = value;
      await speak(value);
      dialog.close();
      shell.again();
    }),
    choice(
      t('theme'),
      prefs.theme,
      [
        ['', t('theme_auto')],
        ['light', t('theme_light')],
        ['dark', t('theme_dark')],
      ],
      (value) => {
        prefs.theme = value;
        wearTheme(value);
      },
    ),
    tick(t('sound'), prefs.sound, (on) => {
      prefs.sound = on;
      chime('turn');
    }),
    tick(
      t('notify'),
      prefs.notify,
      async (on) => {
        prefs.notify = on && (await askToNotify());
        return prefs.notify;
      },
      { disabled: !canNotify() },
    ),
  );
}

export function openHelp() {
  const list = (/** @type {string[]} */ keys, tag = /** @type {'ul' | 'ol'} */ ('ul')) =>
    el(tag, {}, ...keys.map((key) => el('li', {}, t(key))));
  openDialog(
    t('help'),
    el('h3', {}, t('help_turn')),
    list(['help_1', 'help_2', 'help_3'], 'ol'),
    el('h3', {}, t('help_builds')),
    list(['help_hut', 'help_expand', 'help_temple', 'help_tower']),
    el('h3', {}, t('help_end')),
    list(['help_win', 'help_count', 'help_out']),
    el('h3', {}, t('help_keys')),
    list(['help_k1', 'help_k2', 'help_k3', 'help_k4']),
  );
}
