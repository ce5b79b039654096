// Start and end of a server: only one runs on a store, matches go on after any end, it drains, is copied while it runs, and
// reports wrong options.
import {execFileSync, spawnSync} from 'node:child_process';
import {randomBytes} from 'node:crypto';
import {copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import net from 'node:net';
import {join} from 'node:path';
import {assert, run, test} from './lib/tap.mjs';
import {certificate} from './lib/certificate.mjs';
import {changeLog, makeAhead} from './lib/damage.mjs';
import {Match} from './lib/match.mjs';
import {runToEnd, scratchFolder, Server} from './lib/server.mjs';
import {player, Raw, Socket} from './lib/socket.mjs';

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The same players on another server over the same store. */
async function comeBack(match, server) {
  for (const [at, who] of match.players.entries()) {
    who.destroy();
    const back = await player(server.port, 'x', {token: who.token});
    const view = await back.must('join', {room: match.room, have: match.seqs[at]});
    back.seat = view.you.seat;
    if (view.state) match.states[at] = view.state;
    match.seqs[at] = view.state ? view.seq : match.seqs[at];
    match.players[at] = back;
    await match.hearOne(at, view.seq);
  }
  assert.deepEqual(match.states[0], match.states[1]);
}

async function playSome(match, count) {
  for (let at = 0; at < count && !match.over; at++) await match.step();
}

// A whole match in a few seconds asks for more than people do.
const quickly = ['--requests-per-s', '1000', '--requests-burst', '1000'];

test('a match goes on after SIGTERM and after kill -9', async () => {
  let server = await Server.start(quickly);
  const {data} = server;
  const match = await Match.start(server.port);
  for (const signal of ['SIGTERM', 'SIGKILL', 'SIGKILL', 'SIGINT']) {
    await playSome(match, 7);
    const held = structuredClone(match.states);
    const {status} = await server.stop(signal);
    if (signal !== 'SIGKILL') assert.equal(status, 0, server.stderr);
    server = await Server.start(quickly, {data});
    await comeBack(match, server);
    assert.deepEqual(match.states, held);
    await match.verify();
  }
  while (!match.over) await match.step();
  const record = await match.players[0].must('record', {room: match.room});
  assert.equal((await server.get(`/api/records/${match.room}`)).body, record.record);
  match.end();
  await server.stop();
}, 120000);

test('a client that has given the code need not give it again after SIGTERM and after kill -9', async () => {
  let server = await Server.start();
  const {data} = server;
  const match = await Match.start(server.port, {access: 'code'});
  const tokens = [];
  for (let at = 0; at < 3; at++) {
    const watcher = await player(server.port, 'Chi');
    tokens.push(watcher.token);
    assert.equal((await watcher.ask('watch', {room: match.room})).error.code, 'code_needed');
    await watcher.must('watch', {room: match.room, code: match.code});
    watcher.destroy();
  }
  await match.step();
  for (const signal of ['SIGTERM', 'SIGKILL']) {
    match.end();
    await server.stop(signal);
    server = await Server.start([], {data});
    for (const token of tokens) {
      const watcher = await player(server.port, 'Chi', {token});
      await watcher.must('watch', {room: match.room});
      watcher.destroy();
    }
    const other = await player(server.port, 'Dee');
    assert.equal((await other.ask('watch', {room: match.room})).error.code, 'code_needed');
    other.destroy();
  }
  assert.equal((await server.stop()).status, 0, server.stderr);
});

test('SIGTERM: a notice, closed with 1012, exit status 0', async () => {
  const server = await Server.start();
  const match = await Match.start(server.port);
  const hung = await Raw.connect(server.port);
  const ended = server.stop('SIGTERM');
  for (const who of match.players) {
    let told = (who.pushes ?? []).some((push) => push.code === 'draining');
    for (;;) {
      const message = await who.next();
      if (message.close !== undefined) {
        assert.equal(message.close, 1012);
        break;
      }
      told ||= message.code === 'draining';
    }
    assert.ok(told, 'nobody said so');
  }
  assert.deepEqual(await ended, {status: 0, signal: null}, server.stderr);
  await server.logged(/event=peers_cut sockets=1\n/);
  hung.destroy();
});

test('SIGTERM with nobody there, or with peers who all answer the close, cuts nobody', async () => {
  for (const people of [0, 3]) {
    const server = await Server.start();
    for (let at = 0; at < people; at++) await player(server.port, 'Ana');
    assert.deepEqual(await server.stop('SIGTERM'), {status: 0, signal: null}, server.stderr);
    await server.logged(/event=draining/);
    assert.doesNotMatch(server.stderr, /event=peers_cut|event=drain_timeout/);
  }
});

test('time in which the server is stopped is charged to no clock', async () => {
  const server = await Server.start(['--ping-interval-ms', '1000', '--ping-timeout-ms', '5000', '--hello-timeout-ms', '5000']);
  const match = await Match.start(server.port, {clock: {kind: 'move', move_s: 6, on_timeout: 'eliminate'}});
  const actor = match.playerOf(match.actingSeat);
  const {moves} = await actor.must('moves', {room: match.room});
  server.signal('SIGSTOP');
  const sent = actor.askWith({id: 2 ** 50, op: 'move', room: match.room, move: moves[0], confirm: true});
  await pause(8000); // longer than the turn, the pings and the hello may take
  server.signal('SIGCONT');
  const reply = await sent;
  assert.ok(reply.ok, JSON.stringify(reply));
  await match.hear(reply.ok.seq);
  await match.verify();
  await match.step();
  await server.logged(/event=stood_still ms=(?:[7-9]\d{3}|\d{5,})/);
  const {taluva_stood_still_seconds_total: total} = await server.metrics();
  let logged_ms = 0; // a busy machine may add more of them
  for (const [, ms] of server.stderr.matchAll(/event=stood_still ms=(\d+)/g))
    if (logged_ms < Math.round(total * 1000)) logged_ms += Number(ms);
  assert.equal(Math.round(total * 1000), logged_ms);
  match.end();
  assert.equal((await server.stop()).status, 0, server.stderr);
});

test('a second server on the same store', async () => {
  const server = await Server.start();
  const second = runToEnd(['--listen', '127.0.0.1:0', '--data', server.data]);
  assert.equal(second.status, 75);
  assert.equal(second.stdout, '');
  assert.ok(second.stderr.includes(`another server (process ${server.pid}) uses the store in ${server.data}`), second.stderr);
  const match = await Match.start(server.port);
  await playSome(match, 3);
  match.end();
  await server.stop();
});

test('a copy of a store in use runs', async () => {
  const server = await Server.start();
  const match = await Match.start(server.port);
  await playSome(match, 10);
  const copy = join(scratchFolder(), 'copy.db');
  const playing = playSome(match, 30);
  const backup = await new Promise((resolve) => {
    import('node:child_process').then(({execFile}) =>
      execFile(process.env.TALUVAD, ['--data', server.data, 'backup', copy], (error, out, err) => resolve({error, err})));
  });
  assert.equal(backup.error, null, backup.err);
  await playing;
  assert.equal(statSync(copy).mode & 0o777, 0o600);
  const data = join(scratchFolder(), 'data');
  mkdirSync(data);
  copyFileSync(copy, join(data, 'taluva.db'));
  const restored = await Server.start([], {data});
  const ana = await player(restored.port, 'x', {token: match.players[0].token});
  const view = await ana.must('watch', {room: match.room});
  assert.ok(view.seq >= 10 && view.seq <= match.seqs[0], `${view.seq}`);
  assert.equal(view.state.phase, 'playing');
  ana.destroy();
  await restored.stop();
  await match.verify();
  match.end();
  await server.stop();
  const again = runToEnd(['--data', server.data, 'backup', copy]);
  assert.equal(again.status, 74);
  assert.match(again.stderr, /File exists/);
  const none = runToEnd(['--data', '/no/such/place', 'backup', `${copy}2`]);
  assert.equal(none.status, 74);
  assert.match(none.stderr, /No such file/);
}, 60000);

test('a disk that is full, and then is not', async () => {
  let server = await Server.start(['--store-retry-max-ms', '500']);
  const {data} = server;
  const match = await Match.start(server.port);
  await playSome(match, 5);
  const limit = (bytes) => execFileSync('prlimit', ['--pid', String(server.pid), `--fsize=${bytes}:unlimited`]);
  limit(0);
  const actor = match.playerOf(match.actingSeat);
  const {moves, eliminating = []} = await actor.must('moves', {room: match.room});
  const move = moves.find((one) => !eliminating.includes(one));
  assert.equal((await actor.ask('move', {room: match.room, move})).error.code, 'store_failing');
  for (const who of match.players) {
    const push = await who.push((one) => one.push === 'notice');
    assert.equal(push.code, 'store_failing');
  }
  assert.equal((await server.get('/readyz')).status, 503);
  await match.verify();
  await pause(700);
  assert.equal((await actor.ask('move', {room: match.room, move})).error.code, 'store_failing');
  limit('unlimited');
  for (const who of match.players) {
    const push = await who.push((one) => one.push === 'notice' && one.code !== 'store_failing');
    assert.equal(push.code, 'store_recovered');
  }
  await server.logged(/level=info event=store_recovered what="\d+ commits? had failed before"/);
  assert.equal((await server.get('/readyz')).status, 200);
  await match.verify();
  await playSome(match, 5);
  const held = structuredClone(match.states);
  await server.stop('SIGKILL');
  server = await Server.start([], {data});
  await comeBack(match, server);
  assert.deepEqual(match.states, held);
  match.end();
  await server.stop();
}, 60000);

test('a disk that is full when the server starts', async () => {
  let server = await Server.start();
  const {data} = server;
  const match = await Match.start(server.port);
  await playSome(match, 20);
  await server.stop('SIGKILL'); // leaves a log that is longer than the limit
  assert.ok(statSync(join(data, 'taluva.db-wal')).size > 32768);
  server = await Server.start(['--store-retry-max-ms', '500'],
    {data, prefix: ['prlimit', '--fsize=32768:unlimited']});
  await assert.rejects(player(server.port, 'Chi'), /store_failing/);
  assert.equal((await server.get('/readyz')).status, 503);
  await comeBack(match, server);
  const actor = match.playerOf(match.actingSeat);
  const {moves, eliminating = []} = await actor.must('moves', {room: match.room});
  const move = moves.find((one) => !eliminating.includes(one));
  assert.equal((await actor.ask('move', {room: match.room, move})).error.code, 'store_failing');
  execFileSync('prlimit', ['--pid', String(server.pid), '--fsize=unlimited']);
  while ((await server.get('/readyz')).status !== 200) await pause(50);
  await playSome(match, 5);
  await match.verify();
  match.end();
  assert.equal((await server.stop()).status, 0, server.stderr);
}, 60000);

for (const [title, how, why] of [
  ['was changed', {}, 'its log was changed at event \\d+'],
  ['cannot be replayed', {chain: true}, 'event \\d+ cannot be replayed'],
]) test(`a room that ${title} harms nobody`, async () => {
  let server = await Server.start();
  const {data} = server;
  const sick = await Match.start(server.port), well = await Match.start(server.port);
  await playSome(well, 5);
  await playSome(sick, 5);
  sick.end();
  assert.equal((await server.stop()).status, 0, server.stderr);
  changeLog(data, sick.room, how);
  server = await Server.start([], {data});
  await server.logged(new RegExp(`event=room_damaged what="${sick.room}: ${why}"`));
  await comeBack(well, server);
  await playSome(well, 5);
  const ana = await player(server.port, 'Ana', {token: sick.players[0].token});
  for (const op of ['watch', 'join', 'record'])
    assert.equal((await ana.ask(op, {room: sick.room})).error.code, 'room_damaged');
  assert.match((await server.get('/metrics')).body, /^taluva_rooms_damaged 1$/m);
  ana.destroy();
  well.end();
  assert.equal((await server.stop()).status, 0, server.stderr);
}, 60000);

test('a store that was written two years ahead', async () => {
  const data = join(scratchFolder(), 'data');
  makeAhead(data);
  const server = await Server.start(['--requests-burst', '5'], {data});
  await server.logged(/event=clock_behind_store ms=\d+/);
  const ana = await player(server.port, 'Ana');
  let refused = 0;
  while (!refused) refused += 'error' in await ana.ask('ping');
  while ('error' in await ana.ask('ping')) await pause(100); // time moves on
  ana.destroy();
  assert.equal((await server.stop()).status, 0, server.stderr);
}, 60000);

test('what is wrong is refused through TLS as well', async () => {
  const {cert, key, make} = certificate();
  make('wrong');
  const server = await Server.start(['--tls-cert', cert, '--tls-key', key]);
  const secure = {};
  const unmasked = await player(server.port, 'Ana', {secure});
  unmasked.text('{"id":1,"op":"ping"}', {mask: false});
  assert.equal(await unmasked.closing(), 1002);
  const smuggler = await Raw.connect(server.port, {secure});
  smuggler.write('GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nContent-Length: 9\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  const answer = await smuggler.rest();
  assert.match(answer, /^HTTP\/1\.1 400 /);
  assert.equal(answer.split('HTTP/1.').length, 2, answer);
  await server.stop();
});

// More than the kernel takes, so that answers wait, while requests wait behind each other.
test('large answers to a client that reads late, without and with TLS', async () => {
  const {cert, key, make} = certificate();
  make('large');
  const web = join(scratchFolder(), 'web');
  mkdirSync(web);
  const page = randomBytes(3 << 20).toString('base64');
  writeFileSync(join(web, 'index.html'), page);
  for (const [secure, args] of [[undefined, []], [{}, ['--tls-cert', cert, '--tls-key', key]]]) {
    const server = await Server.start(['--web', web, '--http-timeout-ms', '60000', ...args]);
    const raw = await Raw.connect(server.port, {secure});
    raw.socket.pause();
    for (let at = 0; at < 3; at++) raw.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await pause(500);
    raw.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    await pause(500);
    raw.socket.resume();
    const all = await raw.rest();
    assert.equal(all.split(page).length, 4);
    assert.ok(all.endsWith('ok\n'));
    await server.stop();
  }
}, 60000);

test('TLS by files, read again on SIGHUP', async () => {
  const {cert, key, make} = certificate();
  make('first');
  const server = await Server.start(['--tls-cert', cert, '--tls-key', key, '--log-level', 'debug']);
  assert.match(server.stdout, /listening on https:/);
  const nameNow = async () => {
    const raw = await Raw.connect(server.port, {secure: {}});
    const name = raw.socket.getPeerCertificate().subject.CN;
    raw.destroy();
    return name;
  };
  assert.equal(await nameNow(), 'first');
  const kept = await player(server.port, 'Ana', {secure: {}});
  assert.equal(kept.raw.socket.alpnProtocol, false);
  make('second');
  server.signal('SIGHUP');
  for (let tries = 0; (await nameNow()) !== 'second'; tries++) {
    assert.ok(tries < 50);
    await pause(50);
  }
  assert.ok((await kept.must('ping')).time);
  assert.ok((await (await player(server.port, 'Bo', {secure: {}})).must('ping')).time);
  const {cert: others, key: othersKey, make: makeOthers} = certificate();
  makeOthers('third');
  for (const [file, text, why] of [[cert, 'broken', 'there is no CERTIFICATE in it'], [cert, readFileSync(others), 'not a pair'],
    [key, readFileSync(others), 'there is no PRIVATE KEY in it']]) {
    writeFileSync(file, text);
    server.signal('SIGHUP');
    await server.logged(new RegExp(`tls_not_reloaded .*${why}`));
    assert.equal(await nameNow(), 'second', why);
  }
  writeFileSync(key, readFileSync(othersKey)); // as a program that renews them would leave them
  for (const text of ['GET / HTTP/1.1\r\nHost: x\r\n\r\n', '\x16\x03\x01\x00\x05hello', '\x16\x03\x01', '\0'.repeat(3000)]) {
    const plain = await Raw.connect(server.port);
    plain.write(text);
    plain.socket.end();
    assert.ok(!(await plain.rest()).includes('200 OK'));
  }
  for (let tries = 0; !/event=connection_closed why="it did not begin with a TLS handshake"/.test(server.stderr); tries++) {
    assert.ok(tries < 300, server.stderr);
    (await Raw.connect(server.port)).socket.end('GET /'); // it depends on what has come when it is accepted
    await pause(50);
  }
  assert.ok(!server.stderr.includes('out of memory'));
  const asking = await Raw.connect(server.port, {secure: {}});
  asking.write('GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  const failures = Number(/^taluva_tls_failures_total (\d+)$/m.exec(await asking.rest())?.[1]);
  const logged = () => server.stderr.split('it did not begin with a TLS handshake').length - 1;
  for (let tries = 0; logged() < failures && tries < 100; tries++) await pause(50);
  assert.equal(logged(), failures);
  const modern = await Raw.connect(server.port, {secure: {ALPNProtocols: ['h2', 'http/1.1']}});
  assert.equal(modern.socket.alpnProtocol, 'http/1.1');
  modern.destroy();
  kept.destroy();
  assert.equal((await server.stop()).status, 0, server.stderr);
  await server.logged(/event=tls_reloaded\n/);
  await server.logged(/event=libwebsockets says=/);
}, 30000);

test('on a Unix socket', async () => {
  const path = join(scratchFolder(), 'taluva.sock');
  const server = await Server.start(['--listen', `unix:${path}`, '--listen', '127.0.0.1:0', '--trusted-proxy', 'unix']);
  const answer = await new Promise((resolve, reject) => {
    const socket = net.connect(path);
    let text = '';
    socket.on('data', (bytes) => (text += bytes));
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  });
  assert.match(answer, /200 OK/);
  const {data} = server;
  await server.stop('SIGKILL');
  assert.ok(existsSync(path));
  const next = await Server.start(['--listen', `unix:${path}`, '--listen', '127.0.0.1:0'], {data});
  assert.equal((await next.stop()).status, 0, next.stderr);
  assert.ok(!existsSync(path));
});

test('IPv6', async () => {
  const server = await Server.start(['--listen', '[::1]:0', '--listen', '127.0.0.1:0']);
  const port = Number(/http:\/\/\[::1\]:(\d+)/.exec(server.stdout)?.[1]);
  const socket = await Socket.open(port, {host: '::1'});
  assert.ok((await socket.ask('hello', {})).ok);
  socket.destroy();
  await server.stop();
});

test('a name, and a port alone', async () => {
  const server = await Server.start(['--listen', 'localhost:0', '--listen', '0']);
  const urls = server.stdout.match(/listening on http:\S+/g).filter((line) => line.includes('127.0.0.1'));
  assert.equal(urls.length, 3, server.stdout); // the test's own is the first
  for (const url of urls)
    assert.equal((await fetch(`${url.replace('listening on ', '')}/healthz`)).status, 200, url);
  await server.stop();
});

test('pages of other origins', async () => {
  const server = await Server.start(['--origin', 'https://club.example', '--origin', 'http://localhost:5173']);
  const outcome = async (origin) => {
    const socket = await Socket.open(server.port, {changes: {headers: {Origin: origin}}});
    socket.send({id: 1, op: 'hello'});
    const {close} = await socket.next();
    socket.destroy();
    return close ?? 'open';
  };
  for (const origin of [`http://127.0.0.1:${server.port}`, 'https://club.example', 'HTTPS://CLUB.EXAMPLE', 'http://localhost:5173'])
    assert.equal(await outcome(origin), 'open', origin);
  for (const origin of ['null', 'https://evil.example', 'http://club.example', 'https://club.example.evil.example', 'https://club.example:444',
    `http://127.0.0.1:${server.port + 1}`, 'http://127.0.0.1', `evil://x@127.0.0.1:${server.port}`, 'file://', 'x'.repeat(300)])
    assert.equal(await outcome(origin), 1008, origin);
  await server.stop();
});

test('invalid handshakes', async () => {
  const server = await Server.start();
  const refused = async (changes, statuses) => {
    const error = await Socket.open(server.port, {changes}).then(() => assert.fail('accepted'), (reason) => reason);
    assert.ok(statuses.includes(error.status), `${JSON.stringify(changes)}: ${error.message}`);
  };
  for (const path of ['/', '/wss', '/ws/', '/ws/x', '/WS', '/index.html', '/api/rooms']) await refused({path}, [404]);
  for (const name of ['', 'taluva.v2+json', 'taluva', 'taluva.v1+jsonx', 'chat, superchat'])
    await refused({headers: {'Sec-WebSocket-Protocol': name}}, [400]);
  await refused({headers: {'Sec-WebSocket-Protocol': null}}, [400]);
  for (const version of ['8', '0', '12', '14', '', 'x', '13x']) await refused({headers: {'Sec-WebSocket-Version': version}}, [426]);
  await refused({headers: {'Sec-WebSocket-Key': null}}, [0, 400]);
  await refused({headers: {Connection: 'close'}}, [0, 400, 404]);
  await refused({method: 'POST'}, [0, 400, 404, 405]);
  const several = await Socket.open(server.port, {changes: {headers: {'Sec-WebSocket-Protocol': 'taluva.v2+json, taluva.v1+json'}}});
  assert.ok((await several.ask('hello', {})).ok);
  const query = await Socket.open(server.port, {changes: {path: '/ws?x=1'}});
  assert.ok((await query.ask('hello', {})).ok);
  several.destroy();
  query.destroy();
  await server.stop();
});

// A library that is needed for a database alone.
test('a database without libpq is refused, and a store in a file does without it', async () => {
  const folder = scratchFolder();
  writeFileSync(join(folder, 'libpq.so.5'), '');
  const url = join(folder, 'url');
  writeFileSync(url, 'postgres://127.0.0.1:1/none\n', {mode: 0o600});
  const without = {LD_LIBRARY_PATH: folder};
  for (const words of [[], ['status'], ['parts']]) {
    const {status, stderr} = runToEnd(['--data', join(folder, 'data'), '--store-file', url, ...words], without);
    assert.equal(status, 69, `${words}: ${stderr}`);
    assert.match(stderr, /libpq\.so\.5/, words);
  }
  const server = await Server.start([], {env: without});
  assert.equal((await server.stop()).status, 0);
});

const bad = [
  [['--bogus'], 64, 'no such option'],
  [['surprise'], 64, 'not understood'],
  [['--listen'], 64, 'needs a value'],
  [['--listen', 'no-such-host.invalid:7400'], 69, 'cannot listen on no-such-host.invalid:7400'],
  [['--listen', '127.0.0.1'], 64, 'ADDRESS:PORT'],
  [['--listen', '127.0.0.1:99999'], 64, 'ADDRESS:PORT'],
  [['--listen', '127.0.0.1:-1'], 64, 'ADDRESS:PORT'],
  [['--listen', '[::1:7400'], 64, 'ADDRESS:PORT'],
  [['--listen', `unix:${'x'.repeat(200)}`], 64, 'ADDRESS:PORT'],
  [['--listen', '192.0.2.1:7400'], 69, 'cannot listen on 192.0.2.1:7400'],
  [['--origin', 'club.example'], 64, 'not an origin'],
  [['--origin', 'https://club.example/path'], 64, 'not an origin'],
  [['--trusted-proxy', '10.0.0.0/40'], 64, 'not an address or network'],
  [['--trusted-proxy', 'proxy.example'], 64, 'not an address or network'],
  [['--log-level', 'loud'], 64, 'error, warn, info or debug'],
  [['--rooms', '0'], 64, 'from 1 to'],
  [['--rooms', 'many'], 64, 'not many'],
  [['--rooms=99999999999999999999'], 64, 'from 1 to'],
  [['--metrics-everywhere=yes'], 64, 'takes no value'],
  [['--tls-cert', '/dev/null'], 64, 'both'],
  [['--tls-cert', '/no/such', '--tls-key', '/no/such'], 69, '--tls-cert /no/such: No such file'],
  [['--tls-cert', '/dev/null', '--tls-key', '/dev/null'], 69, '--tls-cert /dev/null: there is no CERTIFICATE in it, as PEM'],
  [['backup'], 64, 'needs the name'],
  [['backup', 'a', 'b'], 64, 'not understood'],
  [['--data', '/proc/nowhere'], 73, 'making the folder'],
  [['--data', ''], 64, 'must not be empty'],
];
test('options that are refused', () => {
  for (const [args, status, say] of bad) {
    const data = args.includes('--data') ? [] : ['--data', join(scratchFolder(), 'data')];
    const ended = runToEnd([...data, ...args], {TALUVA_LISTEN: args.includes('--listen') ? '' : '127.0.0.1:0'});
    assert.equal(ended.status, status, `${args}: ${ended.stderr}`);
    assert.ok(ended.stderr.includes(say), `${args}: ${ended.stderr}`);
    assert.equal(ended.stdout, '', `${args}`);
  }
});

test('the environment, and flags that override it', async () => {
  const server = await Server.start(['--rooms-per-session', '1'], {env: {TALUVA_ROOMS_PER_SESSION: '7', TALUVA_SEATS_PER_SESSION: '5'}});
  const {limits} = (await player(server.port, 'Ana')).hello;
  assert.equal(limits.rooms_per_session, 1);
  assert.equal(limits.seats_per_session, 5);
  await server.stop();
  const ended = runToEnd([], {TALUVA_ROOMS: 'x'});
  assert.equal(ended.status, 64);
  assert.match(ended.stderr, /TALUVA_ROOMS is a number/);
});

test('--help names every limit, --version the version', () => {
  const help = runToEnd(['--help']);
  assert.equal(help.status, 0);
  for (const word of ['--listen', '--data', '--web', '--requests-per-s', '--ping-interval-ms', 'backup [--force] FILE', 'check [FILE]'])
    assert.ok(help.stdout.includes(word), word);
  assert.match(runToEnd(['--version']).stdout, /^taluvad \d+\.\d+\.\d+\n$/);
});

test('systemd is notified when it is ready', async () => {
  const path = join(scratchFolder(), 'notify');
  const listener = spawnSync('python3', ['-Ic', 'print()'], {encoding: 'utf8'});
  if (listener.status !== 0) throw new Error('python3 is needed to listen for datagrams');
  const {spawn} = await import('node:child_process');
  const heard = spawn('python3', ['-Ic', `
import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
print('bound', flush=True)
for _ in range(2): print(s.recv(100).decode(), flush=True)
`, path]);
  let text = '';
  heard.stdout.on('data', (bytes) => (text += bytes));
  while (!text.includes('bound')) await pause(20);
  const server = await Server.start([], {env: {NOTIFY_SOCKET: path}});
  while (!text.includes('READY=1')) await pause(20);
  await server.stop();
  while (!text.includes('STOPPING=1')) await pause(20);
}, 20000);

test('a newer store is refused, untouched', async () => {
  const server = await Server.start();
  await server.stop();
  const file = join(server.data, 'taluva.db');
  const bytes = readFileSync(file);
  bytes.writeUInt32BE(999, 60); // user_version in SQLite's header
  await import('node:fs').then(({writeFileSync}) => writeFileSync(file, bytes));
  const ended = runToEnd(['--listen', '127.0.0.1:0', '--data', server.data]);
  assert.equal(ended.status, 65);
  assert.match(ended.stderr, /version 999/);
  assert.ok(readFileSync(file).equals(bytes));
});

await run();
