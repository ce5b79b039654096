// All the rules on one page, in short sentences with pictures. Those that the table's help has too are the same; each says whose it is.

import { el } from '../../../dom.js';
import { textbook } from '../../../learning.js';
import { list, oldNames, sources, spellList } from '../help.js';
import { t as gameWords } from '../words.js';
import { forBird, kinds, older, opposites, picture } from './pictures.js';
import { has, t } from './words.js';

const { section, below, figures } = textbook(t);

/** @param {[string, 'T' | 'R'][]} sentences of this page, or of the table's help */
const told = (...sentences) => list(sentences, 'ul', (key) => (has(key) ? t(key) : gameWords(key)));

/** A phase of the round, 1 to 8. @param {number} n @param {...Node} parts */
const phase = (n, ...parts) => below(`r_phase_${n}`, ...parts);

/** @returns {Element} */
export default () =>
  el(
    'div',
    {},
    el('h1', {}, t('r_title')),
    el('p', { class: 'lead' }, t('r_lead')),
    ...sources(),
    section(
      'r_aim',
      told(['help_aim_1', 'T'], ['end_1', 'T'], ['help_aim_3', 'R']),
      figures(picture('p_family'), picture('p_win')),
    ),
    section('r_people', told(['people_1', 'T'], ['people_2', 'T']), figures(kinds('p_kinds'))),
    section(
      'r_round',
      phase(1, told(['help_r1', 'T'], ['settle_2', 'R']), figures(picture('p_settled'), picture('p_crowd'))),
      phase(2, told(['help_r2', 'T'], ['magic_2', 'T'], ['magic_3', 'T']), figures(picture('p_hidden'))),
      phase(3, told(['help_r3', 'T'], ['births_2', 'T'], ['births_3', 'R']), figures(picture('p_twins'), picture('p_phase'))),
      phase(4, told(['help_r4', 'T'], ['catch_2', 'R']), figures(forBird('p_catch', 'bmmMM'))),
      phase(5, told(['help_r5', 'T']), figures(forBird('p_meal', 'gbwMe'), picture('p_starved'), picture('p_spared'))),
      phase(6, told(['help_r6', 'R'])),
      phase(7, told(['help_r7', 'T']), figures(older('p_older'), picture('p_elder'))),
      phase(8, told(['help_r8', 'T'], ['totems_2', 'T'])),
    ),
    section(
      'r_spells',
      told(['help_s1', 'T']),
      spellList(),
      oldNames(),
      told(['help_s2', 'T'], ['help_s3', 'R']),
      figures(opposites('p_opposites')),
    ),
    section(
      'r_lost',
      told(['help_e1', 'T'], ['help_e2', 'R'], ['help_e3', 'T'], ['help_e4', 'R']),
    ),
    section('r_fewer', told(['help_aim_2', 'T'], ['fewer_2', 'R'])),
    section(
      'r_variants',
      told(['variant_spells_a', 'T'], ['variant_spells_b', 'T'], ['variant_meals_a', 'T'], ['variant_meals_b', 'T'], ['variant_village', 'R'], ['variant_totem_a', 'T'], ['variant_totem_b', 'R']),
      figures(picture('p_written')),
    ),
  );
