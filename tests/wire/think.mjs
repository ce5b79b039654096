// Computers that think, on the real threads of the real server: they play, the figures say so, and it ends in the middle of
// a thought.
import {spawnSync} from 'node:child_process';

import {until} from './lib/crowd.mjs';
import {Server} from './lib/server.mjs';
import {player} from './lib/socket.mjs';
import {assert, run, test} from './lib/tap.mjs';

const LEVEL = 6; // master
const quickly = ['--computer-ms', '0', '--requests-per-s', '1000', '--requests-burst', '1000'];
const unbounded = ['--think-alone-per-min', '1000000', '--think-alone-burst', '100000'];

async function figure(server, name) {
  const number = (await server.metrics())[`taluva_${name}`];
  assert.notEqual(number, undefined, `${name} is among the metrics`);
  return number;
}

const jobs = (server, kind, outcome) => figure(server, `think_jobs_total{kind="${kind}",outcome="${outcome}"}`);

/** Ana watches computers. */
async function watchComputers(server, {players = 2, level = LEVEL} = {}) {
  const ana = await player(server.port, 'Ana');
  const {room} = await ana.must('create', {options: {players, tiles: 24}});
  for (let seat = 0; seat < players; seat++) await ana.must('bot', {room, level});
  await ana.must('watch', {room});
  await ana.must('start', {room});
  return {ana, room};
}

async function over({ana, room}) {
  return (await ana.must('watch', {room})).state.phase === 'over';
}

async function playOut(server, choice) {
  const match = await watchComputers(server, choice);
  await until(() => over(match), 'the match is over', 100000);
  return match;
}

test('computers think, on a thread and within what the operator allows', async () => {
  const server = await Server.start([...quickly, ...unbounded, '--think-simulations', '5']);
  assert.equal(await figure(server, 'think_workers'), 1);
  const {ana} = await playOut(server);
  ana.destroy();
  const answered = await jobs(server, 'alone', 'answered');
  const late = await jobs(server, 'alone', 'late'); // of a machine so busy that quick moves were played meanwhile
  const simulations = await figure(server, 'think_simulations_total');
  assert.ok(answered > 5, `${answered} answers`);
  assert.ok(simulations > answered && simulations <= 5 * (answered + late), `${simulations} simulations of ${answered} answers and ${late} late ones`);
  assert.equal(await jobs(server, 'alone', 'failed'), 0);
  const thought = await figure(server, 'think_seconds_count');
  assert.ok(answered <= thought && thought <= answered + late, `${thought} of ${answered} and ${late}`);
  assert.deepEqual(await server.stop(), {status: 0, signal: null}, server.stderr);
}, 180000);

test('without threads they play quick moves', async () => {
  const server = await Server.start([...quickly, ...unbounded, '--think-threads', '0']);
  const {ana, room} = await playOut(server);
  assert.equal(await figure(server, 'think_workers'), 0);
  assert.deepEqual(ana.hello.analyses, []);
  assert.equal((await ana.ask('analysis', {room})).error.code, 'no_analysis');
  ana.destroy();
  assert.equal(await jobs(server, 'alone', 'answered'), 0);
  assert.ok((await jobs(server, 'alone', 'refused')) > 5);
  await server.stop();
}, 180000);

test('with less memory than a hint needs it is found at once', async () => {
  const server = await Server.start(['--think-memory-mb', '1']);
  const ana = await player(server.port, 'Ana');
  const {room} = await ana.must('create', {options: {players: 2, first: 0}, hints: true});
  await ana.must('join', {room, seat: 0});
  await ana.must('bot', {room, level: LEVEL});
  await ana.must('ready', {room, ready: true});
  await ana.must('start', {room});
  const {turns} = await ana.must('hint', {room});
  assert.ok(turns.length > 0 && turns[0].moves.length > 0, JSON.stringify(turns));
  assert.equal(await jobs(server, 'hint', 'answered'), 0);
  ana.destroy();
  await server.stop();
}, 60000);

/** What the program of this name prints of the record. */
function analysed(record, ...args) {
  const {status, stdout, stderr} = spawnSync(process.env.TALUVA, ['analyse', ...args, '-'], {input: record, encoding: 'utf8'});
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

/** Who asks waits for as long as it takes: a sanitizer on a busy machine is patient. */
async function analysisOf(ana, room) {
  ana.send({id: 1, op: 'analysis', room});
  for (;;) {
    const {id, ok, close} = await ana.next(170000);
    assert.equal(close, undefined);
    if (id === 1) return ok.analysis;
  }
}

for (const players of [2, 3]) {
  test(`the server and the program look back at a match of ${players} alike`, async () => {
    const server = await Server.start([...quickly, ...unbounded, '--think-simulations', '5']);
    const {ana, room} = await playOut(server, {players, level: 2});
    assert.ok(ana.hello.analyses.includes('taluva'));
    const analysis = await analysisOf(ana, room);
    const {record} = await ana.must('record', {room});
    const own = analysed(record, '--json', '--simulations', '5');
    assert.equal(analysis.simulations, 5);
    assert.ok(analysis.turns.length > 10);
    assert.deepEqual(own, analysis);
    assert.deepEqual(await analysisOf(ana, room), analysis);
    ana.destroy();
    await server.stop();
  }, 280000);
}

for (const signal of ['SIGTERM', 'SIGKILL']) {
  test(`ends in the middle of a thought: ${signal}`, async () => {
    let server = await Server.start([...quickly, ...unbounded, '--think-threads', '2']);
    const {data} = server;
    const matches = [];
    for (let at = 0; at < 3; at++) matches.push(await watchComputers(server));
    await until(async () => (await figure(server, 'think_running')) === 2, 'both threads think');
    const {status} = await server.stop(signal);
    if (signal === 'SIGTERM') assert.equal(status, 0, server.stderr);
    server = await Server.start([...quickly, ...unbounded, '--think-simulations', '5'], {data});
    const back = await player(server.port, 'x', {token: matches[0].ana.token});
    await until(() => over({ana: back, room: matches[0].room}), 'the match goes on to its end', 100000);
    await server.stop();
  }, 180000);
}

await run();
