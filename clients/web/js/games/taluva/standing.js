// How the players stand: what they have placed, in what order that counts, and who has won.

/** @typedef {import('../game.js').Message} Message */

export const PIECES = /** @type {const} */ (['temples', 'towers', 'boats', 'huts']); // in the order of the tie-break
/** What every player starts with. */
export const BOX = { huts: 20, towers: 2, temples: 3, boats: 2 };

/** The kinds of pieces that are played. @param {Message} state */
export const piecesOf = (state) => PIECES.filter((piece) => piece !== 'boats' || state.options?.boats);

/** What some seats have placed together. @param {Message} state @param {string[]} seats @returns {{[piece: string]: number}} */
export function builtBy(state, seats) {
  const players = state.table?.players ?? {};
  const placed = (/** @type {keyof typeof BOX} */ piece) =>
    seats.reduce((sum, seat) => sum + BOX[piece] - (players[seat]?.[piece] ?? BOX[piece]), 0);
  return Object.fromEntries(piecesOf(state).map((piece) => [piece, placed(piece)]));
}

/**
 * The standing by the tie-break's order: temples, towers, boats, huts placed. Equal counts share a
 * rank; eliminated players come last. It counts what is on the board; the server decides who wins.
 * @param {Message} state @returns {{seats: string[], built: {[piece: string]: number}, out:
 * boolean, rank: number}[]}
 */
export function standing(state) {
  const players = state.table?.players ?? {};
  const sides =
    teamsOf(state.options ?? {})?.map((seats) => seats.map(String)) ?? Object.keys(players).map((seat) => [seat]);
  const rows = sides.map((seats) => {
    const inPlay = seats.filter((seat) => players[seat]?.out === undefined);
    return { seats, built: builtBy(state, inPlay), out: inPlay.length === 0, rank: 0 };
  });
  /** @param {typeof rows[0]} a @param {typeof rows[0]} b */
  const compare = (a, b) =>
    Number(a.out) - Number(b.out) ||
    piecesOf(state)
      .map((piece) => b.built[piece] - a.built[piece])
      .find((difference) => difference !== 0) ||
    0;
  rows.sort(compare);
  rows.forEach((row, i) => {
    row.rank = i > 0 && compare(rows[i - 1], row) === 0 ? rows[i - 1].rank : i + 1;
  });
  return rows;
}

/**
 * The rank that the server gave some seats of one side, when the match is over; 0 if nobody has one.
 * @param {Message} state @param {string[]} seats
 */
export function finalRank(state, seats) {
  const { ranks } = state.result ?? {};
  const winners = winnersOf(state);
  if (ranks) return Math.min(...seats.map((seat) => ranks[seat] ?? 99));
  if (!winners.length) return 0;
  return winners.includes(Number(seats[0])) ? 1 : 2;
}

/** The seats of each team, as the rules number them; null if everybody plays alone. @param {Message} options */
export const teamsOf = (options) =>
  options.teams
    ? [
        [0, 2],
        [1, 3],
      ]
    : null;

/** The seats that have won: in team games the result names teams. @param {Message} state @returns {number[]} */
export function winnersOf(state) {
  const named = Object.keys(state.result?.winners ?? {}).map(Number);
  const teams = teamsOf(state.options);
  return teams ? named.flatMap((team) => teams[team]) : named;
}
