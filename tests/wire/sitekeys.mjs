// The keys of a site of several servers: which they are is known to all, and who has others, or none, does not start; or they are in
// the database, sealed. Runs below tests/support/postgres.py.
import {copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {assert, run, test} from './lib/tap.mjs';
import {askDatabase, databaseFor, runToEnd, scratchFolder, Server} from './lib/server.mjs';
import {Match} from './lib/match.mjs';
import {player} from './lib/socket.mjs';

const keysOf = async (server) => JSON.parse((await server.get('/.well-known/taluva-keys.json')).body).keys.map(({kid}) => kid);
const contact = ['--push-contact', 'mailto:admin@example.org'];

/** A file with a key that seals, of this byte. */
function sealing(byte, mode = 0o600) {
  const file = join(scratchFolder(), 'site-key');
  writeFileSync(file, `${byte.repeat(32)}\n`, {mode});
  return ['--site-key-file', file];
}

/** A server that is not to start: its status and what it says. */
function refused(...args) {
  const {status, stderr} = runToEnd(['--listen', '127.0.0.1:0', ...args]);
  return `${status} ${stderr.replace(/^time=.*\n/gm, '')}`;
}

/** A folder with these files of another one. */
function folderWith(data, ...files) {
  const folder = join(scratchFolder(), 'data');
  mkdirSync(folder, {mode: 0o700});
  for (const file of files) copyFileSync(join(data, file), join(folder, file));
  return folder;
}

const start = (url, data, ...args) => Server.start(['--store', url, ...args], {data});
const documentOf = (url) => askDatabase(url, "SELECT text FROM taluva.document WHERE name = 'keys'");

test('a server with other keys than its site, or with none, is refused and told what to do', async () => {
  const url = databaseFor('site keys in files');
  let server = await start(url, join(scratchFolder(), 'data'), ...contact);
  const {data} = server, [first] = await keysOf(server);
  await server.stop();
  assert.match(documentOf(url), new RegExp(`^taluva-site-keys 1\nsigning ${first}\npush [0-9a-f]{32}\nend\n`));

  const empty = folderWith(data);
  assert.match(refused('--store', url, '--data', empty),
    new RegExp(`^78 taluvad: there is no signing-keys here, though there are keys of this site .*${first}.*copy signing-keys, and push-key`));
  assert.ok(!existsSync(join(empty, 'signing-keys')), 'none is made');
  assert.match(refused('--store', url, '--data', folderWith(data, 'signing-keys'), ...contact), /^78 .*there is no push-key here/);
  const other = await Server.start([...contact]);
  await other.stop();
  assert.match(refused('--store', url, '--data', folderWith(other.data, 'signing-keys')), /^78 .*signing-keys here is not that of this site/);
  const mixed = folderWith(data, 'signing-keys');
  copyFileSync(join(other.data, 'push-key'), join(mixed, 'push-key'));
  assert.match(refused('--store', url, '--data', mixed, ...contact), /^78 .*push-key here is not that of this site/);

  // Who sends no messages needs no key for them, and does not take it from the others.
  await (await start(url, folderWith(data, 'signing-keys'))).stop();
  assert.match(documentOf(url), /^push /m);
  await (await start(url, folderWith(data, 'signing-keys', 'push-key'), ...contact)).stop();

  const before = folderWith(data, 'signing-keys', 'push-key');
  assert.equal(runToEnd(['--data', data, 'rotate-key']).status, 0);
  server = await start(url, data, ...contact);
  const [second] = await keysOf(server);
  await server.stop();
  assert.notEqual(second, first);
  assert.match(refused('--store', url, '--data', before), new RegExp(`^78 .*signing-keys here is from before the last .rotate-key.*${second}`));

  server = await start(url, folderWith(other.data, 'signing-keys', 'push-key'), '--new-keys', ...contact);
  assert.notEqual((await keysOf(server))[0], second);
  await server.stop();
  assert.match(refused('--store', url, '--data', data), /^78 .*signing-keys here is not that/);
}, 60000);

test('keys are in the database, sealed, and a server needs no files of them', async () => {
  const url = databaseFor('site keys in the database'), key = sealing('a1');
  const files = await start(url, join(scratchFolder(), 'data'), ...contact);
  const {data} = files, [first] = await keysOf(files);
  await files.stop();
  assert.match(refused('--store', url, '--data', folderWith(data), ...key), /^78 .*there is no signing-keys here/);

  let server = await start(url, data, ...key);
  assert.deepEqual(await keysOf(server), [first]);
  await server.stop();
  const sealed = documentOf(url), secret = readFileSync(join(data, 'signing-keys'), 'utf8').split(' ')[3];
  assert.match(sealed, new RegExp(`^taluva-site-keys 1\nsigning ${first}\npush [0-9a-f]{32}\nsealed [A-Za-z0-9_-]+\nend\n`));
  assert.ok(!sealed.includes(secret));

  const empty = folderWith(data);
  server = await start(url, empty, ...key, ...contact);
  assert.deepEqual(await keysOf(server), [first]);
  await server.stop();
  assert.ok(!existsSync(join(empty, 'signing-keys')) && !existsSync(join(empty, 'push-key')));
  assert.equal(documentOf(url), sealed, 'nothing has changed');

  assert.match(refused('--store', url, '--data', empty), /^78 .*what opens the keys is not given here.*site-key/);
  assert.match(refused('--store', url, '--data', empty, ...sealing('a2')), /^78 .*the site-key given to this server does not open the keys/);
  assert.match(refused('--store', url, '--data', empty, ...sealing('a1', 0o644)), /^78 .*everybody may read it/);
  assert.match(refused('--store', url, '--data', empty, ...sealing('a')), /^78 .*64 hexadecimal digits/);
  assert.match(refused('--data', empty, ...key), /^64 .*only a site in a PostgreSQL database keeps its keys there/);

  // As a credential of the service.
  const credentials = folderWith(data);
  copyFileSync(key[1], join(credentials, 'site-key'));
  server = await Server.start(['--store', url], {data: empty, env: {CREDENTIALS_DIRECTORY: credentials}});
  assert.deepEqual(await keysOf(server), [first]);
  await server.stop();

  assert.match(`${runToEnd(['--data', data, '--store', url, 'rotate-key']).stderr}`, /what opens the keys is not given here/);
  const rotated = runToEnd(['--data', empty, '--store', url, ...key, 'rotate-key']);
  assert.equal(rotated.status, 0, rotated.stderr);
  server = await start(url, empty, ...key);
  const keys = await keysOf(server);
  assert.match(rotated.stdout, new RegExp(`^new key: ${keys[0]}\nkept for checking: 1\nservers that go on sign with the old one: .* within 7 days`));
  assert.equal(keys[1], first);
  await server.stop();

  askDatabase(url, "UPDATE taluva.document SET text = replace(text, 'sealed ', 'sealed A') WHERE name = 'keys'");
  assert.match(refused('--store', url, '--data', empty, ...key), /^78 .*does not open the keys/);
  askDatabase(url, "UPDATE taluva.document SET text = 'what?' WHERE name = 'keys'");
  assert.match(refused('--store', url, '--data', empty, ...key), /^65 .*the document of this site's keys .* is damaged/);
}, 60000);

const DAY_S = 86400;
const signedWith = (record) => /^\[Result\.signature "(\S+) /m.exec(record)[1];

test('a match that ends after the key was rotated, at a server that goes on, is proven by the old key', async () => {
  const url = databaseFor('site keys that are rotated'), key = sealing('d1');
  let server = await start(url, join(scratchFolder(), 'data'), ...key);
  const {data} = server, match = await Match.start(server.port);
  assert.equal(runToEnd(['--data', folderWith(data), '--store', url, ...key, 'rotate-key']).status, 0);
  await match.players[0].must('resign', {room: match.room});
  const ended_s = Date.now() / 1000, {body: record} = await server.get(`/api/records/${match.room}`);
  match.end();
  await server.stop();
  server = await start(url, data, ...key);
  const {keys: [next, old]} = JSON.parse((await server.get('/.well-known/taluva-keys.json')).body);
  await server.stop();
  assert.equal(signedWith(record), old.kid);
  assert.ok(old.exp > ended_s + 6 * DAY_S, `until ${old.exp}, and the match ended at ${ended_s}`);
  assert.ok(next.iat <= ended_s, 'the new one is used at once');

  // No key ends before what a server has stamped whose clock was ahead.
  const ahead_s = Math.floor(ended_s) + 30 * DAY_S;
  askDatabase(url, `UPDATE taluva.session SET seen_ms = ${ahead_s}000`);
  assert.equal(runToEnd(['--data', data, '--store', url, ...key, 'rotate-key']).status, 0);
  server = await start(url, data, ...key);
  assert.ok(JSON.parse((await server.get('/.well-known/taluva-keys.json')).body).keys[1].exp >= ahead_s);
  await server.stop();

  // The same where keys are files, of a database that is told or not.
  const files = await start(databaseFor('site keys that are files'), join(scratchFolder(), 'data'));
  await files.stop();
  for (const told of [['--store', databaseFor('site keys that are files')], []]) {
    const rotated = runToEnd(['--data', files.data, ...told, 'rotate-key']);
    assert.match(rotated.stdout, /servers that go on/, rotated.stderr);
    const [, , from, until] = /^public (\S+) (\S+) (\d+) (\d+)$/m.exec(readFileSync(join(files.data, 'signing-keys'), 'utf8')).slice(1).map(Number);
    assert.ok(until > Date.now() / 1000 + 6 * DAY_S && until > from);
  }
}, 60000);

test('a site begins with keys that no server has as files, and two that begin at once have the same', async () => {
  const url = databaseFor('site keys from nothing'), key = sealing('b1');
  const begun = ['a', 'b'].map((name) => start(url, join(scratchFolder(), 'data'), ...key, ...contact, '--new-store', '--node', name));
  const nodes = await Promise.all(begun);
  const [one, other] = nodes.map(({stderr}) => /event=(?:signing_key|keys_sealed) id=(\S+)/.exec(stderr)[1]);
  assert.equal(one, other);
  await Promise.all(nodes.map((node) => node.stop()));
}, 60000);

test('a database that holds nothing beside the keys of a server is no new site', async () => {
  const url = databaseFor('site keys of players'), lost = databaseFor('site keys of nobody');
  const server = await start(url, join(scratchFolder(), 'data'));
  const {data} = server, [key] = await keysOf(server);
  (await player(server.port, 'Ana')).destroy();
  await server.stop();
  for (const more of [[], ['--node', 'one']]) {
    assert.match(refused('--store', lost, '--data', data, ...more), /^66 taluvad: the database .* holds nothing, but keys of a server are in .*--new-store/);
  }
  // Nor beside what opens the keys that are in the database, as a server of such a site has nothing else.
  for (const folder of [data, folderWith(data)]) {
    assert.match(refused('--store', lost, '--data', folder, '--node', 'one', ...sealing('c1')),
      /^66 taluvad: the database .* holds nothing, but what seals the keys of a site is given .*Restore its backup, .*--new-store/);
  }
  assert.equal(documentOf(lost), '');
  // A site from before there was such a document has players, and so has one that an embedded store was copied into.
  askDatabase(url, "DELETE FROM taluva.document WHERE name = 'keys'");
  await (await start(url, data)).stop();
  const anew = await start(lost, data, '--new-store');
  assert.deepEqual(await keysOf(anew), [key]);
  await anew.stop();
  await (await start(lost, data)).stop(); // it has begun
}, 60000);

await run();
