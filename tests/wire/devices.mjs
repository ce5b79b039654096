// One player on several devices, over real sockets: links, the recovery phrase, the same table at once, the end of a device; and all of
// it again after the server was killed.
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {assert, run, test} from './lib/tap.mjs';
import {Match, merge} from './lib/match.mjs';
import {Server} from './lib/server.mjs';
import {player, Socket} from './lib/socket.mjs';

/** A connection that says hello with a link or a phrase, and what it is answered. */
async function hello(server, secret) {
  const socket = await Socket.open(server.port);
  const {ok, error} = await socket.ask('hello', secret);
  return {socket, ok, code: error?.code};
}

/** One more device by that link or phrase. */
async function entered(server, pass, client = 'Phone') {
  const {socket, ok, code} = await hello(server, {pass, client});
  assert.equal(code, undefined);
  return Object.assign(socket, {token: ok.token, hello: ok});
}

async function refused(server, secret, expected) {
  const {socket, code} = await hello(server, secret);
  assert.equal(code, expected);
  socket.destroy();
}

/** Enters by a link of that player. */
const another = async (server, who) => entered(server, (await who.must('link')).pass);

test('a link opens the same session once, also after a restart', async () => {
  let server = await Server.start();
  const {data} = server, ana = await player(server.port, 'Ana');
  const [used, kept] = [(await ana.must('link')).pass, (await ana.must('link')).pass];
  const phone = await entered(server, used);
  assert.equal(phone.hello.session, ana.hello.session);
  assert.equal(phone.hello.name, 'Ana');
  assert.notEqual(phone.token, ana.token);
  await refused(server, {pass: used}, 'unknown_pass');
  await server.stop('SIGKILL');
  server = await Server.start([], {data});
  await refused(server, {pass: used}, 'unknown_pass');
  const tablet = await entered(server, kept, 'Tablet');
  assert.equal(tablet.hello.session, ana.hello.session);
  await refused(server, {pass: kept}, 'unknown_pass');
  const back = await player(server.port, undefined, {token: phone.token});
  const {devices} = await back.must('devices');
  assert.deepEqual(devices.map(({name, this: own}) => [name, own]), [['', undefined], ['Phone', true], ['Tablet', undefined]]);
  await server.stop();
});

test('a link whose answer was lost with the server is answered again to whoever used it', async () => {
  let server = await Server.start();
  const {data} = server, ana = await player(server.port, 'Ana'), {pass} = await ana.must('link');
  const secret = Buffer.alloc(32, 7).toString('base64url');
  const {token} = await (await Socket.open(server.port)).must('hello', {pass, secret, client: 'Phone'});
  await server.stop('SIGKILL');
  server = await Server.start([], {data});
  await refused(server, {pass, secret: Buffer.alloc(32, 8).toString('base64url')}, 'unknown_pass');
  const again = await (await Socket.open(server.port)).must('hello', {pass, secret, client: 'Phone'});
  assert.deepEqual([again.token, again.name], [token, 'Ana']);
  await refused(server, {secret}, 'bad_field');
  await server.stop();
});

test('of several at once with one link one gets in', async () => {
  const server = await Server.start(['--requests-burst', '1000']);
  const ana = await player(server.port, 'Ana'), {pass} = await ana.must('link');
  const sockets = await Promise.all(Array.from({length: 4}, () => Socket.open(server.port)));
  const replies = await Promise.all(sockets.map((socket) => socket.ask('hello', {pass})));
  assert.equal(replies.filter(({ok}) => ok).length, 1);
  assert.equal((await ana.must('devices')).devices.length, 2);
  await server.stop();
});

test('a link is over when its time is', async () => {
  const server = await Server.start(['--link-ms', '1000']);
  const ana = await player(server.port, 'Ana'), {pass, until} = await ana.must('link');
  while ((await ana.must('ping')).time < until) await new Promise((resolve) => setTimeout(resolve, 100));
  await refused(server, {pass}, 'unknown_pass');
  await server.stop();
});

test('two devices at once see the same table and play at the same seat', async () => {
  const server = await Server.start();
  const match = await Match.start(server.port), [ana] = match.players;
  const phone = await another(server, ana);
  assert.deepEqual(phone.hello.seats, [{room: match.room, seat: ana.seat}]);
  const view = await phone.must('watch', {room: match.room});
  assert.deepEqual(view.you, (await ana.must('watch', {room: match.room})).you);
  let [state, seq] = [view.state, view.seq];
  const follow = async (upto) => {
    for (; seq < upto; seq++) state = merge(state, (await phone.push((push) => push.push === 'event' && push.seq === seq + 1)).patch);
    assert.deepEqual(state, match.state);
  };
  for (let moves = 0; moves < 6; moves++) {
    await match.step();
    await follow(match.seqs[0]);
  }
  while (match.actingSeat !== ana.seat) await match.step();
  await follow(match.seqs[0]);
  const {moves} = await phone.must('moves', {room: match.room}), done = await phone.must('move', {room: match.room, move: moves[0], confirm: true});
  await match.hear(done.seq); // both players heard of what the phone did
  await follow(done.seq);
  await match.verify();
  match.end();
  await server.stop();
});

test('an ended device is closed with 4006 on all its connections, and is nobody any more', async () => {
  let server = await Server.start();
  const {data} = server, ana = await player(server.port, 'Ana');
  const phone = await another(server, ana), tab = await player(server.port, undefined, {token: phone.token});
  const {pass} = await phone.must('link');
  const {devices} = await ana.must('devices');
  const left = await ana.must('forget', {device: devices[1].device});
  assert.deepEqual(left.devices.map(({device}) => device), [devices[0].device]);
  assert.equal(await phone.closing(), 4006);
  assert.equal(await tab.closing(), 4006);
  await refused(server, {token: phone.token}, 'unknown_token');
  await refused(server, {pass}, 'unknown_pass');
  await server.stop('SIGKILL');
  server = await Server.start([], {data});
  await refused(server, {token: phone.token}, 'unknown_token');
  const back = await player(server.port, undefined, {token: ana.token});
  assert.equal((await back.must('devices')).devices.length, 1);
  await server.stop();
});

test('a phrase brings back who has lost every device, until another one takes its place', async () => {
  let server = await Server.start();
  const {data} = server, match = await Match.start(server.port), [ana] = match.players;
  const first = (await ana.must('phrase')).pass, phrase = (await ana.must('phrase')).pass;
  await ana.must('forget', {device: (await ana.must('devices')).devices[0].device});
  assert.equal(await ana.closing(), 4006);
  await server.stop('SIGKILL');
  server = await Server.start([], {data});
  await refused(server, {pass: first}, 'unknown_pass');
  for (const again of [1, 2]) {
    const back = await entered(server, phrase);
    assert.equal(back.hello.session, ana.hello.session);
    assert.equal((await back.must('join', {room: match.room})).you.seat, ana.seat);
    assert.equal((await back.must('devices')).devices.length, again);
  }
  await server.stop();
});

test('no secret is written anywhere', async () => {
  const server = await Server.start(['--log-level', 'debug']);
  const ana = await player(server.port, 'Ana');
  const secrets = [ana.token, (await ana.must('phrase')).pass, (await ana.must('link')).pass];
  const phone = await another(server, ana);
  secrets.push(phone.token);
  await server.stop();
  const files = readdirSync(server.data).map((name) => readFileSync(join(server.data, name)));
  for (const secret of secrets) {
    assert.ok(!server.stderr.includes(secret) && !server.stdout.includes(secret));
    for (const bytes of files) assert.ok(!bytes.includes(secret) && !bytes.includes(Buffer.from(secret, 'base64url')));
  }
});

await run();
