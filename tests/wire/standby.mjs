// Two servers and one database: the standby serves when the first one is gone or stopped, with everything that was acknowledged; a
// server that was stopped and goes on acknowledges nothing, and ends. Runs below tests/support/postgres.py.
import {join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {assert, run, test} from './lib/tap.mjs';
import {Match} from './lib/match.mjs';
import {askDatabase, databaseFor, runToEnd, scratchFolder, Server, siteKeyFile} from './lib/server.mjs';

const quickly = ['--site-key-file', siteKeyFile(), '--requests-per-s', '1000', '--requests-burst', '1000'];

/** A database, and a server with it that has a match. */
async function first(name) {
  const url = databaseFor(name);
  const server = await Server.start([...quickly, '--store', url]);
  const match = await Match.start(server.port);
  for (let moves = 0; moves < 4; moves++) await match.step();
  return {url, server, match};
}

/** One that waits; `serving` resolves with the server when it serves. */
function standby(url) {
  const waiting = {serves: false};
  waiting.serving = Server.start([...quickly, '--store', url, '--standby']).then((server) => {
    waiting.serves = true;
    return server;
  });
  return waiting;
}

test('the standby waits, and goes on with the match when the first one is killed', async () => {
  const {url, server, match} = await first('killed');
  const waiting = standby(url);
  await pause(1500);
  assert.ok(!waiting.serves, 'while the first one serves');
  await match.step();
  await server.stop('SIGKILL');
  const second = await waiting.serving;
  assert.match(second.stderr, /event=store_standby what="another server uses it \(taluvad 1/);
  await match.comeBack(second.port);
  await match.verify();
  for (let moves = 0; moves < 4; moves++) await match.step();
  // ... and the first one becomes its standby
  const third = standby(url);
  await second.stop();
  await match.comeBack((await third.serving).port);
  await match.step();
  await match.verify();
  match.end();
  await (await third.serving).stop();
}, 120000);

test('a server that is stopped loses its place; when it goes on it acknowledges nothing and ends', async () => {
  const {url, server, match} = await first('stopped');
  const actor = match.playerOf(match.actingSeat);
  const {moves} = await actor.must('moves', {room: match.room});
  server.signal('SIGSTOP');
  actor.send({id: 7, op: 'move', room: match.room, move: moves[0], confirm: true}); // it is read when the server goes on
  const second = await standby(url).serving;
  assert.match(second.stderr, /event=store_holder_ended what="taluvad 1 has committed nothing/);
  server.signal('SIGCONT');
  const answer = await actor.reply(7).catch(({message}) => message);
  assert.ok(!answer.ok, JSON.stringify(answer));
  assert.deepEqual(await server.ended, {status: 75, signal: null});
  await match.comeBack(second.port);
  await match.verify(); // and the move has not been made
  await match.step();
  match.end();
  await second.stop();
}, 120000);

test('the time of both is the database\'s, whatever the clocks of their machines say', async () => {
  const HOUR_S = 3600;
  const {url, server, match} = await first('clocks');
  askDatabase(url, `CREATE OR REPLACE FUNCTION taluva.now_ms() RETURNS bigint LANGUAGE sql VOLATILE AS $$
    SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint + ${HOUR_S * 1000} $$`);
  const waiting = standby(url);
  await server.stop();
  const second = await waiting.serving;
  const ahead = async () => (await second.metrics()).taluva_clock_ahead_seconds;
  assert.ok(Math.abs((await ahead()) - HOUR_S) < HOUR_S / 2, `${await ahead()}`);
  assert.match(second.stderr, /event=clock_differs what="the clock of this machine is 3\d{6} ms behind that of the database"/);
  assert.doesNotMatch(second.stderr, /clock_behind_store/);
  await match.comeBack(second.port);
  await match.verify();
  match.end();
  await second.stop();
}, 120000);

test('--standby without a database is refused', () => {
  const {status, stderr} = runToEnd(['--listen', '127.0.0.1:0', '--data', join(scratchFolder(), 'data'), '--standby']);
  assert.equal(status, 64, stderr);
  assert.match(stderr, /--standby needs a PostgreSQL database/);
});

await run();
