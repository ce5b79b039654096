// What thinking computers cost the people beside them: honest players' waits, and how long the loop was busy at a time.
//
//     TALUVAD=build/server/taluvad node tests/bench/think.mjs [ROOMS] [LEVEL] [PAUSE_MS] [ROUNDS]
//
// ROOMS matches (500) of two computers of LEVEL (the strongest) each move after a pause of PAUSE_MS (3000), as if people sat
// between them. Honest players at other addresses play and come and go. In each round a new server is measured twice: before
// these matches are made and while they are played. Rounds without threads that think, where all computers play quick moves,
// take turns with rounds with them, so that what thinking costs can be told from what the moves cost that it is for.
import {Crowd, sleep, Watch} from '../wire/lib/crowd.mjs';
import {Server} from '../wire/lib/server.mjs';
import {player} from '../wire/lib/socket.mjs';

const rooms = Number(process.argv[2] ?? 500);
const level = Number(process.argv[3] ?? 0); // 0: the last one that there is
const pause_ms = Number(process.argv[4] ?? 3000);
const rounds = Number(process.argv[5] ?? 2);
const WAITS = {moves: 400, visits: 4};
const PER_HOST = 50; // rooms of one connection
const lifted = ['requests-per-s', 'requests-burst', 'requests-per-address-per-s', 'requests-per-address-burst', 'work-per-s',
  'work-burst', 'rooms-per-session', 'rooms-per-address', 'rooms-per-address-per-min', 'rooms-per-address-burst',
  'seats-per-session'].flatMap((name) => [`--${name}`, '100000']);
const thinking = ['--think-per-address', '100000', '--think-alone-per-min', '1000000', '--think-alone-burst', '100000'];

async function metricsOf(server) {
  const page = await (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text();
  const lines = page.split('\n').filter((line) => line && !line.startsWith('#'));
  return new Map(lines.map((line) => [line.slice(7, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]));
}

async function begin(host, game_level) {
  const {room} = await host.must('create', {options: {players: 2}});
  await host.must('bot', {room, level: game_level});
  await host.must('bot', {room, level: game_level});
  await host.must('start', {room});
  await host.must('leave', {room}).catch(() => {});
  host.pushes = [];
}

/** The strongest level that the server knows, as it refuses those beyond. */
async function strongest(server) {
  const host = await player(server.port, 'Dee', {localAddress: '127.0.0.30'});
  const {room} = await host.must('create', {options: {players: 2}});
  let found = 1;
  while (found < 16 && (await host.ask('bot', {room, level: found + 1})).ok) {
    await host.must('unseat', {room, seat: 0});
    found++;
  }
  host.destroy();
  return found;
}

async function makeRooms(server, game_level) {
  for (let made = 0; made < rooms; ) {
    const host = await player(server.port, 'Dee', {localAddress: `127.0.1.${1 + Math.floor(made / PER_HOST)}`});
    for (let of_host = 0; of_host < PER_HOST && made < rooms; of_host++, made++) await begin(host, game_level);
    host.destroy();
  }
}

const longest = (before, after) => {
  let found = '0';
  for (const [key, count] of after) {
    const le = /^loop_turn_seconds_bucket\{le="(.*)"\}$/.exec(key)?.[1];
    if (le && count - before.get(key) < after.get('loop_turn_seconds_count') - before.get('loop_turn_seconds_count')) found = le;
  }
  return found; // not all turns were this short
};

const share = (after, before, key) => after.get(key) - before.get(key);

async function round(threads) {
  const server = await Server.start([...lifted, ...thinking, '--computer-ms', String(pause_ms), '--think-threads', String(threads)]);
  const watch = new Watch(server.pid);
  const chosen = level || (await strongest(server));
  const crowd = await Crowd.start(server.port);
  await crowd.calm('warm', {moves: 100, visits: 1});
  const calm = await crowd.calm('calm', WAITS);
  await makeRooms(server, chosen);
  await sleep(2 * pause_ms); // the first moves of all rooms come together
  const before = await metricsOf(server);
  const [processor, at] = [watch.processor, Date.now()];
  const meanwhile = await crowd.calm('meanwhile', WAITS);
  const after = await metricsOf(server);
  const seconds = (Date.now() - at) / 1000;
  const jobs = (outcome) => ['move', 'alone'].reduce((sum, kind) =>
    sum + share(after, before, `think_jobs_total{kind="${kind}",outcome="${outcome}"}`), 0);
  const turns = share(after, before, 'loop_turn_seconds_count');
  console.log(`${threads} threads, ${rooms} matches of two computers of level ${chosen}, ${seconds.toFixed(0)} s: `
    + `${(share(after, before, 'events_total{kind="move"}') / seconds).toFixed(0)} moves/s, processor `
    + `${((100 * (watch.processor - processor)) / seconds).toFixed(0)} %`);
  console.log(`  honest moves: p50 ${calm.moves.p50.toFixed(1)} -> ${meanwhile.moves.p50.toFixed(1)} ms, p99 ${calm.moves.p99.toFixed(1)}`
    + ` -> ${meanwhile.moves.p99.toFixed(1)} ms, x ${(meanwhile.moves.p99 / calm.moves.p99).toFixed(2)}`);
  console.log(`  thought of ${(jobs('answered') / seconds).toFixed(1)}/s, refused ${(jobs('refused') / seconds).toFixed(1)}/s, late `
    + `${(jobs('late') / seconds).toFixed(1)}/s, ${(share(after, before, 'think_simulations_total') / seconds).toFixed(0)} simulations/s,`
    + ` mean ${(1000 * share(after, before, 'think_seconds_sum') / Math.max(1, share(after, before, 'think_seconds_count'))).toFixed(1)} ms`);
  console.log(`  turns of the loop: ${(1e6 * share(after, before, 'loop_turn_seconds_sum') / turns).toFixed(0)} us on average, some longer than `
    + `${(1000 * Number(longest(before, after))).toFixed(1)} ms; the longest since the start ${(1000 * after.get('loop_turn_longest_seconds')).toFixed(1)} ms`);
  await crowd.stop();
  await server.stop();
  return meanwhile.moves.p99 / calm.moves.p99;
}

const ratios = {0: [], 1: []};
for (let at = 0; at < rounds; at++)
  for (const threads of [0, 1]) ratios[threads].push(await round(threads));
for (const [threads, list] of Object.entries(ratios))
  console.log(`${threads} threads: p99 meanwhile / before: ${list.map((one) => one.toFixed(2)).join(', ')}`);
process.exit(0);
