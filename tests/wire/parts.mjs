// A site of four parts in one process (parts_server.c), as clients see it: rooms of all parts at one server, and parts that come and
// go while the others go on.
import {setTimeout as pause} from 'node:timers/promises';

import {Match} from './lib/match.mjs';
import {scratchFolder, Server} from './lib/server.mjs';
import {player} from './lib/socket.mjs';
import {assert, run, test} from './lib/tap.mjs';
import {join} from 'node:path';

const PARTS = 4;
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
const FENCED = -3;
const FAILED = -2;
const quickly = ['--sessions-per-address-burst', '100000', '--requests-per-s', '1000', '--requests-burst', '1000', '--computer-ms', '0'];

const partOfRoom = (room) => (DIGITS.indexOf(room[0]) * 32 + DIGITS.indexOf(room[1])) % PARTS;
const partOfSession = (session) => Number(BigInt(`0x${session}`) % BigInt(PARTS));

class Site extends Server {
  static async begin(args = [], options = {}) {
    const server = await Server.start([...quickly, ...args], {...options, input: 'pipe'});
    return Object.setPrototypeOf(server, Site.prototype);
  }

  tell(command) {
    this.process.stdin.write(`${command}\n`);
  }

  /** Waits until it has been printed that often. */
  async said(text, times = 1) {
    let over = false;
    this.ended.then(() => (over = true));
    while (!over && this.stdout.split(`${text}\n`).length <= times) await pause(5);
    assert.ok(this.stdout.split(`${text}\n`).length > times, `${text} in ${this.stdout} ${this.stderr}`);
  }

  async goneAndBack(part, why = 0, times = 1) {
    await this.said(`ended ${part} ${why}`, times);
    this.tell(`give ${part}`);
    await this.logged(new RegExp(`event=part_served part=${part}\n`));
  }
}

/** A match in each part; whose home is where is the server's choice. */
async function matches(server) {
  const found = [];
  while (found.filter(Boolean).length < PARTS) {
    const match = await Match.start(server.port);
    const part = partOfRoom(match.room);
    if (found[part]) match.end();
    else found[part] = match;
    (await player(server.port, 'Eve')).destroy(); // homes are given in turns: the next pair is to have others
  }
  return found;
}

/** Everybody comes again, if they were closed or not. */
const comeBack = async (server, all) => Promise.all(all.map((match) => match.comeBack(server.port)));

async function stepAll(all, steps = 2) {
  for (let step = 0; step < steps; step++) await Promise.all(all.map((match) => match.step()));
}

/** Is neither the room nor a player of it of that part? */
const isElsewhere = (match, part) =>
  partOfRoom(match.room) !== part && match.players.every((who) => partOfSession(who.hello.session) !== part);

/** Two players and a room, none of which is of that part. */
async function matchElsewhere(server, part) {
  for (;;) {
    const match = await Match.start(server.port);
    if (isElsewhere(match, part)) return match;
    match.end();
    (await player(server.port, 'Eve')).destroy();
  }
}

test('rooms of all parts are played at one server', async () => {
  const server = await Site.begin();
  const all = await matches(server);
  await stepAll(all, 4);
  for (const match of all) await match.verify();
  const eve = await player(server.port, 'Eve');
  const {rooms} = await eve.must('rooms');
  for (const {room} of all) assert.ok(rooms.some((one) => one.room === room));
  assert.equal((await server.get('/healthz')).status, 200);
  assert.equal((await server.get('/readyz')).status, 200);
  assert.deepEqual(await server.stop(), {status: 0, signal: null}, server.stderr);
  for (let part = 0; part < PARTS; part++) await server.said(`ended ${part} 0`);
  assert.equal(await eve.closing(), 1012);
  for (const match of all) match.end();
  // ... and everything is there again
  const again = await Site.begin([], {data: server.data});
  await comeBack(again, all);
  await stepAll(all);
  for (const match of all) match.end();
  assert.deepEqual(await again.stop(), {status: 0, signal: null}, again.stderr);
});

test('a part is given back and served again, and others go on', async () => {
  const server = await Site.begin();
  const all = await matches(server);
  const part = 2;
  const other = await matchElsewhere(server, part);
  await stepAll(all);
  const [ana] = all[part].players;
  server.tell(`back ${part}`);
  await server.said(`ended ${part} 0`);
  await stepAll([other]);
  // Who asks for the part meanwhile waits for it.
  const eve = await matchElsewhere(server, part);
  const asked = eve.players[0].ask('watch', {room: all[part].room});
  server.tell(`give ${part}`);
  assert.ok((await asked).ok);
  // Who was in it has noticed a pause only,
  await stepAll([...all, other]);
  for (const match of all) await match.verify();
  // but if it is too long they are to come again.
  server.tell(`back ${part}`);
  assert.equal(await ana.closing(), 1012);
  await stepAll([other]);
  server.tell(`give ${part}`);
  await comeBack(server, all);
  for (const match of all) await match.verify();
  await stepAll([...all, other]);
  for (const match of [...all, other, eve]) match.end();
  assert.deepEqual(await server.stop(), {status: 0, signal: null}, server.stderr);
});

test('that parts move is said to nobody: there is nothing that anybody has to do', async () => {
  const server = await Site.begin();
  const all = await matches(server);
  const everybody = all.flatMap(({players}) => players);
  for (let part = 0; part < PARTS; part++) {
    server.tell(`back ${part}`);
    await server.goneAndBack(part);
    await stepAll(all);
  }
  for (const who of everybody) await who.must('ping');
  assert.deepEqual(everybody.flatMap(({pushes = []}) => pushes.filter(({push}) => push === 'notice')), []);
  // A server that ends says it to each of them, once.
  const ended = server.stop();
  for (const who of everybody) await who.push(({push, code}) => push === 'notice' && code === 'draining');
  assert.deepEqual(await ended, {status: 0, signal: null}, server.stderr);
  assert.deepEqual(everybody.flatMap(({pushes = []}) => pushes.filter(({push}) => push === 'notice')), []);
  for (const match of all) match.end();
});

test('what is acknowledged while parts come and go is kept', async () => {
  const server = await Site.begin();
  const all = await matches(server);
  for (let round = 1; round <= 6; round++) {
    const part = round % PARTS;
    // Each plays on until it is told to come again, or for a while.
    const playing = Promise.allSettled(all.map((match) => stepAll([match], 12)));
    await pause(round * 3);
    server.tell(`back ${part}`);
    await server.said(`ended ${part} 0`, Math.ceil(round / PARTS));
    server.tell(`give ${part}`);
    for (const {reason} of await playing)
      if (reason) assert.match(reason.message, /closed with 1012|slow_down/);
    await comeBack(server, all);
    for (const match of all) await match.verify();
  }
  await stepAll(all);
  for (const match of all) match.end();
  assert.deepEqual(await server.stop(), {status: 0, signal: null}, server.stderr);
}, 120000);

test('a part whose store another server has ends alone', async () => {
  const server = await Site.begin();
  const all = await matches(server);
  const part = 1;
  const other = await matchElsewhere(server, part);
  server.tell(`fence ${part}`);
  await server.said(`ended ${part} ${FENCED}`);
  await stepAll([other]);
  await server.goneAndBack(part, FENCED);
  for (const match of all) await match.verify();
  await stepAll([...all, other]);
  for (const match of [...all, other]) match.end();
  assert.deepEqual(await server.stop(), {status: 0, signal: null}, server.stderr);
});

test('a part that another server has opened is left at once, though its store still waits', async () => {
  const server = await Site.begin();
  const all = await matches(server);
  const part = 1;
  const other = await matchElsewhere(server, part);
  server.tell(`old ${part}`);
  await stepAll(all);
  assert.ok(!server.stdout.includes('ended'));
  server.tell(`stop ${part}`);
  await server.said(`waits ${part}`); // a sign of life is under way
  server.tell(`lost ${part}`);
  server.tell(`lost ${part}`);
  const [ana] = all[part].players;
  assert.equal(await ana.closing(), 1012); // nobody has it for too long
  assert.ok(!server.stdout.includes('ended'));
  await stepAll([other]);
  server.tell(`go ${part}`);
  await server.goneAndBack(part, FENCED);
  await comeBack(server, all);
  for (const match of all) await match.verify();
  await stepAll([...all, other]);
  for (const match of [...all, other]) match.end();
  assert.deepEqual(await server.stop(), {status: 0, signal: null}, server.stderr);
});

test('nothing is heard of a part that has proven nothing for too long', async () => {
  const server = await Site.begin();
  const part = 3;
  const all = await matches(server);
  const other = await matchElsewhere(server, part);
  const [watcher] = other.players;
  server.tell(`stop ${part}`);
  await server.logged(/event=lease_lost part="?3"? ms=\d+/);
  let answered = false;
  const asked = watcher.ask('watch', {room: all[part].room}).then((reply) => {
    answered = true;
    return reply;
  });
  await other.players[1].must('ping');
  await pause(500);
  assert.ok(!answered);
  server.tell(`go ${part}`);
  assert.ok((await asked).ok);
  await server.logged(/event=lease_held part="?3"?/);
  await stepAll([...all, other]);
  for (const match of [...all, other]) match.end();
  assert.deepEqual(await server.stop(), {status: 0, signal: null}, server.stderr);
});

test('a part whose store hangs is given back late, and not as one that is stored', async () => {
  const server = await Site.begin(['--drain-timeout-ms', '1000']);
  const all = await matches(server);
  const part = 0;
  const other = await matchElsewhere(server, part);
  server.tell(`stop ${part}`);
  await server.said(`waits ${part}`); // a sign of life is under way
  server.tell(`back ${part}`);
  await Promise.all(all[part].players.map((who) => who.closing()));
  await pause(1500);
  assert.ok(!server.stdout.includes('ended'));
  await stepAll([other]);
  server.tell(`go ${part}`);
  await server.goneAndBack(part, FAILED);
  await comeBack(server, all);
  await stepAll([...all, other]);
  for (const match of [...all, other]) match.end();
  assert.deepEqual(await server.stop(), {status: 0, signal: null}, server.stderr);
});

test('computers of all parts share the threads, and parts end in the middle of a thought', async () => {
  const server = await Site.begin(['--think-alone-per-min', '1000000', '--think-alone-burst', '100000']);
  const heard = new Array(PARTS).fill(0);
  const watching = [];
  for (let seen = new Set(); seen.size < PARTS; ) {
    const ana = await player(server.port, 'Ana');
    const {room} = await ana.must('create', {options: {players: 2, tiles: 24}});
    for (let seat = 0; seat < 2; seat++) await ana.must('bot', {room, level: 6});
    await ana.must('watch', {room});
    await ana.must('start', {room});
    seen.add(partOfRoom(room));
    watching.push(
      (async () => {
        for (;;) {
          const message = await ana.next();
          if (message.close !== undefined) return message.close;
          if (message.push === 'event') heard[partOfRoom(room)]++;
        }
      })(),
    );
  }
  while (heard.some((count) => count < 8)) await pause(50);
  for (let part = 0; part < PARTS; part++) server.tell(`back ${part}`);
  for (let part = 0; part < PARTS; part++) await server.said(`ended ${part} 0`);
  for (const code of await Promise.all(watching)) assert.equal(code, 1012);
  for (let part = 0; part < PARTS; part++) await server.goneAndBack(part);
  (await player(server.port, 'Bo')).destroy();
  assert.deepEqual(await server.stop(), {status: 0, signal: null}, server.stderr);
}, 120000);

test('a second signal does not wait for a store that hangs', async () => {
  const server = await Site.begin(['--drain-timeout-ms', '60000'], {data: join(scratchFolder(), 'data')});
  const all = await matches(server);
  server.tell('stop 1');
  await server.said('waits 1');
  server.signal('SIGTERM');
  await server.said('ended 2 0');
  await pause(100);
  assert.ok(!server.stdout.includes('ended 1'));
  server.signal('SIGTERM');
  await server.said('net_run 1');
  server.tell('go 1');
  assert.deepEqual(await server.ended, {status: 75, signal: null}, server.stderr);
  await server.said(`ended 1 ${FAILED}`);
  for (const match of all) match.end();
});

await run();
