// Messages to browsers, end to end: a push service of the tests' own on loopback takes them; they are decrypted as by a browser, and the
// server's signature is checked as by a push service (RFC 8292), with node's own cryptography.
import {createPublicKey, verify} from 'node:crypto';
import {readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {assert, run, test} from './lib/tap.mjs';
import {Match} from './lib/match.mjs';
import {Browser, service, tellAll, turnOfTheAbsent} from './lib/push.mjs';
import {runToEnd, scratchFolder, Server} from './lib/server.mjs';
import {player, Socket} from './lib/socket.mjs';

/** The claims of the Authorization header, once the signature is found good. */
function claims(authorization, key) {
  const [, token, sent] = /^vapid t=([\w-]+\.[\w-]+\.[\w-]+), k=([\w-]+)$/.exec(authorization);
  const [head, body, signature] = token.split('.'), point = Buffer.from(sent, 'base64url');
  const coordinate = (from) => point.subarray(from, from + 32).toString('base64url');
  const jwk = {kty: 'EC', crv: 'P-256', x: coordinate(1), y: coordinate(33)};
  assert.equal(sent, key);
  assert.deepEqual(JSON.parse(Buffer.from(head, 'base64url')), {typ: 'JWT', alg: 'ES256'});
  assert.ok(
    verify('sha256', Buffer.from(`${head}.${body}`), {key: createPublicKey({key: jwk, format: 'jwk'}), dsaEncoding: 'ieee-p1363'}, Buffer.from(signature, 'base64url')),
  );
  return JSON.parse(Buffer.from(body, 'base64url'));
}

const options = (...services) => [
  '--push-contact', 'mailto:operator@club.example', '--push-after-ms', '0', ...services.flatMap(({origin}) => ['--push-service', origin]),
];

/** A match without a clock in which the one who waits has gone away and is to be told at this endpoint. */
async function away(server, endpoint) {
  const match = await Match.start(server.port);
  return {match, browsers: await tellAll(match, endpoint)};
}

test('who is away is told by a message that only their browser can read', async () => {
  const push = await service();
  const server = await Server.start(options(push));
  const hello = await Socket.open(server.port);
  const {push: {key, slow_s}} = await hello.must('hello', {name: 'Eve'});
  assert.equal(slow_s, 1800);
  hello.destroy();
  const arrived = push.next(), table = await away(server, `${push.origin}/up/1?x=1`);
  const {browser, seat, other} = await turnOfTheAbsent(table);
  await arrived;
  const [{path, headers, body}] = push.taken;
  assert.equal(path, '/up/1?x=1');
  assert.equal(headers['content-encoding'], 'aes128gcm');
  assert.equal(headers.ttl, '86400');
  assert.equal(headers.urgency, 'normal');
  assert.equal(headers.topic, table.match.room);
  assert.deepEqual(browser.decrypt(body), {kind: 'turn', room: table.match.room, game: 'taluva', title: 'honest', seat, names: [other]});
  const {aud, exp, sub} = claims(headers.authorization, key), now = Date.now() / 1000;
  assert.equal(aud, push.origin);
  assert.equal(sub, 'mailto:operator@club.example');
  assert.ok(exp > now && exp <= now + 24 * 3600);
  const file = join(server.data, 'push-key');
  assert.equal(statSync(file).mode & 0o7777, 0o600);
  assert.ok(!server.stderr.includes(readFileSync(file, 'utf8').split(' ').at(-1).trim()));
  assert.equal((await server.metrics()).taluva_push_lost_total, 0);
  await server.stop();
  assert.equal(push.taken.length, 1);
  push.stop();
});

test('subscriptions and the key outlive a restart; a service that says gone ends one', async () => {
  const push = await service((request, response) => response.writeHead(410).end());
  let server = await Server.start(options(push));
  const {data} = server, one = await player(server.port, 'Ana');
  const {devices} = await one.must('notify', new Browser(`${push.origin}/2`).subscription);
  assert.equal(devices[0].service, push.origin.slice('http://'.length));
  const {token} = one;
  one.destroy();
  const key = readFileSync(join(data, 'push-key'), 'utf8');
  await server.stop('SIGKILL');
  server = await Server.start(options(push), {data});
  assert.equal(readFileSync(join(data, 'push-key'), 'utf8'), key);
  if (token) {
    const again = await Socket.open(server.port);
    await again.must('hello', {token});
    assert.equal((await again.must('unnotify', {endpoint: `${push.origin}/3`})).devices.length, 1);
    again.destroy();
  }
  const arrived = push.next(), table = await away(server, `${push.origin}/4`);
  await turnOfTheAbsent(table);
  await arrived;
  const gone = async () => (await server.metrics())['taluva_push_sent_total{outcome="gone"}'] === 1;
  while (!(await gone())) await new Promise((resolve) => setTimeout(resolve, 20));
  await server.stop();
  push.stop();
});

test('a service that never answers holds up neither players nor the end of the server', async () => {
  const push = await service(() => {});
  const server = await Server.start(options(push));
  const arrived = push.next(), table = await away(server, `${push.origin}/5`);
  await turnOfTheAbsent(table);
  await arrived;
  const one = await player(server.port, 'Bo');
  await one.must('ping', {});
  one.destroy();
  assert.equal((await server.stop()).status, 0);
  push.stop();
});

test('a service that takes nothing does not fill the log', async () => {
  const push = await service((request, response) => response.writeHead(400).end());
  const server = await Server.start(options(push));
  for (let at = 0; at < 4; at++) {
    const arrived = push.next(), table = await away(server, `${push.origin}/6/${at}`);
    await turnOfTheAbsent(table);
    await arrived;
  }
  while ((await server.metrics())['taluva_push_sent_total{outcome="refused"}'] < 4) await new Promise((resolve) => setTimeout(resolve, 20));
  await server.stop();
  const said = [...server.stderr.matchAll(/^time=(\S+) .*event=push_refused status=400 more=\d+$/gm)].map(([, time]) => Date.parse(time));
  assert.ok(said.length > 0, server.stderr);
  said.reduce((before, time) => assert.ok(time - before > 9000, server.stderr) ?? time);
  push.stop();
});

test('endpoints elsewhere are refused, and a server without a contact sends nothing', async () => {
  const server = await Server.start(options());
  const one = await player(server.port, 'Ana');
  for (const endpoint of ['http://127.0.0.1:1/x', 'https://127.0.0.1/x', 'https://localhost/x', 'https://push.example/x', 'https://fcm.googleapis.com:22/x']) {
    const {error} = await one.ask('notify', new Browser(endpoint).subscription);
    assert.equal(error?.code, 'bad_field', endpoint);
    assert.equal(error.field, 'endpoint');
  }
  await one.must('notify', new Browser('https://fcm.googleapis.com/fcm/send/x').subscription);
  one.destroy();
  await server.stop();

  const silent = await Server.start();
  const hello = await Socket.open(silent.port);
  assert.equal((await hello.must('hello', {name: 'Ana'})).push, undefined);
  hello.destroy();
  await silent.stop();
});

test('what is wrong with the options or the key is said at once', async () => {
  for (const bad of [['--push-contact', 'operator'], ['--push-contact', 'mailto:a b@c'], ['--push-service', 'https://a.example/'], ['--push-service', '*.com']])
    assert.equal(runToEnd(['--data', join(scratchFolder(), 'data'), ...bad]).status, 64, bad.join(' '));
  const server = await Server.start(options());
  const {data} = server;
  await server.stop();
  writeFileSync(join(data, 'push-key'), 'taluva-push-key 1\nsecret x\n', {mode: 0o600});
  const refused = runToEnd(['--data', data, '--listen', '127.0.0.1:0', ...options()]);
  assert.equal(refused.status, 65, refused.stderr);
  assert.match(refused.stderr, /push-key, the key for push services, is damaged/);
});

await run();
