// A hostile client against the real server, while honest people at other addresses play and come and go.
//
//     node hostile.mjs [--full] [--only ATTACK] [--many N] [--seconds S]
//
// Prints, for the same run, how long honest moves (sent until acknowledged, that is, stored) and visits (connected until
// greeted) took before, during and after each attack, what the attacker was answered, and what it cost the server.
// Asserts only what must hold on any machine: nobody honest is refused or cut, all of them play on, the server stays
// ready, its memory keeps within what the limits allow, and what the attacker had open is given back.
import {parseArgs} from 'node:util';
import * as attacks from './lib/attacks.mjs';
import {Crowd, sleep, until, Watch} from './lib/crowd.mjs';
import {Match} from './lib/match.mjs';
import {Server} from './lib/server.mjs';
import {player} from './lib/socket.mjs';
import {assert, run, test} from './lib/tap.mjs';

const {values: flags} = parseArgs({options: {full: {type: 'boolean', default: false}, only: {type: 'string'},
  many: {type: 'string'}, seconds: {type: 'string'}}});
process.argv.length = 2; // the rest is not the runner's
const seconds = Number(flags.seconds ?? (flags.full ? 10 : 1.5));
const many = Number(flags.many ?? (flags.full ? 10000 : 1500));
const HONEST = 12; // connections: of four matches, a visitor, a host, and some that are closing
const KIB_PER_SOCKET = 24; // of the server's memory, all told, for one that sends nothing much
/** What is enough to see how long honest people wait; to compare the waits of one run it takes more. */
const ENOUGH = flags.full ? {moves: 60, visits: 3} : {moves: 20, visits: 1};
const SLACK_KIB = 24 * 1024; // what an allocator keeps, and honest rooms that grow

const strict = ['--http-timeout-ms', '10000', '--hello-timeout-ms', '10000', '--ping-interval-ms', '1000',
  '--ping-timeout-ms', '10000', '--close-timeout-ms', '2000'];
/** All that one attacker may have at once by the default limits: 512 connections with a full outbox each. */
const BOUND_KIB = 512 * 256 + 1024 * KIB_PER_SOCKET;

let server;
let watch;
let crowd;
let calm; // how long honest people waited when last nothing was wrong
let before, held, after; // the server's figures: before an attack, at its end, and when all is calm again
let attackers = 0; // each has an address of its own
let host; // of the room that is guessed at, or watched

async function open(args) {
  server = await Server.start([...strict, ...args]);
  server.ended.then((end) =>
    console.log(`the server ended: ${JSON.stringify(end)}\n${server.stderr.slice(-2000).trim()}`.replace(/^/gm, '# ')));
  watch = new Watch(server.pid);
  crowd = await Crowd.start(server.port);
  host = await player(server.port, 'Dee', {localAddress: '127.0.0.20'});
  await crowd.calm('warm', {moves: flags.full ? 200 : 40, visits: 1});
  calm = await crowd.calm('calm', ENOUGH);
}

async function close() {
  await crowd.stop();
  host.destroy();
  assert.deepEqual(await server.stop(), {status: 0, signal: null}, server.stderr);
}

const ms = (value) => value.toFixed(value < 10 ? 1 : 0);
const row = ({moves, visits}) =>
  `${String(moves.count).padStart(5)} moves p50 ${ms(moves.p50)} p99 ${ms(moves.p99)} max ${ms(moves.max)} ms; ` +
  `${visits.count} visits p50 ${ms(visits.p50)} max ${ms(visits.max)} ms`;
const mib = (kib) => (kib / 1024).toFixed(1);
const list = (counts) => Object.entries(counts).map(([what, times]) => `${what} ${times}`).join(', ') || 'nothing';

/** What the server counted meanwhile, of what it refused or closed. */
function counted(before, after) {
  const told = {};
  for (const [name, value] of Object.entries(after)) {
    const grown = value - (before[name] ?? 0);
    if (grown > 0 && /refused|closes|http_slow_down/.test(name)) told[name.replace(/^taluva_/, '')] = grown;
  }
  return told;
}

/** Of the turns of the server's loop meanwhile: how many, and the bucket that so many of them end in, in ms. */
function turns(before, after) {
  const grown = Object.keys(after)
    .map((name) => [/^taluva_loop_turn_seconds_bucket{le="(.*)"}$/.exec(name)?.[1], after[name] - (before[name] ?? 0)])
    .filter(([bound]) => bound !== undefined);
  const count = grown.at(-1)[1];
  const within = (share) => 1000 * Number(grown.find(([, upto]) => upto >= share * count)[0].replace('+Inf', 'Infinity'));
  return `${count} turns, 99% within ${ms(within(0.99))}, all within ${ms(within(1))} ms`;
}

function say(name, figures) {
  const {before, during, after, kib, files, processor, answers, told} = figures;
  console.log(`# ${name}`);
  console.log(`#   before ${row(before)}`);
  console.log(`#   during ${row(during)}`);
  console.log(`#   after  ${row(after)}`);
  console.log(`#   memory ${mib(kib.before)} before, ${mib(kib.peak)} at most, ${mib(kib.after)} MiB after; ` +
    `files ${files.before}, ${files.peak}, ${files.after}; processor ${processor.toFixed(2)} s in ${figures.took.toFixed(1)} s`);
  console.log(`#   loop ${figures.turns}`);
  console.log(`#   answered: ${list(answers)}`);
  console.log(`#   counted: ${list(told)}`);
}

/** One attack, with what it did to everybody else. Leaves the server as it was, or fails. */
async function suffer(name, attack, {bound_kib = BOUND_KIB, enough = () => true, ...rest} = {}) {
  const ctx = Object.assign(new attacks.Context(server.port, `127.0.7.${++attackers}`), rest);
  const quiet = calm;
  const [kib, files] = [{before: watch.rss}, {before: watch.files, peak: 0}];
  const [processor, begun] = [watch.processor, performance.now()];
  before = await server.metrics();
  watch.resetPeak();
  const look = setInterval(() => (files.peak = Math.max(files.peak, watch.files)), 50);
  crowd.phase(`during ${name}`);
  ctx.begin(seconds, enough);
  try {
    await attack(ctx);
    assert.equal((await server.get('/readyz')).status, 200);
    await until(async () => crowd.fine() && (await crowd.waits()).moves.count > 10, 'honest moves during the attack');
  } finally {
    clearInterval(look);
  }
  const during = await crowd.waits();
  kib.peak = watch.peak;
  held = await server.metrics();
  ctx.closeAll();
  const figures = {before: quiet, during, kib, files, answers: ctx.counts, processor: watch.processor - processor,
    took: (performance.now() - begun) / 1000};
  await until(() => (files.after = watch.files) <= files.before + 4, 'files are given back');
  figures.after = calm = await crowd.calm(`after ${name}`, ENOUGH);
  kib.after = watch.rss;
  figures.turns = turns(before, held);
  after = await server.metrics();
  figures.told = counted(before, after);
  say(name, figures);
  assert.equal((await server.get('/readyz')).status, 200);
  assert.ok(kib.peak - kib.before < bound_kib + SLACK_KIB, `${kib.peak - kib.before} KiB more than before`);
  return ctx.counts;
}

const chosen = (name) => !flags.only || name.includes(flags.only);
const patience_ms = 120000 + 3000 * seconds + 20 * many;

function attackTest(name, body) {
  if (chosen(name)) test(name, body, patience_ms);
}

test('honest people play', () => open([]), patience_ms);

/** Runs until each of these has been answered, and fails if one never is. */
function answersTest(name, attack, {wanted, check, rest}) {
  attackTest(name, async () => {
    const more = (await rest?.()) ?? {};
    const enough = (answers) => wanted.every((one) => one.split('|').some((either) => answers[either] > 0));
    const answers = await suffer(name, attack, {enough, ...more});
    const told = counted(before, after);
    assert.ok(enough(answers), `not all of ${wanted.join(', ')}: ${list(answers)}`);
    await check?.(answers, told);
  });
}

answersTest('a flood of requests', attacks.requests, {wanted: ['ok', 'slow_down', 'close 4003']});

answersTest('a flood of pages', attacks.pages, {wanted: ['HTTP 200', 'HTTP 429']});

answersTest('a flood of connections', attacks.connections, {wanted: ['sessions', 'handshake cut']});

answersTest('slow headers', attacks.slowHeaders, {
  wanted: ['cut'],
  check: (answers, told) => assert.ok(told['sockets_refused_total{why="address"}'] > 0, 'an address has no more than its share'),
});

answersTest('half-open connections', attacks.halfOpen, {
  wanted: ['silent', 'no hello: 4001', 'dead: cut'],
  check(answers) {
    assert.equal(answers['still open'], 0);
    assert.equal(answers['no hello: 4001'], answers['no hello']);
    assert.equal(answers['dead: cut'], answers.dead);
  },
});

answersTest('endless and oversize frames', attacks.frames, {
  wanted: ['too long: 1009', 'claims 2^62 bytes: cut|claims 2^62 bytes: 1009', 'claims 4097 bytes: 1009|claims 4097 bytes: 1007',
    'endless pieces: 1009', 'endless empty pieces: 1009', 'not UTF-8: 1007', 'binary: 1003'],
});

answersTest('rooms', attacks.rooms, {wanted: ['created', 'slow_down']});

// After the rooms, of which there is a long list.
answersTest('readers who never read', attacks.slowReaders, {
  wanted: ['cut off'],
  rest: async () => ({room: (await host.must('create', {title: 'watched'})).room}),
});

let long; // a room whose match is over

/** A match of many moves, over; played by two at an address of their own, no faster than the rate of requests. */
async function longMatch() {
  if (long) return {room: long};
  const match = await Match.start(server.port, {}, {localAddress: '127.0.0.21'});
  while (match.state.phase !== 'over') {
    await match.step();
    await sleep(60);
  }
  match.end();
  long = match.room;
  return {room: long};
}

answersTest('a flood of questions about the past', attacks.past, {wanted: ['ok', 'slow_down', 'close 4003'], rest: longMatch});

answersTest('readers who never read the past', attacks.unread, {
  wanted: ['deaf'],
  rest: longMatch,
  check: () => assert.ok(held.taluva_outbox_bytes <= 16 * 1024 * 1024, 'no more than one address may have unread'),
});

answersTest('guesses', attacks.guesses, {
  wanted: ['wrong_code', 'unknown_token', 'slow_down'],
  rest: async () => ({room: (await host.must('create', {access: 'code'})).room}),
  check(answers) {
    assert.equal(answers['let in'], undefined);
    const allowed = 20 * (20 + 1 + (10 * (seconds + 60)) / 60); // addresses, each with a burst and what comes back
    assert.ok(answers.wrong_code + answers.unknown_token <= allowed, list(answers));
  },
});

attackTest('connections of one address', async () => {
  const answers = await suffer('connections of one address', attacks.oneAddress, {many});
  assert.ok(answers.held >= 512, 'more in all, when those who did not say hello have gone');
  assert.ok(held.taluva_connections <= 512 + HONEST, 'never more at once');
  assert.ok(answers['close 1013'] > 0);
});

test('they play on to the end', close, patience_ms);

attackTest('held', async () => {
  await open(['--http-timeout-ms', '60000', '--ping-interval-ms', '30000', '--ping-timeout-ms', '600000', '--hello-timeout-ms', '600000',
    '--connections', String(many + 1000), '--connections-per-address', String(many), '--http-sockets-per-address', '1024',
    '--connects-per-address-burst', String(2 * many)]);
  const answers = await suffer('held', attacks.oneAddress, {many, bound_kib: many * KIB_PER_SOCKET});
  assert.equal(answers.held, many, 'all of them are let in when the limit says so');
  assert.ok(held.taluva_connections >= many, 'and stay');
  await close();
});

await run(() => server?.stop('SIGKILL'));
