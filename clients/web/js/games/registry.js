// The games that this page can show, and those of them that have been fetched.

import { el } from '../dom.js';
import { Unfetched } from '../unfetched.js';
import { learnWords } from '../words.js';

/** @typedef {import('./game.js').Game} Game */
/** For somebody new. @typedef {{firstTurn: () => import('./game.js').FirstTurn, styles: string[]}} First */
/** @typedef {{id: string, title: string, lessons?: boolean, first?: () => Promise<First>, load: () => Promise<{default: Game}>}} Entry `lessons`: it has a tutorial */

/** The first one is on the first page; the others are fetched when they are asked for. @type {Entry[]} */
export const GAMES = [
  { id: 'taluva', title: 'Taluva', lessons: true, first: () => import('./taluva/first.js'), load: () => import('./taluva/game.js') },
  { id: 'totem', title: 'Totem', lessons: true, load: () => import('./totem/game.js') },
];

/** @type {Map<string, Promise<Game | undefined>>} */
const underway = new Map();
/** @type {Map<string, Game>} */
const fetched = new Map();

/** What is known of a game before it has been fetched. @param {string} id @returns {Entry | undefined} */
export const entryOf = (id) => GAMES.find((entry) => entry.id === id);

/** A game that has been fetched. @param {string} id @returns {Game | undefined} */
export const gameOf = (id) => fetched.get(id);

/**
 * Fetches a game with its words and style sheets, once. The answer is empty if the page does not know the game, or if it
 * cannot be fetched; then the next call tries again.
 * @param {string} id @returns {Promise<Game | undefined>}
 */
export function fetchGame(id) {
  const entry = entryOf(id);
  if (!entry) return Promise.resolve(undefined);
  const found = underway.get(id) ?? fetchEntry(entry);
  underway.set(id, found);
  return found;
}

/** The first game that can be fetched. @returns {Promise<Game>} */
export async function fetchFirst() {
  for (const { id } of GAMES) {
    const game = await fetchGame(id);
    if (game) return game;
  }
  throw new Error('no game can be fetched');
}

/** @param {Entry} entry */
async function fetchEntry({ id, load }) {
  try {
    const { default: game } = await load();
    await Promise.all([learnWords(), ...game.styles.map(addStyle)]);
    fetched.set(id, game);
    return game;
  } catch (error) {
    underway.delete(id);
    reportError(error);
    return undefined;
  }
}

/** @type {Map<string, Promise<unknown>>} */
const styles = new Map();

/** Adds a style sheet, once. @param {string} href @returns {Promise<unknown>} when it is there */
export function addStyle(href) {
  const known = styles.get(href);
  if (known) return known;
  const there = new Promise((resolve, reject) => {
    const onerror = () => {
      styles.delete(href);
      reject(new Unfetched(href));
    };
    document.body.append(el('link', { rel: 'stylesheet', href, onload: resolve, onerror }));
  });
  styles.set(href, there);
  return there;
}
