// Sharing and saving: the link to a room, and files.

import { SITE } from './attention.js';
import { el } from './dom.js';
import { iconButton } from './icons.js';
import { fetchPart } from './unfetched.js';
import { t } from './words.js';

/** The address of a room's card, which messengers show, and which leads on to the room. @param {import('./room.js').Room} room */
export function linkTo(room) {
  return new URL(room.hash.slice('#/'.length), `${location.origin}${location.pathname}`).href;
}

/** @param {import('./room.js').Room} room @param {import('./shell.js').Shell} shell */
export const shareLink = (room, shell) => handOn(linkTo(room), shell);

/**
 * Hands a link on, as the browser does it, or copies it. @param {string} link
 * @param {import('./shell.js').Shell} shell @param {HTMLInputElement} [shown] a field that shows it
 */
async function handOn(link, shell, shown) {
  if (navigator.share) {
    await navigator.share({ title: SITE, url: link }).catch(() => undefined);
    return;
  }
  shown?.select();
  try {
    await navigator.clipboard.writeText(link);
  } catch {
    copied(link); // pages without TLS have no clipboard
  }
  shell.toast(t('copied'));
}

/** @param {string} text is copied by way of a field that nobody sees */
function copied(text) {
  const field = el('textarea', { class: 'visually-hidden', 'aria-hidden': 'true' });
  field.value = text;
  (document.querySelector('dialog[open]') ?? document.body).append(field); // a dialog makes all else inert
  field.select();
  document.execCommand('copy');
  field.remove();
}

/** The link to a room: the press first, and what is shared after it. @param {import('./room.js').Room} room @param {import('./shell.js').Shell} shell */
export function shareBox(room, shell) {
  const box = copyField(linkTo(room), shell);
  box.prepend(...[...box.children].reverse());
  return box;
}

/** A link to be copied or shared. @param {string} link @param {import('./shell.js').Shell} shell */
export function copyField(link, shell) {
  const field = el('input', { type: 'text', readonly: true, value: link, 'aria-label': t('link'), onfocus: () => field.select() });
  return el(
    'div',
    { class: 'share' },
    field,
    iconButton('share', t('share'), () => void handOn(link, shell, field), { class: 'plain' }),
  );
}

/** Gives the visitor a file. @param {string} name @param {string | Blob} content a text, or what it is */
export function save(name, content) {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type: 'text/plain' }));
  el('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Saves a picture of what a table shows. @param {import('./games/game.js').Game} game @param {import('./room.js').Room} room @param {'svg' | 'png'} kind */
export async function savePicture(game, room, kind) {
  const [drawing, { asPng, asSvg }] = await fetchPart(() => Promise.all([game.portrait?.(room.state), import('./portrait.js')]));
  if (!drawing) return;
  const file = kind === 'png' ? await asPng(drawing) : new Blob([asSvg(drawing)], { type: 'image/svg+xml' });
  save(`${game.id}-${room.id}.${kind}`, file);
}
