// What many connections that ask for all they may cost people who play: how long a move takes to be seen, quiet and meanwhile, in turns.
//
//     TALUVAD=build/server/taluvad TALUVA_LOAD=build/clients/load/taluva-load node tests/bench/attack.mjs [--seconds 10] [--rounds 3] [--only record,hint]
//         [--connections 800] [--addresses 2] [--disk]
//
// The server has a core and its limits by default; everybody else has the other, attackers with the least priority. Quiet and attack take turns, and of
// all rounds the median counts. The store is in memory, as what others write to a disk is waited for by every move; --disk has it in TMPDIR.
import {execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {setTimeout as pause} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';
import {Watch} from '../wire/lib/crowd.mjs';
import {Match} from '../wire/lib/match.mjs';
import {Server} from '../wire/lib/server.mjs';
import {player} from '../wire/lib/socket.mjs';

const {values} = parseArgs({options: {
  seconds: {type: 'string', default: '10'},
  rounds: {type: 'string', default: '3'},
  disk: {type: 'boolean'},
  connections: {type: 'string', default: '800'},
  addresses: {type: 'string', default: '2'},
  only: {type: 'string', default: 'record,past,rooms,watch,hint,say,toggle'},
  child: {type: 'string'},
}});
const [seconds, rounds, connections, addresses] = [values.seconds, values.rounds, values.connections, values.addresses].map(Number);
const SERVER_CORE = 0;
const DRIVER_CORE = 1;
const MARK = 2; // so many times the quiet p99
const SESSIONS = 200; // that an address may make at once
const REST_MS = 2000; // until what was asked is answered
const PACE_MS = 120; // as fast as the limits let a person play

/** The address of an attacker: none of those of honest people. */
const addressOf = (at) => ({localAddress: `127.0.1.${1 + (at % addresses)}`});

async function finished(port, how) {
  const match = await Match.start(port, {}, how);
  while (match.state.phase !== 'over') {
    await match.step();
    await pause(PACE_MS);
  }
  match.end();
  return match.room;
}

/** What each attacker asks again and again, after a first step of its own. */
const ATTACKS = {
  record: {op: (shared) => ['record', {room: shared.over}]},
  past: {op: (shared) => ['past', {room: shared.over, have: 0}]},
  watch: {op: (shared) => ['watch', {room: shared.over, have: 0}]},
  rooms: {op: () => ['rooms', {}]},
  hint: {own: true, op: (shared, own) => ['hint', {room: own}]},
  say: {op: (shared) => ['say', {room: shared.open, text: 'na '.repeat(60)}], watch: true},
  toggle: {op: (shared, own, turn) => ['ready', {room: shared.lobby, ready: turn % 2 === 0}]},
};

/** Lets attackers go on while the parent wants it, which says `go` and `rest`. */
const gate = {open: Promise.resolve(), rest() {
  this.open = new Promise((resolve) => (this.go = resolve));
}};

/** Asks as soon as it is answered; what is refused is asked again when that is said to be worth it. */
async function attackFrom(socket, name, shared) {
  const attack = ATTACKS[name];
  let own;
  if (attack.own) {
    own = (await socket.must('create', {options: {players: 2}}).catch(() => ({}))).room;
    for (const [op, fields] of [['join', {}], ['bot', {}], ['ready', {ready: true}], ['start', {}]])
      if (own) await socket.ask(op, {room: own, ...fields});
  }
  if (attack.watch) await socket.ask('watch', {room: shared.open});
  for (let turn = 0; ; turn++) {
    await gate.open;
    const reply = await socket.ask(...attack.op(shared, own, turn));
    socket.pushes = [];
    if (!reply.ok) await pause(Math.min(reply.error?.retry_ms ?? 50, 1000));
  }
}

/** As many connections as are wanted, with as many sessions as an address may make at once. */
async function attackers(port, name, shared) {
  const tokens = [];
  let connected = 0;
  gate.rest();
  for (let at = 0; at < connections; at++) {
    const [first, how] = [at % (SESSIONS * addresses), addressOf(at)];
    const socket = await player(port, `A${at}`, tokens[first] ? {...how, token: tokens[first]} : how).catch(() => undefined);
    if (!socket) continue; // refused: the server's good right
    tokens[first] ??= socket.token;
    attackFrom(socket, name, shared).catch(() => {}); // or closed
    connected++;
  }
  process.stdout.write(`${connected}\n`);
  for await (const word of createInterface({input: process.stdin})) gate[word]();
}

/** The times of turns of the loop: how many took how long at most, in ms. */
async function turnsOf(server) {
  const found = Object.entries(await server.metrics()).map(([name, count]) => [/loop_turn_seconds_bucket\{le="([^"]+)"/.exec(name)?.[1], count]);
  return found.filter(([bound]) => bound).map(([bound, count]) => [bound === '+Inf' ? Infinity : 1000 * Number(bound), count]);
}

/** The bound of the longest that came since. */
function longestSince(before, after) {
  let [longest, below] = [0, 0];
  for (const [at, [bound, count]] of after.entries()) {
    const within = count - before[at][1];
    if (within > below) longest = bound;
    below = within;
  }
  return longest;
}

/** People who play, and what the server's processor did meanwhile. */
async function honest(server) {
  const watch = new Watch(server.pid);
  const [processor, began, turns] = [watch.processor, performance.now(), await turnsOf(server)];
  const load = process.env.TALUVA_LOAD;
  const words = [load, '--server', `ws://127.0.0.1:${server.port}/ws`, '--rooms', '40', '--sources', '8', '--rate', '80', '--duration', String(seconds),
    '--warmup', '1', '--quiet', '--json'];
  const child = spawn('taskset', ['-c', String(DRIVER_CORE), ...words], {stdio: ['ignore', 'pipe', 'inherit']});
  let text = '';
  child.stdout.on('data', (bytes) => (text += bytes));
  await once(child, 'close');
  const {delivered_us, moves_per_s} = JSON.parse(text);
  const share = (1e5 * (watch.processor - processor)) / (performance.now() - began);
  return {moves_per_s, p50: delivered_us.p50 / 1000, p99: delivered_us.p99 / 1000, share, turn: longestSince(turns, await turnsOf(server))};
}

const median = (list) => list.sort((a, b) => a - b)[Math.floor((list.length - 1) / 2)];
const together = (measures) => Object.fromEntries(Object.keys(measures[0]).map((key) => [key, median(measures.map((measure) => measure[key]))]));

/** How the match goes on in which all watchers talk: nobody in it may be closed for what others say. */
async function playOn(match) {
  const began = performance.now();
  for (let moves = 0; moves < 4; moves++) await match.step();
  return `${match.players.filter(({raw}) => !raw.socket.destroyed).length} of ${match.players.length} players connected, ` +
    `four moves in ${(performance.now() - began).toFixed(0)} ms`;
}

/** A store in memory, as other programs' writing to the disk would be measured too. */
async function withStore(use) {
  const folder = values.disk ? undefined : mkdtempSync(join(process.env.TALUVA_TEST_MEMORY ?? '/dev/shm', 'taluva-attack-'));
  try {
    return await use(folder ? {data: join(folder, 'data')} : {});
  } finally {
    if (folder) rmSync(folder, {recursive: true});
  }
}

/** The crowd of one kind, connected and at rest. */
async function crowd(name, port, shared) {
  const child = spawn('chrt', ['--idle', '0', 'taskset', '-c', String(DRIVER_CORE), process.execPath, fileURLToPath(import.meta.url), '--child',
    JSON.stringify({port, name, shared}), '--connections', String(connections), '--addresses', String(addresses)],
  {stdio: ['pipe', 'pipe', 'inherit']});
  const [connected] = await once(child.stdout, 'data');
  return {child, connected: Number(connected), say: (word) => child.stdin.write(`${word}\n`)};
}

async function run(name, store) {
  const server = await Server.start([], {prefix: ['taskset', '-c', String(SERVER_CORE)], ...store});
  const away = {localAddress: '127.0.1.250'};
  const shared = {over: await finished(server.port, away)};
  const host = await player(server.port, 'Host', away);
  shared.lobby = (await host.must('create', {title: 'lobby'})).room;
  const open = await Match.start(server.port, {}, away);
  shared.open = open.room;
  const attacking = await crowd(name, server.port, shared);
  const [quiet, meanwhile] = [[], []];
  for (let round = 0; round < rounds; round++) {
    quiet.push(await honest(server));
    attacking.say('go');
    meanwhile.push(await honest(server));
    if (round < rounds - 1) attacking.say('rest');
    await pause(REST_MS);
  }
  const talked = name === 'say' && (await playOn(open));
  attacking.child.kill('SIGKILL');
  await server.stop();
  return {quiet: together(quiet), meanwhile: together(meanwhile), talked, connected: attacking.connected};
}

if (values.child) {
  const {port, name, shared} = JSON.parse(values.child);
  await attackers(port, name, shared);
} else {
  execFileSync('taskset', ['-c', String(DRIVER_CORE), 'true']);
  const cell = (value) => value.toFixed(2).padStart(9);
  const row = (name, within, {quiet, meanwhile, connected}) => console.log([name.padEnd(8), String(connected).padStart(9), cell(quiet.p50), cell(quiet.p99),
    cell(meanwhile.p50), cell(meanwhile.p99), cell(meanwhile.p99 / quiet.p99), (within ? 'yes' : 'no').padStart(7),
    `${quiet.turn.toFixed(1)}, ${meanwhile.turn.toFixed(1)}`.padStart(13), meanwhile.moves_per_s.toFixed(0).padStart(8), `${meanwhile.share.toFixed(0)} %`.padStart(9)].join(' '));
  const began = performance.now();
  console.log(`${connections} connections of ${addresses} addresses; ms from a move until it is seen, median of ${rounds} rounds; within: p99 at most ${MARK} times the quiet\n` +
    'attack   connected p50 quiet p99 quiet p50 attack p99 attack  ratio  within longest turn  moves/s processor');
  const missed = [];
  for (const name of values.only.split(',')) {
    const found = await withStore((store) => run(name, store));
    const within = found.meanwhile.p99 <= MARK * found.quiet.p99;
    row(name, within, found);
    if (found.talked) console.log(`         ${found.talked}`);
    if (!within) missed.push(name);
  }
  console.log(`within ${MARK} times the quiet: ${missed.length > 0 ? `no, missed by ${missed.join(', ')}` : 'yes, all'}; ${((performance.now() - began) / 1000).toFixed(0)} s`);
  process.exit(0);
}
