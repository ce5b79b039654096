// The client says why a server cannot be reached, gives up when its patience ends, and trusts what it is told to trust.
import {spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {writeFileSync} from 'node:fs';
import net from 'node:net';
import {join} from 'node:path';
import {Match} from './lib/match.mjs';
import {scratchFolder, Server} from './lib/server.mjs';
import {assert, run, test} from './lib/tap.mjs';

const binary = process.env.TALUVA;
const folder = scratchFolder();
const opened = [];

/** Runs the client to its end: {status, text}, all that it said. */
async function client(...args) {
  const child = spawn(binary, args, {stdio: ['ignore', 'pipe', 'pipe'], env: {...process.env, XDG_STATE_HOME: folder}});
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (text += bytes));
  const [status] = await once(child, 'close');
  return {status, text};
}

// The reason is the one that is known when patience ends: enough of it that one is known on a busy machine.
const rooms = (url, ...args) => client('rooms', '--patience', '8', '--server', url, ...args);

/** A server of TCP that answers the first bytes with this text, or not at all; resolves to its address. */
async function raw(answer, {end = true} = {}) {
  const server = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => answer !== null && (end ? socket.end(answer) : socket.write(answer)));
  });
  opened.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `127.0.0.1:${server.address().port}`;
}

/** A certificate for this name and its key: {cert, key}. */
function certificate(name, alternative) {
  const cert = join(folder, `${name}.pem`), key = join(folder, `${name}.key`);
  const {status} = spawnSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2',
    '-subj', `/CN=${name}`, '-addext', `subjectAltName=${alternative}`, '-keyout', key, '-out', cert]);
  assert.equal(status, 0, 'openssl cannot make a certificate');
  return {cert, key};
}

const head = (status) => `HTTP/1.1 ${status}\r\nContent-Length: 0\r\n\r\n`;
const reasons = [
  ['nobody listens', async () => '127.0.0.1:1', /connection refused, no server listens at this port/],
  ['silence', async () => raw(null), /it does not answer/],
  ['a path that is not there', async () => raw(head('404 Not Found')), /no WebSocket at this path \(HTTP 404\)/],
  ['a web server', async () => raw(head('200 OK')), /not as a WebSocket \(HTTP 200\)/],
  ['something else', async () => raw('220 mail.example ESMTP\r\n'), /without a proper answer; an address with TLS begins with wss:/],
  ['something else that stays', async () => raw('220 mail.example ESMTP\r\n', {end: false}), /it does not answer|its answer is not HTTP/],
  // What the machine's resolver says depends on its network, but not that it is said in time.
  ['an unknown host', async () => 'nobody.invalid', /no host of this name|cannot be looked up|look-up of its name takes too long/],
];

for (const [name, address, why] of reasons) {
  const asked = address().then((at) => rooms(`ws://${at}/ws`)); // all at once, as each takes all of its patience
  test(`why: ${name}`, async () => {
    const {status, text} = await asked;
    assert.equal(status, 69, text);
    assert.match(text, why);
    assert.match(text, /Giving up on wss?:.*: the server cannot be reached: /);
  });
}

test('why: TLS', async () => {
  const ours = certificate('ours', 'IP:127.0.0.1'), others = certificate('others', 'DNS:others.example');
  const server = await Server.start(['--tls-cert', ours.cert, '--tls-key', ours.key]);
  const url = `wss://127.0.0.1:${server.port}`;
  const trusted = await rooms(url, '--ca', ours.cert);
  assert.equal(trusted.status, 0, trusted.text);
  await Promise.all([
    [/its certificate is not accepted \(self-signed certificate\)/, url],
    [/its certificate is not accepted \(/, url, '--ca', others.cert],
    [/no WebSocket at this path \(HTTP 404\)/, `${url}/else`, '--ca', ours.cert],
    [/an address with TLS begins with wss:/, `ws://127.0.0.1:${server.port}`],
    [/TLS fails with it; an address without TLS begins with ws:/, `wss://${await raw(head('400 Bad'))}`],
  ].map(async ([why, ...args]) => assert.match((await rooms(...args)).text, why)));
  await server.stop();
  const named = await Server.start(['--tls-cert', others.cert, '--tls-key', others.key]);
  assert.match((await rooms(`wss://127.0.0.1:${named.port}`, '--ca', others.cert)).text, /not accepted \(IP address mismatch\)/);
  await named.stop();
});

test('why: what is fetched', async () => {
  const ours = certificate('fetched', 'IP:127.0.0.1'), others = certificate('strangers', 'DNS:others.example');
  const server = await Server.start(['--tls-cert', ours.cert, '--tls-key', ours.key]);
  const url = `wss://127.0.0.1:${server.port}`;
  const verify = (where, ...args) => client('ratings', 'verify', '--server', where, ...args);
  for (const [where, args, status, said] of [
    [url, [], 69, /its certificate is not accepted \(self-signed certificate\)/],
    [url, ['--ca', others.cert], 69, /its certificate is not accepted \(/],
    [url, ['--ca', ours.cert], 0, /^book: 0 entries/],
    [`${url}/else/ws`, ['--ca', ours.cert], 69, /the server has no such page/],
    [`ws://127.0.0.1:${server.port}`, [], 69, /cannot be reached/],
    ['ws://127.0.0.1:1', [], 69, /cannot be reached/],
    [`ws://${await raw('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort')}`, [], 69, /its answer ends in the middle/],
    [`ws://${await raw('HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n')}`, [], 69, /it points elsewhere/],
    [`ws://${await raw('HTTP/1.1 500 Bad\r\nContent-Length: 0\r\n\r\n')}`, [], 69, /HTTP 500/],
  ]) {
    const asked = await verify(where, ...args);
    assert.equal(asked.status, status, asked.text);
    assert.match(asked.text, said);
  }
  await server.stop();
}, 300000);

test('what --ca names', async () => {
  const empty = join(folder, 'empty.pem');
  writeFileSync(empty, 'nothing\n');
  const none = await rooms('ws://127.0.0.1:1', '--ca', empty);
  assert.equal(none.status, 74);
  assert.match(none.text, /--ca: .*empty\.pem: there is no certificate in it, as PEM\n/);
  const missing = await rooms('ws://127.0.0.1:1', '--ca', join(folder, 'missing.pem'));
  assert.equal(missing.status, 74);
  assert.match(missing.text, /missing\.pem: No such file or directory\n/);
});

test('a name that is refused is told with its option', async () => {
  const server = await Server.start();
  const {status, text} = await rooms(`ws://127.0.0.1:${server.port}`, '--name', '1234567890123456789012345');
  assert.equal(status, 77, text);
  assert.match(text, /^This value is not possible: --name \(your name, .* up to 24 characters\)\.$/m);
  assert.doesNotMatch(text, /Giving up/);
  await server.stop();
});

test('verify asks for keys over TLS', async () => {
  const {cert, key} = certificate('keys', 'IP:127.0.0.1');
  const data = join(scratchFolder(), 'data');
  const plain = await Server.start([], {data});
  const match = await Match.start(plain.port);
  await match.players[0].must('resign', {room: match.room});
  match.end();
  const record = join(folder, 'record.taluva');
  const got = await client('record', match.room, '--server', `ws://127.0.0.1:${plain.port}`, '--output', record);
  assert.equal(got.status, 0, got.text);
  await plain.stop();
  const server = await Server.start(['--tls-cert', cert, '--tls-key', key], {data});
  const url = `wss://127.0.0.1:${server.port}`;
  const proven = await client('verify', record, '--server', url, '--ca', cert);
  assert.equal(proven.status, 0, proven.text);
  assert.match(proven.text, /: proven\n/);
  assert.match(proven.text, new RegExp(`the word of ${url}/ws with its key`));
  assert.doesNotMatch(proven.text, /not encrypted/);
  const refused = await client('verify', record, '--server', url);
  assert.equal(refused.status, 69, refused.text);
  assert.match(refused.text, /its certificate is not accepted/);
  await server.stop();
}, 120000);

await run(async () => {
  for (const server of opened) server.close();
});
