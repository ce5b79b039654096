// `taluvad check`: its output and exit status for stores of real matches, whole and damaged.
import {execFileSync} from 'node:child_process';
import {closeSync, copyFileSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync, writeSync} from 'node:fs';
import {join} from 'node:path';
import {changeLog, changeStore, setAside} from './lib/damage.mjs';
import {Match} from './lib/match.mjs';
import {runToEnd, scratchFolder, Server} from './lib/server.mjs';
import {assert, run, test} from './lib/tap.mjs';

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** A store with two matches that go on and one that is over and archived: {data, rooms, over}. */
async function playedStore() {
  const server = await Server.start(['--requests-per-s', '1000', '--requests-burst', '1000', '--over-idle-ms', '1000']);
  const over = await Match.start(server.port), rooms = [];
  await over.players[0].must('resign', {room: over.room});
  over.end();
  while (!/^taluva_rooms\{phase="over"\} 0$/m.test((await server.get('/metrics')).body)) await pause(100); // it is archived
  for (let at = 0; at < 2; at++) {
    const match = await Match.start(server.port);
    for (let moves = 0; moves < 5; moves++) await match.step();
    match.end();
    rooms.push(match.room);
  }
  const {data} = server;
  return {server, data, rooms, over: over.room};
}

const check = (...args) => runToEnd(['check', ...args]);
const lines = ({stdout}) => stdout.trimEnd().split('\n');

test('a store that is whole, its backup, and a server that is using it', async () => {
  const {server, data, rooms} = await playedStore();
  const copy = join(scratchFolder(), 'copy.db');
  const used = check('--data', data);
  assert.equal(used.status, 75, used.stdout);
  assert.match(used.stderr, new RegExp(`a server \\(process ${server.pid}\\) uses the store`));
  assert.equal(runToEnd(['--data', data, 'backup', copy]).status, 0);
  await server.stop('SIGKILL');
  for (const ended of [check(copy), check('--data', data), check(join(data, 'taluva.db'))]) {
    assert.equal(ended.status, 0, ended.stdout + ended.stderr);
    assert.equal(ended.stderr, '');
    assert.equal(lines(ended).length, 1);
    assert.match(ended.stdout, /: 6 sessions, 2 live rooms, 1 archived rooms, \d+ events; 0 rooms damaged, 0 other findings\n$/);
  }
  const next = await Server.start([], {data}); // nothing was left behind that keeps a server out
  assert.equal((await next.stop()).status, 0, next.stderr);
  assert.equal(rooms.length, 2);
}, 60000);

test('rooms that are damaged, each with its id, why and where', async () => {
  const {server, data, rooms} = await playedStore();
  await server.stop();
  changeLog(data, rooms[0]);
  changeLog(data, rooms[1], {chain: true});
  setAside(data, {addressee: 77, id: 1, state: 2, kind: 'history.match', text: 'x'});
  assert.equal(lines(check('--data', data)).length, 3, 'a letter is no finding');
  changeStore(data, `UPDATE letter SET text = 'y'; INSERT INTO document VALUES ('bans', 7, 'x', x'00112233445566778899aabbccddeeff')`);
  const ended = check('--data', data);
  assert.equal(ended.status, 65, ended.stderr);
  assert.equal(lines(ended).length, 5, ended.stdout);
  for (const what of ['a letter', 'a document']) assert.match(ended.stdout, new RegExp(`${what}`), ended.stdout);
  assert.match(ended.stdout, new RegExp(`^room ${rooms[0]}: its log was changed at event \\d+$`, 'm'));
  assert.match(ended.stdout, new RegExp(`^room ${rooms[1]}: event \\d+ cannot be replayed$`, 'm'));
  assert.match(lines(ended)[4], /; 2 rooms damaged, 2 other findings$/);
}, 60000);

test('a room of a game that is not known, one without events, an archived match that is not over', async () => {
  const {server, data, rooms, over} = await playedStore();
  await server.stop();
  const database = join(data, 'taluva.db');
  const sql = (text) => execFileSync('python3', ['-Ic', 'import sqlite3, sys\ndb = sqlite3.connect(sys.argv[1])\ndb.executescript(sys.argv[2])', database, text]);
  sql(`DELETE FROM event WHERE room = (SELECT key FROM room WHERE id = '${rooms[0]}')`);
  changeLog(data, rooms[1], {chain: true, set: `text = replace(text, '"taluva"', '"chess"')`, kind: 0});
  let ended = check('--data', data);
  assert.equal(ended.signal, null, ended.stderr);
  assert.match(ended.stdout, new RegExp(`^room ${rooms[0]}: its log has lost its end at event 1$`, 'm'));
  assert.match(ended.stdout, new RegExp(`^room ${rooms[1]}: event 1 cannot be replayed$`, 'm'));
  assert.ok(!ended.stdout.includes(over), ended.stdout);
  assert.equal(ended.status, 65);
  ended = check('--data', data, database);
  assert.equal(ended.status, 65);
}, 60000);

test('flipped bits and pages, and files that are no store', async () => {
  const {server, data} = await playedStore();
  await server.stop();
  const whole = readFileSync(join(data, 'taluva.db')), folder = scratchFolder();
  const broken = join(folder, 'broken.db');
  const look = (bytes) => {
    writeFileSync(broken, bytes);
    const ended = check(broken);
    assert.ok(readFileSync(broken).equals(bytes), 'it was written to');
    assert.equal(ended.signal, null, ended.stderr);
    return ended;
  };
  let found = 0;
  for (let at = 0; at < 120; at++) {
    const bytes = Buffer.from(whole);
    bytes[(at * 7919 * 13 + 100) % bytes.length] ^= 1 << at % 8;
    const ended = look(bytes);
    assert.ok([0, 65].includes(ended.status), `${ended.status} ${ended.stderr}`);
    found += ended.status === 65;
  }
  assert.ok(found > 0, `${found}`);
  for (const bytes of [whole.subarray(0, 4096 * 3), whole.subarray(0, 700), Buffer.alloc(0), Buffer.alloc(9000, 'x')])
    assert.equal(look(bytes).status, 65);
  const newer = Buffer.from(whole);
  newer.writeUInt32BE(999, 60); // user_version in SQLite's header
  const ended = look(newer);
  assert.equal(ended.status, 65);
  assert.match(ended.stderr, /version 999/);
  assert.equal(check(join(folder, 'none.db')).status, 66);
  assert.equal(check('--data', join(folder, 'none')).status, 66);
  assert.equal(check('a', 'b').status, 64);
  mkdirSync(join(folder, 'data'));
  copyFileSync(join(data, 'taluva.db'), join(folder, 'data', 'taluva.db'));
  assert.equal(check('--data', join(folder, 'data')).status, 0);
}, 120000);

test('a store that is moved away while a server uses it, and comes back', async () => {
  const server = await Server.start(['--store-retry-max-ms', '300']);
  const match = await Match.start(server.port);
  await match.step();
  const file = join(server.data, 'taluva.db'), away = join(scratchFolder(), 'away.db');
  const status = async () => (await server.get('/readyz')).status;
  renameSync(file, away);
  const actor = match.playerOf(match.actingSeat);
  const {moves, eliminating = []} = await actor.must('moves', {room: match.room});
  const move = moves.find((one) => !eliminating.includes(one));
  assert.equal((await actor.ask('move', {room: match.room, move})).error.code, 'store_failing');
  assert.equal(await status(), 503);
  await server.logged(/event=store_commit_failed why="[^"]*taluva\.db was moved away, replaced or deleted: put it back"/);
  renameSync(away, file);
  while ((await status()) !== 200) await pause(50);
  for (let moves_made = 0; moves_made < 3; moves_made++) await match.step();
  await match.verify();
  match.end();
  assert.equal((await server.stop()).status, 0, server.stderr);
  assert.equal(check('--data', server.data).status, 0);
}, 60000);

test('a large store is checked while it is played on', async () => {
  const {server, data} = await playedStore();
  await server.stop();
  const database = join(data, 'taluva.db'), MiB = 1 << 20;
  const python = (text) => execFileSync('python3', ['-Ic', `import sqlite3, sys\ndb = sqlite3.connect(sys.argv[1])\n${text}`, database], {encoding: 'utf8'});
  python(`db.executescript("CREATE TABLE pad (a); INSERT INTO pad VALUES (zeroblob(${65 * MiB})); DROP TABLE pad")`);
  const page = Number(python(`print(db.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'archived_event'").fetchone()[0])`));
  const playOn = async (damage) => {
    const next = await Server.start([], {data});
    const match = await Match.start(next.port);
    const gauge = async (name) => Number(new RegExp(`^taluva_${name} (\\d)$`, 'm').exec((await next.get('/metrics')).body)[1]);
    while (await gauge('store_checking')) await pause(50);
    assert.equal(await gauge('store_damage'), damage);
    assert.equal(await gauge('store_check_failed'), 0);
    for (let moves = 0; moves < 3; moves++) await match.step();
    match.end();
    assert.equal((await next.stop()).status, 0, next.stderr);
    return next.stderr.match(/^.*event=store_(structure|check).*$/gm);
  };
  assert.equal(await playOn(0), null);
  const file = openSync(database, 'r+');
  writeSync(file, Buffer.alloc(4096), 0, 4096, (page - 1) * 4096);
  closeSync(file);
  const said = await playOn(1);
  assert.equal(said.length, 1, said.join('\n'));
  assert.match(said[0], /level=error event=store_structure_damaged why=".*: stop the server, run taluvad check and restore the backup"/);
  const found = check('--data', data);
  assert.equal(found.status, 65, found.stdout);
}, 60000);

test('finished matches that are too many go, the first ones, and leave a store that is whole', async () => {
  const server = await Server.start(['--over-idle-ms', '1000']);
  const rooms = [];
  for (let at = 0; at < 3; at++) {
    const match = await Match.start(server.port);
    await match.players[0].must('resign', {room: match.room});
    match.end();
    rooms.push(match.room);
  }
  while (!/^taluva_rooms\{phase="over"\} 0$/m.test((await server.get('/metrics')).body)) await pause(100); // they are archived
  await server.stop();
  const next = await Server.start(['--keep-matches', '1'], {data: server.data});
  const figure = async (line) => (await next.get('/metrics')).body.includes(`\n${line}\n`);
  while (!(await figure('taluva_matches_dropped_total{of="people"} 2'))) await pause(50);
  const statuses = [];
  for (const room of rooms) statuses.push((await next.get(`/api/records/${room}`)).status);
  assert.deepEqual(statuses, [404, 404, 200]);
  while (!(await figure('taluva_matches_kept{of="people"} 1'))) await pause(50);
  assert.equal((await next.stop()).status, 0, next.stderr);
  const ended = check('--data', server.data);
  assert.match(ended.stdout, /, 0 live rooms, 1 archived rooms, \d+ events; 0 rooms damaged, 0 other findings\n$/);
}, 60000);

test('a server that cannot read its store says what to do', () => {
  const data = join(scratchFolder(), 'data');
  mkdirSync(data);
  writeFileSync(join(data, 'taluva.db'), Buffer.alloc(9000, 'x'));
  const ended = runToEnd(['--listen', '127.0.0.1:0', '--data', data]);
  assert.equal(ended.status, 65);
  assert.ok(ended.stderr.startsWith(`taluvad: the store in ${data}: `), ended.stderr);
  assert.equal(ended.stderr.split('\n').length, 2);
  assert.match(ended.stderr, /not a database.*`taluvad check` says what is damaged; restore a backup/);
});

// tests/unit/store/described.mjs has made it: accounts, a rated match, a block, a seek, a ban, a letter that was set aside.
test('what features have kept by an earlier program is whole, and goes on', async () => {
  const data = join(scratchFolder(), 'data');
  mkdirSync(data, {mode: 0o700});
  changeStore(data, readFileSync(new URL('../unit/store/version7-described.sql', import.meta.url), 'utf8'));
  const whole = () => assert.match(check('--data', data).stdout, /: 4 sessions, 2 live rooms, 0 archived rooms, \d+ events; 0 rooms damaged, 0 other findings\n$/);
  whole();
  const {status, stdout, stderr} = runToEnd(['--data', data, 'ratings', 'rebuild']);
  assert.equal(status, 0, stdout + stderr);
  const server = await Server.start(['--accounts', 'open'], {data});
  assert.match((await server.get('/api/book/0')).body, /"class":"taluva.duel.live"/);
  assert.equal((await server.stop()).status, 0);
  whole();
});

test('a table that has other columns than this program\'s is named', async () => {
  const server = await Server.start();
  await server.stop();
  changeStore(server.data, 'ALTER TABLE block RENAME COLUMN since_ms TO at_ms');
  const ended = runToEnd(['--listen', '127.0.0.1:0', '--data', server.data]);
  assert.equal(ended.status, 65, ended.stderr);
  assert.match(ended.stderr, /its table block has no column since_ms: it was made by a program that is no version of this one/);
  const checked = check('--data', server.data);
  assert.equal(checked.status, 65);
  assert.match(checked.stdout, /^its table block has no column since_ms: /m);
});

test('a file that is not there, and folders that cannot be used', () => {
  const folder = scratchFolder();
  const missing = check(join(folder, 'none.db'));
  assert.equal(missing.status, 66);
  assert.equal(missing.stderr, `taluvad: reading ${folder}/none.db: No such file or directory\n`);
  writeFileSync(join(folder, 'file'), '');
  const ended = runToEnd(['--listen', '127.0.0.1:0', '--data', join(folder, 'file')]);
  assert.equal(ended.status, 73);
  assert.equal(ended.stderr, `taluvad: the store in ${folder}/file: opening the folder ${folder}/file: Not a directory; --data names another folder\n`);
});

await run();
