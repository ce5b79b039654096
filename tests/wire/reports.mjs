// Kinds of faults that others have reported of their servers (the table in tests/README.md), tried on this one.
import {once} from 'node:events';
import {chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import net from 'node:net';
import {join} from 'node:path';
import {certificate} from './lib/certificate.mjs';
import {Match} from './lib/match.mjs';
import {runToEnd, scratchFolder, Server} from './lib/server.mjs';
import {frame, handshake, player, Raw, Socket} from './lib/socket.mjs';
import {assert, run, test} from './lib/tap.mjs';

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Until a figure of /metrics is that. */
async function figure(server, name, value) {
  while ((await server.metrics())[name] !== value) await pause(50);
}

test('compression that a client offers is not agreed to, so no small frame becomes a large one', async () => {
  const server = await Server.start();
  const changes = {headers: {'Sec-WebSocket-Extensions': 'permessage-deflate; client_max_window_bits, x-webkit-deflate-frame'}};
  const socket = await Socket.open(server.port, {changes});
  assert.ok((await socket.ask('hello', {})).ok);
  socket.raw.write(frame(Buffer.alloc(100), {rsv: 4})); // as if it were compressed
  assert.ok([1002, 'cut'].includes(await socket.closing()));
  await server.stop();
});

test('who was refused hears nothing of a table, whoever comes to it later', async () => {
  const server = await Server.start();
  const match = await Match.start(server.port, {access: 'code'});
  const spy = await player(server.port, 'Eve');
  for (const code of [undefined, 'x'.repeat(16), '0'.repeat(16)]) {
    const {error} = await spy.ask('watch', {room: match.room, ...(code ? {code} : {})});
    assert.ok(['code_needed', 'wrong_code', 'bad_field'].includes(error.code), error.code);
  }
  await match.comeBack(server.port);
  for (let moves = 0; moves < 3; moves++) await match.step();
  assert.ok((await spy.ask('ping')).ok);
  assert.deepEqual((spy.pushes ?? []).filter(({room}) => room === match.room), []);
  spy.destroy();
  match.end();
  await server.stop();
});

test('who comes back again and again is counted once', async () => {
  const server = await Server.start();
  const match = await Match.start(server.port);
  let watcher = await player(server.port, 'Zoe');
  for (let times = 0; times < 4; times++) {
    await match.comeBack(server.port);
    watcher.destroy();
    watcher = await player(server.port, 'Zoe', {token: watcher.token});
    await watcher.must('watch', {room: match.room});
  }
  await figure(server, 'taluva_connections', 3);
  const last = await player(server.port, 'Yan');
  await last.must('watch', {room: match.room});
  await last.push((push) => push.push === 'presence' && push.watchers === 2);
  for (const who of [watcher, last]) who.destroy();
  match.end();
  await figure(server, 'taluva_connections', 0);
  await server.stop();
});

test('a move that was sent just before the line was cut is played, and nobody waits for it for ever', async () => {
  const server = await Server.start();
  const match = await Match.start(server.port, {clock: {kind: 'fischer', bank_s: 600, increment_s: 5}});
  for (let times = 0; times < 3; times++) {
    const actor = match.playerOf(match.actingSeat);
    const {moves} = await actor.must('moves', {room: match.room});
    actor.send({id: 2 ** 41 + times, op: 'move', room: match.room, move: moves[0], confirm: true});
    actor.raw.socket.end(); // it does not wait for the answer
    const other = match.players.find((who) => who !== actor);
    await other.push((push) => push.push === 'event' && push.room === match.room && push.seq > match.seqs[0]);
    await match.comeBack(server.port);
    const before = match.state;
    await match.look();
    assert.deepEqual(match.state, before);
  }
  await match.verify();
  match.end();
  await server.stop();
});

test('what was taken back is whose turn it was, for both and for who comes then, and the clock runs for them', async () => {
  const server = await Server.start();
  const match = await Match.start(server.port, {clock: {kind: 'fischer', bank_s: 600, increment_s: 5}});
  const first = match.actingSeat;
  while (match.actingSeat === first) await match.step();
  const seat = match.actingSeat;
  const placed = await match.step();
  assert.equal(match.actingSeat, seat, 'the build is still to come');
  const {seq} = await match.playerOf(seat).must('undo', {room: match.room});
  await match.hear(seq);
  assert.equal(match.actingSeat, seat);
  await match.verify();
  const watcher = await player(server.port, 'Zoe');
  const {state} = await watcher.must('watch', {room: match.room});
  assert.deepEqual(state.acting, [seat]);
  assert.equal(await match.step((moves) => moves.find((move) => move === placed) ?? moves[0]), placed);
  watcher.destroy();
  match.end();
  await server.stop();
});

test('time that runs out while both are away ends the match, and no clock is below zero', async () => {
  const server = await Server.start();
  const match = await Match.start(server.port, {clock: {kind: 'move', move_s: 5, on_timeout: 'eliminate'}});
  const {room} = match, {token} = match.players[0];
  match.end();
  await figure(server, 'taluva_rooms{phase="playing"}', 0);
  const back = await player(server.port, 'Ana', {token});
  const {state} = await back.must('watch', {room});
  assert.equal(state.phase, 'over');
  for (const {left_ms: left = 0} of Object.values(state.clock?.seats ?? {})) assert.ok(left >= 0, `${left}`);
  back.destroy();
  await server.stop();
});

test('a body that nobody asked for is not taken for the next request', async () => {
  const server = await Server.start();
  const host = `Host: 127.0.0.1:${server.port}\r\n`, inner = `GET /readyz HTTP/1.1\r\n${host}\r\n`;
  const chunked = `Transfer-Encoding: chunked\r\n\r\n${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`;
  const heads = [`Content-Length: ${inner.length}\r\n\r\n${inner}`, chunked, `Content-Length: 0\r\n${chunked}`,
    `Content-Length: 0\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`];
  for (const method of ['GET', 'HEAD', 'POST']) {
    for (const rest of heads) {
      const raw = await Raw.connect(server.port);
      raw.write(`${method} /api/rooms HTTP/1.1\r\n${host}${rest}`);
      await once(raw.socket, 'close'); // the server's doing
      const text = raw.received.toString('latin1');
      assert.equal(text.match(/HTTP\/1\.1 /g)?.length, 1, text);
      assert.doesNotMatch(text, /ready/);
    }
  }
  await server.stop();
});

test('of two who take the last seat at once one has it, and the other is told', async () => {
  const server = await Server.start();
  const host = await player(server.port, 'Ana');
  for (let times = 0; times < 5; times++) {
    const {room} = await host.must('create', {options: {players: 2}});
    await host.must('join', {room, seat: 0});
    const both = [await player(server.port, 'Bo'), await player(server.port, 'Cleo')];
    const replies = await Promise.all(both.map((who) => who.ask('join', {room, seat: 1})));
    assert.equal(replies.filter(({ok}) => ok?.you?.seat === 1).length, 1, JSON.stringify(replies));
    assert.equal(replies.filter(({error}) => error).length, 1, JSON.stringify(replies));
    for (const who of both) who.destroy();
    await host.must('leave', {room});
  }
  host.destroy();
  await server.stop();
});

test('a move that is pressed twice is played once, and the second press costs nothing', async () => {
  const server = await Server.start();
  const match = await Match.start(server.port);
  const seat = match.actingSeat, actor = match.playerOf(seat);
  const {moves} = await actor.must('moves', {room: match.room});
  const ids = [2 ** 41, 2 ** 41 + 1, 2 ** 41 + 2], replies = [];
  for (const id of ids) actor.send({id, op: 'move', room: match.room, move: moves[0], confirm: true});
  for (const id of ids) replies.push(await actor.reply(id));
  assert.deepEqual(replies.map(({ok}) => Boolean(ok)), [true, false, false], JSON.stringify(replies));
  await match.look();
  await match.verify();
  match.end();
  await server.stop();
});

test('both ask for a rematch at the same moment: it is one table', async () => {
  const server = await Server.start();
  const match = await Match.start(server.port);
  await match.players[0].must('resign', {room: match.room});
  const tables = await Promise.all(match.players.map((who) => who.must('rematch', {room: match.room})));
  assert.equal(tables[0].room, tables[1].room);
  match.end();
  await server.stop();
});

test('who watches a table twice hears everything once', async () => {
  const server = await Server.start();
  const match = await Match.start(server.port);
  const zoe = await player(server.port, 'Zoe');
  for (let times = 0; times < 3; times++) await zoe.must('watch', {room: match.room});
  for (let times = 0; times < 4; times++) await match.step();
  await zoe.must('ping');
  const seqs = zoe.pushes.filter(({push}) => push === 'event').map(({seq}) => seq);
  assert.ok(seqs.length >= 4);
  assert.deepEqual(seqs, [...new Set(seqs)]);
  zoe.destroy();
  match.end();
  await server.stop();
});

/** Connects, and cuts the connection with a reset as soon as it is there. */
function reset(port) {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => socket.resetAndDestroy());
    socket.on('error', () => {});
    socket.on('close', resolve);
  });
}

test('connections that are gone before they are accepted, in the midst of a head, or while much is written to them, leave nothing', async () => {
  const server = await Server.start();
  await server.pause();
  await Promise.all(Array.from({length: 60}, () => reset(server.port)));
  server.signal('SIGCONT');
  const asked = Buffer.concat([handshake(server.port).text, frame(JSON.stringify({id: 1, op: 'hello'})),
    ...Array.from({length: 30}, (_, at) => frame(JSON.stringify({id: 2 + at, op: 'rooms'})))].map((part) => Buffer.from(part)));
  for (let bytes = 10; bytes <= asked.length; bytes += 60) {
    const raw = await Raw.connect(server.port);
    raw.write(asked.subarray(0, bytes));
    raw.socket.resetAndDestroy();
  }
  assert.ok((await player(server.port, 'Ana')).token);
  await figure(server, 'taluva_connections', 1);
  await figure(server, 'taluva_http_sockets', 1); // that of the question
  assert.equal((await server.stop()).status, 0, server.stderr);
});

test('told a thousand times to read its files again, a server does so, plays on, and says little', async () => {
  const server = await Server.start();
  const match = await Match.start(server.port);
  const said = server.stderr.length;
  for (let times = 0; times < 1000; times++) server.signal('SIGHUP');
  for (let moves = 0; moves < 3; moves++) await match.step();
  assert.ok(server.stderr.length - said < 4096, server.stderr);
  match.end();
  assert.equal((await server.stop()).status, 0, server.stderr);
});

test('a folder is the one that is named, whatever its name means to others', async () => {
  for (const name of ['a b?mode=memory#c%20d', "it's \"so\";", 'é', 'x'.repeat(150)]) {
    const data = join(scratchFolder(), name), copy = join(scratchFolder(), name);
    let server = await Server.start([], {data});
    const match = await Match.start(server.port);
    await match.step();
    await server.stop('SIGKILL');
    server = await Server.start([], {data});
    await match.comeBack(server.port);
    await match.verify();
    assert.equal(runToEnd(['--data', data, 'backup', copy]).status, 0, name);
    assert.ok(existsSync(join(data, 'taluva.db')) && existsSync(copy), name);
    match.end();
    await server.stop();
    assert.match(runToEnd(['--data', data, 'check']).stdout, / 1 live rooms, /, name);
  }
});

test('who made a table leaves it, and the others fill it and begin', async () => {
  const server = await Server.start();
  const [ana, bo, cleo, dee] = await Promise.all(['Ana', 'Bo', 'Cleo', 'Dee'].map((name) => player(server.port, name)));
  const {room} = await ana.must('create', {options: {players: 3}});
  for (const who of [ana, bo, cleo]) await who.must('join', {room});
  await ana.must('leave', {room});
  await dee.must('join', {room});
  for (const who of [bo, cleo, dee]) await who.must('ready', {room, ready: true, nonce: 'ab'.repeat(16)});
  await bo.must('start', {room});
  assert.equal((await dee.must('watch', {room})).state.phase, 'playing');
  for (const who of [ana, bo, cleo, dee]) who.destroy();
  await server.stop();
});

test('the last one leaves a table as somebody comes: it is there, and who came sits at it', async () => {
  const server = await Server.start();
  const [ana, bo] = [await player(server.port, 'Ana'), await player(server.port, 'Bo')];
  for (let times = 0; times < 5; times++) {
    const {room} = await ana.must('create', {options: {players: 2}});
    await ana.must('join', {room});
    const both = [['leave', ana], ['join', bo]];
    const [left, came] = await Promise.all((times % 2 ? both.reverse() : both).map(([op, who]) => who.ask(op, {room})));
    assert.ok(left.ok && came.ok, JSON.stringify([left, came]));
    const {state} = await bo.must('watch', {room});
    assert.deepEqual([state.phase, Object.values(state.seats).filter(Boolean).length], ['lobby', 1], JSON.stringify(state));
    await bo.must('leave', {room});
  }
  for (const who of [ana, bo]) who.destroy();
  await server.stop();
});

test('who says nothing, or half a word, to a port of TLS is cut in time', async () => {
  const {cert, key, make} = certificate();
  make('late');
  const server = await Server.start(['--tls-cert', cert, '--tls-key', key, '--http-timeout-ms', '500']);
  for (const text of ['', '\x16\x03\x01', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03']) {
    const raw = await Raw.connect(server.port);
    if (text) raw.write(Buffer.from(text, 'latin1'));
    assert.equal(await raw.rest(), '');
  }
  assert.ok((await player(server.port, 'Ana', {secure: {}})).token);
  await server.stop();
});

test('a proxy lets go of idle connections before the server does, so no request meets the end of one', () => {
  const [, server_ms] = /--http-timeout-ms N .*\[(\d+)\]/.exec(runToEnd(['--help']).stdout);
  for (const name of ['nginx.conf', 'Caddyfile']) {
    const text = readFileSync(new URL(`../../deploy/proxy/${name}`, import.meta.url), 'utf8');
    const [, proxy_s] = /^\s*keepalive(?:_timeout)? (\d+)s;?$/m.exec(text);
    assert.ok(2000 * proxy_s <= server_ms, name);
  }
});

// Only root can be somebody else; and the commands are of an embedded store.
if (process.getuid() === 0 && !process.env.TALUVA_BENEATH) {
  test('what root does for a server of another user leaves it everything that it needs', async () => {
    const folder = scratchFolder(), data = join(folder, 'data'), copy = join(folder, 'copy.db');
    mkdirSync(data);
    chmodSync(folder, 0o711);
    chownSync(data, 65534, 65534);
    const prefix = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];
    const starts = () => Server.start([], {data, prefix});
    let server = await starts();
    const match = await Match.start(server.port);
    await match.step();
    await server.stop('SIGKILL'); // its log is still to be read
    for (const words of [['check'], ['backup', copy], ['rotate-key']]) assert.equal(runToEnd(['--data', data, ...words]).status, 0, words[0]);
    rmSync(join(data, 'taluva.db'));
    for (const end of ['-wal', '-shm']) rmSync(join(data, `taluva.db${end}`), {force: true});
    const {status, stderr} = runToEnd(['--data', data, 'restore', copy]);
    assert.equal(status, 0, stderr);
    for (const name of readdirSync(data)) assert.equal(statSync(join(data, name)).uid, 65534, name);
    server = await starts();
    await match.comeBack(server.port);
    await match.step();
    match.end();
    assert.equal((await server.stop()).status, 0, server.stderr);
  });
}

test('a store that is nothing but zeros is refused and stays as it is', () => {
  const data = join(scratchFolder(), 'data'), file = join(data, 'taluva.db');
  mkdirSync(data);
  for (const bytes of [1, 100, 511, 512, 4096, 40960]) {
    writeFileSync(file, Buffer.alloc(bytes));
    const ended = runToEnd(['--listen', '127.0.0.1:0', '--data', data]);
    assert.notEqual(ended.status, 0, `${bytes}`);
    assert.ok(ended.stderr.includes('taluvad:'), ended.stderr);
    assert.ok(readFileSync(file).equals(Buffer.alloc(bytes)), `${bytes}: it was changed`);
    assert.ok(!existsSync(`${file}-wal`));
  }
});

await run();
