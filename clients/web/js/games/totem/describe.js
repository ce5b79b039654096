// Says in words what happens and what is seen: for the log, for screen readers, and beside the pictures.

import { listed, nameOf } from '../../words.js';
import { countOf, familyOf, readCommand, readEffect, readPuts, readHuts, hutsOf } from './notation.js';
import { actingNow, chipsOn, ledBy, peopleIn, revealPhase, seatOf, together } from './table.js';
import { has, t } from './words.js';

/** @typedef {import('../game.js').Message} Message */
/** @typedef {import('../game.js').Moment} Moment */

/** @param {string} family */
export const familyName = (family) => t(`family_${family}`);

/** @param {string} hut */
export const hutName = (hut) => t('hut_name', { family: familyName(familyOf(hut)), hut: hut[1] });

/** @param {string} spell */
export const spellName = (spell) => t(`spell_${spell}`);

/** What the rules of 1995 call a spell, as a sentence behind another; "" if they call it the same. @param {string} spell */
export const oldName = (spell) => (has(`old_${spell}`) ? `. ${t('old_name', { name: t(`old_${spell}`) })}` : '');

/** "2 young women and 1 girl" @param {string} people */
export const peopleWords = (people) =>
  people ? listed(Object.entries(countOf(people)).map(([kind, n]) => t(`kind_${kind}`, { n }))) : t('nobody');

/** The words for spells, such as "twins and health". @param {Iterable<string>} spells */
export const spellWords = (spells) => listed([...spells].map(spellName));

/** The phase that begins with uncovering now. @param {Message} state */
export const phaseName = (state) => (revealPhase(state) ? t(`phase_${revealPhase(state)}`) : '');

/** Whose turn it is for what. @param {Message} state @param {number} seat */
export function turnLine(state, seat) {
  const families = actingNow(state);
  if (!families.length) return '';
  const step = revealPhase(state) ? 'reveal' : state.table.step;
  const phase = phaseName(state);
  const mine = families.filter((family) => seatOf(state, family) === seat);
  if (mine.length) return t(`yours_${step}`, { family: listed(mine.map(familyName)), phase });
  const names = [...new Set(families.map((family) => nameOf(state, seatOf(state, family))))];
  return t(`turn_${step}`, { name: listed(names), phase });
}

/** Round, step and supply. @param {Message} state */
export function infoLine({ table }) {
  return table ? `${chapter({ table })} · ${t('supply_n', { n: table.supply ?? 0 })}` : '';
}

/** The part of the match that a state belongs to. @param {Message} state */
export function chapter({ table }) {
  const step = table && has(`step_${table.step}`) ? t(`step_${table.step}`) : '';
  return [table && t('round_n', { round: table.round ?? 1 }), step].filter(Boolean).join(' · ');
}

/** What a hut looks like. @param {Message} state @param {string} hut */
export function hutSentence(state, hut) {
  const parts = [hutName(hut), peopleWords(peopleIn(state, hut))];
  const chips = chipsOn(state, hut);
  const up = chips.filter((chip) => chip.up).map(({ spell, owner }) => t('chip_up', { spell: spellName(spell), family: familyName(owner) }));
  const known = chips.filter((chip) => !chip.up && chip.spell).map(({ spell, owner }) => t('chip_mine', { spell: spellName(spell), family: familyName(owner) }));
  const hidden = chips.filter((chip) => !chip.up && !chip.spell);
  const owners = [...new Set(hidden.map(({ owner }) => owner))];
  parts.push(...up, ...known);
  for (const owner of owners)
    parts.push(t('chip_down', { n: hidden.filter((chip) => chip.owner === owner).length, family: familyName(owner) }));
  return parts.join(', ');
}

/** The spells that were written down, with their huts. @param {string} list */
const putWords = (list) =>
  list === '-' ? t('nothing_laid') : listed(readPuts(list).map(({ spell, hut }) => t('spell_on', { spell: spellName(spell), hut: hutName(hut) })));

/** Who was written down, by hut: three lists. @param {string} family whose people they are @param {string[]} lists */
const namedWords = (family, lists) => {
  const huts = lists.flatMap((list, i) => (list === '-' ? [] : [`${hutName(`${family}${i + 1}`)}: ${peopleWords(list)}`]));
  return huts.length ? huts.join('; ') : t('nobody');
};

/** What a family has written that is not read yet. @param {Message} state @param {string} note */
export const noteWords = ({ table }, note) =>
  table.step === 'write' ? putWords(note) : namedWords(table.hungry[0].family, note.split(','));

/** What happened; "" if the page says it itself. @param {Moment} moment @param {Message} _before @param {string} name */
export function eventSentence({ event }, _before, name) {
  if (!event) return '';
  const effects = effectSentences(event.effects ?? []);
  if (event.kind === 'move') return [commandSentence(event.move, name), ...effects].filter(Boolean).join(' ');
  if (event.kind === 'undone') return t('ev_note_back', { name });
  const own = has(`ev_${event.kind}`) && effects.length ? t(`ev_${event.kind}`, { name }) : '';
  return own ? [own, ...effects].join(' ') : '';
}

/** @param {string} text @param {string} name */
export function commandSentence(text, name) {
  const command = readCommand(text);
  if (!command) return '';
  const { verb, rest } = command;
  const family = familyName(command.family);
  switch (verb) {
    case 'settle': {
      const huts = readHuts(command.family, rest);
      const parts = hutsOf(command.family).map((hut) => `${hut[1]}: ${peopleWords(huts[hut])}`);
      return t('did_settle', { name, family, huts: parts.join('; ') });
    }
    case 'choose': {
      if (rest !== '-' && rest[0] !== '*') return t('did_choose_known', { name, family, spells: spellWords(rest) });
      const n = rest[0] === '*' ? Number(rest.slice(1)) : 0;
      return n ? t('did_choose', { name, family, n }) : t('did_choose_none', { name, family });
    }
    case 'cast': {
      const hut = hutName(rest.slice(2));
      return rest[0] === '?' ? t('did_cast', { name, family, hut }) : t('did_cast_known', { name, family, hut, spell: spellName(rest[0]) });
    }
    case 'pass':
      return t('did_pass', { name, family });
    case 'write':
      return rest === '*' ? t('did_write', { name, family }) : t('did_write_known', { name, family, what: putWords(rest) });
    case 'reveal':
      return rest === '-' ? t('did_reveal_none', { name, family }) : '';
    case 'starve':
      return '';
    default: {
      const people = rest.slice(2);
      const from = familyName(rest[0]);
      if (people === '*') return t('did_note', { name, family, from });
      return t('did_take', { name, family, from, people: namedWords(rest[0], people.split('/')) });
    }
  }
}

/** Effects that everybody wants to know of, whosever they are. */
const OF_ALL = ['build', 'mourn', 'fall', 'new', 'bird', 'out', 'age'];

/**
 * What has come of a seat's last move and of all others since, as far as it concerns the seat.
 * @param {Moment[]} past @param {number} seat @param {string[]} own families that the seat leads @returns {string[]}
 */
export function sinceWords(past, seat, own) {
  const last = past.findLastIndex(({ event }) => event?.kind === 'move' && event.seat === seat);
  const effects = last < 0 ? [] : past.slice(last).flatMap(({ event }) => event?.effects ?? []);
  const concerns = (/** @type {string} */ word) => {
    const { what = '', who = '', value = '' } = readEffect(word) ?? {};
    const strikes = what === 'show' && own.some((family) => value.includes(`:${family}`));
    return OF_ALL.includes(what) || own.includes(familyOf(who)) || strikes;
  };
  return effectSentences(effects.filter(concerns));
}

/** Effects of the same kind that follow each other are told in one sentence. @param {string[]} words @returns {string[]} */
export function effectSentences(words) {
  /** @type {{what: string, list: import('./notation.js').Effect[]}[]} */
  const groups = [];
  for (const word of words) {
    const effect = readEffect(word);
    if (!effect) continue;
    const last = groups.at(-1);
    if (last?.what === effect.what) last.list.push(effect);
    else groups.push({ what: effect.what, list: [effect] });
  }
  return groups.map(({ what, list }) => groupSentence(what, list)).filter(Boolean);
}

/** @param {string} what @param {import('./notation.js').Effect[]} list */
function groupSentence(what, list) {
  const counted = (/** @type {import('./notation.js').Effect} */ { who, value }) => `${familyName(who)} ${value}`;
  const inHuts = (/** @type {import('./notation.js').Effect} */ { who, value }) => `${hutName(who)}: ${peopleWords(value)}`;
  const ofFamily = (/** @type {import('./notation.js').Effect} */ { who, value }) =>
    `${familyName(who)}: ${peopleWords(Object.values(readHuts(who, value)).join(''))}`;
  const spellsOf = (/** @type {import('./notation.js').Effect} */ { who, value }) =>
    readPuts(value)
      .map(({ spell, hut }) =>
        spell === '?'
          ? t('lies_hidden', { family: familyName(who), hut: hutName(hut) })
          : t('lies', { family: familyName(who), spell: spellName(spell), hut: hutName(hut) }),
      )
      .join('; ');
  const families = listed(list.map(({ who }) => familyName(who)));
  switch (what) {
    case 'born':
    case 'ill':
      return t(`fx_${what}`, { list: list.map(inHuts).join('; ') });
    case 'gone':
    case 'took':
      return t(`fx_${what}`, { list: list.map(ofFamily).join('; ') });
    case 'burn':
    case 'catch':
    case 'eat':
    case 'spill':
    case 'lack':
    case 'bird':
    case 'build':
    case 'mourn':
      return t(`fx_${what}`, { list: listed(list.map(counted)) });
    case 'put':
    case 'show':
      return t(`fx_${what}`, { list: list.map(spellsOf).join('; ') });
    case 'new':
      return t('fx_new', { list: list.map(({ who, value }) => `${familyName(who)}: ${peopleWords(value)}`).join('; ') });
    case 'fall':
    case 'out':
      return t(`fx_${what}`, { list: families });
    case 'round':
      return t('fx_round', { round: list[0].who, family: familyName(list[0].value) });
    case 'age':
      return t('fx_age');
    default:
      return '';
  }
}

/** Who is waited for, beside the visitor's own families. @param {Message} state @param {number} seat */
export function waitingFor(state, seat) {
  const own = ledBy(state, seat);
  const others = actingNow(state).filter((family) => !own.includes(family));
  return together(state) && others.length ? listed(others.map(familyName)) : '';
}
