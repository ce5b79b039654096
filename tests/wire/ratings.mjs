// A quick match of two accounts on a real server: they find each other, it is rated, and the book that anybody can read is sound.
import {execFileSync} from 'node:child_process';
import {createHash, createPublicKey, verify} from 'node:crypto';
import {join} from 'node:path';

import {account, playRated} from './lib/rated.mjs';
import {databaseOf, runToEnd, Server} from './lib/server.mjs';
import {player} from './lib/socket.mjs';
import {assert, run, test} from './lib/tap.mjs';

const zeros = Buffer.alloc(32);
const sha256 = (...parts) => createHash('sha256').update(Buffer.concat(parts.map((part) => Buffer.from(part)))).digest();

/** The lines behind number n, each with its text as it stands there. */
async function bookOf(server, n = 0) {
  const {body} = await server.get(`/api/book/${n}`);
  return body.split('\n').filter(Boolean).map((line) => {
    const {hash, entry} = JSON.parse(line), text = line.slice(line.indexOf(',"entry":') + 9, -1);
    assert.equal(JSON.stringify(entry), text);
    return {hash, entry, text};
  });
}

test('two who seek sit at one table, and what comes of it is in the book', async () => {
  const server = await Server.start(['--accounts', 'open']);
  const visitor = await player(server.port, 'Visitor');
  await assert.rejects(visitor.must('seek'), /account_needed/);
  const players = [await account(server, 'Ana', 'ana'), await account(server, 'Bo', 'bob')];
  const {room, told} = await playRated(players);
  assert.deepEqual(told.map(({before, after, n}) => [before, after, n]), [[1500, 1662, 2], [1500, 1338, 2]]);

  const book = await bookOf(server), end = JSON.parse((await server.get('/.well-known/taluva-book.json')).body);
  assert.deepEqual(book.map(({entry}) => [entry.n, entry.kind]), [[1, 'system'], [2, 'match']]);
  const last = book.reduce((before, {hash, text}) => {
    assert.equal(sha256(before, text).toString('hex'), hash);
    return Buffer.from(hash, 'hex');
  }, zeros);
  assert.deepEqual([end.n, end.hash], [2, last.toString('hex')]);
  const {keys} = JSON.parse((await server.get('/.well-known/taluva-keys.json')).body);
  const {kty, crv, x} = keys.find(({kid}) => kid === end.key), signed = `taluva-book-head 1\n${end.n}\n${end.hash}\n${end.time}\n`;
  assert.ok(verify(null, Buffer.from(signed), createPublicKey({key: {kty, crv, x}, format: 'jwk'}), Buffer.from(end.signature, 'base64url')));
  assert.match((await server.get(`/api/records/${room}`)).body, /\[Result\.rated "taluva\.duel\.live"\]\n\[Result\.accounts "[0-9a-f]{16} [0-9a-f]{16}"\]\n/);
  assert.deepEqual(await bookOf(server, 2), []);

  for (const who of [visitor, ...players]) who.destroy();
  await server.stop();
});

test('what all are rated is computed again from the book, and put right', async () => {
  const server = await Server.start(['--accounts', 'open']);
  const players = [await account(server, 'Ana', 'ana'), await account(server, 'Bo', 'bob')];
  await playRated(players);
  for (const who of players) who.destroy();
  await server.stop();
  if (databaseOf(server.data)) return; // there it is 'wire database' that shows it
  const rebuild = (...words) => {
    const {status, stdout, stderr} = runToEnd(['--data', server.data, 'ratings', 'rebuild', ...words]);
    return [status, stdout + stderr];
  };
  const change = (sql) => execFileSync('python3', ['-c', 'import sqlite3, sys\ndb = sqlite3.connect(sys.argv[1])\ndb.executescript(sys.argv[2])', join(server.data, 'taluva.db'), sql]);
  const right = [0, 'book: 2 entries, 1 matches, 0 annulled; ratings: 2, 0 differences\n'];
  assert.deepEqual(rebuild(), right);
  assert.deepEqual(rebuild('--write'), right);
  change('DELETE FROM rating WHERE strength > 1500000');
  const wrong = /^account [0-9a-f]{16} in taluva\.duel\.live: is none; by the book 1662\.212 \+- 290\.230 by 1 matches, entry 2\nbook: .*ratings: 1, 1 differences/;
  const [status, said] = rebuild();
  assert.equal(status, 65);
  assert.match(said, wrong);
  const [written, put] = rebuild('--write');
  assert.equal(written, 0);
  assert.match(put, /1 differences, put right\n$/);
  assert.deepEqual(rebuild(), right);
  change("UPDATE book SET line = replace(line, '1662212', '1662213')");
  const [damaged, told] = rebuild('--write');
  assert.equal(damaged, 65, told);
  assert.match(told, /store_damaged.*book/);
  assert.match(told, /of 2 entries 1 are there/);
  change('DELETE FROM book WHERE n = 2');
  assert.equal(rebuild('--write')[0], 65);
});

await run();
