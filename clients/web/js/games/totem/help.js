// How to play, as the page's help shows it: what the printed rules say, and what this server rules because they leave it open
// or because their tables are lost.

import { el } from '../../dom.js';
import { spellName } from './describe.js';
import { SPELLS } from './notation.js';
import { spellIcon } from './pieces.js';
import { has, t } from './words.js';

/** Whose sentence it is: the text's, or a ruling of ours. @param {'T' | 'R'} source */
const tag = (source) => el('abbr', { class: `source is-${source}`, title: t(`source_${source}`) }, source);

/**
 * Keys of sentences, each with its source.
 * @param {[string, 'T' | 'R'][]} sentences @param {'ul' | 'ol'} [name] @param {(key: string) => string} [words]
 */
export const list = (sentences, name = 'ul', words = t) =>
  el(name, {}, ...sentences.map(([key, source]) => el('li', {}, words(key), ' ', tag(source))));

/** @type {{[spell: string]: 'T' | 'R'}} */
const SPELL_SOURCE = { G: 'T', B: 'T', T: 'T', I: 'T', A: 'T', F: 'T', M: 'R', P: 'R', H: 'R', L: 'R' };

/** Where the sentences come from. */
export const sources = () => [
  el('p', {}, t('help_source')),
  el('p', {}, tag('T'), ` ${t('source_T')}. `, tag('R'), ` ${t('source_R')}.`),
];

/** What each spell does. */
export const spellList = () =>
  el(
    'ul',
    { class: 'totem-help-spells' },
    ...SPELLS.map((spell) => el('li', {}, spellIcon(spell), el('span', {}, el('b', {}, spellName(spell)), `: ${t(`does_${spell}`)} `, tag(SPELL_SOURCE[spell])))),
  );

/** The names of spells that are called otherwise here. */
export const oldNames = () =>
  el(
    'details',
    {},
    el('summary', {}, t('old_names')),
    el('ul', {}, ...SPELLS.filter((spell) => has(`old_${spell}`)).map((spell) => el('li', {}, `${spellName(spell)}: ${t(`old_${spell}`)}`))),
  );

export const help = () => [
  ...sources(),
  el('h3', {}, t('help_aim')),
  list([
    ['help_aim_1', 'T'],
    ['help_aim_2', 'T'],
    ['help_aim_3', 'R'],
  ]),
  el('h3', {}, t('help_round')),
  list(
    [
      ['help_r1', 'T'],
      ['help_r2', 'T'],
      ['help_r3', 'T'],
      ['help_r4', 'T'],
      ['help_r5', 'T'],
      ['help_r6', 'R'],
      ['help_r7', 'T'],
      ['help_r8', 'T'],
    ],
    'ol',
  ),
  el('h3', {}, t('spells')),
  spellList(),
  oldNames(),
  list([
    ['help_s1', 'T'],
    ['help_s2', 'T'],
    ['help_s3', 'R'],
  ]),
  el('h3', {}, t('help_lost')),
  list([
    ['help_e1', 'T'],
    ['help_e2', 'R'],
    ['help_e3', 'T'],
    ['help_e4', 'R'],
  ]),
  el('h3', {}, t('help_keys')),
  el('ul', {}, ...['help_k1', 'help_k2', 'help_k3'].map((key) => el('li', {}, t(key)))),
];
