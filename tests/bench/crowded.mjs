// What nodes.py asks of a site with many rooms, as clients do. Each prints one JSON object.
//
//     node crowded.mjs open PORT COUNT                makes open rooms, each of a session of its own
//     node crowded.mjs takeover PORT PID ROOM...      kills another node: until players at PORT go on, and each ROOM, one of each part,
//                                                     answers; in seconds
//     node crowded.mjs pages PORT COUNT               looks at all pages of the list of rooms, of which there are so many, and at the first
//                                                     one by HTTP; in milliseconds
import assert from 'node:assert/strict';
import http from 'node:http';
import {setTimeout as pause} from 'node:timers/promises';
import {Client} from '../cluster/lib/client.mjs';
import {Crowd} from '../cluster/lib/crowd.mjs';

const [MATCHES, PACE_MS, SETTLE_MS, AGAIN_MS, FIRST_PAGES] = [20, 200, 1500, 10, 200];
const url = (port) => `ws://127.0.0.1:${port}`;

function at(values, share) {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}

async function guest(port, name) {
  const client = await Client.open(url(port), {patience_ms: 60000});
  await client.must('hello', {name});
  return client;
}

async function open(port, count) {
  for (let number = 0; number < count; number++) {
    const client = await guest(port, `Host ${number}`);
    const {room} = await client.must('create', {title: `Table ${number}`});
    await client.must('join', {room});
    client.destroy();
  }
  return {made: count};
}

async function answers(client, room) {
  for (;;) {
    try {
      return await client.must('watch', {room});
    } catch (error) {
      if (!['slow_down', 'store_failing', 'internal'].includes(error.code)) throw error;
      await pause(AGAIN_MS);
    }
  }
}

async function takeover(port, pid, ...rooms) {
  const crowd = new Crowd({where: () => url(port), told() {}, pace_ms: () => PACE_MS});
  crowd.play(MATCHES);
  await crowd.begun();
  const visitor = await guest(port, 'Eve');
  await pause(SETTLE_MS);
  const begun = performance.now();
  process.kill(Number(pid), 'SIGKILL');
  crowd.fault();
  await Promise.all(rooms.map((room) => answers(visitor, room)));
  const all = performance.now() - begun;
  assert(await crowd.goesOn(), 'play does not go on');
  const {times, wrong} = crowd;
  crowd.stop();
  visitor.destroy();
  assert.deepEqual(wrong, []);
  return {'until the first move is durable, s': Math.min(...times) / 1000, 'until all players go on, s': Math.max(...times) / 1000,
    'until all parts answer, s': all / 1000};
}

function get(port, path, agent) {
  return new Promise((resolve, reject) => {
    http.get({host: '127.0.0.1', port, path, agent}, (answer) => {
      let text = '';
      answer.on('data', (bytes) => (text += bytes));
      answer.on('end', () => (answer.statusCode === 200 ? resolve(JSON.parse(text)) : reject(new Error(`${answer.statusCode} ${text}`))));
    }).on('error', reject);
  });
}

async function timed(into, what) {
  const begun = performance.now();
  const result = await what();
  into.push(performance.now() - begun);
  return result;
}

async function pages(port, count) {
  const [walked, first, rooms, pings] = [[], [], new Set(), []];
  const client = await guest(port, 'Eve');
  for (let after, more = true; more; ) {
    const page = await timed(walked, () => client.must('rooms', after ? {after} : {}));
    for (const {room} of page.rooms) {
      assert(!rooms.has(room), `${room} is on two pages`);
      rooms.add(room);
    }
    ({room: after} = page.rooms.at(-1));
    ({more} = page);
  }
  assert.equal(rooms.size, Number(count));
  for (let asked = 0; asked < FIRST_PAGES; asked++) await timed(pings, () => client.must('ping', {}));
  client.destroy();
  const agent = new http.Agent({keepAlive: true, maxSockets: 1});
  for (let asked = 0; asked < FIRST_PAGES; asked++) assert.equal((await timed(first, () => get(port, '/api/rooms', agent))).rooms.length, 50);
  agent.destroy();
  return {'p50 of all pages, ms': at(walked, 0.5), 'p99 of all pages, ms': at(walked, 0.99), 'longest of all pages, ms': at(walked, 1),
    'p50 of the first one by HTTP, ms': at(first, 0.5), 'p99 of the first one by HTTP, ms': at(first, 0.99), 'p50 of a ping, ms': at(pings, 0.5)};
}

const [name, ...words] = process.argv.slice(2);
console.log(JSON.stringify(await {open, takeover, pages}[name](...words)));
process.exit(0);
