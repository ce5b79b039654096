// The pictures of the rules: parts of the tutorial's positions, drawn as the table draws its island. What a picture says is allowed,
// or why not, a test asks the rules core.

import { svg } from '../../../dom.js';
import { textbook } from '../../../learning.js';
import { distance, hexOf, keyOf } from '../hexes.js';
import { Island } from '../island.js';
import { borderOf } from '../iso.js';
import { footprint, readBuild, readPlacement } from '../notation.js';
import { frameOf } from '../portrait.js';
import { built, laid, read } from './course.js';
import { POSITIONS } from './positions.js';
import { t } from './words.js';

/** @typedef {import('../hexes.js').Key} Key */
/**
 * @typedef {object} Picture
 * @property {string} lesson whose position it is
 * @property {Key} middle @property {number} reach how far around it the picture goes
 * @property {string} [move] what is shown, as if it were played
 * @property {string} [answer] what the rules say to it; "ok" if left out
 */

const { framed } = textbook(t);

/** By the key of their captions. @type {{[caption: string]: Picture}} */
export const PICTURES = {
  p_extend: { lesson: 'extend', middle: '0,0', reach: 3, move: 'JC@-1,1:1' },
  p_overlap: { lesson: 'extend', middle: '0,0', reach: 3, move: 'JC@0,-1:0', answer: 'overlaps_island_edge' },
  p_before: { lesson: 'erupt', middle: '-1,1', reach: 2 },
  p_erupt: { lesson: 'erupt', middle: '-1,1', reach: 2, move: 'JC@-1,1:0' },
  p_same: { lesson: 'facing', middle: '-1,0', reach: 2, move: 'RL@-1,0:4', answer: 'volcano_faces_same_way' },
  p_levels: { lesson: 'facing', middle: '-1,0', reach: 2, move: 'RL@-1,0:0', answer: 'levels_differ' },
  p_whole: { lesson: 'erupt', middle: '-2,2', reach: 2, move: 'JC@-3,3:5', answer: 'covers_whole_settlement' },
  p_covers: { lesson: 'out', middle: '-4,0', reach: 2, move: 'RC@-4,0:0', answer: 'covers_temple' },
  p_settlement: { lesson: 'temple', middle: '-2,3', reach: 2 },
  p_hut: { lesson: 'temple', middle: '2,1', reach: 2, move: 'hut@1,2' },
  p_near: { lesson: 'temple', middle: '-2,2', reach: 2, move: 'hut@-2,1', answer: 'next_to_own_building' },
  p_expand: { lesson: 'expand', middle: '-2,2', reach: 2, move: 'expand@-2,2=C' },
  p_temple: { lesson: 'temple', middle: '-2,3', reach: 2, move: 'temple@-2,4' },
  p_small: { lesson: 'expand', middle: '-2,2', reach: 2, move: 'temple@-2,1', answer: 'settlement_too_small' },
  p_tower: { lesson: 'tower', middle: '0,1', reach: 2, move: 'tower@0,1' },
  p_low: { lesson: 'tower', middle: '-2,3', reach: 2, move: 'tower@-1,4', answer: 'tower_below_level_3' },
};

const COLOURS = ['red', 'white'];
const EDGE = 10;

/** A drawing of some land, as large as it is. @param {import('../island.js').Land} land @param {string[]} [colours] @param {{keys: Key[], name: string}} [outline] */
function drawing(land, colours = COLOURS, outline) {
  const island = new Island();
  island.show(land, Object.fromEntries(colours.entries()));
  const { left, top, width, height } = frameOf(island, EDGE);
  const line = outline && borderOf(outline.keys, island.levelOf, 0, 0.98);
  return svg(
    'svg',
    { viewBox: `${left} ${top} ${width} ${height}`, 'aria-hidden': 'true', focusable: 'false' },
    island.root,
    line && svg('g', { class: outline?.name ?? '' }, svg('path', { class: 'outline-halo', d: line }), svg('path', { class: 'outline-ink', d: line })),
  );
}

/** @param {{[key: Key]: string}} hexes @param {Key} middle @param {number} reach */
function around(hexes, middle, reach) {
  const { q, r } = hexOf(middle);
  const near = (/** @type {Key} */ key) => distance({ q: hexOf(key).q - q, r: hexOf(key).r - r }) <= reach;
  return Object.fromEntries(Object.entries(hexes).filter(([key]) => near(key)));
}

/** One of the pictures with its caption. @param {string} caption its key */
export function picture(caption) {
  const { lesson, middle, reach, move = '', answer = 'ok' } = PICTURES[caption];
  const position = POSITIONS[lesson];
  const { hexes, seat } = read(position);
  const colours = seat === 0 ? COLOURS : [...COLOURS].reverse();
  const placement = readPlacement(move);
  const build = readBuild(move);
  const good = answer === 'ok';
  const keys = placement ? footprint(placement).map(keyOf) : build ? (position.builds?.[move]?.split(' ') ?? [build.at]) : [];
  const shown = placement ? laid(hexes, placement) : build ? built(hexes, build, keys, seat).hexes : hexes;
  const outline = keys.length ? { keys, name: good ? 'outline good' : 'outline bad' } : undefined;
  return framed(drawing({ hexes: around(shown, middle, reach) }, colours, outline), caption, move ? good : null);
}

/** Single tiles. @param {string} caption @param {string[]} texts placements beside each other */
export function tiles(caption, texts) {
  const hexes = texts.flatMap((text) => readPlacement(text) ?? []).reduce((land, placement) => laid(land, placement), {});
  return framed(drawing({ hexes }), caption);
}

/** A lagoon with a boat, beside a settlement. @param {string} caption */
export function lagoon(caption) {
  const ring = { '1,0': '1J:0h1', '0,1': '1V4', '-1,1': '1C', '-1,0': '1S', '0,-1': '1V1', '1,-1': '1L', '2,-1': '1S:0h1', '2,-2': '1V2' };
  return framed(drawing({ hexes: ring, boats: { '0,0': 0 } }), caption);
}

