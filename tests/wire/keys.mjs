// The keys that records are signed with: made, published, rotated, and refused when something is wrong with them.
import {createPublicKey, verify} from 'node:crypto';
import {chmodSync, readFileSync, statSync, symlinkSync, unlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {assert, run, test} from './lib/tap.mjs';
import {Match} from './lib/match.mjs';
import {runToEnd, Server} from './lib/server.mjs';
import {Socket} from './lib/socket.mjs';

/** The key that a record was signed with; null if none of these has signed it, as node's own crypto sees it. */
function signedBy(record, keys) {
  const line = /^\[Result\.signature "(\S+) (\S+)"\]\n/m;
  const [, id, signature] = line.exec(record);
  const message = Buffer.from(`taluva-record-signature 1\n${record.replace(line, '')}`);
  const {kty, crv, x} = keys.find(({kid}) => kid === id);
  const key = createPublicKey({key: {kty, crv, x}, format: 'jwk'});
  return verify(null, message, key, Buffer.from(signature, 'base64url')) ? id : null;
}

const keysOf = async (server) => JSON.parse((await server.get('/.well-known/taluva-keys.json')).body).keys;

test('the signing key is made once, is published, and is rotated while no server runs', async () => {
  let server = await Server.start();
  const {data} = server, file = join(data, 'signing-keys');
  const match = await Match.start(server.port);
  const early = await match.players[0].must('record', {room: match.room});
  assert.doesNotMatch(early.record, /Result/); // under way
  await match.players[0].must('resign', {room: match.room});
  const path = `/api/records/${match.room}`, [first] = await keysOf(server), record = (await server.get(path)).body;
  assert.equal(signedBy(record, [first]), first.kid);
  const answer = await server.get('/.well-known/taluva-keys.json');
  assert.equal(answer.headers.get('content-type'), 'application/jwk-set+json');
  assert.equal(answer.headers.get('cache-control'), 'public, max-age=3600');
  assert.equal(statSync(file).mode & 0o7777, 0o600);
  const secret = readFileSync(file, 'utf8').split(' ')[3];
  match.end();

  const refused = runToEnd(['--data', data, 'rotate-key']);
  assert.equal(refused.status, 75, refused.stderr);
  assert.match(refused.stderr, /uses the store in .*\ntaluvad: stop it first/);
  await server.stop('SIGKILL');
  server = await Server.start([], {data});
  assert.deepEqual(await keysOf(server), [first]);
  assert.equal((await server.get(path)).body, record);
  await server.stop();

  const rotated = runToEnd(['--data', data, 'rotate-key']);
  assert.equal(rotated.status, 0, rotated.stderr);
  server = await Server.start([], {data});
  const keys = await keysOf(server), hello = await Socket.open(server.port);
  assert.equal(rotated.stdout, `new key: ${keys[0].kid}\nkept for checking: 1\n`);
  assert.deepEqual((await hello.must('hello', {name: 'Ana'})).keys, keys);
  assert.deepEqual({...keys[1], exp: undefined}, {...first, exp: undefined});
  assert.equal(keys[1].exp, keys[0].iat);
  const again = (await server.get(path)).body;
  assert.equal(signedBy(again, keys), keys[0].kid);
  assert.equal(signedBy(record, keys), first.kid); // what was kept can still be checked
  assert.ok(!readFileSync(file, 'utf8').includes(secret));
  hello.destroy();
  await server.stop();
  for (const log of [server.stderr, rotated.stdout]) assert.ok(!log.includes(readFileSync(file, 'utf8').split(' ')[3]));
}, 60000);

test('keys that others may read, that are damaged, or that lead elsewhere', async () => {
  const server = await Server.start();
  const {data} = server, file = join(data, 'signing-keys');
  await server.stop();
  const text = readFileSync(file), start = (...more) => runToEnd(['--listen', '127.0.0.1:0', '--data', data, ...more]);
  chmodSync(file, 0o640);
  assert.equal(start().status, 78);
  assert.match(start().stderr, /signing-keys holds a secret key and has mode 0640/);
  chmodSync(file, 0o600);
  writeFileSync(file, text.subarray(0, text.length - 1));
  assert.equal(start().status, 65);
  assert.match(start().stderr, /signing-keys, the keys that records are signed with, is damaged: put a backup of it back/);
  assert.equal(runToEnd(['--data', data, 'rotate-key']).status, 65);
  assert.deepEqual(readFileSync(file), text.subarray(0, text.length - 1));
  unlinkSync(file);
  symlinkSync('nowhere', file); // what it leads to is nobody's business
  assert.equal(start().status, 74);
  assert.match(start().stderr, /opening .*signing-keys: Too many levels of symbolic links/);
  const none = runToEnd(['--data', join(data, 'no'), 'rotate-key']);
  assert.equal(none.status, 74);
  assert.match(none.stderr, /there is no .*signing-keys: a server makes it when it starts/);
}, 60000);

await run();
