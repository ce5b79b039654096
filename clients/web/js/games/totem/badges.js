// What the latest events have changed in huts and enclosures, as numbers such as "+2".

import { readEffect, readHuts } from './notation.js';

/** @typedef {import('../game.js').Moment} Moment */
/** @typedef {import('./notation.js').Effect} Effect */

const LOOK_BACK = 12; // events
/** @type {{[what: string]: number}} what an effect does to an enclosure */
const BIRDS = { burn: -1, catch: 1, eat: -1, spill: -1, bird: 1 };

/** @param {Moment} moment @returns {Effect[]} */
export const effectsOf = ({ event }) =>
  (event?.effects ?? []).map(readEffect).filter((/** @type {Effect | null} */ effect) => effect !== null);

/** @param {number} n */
const signed = (n) => (n > 0 ? `+${n}` : `−${-n}`);

/** The changes in huts and enclosures that the latest event with any has made. @param {Moment[]} past @returns {{[place: string]: string}} */
export function badgesOf(past) {
  for (let i = past.length - 1; i >= Math.max(0, past.length - LOOK_BACK); i--) {
    const changes = changesOf(effectsOf(past[i]));
    if (Object.keys(changes).length) return changes;
  }
  return {};
}

/** @param {Effect[]} effects */
function changesOf(effects) {
  /** @type {{[place: string]: number}} */
  const sums = {};
  const add = (/** @type {string} */ place, /** @type {number} */ n) => {
    sums[place] = (sums[place] ?? 0) + n;
  };
  for (const { what, who, value } of effects) {
    if (what === 'born') add(who, value.length);
    if (what === 'ill') add(who, -value.length);
    if (what === 'gone') for (const [hut, people] of Object.entries(readHuts(who, value))) add(hut, -people.length);
    if (BIRDS[what]) add(who, BIRDS[what] * Number(value));
  }
  return Object.fromEntries(Object.entries(sums).filter(([, n]) => n).map(([place, n]) => [place, signed(n)]));
}
