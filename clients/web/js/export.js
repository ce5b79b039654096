// A copy of all that the server has of whoever asks for it, as one file: the answers to the questions that `taluva export` asks too.

import { Refusal } from './wire.js';

/** @typedef {import('./wire.js').Message} Message */

/** What is asked, and whether only who has an account can: as in protocol/src/export.c. @type {[string, boolean][]} */
export const STEPS = [
  ['devices', false],
  ['profile', true],
  ['passkeys', true],
  ['tokens', true],
  ['bots', true],
  ['invites', true],
  ['blocks', true],
  ['friends', true],
  ['kept', false],
  ['kept_at_desk', false],
  ['games', false],
];

/** What is in the answer to `hello`, as there. */
export const HELLO = ['session', 'name', 'account', 'time', 'seats', 'judgements', 'moderator'];

/** All pages of them. @param {import('./wire.js').Wire} wire */
async function fetchGames(wire) {
  const games = [];
  for (let more = true, after; more; after = games.at(-1)?.room) {
    const page = await wire.askPatiently('games', after ? { after } : {});
    games.push(...page.games);
    more = page.more === true && page.games.length > 0;
  }
  return games;
}

/** A server that takes no passkeys has none to tell of. @param {import('./wire.js').Wire} wire @param {string} op @param {Message} fields */
async function askStep(wire, op, fields) {
  try {
    return await wire.askPatiently(op, fields);
  } catch (error) {
    if (op === 'passkeys' && error instanceof Refusal && error.code === 'passkeys_off') return undefined;
    throw error;
  }
}

/** @param {import('./wire.js').Wire} wire */
export async function gatherAll(wire) {
  const { hello } = wire;
  /** @type {Message} */
  const all = {};
  for (const name of HELLO) if (hello[name] !== undefined) all[name] = hello[name];
  for (const [op, ofAccount] of STEPS) {
    if (ofAccount && !hello.account) continue;
    const answer = op === 'games' ? await fetchGames(wire) : await askStep(wire, op, op === 'profile' ? { handle: hello.account.handle } : {});
    if (answer) all[op] = answer;
  }
  return all;
}
