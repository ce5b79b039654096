// Drawings as small pictures between words: signs of families, people, birds, poles, spells.

import { icon, svg } from '../../dom.js';
import { bird, figure, hut, markShape, piece, PIECE_HIGH, spellBack, spellFace } from './art.js';
import { COLOUR_OF } from './notation.js';

/** The class that sets a family's colours. @param {string} colour */
export const paintOf = (colour) => `totem-${colour || 'green'}`;

/** @param {string} family */
export const paintOfFamily = (family) => paintOf(COLOUR_OF[family]);

/** @param {string} colour */
export const markIcon = (colour) => icon(markShape(colour), '-11 -11 22 22', `totem-mark ${paintOf(colour)}`);

/** @param {string} kind @param {string} family */
export const personIcon = (kind, family) =>
  icon(figure(kind), 'gb'.includes(kind) ? '-10 -18 20 20' : '-12 -31 24 33', `totem-icon ${paintOfFamily(family)}`);

export const birdIcon = () => icon(bird(), '-10 -8 20 16', 'totem-icon bird-icon');

/** @param {string} spell */
export const spellIcon = (spell) => icon(spellFace(spell), '-11 -11 22 22', 'totem-icon spell-icon');

/** @param {string} family */
export const backIcon = (family) => icon(spellBack(), '-11 -11 22 22', `totem-icon spell-icon ${paintOfFamily(family)}`);

/** @param {string} colour */
export const hutIcon = (colour) => icon(hut(), '-32 -49 64 55', `totem-icon ${paintOf(colour)}`);

/** A pole with so many pieces. @param {number} pieces @param {string} colour */
export const poleIcon = (pieces, colour) =>
  icon(pole(pieces), `-26 ${-pieces * PIECE_HIGH - 2} 52 ${pieces * PIECE_HIGH + 4}`, `totem-icon ${paintOf(colour)}`);

/** The pieces on top of each other, standing on 0, 0. @param {number} pieces */
export const pole = (pieces) =>
  svg(
    'g',
    { class: 'pole' },
    ...Array.from({ length: pieces }, (_, i) =>
      svg('g', { transform: `translate(0 ${-PIECE_HIGH * (i + 0.5)})` }, piece(i)),
    ),
  );
