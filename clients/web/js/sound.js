// Sounds: asked for here, made in synth.js, which is fetched with the first of them. There are none before the visitor has switched
// them on, nor before anything was pressed, as browsers demand. Nothing waits for a sound, and one that would come too late is left out.

import { prefs } from './prefs.js';

/** @typedef {import('./games/game.js').Voices} Voices */

const LATE_MS = 400;

/** @type {import('./synth.js').Player | null} */
let player = null;

/** Called when sounds are switched on or off. @type {Set<() => void>} */
export const switched = new Set();

/**
 * @param {string} name one of the page's own, or of `voices`
 * @param {number} [after] ms @param {() => Promise<{default: Voices}>} [voices] fetches those of a game
 */
export function play(name, after = 0, voices = undefined) {
  if (!prefs.sound || navigator.userActivation?.hasBeenActive === false) return;
  void start(name, performance.now() + after, voices).catch(() => undefined); // a browser that has no sound is silent
}

/** Fetches what will be needed, if sounds are on. @param {() => Promise<{default: Voices}>} [voices] */
export function prepare(voices) {
  if (prefs.sound) Promise.all([import('./synth.js'), voices?.()]).catch(() => undefined); // it is tried again with the first sound
}

/** @param {string} name @param {number} due @param {(() => Promise<{default: Voices}>) | undefined} voices */
async function start(name, due, voices) {
  const [{ Player, VOICES }, own] = await Promise.all([import('./synth.js'), voices?.()]);
  player ??= new Player();
  const wait = () => {
    const left = due - performance.now();
    return !prefs.sound || left < -LATE_MS ? -1 : Math.max(0, left);
  };
  await player.play(name, own?.default[name] ?? VOICES[name] ?? VOICES.move, prefs.volume / 100, wait);
}

/** Switches sounds on, which is heard, or off, at once. @param {boolean} on */
export function setSound(on) {
  prefs.sound = on;
  if (on) play('turn');
  else player?.hush();
  for (const told of switched) told();
}
