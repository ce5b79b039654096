// What the crowd sees while its server says things in one piece, as a busy one does. TAP.
import {createServer} from 'node:net';
import {assert, run, test} from '../wire/lib/tap.mjs';
import {Client} from './lib/client.mjs';
import {Crowd} from './lib/crowd.mjs';

function text(message) {
  const payload = Buffer.from(JSON.stringify(message));
  return Buffer.concat([Buffer.from([0x81, 126, payload.length >> 8, payload.length & 255]), payload]);
}

/** Answers each request with what `answer(number of the request)` returns, in one write. */
async function serverOf(answer) {
  let asked = 0;
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n');
      socket.on('data', () => socket.write(Buffer.concat(answer(asked++).map(text))));
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

const event = (seq) => ({push: 'event', room: 'k3m9x0aq', seq, event: {kind: 'move'}, patch: {}});

/** What is wrong when somebody who has `had` comes back, is told `seq`, and `pushes` in the same piece. */
async function comesBack({had, acked, view, pushes}) {
  const says = [[{id: 1, ok: {session: 's', token: 't', seats: []}}], [{id: 2, ok: view}, ...pushes.map(event)]];
  const server = await serverOf((number) => says[number]);
  const crowd = new Crowd({where: () => undefined, told: () => {}, pace_ms: () => 0});
  const player = {name: 'Ana', seq: had, room: 'k3m9x0aq', match: {room: 'k3m9x0aq', acked, at: had}};
  const client = await Client.open(`ws://127.0.0.1:${server.address().port}`);
  client.lastId = 0;
  player.client = client;
  await crowd.greet(player, client);
  crowd.stop();
  client.destroy();
  server.close();
  return {wrong: crowd.wrong.map((one) => Object.keys(one)[0]), seq: player.seq};
}

test('an event that comes with the answer is newer than it', async () => {
  assert.deepEqual(await comesBack({had: 35, acked: 35, view: {seq: 35}, pushes: [36]}), {wrong: [], seq: 36});
  assert.deepEqual(await comesBack({had: 3, acked: 3, view: {seq: 35, state: {}}, pushes: [36, 37]}), {wrong: [], seq: 37});
});

test('an answer that is older than what was seen or acknowledged is wrong', async () => {
  assert.deepEqual(await comesBack({had: 36, acked: 35, view: {seq: 35}, pushes: [36]}), {wrong: ['stale'], seq: 36});
  assert.deepEqual(await comesBack({had: 35, acked: 36, view: {seq: 35}, pushes: []}), {wrong: ['stale'], seq: 35});
});

test('a number left out is wrong', async () => {
  assert.deepEqual(await comesBack({had: 35, acked: 35, view: {seq: 35}, pushes: [37]}), {wrong: ['gap'], seq: 35});
});

test('who is on the way back when all leave is nothing wrong', async () => {
  const server = await serverOf(() => []);
  let asked;
  const tried = new Promise((resolve) => (asked = resolve));
  server.on('connection', (socket) => socket.on('data', asked));
  const crowd = new Crowd({where: () => `ws://127.0.0.1:${server.address().port}`, told: () => {}, pace_ms: () => 0});
  crowd.play(1);
  await tried;
  while (!crowd.matches[0].players.every(({asked: at}) => at !== undefined)) await new Promise(setImmediate);
  crowd.stop();
  await Promise.allSettled(crowd.matches[0].players.map(({ready}) => ready));
  await crowd.matches[0].playing;
  assert.deepEqual(crowd.wrong, []);
  server.close();
});

await run();
