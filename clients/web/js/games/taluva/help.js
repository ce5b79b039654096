// How to play, as the page's help shows it.

import { el } from '../../dom.js';
import { t } from './words.js';

/** @param {string[]} keys @param {'ul' | 'ol'} [tag] */
const list = (keys, tag = 'ul') => el(tag, {}, ...keys.map((key) => el('li', {}, t(key))));

export const help = () => [
  el('h3', {}, t('help_turn')),
  list(['help_1', 'help_2', 'help_3'], 'ol'),
  el('h3', {}, t('help_builds')),
  list(['help_hut', 'help_expand', 'help_temple', 'help_tower']),
  el('h3', {}, t('help_end')),
  list(['help_win', 'help_count', 'help_out']),
  el('h3', {}, t('help_keys')),
  list(['help_k1', 'help_k2', 'help_k3', 'help_k4']),
];
