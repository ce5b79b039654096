// What chances of winning mean, and where the turns of an analysis lie in a match (protocol/README.md: hints, analysis). Only
// figures and words' keys: nothing is drawn here and nothing asked.

/** @typedef {import('./wire.js').Message} Message */
/** @typedef {import('./room.js').Moment} Moment */
/** @typedef {{before: number, after: number}} Span moments as indices: the one in which a turn was thought of, and the one after it */

/** Chances from which a word holds, where a fair share is a half; below the last one all is as good as lost. @type {[number, string][]} */
const WORDS = [
  [0.97, 'chance_won'],
  [0.75, 'chance_far_ahead'],
  [0.57, 'chance_ahead'],
  [0.43, 'chance_level'],
  [0.25, 'chance_behind'],
  [0.03, 'chance_far_behind'],
];

/** Signs for the marks of turns, as chess players write them. @type {{[mark: string]: string}} */
export const SIGNS = { good: '!', mistake: '?', blunder: '??' };

/**
 * The key of the word for what a seat can hope for. 30 % are much among five players and little among two, so a chance is
 * compared with the usual one: the mean over all seats.
 * @param {number[]} chances per mille, by seat @param {number} seat
 */
export function chanceWord(chances, seat) {
  const usual = chances.reduce((sum, chance) => sum + chance, 0) / chances.length / 1000;
  const chance = chances[seat] / 1000;
  const alike = usual > 0 && usual < 1 ? chance ** (Math.log(0.5) / Math.log(usual)) : chance;
  return WORDS.find(([least]) => alike >= least)?.[1] ?? 'chance_lost';
}

/** The chances of each seat over the match: before the first turn, and after each. @param {Message} analysis @returns {number[][]} by seat */
export function chancesOver({ turns }) {
  if (!turns.length) return [];
  return turns[0].start.map((/** @type {number} */ start, /** @type {number} */ seat) => [
    start,
    ...turns.map((/** @type {Message} */ turn) => turn.played[seat]),
  ]);
}

/**
 * Where each turn is among the moments. A turn ends with its last move, which is never taken back; the first one may have
 * been made and taken back before.
 * @param {Moment[]} past @param {Message[]} turns @returns {Span[]} -1, -1 for a turn that is not there
 */
export function spansOf(past, turns) {
  /** @param {number} index @param {Message} turn @param {string} move */
  const is = (index, { seat }, move) => {
    const { event } = past[index];
    return event?.kind === 'move' && event.seat === seat && event.move === move;
  };
  let from = 1;
  return turns.map((turn) => {
    const [first] = turn.moves;
    let after = from;
    while (after < past.length && !is(after, turn, turn.moves.at(-1))) after++;
    if (after >= past.length) return { before: -1, after: -1 };
    let begun = after;
    while (begun > from && !is(begun, turn, first)) begun--;
    from = after + 1;
    return { before: begun - 1, after };
  });
}

/** The turn that is being thought of or played at a moment, as an index; at the end the last one. @param {Span[]} spans @param {number} moment */
export function turnAt(spans, moment) {
  const next = spans.findIndex(({ after }) => after > moment);
  return next < 0 ? spans.length - 1 : next;
}
