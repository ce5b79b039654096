// Which sounds a move has, and when: as motion.js shows it.

import { APART_MS, LAND_MS, still } from './motion.js';
import { changedHexes } from './describe.js';
import { footprint, readBuild, readCell, readPlacement } from './notation.js';
import { keyOf } from './hexes.js';

/** @typedef {import('../game.js').Message} Message */

const HEARD_MOST = 4; // of what rises together

/** @param {import('../game.js').Moment} moment @param {Message} before @returns {{name: string, after: number}[]} names of sounds.js */
export function soundsOf({ event, state }, before) {
  const placement = readPlacement(event?.move ?? '');
  if (placement) {
    const { level } = readCell(state.table.hexes[keyOf(footprint(placement)[0])]);
    return [{ name: level > 1 ? 'eruption' : 'tile', after: still.matches ? 0 : LAND_MS }];
  }
  const build = readBuild(event?.move ?? '');
  if (!build) return [{ name: 'tile', after: 0 }];
  if (build.verb !== 'expand') return [{ name: build.verb, after: 0 }];
  const huts = Math.min(HEARD_MOST, changedHexes(before, state).length);
  return Array.from({ length: huts }, (_, i) => ({ name: 'hut', after: (APART_MS * i) / Math.max(1, huts - 1) }));
}
