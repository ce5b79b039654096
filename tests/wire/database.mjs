// Matches in a PostgreSQL database: a server finds it by option, file or credential and says why it cannot use it, never the
// password; an embedded store is copied into it, and play goes on. Runs below tests/support/postgres.py.
import {execFile, spawnSync} from 'node:child_process';
import {chmodSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {assert, run, test} from './lib/tap.mjs';
import {changeLog, setAside} from './lib/damage.mjs';
import {Match} from './lib/match.mjs';
import {pooler} from './lib/pooler.mjs';
import {account, playRated} from './lib/rated.mjs';
import {askDatabase, databaseFor, runToEnd, scratchFolder, Server} from './lib/server.mjs';
import {player} from './lib/socket.mjs';

const quickly = ['--requests-per-s', '1000', '--requests-burst', '1000'];
const password = new URL(process.env.TALUVA_TEST_POSTGRES).password;

const admin = (data, ...words) => spawnSync(process.env.TALUVA_ADMIN_PROGRAM, ['--socket', join(data, 'admin.sock'), ...words], {encoding: 'utf8'});

function written(text, mode = 0o600) {
  const path = join(scratchFolder(), 'store');
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

/** A start that fails: its status and what it says, which is not the password. */
function refused(args, env = {}) {
  const {status, stdout, stderr} = runToEnd(['--listen', '127.0.0.1:0', '--data', join(scratchFolder(), 'data'), ...args], env);
  for (const secret of [password, decodeURIComponent(password)]) assert.ok(!(stdout + stderr).includes(secret), stderr);
  return {status, said: stderr};
}

test('a match is played in a database named by an option, a file and a credential', async () => {
  const data = join(scratchFolder(), 'data');
  const url = databaseFor(data);
  const credentials = scratchFolder();
  writeFileSync(join(credentials, 'store'), `${url}\n`, {mode: 0o600});
  let server = await Server.start([...quickly, '--store', url], {data});
  const match = await Match.start(server.port);
  for (const [args, env] of [[['--store-file', written(url)], {}], [[], {TALUVA_STORE: url}], [[], {CREDENTIALS_DIRECTORY: credentials}]]) {
    for (let moves = 0; moves < 4; moves++) await match.step();
    await server.stop('SIGKILL');
    server = await Server.start([...quickly, ...args], {data, env});
    await match.comeBack(server.port);
    await match.verify();
  }
  const second = refused(['--store', url]);
  assert.equal(second.status, 75, second.said);
  assert.match(second.said, /another server uses it \(taluvad \d+/);
  // The folder of the keys is one server's as well.
  const beside = runToEnd(['--listen', '127.0.0.1:0', '--data', data, '--store', databaseFor('another')]);
  assert.equal(beside.status, 75, beside.stderr);
  match.end();
  await server.stop();
  assert.ok(!server.stderr.includes(password), server.stderr);
}, 120000);

test('what is usual in a database, or for its role, changes nothing of what is stored', async () => {
  const data = join(scratchFolder(), 'data');
  const url = databaseFor(data);
  const usual = {bytea_output: 'escape', DateStyle: 'German, DMY', IntervalStyle: 'sql_standard', TimeZone: 'Asia/Kathmandu', search_path: 'pg_temp, public',
    extra_float_digits: '-10', standard_conforming_strings: 'off', backslash_quote: 'off', transform_null_equals: 'on', array_nulls: 'off', row_security: 'off',
    client_encoding: 'LATIN1', client_min_messages: 'debug5', default_transaction_isolation: 'serializable', default_transaction_deferrable: 'on',
    statement_timeout: '1ms', lock_timeout: '1ms', idle_session_timeout: '5s', synchronous_commit: 'off', plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off'};
  askDatabase(url, Object.entries(usual).map(([name, value]) => `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET ${name} = '${value}'`).join(';'));
  let server = await Server.start([...quickly, '--store', url], {data});
  const match = await Match.start(server.port);
  for (let times = 0; times < 2; times++) {
    for (let moves = 0; moves < 4; moves++) await match.step();
    await server.stop('SIGKILL');
    server = await Server.start([...quickly, '--store', url], {data});
    await match.comeBack(server.port);
    await match.verify();
  }
  match.end();
  assert.equal((await server.stop()).status, 0, server.stderr);
  assert.doesNotMatch(server.stderr, /event=store_/);
}, 120000);

/** When the database has started; undefined while it is away. */
function startOf(url) {
  try {
    return askDatabase(url, 'SELECT pg_postmaster_start_time()');
  } catch {
    return undefined;
  }
}

/** A move; what is refused until the server has noticed that the database is there again is tried again. */
async function stepLater(match) {
  for (;;) {
    try {
      return await match.step();
    } catch (error) {
      if (!error.message.includes('store_failing')) throw error;
      await pause(50);
    }
  }
}

test('the database goes away and comes back, and the match goes on', async () => {
  const data = join(scratchFolder(), 'data');
  const url = databaseFor(data);
  const server = await Server.start([...quickly, '--store', url], {data});
  const match = await Match.start(server.port);
  for (let crash = 0; crash < 2; crash++) {
    await match.step();
    const before = startOf(url);
    process.kill(Number(process.env.TALUVA_TEST_POSTGRES_HELPER), 'SIGUSR1');
    while ([before, undefined].includes(startOf(url))) await pause(20);
    await stepLater(match);
    await server.logged(/event=store_connected/);
    server.stderr = '';
  }
  match.end();
  assert.equal((await server.stop()).status, 0, server.stderr);
}, 120000);

test('why it cannot be used is told by the status', async () => {
  const url = databaseFor('statuses');
  const wrong = new URL(url);
  wrong.password = 'wrong';
  assert.equal(refused(['--store', wrong.href]).status, 77);
  const nobody = new URL(url);
  nobody.port = 1;
  assert.equal(refused(['--store', nobody.href]).status, 69);
  assert.equal(refused(['--store', url.replace('@127', '/x@127')]).status, 64);
  assert.equal(refused(['--store', 'mysql://a/b']).status, 64);
  assert.equal(refused(['--store', url, '--store-file', '/x']).status, 64);
  assert.equal(refused(['--store-file', '/nowhere/store']).status, 66);
  const open = refused(['--store-file', written(url, 0o644)]);
  assert.equal(open.status, 78);
  assert.match(open.said, /everybody may read it/);
  assert.equal(refused(['--store-file', written(`${url}\n${url}\n`)]).status, 78);
  assert.equal(refused(['--store', url, 'check']).status, 64);
  assert.equal(refused(['--store', url, 'backup', join(scratchFolder(), 'copy.db')]).status, 64);
  askDatabase(url, 'CREATE SCHEMA taluva; CREATE TABLE taluva.mine ()');
  assert.equal(refused(['--store', url]).status, 65);
  const other = databaseFor('other tables');
  assert.equal(refused(['--store', other, 'migrate']).status, 0);
  askDatabase(other, 'ALTER TABLE taluva.block RENAME COLUMN since_ms TO at_ms');
  const unlike = refused(['--store', other]);
  assert.equal(unlike.status, 65, unlike.said);
  assert.match(unlike.said, /column "since_ms" .*: its schema was made by a program that is no version of this one/);
});

test('a pooler in transaction mode is told from the database, and what to do', async () => {
  const url = new URL(databaseFor('pooled'));
  const between = await pooler(Number(url.port));
  url.port = between.address().port;
  const run = (...words) => new Promise((resolve) => {
    execFile(process.env.TALUVAD, ['--store', url.href, ...words], (error, stdout, stderr) => resolve(`${error ? error.code : 0} ${stderr}`));
  });
  for (const words of [['parts', '2'], ['migrate'], ['status']]) assert.match(await run(...words), /^78 .*a connection pooler in transaction mode .*session mode\n$/);
  const server = await run('--listen', '127.0.0.1:0', '--data', join(scratchFolder(), 'data'));
  assert.match(server, /^78 .*a connection pooler in transaction mode/);
  between.end();
});

test('the schema is made, and brought to a version, as a step of its own', async () => {
  const url = databaseFor('schema');
  const migrate = () => {
    const {status, stdout, stderr} = runToEnd(['--store', url, 'migrate']);
    assert.ok(!stderr.includes(password), stderr);
    return `${status} ${stdout}${stderr}`;
  };
  assert.equal(migrate(), '0 schema: version 6, made\n');
  assert.equal(migrate(), '0 schema: version 6, nothing to do\n');
  const server = await Server.start([...quickly, '--store', url]);
  const match = await Match.start(server.port);
  // A newer program has added something that this one need not know: it goes on, and starts.
  askDatabase(url, 'CREATE TABLE taluva.more (id bigint); UPDATE taluva.version SET version = 7');
  await match.step();
  assert.equal(migrate(), '0 schema: version 7, of a newer program; this one, which knows 6, can use it\n');
  await server.stop();
  const again = await Server.start([...quickly, '--store', url], {data: server.data});
  await match.comeBack(again.port);
  await match.step();
  match.end();
  await again.stop();
  // ... and then it has changed something that this one would break.
  askDatabase(url, 'UPDATE taluva.version SET needs = 7');
  assert.match(migrate(), /^65 .*version 7, for programs that know version 7 or a later one, and this program knows 6; install/);
  const newer = refused(['--store', url]);
  assert.equal(newer.status, 65, newer.said);
  assert.match(newer.said, /version 7, for programs that know version 7 or a later one/);
}, 60000);

test('a site is divided while nobody serves it, and served when it is one part', async () => {
  const url = databaseFor('parts');
  const parts = (...words) => {
    const {status, stdout, stderr} = runToEnd(['--store', url, 'parts', ...words]);
    assert.ok(!stderr.includes(password), stderr);
    return {status, said: stdout + stderr};
  };
  assert.deepEqual(parts(), {status: 0, said: '1\n'});
  assert.deepEqual(parts('4'), {status: 0, said: '4\n'});
  const several = refused(['--store', url]);
  assert.equal(several.status, 78, several.said);
  assert.match(several.said, /divided into 4 parts, not 1/);
  assert.deepEqual(parts('1'), {status: 0, said: '1\n'});
  for (const wrong of ['0', '65', 'two', '1x']) assert.equal(parts(wrong).status, 64);
  const server = await Server.start([...quickly, '--store', url]);
  const taken = parts('2');
  assert.equal(taken.status, 75, taken.said);
  assert.deepEqual(parts(), {status: 0, said: '1\n'});
  await server.stop();
  assert.equal(runToEnd(['--data', server.data, 'parts']).status, 64);
});

test('ratings are computed again from the book of a database, divided or not', async () => {
  const url = databaseFor('rebuilt');
  const server = await Server.start([...quickly, '--store', url, '--accounts', 'open', '--accept-ms', '3600000']);
  const players = [await account(server, 'Ana', 'ana'), await account(server, 'Bo', 'bob')];
  await playRated(players);
  const taken = runToEnd(['--store', url, 'ratings', 'rebuild']);
  assert.equal(taken.status, 75, taken.stderr);
  for (const who of players) who.destroy();
  await server.stop();
  for (const parts of ['1', '3']) {
    assert.equal(runToEnd(['--store', url, 'parts', parts]).status, 0);
    const right = runToEnd(['--store', url, 'ratings', 'rebuild']);
    assert.deepEqual([right.status, right.stdout], [0, 'book: 2 entries, 1 matches, 0 annulled; ratings: 2, 0 differences\n'], right.stderr);
    askDatabase(url, 'UPDATE taluva.rating SET strength = strength + 1 WHERE strength > 1500000');
    assert.equal(runToEnd(['--store', url, 'ratings', 'rebuild']).status, 65);
    assert.match(runToEnd(['--store', url, 'ratings', 'rebuild', '--write']).stdout, /1 differences, put right/);
  }
});

test('an embedded store in a folder of its own', async () => {
  const folder = join(scratchFolder(), 'store');
  const server = await Server.start(['--store', folder]);
  await server.stop();
  assert.ok(readFileSync(join(folder, 'taluva.db')).length > 0);
  assert.ok(readFileSync(join(server.data, 'signing-keys')).length > 0);
});

test('an embedded store is copied into a database, and its matches go on there', async () => {
  let server = await Server.start(quickly);
  const {data} = server;
  const url = databaseFor(data);
  const file = join(data, 'taluva.db');
  const over = await Match.start(server.port, {options: {tiles: 24}});
  while (!over.over) await over.step();
  const {record} = await over.players[0].must('record', {room: over.room});
  const match = await Match.start(server.port, {access: 'code'});
  for (let moves = 0; moves < 5; moves++) await match.step();
  const games = await over.players[0].must('games', {});
  assert.equal(admin(data, 'ban', '203.0.113.7', '--for', '1h').status, 0);
  const busy = refused(['--store', url, 'migrate', file]);
  assert.equal(busy.status, 75, busy.said);
  askDatabase(url, 'DROP SCHEMA taluva CASCADE');
  await server.stop();
  setAside(data, {addressee: 77, id: 1, state: 2, kind: 'history.match', text: 'x'});
  const before = readFileSync(file);
  assert.equal(refused(['migrate', file]).status, 64);
  assert.equal(refused(['migrate']).status, 64);
  assert.equal(refused(['--store', url, 'migrate', join(data, 'none.db')]).status, 66);
  const unfinished = refused(['--store', url]);
  assert.equal(unfinished.status, 65, unfinished.said);
  assert.match(unfinished.said, /not finished/);
  askDatabase(url, 'DROP SCHEMA taluva CASCADE');
  const copied = runToEnd(['--store', url, 'migrate', file]);
  assert.equal(copied.status, 0, copied.stderr);
  assert.match(copied.stdout, /^copied: \d+ sessions, 2 rooms, \d+ of them archived, \d+ events\n$/);
  assert.deepEqual(readFileSync(file), before);
  const again = refused(['--store', url, 'migrate', file]);
  assert.equal(again.status, 73, again.said);
  server = await Server.start([...quickly, '--store', url], {data});
  await match.comeBack(server.port);
  await match.verify();
  await match.step();
  assert.match(admin(data, 'bans').stdout, /203\.0\.113\.7/);
  assert.match(admin(data, 'letters').stdout, /unreadable/);
  const back = await player(server.port, 'x', {token: over.players[0].token});
  assert.equal((await back.must('record', {room: over.room})).record, record);
  assert.deepEqual(await back.must('games', {}), games);
  match.end();
  await server.stop();
}, 120000);

// A store with one row changed is not copied in part.
test('what is damaged is not copied', async () => {
  const server = await Server.start();
  const file = join(server.data, 'taluva.db');
  const url = databaseFor(server.data);
  const match = await Match.start(server.port);
  match.end();
  await server.stop();
  changeLog(server.data, match.room);
  const {status, said} = refused(['--store', url, 'migrate', file]);
  assert.equal(status, 65, said);
  assert.match(said, /drop its schema taluva/);
});

await run();
