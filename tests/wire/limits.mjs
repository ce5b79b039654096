// Limits: each is reached, and answered as the protocol says; clients within them are not affected.
import {existsSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {assert, run, test} from './lib/tap.mjs';
import {certificate} from './lib/certificate.mjs';
import {Watch} from './lib/crowd.mjs';
import {Match} from './lib/match.mjs';
import {scratchFolder, Server, slowDisk} from './lib/server.mjs';
import {frame, PING, player, Raw, Socket} from './lib/socket.mjs';

// None of its bounds is a time: those have servers of their own, where only who is to run into them can be late.
const server = await Server.start(['--outbox-bytes', '131072', '--connections-per-address', '40', '--connections-per-session', '3',
  '--http-sockets-per-address', '30', '--requests-per-s', '200', '--requests-burst', '400', '--flood-refusals', '100',
  '--guesses-burst', '5', '--guesses-per-min', '1', '--rooms-per-session', '2', '--seats-per-session', '2',
  '--says-per-min', '1000000', '--says-burst', '1000000', '--probe-ms', '600000']);
const honest = await Match.start(server.port);

async function undisturbed() {
  await honest.verify();
  await honest.step();
}

test('a client that sends no hello', async () => {
  const hasty = await Server.start(['--hello-timeout-ms', '800']);
  const silent = await Socket.open(hasty.port);
  assert.equal(await silent.closing(), 4001);
  await hasty.stop();
});

test('an idle client', async () => {
  const hasty = await Server.start(['--idle-timeout-ms', '1500']);
  const match = await Match.start(hasty.port);
  const idle = await player(hasty.port, 'Idle');
  assert.equal(await idle.closing(), 4004);
  await match.step(); // who is in a room stays
  match.end();
  await hasty.stop();
});

test('a flood of requests', async () => {
  const flood = await player(server.port, 'Flood');
  for (let id = 1; id <= 2000; id++) flood.send({id, op: 'ping'});
  const counts = {};
  let last;
  for (;;) {
    const message = await flood.next();
    if (message.close !== undefined) {
      assert.equal(message.close, 4003);
      break;
    }
    const kind = message.ok ? 'ok' : message.error.code;
    counts[kind] = (counts[kind] ?? 0) + 1;
    assert.equal(message.id, (last ?? 0) + 1, 'each gets its reply, in order');
    last = message.id;
  }
  assert.ok(counts.ok >= 399 && counts.ok < 600, JSON.stringify(counts));
  assert.ok(counts.slow_down >= 99 && counts.slow_down < 1000, JSON.stringify(counts)); // a hundred in a row
  await undisturbed();
});

test('too many connections of one session', async () => {
  const first = await player(server.port, 'Many');
  const others = [];
  for (let at = 0; at < 2; at++) others.push(await player(server.port, 'Many', {token: first.token}));
  const last = await Socket.open(server.port);
  const enter = () => last.ask('hello', {token: first.token});
  let answer = await enter();
  // The pongs of those that the server has just asked may not have come.
  while (answer.error.code === 'slow_down') answer = await enter();
  assert.equal(answer.error.code, 'too_many_connections');
  for (const socket of [first, last, ...others]) socket.destroy();
  await undisturbed();
});

// Those that are alive have as long to show it as by default.
test('a connection that is gone without a word makes room for the next of its session', async () => {
  const asking = await Server.start(['--connections-per-session', '3']);
  const first = await player(asking.port, 'Flaps');
  const alive = await player(asking.port, 'Flaps', {token: first.token});
  const dead = await player(asking.port, 'Flaps', {token: first.token});
  dead.pongs = false;
  let next, answer;
  do { // as clients come back
    next?.destroy();
    await new Promise((resolve) => setTimeout(resolve, 100));
    next = await Socket.open(asking.port);
    answer = await next.ask('hello', {token: first.token});
    assert.ok(answer.ok || ['slow_down', 'too_many_connections'].includes(answer.error.code), JSON.stringify(answer));
  } while (answer.error);
  assert.equal((await dead.next()).close, 1013);
  await first.must('ping');
  await alive.must('ping');
  for (const socket of [first, alive, dead, next]) socket.destroy();
  await asking.stop();
});

test('too many connections of one address', async () => {
  const sockets = [];
  let refused = 0;
  for (let at = 0; at < 60; at++) {
    const socket = await Socket.open(server.port);
    socket.send({id: 1, op: 'hello', name: 'Many'});
    if ((await socket.next()).close === 1013) refused++;
    sockets.push(socket);
  }
  assert.equal(refused, 60 - 38);
  await undisturbed();
  for (const socket of sockets) socket.destroy();
}, 30000);

test('too many silent sockets', async () => {
  const pause = () => new Promise((resolve) => setTimeout(resolve, 20));
  const refusedOfAddress = async () => (await server.metrics())['taluva_sockets_refused_total{why="address"}'];
  const before = await refusedOfAddress();
  const silent = [];
  for (let at = 0; at < 100; at++) silent.push(await Raw.connect(server.port, {localAddress: '127.0.0.30'}));
  const closed = () => silent.filter((raw) => raw.closed).length;
  while ((await refusedOfAddress()) - before < 70 || closed() < 70) await pause();
  await undisturbed();
  assert.equal(closed(), 70);
  assert.equal((await refusedOfAddress()) - before, 70);
  for (const raw of silent) raw.destroy();
  let late;
  while (!late) {
    await pause(); // until it is seen that they have gone
    late = await player(server.port, 'Late', {localAddress: '127.0.0.30'}).catch(() => undefined);
  }
  late.destroy();
}, 30000);

// All of them wait when the server looks, so that they come within one turn of its loop.
test('half-sent headers from many addresses do not shut a newcomer out', async () => {
  const small = await Server.start(['--http-sockets', '16', '--http-sockets-per-address', '5', '--http-timeout-ms', '600000']);
  await small.pause();
  const slow = [];
  for (let at = 0; at < 60; at++) {
    const raw = await Raw.connect(small.port, {localAddress: `127.0.5.${1 + (at % 12)}`});
    raw.write('GET /healthz HTTP/1.1\r\nHost: x\r\n');
    slow.push(raw);
  }
  const late = await Raw.connect(small.port, {localAddress: '127.0.5.99'});
  late.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  small.signal('SIGCONT');
  assert.match(await late.rest(), /^HTTP\/1\.1 200 /);
  const open = () => slow.filter((raw) => !raw.closed).length;
  while (open() > 16) await new Promise((resolve) => setTimeout(resolve, 20));
  assert.ok(open() >= 15, `${open()} left`);
  const {taluva_http_sockets: sockets, ...metrics} = await small.metrics();
  assert.ok(sockets <= 16, `${sockets} counted`);
  assert.ok(metrics['taluva_sockets_refused_total{why="full"}'] >= 60 - 16);
  for (const raw of slow) raw.destroy();
  await small.stop();
}, 30000);

test('too many rooms and seats', async () => {
  const host = await player(server.port, 'Host');
  const rooms = [];
  for (let at = 0; at < 2; at++) rooms.push((await host.must('create', {})).room);
  assert.equal((await host.ask('create', {})).error.code, 'too_many_rooms');
  const guest = await player(server.port, 'Guest');
  for (const room of rooms) await guest.must('join', {room});
  const other = await player(server.port, 'Other');
  const third = (await other.must('create', {})).room;
  assert.equal((await guest.ask('join', {room: third})).error.code, 'too_many_seats');
  for (const socket of [host, guest, other]) socket.destroy();
  await undisturbed();
});

// What is unread in the systems' own buffers differs by machine: as much again three times, so that it is never all.
const OTHERS = 16;
const EVENTS = 800;

test('a slow reader is cut off, delays nobody, and comes back', async () => {
  const quick = await Server.start(['--outbox-bytes', '131072', '--requests-per-s', '100000', '--requests-burst', '100000',
    '--requests-per-address-per-s', '100000', '--requests-per-address-burst', '100000', '--work-per-s', '100000', '--work-burst', '100000',
    '--says-per-min', '1000000', '--says-burst', '1000000', '--close-timeout-ms', '10000']);
  const match = await Match.start(quick.port);
  const watch = new Watch(quick.pid), files = watch.files;
  const slow = await player(quick.port, 'Slow');
  const deaf = await player(quick.port, 'Deaf');
  const others = []; // what happens in several matches, as each player may cause so much in one
  for (let at = 0; at < OTHERS; at++) others.push(await Match.start(quick.port));
  for (const who of [slow, deaf]) {
    for (const {room} of [match, ...others]) await who.must('watch', {room});
    who.raw.socket.pause();
  }
  // Neither reads before its turn below: whoever had to wait for them would have no answer.
  for (let at = 0; ; at++) {
    assert.ok(at < OTHERS * EVENTS, 'never cut off');
    const {room, players} = others[Math.floor(at / EVENTS)];
    await players[(at >> 1) % 2].must(at % 2 ? 'withdraw' : 'offer', {room, what: 'pause'});
    for (const who of players) who.pushes = [];
    if (at % 20 === 0 && (await quick.metrics()).taluva_connections === 2 + 2 * OTHERS) break;
  }
  for (const other of others) other.end();
  // What it still has to say waits, and so does what it is told; the loop does not turn meanwhile.
  for (let at = 0; at < 50; at++) deaf.text('x', {op: PING});
  const turns = async () => (await quick.metrics()).taluva_loop_turn_seconds_count;
  const before = await turns();
  await new Promise((resolve) => setTimeout(resolve, 1000));
  assert.ok((await turns()) - before < 500, `${(await turns()) - before} turns`);
  slow.raw.socket.resume();
  assert.equal(await slow.closing(), 4002);
  while (watch.files > files) await new Promise((resolve) => setTimeout(resolve, 50));
  deaf.raw.socket.resume(); // too late to be told
  assert.ok([4002, 'cut'].includes(await deaf.closing()));
  const back = await player(quick.port, 'Slow', {token: slow.token});
  const view = await back.must('watch', {room: match.room});
  assert.deepEqual(view.state, match.state);
  back.destroy();
  await match.verify();
  await match.step();
  match.end();
  assert.equal((await quick.stop()).status, 0);
}, 60000);

// More than can be unsent to somebody, after the system's own buffers are full.
const [TALKERS, LINES_BEYOND] = [16, 400];

test('a crowd that looks on and talks closes nobody, however slow', async () => {
  const raised = ['says-per-min', 'says-burst', 'says-per-address-per-min', 'says-per-address-burst', 'watchers-say-per-min', 'watchers-say-burst',
    'requests-per-s', 'requests-burst', 'requests-per-address-per-s', 'requests-per-address-burst'].flatMap((name) => [`--${name}`, '1000000']);
  const loud = await Server.start(['--outbox-bytes', '131072', ...raised]);
  const match = await Match.start(loud.port);
  const talkers = [];
  for (let at = 0; at < TALKERS; at++) talkers.push(await player(loud.port, `Eve ${at}`, {localAddress: '127.0.0.9'}));
  for (const who of talkers) await who.must('watch', {room: match.room});
  const line = {room: match.room, text: '\u{1f30b}'.repeat(280)};
  const talk = async (rounds) => {
    for (let round = 0; round < rounds; round++) await Promise.all(talkers.map((who) => ((who.pushes = []), who.must('say', line))));
  };
  const [, slow] = match.players;
  slow.raw.socket.pause();
  const everybody = TALKERS + match.players.length;
  let unread = 0;
  while (unread < 2) {
    await talk(10);
    const {taluva_outbox_bytes, taluva_connections} = await loud.metrics();
    assert.equal(taluva_connections, everybody);
    unread = taluva_outbox_bytes > 8192 ? unread + 1 : 0;
  }
  await talk(LINES_BEYOND / TALKERS);
  assert.equal((await loud.metrics()).taluva_connections, everybody);
  slow.raw.socket.resume();
  await slow.push(({push, code}) => push === 'notice' && code === 'left_out');
  await match.step();
  await match.verify();
  for (const who of [...talkers, ...match.players]) who.destroy();
  assert.equal((await loud.stop()).status, 0);
}, 60000);

// More than are written to in one turn of the loop.
const ONLOOKERS = 80;

test('what is said to a crowd is written in several turns of the loop, and all are told in order', async () => {
  const match = await Match.start(server.port);
  const crowd = [];
  for (let at = 0; at < ONLOOKERS; at++) crowd.push(await player(server.port, `Eve ${at}`, {localAddress: `127.0.0.${10 + (at % 4)}`}));
  for (const who of crowd) await who.must('watch', {room: match.room});
  const [ana] = match.players;
  const {taluva_loop_turns_left_total: before} = await server.metrics();
  const lines = ['one', 'two', 'three'];
  for (const text of lines) await ana.must('say', {room: match.room, text});
  await match.step();
  for (const who of [...crowd, ...match.players]) {
    const told = [];
    while (told.length < lines.length) told.push((await who.push(({push}) => push === 'said')).text);
    assert.deepEqual(told, lines);
  }
  for (const who of crowd) await who.push(({push, seq}) => push === 'event' && seq === match.seqs[0]);
  assert.ok((await server.metrics()).taluva_loop_turns_left_total > before);
  await match.verify();
  for (const who of crowd) who.destroy();
  match.end();
}, 60000);

// All of them wait when the server looks. Of what they say more is heard than is read in two turns.
const READS_PER_TURN = 4;

for (const secure of [undefined, {}]) {
  test(`who asks alone is read before a crowd of another address, each in order${secure ? ', over TLS' : ''}`, async () => {
    const {cert, key, make} = certificate();
    if (secure) make('crowd');
    const loud = await Server.start(['--reads-per-turn', String(READS_PER_TURN), ...(secure ? ['--tls-cert', cert, '--tls-key', key] : [])]);
    const match = await Match.start(loud.port, {}, {secure});
    const crowd = [];
    for (let at = 0; at < ONLOOKERS; at++) crowd.push(await player(loud.port, `Eve ${at}`, {secure, localAddress: '127.0.0.10'}));
    for (const who of crowd) await who.must('watch', {room: match.room});
    let asked = 100;
    await loud.pause();
    const [ana, bo] = match.players;
    for (const [at, who] of crowd.entries()) { // long ones, in one record if it is TLS
      const requests = [{id: ++asked, op: 'say', room: match.room, text: `Eve ${at}`}, {id: ++asked, op: 'ping'}];
      who.write(Buffer.concat(requests.map((request) => frame(JSON.stringify(request).padEnd(4000)))));
    }
    bo.send({id: ++asked, op: 'say', room: match.room, text: 'late'});
    for (const who of [...crowd, bo]) await new Promise((written) => who.raw.socket.write('', written));
    loud.signal('SIGCONT');
    const told = [];
    while (!told.includes('late')) told.push((await ana.push(({push}) => push === 'said')).text);
    assert.ok(told.indexOf('late') <= 2 * READS_PER_TURN, `${told.indexOf('late')} before it`);
    for (const who of crowd) {
      const replies = [];
      while (replies.length < 2) replies.push(...[await who.next()].filter(({id}) => id));
      assert.ok(replies[0].id < replies[1].id && replies[1].ok, JSON.stringify(replies));
    }
    if (!secure) assert.ok((await loud.metrics()).taluva_loop_turns_left_total > 0);
    for (const who of crowd) who.destroy();
    match.end();
    assert.equal((await loud.stop()).status, 0);
  }, 60000);
}

test('answers of HTTP that nobody reads', async () => {
  const small = await Server.start(['--http-answer-bytes-in-all', '65536', '--http-timeout-ms', '600000',
    '--http-sockets-per-address', '100']);
  const match = await Match.start(small.port);
  const request = 'GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n';
  const deaf = [];
  const asking = setInterval(() => {
    for (const raw of deaf) if (!raw.closed) raw.write(request.repeat(100));
  }, 50);
  for (let at = 0; at < 20; at++) {
    deaf.push(await Raw.connect(small.port));
    deaf.at(-1).socket.pause();
  }
  let metrics;
  do {
    await new Promise((resolve) => setTimeout(resolve, 50));
    metrics = await small.metrics();
    const {taluva_http_answer_bytes: bytes} = metrics; // its own page comes on top of what is allowed
    assert.ok(bytes <= 2 * 65536, `${bytes} bytes are held, and no slow reader was cut`);
  } while (!(metrics.taluva_http_slow_readers_total > 0));
  clearInterval(asking);
  assert.ok(metrics.taluva_http_answer_bytes <= 65536, `${metrics.taluva_http_answer_bytes} bytes`);
  assert.equal((await small.get('/api/rooms')).status, 200);
  await match.verify();
  await match.step();
  for (const raw of deaf) raw.destroy();
  while ((await small.metrics()).taluva_http_sockets > 1) await new Promise((resolve) => setTimeout(resolve, 20));
  const after = await small.metrics(); // its own page is being made while it is counted
  assert.ok(after.taluva_http_answer_bytes < 65536, `${after.taluva_http_answer_bytes} bytes are left`);
  match.end();
  assert.equal((await small.stop()).status, 0);
}, 60000);

test('of a page of metrics both is counted: what the hub says, and the page that is made of it', async () => {
  const watched = await Server.start(['--http-timeout-ms', '600000']);
  const {body: page} = await watched.get('/metrics');
  const deaf = await Raw.connect(watched.port);
  deaf.socket.pause();
  let bytes = 0;
  while (bytes === 0) {
    deaf.write('GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(100));
    await new Promise((resolve) => setTimeout(resolve, 50));
    ({taluva_http_answer_bytes: bytes} = await watched.metrics());
  }
  assert.ok(bytes > 1.5 * page.length, `${bytes} bytes for a page of ${page.length}`);
  deaf.destroy();
  assert.equal((await watched.stop()).status, 0);
}, 60000);

// The disk is held while a room is being stored, so that whoever asks for a record from the store waits.
test('who goes away while its answer of HTTP waits for the store makes room for others', async () => {
  const hold = join(scratchFolder(), 'hold');
  const held = await Server.start(['--http-waits', '2'], {env: slowDisk({SLOW_DISK_HOLD: hold})});
  const pause = () => new Promise((resolve) => setTimeout(resolve, 20));
  const ask = async () => {
    const raw = await Raw.connect(held.port);
    raw.write('GET /api/records/00000000 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    return raw;
  };
  const sockets = async (count) => {
    while ((await held.metrics()).taluva_http_sockets !== count) await pause();
  };
  const host = await player(held.port, 'Host');
  writeFileSync(hold, '');
  const created = host.must('create', {});
  while (!existsSync(`${hold}.waits`)) await pause();
  const gone = [await ask(), await ask()];
  await sockets(3); // the page of metrics is one
  assert.match(await (await ask()).rest(), /^HTTP\/1\.1 503 /, 'only two may wait');
  for (const raw of gone) raw.destroy();
  await sockets(1);
  const patient = await ask();
  await sockets(2);
  rmSync(hold);
  assert.match(await patient.rest(), /^HTTP\/1\.1 404 /);
  await created;
  host.destroy();
  assert.equal((await held.stop()).status, 0, held.stderr);
});

test('what pages of rooms and records cost an address', async () => {
  const strict = await Server.start(['--requests-per-address-burst', '20', '--requests-per-address-per-s', '1']);
  const ask = async (path, localAddress) => {
    const raw = await Raw.connect(strict.port, {localAddress});
    raw.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    const answer = await raw.rest();
    raw.destroy();
    return answer;
  };
  const statusOf = (answer) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0);
  const answers = [];
  for (let at = 0; at < 60 && !answers.some((one) => statusOf(one) === 429); at++)
    answers.push(await ask(at % 2 ? '/api/rooms' : '/api/records/00000000', '127.0.0.9'));
  assert.deepEqual(answers.slice(0, 2).map(statusOf), [404, 200]);
  assert.equal(statusOf(answers.at(-1)), 429);
  assert.match(answers.at(-1), /retry-after: 1\r\n/);
  assert.equal(statusOf(await ask('/healthz', '127.0.0.9')), 200);
  assert.equal(statusOf(await ask('/api/rooms', '127.0.0.10')), 200, 'somebody else');
  assert.equal((await strict.metrics()).taluva_http_slow_down_total, 1);
  await strict.stop();
}, 60000);

test('guessing codes and tokens', async () => {
  const host = await player(server.port, 'Host');
  const {room, code} = await host.must('create', {access: 'code'});
  const guesser = await player(server.port, 'Guesser');
  const answers = [];
  for (let at = 0; at < 8; at++)
    answers.push((await guesser.ask('join', {room, code: String(at).repeat(16)})).error.code);
  assert.equal(answers[0], 'wrong_code');
  assert.equal(answers.at(-1), 'slow_down');
  await guesser.must('join', {room, code}); // a right one is none
  host.destroy();
  guesser.destroy();
  await undisturbed();
});

test('how fast an address connects and asks, itself or through a proxy', async () => {
  const strict = ['--connects-per-address-burst', '5', '--connects-per-address-per-s', '1', '--http-requests-per-address-burst', '3',
    '--http-requests-per-address-per-s', '1'];
  const ask = async (port, localAddress, header = '') => {
    const raw = await Raw.connect(port, {localAddress});
    raw.write(`GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${header}\r\n`);
    const status = Number(/^HTTP\/1\.1 (\d+)/.exec(await raw.rest())?.[1] ?? 0);
    raw.destroy();
    return status;
  };
  // Some come back while these are under way, if that takes seconds; hence at most and at least.
  const direct = await Server.start(strict);
  const answers = [];
  for (let at = 0; at < 12; at++) answers.push(await ask(direct.port, '127.0.0.9'));
  assert.deepEqual(answers.slice(0, 3), [200, 200, 200]);
  assert.ok(answers.includes(429) && answers.includes(0), answers.join(' '));
  assert.equal(await ask(direct.port, '127.0.0.10'), 200, 'somebody else');
  const metrics = await direct.metrics();
  assert.equal(metrics.taluva_http_slow_down_total, answers.filter((status) => status === 429).length);
  assert.equal(metrics['taluva_sockets_refused_total{why="rate"}'], answers.filter((status) => status === 0).length);
  await direct.stop();
  // A proxy may connect as fast as it likes; those whom it speaks for may not.
  const behind = await Server.start([...strict, '--trusted-proxy', '127.0.0.11']);
  const through = (address) => ask(behind.port, '127.0.0.11', `X-Forwarded-For: ${address}\r\n`);
  for (let at = 0; at < 12; at++) assert.equal(await through(`192.0.2.${at}`), 200);
  const same = [];
  for (let at = 0; at < 12; at++) same.push(await through('198.51.100.1'));
  assert.ok(same.includes(429) && !same.includes(0), same.join(' '));
  const opened = [];
  for (let at = 0; at < 12; at++) {
    const changes = {headers: {'X-Forwarded-For': '198.51.100.2'}};
    const socket = await Socket.open(behind.port, {localAddress: '127.0.0.11', changes}).catch(({status}) => ({status}));
    opened.push(socket.status);
    socket.destroy?.();
  }
  assert.deepEqual(opened.slice(0, 5), [101, 101, 101, 101, 101]);
  assert.ok(opened.includes(429), opened.join(' '));
  await behind.stop();
}, 60000);

test('it stops after everything is stored', async () => {
  honest.end();
  assert.deepEqual(await server.stop(), {status: 0, signal: null}, server.stderr);
});

await run(() => server.stop('SIGKILL'));
