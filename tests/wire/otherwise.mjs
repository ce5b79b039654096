// What browsers, proxies and service managers do otherwise than most, and other servers had trouble with (the table in tests/README.md).
import {mkdirSync, readdirSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {Raw, Socket, frame, player} from './lib/socket.mjs';
import {scratchFolder, Server} from './lib/server.mjs';
import {assert, run, test} from './lib/tap.mjs';

/** The head of the answer to a GET, and how many bytes of a body there are. */
async function get(port, path, headers = {}, {version = 'HTTP/1.1', host = `127.0.0.1:${port}`} = {}) {
  const raw = await Raw.connect(port);
  const lines = Object.entries({...(host ? {Host: host} : {}), Connection: 'close', ...headers}).map(([name, value]) => `${name}: ${value}\r\n`);
  raw.write(`GET ${path} ${version}\r\n${lines.join('')}\r\n`);
  const head = await raw.httpHead();
  const body = (await raw.rest()).length;
  return {head, body, status: Number(/^HTTP\/1\.[01] (\d+)/.exec(head)?.[1] ?? 0), tag: /^etag: (.*)\r$/im.exec(head)?.[1]};
}

const web = join(scratchFolder(), 'web');
mkdirSync(web);
writeFileSync(join(web, 'index.html'), '<p>A page.</p>\n'.repeat(200));
const server = await Server.start(['--web', web]);
const {port} = server;

test('the mark of a page that a proxy has made a weak one still says that it is known', async () => {
  const {tag} = await get(port, '/');
  assert.ok(tag);
  for (const known of [tag, `W/${tag}`, `"other", ${tag}`, `"other", W/${tag}`, '*'])
    assert.equal((await get(port, '/', {'If-None-Match': known})).status, 304, known);
  assert.equal((await get(port, '/', {'If-None-Match': '"other"'})).status, 200);
});

test('who refuses gzip in so many words is sent none', async () => {
  for (const accepted of ['gzip;q=0', 'gzip; q=0.0, identity', 'identity', 'x-gzipped', 'br'])
    assert.ok(!/^content-encoding:/im.test((await get(port, '/', {'Accept-Encoding': accepted})).head), accepted);
  for (const accepted of ['gzip', 'br, gzip;q=0.5', 'deflate,gzip'])
    assert.match((await get(port, '/', {'Accept-Encoding': accepted})).head, /^content-encoding: gzip\r$/im, accepted);
});

test('a part of a file that is asked for is answered with all of it, or with that part', async () => {
  for (const range of ['bytes=0-9', 'bytes=-5', 'bytes=5-', 'bytes=9999999-', 'bytes=0-1,3-4', 'lines=1']) {
    const {status} = await get(port, '/', {Range: range});
    assert.ok([200, 206, 416].includes(status), `${range}: ${status}`);
  }
});

test('a target as a proxy writes it, or a question behind it, leads to the same page', async () => {
  assert.equal((await get(port, '/?utm_source=a&b=%20')).status, 200);
  assert.ok([200, 400, 404].includes((await get(port, `http://127.0.0.1:${port}/`)).status));
  assert.equal((await get(port, '/healthz')).status, 200, 'it goes on');
});

test('a client of HTTP/1.0 is answered, and the connection is closed behind it', async () => {
  const {status, head} = await get(port, '/healthz', {}, {version: 'HTTP/1.0'});
  assert.equal(status, 200);
  assert.ok(!/^transfer-encoding:/im.test(head), 'it could not read that');
});

test('a WebSocket is opened however its head is written', async () => {
  const heads = [
    {Connection: 'keep-alive, Upgrade'},
    {Connection: 'upgrade', Upgrade: 'WebSocket'},
    {'Sec-WebSocket-Protocol': 'other,  taluva.v1+json'},
    {'Sec-WebSocket-Protocol': 'taluva.v1+json, other', Pragma: 'no-cache', 'Cache-Control': 'no-cache'},
  ];
  for (const headers of heads) {
    const socket = await Socket.open(port, {changes: {headers}});
    assert.ok((await socket.ask('hello', {})).ok, JSON.stringify(headers));
    socket.destroy();
  }
});

test('whoever speaks another version of WebSockets is told which one there is', async () => {
  const upgrade = {Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==', 'Sec-WebSocket-Protocol': 'taluva.v1+json'};
  for (const version of [{}, {'Sec-WebSocket-Version': '8'}]) {
    const {status, head} = await get(port, '/ws', {...upgrade, ...version});
    assert.equal(status, 426);
    assert.match(head, /^sec-websocket-version: 13\r$/im);
  }
});

test('two requests that come at once are both answered, in their order', async () => {
  const raw = await Raw.connect(port);
  const host = `Host: 127.0.0.1:${port}`;
  raw.write(`GET /nowhere HTTP/1.1\r\n${host}\r\n\r\nGET /healthz HTTP/1.1\r\n${host}\r\nConnection: close\r\n\r\n`);
  const text = `${await raw.httpHead()}${await raw.rest()}`;
  assert.deepEqual(text.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 404', 'HTTP/1.1 200']);
});

test('a client that answers no ping but goes on asking is there', async () => {
  const hasty = await Server.start(['--ping-interval-ms', '1000', '--ping-timeout-ms', '2000']);
  const busy = await player(hasty.port, 'Busy');
  busy.pongs = false;
  while (busy.pings < 5) {
    assert.ok((await busy.ask('ping')).ok);
    await pause(100);
  }
  busy.destroy();
  await hasty.stop();
}, 20000);

test('nobody else reads what the server keeps, whatever the umask', async () => {
  const before = process.umask(0);
  const open = await Server.start([]).finally(() => process.umask(before));
  await player(open.port, 'Ana');
  const files = readdirSync(open.data);
  const complete = files.some((name) => name.endsWith('-wal')) && files.includes('signing-keys');
  assert.ok(complete || process.env.TALUVA_BENEATH, files.join());
  for (const name of files.filter((file) => file !== 'admin.sock')) assert.equal(statSync(join(open.data, name)).mode & 0o077, 0, name);
  assert.equal(statSync(open.data).mode & 0o077, 0);
  await open.stop();
});

test('a ping between the parts of a message is answered, and the message is read', async () => {
  const socket = await Socket.open(port);
  const text = JSON.stringify({id: 7, op: 'hello'});
  socket.raw.write(Buffer.concat([frame(text.slice(0, 5), {fin: false}), frame('between', {op: 9}), frame(text.slice(5), {op: 0})]));
  const pong = await socket.frame();
  assert.deepEqual([pong.op, pong.payload.toString()], [10, 'between']);
  assert.equal(JSON.parse((await socket.frame()).payload).id, 7);
  socket.destroy();
});

test('a number of a request is answered as it was, and one that would be another in JavaScript is refused', async () => {
  const socket = await player(port, 'Ana');
  const answer = async (id) => {
    socket.text(`{"id":${id},"op":"ping"}`);
    return (await socket.frame()).payload.toString();
  };
  assert.match(await answer('9007199254740991'), /"id":9007199254740991,"ok"/);
  for (const id of ['9007199254740992', '18446744073709551617', '1e3', '1.5', '-1', '"7"', '00'])
    assert.match(await answer(id), /"error"/, id);
  assert.match(await answer('8'), /"id":8,"ok"/);
  socket.destroy();
});

test('names that mean something to a program are names', async () => {
  for (const name of ['__proto__', 'constructor', 'null', '%s%n', '${HOME}', "'; DROP TABLE room; --", '<img src=x>', '$1']) {
    const socket = await player(port, name);
    const {room} = await socket.must('create', {});
    await socket.must('join', {room});
    const {state} = await socket.must('watch', {room});
    assert.deepEqual(Object.values(state.seats).map((seat) => seat.name), [name]);
    socket.destroy();
  }
});

test('names that would end a line of a record, or begin another one, stay where they are', async () => {
  const names = ['"]', '\\', '\\"] [Seat.1.name "Eve', '[Result.winner "0"]'];
  for (const [at, name] of names.entries()) {
    const players = [await player(port, name), await player(port, names[(at + 1) % names.length])];
    const {room} = await players[0].must('create', {title: name, options: {players: 2}});
    for (const who of players) await who.must('join', {room});
    for (const who of players) await who.must('ready', {room, ready: true, nonce: 'ab'.repeat(16)});
    await players[0].must('start', {room});
    await players[1].must('resign', {room});
    const {record} = await players[0].must('record', {room});
    const lines = record.split('\n').flatMap((line) => /^\[(Title|Seat\.\d\.name|Result\.winner\S*) "(.*)"\]$/.exec(line)?.slice(1) ?? []);
    const said = new Map(Array.from({length: lines.length / 2}, (_, i) => [lines[2 * i], lines[2 * i + 1].replace(/\\(.)/g, '$1')]));
    assert.deepEqual([said.get('Title'), said.get('Seat.0.name'), said.get('Seat.1.name')], [name, name, names[(at + 1) % names.length]]);
    assert.equal(record.split('\n').filter((line) => line.startsWith('[Seat.1.name ')).length, 1);
    for (const who of players) who.destroy();
  }
});

test('what a client calls itself, or asks for, forges no line of the log', async () => {
  const forged = 'x\\n{\\"level\\":\\"forged\\"}\\u001b[2J';
  const socket = await Socket.open(port);
  socket.text(`{"id":1,"op":"hello","name":"${forged}","client":"${forged}"}`);
  await socket.frame();
  await get(port, '/%0a{"level":"forged"}%1b[2J');
  socket.destroy();
  assert.ok(!server.stderr.includes('\u001b'));
  assert.ok(!server.stderr.split('\n').some((line) => line.startsWith('{"level":"forged"')));
});

test('who ends the sending side, and reads on, gets the answer to what was asked before', async () => {
  const raw = await Raw.connect(port, {allowHalfOpen: true});
  raw.socket.end(`GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`);
  assert.match(await raw.rest(), /^HTTP\/1\.1 200/);
});

const EX_TEMPFAIL = 75;

// A second signal cuts short what the first one began, if that is not over yet.
test('told to end again and again, it ends once, and begins again', async () => {
  const one = await Server.start();
  await (await player(one.port, 'Ana')).must('create', {});
  let over = false;
  const end = one.ended.finally(() => (over = true));
  while (!over) {
    one.signal('SIGTERM'); // at every step of its end
    await pause(1);
  }
  const {status, signal} = await end;
  assert.ok(status === 0 || status === EX_TEMPFAIL, `${status} ${signal}: ${one.stderr}`);
  const next = await Server.start([], {data: one.data});
  assert.equal((await get(next.port, '/readyz')).status, 200);
  await next.stop();
});

await run();
await server.stop();
