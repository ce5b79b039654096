// A turn that was not played, as it would lie on the island. The page knows no rules: whoever names the turn has seen that it
// is legal.

import { keyOf, lagoons, neighbours, region } from './hexes.js';
import { middleOf } from './island.js';
import { footprint, placedCells, readBuild, readCell, readPlacement } from './notation.js';

/** @typedef {import('./hexes.js').Key} Key */
/** @typedef {import('./notation.js').Cell} Cell */
/**
 * @typedef {object} Imagined
 * @property {import('./notation.js').Placement | null} placement
 * @property {number} level of the placement's hexes
 * @property {(key: Key) => number} levelOf the level of a hex, with the placement on the island
 * @property {Key[]} tile the hexes of the placement
 * @property {{key: Key, piece: {kind: string, count: number}}[]} pieces that the build sets
 */

/** @type {{[verb: string]: string}} */
const KINDS = { hut: 'h', expand: 'h', tower: 'w', temple: 't', boat: 'b' };

/**
 * What a turn would set on an island.
 * @param {{[key: Key]: string}} hexes @param {string[]} moves the placement, the build, or both @param {number} seat whose they are
 * @returns {Imagined}
 */
export function imagined(hexes, moves, seat) {
  const placement = moves.map(readPlacement).find(Boolean) ?? null;
  const build = moves.map(readBuild).find(Boolean) ?? null;
  /** @type {Map<Key, Cell>} */
  const land = new Map(Object.entries(hexes).map(([key, token]) => [key, readCell(token)]));
  const tile = placement ? footprint(placement).map(keyOf) : [];
  const level = 1 + Math.max(0, ...tile.map((key) => land.get(key)?.level ?? 0));
  if (placement) placedCells(placement, level).forEach((cell, i) => land.set(tile[i], cell));
  const pieces = build ? spotsOf(land, build, seat).map((key) => ({ key, piece: pieceOn(land.get(key), build.verb) })) : [];
  return { placement, level, levelOf: (key) => land.get(key)?.level ?? 0, tile, pieces };
}

/** @param {Cell | undefined} cell @param {string} verb */
const pieceOn = (cell, verb) => ({ kind: KINDS[verb], count: cell?.level ?? 1 });

/** The hexes on which a build sets something. @param {Map<Key, Cell>} land @param {import('./notation.js').Build} build @param {number} seat @returns {Key[]} */
function spotsOf(land, { verb, at, terrain }, seat) {
  if (verb === 'boat') {
    const water = lagoons((key) => land.has(key), [...land.keys()]).get(at);
    return [water ? middleOf(water) : at];
  }
  if (verb !== 'expand') return [at];
  const town = region(at, (key) => land.get(key)?.seat === seat);
  return [...new Set([...town].flatMap(neighbours))].filter((key) => {
    const cell = land.get(key);
    return cell && !cell.kind && cell.terrain === terrain;
  });
}

/** All that a turn touches. @param {Imagined} turn @returns {Key[]} */
export const touched = ({ tile, pieces }) => [...new Set([...tile, ...pieces.map(({ key }) => key)])];

/** Where its sign is put: on the build, or on the tile. @param {Imagined} turn @returns {Key | undefined} */
export const signedAt = ({ tile, pieces }) => pieces[0]?.key ?? tile[0];
