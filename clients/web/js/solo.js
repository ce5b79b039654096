// A game against the computer: creates the table, fills it and begins; and once more.

import { levelOf } from './levels.js';

/** What this seat adds to the drawing of lots: 32 random bytes in hexadecimal. */
export function nonce() {
  return [...crypto.getRandomValues(new Uint8Array(32))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Begins where nobody else has to be waited for. @param {import('./wire.js').Wire} wire @param {string} room */
async function begin(wire, room) {
  await wire.askPatiently('ready', { room, ready: true, nonce: nonce() });
  await wire.askPatiently('start', { room });
}

/**
 * @param {import('./wire.js').Wire} wire @param {import('./games/game.js').Game} game @param {number} opponents
 * @param {number} [level] how well they play, from 1; what was chosen last if left out
 * @returns {Promise<string>} the address of the table
 */
export async function playSolo(wire, game, opponents, level = levelOf(game)) {
  wire.expectLine();
  const fields = { game: game.id, access: 'code', options: game.solo.options(opponents) };
  const { room, code } = await wire.askPatiently('create', fields);
  await wire.askPatiently('join', { room, code, seat: 0 });
  for (let seat = 1; seat <= opponents; seat++) await wire.askPatiently('bot', { room, seat, level });
  await begin(wire, room);
  return `#/r/${room}/${code}`;
}

/** Whether all others at the table are computers. @param {import('./room.js').Room} room */
const isSolo = ({ seat, shared, state }) =>
  seat >= 0 && !shared && Object.entries(state.seats).every(([other, who]) => Number(other) === seat || who.bot);

/**
 * The next table of the same players; it begins at once where nobody has to be waited for.
 * @param {import('./room.js').Room} room one whose match is over @returns {Promise<string>} the address of the table
 */
export async function playAgain(room) {
  const known = room.state.rematch;
  room.wire.expectLine();
  const { room: id, code } = known ? { room: known, code: '' } : await room.ask('rematch');
  room.shared?.takeAlong(id);
  if (!known && isSolo(room)) await begin(room.wire, id);
  return `#/r/${id}${code ? `/${code}` : ''}`;
}
