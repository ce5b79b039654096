// What somebody looks for by quick match: which games, tables, clocks and people; as this browser remembers it, as it is said to the server,
// and how far from their rating it is looked by now. Values in, values out.

/** @typedef {import('./wire.js').Message} Message */
/** `games`: beside the one of the page. `range`: points, 0 for anybody in the end. @typedef {{games: string[], sizes: number[], teams: boolean, clocks: string[], range: number, computers: boolean}} Choice */
/** `handle`: with that one alone, or beside them in `teams`; `games`: several, `game` among them. @typedef {{game: string, games?: string[], sizes: number[], clocks: string[], teams?: boolean, range?: number, computers?: boolean, handle?: string}} Wanted */

/** @type {{[game: string]: number[]}} tables of which sizes there are */
const SIZES = { taluva: [2, 3, 4, 5], totem: [2, 3, 4] };
const TEAMS = ['taluva']; // which games have two against two
export const CLOCKS = ['normal', 'fast', 'calm'];
export const RANGES = [150, 200, 300, 500];
const ALONE_MOST = 2; // where computers fill nothing: somebody alone is given none
const WIDENS = 10, // points in a second
  ANYBODY_S = 90;

/** Those of some that are in the list, in its order. @template T @param {T[]} list @param {unknown} some @returns {T[]} */
const among = (list, some) => list.filter((value) => Array.isArray(some) && some.includes(value));

/** What was remembered, and else what is usual: two players, the usual clock, anybody. @param {string} text @returns {Choice} */
export function readChoice(text) {
  /** @type {any} */
  let read = {};
  try {
    read = Object(JSON.parse(text || '{}'));
  } catch {
    // of another version: as if there were nothing
  }
  const sizes = among([2, 3, 4, 5], read.sizes);
  const clocks = among(CLOCKS, read.clocks);
  return {
    games: among(Object.keys(SIZES), read.games),
    sizes: sizes.length || read.teams === true ? sizes : [2],
    teams: read.teams === true,
    clocks: clocks.length ? clocks : ['normal'],
    range: RANGES.find((range) => range === read.range) ?? 0,
    computers: read.computers === true,
  };
}

/** All games that are looked for, that of the page first. @param {string} game @param {Choice} choice */
export const gamesOf = (game, choice) => [game, ...choice.games.filter((other) => other !== game)];

/** Tables of which sizes there are in one of them. @param {string[]} games */
export const sizesOf = (games) => [2, 3, 4, 5].filter((size) => games.some((game) => (SIZES[game] ?? [2]).includes(size)));

/** Which of them have two against two. @param {string[]} games */
export const teamsOf = (games) => games.filter((game) => TEAMS.includes(game));

/** @param {Choice} choice */
export const mayFill = ({ sizes }) => sizes.some((size) => size > ALONE_MOST);

/**
 * What is looked for by that; whoever names a partner plays nothing else.
 * @param {string} page the game of the page @param {Choice} choice @param {string} [partner] @returns {Wanted}
 */
export function wantedOf(page, choice, partner = '') {
  const taken = gamesOf(page, choice);
  const teams = choice.teams && teamsOf(taken).length > 0;
  const handle = teams ? partner : '';
  const played = handle ? [] : sizesOf(taken).filter((size) => choice.sizes.includes(size));
  const sizes = played.length || teams ? played : [2];
  const games = handle ? teamsOf(taken) : taken.filter((game) => sizesOf([game]).some((size) => sizes.includes(size)) || (teams && TEAMS.includes(game)));
  return {
    game: games[0],
    sizes,
    clocks: CLOCKS.filter((clock) => choice.clocks.includes(clock)),
    teams,
    ...(games.length > 1 && { games }),
    ...(choice.range && { range: choice.range }),
    ...(choice.computers && mayFill({ ...choice, sizes }) && { computers: true }),
    ...(handle && { handle }),
  };
}

/** The request. @param {Wanted} wanted @returns {Message} */
export function requestOf({ game, games, sizes, clocks, teams, range, computers, handle }) {
  const options = {
    ...(sizes.length > 0 && { sizes: [...sizes].sort() }),
    clocks,
    ...(games && { games }),
    ...(teams && { teams }),
    ...(range && { range }),
    ...(computers && { computers }),
  };
  return { ...(!games && { game }), options, ...(handle && { handle }) };
}

/**
 * How far it is looked by now: from and to which rating. Nothing: anybody.
 * @param {[rating: number, within: number]} window at first, as the server said @param {number} waited ms @param {number} [range]
 * @returns {[from: number, to: number] | undefined}
 */
export function reachOf([rating, within], waited, range) {
  const seconds = Math.max(0, Math.floor(waited / 1000));
  if (seconds >= ANYBODY_S && !range) return undefined;
  const wide = seconds >= ANYBODY_S ? Infinity : within + WIDENS * seconds;
  const now = Math.min(wide, range || Infinity);
  return [Math.max(0, rating - now), rating + now];
}
