// What the village shows of a state: families and huts as they stand. What is being chosen the view adds.

import { familyName } from './describe.js';
import { actingNow, chipsOn, peopleIn, peopleOfFamily, seatOf } from './table.js';
import { nameOf } from '../../words.js';
import { t } from './words.js';

/** @typedef {import('../game.js').Message} Message */
/** @typedef {{[place: string]: string}} Badges what has changed in huts and enclosures */

/** @param {Message} state @param {string} family @param {Badges} badges @returns {import('./village.js').Household} */
export function householdOf(state, family, badges) {
  const { pieces = 0, birds = 0, out = false } = state.table.families[family];
  const n = peopleOfFamily(state, family).length;
  return {
    title: t('quarter', { family: familyName(family), name: nameOf(state, seatOf(state, family)), n }),
    short: t('quarter_short', { family: familyName(family), n }),
    pieces,
    birds,
    out,
    won: state.result?.families?.includes(family) ?? false,
    acts: actingNow(state).includes(family),
    away: null,
    badge: badges[family] ?? '',
  };
}

/** @param {Message} state @param {string} hut @param {Badges} badges @param {number} seat who looks on @returns {import('./village.js').Home} */
export const homeOf = (state, hut, badges, seat) => ({
  people: peopleIn(state, hut),
  chosen: '',
  chips: chipsOn(state, hut, seat),
  badge: badges[hut] ?? '',
  look: '',
  label: '',
});
