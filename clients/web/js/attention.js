// Tells a player that it is their turn: a notification, if it is asked for, and the window's title.

import { prefs } from './prefs.js';

/** The site's name, as index.html has it. */
export const SITE = document.title;

export const canNotify = () => 'Notification' in window && window.isSecureContext;

/** Asks the visitor for the permission; true if it is given. */
export async function askToNotify() {
  return canNotify() && (await Notification.requestPermission()) === 'granted';
}

/** @param {string} text @param {string} game its name @param {string} room its id */
export function notify(text, game, room) {
  if (!prefs.notify || !canNotify() || !document.hidden || Notification.permission !== 'granted') return;
  const options = { body: text, tag: `turn-${room}`, data: { room } }; // as the service worker's: one for a room
  try {
    const note = new Notification(game, options);
    note.onclick = () => {
      window.focus();
      note.close();
    };
  } catch {
    // phones show only those of the service worker
    void navigator.serviceWorker?.getRegistration().then((worker) => worker?.showNotification(game, options));
  }
}

/** @param {string} text @param {string} [place] what is shown: a game, or the site */
export function setTitle(text, place = SITE) {
  document.title = text ? `${text} · ${place}` : place;
}
