// Tells a player that it is their turn: a sound, a notification, the window's title. All but the title only if
// asked for.

import { prefs } from './prefs.js';

/** The site's name, as index.html has it. */
export const SITE = document.title;

/** @type {AudioContext | null} */
let audio = null;

/** @type {{[kind: string]: number[]}} tones in hertz, one after the other */
const TUNES = { turn: [523, 784], move: [392], over: [523, 659, 784, 1047] };

/** @param {string} kind */
export function chime(kind) {
  if (!prefs.sound) return;
  audio ??= new AudioContext();
  if (audio.state === 'suspended') void audio.resume(); // it was made before the visitor had touched the page
  const start = audio.currentTime + 0.02;
  for (const [i, tone] of TUNES[kind].entries()) {
    const voice = audio.createOscillator(),
      volume = audio.createGain();
    const at = start + i * 0.13;
    voice.type = 'triangle';
    voice.frequency.value = tone;
    volume.gain.setValueAtTime(0, at);
    volume.gain.linearRampToValueAtTime(kind === 'move' ? 0.06 : 0.16, at + 0.015);
    volume.gain.exponentialRampToValueAtTime(0.001, at + 0.4);
    voice.connect(volume).connect(audio.destination);
    voice.start(at);
    voice.stop(at + 0.45);
  }
}

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
