// A slow disk: moves at a steady rate while every fsync takes longer, and how long the loop was busy at a time meanwhile.
// Prints the figures; asserts that the loop does not wait for the disk, that no player's clock is charged for it, and that
// nothing that was acknowledged is lost when the server is killed.
//
//     node slow.mjs [SECONDS]      SLOW_DISK is the library that slows it down
import {sleep} from './lib/crowd.mjs';
import {Match} from './lib/match.mjs';
import {Server, slowDisk} from './lib/server.mjs';
import {player} from './lib/socket.mjs';
import {assert, run, test} from './lib/tap.mjs';

const seconds = Number(process.argv[2] ?? 3);
process.argv.length = 2; // the rest is not the runner's
const MATCHES = 6;
const EVERY_MS = 40; // a move in each match, if the disk lets it
const BANK_S = 3600;

const at = (list, share) => [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(share * list.length))];
const ms = (value) => value.toFixed(value < 10 ? 1 : 0);

/** Plays until it is told to stop; notes how long each move took to be stored, and how long the players thought. */
async function play(match, figures, going) {
  let heard = match.started_at;
  while (going() && !match.over) {
    const actor = match.playerOf(match.actingSeat);
    const {moves, eliminating = []} = await actor.must('moves', {room: match.room});
    const harmless = moves.filter((one) => !eliminating.includes(one));
    const from = harmless.length > 0 ? harmless : moves;
    const move = from[Math.floor(Math.random() * from.length)];
    await sleep(EVERY_MS);
    const sent = performance.now();
    figures.thought_ms += sent - heard;
    const {seq} = await actor.must('move', {room: match.room, move, confirm: true});
    figures.moves.push(performance.now() - sent);
    figures.last.set(match, seq);
    await match.hear(seq);
    heard = performance.now();
  }
}

/** Somebody whose questions need no disk. */
async function ask(port, pings, going) {
  const who = await player(port, 'Chi');
  while (going()) {
    const begun = performance.now();
    await who.must('ping');
    pings.push(performance.now() - begun);
    await sleep(10);
  }
  who.destroy();
}

const charged_ms = (match) =>
  Object.values(match.state.clock.seats).reduce((sum, seat) => sum + BANK_S * 1000 - seat.left_ms, 0);

async function measure(delay_ms) {
  const env = slowDisk({SLOW_DISK_MS: String(delay_ms)});
  let server = await Server.start(['--requests-per-s', '1000', '--requests-burst', '1000'], {env});
  const clock = {kind: 'fischer', bank_s: BANK_S, increment_s: 0, on_timeout: 'eliminate'};
  const starting = Array.from({length: MATCHES}, (_, n) => Match.start(server.port, {clock}, {localAddress: `127.0.0.${3 + n}`}));
  const matches = await Promise.all(starting);
  const figures = {moves: [], pings: [], thought_ms: 0, last: new Map()};
  const deadline = Date.now() + seconds * 1000;
  const last = deadline + 60000;
  const going = () => Date.now() < deadline || (figures.moves.length < 3 * MATCHES && Date.now() < last);
  await Promise.all([ask(server.port, figures.pings, going), ...matches.map((match) => play(match, figures, going))]);
  const metrics = await server.metrics();
  const charged = matches.reduce((sum, match) => sum + charged_ms(match), 0);
  const longest_ms = metrics.taluva_loop_turn_longest_seconds * 1000;
  console.log(`# fsync +${delay_ms} ms: ${figures.moves.length} moves, stored after p50 ${ms(at(figures.moves, 0.5))} ` +
    `p99 ${ms(at(figures.moves, 0.99))} max ${ms(at(figures.moves, 1))} ms; ${figures.pings.length} pings answered after ` +
    `p50 ${ms(at(figures.pings, 0.5))} p99 ${ms(at(figures.pings, 0.99))} max ${ms(at(figures.pings, 1))} ms; the loop's longest turn ` +
    `${ms(longest_ms)} ms of ${metrics.taluva_loop_turn_seconds_count}; ${metrics.taluva_commit_seconds_count} commits of ` +
    `${ms((1000 * metrics.taluva_commit_seconds_sum) / metrics.taluva_commit_seconds_count)} ms; thought ` +
    `${ms(figures.thought_ms)}, charged ${ms(charged)} ms`);
  const {data} = server;
  await server.stop('SIGKILL');
  server = await Server.start([], {data});
  await nothingLost(server, matches, figures);
  await server.stop();
  const long = metrics.taluva_loop_turn_seconds_count - metrics['taluva_loop_turn_seconds_bucket{le="0.262144"}'];
  return {...figures, charged, long, commits: metrics.taluva_commit_seconds_count};
}

async function nothingLost(server, matches, {last}) {
  for (const match of matches) {
    match.end();
    const [who] = match.players;
    const back = await player(server.port, 'Ana', {token: who.token});
    const view = await back.must('join', {room: match.room});
    assert.ok(view.seq >= (last.get(match) ?? 0), `move ${last.get(match)} of ${match.room} is lost`);
    if (view.seq === match.seqs[0]) assert.deepEqual(view.state.island, match.state.island);
    back.destroy();
  }
}

let calm; // what was found without a delay: how slow this machine is at the moment

for (const delay_ms of [0, 50, 500]) {
  test(`fsync takes ${delay_ms} ms longer`, async () => {
    const found = await measure(delay_ms);
    calm ??= found;
    assert.ok(at(found.moves, 0) >= delay_ms, 'a move is acknowledged before it is stored');
    if (delay_ms < 500) return; // what a loaded machine does by itself is of that size
    const usual_ms = at(found.pings, 0.5), turns = found.commits / 4;
    assert.ok(usual_ms < at(found.moves, 0.5) - delay_ms / 2, 'who asks for nothing that is stored waits');
    assert.ok(found.long < calm.long + turns, 'the loop waits for the disk');
    assert.ok(found.charged < found.thought_ms + found.moves.length * (delay_ms / 2 + 2 * usual_ms), 'players paid for the disk');
  }, 180000);
}

await run();
