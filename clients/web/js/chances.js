// What chances of winning mean (protocol/README.md, 2.9). Only figures and words' keys: nothing is drawn here and nothing asked.

/** Chances from which a word holds, where a fair share is a half; below the last one all is as good as lost. @type {[number, string][]} */
const WORDS = [
  [0.97, 'chance_won'],
  [0.75, 'chance_far_ahead'],
  [0.57, 'chance_ahead'],
  [0.43, 'chance_level'],
  [0.25, 'chance_behind'],
  [0.03, 'chance_far_behind'],
];

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
