// Dialogs that belong to the whole page: settings and how to play.

import { el } from './dom.js';
import { choice, slider, tick } from './fields.js';
import { glyph, iconButton } from './icons.js';
import { prefs, applyNumerals, applyTheme } from './prefs.js';
import { play, setSound } from './sound.js';
import { errorText, fetchWorded, LANGUAGES, setLanguage, t } from './words.js';

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

/** May this player have a handle here, or has one? @param {import('./wire.js').Wire} wire */
const hasAccounts = (wire) => Boolean(wire.hello.account) || (wire.hello.site?.accounts ?? 'off') !== 'off';

/** @param {import('./shell.js').Shell} shell */
export function openSettings(shell) {
  /** @type {[string, string][]} */
  const languages = [['', t('language_auto')], .../** @type {[string, string][]} */ (Object.entries(LANGUAGES))];
  const dialog = openDialog(
    t('settings'),
    choice(t('language'), prefs.language, languages, async (value) => {
      prefs.language = value;
      await setLanguage(value);
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
        applyTheme(value);
      },
    ),
    tick(t('numerals'), prefs.numerals, (on) => {
      prefs.numerals = on;
      applyNumerals(on);
    }),
    tick(t('sound'), prefs.sound, setSound),
    slider(t('volume'), prefs.volume, (value) => {
      prefs.volume = value;
      play('turn');
    }),
    ...notifyFields(shell.push),
    shell.wire.hello.account &&
      tick(t('hide_ratings'), prefs.hideRatings, (on) => {
        prefs.hideRatings = on;
      }),
    el(
      'div',
      { class: 'actions' },
      hasAccounts(shell.wire) && more('account', 'person', async () => (await fetchWorded(() => import('./you.js'))).openYou(shell)),
      shell.wire.hello.account && more('follows', 'friends', async () => (await fetchWorded(() => import('./others.js'))).openFriends(shell)),
      shell.wire.hello.account && more('blocked', 'mute', async () => (await fetchWorded(() => import('./others.js'))).openBlocked(shell)),
      shell.wire.hello.account && more('programs', 'robot', async () => (await fetchWorded(() => import('./others.js'))).openPrograms(shell)),
      more('devices', 'device', async () => (await fetchWorded(() => import('./devices.js'))).openDevices(shell)),
    ),
    el('p', {}, el('a', { id: 'privacy', href: `privacy/${/^(fr|zh)/.exec(document.documentElement.lang)?.[0] ?? 'en'}`, target: '_blank' }, t('privacy'))),
  );
  /** A dialog in place of this one. @param {string} word @param {string} picture @param {() => Promise<unknown>} open */
  function more(word, picture, open) {
    const go = async () => {
      dialog.close();
      try {
        await open();
      } catch (error) {
        shell.toast(errorText(error));
      }
    };
    return el('button', { type: 'button', class: 'plain', id: word, onclick: () => void go() }, glyph(picture), el('span', {}, t(word)));
  }
}

/** Whether the player is told of their turn, and how far that reaches. @param {import('./push.js').Push} push */
function notifyFields(push) {
  const note = el('p', { class: 'hint', id: 'told', role: 'status' });
  const show = () => {
    note.textContent = push.reach && t(`told_${push.reach}`);
  };
  const change = async (/** @type {boolean} */ on) => {
    if (on) await push.turnOn();
    else await push.turnOff();
    show();
    return push.on;
  };
  show();
  const disabled = ['home', 'insecure', 'none'].includes(push.reach);
  return [tick(t('notify'), push.on, change, { disabled, 'aria-describedby': 'told' }), note];
}

/** How to play. @param {import('./games/game.js').Game} game */
export function openHelp(game) {
  const link = (/** @type {string} */ hash, /** @type {string} */ words) =>
    el('a', { class: 'button', href: `#/${hash}/${game.id}`, onclick: () => dialog.close() }, words);
  const more = [game.lessons && link('learn', t('learn')), game.rules && link('rules', t('all_rules'))];
  const dialog = openDialog(t('help'), more.some(Boolean) && el('div', { class: 'row wrap' }, ...more), ...game.help());
}
