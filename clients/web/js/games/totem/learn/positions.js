// The positions of the lessons as the server would tell them to the learner, and what comes of each right command. Made by the rules
// core from tests/vectors/totemlessons.txt: tests/browser/lib/totemlessons.mjs writes this file, and a test holds it against the core.
// The fields are described in course.js.

/** @type {{[id: string]: import('./course.js').Position}} */
export const POSITIONS = {
  settle: {
    table: { round: 1, first: 'G', step: 'settle', acting: ['R'], supply: 12, families: { R: { seat: 0, pieces: 1, birds: 6 }, G: { seat: 1, pieces: 1, birds: 6 }, B: { seat: 2, pieces: 1, birds: 6 }, Y: { seat: 3, pieces: 1, birds: 6 } }, huts: { R1: { people: 'wwmmWMe' }, R2: {}, R3: {}, G1: { people: 'wwm' }, G2: { people: 'mW' }, G3: { people: 'Me' }, B1: { people: 'wmW' }, B2: { people: 'wmM' }, B3: { people: 'e' }, Y1: { people: 'wm' }, Y2: { people: 'wmW' }, Y3: { people: 'Me' } } },
    asked: { R: { kind: 'settle', people: 'wwmmWMe', stay: 7 } },
    right: {
      'settle@R=-/e/wwmmWM': { effects: [], patch: { step: 'choose', acting: ['G', 'B', 'Y', 'R'], huts: { R1: { people: null }, R2: { people: 'e' }, R3: { people: 'wwmmWM' } } } },
    },
  },
  choose: {
    table: { round: 3, first: 'G', step: 'choose', acting: ['R'], supply: 26, families: { R: { seat: 0, pieces: 2, birds: 1 }, G: { seat: 1, pieces: 2, birds: 3, chosen: 2 }, B: { seat: 2, pieces: 1, birds: 4, chosen: 1 }, Y: { seat: 3, pieces: 3, birds: 2, chosen: 3 } }, huts: { R1: { people: 'wwm' }, R2: { people: 'mWM' }, R3: { people: 'wme' }, G1: { people: 'wwm' }, G2: { people: 'WMe' }, G3: { people: 'wm' }, B1: { people: 'wmW' }, B2: { people: 'wmM' }, B3: { people: 'e' }, Y1: { people: 'wm' }, Y2: { people: 'wmW' }, Y3: { people: 'Me' } } },
    asked: { R: { kind: 'choose', spells: 'GBTIAFMPHL', most: 3, free: 2 } },
    right: {
      'choose@R=TL': { effects: [], patch: { step: 'cast', acting: ['G', 'B', 'Y', 'R'], families: { R: { chosen: 2 } }, mine: { R: { hand: 'TL' } } } },
    },
  },
  cast: {
    table: { round: 3, first: 'G', step: 'cast', acting: ['R'], supply: 23, families: { R: { seat: 0, pieces: 2, birds: 4, chosen: 1 }, G: { seat: 1, pieces: 2, birds: 3 }, B: { seat: 2, pieces: 1, birds: 4 }, Y: { seat: 3, pieces: 3, birds: 2 } }, huts: { R1: { people: 'wwW' }, R2: { people: 'wmM', down: { G: 1 } }, R3: { people: 'wmWe', down: { R: 1, Y: 1 } }, G1: { people: 'wwm', down: { G: 1 } }, G2: { people: 'WMe' }, G3: { people: 'wm' }, B1: { people: 'wmW' }, B2: { people: 'wmM' }, B3: { people: 'e' }, Y1: { people: 'wm', down: { B: 1 } }, Y2: { people: 'wmW', down: { Y: 1 } }, Y3: { people: 'Me', down: { Y: 1 } } }, mine: { R: { hand: 'T', down: { L: 'R3' } } } },
    asked: { R: { kind: 'cast', spells: 'T', huts: ['R1', 'R2', 'R3', 'G1', 'G2', 'G3', 'B1', 'B2', 'B3', 'Y1', 'Y2', 'Y3'], free: 1 } },
    right: {
      'cast@R=T:R3': { effects: [], patch: { step: 'reveal3', acting: ['G', 'B', 'Y', 'R'], families: { R: { chosen: null } }, huts: { R3: { down: { R: 2 } } }, mine: { R: { hand: null, down: { T: 'R3' } } } } },
    },
  },
  reveal: {
    table: { round: 3, first: 'G', step: 'reveal3', acting: ['R'], supply: 23, families: { R: { seat: 0, pieces: 2, birds: 4 }, G: { seat: 1, pieces: 2, birds: 3 }, B: { seat: 2, pieces: 1, birds: 4 }, Y: { seat: 3, pieces: 3, birds: 2 } }, huts: { R1: { people: 'wwW' }, R2: { people: 'wmM', down: { G: 1 } }, R3: { people: 'wmWe', down: { R: 2, Y: 1 } }, G1: { people: 'wwm', up: { G: 'G' } }, G2: { people: 'WMe' }, G3: { people: 'wm' }, B1: { people: 'wmW' }, B2: { people: 'wmM' }, B3: { people: 'e' }, Y1: { people: 'wm', down: { B: 1 } }, Y2: { people: 'wmW', up: { T: 'Y' } }, Y3: { people: 'Me', down: { Y: 1 } } }, mine: { R: { down: { T: 'R3', L: 'R3' } } } },
    asked: { R: { kind: 'reveal', spells: 'T' } },
    right: {
      'reveal@R=T': { effects: ['show@R=T:R3', 'born@R2=b', 'born@R3=ggbb', 'born@G1=gg', 'born@G2=g', 'born@G3=b', 'born@B1=gb', 'born@B2=b', 'born@Y1=g', 'born@Y2=gggg'], patch: { step: 'reveal4', acting: ['G', 'B', 'Y', 'R'], huts: { R2: { people: 'bwmM' }, R3: { people: 'ggbbwmWe', down: { R: 1 }, up: { T: 'R' } }, G1: { people: 'ggwwm' }, G2: { people: 'gWMe' }, G3: { people: 'bwm' }, B1: { people: 'gbwmW' }, B2: { people: 'bwmM' }, Y1: { people: 'gwm' }, Y2: { people: 'ggggwmW' } }, mine: { R: { down: { T: null } } } } },
    },
  },
  starve: {
    table: { round: 3, first: 'G', step: 'starve', acting: ['R'], hungry: [{ family: 'R', count: 2 }], supply: 27, families: { R: { seat: 0, pieces: 2, birds: 0 }, G: { seat: 1, pieces: 2, birds: 3 }, B: { seat: 2, pieces: 1, birds: 4 }, Y: { seat: 3, pieces: 3, birds: 2 } }, huts: { R1: { people: 'gbwM' }, R2: { people: 'gWe', down: { G: 1 } }, R3: { people: 'b' }, G1: { people: 'wwm' }, G2: { people: 'WMe' }, G3: { people: 'wm' }, B1: { people: 'wmW' }, B2: { people: 'wmM' }, B3: { people: 'e' }, Y1: { people: 'wm', down: { B: 1 } }, Y2: { people: 'wmW' }, Y3: { people: 'Me', down: { Y: 1 } } } },
    asked: { R: { kind: 'starve', from: 'R', people: { R1: 'gbwM', R2: 'gW', R3: 'b' }, count: 2 } },
    right: {
      'starve@R=-/W/b': { effects: ['gone@R=-/W/b'], patch: { step: 'reveal6', acting: ['G', 'B', 'Y'], hungry: null, huts: { R2: { people: 'ge' }, R3: { people: null } } } },
      'starve@R=-/g/b': { effects: ['gone@R=-/g/b'], patch: { step: 'reveal6', acting: ['G', 'B', 'Y'], hungry: null, huts: { R2: { people: 'We' }, R3: { people: null } } } },
      'starve@R=-/gW/-': { effects: ['gone@R=-/gW/-'], patch: { step: 'reveal6', acting: ['G', 'B', 'Y'], hungry: null, huts: { R2: { people: 'e' } } } },
      'starve@R=w/-/b': { effects: ['gone@R=w/-/b'], patch: { step: 'reveal6', acting: ['G', 'B', 'Y'], hungry: null, huts: { R1: { people: 'gbM' }, R3: { people: null } } } },
      'starve@R=w/g/-': { effects: ['gone@R=w/g/-'], patch: { step: 'reveal6', acting: ['G', 'B', 'Y'], hungry: null, huts: { R1: { people: 'gbM' }, R2: { people: 'We' } } } },
      'starve@R=b/-/b': { effects: ['gone@R=b/-/b'], patch: { step: 'reveal6', acting: ['G', 'B', 'Y'], hungry: null, huts: { R1: { people: 'gwM' }, R3: { people: null } } } },
      'starve@R=b/W/-': { effects: ['gone@R=b/W/-'], patch: { step: 'reveal6', acting: ['G', 'B', 'Y'], hungry: null, huts: { R1: { people: 'gwM' }, R2: { people: 'ge' } } } },
      'starve@R=b/g/-': { effects: ['gone@R=b/g/-'], patch: { step: 'reveal6', acting: ['G', 'B', 'Y'], hungry: null, huts: { R1: { people: 'gwM' }, R2: { people: 'We' } } } },
      'starve@R=bw/-/-': { effects: ['gone@R=bw/-/-'], patch: { step: 'reveal6', acting: ['G', 'B', 'Y'], hungry: null, huts: { R1: { people: 'gM' } } } },
      'starve@R=g/-/b': { effects: ['gone@R=g/-/b'], patch: { step: 'reveal6', acting: ['G', 'B', 'Y'], hungry: null, huts: { R1: { people: 'bwM' }, R3: { people: null } } } },
      'starve@R=g/W/-': { effects: ['gone@R=g/W/-'], patch: { step: 'reveal6', acting: ['G', 'B', 'Y'], hungry: null, huts: { R1: { people: 'bwM' }, R2: { people: 'ge' } } } },
      'starve@R=g/g/-': { effects: ['gone@R=g/g/-'], patch: { step: 'reveal6', acting: ['G', 'B', 'Y'], hungry: null, huts: { R1: { people: 'bwM' }, R2: { people: 'We' } } } },
      'starve@R=gw/-/-': { effects: ['gone@R=gw/-/-'], patch: { step: 'reveal6', acting: ['G', 'B', 'Y'], hungry: null, huts: { R1: { people: 'bM' } } } },
      'starve@R=gb/-/-': { effects: ['gone@R=gb/-/-'], patch: { step: 'reveal6', acting: ['G', 'B', 'Y'], hungry: null, huts: { R1: { people: 'wM' } } } },
    },
  },
  elders: {
    table: { round: 4, first: 'G', step: 'reveal7', acting: ['R'], supply: 25, families: { R: { seat: 0, pieces: 3, birds: 2 }, G: { seat: 1, pieces: 2, birds: 3 }, B: { seat: 2, pieces: 1, birds: 4 }, Y: { seat: 3, pieces: 3, birds: 2 } }, huts: { R1: { people: 'wme', down: { R: 1 } }, R2: { people: 'wwm' }, R3: { people: 'wwmm' }, G1: { people: 'wwmm' }, G2: { people: 'WMe' }, G3: { people: 'wm' }, B1: { people: 'wmW', down: { R: 1 } }, B2: { people: 'wmM', down: { G: 1 } }, B3: { people: 'e' }, Y1: { people: 'wm' }, Y2: { people: 'wmW' }, Y3: { people: 'Me', up: { L: 'Y' } } }, mine: { R: { down: { M: 'B1', L: 'R1' } } } },
    asked: { R: { kind: 'reveal', spells: 'L' } },
    right: {
      'reveal@R=L': { effects: ['show@R=L:R1', 'age', 'build@R=4', 'build@G=3', 'round@5=B'], patch: { round: 5, first: 'B', step: 'settle', acting: ['B', 'Y', 'R', 'G'], families: { R: { pieces: 4 }, G: { pieces: 3 } }, huts: { R1: { people: 'WMe', down: null }, R2: { people: 'WWM' }, R3: { people: 'WWMM' }, G1: { people: 'WWMM' }, G2: { people: 'ee' }, G3: { people: 'WM' }, B1: { people: 'WMe', down: null }, B2: { people: 'WMe', down: null }, B3: { people: null }, Y1: { people: 'WM' }, Y2: { people: 'WMe' }, Y3: { people: 'ee', up: null } }, mine: null } },
    },
  },
  write: {
    table: { round: 3, first: 'G', step: 'write', acting: ['R'], supply: 27, families: { R: { seat: 0, pieces: 1, birds: 0 }, G: { seat: 1, pieces: 2, birds: 3, written: true }, B: { seat: 2, pieces: 1, birds: 4, written: true }, Y: { seat: 3, pieces: 3, birds: 2, written: true } }, huts: { R1: { people: 'wwm' }, R2: { people: 'WMe' }, R3: { people: 'wm' }, G1: { people: 'wwmWM' }, G2: { people: 'wWWe' }, G3: { people: 'wmm' }, B1: { people: 'wmW' }, B2: { people: 'wmM' }, B3: { people: 'e' }, Y1: { people: 'wm' }, Y2: { people: 'wmW' }, Y3: { people: 'Me' } } },
    asked: { R: { kind: 'write', spells: 'GBTIAFMPHL', most: 1, free: 1, huts: ['R1', 'R2', 'R3', 'G1', 'G2', 'G3', 'B1', 'B2', 'B3', 'Y1', 'Y2', 'Y3'] } },
    right: {
      'write@R=I:G1': { effects: ['put@G=?:G1', 'put@B=?:Y2', 'put@Y=?:R1,?:Y2', 'put@R=I:G1'], patch: { step: 'reveal3', acting: ['G', 'B', 'Y', 'R'], families: { G: { written: null }, B: { written: null }, Y: { written: null } }, huts: { R1: { down: { Y: 1 } }, G1: { down: { R: 1, G: 1 } }, Y2: { down: { B: 1, Y: 1 } } }, mine: { R: { down: { I: 'G1' } } } } },
    },
  },
  win: {
    table: { round: 9, first: 'G', step: 'reveal6', acting: ['R'], supply: 25, families: { R: { seat: 0, pieces: 5, birds: 3 }, G: { seat: 1, pieces: 4, birds: 2 }, B: { seat: 2, pieces: 3, birds: 4 }, Y: { seat: 3, pieces: 3, birds: 2 } }, huts: { R1: { people: 'wwmM' }, R2: { people: 'wmWe' }, R3: { people: 'ww' }, G1: { people: 'wwwmmmM', down: { R: 1 } }, G2: { people: 'We' }, G3: { people: 'wm' }, B1: { people: 'wwwmm' }, B2: { people: 'wmmW' }, B3: { people: 'wmMe' }, Y1: { people: 'wm' }, Y2: { people: 'wmW' }, Y3: { people: 'Me' } }, mine: { R: { down: { P: 'G1' } } } },
    asked: { R: { kind: 'reveal', spells: 'P' } },
    right: {
      'reveal@R=P': { effects: ['show@R=P:G1', 'ill@G1=wm', 'age', 'build@B=4', 'build@R=6', 'over@totem=R'], patch: { step: 'over', acting: null, families: { R: { pieces: 6 }, B: { pieces: 4 } }, huts: { R1: { people: 'WWMe' }, R2: { people: 'WMe' }, R3: { people: 'WW' }, G1: { people: 'WWMMe', down: null }, G2: { people: 'e' }, G3: { people: 'WM' }, B1: { people: 'WWWMM' }, B2: { people: 'WMMe' }, B3: { people: 'WMe' }, Y1: { people: 'WM' }, Y2: { people: 'WMe' }, Y3: { people: 'e' } }, mine: null } },
    },
  },
};
