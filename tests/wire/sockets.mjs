// Sockets: where the server listens, which and how many it takes, and how it ends.
import {execFileSync} from 'node:child_process';
import {existsSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import net from 'node:net';
import {join} from 'node:path';
import {assert, run, test} from './lib/tap.mjs';
import {Match} from './lib/match.mjs';
import {runToEnd, scratchFolder, Server, slowDisk} from './lib/server.mjs';
import {CLOSE, frame, handshake, player, Raw, Socket} from './lib/socket.mjs';

const pause = (ms = 20) => new Promise((resolve) => setTimeout(resolve, ms));
const GET = 'GET /healthz HTTP/1.1\r\nHost: x\r\n';

// ---- where it listens ----

const endWith = (listen) => runToEnd(['--data', join(scratchFolder(), 'data'), ...listen.flatMap((where) => ['--listen', where])]);
const nobodys = '192.0.2.1'; // can be read, and not listened on
const long = (length) => `unix:/no/such/${'x'.repeat(length - '/no/such/'.length)}`;

test('addresses that can be read, and others', () => {
  for (const where of [`${nobodys}:0`, `${nobodys}:9`, `${nobodys}:65535`, '[2001:db8::1]:80',
    '[2001:0db8:ffff:ffff:ffff:ffff:255.255.255.255]:80', long(107)]) {
    const ended = endWith([where]);
    assert.equal(ended.status, 69, `${where}: ${ended.stderr}`);
    assert.ok(ended.stderr.includes(`cannot listen on ${where}: `), ended.stderr);
  }
  for (const where of [`${nobodys}:65536`, `${nobodys}:`, `${nobodys}:+80`, `${nobodys}: 80`, `${nobodys}:80x`, `${nobodys}:/`,
    `${nobodys}::`, ':80', '[]:80', '[:80', '[127.0.0.1]:80', `${'1'.repeat(47)}:80`, `${'1'.repeat(48)}:80`, `${'1'.repeat(49)}:80`,
    'unix:', long(108)]) {
    const ended = endWith([where]);
    assert.equal(ended.status, 64, `${where}: ${ended.stderr}`);
    assert.ok(ended.stderr.includes('not PORT, ADDRESS:PORT'), ended.stderr);
  }
});

test('eight addresses, and no more; all of them or none', async () => {
  const server = await Server.start(Array(7).fill(['--listen', '127.0.0.1:0']).flat());
  const ports = [...server.stdout.matchAll(/listening on http:\/\/127\.0\.0\.1:(\d+)\n/g)].map((found) => Number(found[1]));
  assert.equal(new Set(ports).size, 8, server.stdout);
  for (const port of ports) {
    const raw = await Raw.connect(port);
    raw.write(`${GET}Connection: close\r\n\r\n`);
    assert.match(await raw.rest(), /200 OK/);
  }
  await server.stop();
  const many = endWith(Array(9).fill('127.0.0.1:0'));
  assert.equal(many.status, 64);
  assert.match(many.stderr, /too many addresses/);
  assert.equal(endWith(['127.0.0.1:0', `${nobodys}:80`]).status, 69);
});

test('a port is taken again at once', async () => {
  const first = await Server.start();
  const {port, data} = first;
  const left = await Raw.connect(port);
  left.write(`${GET}\r\n`);
  await left.httpHead();
  await first.stop(); // which closes first, so that the system keeps the port for a while
  const ended = Server.start(['--listen', `127.0.0.1:${port}`], {data});
  assert.equal((await (await ended).stop()).status, 0);
});

test('a Unix socket replaces one that nobody uses, and nothing else', async () => {
  const path = join(scratchFolder(), 'socket');
  const where = `unix:${path}`;
  const taken = () => {
    const ended = endWith([where]);
    assert.equal(ended.status, 69, ended.stderr);
    assert.match(ended.stderr, /in use/);
  };
  writeFileSync(path, 'mine');
  taken();
  assert.equal(readFileSync(path, 'utf8'), 'mine');
  rmSync(path);
  const server = await Server.start(['--listen', where]);
  assert.ok(server.stdout.includes(`listening on ${where}\n`), server.stdout);
  taken();
  assert.match(await new Promise((resolve, reject) => {
    const socket = net.connect(path);
    let text = '';
    socket.on('data', (bytes) => (text += bytes));
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
    socket.write(`${GET}Connection: close\r\n\r\n`);
  }), /200 OK/);
  await server.stop();
  assert.ok(!existsSync(path));
});

test('what is missing of TLS is named', () => {
  const cert = join(scratchFolder(), 'cert.pem');
  writeFileSync(cert, '-----BEGIN CERTIFICATE-----\n');
  for (const [certFile, keyFile, why] of [[cert, '/no/such', /--tls-key \/no\/such: No such file/],
    ['/no/such', '/dev/null', /--tls-cert \/no\/such: No such file/], [cert, cert, /--tls-key .*: there is no PRIVATE KEY in it/]]) {
    const ended = runToEnd(['--data', join(scratchFolder(), 'data'), '--tls-cert', certFile, '--tls-key', keyFile]);
    assert.equal(ended.status, 69);
    assert.match(ended.stderr, why);
  }
  const half = runToEnd(['--data', join(scratchFolder(), 'data'), '--tls-key', '/dev/null']);
  assert.equal(half.status, 64);
  assert.match(half.stderr, /both/);
});

// ---- how many it takes ----

test('sockets of HTTP are counted until they are closed or become WebSockets', async () => {
  const server = await Server.start(['--http-sockets-per-address', '3', '--log-level', 'debug']);
  const metrics = async () => await server.metrics();
  const becomes = async (number) => { // one more is open to ask, and those that asked may not be gone yet
    while ((await metrics()).taluva_http_sockets !== number + 1) await pause();
  };
  const open = async () => {
    const raw = await Raw.connect(server.port, {localAddress: '127.0.0.9'});
    raw.write(`${GET}\r\n`);
    return {raw, taken: (await raw.httpHead()) !== ''};
  };
  const held = [await open(), await open(), await open()];
  assert.ok(held.every(({taken}) => taken));
  await becomes(3);
  assert.equal((await open()).taken, false, 'a fourth');
  assert.equal((await metrics())['taluva_sockets_refused_total{why="address"}'], 1);
  held[0].raw.write(handshake(server.port).text);
  assert.match(await held[0].raw.until((raw) => / 101 /.exec(raw.received.toString())?.[0]), /101/);
  await becomes(2);
  held.push(await open());
  assert.ok(held.at(-1).taken, 'one is a WebSocket now');
  held[1].raw.destroy();
  await becomes(2);
  held.push(await open());
  assert.ok(held.at(-1).taken, 'one is closed now');
  await becomes(3);
  for (const {raw} of held) raw.destroy();
  await becomes(0);
  assert.equal((await metrics()).taluva_http_answer_bytes, 0);
  await server.stop();
  await server.logged(/event=connection_refused why=address\n/);
  assert.doesNotMatch(server.stderr, /event=(accept_failed|connection_closed|connection_failed)/);
});

test('who asks more and more without reading is cut', async () => {
  const server = await Server.start(['--http-timeout-ms', '600000']);
  const raw = await Raw.connect(server.port);
  raw.socket.pause();
  const asking = setInterval(() => raw.write('GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(100)), 20);
  while ((await server.metrics()).taluva_http_sockets !== 1) await pause();
  clearInterval(asking);
  raw.destroy();
  assert.equal((await server.stop()).status, 0, server.stderr);
});

test('as many open files as connections need', async () => {
  const limits = (server) => execFileSync('prlimit', ['--pid', String(server.pid), '--nofile', '--noheadings', '--output', 'SOFT,HARD'],
    {encoding: 'utf8'}).trim().split(/\s+/).map(Number);
  const args = ['--connections', '100', '--http-sockets', '50'];
  const enough = await Server.start(args, {prefix: ['prlimit', '--nofile=70:1000']});
  assert.deepEqual(limits(enough), [100 + 2 * 50 + 64, 1000]);
  await enough.stop();
  assert.doesNotMatch(enough.stderr, /event=few_files/);
  const exactly = await Server.start(args, {prefix: ['prlimit', '--nofile=70:264']});
  assert.deepEqual(limits(exactly), [264, 264]);
  await exactly.stop();
  assert.doesNotMatch(exactly.stderr, /event=few_files/);
  const few = await Server.start(args, {prefix: ['prlimit', '--nofile=70:200']});
  assert.deepEqual(limits(few), [200, 200]);
  await few.stop();
  await few.logged(/event=few_files why="the limit of open files is below connections" limit=200\n/);
});

test('at the limit of open files a match goes on, newcomers are let in for idle connections, and the log stays small', async () => {
  const server = await Server.start(['--http-timeout-ms', '600000', '--metrics-everywhere'], {prefix: ['prlimit', '--nofile=44:44']});
  const match = await Match.start(server.port);
  const idle = [];
  for (let count = 0; count < 60; count++) idle.push(await Raw.connect(server.port));
  while ((await server.metrics())['taluva_sockets_refused_total{why="full"}'] < 20) await pause();
  await match.step();
  await match.step();
  const late = await player(server.port, 'Late');
  late.destroy();
  for (const raw of idle) raw.destroy();
  match.end();
  assert.equal((await server.stop()).status, 0, server.stderr);
  const lines = server.stderr.match(/event=(accept_failed|sockets_at_file_limit)/g);
  assert.ok(lines.length >= 1 && lines.length <= 20, server.stderr);
});

test('two hundred WebSockets, each served and pinged', async () => {
  const server = await Server.start(['--connections-per-address', '1000', '--sessions-per-address-burst', '1000',
    '--ping-interval-ms', '1000', '--requests-per-address-burst', '10000', '--log-level', 'debug']);
  const sockets = [];
  for (let at = 0; at < 200; at++) sockets.push(await player(server.port, `P${at}`));
  for (const socket of sockets) assert.ok((await socket.ask('ping')).ok);
  while (sockets.some((socket) => socket.pings < 2)) await pause();
  const served_ms = (await sockets[0].must('ping')).time - sockets[0].hello.time, most = served_ms / 1000 + 2;
  for (const socket of sockets) assert.ok(socket.pings <= most, `${socket.pings} pings, not ${most}`);
  // Those that go leave places that others take.
  for (let at = 0; at < 200; at += 3) sockets[at].destroy();
  while ((await server.metrics()).taluva_connections !== 133) await pause();
  for (let at = 0; at < 200; at += 3) sockets[at] = await player(server.port, `Q${at}`);
  for (const socket of sockets) assert.ok((await socket.ask('ping')).ok);
  assert.equal((await server.metrics()).taluva_connections, 200);
  for (const socket of sockets) socket.destroy();
  await server.stop();
}, 60000);

test('who goes away is missed at once', async () => {
  const server = await Server.start();
  const match = await Match.start(server.port);
  const [ana, bo] = match.players;
  bo.destroy();
  const {online} = await ana.push((one) => one.push === 'presence' && one.online?.[bo.seat] === false);
  assert.deepEqual(online, {[bo.seat]: false});
  match.end();
  await server.stop();
});

test('what comes behind a long message is not held back', async () => {
  const server = await Server.start(['--requests-per-s', '1000', '--requests-burst', '1000', '--work-per-s', '100000', '--work-burst', '100000',
    '--requests-per-address-per-s', '100000', '--requests-per-address-burst', '100000']);
  const match = await Match.start(server.port);
  const [ana] = match.players;
  const text = 'x'.repeat(280);
  let length = 0;
  for (let turn = 0; length < 8192; turn++) {
    assert.ok(turn < 40);
    await match.step();
    const past = await ana.must('past', {room: match.room, have: 0});
    length = JSON.stringify(past).length;
  }
  for (let turn = 0; turn < 3; turn++) {
    ana.write(Buffer.concat([frame(JSON.stringify({id: 7001, op: 'past', room: match.room, have: 0})),
      frame(JSON.stringify({id: 7002, op: 'ping'})), frame(JSON.stringify({id: 7003, op: 'past', room: match.room, have: 0})),
      frame(JSON.stringify({id: 7004, op: 'say', room: match.room, text}))]));
    for (const id of [7001, 7002, 7003, 7004]) assert.ok((await ana.reply(id)).ok);
  }
  match.end();
  await server.stop();
});

/** Asks for changes one after the other until `over` says so; how many there were. */
async function change(client, over) {
  let changes = 0;
  for (; !over(); changes++) await client.must('rename', {name: `Ana ${changes % 7}`});
  return changes;
}

test('commits keep an interval while much is asked for, and none afterwards', async () => {
  const server = await Server.start(['--commit-interval-ms', '6', '--requests-per-s', '100000', '--requests-burst', '100000',
    '--requests-per-address-per-s', '100000', '--requests-per-address-burst', '100000']);
  const players = await Promise.all(Array.from({length: 40}, () => player(server.port, 'Ana')));
  const interval = async () => (await server.metrics()).taluva_commit_interval_seconds;
  let longest = 0;
  const changing = players.map((client) => change(client, () => longest > 0));
  while (longest === 0) longest = await interval();
  const changes = (await Promise.all(changing)).reduce((sum, each) => sum + each, 0);
  assert.ok(longest >= 0.0005 && longest <= 0.006, `${longest} s`);
  await pause(300);
  await players[0].must('rename', {name: 'Bea'});
  assert.equal(await interval(), 0);
  const {taluva_batch_ops_count: commits, taluva_batch_ops_sum: operations} = await server.metrics();
  assert.ok(operations >= changes && commits < operations, `${changes} changes: ${operations} operations, ${commits} commits`);
  await server.stop();
});

test('waiting for the disk is not being busy', async () => {
  const server = await Server.start([], {env: slowDisk({SLOW_DISK_MS: '400'})});
  const players = [];
  for (let at = 0; at < 5; at++) players.push(await player(server.port, 'Ana')); // a commit each
  const served_ms = (await players[0].must('ping')).time - players[0].hello.time;
  const {taluva_loop_turn_seconds_count: turns, taluva_loop_turn_seconds_sum: busy_s} = await server.metrics();
  assert.ok(turns > 4, `${turns} turns`);
  assert.ok(busy_s < (served_ms / 1000) * 0.9, `busy for ${busy_s} s, and it has only waited`);
  await server.stop();
});

test('metrics for everybody, if that is asked for', async () => {
  const server = await Server.start(['--metrics-everywhere']);
  const {status} = await server.get('/metrics', {headers: {'X-Forwarded-For': '192.0.2.1'}});
  assert.equal(status, 200);
  await server.stop();
});

// ---- how it ends ----

/** A server in the middle of a commit that lasts until `hold` is removed, and the request for it. */
async function holdCommit(args = []) {
  const hold = join(scratchFolder(), 'hold');
  const server = await Server.start(args, {env: slowDisk({SLOW_DISK_HOLD: hold})});
  const host = await player(server.port, 'Host');
  writeFileSync(hold, '');
  const created = host.must('create', {}).catch((error) => error);
  while (!existsSync(`${hold}.waits`)) await pause();
  return {server, hold, host, created};
}

test('SIGTERM waits for what is being stored', async () => {
  const {server, hold, host, created} = await holdCommit(['--drain-timeout-ms', '600000']);
  const ended = server.stop('SIGTERM');
  while (!server.stderr.includes('event=draining')) await pause();
  await server.logged(/event=draining signal=15\n/);
  await pause(300);
  rmSync(hold);
  assert.ok((await created).room);
  assert.deepEqual(await ended, {status: 0, signal: null}, server.stderr);
  host.destroy();
});

test('SIGTERM does not wait for ever', async () => {
  const {server, hold} = await holdCommit(['--drain-timeout-ms', '300']);
  const ended = server.stop('SIGTERM');
  while (!server.stderr.includes('event=drain_timeout')) await pause();
  rmSync(hold);
  assert.deepEqual(await ended, {status: 75, signal: null}, server.stderr);
  assert.doesNotMatch(server.stderr, /event=peers_cut/);
});

test('a second signal ends it at once', async () => {
  const {server, hold} = await holdCommit(['--drain-timeout-ms', '600000']);
  server.signal('SIGTERM');
  while (!server.stderr.includes('event=draining')) await pause();
  const ended = server.stop('SIGINT');
  await pause(300);
  rmSync(hold); // what was begun is finished
  assert.deepEqual(await ended, {status: 75, signal: null}, server.stderr);
});

test('a store that another server has taken ends it', async () => {
  const server = await Server.start();
  const ana = await player(server.port, 'Ana');
  execFileSync('python3', ['-Ic', 'import sqlite3, sys; db = sqlite3.connect(sys.argv[1]); db.execute("UPDATE engine SET epoch = epoch + 1");'
    + ' db.commit()', join(server.data, 'taluva.db')]);
  ana.send({id: 1, op: 'create'});
  assert.deepEqual(await server.ended, {status: 75, signal: null}, server.stderr);
  await server.logged(/event=store_lost/);
});

test('who is quiet while it ends is told and then cut', async () => {
  const server = await Server.start();
  const quiet = await Socket.open(server.port, {allowHalfOpen: true});
  const polite = await Socket.open(server.port);
  const ended = server.stop('SIGTERM');
  assert.equal(await polite.closing(), 1012);
  polite.write(frame(Buffer.from([3, 244]), {op: CLOSE}));
  assert.equal(await quiet.closing(), 1012);
  assert.deepEqual(await ended, {status: 0, signal: null}, server.stderr);
  await server.logged(/event=peers_cut sockets=1\n/);
  quiet.destroy();
});

await run();
