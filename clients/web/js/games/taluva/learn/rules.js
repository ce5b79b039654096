// All the rules on one page, in short sentences with pictures.

import { el } from '../../../dom.js';
import { textbook } from '../../../learning.js';
import { pieceIcon } from '../pieces.js';
import { t as gameWords } from '../words.js';
import { lagoon, picture, tiles } from './pictures.js';
import { t } from './words.js';

const { section, below, part, framed } = textbook(t);

function pieces() {
  const one = (/** @type {import('../pieces.js').Piece} */ piece, /** @type {string} */ count) =>
    el('span', { class: 'piece' }, pieceIcon(piece, 'red'), el('b', {}, count));
  return framed(el('div', { class: 'pieces' }, one('huts', '20'), one('temples', '3'), one('towers', '2')), 'p_pieces');
}

/** How the editions differ. */
function editions() {
  const row = (/** @type {string} */ id, /** @type {string[]} */ cells) =>
    el('tr', {}, el('th', { scope: 'row' }, gameWords(`preset_${id}`)), ...cells.map((cell) => el('td', {}, cell)));
  const heads = [gameWords('edition'), t('tiles_2'), t('tiles_3'), t('tiles_4'), t('single_huts')];
  return el(
    'table',
    {},
    el('thead', {}, el('tr', {}, ...heads.map((head) => el('th', { scope: 'col' }, head)))),
    el(
      'tbody',
      {},
      row('ferti-2014', [t('n_48_or', { others: '24, 36' }), t('n_48_or', { others: '36' }), '48', t('huts_apart')]),
      row('ferti-2013', [t('n_24_or', { others: '48' }), t('n_36_or', { others: '48' }), '48', t('huts_apart')]),
      row('original-2006', ['48', '48', '48', t('huts_anywhere')]),
    ),
  );
}

/** @returns {Element} */
export default () =>
  el(
    'div',
    {},
    el('h1', {}, t('r_title')),
    el('p', { class: 'lead' }, t('r_lead')),
    section('r_things', ...part(['things_1', 'things_2', 'things_3'], tiles('p_tile', ['JL@0,0:0']), pieces())),
    section('r_turn', ...part(['turn_1', 'turn_2', 'turn_3'])),
    section('r_land', ...part(['land_1', 'land_2'], picture('p_extend'), picture('p_overlap'))),
    section(
      'r_eruption',
      ...part(['eruption_1', 'eruption_2'], picture('p_before'), picture('p_erupt')),
      ...part(['eruption_3', 'eruption_4'], picture('p_same'), picture('p_levels'), picture('p_whole'), picture('p_covers')),
    ),
    section('r_settlements', ...part(['settlement_1', 'settlement_2'], picture('p_settlement'))),
    section(
      'r_building',
      ...part(['building_1', 'building_2']),
      below('r_hut', ...part(['hut_1', 'hut_2'], picture('p_hut'), picture('p_near'))),
      below('r_expand', ...part(['expand_1', 'expand_2', 'expand_3'], picture('p_expand'))),
      below('r_temple', ...part(['temple_1'], picture('p_temple'), picture('p_small'))),
      below('r_tower', ...part(['tower_1'], picture('p_tower'), picture('p_low'))),
    ),
    section('r_out', ...part(['out_1', 'out_2'])),
    section('r_end', ...part(['end_1', 'end_2', 'end_3', 'end_4'])),
    section('r_editions', el('p', {}, t('editions_1')), editions()),
    section(
      'r_variants',
      below('r_teams', ...part(['teams_1', 'teams_2', 'teams_3'])),
      below('r_ranking', ...part(['ranking_1', 'ranking_2'])),
    ),
    section(
      'r_box',
      el('p', {}, t('box_1')),
      below('r_boats', ...part(['boats_1', 'boats_2', 'boats_3'], lagoon('p_boat'))),
      below('r_two_hex', ...part(['two_hex_1', 'two_hex_2', 'two_hex_3'], tiles('p_two_hex', ['2VL@0,0:0', '2JJ@-1,2:0']))),
      below('r_zone', ...part(['zone_1', 'zone_2'])),
      below('r_fifth', ...part(['fifth_1'])),
    ),
  );
