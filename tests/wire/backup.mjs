// Copies of a store: whole or not there, whoever is killed while they are made; and put back in place of a store.
import {spawn, spawnSync} from 'node:child_process';
import {existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {assert, run, test} from './lib/tap.mjs';
import {setAside} from './lib/damage.mjs';
import {Match} from './lib/match.mjs';
import {runToEnd, scratchFolder, Server} from './lib/server.mjs';
import {player} from './lib/socket.mjs';

const admin = (data, ...words) => spawnSync(process.env.TALUVA_ADMIN_PROGRAM, ['--socket', join(data, 'admin.sock'), ...words], {encoding: 'utf8'});

async function stopped(server) {
  await server.stop();
  return server;
}

async function playSome(match, count) {
  for (let at = 0; at < count && !match.over; at++) await match.step();
}

test('a copy in place of another one', async () => {
  const server = await Server.start();
  const copy = join(scratchFolder(), 'copy.db');
  const backup = (...more) => runToEnd(['--data', server.data, 'backup', ...more, copy]);
  assert.equal(backup().status, 0);
  const match = await Match.start(server.port);
  const first = readFileSync(copy);
  assert.match(backup().stderr, /File exists/);
  assert.deepEqual(readFileSync(copy), first);
  assert.equal(backup('--force').status, 0);
  assert.notDeepEqual(readFileSync(copy), first);
  match.end();
  await server.stop();
});

test('a backup never takes the place of a file of the server, whatever the folder is called', async () => {
  const server = await Server.start();
  const match = await Match.start(server.port);
  const link = join(scratchFolder(), 'link');
  symlinkSync(server.data, link);
  for (const folder of [server.data, `${server.data}/`, `${server.data}/../data`, link]) {
    for (const name of ['taluva.db', 'taluva.db-wal', 'taluva.db-shm', 'taluva.db-journal', 'lock', 'signing-keys', 'push-key', 'bans']) {
      for (const force of [[], ['--force']]) {
        const {status, stderr} = runToEnd(['--data', server.data, 'backup', ...force, `${folder}/${name}`]);
        assert.equal(status, 74, name);
        assert.match(stderr, /is one of the server's own files/);
      }
    }
  }
  const {status, stderr} = spawnSync(process.env.TALUVAD, ['--data', '.', 'backup', '--force', 'taluva.db'], {cwd: server.data, encoding: 'utf8'});
  assert.equal(status, 74, stderr);
  assert.equal(runToEnd(['--data', server.data, 'backup', join(server.data, 'taluva.db.copy')]).status, 0, 'what is called otherwise is a copy');
  await playSome(match, 4);
  await server.stop('SIGKILL');
  const again = await Server.start([], {data: server.data});
  await match.comeBack(again.port);
  await match.verify();
  match.end();
  await again.stop();
});

/* A whole store, or nothing: and nothing that the next one stumbles over. */
test('a backup that is cut short', async () => {
  const server = await Server.start();
  const match = await Match.start(server.port);
  await playSome(match, 10);
  const folder = scratchFolder(), copy = join(folder, 'copy.db');
  for (const limit of [0, 4096, 20480]) {
    const small = spawnSync('prlimit', [`--fsize=${limit}`, '--core=0', process.env.TALUVAD, '--data', server.data, 'backup', copy],
      {encoding: 'utf8'});
    assert.equal(small.status, 74, small.stderr);
    assert.match(small.stderr, /copy/);
    assert.deepEqual(readdirSync(folder), []);
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGKILL']) {
    const stopped = spawn(process.env.TALUVAD, ['--data', server.data, 'backup', copy]);
    const ended = new Promise((resolve) => stopped.on('close', (status, by) => resolve({status, by})));
    /* As early or late as it happens to be: what is there afterwards is whole. */
    while (!readdirSync(folder).length && stopped.exitCode === null) await new Promise((resolve) => setImmediate(resolve));
    stopped.kill(signal);
    await ended;
    if (existsSync(copy)) assert.equal(runToEnd(['check', copy]).status, 0);
    const again = runToEnd(['--data', server.data, 'backup', '--force', copy]);
    assert.equal(again.status, 0, again.stderr);
    assert.deepEqual(readdirSync(folder), ['copy.db']);
    rmSync(copy);
  }
  match.end();
  await server.stop();
});

/* Everybody comes back to the match as it was when the copy was made, and can go on from there. */
test('a copy is restored', async () => {
  const {data} = await stopped(await Server.start());
  const copy = join(scratchFolder(), 'copy.db');
  setAside(data, {addressee: 77, id: 1, state: 2, kind: 'history.match', text: 'x'});
  let server = await Server.start([], {data});
  const match = await Match.start(server.port);
  await playSome(match, 6);
  assert.equal(admin(data, 'ban', '203.0.113.7', '--for', '1h').status, 0);
  assert.equal(runToEnd(['--data', data, 'backup', copy]).status, 0);
  assert.equal(admin(data, 'lift', '203.0.113.7').status, 0);
  const [token] = match.players.map((who) => who.token);
  await playSome(match, 6);
  const used = runToEnd(['--data', data, 'restore', copy]);
  assert.equal(used.status, 75);
  assert.match(used.stderr, /another server \(process \d+\) uses the store/);
  match.end();
  await server.stop('SIGKILL');
  assert.ok(existsSync(join(data, 'taluva.db-wal')));
  const restored = runToEnd(['--data', data, 'restore', copy]);
  assert.equal(restored.status, 0, restored.stderr);
  assert.match(restored.stdout, /0 rooms damaged, 0 other findings\nrestored: .*\nkept: .*taluva\.db\.before-1;.*\nnot in a copy/);
  server = await Server.start([], {data});
  const back = await player(server.port, 'x', {token});
  const view = await back.must('watch', {room: match.room});
  assert.ok(view.seq < match.seqs[0], `${view.seq}`);
  assert.match(admin(data, 'bans').stdout, /203\.0\.113\.7/, 'documents as they were');
  assert.match(admin(data, 'letters').stdout, /unreadable/);
  back.destroy();
  await server.stop();
  assert.equal(runToEnd(['check', join(data, 'taluva.db.before-1')]).status, 0);
});

test('what cannot be restored changes nothing', async () => {
  const server = await Server.start();
  const {data} = server, folder = scratchFolder();
  await server.stop();
  const before = readdirSync(data).sort(), store = readFileSync(join(data, 'taluva.db'));
  writeFileSync(join(folder, 'noise'), 'this is no database, and so no store. '.repeat(20));
  writeFileSync(join(folder, 'empty'), '');
  for (const [file, status, says] of [['noise', 65, /not a database/], ['empty', 65, /is empty/], ['none', 66, /No such file/]]) {
    const refused = runToEnd(['--data', data, 'restore', join(folder, file)]);
    assert.equal(refused.status, status, refused.stderr);
    assert.match(refused.stderr, says);
  }
  const itself = runToEnd(['--data', data, 'restore', join(data, 'taluva.db')]);
  assert.equal(itself.status, 75);
  assert.match(itself.stderr, /is the store itself/);
  assert.deepEqual(readdirSync(data).sort(), before);
  assert.deepEqual(readFileSync(join(data, 'taluva.db')), store);
});

/* An empty site would tell everybody who comes back that it does not know them. */
test('a store that is lost is no new one', async () => {
  const first = await Server.start();
  const {data} = first, store = join(data, 'taluva.db'), copy = join(scratchFolder(), 'copy.db');
  await first.stop();
  assert.equal(runToEnd(['--data', data, 'backup', copy]).status, 0);
  const start = (...more) => runToEnd(['--listen', '127.0.0.1:0', '--data', data, ...more]);
  writeFileSync(store, '');
  assert.equal(start('--new-store').status, 65);
  assert.match(start().stderr, /taluva\.db is empty or cut short, which a store never is: restore a backup/);
  rmSync(store);
  const lost = start();
  assert.equal(lost.status, 66);
  assert.match(lost.stderr, /no store in .*, but keys of a server are there: restore a backup with `taluvad restore`, or begin anew with --new-store/);
  assert.ok(!existsSync(store));
  const anew = await Server.start(['--new-store'], {data});
  await anew.stop();
  rmSync(store);
  assert.equal(runToEnd(['--data', data, 'restore', copy]).status, 0);
  const again = await Server.start([], {data});
  await again.stop();
  /* By hand, with the log of the store before still there. */
  writeFileSync(store, readFileSync(copy));
  writeFileSync(`${store}-wal`, 'a log');
  assert.equal(start().status, 65);
  assert.match(start().stderr, /is a copy, and the log beside it \(-wal\) is that of another store/);
  assert.equal(runToEnd(['--data', data, 'check']).status, 65);
});

await run();
