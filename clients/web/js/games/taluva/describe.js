// Says in words what the board shows: hexes, tiles, moves, events. For screen readers, the log and the buttons.

import { keyOf, region } from './hexes.js';
import { footprint, hexWords, readBuild, readCell, readPlacement, readTurn, tileTerrains } from './notation.js';
import { has, t } from './words.js';

/** @typedef {import('../../wire.js').Message} Message */
/** @typedef {import('../../room.js').Moment} Moment */
/** @typedef {import('./hexes.js').Key} Key */

export const PIECES = /** @type {const} */ (['temples', 'towers', 'boats', 'huts']); // in the order of the tie-break
/** What every player starts with. */
export const BOX = { huts: 20, towers: 2, temples: 3, boats: 2 };

/** @param {Message} state @param {number | string} seat */
export function nameOf(state, seat) {
  return state.seats?.[seat]?.name ?? t('seat_n', { seat: Number(seat) + 1 });
}

/** @param {Message} state @returns {{[seat: string]: string}} */
export function coloursOf(state) {
  return Object.fromEntries(Object.entries(state.seats ?? {}).map(([seat, { colour }]) => [seat, colour ?? '']));
}

/** @param {string} tile */
export const tileWords = (tile) =>
  tileTerrains(tile)
    .map((letter) => t(`t_${letter}`))
    .join(' + ');

/** @param {number} direction */
export const compass = (direction) => t(`d_${((direction % 6) + 6) % 6}`);

/** @param {Message} state @param {Key} key @param {(key: Key) => Set<Key> | undefined} lagoonAt */
export function hexSentence(state, key, lagoonAt) {
  const hexes = state.table?.hexes ?? {};
  const token = hexes[key];
  if (!token) return `${waterWords(state, lagoonAt(key))}, ${hexWords(key)}`;
  const cell = readCell(token);
  const parts = [t('level_n', { level: cell.level }), t(`t_${cell.terrain}`)];
  if (cell.facing >= 0) parts.push(t('facing', { direction: compass(cell.facing) }));
  if (cell.kind) {
    const what = cell.kind === 'h' ? t('n_huts', { n: cell.count }) : t(cell.kind === 't' ? 'a_temple' : 'a_tower');
    const size = region(key, (k) => hexes[k] !== undefined && readCell(hexes[k]).seat === cell.seat).size;
    parts.push(t('owned', { what, name: nameOf(state, cell.seat) }), t('town_n', { n: size }));
  }
  return `${parts.join(', ')}, ${hexWords(key)}`;
}

/** @param {Message} state @param {Set<Key> | undefined} lagoon */
function waterWords(state, lagoon) {
  if (!lagoon) return t('sea');
  for (const [key, seat] of Object.entries(state.table?.boats ?? {})) {
    if (lagoon.has(key)) return t('lagoon_boat', { name: nameOf(state, seat) });
  }
  return t('lagoon');
}

/** What a build is called in the palette. @param {import('./building.js').Choice} choice */
export function choiceWords(choice) {
  if (choice.verb === 'expand') {
    return t('b_expand', { terrain: t(`t_${choice.terrain}`), hexes: t('n_hexes', { n: choice.spots.length }) });
  }
  return t(`b_${choice.verb}`);
}

/** What it costs. @param {import('./building.js').Choice} choice */
export const costWords = (choice) => (choice.cost ? t('n_huts', { n: choice.cost }) : t(`cost_${choice.verb}`));

/** What happened, in one sentence; "" if it is nothing to tell. @param {Moment} moment @param {Message} before the state before it */
export function momentSentence(moment, before) {
  const { event, state } = moment;
  if (!event) return '';
  const name =
    event.seat === undefined ? '' : (event.name ?? nameOf(event.kind === 'stood' ? before : state, event.seat));
  const over = event.over ? ` ${overSentence(state)}` : '';
  if (event.kind === 'move') return moveSentence(event, name, before, state) + over;
  if (event.kind === 'offered' || event.kind === 'withdrew')
    return t(`ev_${event.kind}`, { name, what: t(`offer_${event.what}`) }) + over;
  if (event.kind === 'readied') return event.ready === false ? t('ev_unready', { name }) : t('ev_readied', { name });
  return (has(`ev_${event.kind}`) ? t(`ev_${event.kind}`, { name }) : '') + over;
}

/** @param {Message} event @param {string} name @param {Message} before @param {Message} after */
function moveSentence(event, name, before, after) {
  const out = event.eliminated ? ` ${t('ev_eliminated', { name })}` : '';
  if (event.move === 'draw') return t('ev_draw', { name });
  const placement = readPlacement(event.move);
  if (placement) {
    const at = keyOf(placement.at);
    const level = readCell(after.table.hexes[at] ?? '1J').level;
    const how = { name, tile: tileWords(placement.tile), at: hexWords(at), direction: compass(placement.k), level };
    return t(level > 1 ? 'ev_erupt' : 'ev_place', how) + out;
  }
  const build = readBuild(event.move);
  if (!build) return '';
  const huts = hutsSet(before, after);
  return t(`ev_${build.verb}`, {
    name,
    at: hexWords(build.at),
    terrain: build.terrain && t(`t_${build.terrain}`),
    ...(build.verb === 'expand' ? { n: huts } : {}),
  });
}

/** @param {Message} before @param {Message} after how many huts were set between the two */
function hutsSet(before, after) {
  return changedHexes(before, after).reduce((sum, key) => sum + readCell(after.table.hexes[key]).count, 0);
}

/** @param {Message} before @param {Message} after @returns {Key[]} */
function changedHexes(before, after) {
  const old = before.table?.hexes ?? {};
  return Object.entries(after.table?.hexes ?? {})
    .filter(([key, token]) => old[key] !== token)
    .map(([key]) => key);
}

/** The seats that have won: in team games the result names teams. @param {Message} state @returns {string[]} */
export function winnersOf(state) {
  const named = Object.keys(state.result?.winners ?? {});
  return state.options.teams ? named.flatMap((team) => [team, String(Number(team) + 2)]) : named;
}

/** Who won and why. @param {Message} state */
export function overSentence(state) {
  return state.result ? `${winnersSentence(state)} ${t(`why_${state.result.why}`)}` : '';
}

/** Who has won. @param {Message} state */
export function winnersSentence(state) {
  const winners = winnersOf(state).map((seat) => nameOf(state, seat));
  if (!winners.length) return t('nobody_wins');
  const names = new Intl.ListFormat(document.documentElement.lang).format(winners);
  return t('wins', { n: winners.length, names });
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
 * @param {Moment[]} past @param {number} index
 */
export function lastTurns(past, index) {
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
      built: build ? newBuildings(past, index, Number(seat), build) : [],
      colour: colours[seat],
      newest: Number(seat) === newest,
    };
  });
}

/** @param {Moment[]} past @param {number} index @param {number} seat @param {import('./notation.js').Build} build @returns {Key[]} */
function newBuildings(past, index, seat, build) {
  if (build.verb === 'boat') return [];
  if (build.verb !== 'expand') return [build.at];
  for (let i = index; i > 0; i--) {
    const { event } = past[i];
    if (event?.kind === 'move' && event.seat === seat && event.move === build.text)
      return changedHexes(past[i - 1].state, past[i].state);
  }
  return [];
}

/** The kinds of pieces that are played. @param {Message} state */
export const piecesOf = (state) => PIECES.filter((piece) => piece !== 'boats' || state.options?.boats);

/** What some seats have placed together. @param {Message} state @param {string[]} seats @returns {{[piece: string]: number}} */
export function builtBy(state, seats) {
  const players = state.table?.players ?? {};
  const placed = (/** @type {keyof typeof BOX} */ piece) =>
    seats.reduce((sum, seat) => sum + BOX[piece] - (players[seat]?.[piece] ?? BOX[piece]), 0);
  return Object.fromEntries(piecesOf(state).map((piece) => [piece, placed(piece)]));
}

/**
 * The standing by the tie-break's order: temples, towers, boats, huts placed. Equal counts share a rank; whoever is
 * out comes last. It says what lies before everybody; who wins is the server's to say.
 * @param {Message} state @returns {{seats: string[], built: {[piece: string]: number}, out: boolean, rank: number}[]}
 */
export function standing(state) {
  const players = state.table?.players ?? {};
  const sides = state.options?.teams
    ? ['0 2', '1 3'].map((side) => side.split(' '))
    : Object.keys(players).map((seat) => [seat]);
  const rows = sides.map((seats) => {
    const inPlay = seats.filter((seat) => players[seat]?.out === undefined);
    return { seats, built: builtBy(state, inPlay), out: inPlay.length === 0, rank: 0 };
  });
  /** @param {typeof rows[0]} a @param {typeof rows[0]} b */
  const compare = (a, b) =>
    Number(a.out) - Number(b.out) ||
    piecesOf(state)
      .map((piece) => b.built[piece] - a.built[piece])
      .find((difference) => difference !== 0) ||
    0;
  rows.sort(compare);
  rows.forEach((row, i) => {
    row.rank = i > 0 && compare(rows[i - 1], row) === 0 ? rows[i - 1].rank : i + 1;
  });
  return rows;
}
