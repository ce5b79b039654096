// Kinds of faults that others have reported of their servers (the table in tests/README.md), tried on this one.
import {once} from 'node:events';
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {Match} from './lib/match.mjs';
import {runToEnd, scratchFolder, Server} from './lib/server.mjs';
import {frame, player, Raw, Socket} from './lib/socket.mjs';
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
