// Tells a player that it is their turn: a notification, if it is asked for, and the window's title.

import { prefs } from './prefs.js';

/** The site's name, as index.html has it. */
export const SITE = document.title;

export const canNotify = () => 'Notification' in window && window.isSecureContext;

/** Asks the visitor for the permission; true if it is given. */
export async function askToNotify() {
  return canNotify() && (await Notification.requestPermission()) === 'granted';
}

/** @param {string} text @param {string} game its name */
export function notify(text, game) {
  if (!prefs.notify || !canNotify() || !document.hidden || Notification.permission !== 'granted') return;
  try {
    const note = new Notification(game, { body: text, tag: 'turn' });
    note.onclick = () => {
      window.focus();
      note.close();
    };
  } catch {
    // some phones only allow notifications from a service worker, which this page has no other use for
  }
}

/** @param {string} text @param {string} [place] what is shown: a game, or the site */
export function setTitle(text, place = SITE) {
  document.title = text ? `${text} · ${place}` : place;
}
