// Describes in words what the board shows: hexes, tiles, moves. For screen readers, the log and the buttons.

import { keyOf, region } from './hexes.js';
import { footprint, readBuild, readCell, readPlacement, readTurn, tileTerrains } from './notation.js';
import { compass, crushedWords, nearWords, partWords, whereWords } from './where.js';
import { nameOf } from '../../words.js';
import { t } from './words.js';

/** @typedef {import('../game.js').Message} Message */
/** @typedef {import('../game.js').Moment} Moment */
/** @typedef {import('./hexes.js').Key} Key */

/** @param {Message} state @returns {{[seat: string]: string}} */
export function coloursOf(state) {
  return Object.fromEntries(Object.entries(state.seats ?? {}).map(([seat, { colour }]) => [seat, colour ?? '']));
}

/** @param {string} tile */
export const tileWords = (tile) =>
  tileTerrains(tile)
    .map((letter) => t(`t_${letter}`))
    .join(' + ');

/** @param {Message} state @param {Key} key @param {(key: Key) => Set<Key> | undefined} lagoonAt @param {number} seat who is told, -1 for a watcher */
export function hexSentence(state, key, lagoonAt, seat) {
  const hexes = state.table?.hexes ?? {};
  const token = hexes[key];
  if (!token) return `${waterWords(state, lagoonAt(key))}, ${whereWords(state, [key], seat)}`;
  const cell = readCell(token);
  const parts = [t('level_n', { level: cell.level }), t(`t_${cell.terrain}`)];
  if (cell.facing >= 0) parts.push(t('facing', { direction: compass(cell.facing) }));
  if (cell.kind) {
    const what = cell.kind === 'h' ? t('n_huts', { n: cell.count }) : t(cell.kind === 't' ? 'a_temple' : 'a_tower');
    const size = region(key, (k) => hexes[k] !== undefined && readCell(hexes[k]).seat === cell.seat).size;
    parts.push(t('owned', { what, name: nameOf(state, cell.seat) }), t('town_n', { n: size }));
  }
  // what stands there says enough of its neighbours
  return `${parts.join(', ')}, ${cell.kind ? partWords(state, [key]) : whereWords(state, [key], seat)}`;
}

/** @param {Message} state @param {Set<Key> | undefined} lagoon */
function waterWords(state, lagoon) {
  if (!lagoon) return t('sea');
  for (const [key, seat] of Object.entries(state.table?.boats ?? {})) {
    if (lagoon.has(key)) return t('lagoon_boat', { name: nameOf(state, seat) });
  }
  return t('lagoon');
}

/** What a build is called in the palette. @param {import('./building.js').Choice} choice @param {Message} state */
export function choiceWords(choice, state) {
  if (choice.verb === 'expand') {
    return t('b_expand', { terrain: t(`t_${choice.terrain}`), hexes: t('n_hexes', { n: choice.spots.length }) });
  }
  const token = state.table?.hexes?.[choice.at];
  const cell = token ? readCell(token) : { terrain: 'L', level: 1 };
  return t(`b_${choice.verb}`, { terrain: t(`t_${cell.terrain}`), level: cell.level });
}

/** Where it is. @param {import('./building.js').Choice} choice @param {Message} state */
export function choiceWhere(choice, state) {
  const { turn } = state.table ?? {};
  // an expansion, a temple and a tower always lie beside an own settlement
  return choice.verb === 'hut' || choice.verb === 'boat' ? whereWords(state, choice.spots, turn?.seat ?? -1) : partWords(state, choice.spots);
}

/** What it costs. @param {import('./building.js').Choice} choice */
export const costWords = (choice) => (choice.cost ? t('n_huts', { n: choice.cost }) : t(`cost_${choice.verb}`));

/**
 * What happened, in one sentence; "" if it is no matter of the rules.
 * @param {Moment} moment @param {Message} before the state before it @param {string} name whose deed it is
 */
export function eventSentence({ event, state }, before, name) {
  if (event?.kind === 'move') return moveSentence(event, name, before, state);
  return event?.kind === 'undone' ? t('ev_undone', { name }) : '';
}

/** How somebody went out by a move of theirs; "" if it did not lead to that. @param {Message} event @param {string} name */
export const outSentence = (event, name) => (event.eliminated ? t('ev_eliminated', { name }) : '');

/** @param {Message} event @param {string} name @param {Message} before @param {Message} after */
function moveSentence(event, name, before, after) {
  const out = event.eliminated ? ` ${t('ev_eliminated', { name })}` : '';
  if (event.move === 'draw') return t('ev_draw', { name });
  const placement = readPlacement(event.move);
  if (placement) {
    const at = keyOf(placement.at);
    const level = readCell(after.table.hexes[at] ?? '1J').level;
    const where = whereWords(before, footprint(placement).map(keyOf));
    const how = { name, tile: tileWords(placement.tile), where, direction: compass(placement.k), level };
    return t(level > 1 ? 'ev_erupt' : 'ev_place', how) + crushedBy(placement, before, 'ev_crushed') + out;
  }
  const build = readBuild(event.move);
  if (!build) return '';
  const huts = hutsSet(before, after);
  return t(`ev_${build.verb}`, {
    name,
    where: build.verb === 'hut' ? whereWords(before, [build.at]) : partWords(before, [build.at]),
    terrain: build.terrain && t(`t_${build.terrain}`),
    ...(build.verb === 'expand' ? { n: huts } : {}),
  });
}

/** What a placement crushes, in words; "" for nothing. @param {import('./notation.js').Placement} placement @param {Message} before @param {string} key of the words */
function crushedBy(placement, before, key) {
  const what = crushedWords(before, footprint(placement).map(keyOf), -1);
  return what && t(key, { what });
}

/** What happened, under the name of who did it. @param {Moment} moment @param {Message} before the state before it */
export function caption({ event, state }, before) {
  if (event?.kind !== 'move') return '';
  const placement = readPlacement(event.move);
  const keys = placement ? footprint(placement).map(keyOf) : [];
  const how = placement && {
    tile: tileWords(placement.tile),
    where: whereWords(before, keys),
    level: readCell(state.table.hexes[keys[0]]).level,
  };
  const what = how
    ? t(how.level > 1 ? 'cap_erupt' : 'cap_place', how) + crushedBy(/** @type {any} */ (placement), before, 'cap_crushed')
    : planWords(event.move, before) + (event.move.startsWith('expand') ? t('cap_huts', { n: hutsSet(before, state) }) : '');
  return capital(what) + (event.eliminated ? ` ${t('ev_eliminated', { name: nameOf(before, event.seat) })}` : '');
}

/** @param {string} words */
const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);

/** A turn that may be played. @param {string[]} moves @param {Message} state before it */
export function turnWords(moves, state) {
  const [first, second] = moves.map((move) => planWords(move, state));
  return capital(second ? t('plan_both', { first, second }) : first);
}

/** @param {string} move @param {Message} state */
function planWords(move, state) {
  const placement = readPlacement(move);
  if (placement) {
    const where = nearWords(state, footprint(placement).map(keyOf), state.table?.turn?.seat ?? -1);
    const what = placement.tile[0] === '2' ? tileWords(placement.tile) : t('t_V'); // the other tile is the one in hand
    return t('plan_place', { what, where, direction: compass(placement.k) });
  }
  const build = readBuild(move);
  if (!build) return t('plan_draw');
  return t(`plan_${build.verb}`, { where: partWords(state, [build.at]), terrain: build.terrain && t(`t_${build.terrain}`) });
}

/** @param {Message} before @param {Message} after how many huts were set between the two */
function hutsSet(before, after) {
  return changedHexes(before, after).reduce((sum, key) => sum + readCell(after.table.hexes[key]).count, 0);
}

/** @param {Message} before @param {Message} after @returns {Key[]} */
export function changedHexes(before, after) {
  const old = before.table?.hexes ?? {};
  return Object.entries(after.table?.hexes ?? {})
    .filter(([key, token]) => old[key] !== token)
    .map(([key]) => key);
}

/** Who moved last, as far as a state alone tells. @param {Message} state @returns {number} a seat, or -1 */
function lastMover(state) {
  const { turn, last = {}, players = {} } = state.table ?? {};
  if (!turn) return -1;
  if (turn.step === 'build') return turn.seat;
  const seats = Object.keys(players).length;
  for (let back = 1; back < seats; back++) {
    const seat = (turn.seat - back + seats) % seats;
    if (last[seat] && players[seat].out === undefined && players[seat].done === undefined) return seat;
  }
  return -1;
}

/**
 * Everybody's latest turn as the board marks it, at one moment of the match.
 * @param {Moment[]} past the moments up to that one
 */
export function lastTurns(past) {
  const index = past.length - 1;
  const { state } = past[index];
  const colours = coloursOf(state);
  let newest = -1;
  for (let i = index; i >= 0 && newest < 0; i--)
    if (past[i].event?.kind === 'move' && past[i].event?.move !== 'draw') newest = past[i].event?.seat;
  if (newest < 0) newest = lastMover(state);
  return Object.entries(state.table?.last ?? {}).map(([seat, text]) => {
    const { placement, build } = readTurn(text);
    return {
      keys: placement ? footprint(placement).map(keyOf) : [],
      built: build ? newBuildings(past, Number(seat), build) : [],
      colour: colours[seat],
      newest: Number(seat) === newest,
    };
  });
}

/** @param {Moment[]} past @param {number} seat @param {import('./notation.js').Build} build @returns {Key[]} */
function newBuildings(past, seat, build) {
  if (build.verb === 'boat') return [];
  if (build.verb !== 'expand') return [build.at];
  for (let i = past.length - 1; i > 0; i--) {
    const { event } = past[i];
    if (event?.kind === 'move' && event.seat === seat && event.move === build.text)
      return changedHexes(past[i - 1].state, past[i].state);
  }
  return [];
}
