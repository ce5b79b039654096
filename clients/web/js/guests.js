// The people who play at this device besides the visitor, table by table. Each has a session of their own with the server; this browser keeps
// their tokens and their names, for the latest tables.

import { prefs } from './prefs.js';

/** @typedef {{name: string, token: string, aside?: string}} Guest `token` "": no session yet; `aside` as aside.js writes it */
/** @typedef {{room: string, guests: Guest[]}} Table */

const TABLES_MOST = 20;

/** @param {any} guest */
const isGuest = (guest) => typeof guest?.name === 'string' && typeof guest?.token === 'string' && typeof (guest?.aside ?? '') === 'string';

/** The latest table first. @returns {Table[]} */
function tables() {
  try {
    const all = JSON.parse(prefs.guests || '[]');
    return all.filter((/** @type {any} */ { room, guests }) => typeof room === 'string' && guests.every(isGuest));
  } catch {
    return []; // it was not written by this page
  }
}

/** Those of a table. @param {string} room @returns {Guest[]} */
export const guestsAt = (room) => tables().find((table) => table.room === room)?.guests ?? [];

/** @param {string} room @param {Guest[]} guests none: the visitor is alone there */
export function keepGuests(room, guests) {
  const others = tables().filter((table) => table.room !== room);
  const kept = guests.length ? [{ room, guests: guests.map(({ name, token, aside }) => ({ name, token, ...(aside ? { aside } : {}) })) }, ...others] : others;
  prefs.guests = kept.length ? JSON.stringify(kept.slice(0, TABLES_MOST)) : '';
}

/**
 * A session for somebody new at a table: one that this browser has and that does not sit there.
 * @param {Guest[]} guests who is there already @returns {string} its token; "" if there is none
 */
export function freeToken(guests) {
  const tokens = tables().flatMap((table) => table.guests.map(({ token }) => token));
  return tokens.find((token) => token && !guests.some((guest) => guest.token === token)) ?? '';
}
