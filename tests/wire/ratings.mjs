// A quick match of two accounts on a real server: they find each other, it is rated, and the book that anybody can read is sound.
import {createHash, createPublicKey, verify} from 'node:crypto';

import {Server} from './lib/server.mjs';
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

async function account(server, name, handle) {
  const who = await player(server.port, name);
  await who.must('claim', {handle});
  return who;
}

test('two who seek sit at one table, and what comes of it is in the book', async () => {
  const server = await Server.start(['--accounts', 'open']);
  const visitor = await player(server.port, 'Visitor');
  await assert.rejects(visitor.must('seek'), /account_needed/);
  const players = [await account(server, 'Ana', 'ana'), await account(server, 'Bo', 'bob')];
  for (const who of players) await who.must('seek', {game: 'taluva', options: {sizes: [2, 3]}});
  const found = [];
  for (const who of players) found.push(await who.push(({push}) => push === 'found'));
  assert.equal(found[0].room, found[1].room);
  assert.equal(found[0].class, 'taluva.duel.live');
  const {room} = found[0];
  for (const who of players) {
    const {state, you} = await who.must('join', {room});
    who.seat = you.seat;
    assert.equal(state.rated, 'taluva.duel.live');
    await who.must('ready', {room, ready: true, nonce: 'ab'.repeat(16)});
  }
  await players[0].must('start', {room});
  for (let turn = 0; turn < 4; turn++) {
    const {state} = await players[0].must('watch', {room}), who = players.find(({seat}) => seat === state.acting[0]);
    for (let acting = true; acting; ) {
      const {moves} = await who.must('moves', {room});
      await who.must('move', {room, move: moves[0], confirm: true});
      acting = (await who.must('watch', {room})).state.acting[0] === who.seat;
    }
  }
  await players[1].must('resign', {room});
  const told = [];
  for (const who of players) told.push(await who.push(({push}) => push === 'rated'));
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

await run();
