// Sharing and saving: the link to a room, and files.

import { SITE } from './attention.js';
import { el } from './dom.js';
import { iconButton } from './icons.js';
import { t } from './words.js';

/** @param {import('./room.js').Room} room */
function linkTo(room) {
  return `${location.origin}${location.pathname}#/r/${room.id}${room.code ? `/${room.code}` : ''}`;
}

/** @param {import('./room.js').Room} room @param {import('./shell.js').Shell} shell */
export function shareBox(room, shell) {
  const link = linkTo(room);
  const field = el('input', {
    type: 'text',
    readonly: true,
    value: link,
    'aria-label': t('link'),
    onfocus: () => field.select(),
  });
  const share = async () => {
    if (navigator.share) {
      await navigator.share({ title: SITE, url: link }).catch(() => undefined);
      return;
    }
    field.select();
    try {
      await navigator.clipboard.writeText(link);
    } catch {
      document.execCommand('copy'); // pages without TLS have no clipboard
    }
    shell.toast(t('copied'));
  };
  return el(
    'div',
    { class: 'share' },
    field,
    iconButton('share', t('share'), () => void share(), { class: 'plain' }),
  );
}

/** Gives the visitor a text as a file. @param {string} name @param {string} text */
export function save(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  el('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
