// The games that this page can show.

import { el } from '../dom.js';
import { learnWords } from '../words.js';

/** @typedef {import('./game.js').Game} Game */

/** The first one is on the first page. @type {(() => Promise<{default: Game}>)[]} */
const MODULES = [
  () => import('./taluva/game.js'),
];

/** @type {Game[]} */
const loaded = [];

/** A game that has been loaded. @param {string} id @returns {Game | undefined} */
export const gameOf = (id) => loaded.find((game) => game.id === id);

/** Fetches the games with their words and style sheets. One that cannot be fetched is left out. @returns {Promise<Game[]>} */
export async function loadGames() {
  for (const result of await Promise.allSettled(MODULES.map(fetchGame))) {
    if (result.status === 'fulfilled') loaded.push(result.value);
    else reportError(result.reason);
  }
  return loaded;
}

/** @param {() => Promise<{default: Game}>} load */
async function fetchGame(load) {
  const { default: game } = await load();
  await Promise.all([learnWords(), ...game.styles.map(addStyle)]);
  return game;
}

/** @param {string} href @returns {Promise<unknown>} when the style sheet is there */
const addStyle = (href) =>
  new Promise((resolve, reject) => {
    document.head.append(el('link', { rel: 'stylesheet', href, onload: resolve, onerror: reject }));
  });
