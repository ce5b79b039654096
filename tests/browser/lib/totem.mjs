// Positions of Totem as a server would tell them, for tests of the page: a table is made of a position in the notation of the rules
// (options, round, step, families, spells, notes), so that a test can say in one line what is to be seen. What is asked is given by the scene.

const FAMILIES = ['R', 'G', 'B', 'Y'];
const NAMES = ['Ana', 'Bo', 'Cy', 'Di'];
const COLOURS = ['red', 'green', 'blue', 'yellow'];

/** @param {string} list */
const people = (list) => (list === '-' ? '' : list);

/** The options of a position's first word. @param {string} word */
function optionsOf(word) {
  const [players, first, rounds, ...flags] = word.split('/');
  const has = (flag) => flags.includes(flag);
  return {
    players: Number(players),
    first,
    rounds: Number(rounds),
    village: has('village'),
    spells: has('spells-a') ? 'A' : has('spells-b') ? 'B' : 'turns',
    meals: has('meals-a') ? 'A' : has('meals-b') ? 'B' : 'owner',
    totem_a: has('totem-a'),
    totem_b: has('totem-b'),
  };
}

/** The seat that leads a family. @param {number} players @param {string} family */
const seatOf = (players, family) => (players === 2 ? FAMILIES.indexOf(family) % 2 : FAMILIES.indexOf(family));

/**
 * A room's state in a position, as a seat sees it.
 * @param {string} position with everything in it @param {number | 'server'} [seat] -1: a watcher; "server": who knows everything
 */
export function stateOf(position, seat = 0) {
  const [word, round, step, families, spells, notes] = position.split(' ');
  const options = optionsOf(word);
  const { players } = options;
  const letters = FAMILIES.filter((family) => players !== 3 || family !== 'Y');
  const [name, acting = '', hungry = ''] = step.split(':');
  const table = {
    round: Number.parseInt(round, 10),
    first: round.at(-1),
    step: name,
    supply: 36,
    families: {},
    huts: {},
  };
  if (name !== 'over') table.acting = [...acting];
  if (hungry && name !== 'over')
    table.hungry = hungry.split(',').map((one) => ({ family: one[0], count: Number(one.slice(1)) }));
  letters.forEach((family, i) => {
    const [, pieces, birds, barred, lists] = /^t(\d)b(\d+)(x?):(.*)$/.exec(families.split('/')[i]) ?? [];
    const leader = seatOf(players, family);
    table.families[family] = pieces
      ? { seat: leader, pieces: Number(pieces), birds: Number(birds), ...(barred ? { barred: true } : {}) }
      : { seat: leader, pieces: 0, birds: 0, out: true };
    table.supply -= Number(birds ?? 0);
    (lists ?? '-,-,-').split(',').forEach((list, n) => {
      table.huts[`${family}${n + 1}`] = people(list) ? { people: people(list) } : {};
    });
  });
  letters.forEach((family, i) => laySpells(table, family, spells.split('/')[i], notes.split('/')[i], seat));
  const seats = Object.fromEntries(
    Array.from({ length: players }, (_, i) => [i, { name: NAMES[i], colour: COLOURS[i], ready: true }]),
  );
  const now = table.step === 'write' || (table.step === 'take' && options.meals === 'B') ? table.acting : table.acting?.slice(0, 1);
  return {
    game: 'totem',
    phase: name === 'over' ? 'over' : 'playing',
    access: 'open',
    title: '',
    options,
    seats,
    clock: { kind: 'none' },
    ...(now ? { acting: [...new Set(now.map((family) => table.families[family].seat))].sort() } : {}),
    table,
  };
}

/** @param {any} table @param {string} family @param {string} list @param {string} note @param {number | 'server'} seat */
function laySpells(table, family, list, note, seat) {
  const own = seat === 'server' || table.families[family].seat === seat;
  const mine = { hand: '', down: {} };
  for (const spell of list === '-' ? [] : list.split(',')) {
    const [letter, where] = spell.split(':');
    if (!where) {
      table.families[family].chosen = (table.families[family].chosen ?? 0) + 1;
      mine.hand += letter;
    } else if (where.endsWith('!')) {
      const hut = table.huts[where.slice(0, 2)];
      hut.up = { ...hut.up, [letter]: (hut.up?.[letter] ?? '') + family };
    } else {
      const hut = table.huts[where];
      hut.down = { ...hut.down, [family]: (hut.down?.[family] ?? 0) + 1 };
      mine.down[letter] = where;
    }
  }
  if (note !== '-') table.families[family].written = true;
  const told = {
    ...(mine.hand ? { hand: mine.hand } : {}),
    ...(Object.keys(mine.down).length ? { down: mine.down } : {}),
    ...(note.startsWith('+') ? { note: note.slice(1) } : {}),
  };
  if (own && Object.keys(told).length) table.mine = { ...table.mine, [family]: told };
}

const START = '4/R/24 1R settle:RGBY t1b6:wwmmWMe,-,-/t1b6:wwmmWMe,-,-/t1b6:wwmmWMe,-,-/t1b6:wwmmWMe,-,- -/-/-/- -/-/-/-';
const LATE =
  '4/R/24 5G settle:RBYG t4b5:wwmmm,WWMee,wwwmmWM/t2b3:wmW,Me,wmm/t5b0:wwmmW,MMee,wwwm/t3b4:wwm,WMe,wmm -/-/-/- -/-/-/-';
const CAST =
  '4/R/24 3G cast:RBY t3b5:wwmm,WMe,wmW/t2b4:wwm,WMe,wm/t3b2:wmm,WMe,wwm/t1b5:wm,WM,wme T:R1,H:G1,A,G/P:R2,I:B1/F:R1,M:Y2,B/L:Y1,T:R3 -/-/-/-';
const REVEAL =
  '4/R/24 3G reveal3:RBY t3b5:wwmm,WMe,wmW/t2b4x:wwm,WMe,wm/t3b2:wmm,WMe,wwm/t1b5:wm,WM,wme T:R1,H:G1,A:R3,G:B2/P:R2,I:B1!/F:R1,M:Y2,B:G2!/L:Y1,T:R3 -/-/-/-';
const STARVE =
  '4/R/24 4G starve:RB:R3,B1 t3b0:ggbwwmm,bWMe,ggwmW/t2b4:wwm,WMe,wm/t3b0:bwmm,WMe,wwm/t1b5:wm,WM,wme -/-/-/- -/-/-/-';
const TAKE = STARVE.replace('4/R/24', '4/R/24/meals-b').replace('starve:RB:R3,B1', 'take:GBYR:B2,G1');
const WRITE = LATE.replace('4/R/24', '2/R/24/spells-b').replace('settle:RBYG', 'write:GRYB');
const OVER =
  '4/R/24 8G over:totem:R t6b4:wwmm,WMe,wmW/t2b4x:wwm,WMe,wm/t5b2:wmm,WMe,wwm/t3b5:wm,WM,wme -/-/-/- -/-/-/-';

const ALL = 'GBTIAFMPHL';
/** @param {string} letters */
const hutsOf = (letters) => [...letters].flatMap((family) => [1, 2, 3].map((n) => `${family}${n}`));

/** @param {string} position @param {any} asked @param {number} [seat] @param {any} [more] */
const scene = (position, asked, seat = 0, more = {}) => () => ({
  state: { ...stateOf(position, seat), ...more },
  seat,
  moves: { moves: [], asked },
  online: { 0: true, 1: true, 2: true, 3: false },
});

const isObject = (/** @type {any} */ value) => value !== null && typeof value === 'object' && !Array.isArray(value);

/** The patch that leads from one state to another. @param {any} before @param {any} after @returns {any} */
function patchOf(before, after) {
  const patch = {};
  for (const key of Object.keys(before)) if (!(key in after)) patch[key] = null;
  for (const [key, value] of Object.entries(after)) {
    if (JSON.stringify(before[key]) === JSON.stringify(value)) continue;
    patch[key] = isObject(value) && isObject(before[key]) ? patchOf(before[key], value) : value;
  }
  return patch;
}

const RESULT = { why: 'totem', winners: { 0: true }, ranks: { 0: 1, 2: 2, 3: 3, 1: 4 }, families: ['R'] };
const WRITTEN = WRITE.replace('2/R/24', '4/R/24').replace('write:GRYB', 'write:Y').replace(/-\/-\/-\/-$/, '+T:R1,H:G2/+-/+M:Y3/-');
const TAKEN = TAKE.replace('take:GBYR', 'take:BYR').replace(/-\/-\/-\/-$/, '-/+b,-,w/-/-');

/** A match that is over, event by event: what each saw of it. @param {number | 'server'} seat */
function matchAs(seat) {
  const known = (/** @type {string} */ family) => seat === 'server' || 'RGBY'.indexOf(family) === seat;
  /** @type {[any, any][]} */
  const steps = [
    [{ kind: 'started', seat: 0 }, stateOf(CAST.replace('cast:RBY', 'cast:GRBY').replace('I:B1', 'I'), seat)],
    [{ kind: 'move', seat: 1, move: `cast@G=${known('G') ? 'I' : '?'}:B1`, effects: [] }, stateOf(CAST, seat)],
    [{ kind: 'move', seat: 3, move: 'pass@Y', effects: [] }, stateOf(REVEAL, seat)],
    [{ kind: 'move', seat: 2, move: `write@B=${known('B') ? 'M:Y3' : '*'}`, effects: [] }, stateOf(WRITTEN, seat)],
    [{ kind: 'move', seat: 1, move: `take@G=B:${known('G') ? 'b/-/w' : '*'}`, effects: [] }, stateOf(TAKEN, seat)],
    [{ kind: 'move', seat: 0, move: 'reveal@R=-', effects: [], over: 'totem' }, { ...stateOf(OVER, seat), result: RESULT }],
  ];
  let before = {};
  return steps.map(([event, state], i) => {
    const patch = patchOf(before, state);
    before = state;
    return { push: 'event', room: 'k3m9x0aq', seq: 101 - steps.length + i, at: 1790000000000 + i, event, patch };
  });
}

/** @type {{[name: string]: () => any}} */
export const scenes = {
  start: scene(START, { R: { kind: 'settle', people: 'wwmmWMe', stay: 7 } }),
  settle: scene(LATE, { R: { kind: 'settle', people: 'wwmmmWWMeewwwmmWM', stay: 17 } }),
  crowd: scene(LATE.replace('wwwmmWM', 'wwwmmmmWM'), { R: { kind: 'settle', people: 'wwmmmWWMeewwwmmmmWM', stay: 18 } }),
  choose: scene(START.replace('settle', 'choose').replace('t1b6', 't2b1'), { R: { kind: 'choose', spells: ALL, most: 3, free: 2 } }),
  cast: scene(CAST, { R: { kind: 'cast', spells: 'GA', huts: hutsOf('RGBY') } }),
  write: scene(WRITE, {
    R: { kind: 'write', spells: ALL, most: 6, free: 4, huts: hutsOf('RGBY') },
    B: { kind: 'write', spells: ALL, most: 5, free: 5, huts: hutsOf('RGBY') },
  }),
  reveal: scene(REVEAL, { R: { kind: 'reveal', spells: 'GT' } }),
  starve: scene(STARVE, { R: { kind: 'starve', from: 'R', people: { R1: 'ggbwwmm', R2: 'bWM', R3: 'ggwmW' }, count: 3 } }),
  take: scene(TAKE, { G: { kind: 'take', from: 'B', people: { B1: 'bwmm', B2: 'WMe', B3: 'wwm' }, count: 2 } }, 1),
  wait: scene(REVEAL.replace('reveal3:RBY', 'reveal3:BYR'), {}),
  written: scene(WRITE.replace('write:GRYB', 'write:GY').replace(/-\/-\/-\/-$/, '+T:R1/-/+-/-'), {}),
  over: scene(OVER, {}, 0, { result: RESULT }),
  lookback: () => ({
    ...scene(OVER, {}, 0, { result: RESULT })(),
    past: (/** @type {number} */ have, /** @type {any} */ as) => matchAs(as === 'watcher' ? -1 : (as ?? 0)).filter(({ seq }) => seq > have),
  }),
};

export const ROOM = '#/r/k3m9x0aq';
