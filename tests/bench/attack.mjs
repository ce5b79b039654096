// What many connections that ask for all they may cost people who play: how long a move takes to be seen, quiet and meanwhile, in turns.
//
//     TALUVAD=build/server/taluvad TALUVA_LOAD=build/clients/load/taluva-load node tests/bench/attack.mjs [--seconds 6] [--only record,hint]
//         [--connections 800] [--addresses 2]
//
// The server has a core and its limits by default; everybody else has the other, attackers with the least priority.
import {execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';
import {Watch} from '../wire/lib/crowd.mjs';
import {Match} from '../wire/lib/match.mjs';
import {Server} from '../wire/lib/server.mjs';
import {player} from '../wire/lib/socket.mjs';

const {values} = parseArgs({options: {
  seconds: {type: 'string', default: '6'},
  connections: {type: 'string', default: '800'},
  addresses: {type: 'string', default: '2'},
  only: {type: 'string', default: 'record,past,rooms,watch,hint,say,toggle'},
  child: {type: 'string'},
}});
const [seconds, connections, addresses] = [Number(values.seconds), Number(values.connections), Number(values.addresses)];
const SERVER_CORE = 0;
const DRIVER_CORE = 1;
const MARK = 2; // so many times the quiet p99
const PACE_MS = 120; // as fast as the limits let a person play

/** The address of an attacker: none of those of honest people. */
const addressOf = (at) => ({localAddress: `127.0.1.${1 + (at % addresses)}`});

async function finished(port, how) {
  const match = await Match.start(port, {}, how);
  while (match.state.phase !== 'over') {
    await match.step();
    await new Promise((resolve) => setTimeout(resolve, PACE_MS));
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

/** Asks as soon as it is answered; what is refused is asked again when that is said to be worth it. */
async function attackFrom(port, name, shared, at) {
  const attack = ATTACKS[name];
  const socket = await player(port, `A${at}`, addressOf(at));
  let own;
  if (attack.own) {
    own = (await socket.must('create', {options: {players: 2}}).catch(() => ({}))).room;
    for (const [op, fields] of [['join', {}], ['bot', {}], ['ready', {ready: true}], ['start', {}]])
      if (own) await socket.ask(op, {room: own, ...fields});
  }
  if (attack.watch) await socket.ask('watch', {room: shared.open});
  for (let turn = 0; ; turn++) {
    const reply = await socket.ask(...attack.op(shared, own, turn));
    socket.pushes = [];
    if (!reply.ok) await new Promise((resolve) => setTimeout(resolve, Math.min(reply.error?.retry_ms ?? 50, 1000)));
  }
}

async function attackers(port, name, shared) {
  let connected = 0;
  for (let at = 0; at < connections; at++) {
    const begun = attackFrom(port, name, shared, at);
    begun.catch(() => {}); // closed by the server: its good right
    if (at % 20 === 19) await new Promise((resolve) => setTimeout(resolve, 20));
    connected++;
  }
  process.stdout.write(`attacking ${connected}\n`);
}

/** People who play, and what the server's processor did meanwhile. */
function honest({port, pid}) {
  const watch = new Watch(pid);
  const [processor, began] = [watch.processor, performance.now()];
  const load = process.env.TALUVA_LOAD;
  const words = [load, '--server', `ws://127.0.0.1:${port}/ws`, '--rooms', '40', '--rate', '80', '--duration', String(seconds),
    '--warmup', '1', '--quiet', '--json'];
  const child = spawn('taskset', ['-c', String(DRIVER_CORE), ...words], {stdio: ['ignore', 'pipe', 'inherit']});
  let text = '';
  child.stdout.on('data', (bytes) => (text += bytes));
  return once(child, 'close').then(() => {
    const {delivered_us, moves_per_s} = JSON.parse(text);
    const share = (1e5 * (watch.processor - processor)) / (performance.now() - began);
    return {moves_per_s, p50: delivered_us.p50 / 1000, p99: delivered_us.p99 / 1000, share};
  });
}

/** How the match goes on in which all watchers talk: nobody in it may be closed for what others say. */
async function playOn(match) {
  const began = performance.now();
  for (let moves = 0; moves < 4; moves++) await match.step();
  return `${match.players.filter(({raw}) => !raw.socket.destroyed).length} of ${match.players.length} players connected, ` +
    `four moves in ${(performance.now() - began).toFixed(0)} ms`;
}

async function run(name) {
  const server = await Server.start([], {prefix: ['taskset', '-c', String(SERVER_CORE)]});
  const away = {localAddress: '127.0.1.250'};
  const shared = {over: await finished(server.port, away)};
  const host = await player(server.port, 'Host', away);
  shared.lobby = (await host.must('create', {title: 'lobby'})).room;
  const open = await Match.start(server.port, {}, away);
  shared.open = open.room;
  const quiet = await honest(server);
  const child = spawn('nice', ['-n', '19', 'taskset', '-c', String(DRIVER_CORE), process.execPath, fileURLToPath(import.meta.url), '--child',
    JSON.stringify({port: server.port, name, shared}), '--connections', String(connections), '--addresses', String(addresses)],
  {stdio: ['ignore', 'pipe', 'inherit']});
  await Promise.race([once(child.stdout, 'data'), once(child, 'close')]);
  const meanwhile = await honest(server);
  const talked = name === 'say' && (await playOn(open));
  child.kill('SIGKILL');
  await server.stop();
  return {quiet, meanwhile, talked};
}

if (values.child) {
  const {port, name, shared} = JSON.parse(values.child);
  await attackers(port, name, shared);
} else {
  execFileSync('taskset', ['-c', String(DRIVER_CORE), 'true']);
  const cell = (value) => value.toFixed(2).padStart(9);
  const row = (name, quiet, meanwhile) => console.log([name.padEnd(8), cell(quiet.p50), cell(quiet.p99), cell(meanwhile.p50), cell(meanwhile.p99),
    cell(meanwhile.p99 / quiet.p99), `${meanwhile.moves_per_s.toFixed(0)}`.padStart(8), `${meanwhile.share.toFixed(0)} %`.padStart(9)].join(' '));
  const began = performance.now();
  console.log(`${connections} connections of ${addresses} addresses; ms from a move until it is seen; mark: p99 at most ${MARK} times the quiet\n` +
    'attack   p50 quiet p99 quiet p50 attack p99 attack  ratio   moves/s processor');
  const missed = [];
  for (const name of values.only.split(',')) {
    const {quiet, meanwhile, talked} = await run(name);
    row(name, quiet, meanwhile);
    if (talked) console.log(`         ${talked}`);
    if (meanwhile.p99 > MARK * quiet.p99) missed.push(name);
  }
  console.log(`${missed.length > 0 ? `missed by ${missed.join(', ')}` : 'met by all'}; ${((performance.now() - began) / 1000).toFixed(0)} s`);
  process.exit(0);
}
