// Unit tests of the page's functions: patches, notation, geometry, projection, options of a new table.

import assert from 'node:assert/strict';
import { webcrypto } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import * as hexes from '../../clients/web/js/games/taluva/hexes.js';
import * as iso from '../../clients/web/js/games/taluva/iso.js';
import * as notation from '../../clients/web/js/games/taluva/notation.js';
import { merged } from '../../clients/web/js/patch.js';
import { VECTORS, readGames, stateAfter } from './lib/vectors.mjs';

import { Aside } from '../../clients/web/js/aside.js';
import { gatherAll, HELLO, STEPS } from '../../clients/web/js/export.js';
import { peopleOf } from '../../clients/web/js/played.js';
import { freeToken, guestsAt, keepGuests } from '../../clients/web/js/guests.js';
import { SharedRoom } from '../../clients/web/js/hotseat.js';
import { prefs } from '../../clients/web/js/prefs.js';
import { Room } from '../../clients/web/js/room.js';
import { Tips } from '../../clients/web/js/tips.js';
import * as wanted from '../../clients/web/js/wanted.js';
import { backOff, patiently, Refusal, Wire } from '../../clients/web/js/wire.js';

// What every browser has; Debian 12 has node 18, in which it is no global.
globalThis.crypto ??= /** @type {any} */ (webcrypto);

const games = readGames(VECTORS);

test('a copy of what is kept of one has in the page what it has in the terminal', () => {
  const source = readFileSync(new URL('../../protocol/src/export.c', import.meta.url), 'utf8');
  const steps = [...source.matchAll(/\{"(\w+)", (true|false)\}/g)].map(([, op, ofAccount]) => [op, ofAccount === 'true']);
  const hello = [...(/export_hello\[[^]*?\{([^}]*)\}/.exec(source)?.[1] ?? '').matchAll(/"(\w+)"/g)].map(([, name]) => name);
  assert.ok(steps.length > 8 && hello.length > 4);
  assert.deepEqual([STEPS, HELLO], [steps, hello]);
});

test('a copy has all pages of matches, and nothing that the server does not have', async () => {
  const asked = [];
  const games = Array.from({ length: 45 }, (_, at) => ({ room: `room${at}` }));
  const wire = {
    hello: { session: '01', name: 'Ana', account: { handle: 'ana' }, limits: {} },
    async askPatiently(op, fields) {
      asked.push([op, fields]);
      if (op === 'passkeys') throw new Refusal({ code: 'passkeys_off', message: '' });
      const from = games.findIndex(({ room }) => room === fields.after) + 1;
      return op === 'games' ? { games: games.slice(from, from + 20), more: from < 40 } : { op };
    },
  };
  const all = await gatherAll(/** @type {any} */ (wire));
  assert.deepEqual(all.games, games);
  assert.deepEqual([all.passkeys, all.kept, all.name, all.limits], [undefined, { op: 'kept' }, 'Ana', undefined]);
  assert.deepEqual(asked.find(([op]) => op === 'profile')?.[1], { handle: 'ana' });
  const guest = await gatherAll(/** @type {any} */ ({ ...wire, hello: { session: '02' } }));
  assert.deepEqual(Object.keys(guest), ['session', 'devices', 'kept', 'kept_at_desk', 'games']);
});

test('merge patches are those of RFC 7396, appendix A', () => {
  const cases = [
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ a: 'b' }, ['c'], ['c']],
    [{ a: 'foo' }, null, null],
    [{ a: 'foo' }, 'bar', 'bar'],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ];
  for (const [target, patch, result] of cases) {
    const before = structuredClone(target);
    assert.deepEqual(merged(target, patch), result);
    assert.deepEqual(target, before, 'the old value is left alone');
  }
});

test('every word of every game is read and written back', () => {
  for (const game of games) {
    for (const turn of game.turns) {
      const placement = notation.readPlacement(turn.place);
      assert.ok(placement, turn.place);
      assert.equal(notation.placementOf(placement.tile, placement.at, placement.k).text, turn.place);
      if (turn.build !== 'none') assert.equal(notation.readBuild(turn.build)?.text, turn.build);
    }
  }
});

test('what is not in the notation is not read', () => {
  for (const word of ['', 'JC@1,1:6', 'JC@1:1', 'XX@0,0:0', '2LV@0,0:0', 'JC@0,0:0 ']) {
    assert.equal(notation.readPlacement(word), null, word);
  }
  for (const word of ['', 'hut@', 'expand@0,0=V', 'castle@0,0', 'none'])
    assert.equal(notation.readBuild(word), null, word);
  for (const word of ['', 'J', '1X', '1J:h1']) assert.throws(() => notation.readCell(word), word);
});

test('a tile whose halves are alike is the same after half a turn', () => {
  for (const tile of ['2VV', '2JJ']) {
    for (let k = 0; k < 6; k++) {
      const { text, at } = notation.placementOf(tile, { q: 2, r: -1 }, k);
      assert.match(text, /:[012]$/);
      const cover = notation.footprint(notation.placementOf(tile, { q: 2, r: -1 }, k)).map(hexes.keyOf);
      assert.ok(
        cover.includes('2,-1') && cover.includes(hexes.keyOf(hexes.step({ q: 2, r: -1 }, k))),
        `${text} ${at.q}`,
      );
    }
  }
});

test('volcanoes face as the rules say', () => {
  const facing = (tile, k) =>
    notation.placedCells(notation.placementOf(tile, { q: 0, r: 0 }, k), 1).map((cell) => cell.facing);
  assert.deepEqual(facing('JC', 4), [4, -1, -1]);
  assert.deepEqual(facing('2VL', 3), [3, -1]);
  assert.deepEqual(facing('2VV', 1), [1, 4]);
});

test('six turns of the view are none, and every point leads back to its hex', () => {
  for (let q = -4; q <= 4; q++) {
    for (let r = -4; r <= 4; r++) {
      assert.deepEqual(hexes.turned({ q, r }, 6), { q, r });
      for (let turn = 0; turn < 6; turn++) {
        const key = hexes.keyOf({ q, r });
        for (let level = 0; level < 5; level++) {
          const point = iso.pointOf({ q, r }, level, turn);
          const seen = iso.seenAt(point, turn, (other) => (other === key ? level : 0));
          assert.equal(hexes.keyOf(seen), key, `level ${level}, turn ${turn}`);
        }
      }
    }
  }
});

test('lagoons are the water that is enclosed', () => {
  const ring = new Set(hexes.neighbours('0,0'));
  const found = hexes.lagoons((key) => ring.has(key), [...ring]);
  assert.deepEqual(
    [...found].map(([name, water]) => [name, [...water]]),
    [['0,0', ['0,0']]],
  );
  ring.delete('1,0');
  assert.equal(hexes.lagoons((key) => ring.has(key), [...ring]).size, 0);
});

test('boats float where the games say that lagoons are', () => {
  let boats = 0;
  for (const game of games.filter(({ options }) => options.boats)) {
    game.turns.forEach((turn, i) => {
      if (!turn.build.startsWith('boat')) return;
      const land = stateAfter(game, i, true).table.hexes;
      const lagoons = hexes.lagoons((key) => key in land, Object.keys(land));
      assert.ok(lagoons.has(turn.build.slice('boat@'.length)), `${game.id} turn ${i + 1}`);
      boats++;
    });
  }
  assert.ok(boats > 0);
});

/** A wire whose answers are given beforehand; what was asked is kept. @param {any[]} answers */
function wireThatAnswers(answers) {
  const asked = [];
  return {
    asked,
    hello: {},
    ask: (op, fields) => {
      asked.push([op, fields]);
      const answer = answers.shift();
      return answer.code ? Promise.reject(new Refusal(answer)) : Promise.resolve(answer);
    },
  };
}

const ROOM = 'k3m9x0aq';

test('a record that comes in pieces is put together, whatever has to wait', async () => {
  const wire = wireThatAnswers([{ record: 'one\n', next: 4 }, { code: 'slow_down', message: '' }, { record: 'two\n', next: 8 }, { record: 'three\n' }]);
  const record = await new Room(/** @type {any} */ (wire), ROOM).record();
  assert.equal(record, 'one\ntwo\nthree\n');
  const haves = wire.asked.map(([op, { have }]) => [op, have]);
  assert.deepEqual(haves, [['record', undefined], ['record', 4], ['record', 4], ['record', 8]]);
});

test('whoever is told when to come again comes then, but within a minute', async (t) => {
  // No mock.timers: what enables them differs between the versions of node.
  const waits = t.mock.method(globalThis, 'setTimeout', () => 0).mock;
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  for (const [asked_ms, waited_ms] of [[50, 50], [20_000, 20_000], [600_000, 60_000]]) {
    const wire = wireThatAnswers([{ code: 'slow_down', message: '', retry_ms: asked_ms }, { record: 'one\n' }]);
    const record = new Room(/** @type {any} */ (wire), ROOM).record();
    await turn();
    assert.equal(wire.asked.length, 1);
    const [goOn, ms] = waits.calls.at(-1).arguments;
    assert.equal(ms, waited_ms);
    goOn();
    assert.equal(await record, 'one\n');
    assert.equal(wire.asked.length, 2);
  }
  assert.equal(waits.calls.length, 3);
});

test('whoever is told to slow down sits down a moment later', async () => {
  const view = { room: ROOM, seq: 3, time: 0, you: { seat: 1 }, online: {} };
  const wire = wireThatAnswers([{ code: 'slow_down', message: '' }, view]);
  const room = new Room(/** @type {any} */ (wire), ROOM);
  await room.join({ seat: 1 });
  assert.equal(room.seat, 1);
  assert.deepEqual(wire.asked, Array(2).fill(['join', { room: ROOM, seat: 1, have: 0 }]));
  const refusing = wireThatAnswers([{ code: 'seat_taken', message: '' }]);
  await assert.rejects(new Room(/** @type {any} */ (refusing), ROOM).join(), { code: 'seat_taken' });
});

test('whoever is told that the server is busy waits for the analysis, and is told of anything else', async () => {
  const analysis = { turns: [] };
  const wire = wireThatAnswers([{ code: 'busy', message: '' }, { analysis }, { code: 'not_over', message: '' }]);
  const room = new Room(/** @type {any} */ (wire), ROOM);
  assert.deepEqual(await room.askPatiently('analysis', () => ({})), { analysis });
  assert.equal(wire.asked.length, 2);
  await assert.rejects(room.askPatiently('analysis', () => ({})), { code: 'not_over' });
});

test('patience has an end where it is bounded: no pause begins that would be too long', async () => {
  const again = (retry_ms) => ({ code: 'slow_down', message: '', retry_ms });
  /** @param {any[]} answers */
  const patient = (answers) => {
    const { asked, ask } = wireThatAnswers(answers);
    return { asked, done: patiently(() => ask('notify', {}), { mostMs: 10 }) };
  };
  const granted = patient([again(4), again(6), { devices: [] }]);
  assert.deepEqual(await granted.done, { devices: [] });
  const given = patient([again(4), again(7), { devices: [] }]);
  await assert.rejects(given.done, { code: 'slow_down' });
  assert.equal(given.asked.length, 2);
  const long = patient([again(11), { devices: [] }]);
  await assert.rejects(long.done, { code: 'slow_down' });
  assert.equal(long.asked.length, 1);
});

/** Of this visit alone. */
function asideInMemory(text = '') {
  return new Aside(
    () => text,
    (written) => {
      text = written;
    },
  );
}

/** A connection over a WebSocket that is none; `greet` answers its next hello. @param {{token?: () => string, keepToken?: (token: string) => void}} [keeper] */
function falseWire(keeper = {}) {
  const sockets = [];
  globalThis.window = /** @type {any} */ ({ setTimeout: () => 0 });
  globalThis.WebSocket = /** @type {any} */ (class {
    constructor() {
      sockets.push(this);
      this.sent = [];
    }
    send(text) {
      this.sent.push(JSON.parse(text));
    }
    close() {}
  });
  const wire = new Wire('ws://x', { token: () => '', keepToken: () => undefined, aside: asideInMemory(), name: () => '', client: () => 'a test', ...keeper });
  const answer = (answered) => {
    const socket = sockets.at(-1);
    socket.onopen();
    wire.receive({ id: socket.sent[0].id, ...answered });
  };
  const answerHello = (answered) => {
    wire.connect();
    answer(answered);
  };
  const end = () => {
    delete globalThis.window;
    delete globalThis.WebSocket;
  };
  return { wire, sockets, answer, answerHello, end };
}

test('a token of another tab outlasts the refusal of the one before', () => {
  let kept = 'old';
  const { wire, sockets, answer, end } = falseWire({ token: () => kept, keepToken: (token) => (kept = token) });
  const refusal = { error: { code: 'unknown_token', message: '' } };
  wire.connect();
  sockets.at(-1).onopen();
  kept = 'new'; // it has entered by a link, which is used up
  wire.receive({ id: sockets.at(-1).sent[0].id, ...refusal });
  assert.equal(kept, 'new');
  sockets.at(-1).onopen();
  assert.equal(sockets.at(-1).sent[0].token, 'new');
  wire.receive({ id: sockets.at(-1).sent[0].id, ...refusal });
  assert.equal(kept, '');
  answer({ ok: { time: 0, token: 'third' } });
  assert.equal(kept, 'third');
  end();
});

test('a server that has lost its store and gets it back knows everybody again', () => {
  let kept = 'mine';
  const { wire, answer, answerHello, sockets, end } = falseWire({ token: () => kept, keepToken: (token) => (kept = token) });
  const refusal = { error: { code: 'unknown_token', message: '' } };
  answerHello(refusal);
  assert.equal(kept, '');
  answer({ ok: { time: 0, token: 'meanwhile' } });
  assert.equal(kept, 'meanwhile');
  answerHello(refusal); // after the backup was restored
  sockets.at(-1).onopen();
  assert.equal(sockets.at(-1).sent[0].token, 'mine');
  wire.receive({ id: sockets.at(-1).sent[0].id, ok: { time: 0 } });
  assert.equal(kept, 'mine');
  assert.equal(wire.status, 'open');
  answerHello({ ok: { time: 0 } });
  assert.equal(kept, 'mine');
  answerHello(refusal);
  answer(refusal); // what was refused twice is tried again, once
  assert.equal(kept, '');
  end();
});

test('what the server did not know is kept aside for a while, the latest first', () => {
  const day = 86_400_000;
  let text = '';
  const make = () =>
    new Aside(
      () => text,
      (written) => (text = written),
    );
  assert.equal(make().refused('a', 0), '');
  assert.equal(make().refused('b', 0), 'a');
  assert.equal(make().refused('c', day), 'b');
  const aside = make();
  assert.equal(aside.refused('d', 2 * day), 'c');
  assert.deepEqual(aside.all(2 * day).map(({ token }) => token), ['d', 'c', 'b']);
  assert.equal(aside.refused('c', 2 * day), 'b');
  assert.equal(aside.refused('b', 2 * day), '');
  aside.known('c', 2 * day);
  assert.equal(aside.refused('e', 60 * day), 'd');
  assert.deepEqual(aside.all(60 * day).map(({ token }) => token), ['e', 'd'], 'b was kept for 60 days');
  for (const nonsense of ['{', '{}', '1', '[1]', '[{"token":""}]', '[{"token":"x"}]', '[null]']) {
    text = nonsense;
    assert.deepEqual(make().all(0), []);
  }
});

test('why the server does not let a page in is kept until it does, and it comes again when the server says', () => {
  const { wire, sockets, answerHello, end } = falseWire();
  for (const [code, retry_ms, leastMs] of [['draining', undefined, 250], ['part_away', 20_000, 20_000], ['full', undefined, 30_000]]) {
    const began = Date.now();
    answerHello({ error: { code, message: '', retry_ms } });
    assert.equal(wire.status, 'waiting');
    assert.equal(wire.refusal, code);
    assert.ok(wire.retryAt >= began + leastMs && wire.retryAt <= Date.now() + 2 * leastMs, code);
  }
  wire.connect();
  sockets.at(-1).onclose({ code: 1006 });
  assert.equal(wire.refusal, '');
  answerHello({ error: { code: 'full', message: '' } });
  answerHello({ ok: { time: 0 } });
  assert.equal(wire.status, 'open');
  assert.equal(wire.refusal, '');
  end();
});

test("a visitor's clock that is set while the page is open is made up for by the next answer", () => {
  const { wire, sockets, answerHello, end } = falseWire();
  const machine = Date.now;
  let due = () => {};
  globalThis.window.setTimeout = /** @type {any} */ ((run) => ((due = run), 0));
  const isRight = () => Math.abs(wire.now() - machine() - 5000) < 1000;
  answerHello({ ok: { time: machine() + 5000 } });
  assert.ok(isRight());
  Date.now = () => machine() + 3_600_000;
  assert.ok(!isRight());
  wire.wake();
  due();
  const { id, op } = sockets.at(-1).sent.at(-1);
  assert.equal(op, 'ping');
  wire.receive({ id, ok: { time: machine() + 5000 } });
  assert.ok(isRight());
  Date.now = machine;
  end();
});

test('a server that is away is tried again soon, and later seldom', () => {
  const pauses = (awayMs) => [0, 2, 3, 4, 9].map((tries) => backOff(tries, awayMs));
  assert.deepEqual([pauses(59_999), pauses(60_000)], [[500, 2000, 4000, 4000, 4000], [500, 2000, 4000, 8000, 30_000]]);
});

test('who plays at this device is remembered for the latest tables', () => {
  const bo = { name: 'Bo', token: 'b' };
  const chi = { name: 'Chi', token: 'c' };
  keepGuests('first', [bo, chi]);
  assert.deepEqual(guestsAt('first'), [bo, chi]);
  assert.deepEqual(guestsAt('second'), []);
  keepGuests('aside', [{ ...bo, aside: '[]' }]);
  assert.deepEqual(guestsAt('aside'), [{ ...bo, aside: '[]' }]);
  keepGuests('aside', []);
  assert.equal(freeToken([]), 'b', 'a session that there is already');
  assert.equal(freeToken([{ name: '', token: 'b' }]), 'c', 'and that does not sit there');
  assert.equal(freeToken([bo, chi]), '');
  for (let i = 0; i < 25; i++) keepGuests(`table ${i}`, [{ name: 'Di', token: '' }]);
  assert.deepEqual(guestsAt('first'), []);
  assert.equal(guestsAt('table 24').length, 1);
  for (let i = 0; i < 25; i++) keepGuests(`table ${i}`, []);
  assert.equal(prefs.guests, '');
  for (const nonsense of ['{', '[]', '{"a":1}', '[null]', '[{"room":"first"}]', '[{"room":"first","guests":[{"name":1}]}]']) {
    prefs.guests = nonsense;
    assert.deepEqual(guestsAt('first'), [], nonsense);
  }
  prefs.guests = '';
});

/** A room of two at one device, on seats 0 and 1, whose second person asks `ask`. @param {(op: string) => Promise<any>} ask */
function roomOfTwo(ask) {
  const room = new SharedRoom(/** @type {any} */ ({ hello: {}, now: () => 0 }), 'k3m9x0aq');
  room.you = { seat: 0 };
  const bo = new Room(/** @type {any} */ ({ hello: {}, ask }), 'k3m9x0aq');
  bo.you = { seat: 1 };
  room.guests = /** @type {any} */ ([bo]);
  /** Both are told of an event. @param {number} seq @param {any} patch @param {Room[]} whom */
  const tell = (seq, patch, whom = [room, bo]) => {
    for (const told of whom) told.apply({ push: 'event', seq, at: 0, event: { kind: 'move' }, patch: { seats: { 0: {}, 1: {} }, ...patch } });
  };
  return { room, bo, tell };
}

test('whoever is to move is at the device, and asks in their own name', async () => {
  const asked = [];
  const { room, bo, tell } = roomOfTwo(async (op) => {
    asked.push(op);
    return { seq: 3 };
  });
  tell(1, { phase: 'playing', acting: [1] });
  assert.equal(room.seat, 1);
  assert.equal(room.own, 0);
  assert.deepEqual(room.seatsHere, [0, 1]);
  tell(2, { acting: [2] });
  assert.equal(room.seat, 1, 'still there while somebody elsewhere is to move');
  let answered = false;
  const move = room.ask('move', { move: 'hut@0,1' }).then(() => (answered = true));
  tell(3, { acting: [0] }, [bo]);
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(asked, ['move']);
  assert.equal(answered, false, 'the table that is shown does not know of it yet');
  tell(3, { acting: [0] }, [room]);
  await move;
  assert.equal(room.seat, 0);
});

test('where something is hidden nobody is at the device between two people', () => {
  const { room, bo, tell } = roomOfTwo(async () => ({}));
  const both = (seq, patch) => {
    tell(seq, patch);
    room.settle();
  };
  both(1, { phase: 'playing', acting: [0, 1] });
  assert.equal(room.shown(true), null, 'nor at the beginning');
  assert.equal(room.due, 0);
  room.sit(0);
  assert.equal(room.shown(true), room);
  tell(2, { acting: [1] }, [room]);
  assert.equal(room.shown(true), room, 'not before all are told');
  tell(2, { acting: [1] }, [bo]);
  room.settle();
  assert.equal(room.shown(true), null);
  assert.equal(room.due, 1);
  room.sit(1);
  assert.equal(room.shown(true), bo);
  assert.equal(room.seat, 0, 'the visitor’s own table stays the visitor’s');
  both(3, { acting: [2] });
  assert.equal(room.shown(true), bo, 'while somebody elsewhere is to move');
  room.hide();
  assert.equal(room.shown(true), null);
  both(4, { phase: 'over', acting: null });
  assert.equal(room.shown(true), room, 'at the end nothing is hidden any more');
});

test('a tip is said for a whole choice, however often that is asked for, and never again', () => {
  const tips = new Tips('g', { now: (_state, { fits }) => fits, words: (name) => name.toUpperCase() });
  prefs.setTips('g', ['dot', 'hut']);
  const said = (fits) => tips.words({}, fits && { fits }, 0) || '';
  assert.deepEqual([said(['dot']), said(null), said(['dot']), said(['dot', 'hut'])], ['DOT', '', 'DOT', 'DOT']);
  assert.deepEqual([said(['hut']), said(['dot'])], ['HUT', ''], 'its moment is over');
  assert.deepEqual(prefs.tips('g'), []);
});

test('with whom somebody has played: each account once, by the newest match; no program, and not oneself', () => {
  const seats = (/** @type {any[]} */ ...all) => Object.fromEntries(all.map((one, at) => [at, one]));
  const games = [
    { seat: 1, game: 'totem', at: 5, seats: seats({ handle: 'bo' }, { handle: 'ana' }, { name: 'Mango', bot: true }) },
    { seat: 0, game: 'taluva', at: 4, seats: seats({ handle: 'ana' }, { handle: 'bo' }, { handle: 'chi-bot', bot: true }, { handle: 'dee' }, { name: 'Eve' }) },
  ];
  assert.deepEqual(peopleOf(games), [
    { handle: 'bo', game: 'totem', at: 5 },
    { handle: 'dee', game: 'taluva', at: 4 },
  ]);
});

test('what was looked for the last time is read again, whatever has become of it', () => {
  const usual = { games: [], sizes: [2], teams: false, clocks: ['normal'], range: 0, computers: false };
  for (const text of ['', 'null', '7', '{"sizes":', '[]', '{"sizes":"2","clocks":{},"range":"200","teams":1,"games":7,"computers":"yes"}', '{"sizes":[9],"clocks":["blitz"],"range":151,"games":["chess"]}'])
    assert.deepEqual(wanted.readChoice(text), usual, text);
  const chosen = { games: ['totem'], sizes: [2, 4], teams: true, clocks: ['normal', 'calm'], range: 200, computers: true };
  assert.deepEqual(wanted.readChoice(JSON.stringify(chosen)), chosen);
  assert.deepEqual(wanted.readChoice('{"sizes":[],"teams":true}').sizes, []);
});

test('what is looked for is what one of the games has, and a partner is for nothing else', () => {
  const usual = wanted.readChoice('');
  const said = (/** @type {string} */ game, /** @type {any} */ choice, partner = '') => wanted.requestOf(wanted.wantedOf(game, { ...usual, ...choice }, partner));
  assert.deepEqual(said('totem', {}), { game: 'totem', options: { sizes: [2], clocks: ['normal'] } });
  assert.deepEqual(said('totem', { games: ['totem', 'taluva'], sizes: [5, 2] }), { options: { games: ['totem', 'taluva'], sizes: [2, 5], clocks: ['normal'] } });
  assert.deepEqual(said('totem', { games: ['taluva'], sizes: [5] }), { game: 'taluva', options: { sizes: [5], clocks: ['normal'] } });
  assert.deepEqual(said('totem', { sizes: [5], teams: true }), { game: 'totem', options: { sizes: [2], clocks: ['normal'] } });
  assert.deepEqual(said('taluva', { games: ['totem'], sizes: [], teams: true }), { game: 'taluva', options: { clocks: ['normal'], teams: true } });
  assert.deepEqual(said('totem', { games: ['taluva'], teams: true }, 'bo-1'), { game: 'taluva', options: { clocks: ['normal'], teams: true }, handle: 'bo-1' });
  assert.deepEqual(said('taluva', {}, 'bo-1'), said('taluva', {}), 'nobody is named without teams');
  const more = { clocks: ['calm', 'fast'], range: 300, computers: true };
  assert.deepEqual(said('taluva', more).options, { sizes: [2], clocks: ['fast', 'calm'], range: 300 });
  assert.deepEqual(said('taluva', { ...more, sizes: [2, 3] }).options, { sizes: [2, 3], clocks: ['fast', 'calm'], range: 300, computers: true });
});

test('it is looked farther with each second, as far as one has said, and in the end anybody', () => {
  assert.deepEqual(wanted.reachOf([1662, 295], 0), [1367, 1957]);
  assert.deepEqual(wanted.reachOf([1662, 295], 10_999), [1267, 2057]);
  assert.deepEqual(wanted.reachOf([1662, 295], -5000), [1367, 1957], 'a clock that is behind');
  assert.deepEqual(wanted.reachOf([400, 325], 60_000), [0, 1325]);
  assert.deepEqual(wanted.reachOf([1500, 325], 89_999), [285, 2715]);
  assert.equal(wanted.reachOf([1500, 325], 90_000), undefined);
  assert.deepEqual(wanted.reachOf([1500, 325], 3000, 340), [1160, 1840]);
  assert.deepEqual(wanted.reachOf([1500, 325], 90_000, 340), [1160, 1840]);
});
