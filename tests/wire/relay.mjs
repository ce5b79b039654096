// A site of four parts on two nodes (parts_server.c) with a real link between them: clients at one node, rooms at the other. The argument
// is a folder of certificates, see tests/unit/net/relay_certificates.py.
import {setTimeout as pause} from 'node:timers/promises';
import {join} from 'node:path';

import {Match} from './lib/match.mjs';
import {scratchFolder, Server} from './lib/server.mjs';
import {player} from './lib/socket.mjs';
import {assert, run, test} from './lib/tap.mjs';

const PARTS = 4;
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
const quickly = ['--sessions-per-address-burst', '100000', '--requests-per-s', '1000', '--requests-burst', '1000', '--computer-ms', '0'];
const certificates = process.argv.pop();

const partOf = (room) => (DIGITS.indexOf(room[0]) * 32 + DIGITS.indexOf(room[1])) % PARTS;

/** Two nodes with one folder of parts, as if it were a database: whoever has a part alone opens it. */
class Pair {
  static async begin() {
    const pair = new Pair();
    pair.data = join(scratchFolder(), 'data');
    pair.a = await pair.node('a', '01', 100);
    pair.b = await pair.node('b', '23', 200);
    pair.introduce();
    await pair.linked();
    return pair;
  }

  async node(name, here, term, relay = '127.0.0.1:0') {
    const env = {PARTS_NODE: name, PARTS_HERE: here, PARTS_TERM: `${term}`, PARTS_RELAY: relay, PARTS_FILES: join(certificates, 'good')};
    const server = await Server.start(quickly, {data: this.data, input: 'pipe', env});
    server.relay = `127.0.0.1:${/nodes come to (\d+)\n/.exec(server.stdout)[1]}`;
    return server;
  }

  introduce() {
    this.a.process.stdin.write(`node b ${this.b.relay}\n`);
    this.b.process.stdin.write(`node a ${this.a.relay}\n`);
  }

  /** Waits until both have said so that often. */
  async linked(times = 1) {
    for (const [server, other] of [[this.a, 'b'], [this.b, 'a']])
      while (server.stderr.split(`event=relay_up node=${other}\n`).length <= times) {
        await pause(20);
        assert.equal(server.process.exitCode, null, server.stderr);
      }
  }

  /** A match in each part. New sessions are at home where they come: so matches begin at the node that has their room, and then all
   * players go to the one at `port`. */
  async matches(port) {
    const found = [];
    for (const [server, parts] of [[this.a, [0, 1]], [this.b, [2, 3]]])
      while (!parts.every((part) => found[part])) {
        const match = await Match.start(server.port);
        if (found[partOf(match.room)]) match.end();
        else found[partOf(match.room)] = match;
        (await player(server.port, 'Eve')).destroy(); // homes are given in turns: the next pair is to have others
      }
    await comeBack(port, found);
    return found;
  }

  async end() {
    for (const server of [this.a, this.b]) assert.deepEqual(await server.stop(), {status: 0, signal: null}, server.stderr);
  }
}

const stepAll = async (all, steps = 2) => {
  for (let step = 0; step < steps; step++) await Promise.all(all.map((match) => match.step()));
};
const comeBack = async (port, all) => Promise.all(all.map((match) => match.comeBack(port)));

/** Again and again, until it goes well: the other node is not there for a while. */
async function inTheEnd(what) {
  for (let attempt = 0; ; attempt++) {
    try {
      return await what();
    } catch (error) {
      if (attempt === 60) throw error;
      await pause(200);
    }
  }
}

test('rooms of all parts are played at either node', async () => {
  const pair = await Pair.begin();
  const all = await pair.matches(pair.a.port);
  await stepAll(all, 4);
  for (const match of all) await match.verify();
  await comeBack(pair.b.port, all);
  await stepAll(all, 4);
  for (const match of all) await match.verify();
  for (const {port} of [pair.a, pair.b]) {
    const eve = await player(port, 'Eve');
    const {rooms} = await eve.must('rooms');
    for (const {room} of all) assert.ok(rooms.some((one) => one.room === room));
    eve.destroy();
  }
  for (const match of all) match.end();
  await pair.end();
});

test('who looks on from another node sees every event', async () => {
  const pair = await Pair.begin();
  const all = await pair.matches(pair.a.port);
  for (const match of all) {
    const eve = await player(pair.b.port, 'Eve');
    const {seq} = await eve.must('watch', {room: match.room});
    await match.step();
    for (let next = seq + 1; next <= match.seqs[0]; next++) {
      const push = await eve.push((message) => message.push === 'event' && message.room === match.room);
      assert.equal(push.seq, next);
    }
    eve.destroy();
    match.end();
  }
  await pair.end();
});

test('a node that stands still for a while is linked again', async () => {
  const pair = await Pair.begin();
  const all = await pair.matches(pair.a.port);
  await stepAll(all);
  pair.b.signal('SIGSTOP');
  await pair.a.logged(/event=relay_down node=b why=silent/);
  pair.b.signal('SIGCONT');
  await pair.linked(2);
  await inTheEnd(() => comeBack(pair.a.port, all));
  await stepAll(all);
  for (const match of all) await match.verify();
  for (const match of all) match.end();
  await pair.end();
});

test('what a node had that is killed is played at the other one', async () => {
  const pair = await Pair.begin();
  const all = await pair.matches(pair.a.port);
  await stepAll(all, 4);
  pair.b.signal('SIGKILL');
  await pair.b.ended;
  await pair.a.logged(/event=relay_down node=b/);
  for (const part of [2, 3]) pair.a.process.stdin.write(`give ${part}\n`);
  await inTheEnd(() => comeBack(pair.a.port, all));
  for (const match of all) await match.verify();
  await stepAll(all);
  // ... and it comes back, and gets one of them again
  pair.b = await pair.node('b', '', 300, pair.b.relay);
  pair.introduce();
  await pair.linked(1);
  pair.a.process.stdin.write('back 3\nclose 3\n');
  while (!pair.a.stdout.includes('closed 3\n')) await pause(20);
  pair.b.process.stdin.write('give 3\n');
  await inTheEnd(() => comeBack(pair.b.port, all));
  for (const match of all) await match.verify();
  await stepAll(all);
  for (const match of all) match.end();
  await pair.end();
});

test('certificates are read again by a signal, and links stay', async () => {
  const pair = await Pair.begin();
  for (const server of [pair.a, pair.b]) {
    server.signal('SIGHUP');
    await server.logged(/event=relay_reloaded/);
    assert.doesNotMatch(server.stderr, /relay_down/);
  }
  await pair.end();
});

await run();
