// Nodes of a site that is divided into parts: one plays matches in rooms of different parts; a second one takes over what the first one
// had, when it is killed and when it ends; a name is one process's. But for one test there are no links: clients are at the node that has
// their parts. Runs below tests/support/postgres.py.
import {join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {assert, run, test} from './lib/tap.mjs';
import {Match} from './lib/match.mjs';
import {certificates, relay} from './lib/nodes.mjs';
import {account} from './lib/rated.mjs';
import {player} from './lib/socket.mjs';
import {askDatabase, databaseFor, runToEnd, scratchFolder, Server, siteKeyFile} from './lib/server.mjs';

const quickly = ['--requests-per-s', '1000', '--requests-burst', '1000'];
const PARTS = 4;

/** The URL of a site of PARTS parts. */
function siteFor(name) {
  const url = databaseFor(`site ${name}`);
  const {status, stderr} = runToEnd(['--store', url, 'parts', String(PARTS)]);
  assert.equal(status, 0, stderr);
  return url;
}

const node = (url, name, ...options) => Server.start([...quickly, '--store', url, '--node', name, ...options]);

const owners = (url) => askDatabase(url, `SELECT string_agg(node, ' ' ORDER BY part) FROM taluva.server WHERE batch > 0`).trim();

/** Waits until each part is served by who is named. */
async function served(url, words) {
  const end = performance.now() + 60000;
  while (owners(url) !== words) {
    assert.ok(performance.now() < end, `${owners(url)}, and not ${words}`);
    await pause(20);
  }
}

const partOf = (room) => {
  const digit = (at) => '0123456789abcdefghjkmnpqrstvwxyz'.indexOf(room[at].toLowerCase());
  return (digit(0) * 32 + digit(1)) % PARTS;
};

/** Matches until each part has one. */
async function matchesInAllParts(port) {
  const matches = [];
  const parts = new Set();
  for (let tries = 0; parts.size < PARTS && tries < 100; tries++) {
    const match = await Match.start(port);
    if (parts.has(partOf(match.room))) match.end();
    else matches.push(match);
    parts.add(partOf(match.room));
    (await player(port, 'Cy')).destroy(); // homes go round, and a table is at the home of who makes it
  }
  assert.equal(parts.size, PARTS);
  return matches;
}

async function play(matches, moves) {
  for (let at = 0; at < moves; at++) for (const match of matches) await match.step();
}

/** All are played on at that node, without a loss. */
async function goOn(matches, port) {
  for (const match of matches) {
    await match.comeBack(port);
    await match.verify();
  }
  await play(matches, 2);
}

/** Until somebody may play again there. */
async function untilServed(match, port) {
  for (;;) {
    try {
      return await match.comeBack(port);
    } catch {
      await pause(20);
    }
  }
}

test('a node by itself serves all parts', async () => {
  const url = siteFor('alone');
  const server = await node(url, 'one');
  await served(url, 'one one one one');
  const matches = await matchesInAllParts(server.port);
  await play(matches, 4);
  for (const match of matches) await match.verify();
  const figures = await server.metrics();
  assert.deepEqual([figures.taluva_keeper_opened_total, figures.taluva_keeper_failed_total], [PARTS, 0]);
  assert.ok(figures.taluva_keeper_beat_age_seconds < 60);
  assert.deepEqual(await server.stop(), {status: 0, signal: null}, server.stderr);
  assert.equal(askDatabase(url, `SELECT count(*) FROM taluva.server WHERE node <> ''`).trim(), '0');
  const again = await node(url, 'one');
  await served(url, 'one one one one');
  await goOn(matches, again.port);
  for (const match of matches) match.end();
  await again.stop();
}, 120000);

test('a room that cannot be read keeps nobody from its part', async () => {
  const url = siteFor('damaged');
  const first = await node(url, 'one');
  await served(url, 'one one one one');
  const matches = await matchesInAllParts(first.port);
  await play(matches, 4);
  const [sick, ...well] = matches;
  assert.deepEqual(await first.stop(), {status: 0, signal: null}, first.stderr);
  askDatabase(url, `UPDATE taluva.event SET kind = 99 FROM taluva.room WHERE event.room = room.key AND room.id = '${sick.room}' AND seq = 3`);
  const second = await node(url, 'two');
  await served(url, 'two two two two');
  await second.logged(new RegExp(`event=room_damaged what="${sick.room}: event 3 is of a later version`));
  assert.equal((await second.get('/readyz')).status, 200);
  await goOn(well, second.port);
  const ana = await player(second.port, 'Ana', {token: sick.players[0].token});
  for (const op of ['watch', 'join']) assert.equal((await ana.ask(op, {room: sick.room})).error.code, 'room_damaged');
  assert.match((await second.get('/metrics')).body, /^taluva_rooms_damaged(\{[^}]*\})? 1$/m);
  // The others, and whoever looks at the site, are told with a beat.
  let page = {stdout: ''};
  while (!/^wrong: node two: 1 rooms of its parts are damaged, and set aside: see room_damaged in its log$/m.test(page.stdout)) page = runToEnd(['--store', url, 'status']);
  assert.equal(page.status, 1);
  ana.destroy();
  for (const match of matches) match.end();
  assert.deepEqual(await second.stop(), {status: 0, signal: null}, second.stderr);
  assert.equal(askDatabase(url, `SELECT count(*) FROM taluva.room WHERE id = '${sick.room}'`).trim(), '1');
}, 120000);

test('what a killed node had is served by the other one, and what a node that ends gives back', async () => {
  const url = siteFor('over');
  const first = await node(url, 'one');
  await served(url, 'one one one one');
  const matches = await matchesInAllParts(first.port);
  await play(matches, 2);
  const second = await node(url, 'two');
  await second.logged(/event=listening|event=node/);
  const killed = performance.now();
  await first.stop('SIGKILL');
  await served(url, 'two two two two');
  await untilServed(matches[0], second.port);
  console.log(`# killed: ${Math.round(performance.now() - killed)} ms until ${PARTS} parts are served`);
  await goOn(matches, second.port);
  const third = await node(url, 'three');
  await third.logged(/event=node /);
  await second.logged(/event=node name=three/);
  const ended = performance.now();
  const end = second.stop();
  await served(url, 'three three three three');
  await untilServed(matches[0], third.port);
  console.log(`# ended: ${Math.round(performance.now() - ended)} ms until ${PARTS} parts are served`);
  assert.deepEqual(await end, {status: 0, signal: null}, second.stderr);
  await goOn(matches, third.port);
  for (const match of matches) match.end();
  await third.stop();
}, 120000);

// Who seeks waits in rows of the desk's part: whoever has that next goes on with them.
test('who seeks is found at another node when that of the desk is killed', async () => {
  const url = siteFor('seeks');
  const first = await node(url, 'one', '--accounts', 'open');
  await served(url, 'one one one one');
  const ana = await account(first, 'Ana', 'ana');
  await ana.must('seek', {game: 'taluva'});
  const second = await node(url, 'two', '--accounts', 'open');
  await second.logged(/event=listening|event=node/);
  const killed = performance.now();
  await first.stop('SIGKILL');
  await served(url, 'two two two two');
  let back;
  while (!back) back = await player(second.port, 'Ana', {token: ana.token}).catch(() => pause(20));
  const bo = await account(second, 'Bo', 'bob');
  await bo.must('seek', {game: 'taluva'});
  const rooms = [];
  for (const who of [back, bo]) rooms.push((await who.push(({push}) => push === 'found')).room);
  assert.equal(rooms[0], rooms[1]);
  console.log(`# the desk's node killed: ${Math.round(performance.now() - killed)} ms until two who seek are found a table`);
  for (const who of [back, bo]) who.destroy();
  await second.stop();
}, 120000);

test('locks that are gone with their connections give nobody a part before its owner has lost its lease', async () => {
  const url = siteFor('locks');
  const first = await node(url, 'one');
  await served(url, 'one one one one');
  const matches = await matchesInAllParts(first.port);
  await play(matches, 2);
  const eves = await Promise.all(matches.map(async ({room}) => {
    const eve = await player(first.port, 'Eve');
    await eve.must('watch', {room});
    return eve;
  }));
  const second = await node(url, 'two');
  await second.logged(/event=listening|event=node/);
  first.signal('SIGSTOP');
  askDatabase(url, `SELECT count(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity WHERE application_name LIKE 'taluvad%'`);
  eves.forEach((eve, at) => eve.send({id: 9001, op: 'watch', room: matches[at].room})); // they are read when it goes on
  await served(url, 'two two two two');
  await untilServed(matches[0], second.port);
  await goOn(matches, second.port);
  first.signal('SIGCONT');
  for (const [at, eve] of eves.entries()) {
    const {ok} = await eve.reply(9001).catch((closed) => closed);
    if (ok) assert.ok(ok.seq >= Math.max(...matches[at].seqs), `an answer of ${ok.seq}, and ${matches[at].seqs} are acknowledged`);
    eve.destroy();
  }
  assert.match(first.stderr, /event=lease_lost part=\d/);
  while (!/one/.test(owners(url))) await pause(50); // it gets its share again, of what was written while it stood still
  assert.doesNotMatch(first.stderr, /clock_behind_store|clock_differs/);
  for (const match of matches) match.end();
  await first.stop();
  await second.stop();
}, 120000);

test('a new node gets its share, and matches go on where they are served', async () => {
  const url = siteFor('share');
  const first = await node(url, 'one');
  await served(url, 'one one one one');
  const matches = await matchesInAllParts(first.port);
  const second = await node(url, 'two');
  await served(url, 'one one two two');
  const here = matches.filter((match) => partOf(match.room) < 2);
  assert.equal(here.length, 2);
  await second.stop('SIGKILL');
  await served(url, 'one one one one');
  await goOn(matches, first.port);
  for (const match of matches) match.end();
  assert.match(first.stderr, /event=part_given_up what="part 3: another node has fewer"/);
  await first.stop();
}, 120000);

test('linked nodes play for each other', async () => {
  const url = siteFor('linked');
  const folder = certificates();
  const first = await node(url, 'a', ...(await relay(folder, 'a')));
  await served(url, 'a a a a');
  const matches = await matchesInAllParts(first.port);
  const second = await node(url, 'b', ...(await relay(folder, 'b')));
  await second.logged(/event=relay_up node=a/);
  assert.equal(owners(url), 'a a a a'); // nothing is moved so soon
  await goOn(matches, second.port);
  await goOn(matches, first.port);
  // Parts are moved: nobody has to do anything, so nobody is told. A process ends: those who are connected to it are.
  const guests = [];
  for (let at = 0; at < PARTS; at++) guests.push(await player(first.port, 'Eve')); // homes go round
  const told = (guest) => (guest.pushes ?? []).some(({code}) => code === 'draining');
  await served(url, 'a a b b');
  await play(matches, 2);
  for (const guest of guests) await guest.must('devices');
  assert.ok(!guests.some(told));
  for (const match of matches) match.end();
  const end = first.stop();
  for (const guest of guests) await guest.push(({code}) => code === 'draining');
  await end;
  for (const guest of guests) guest.destroy();
  await second.stop();
}, 120000);

test('a node that is not reached says so, and has nothing while others live', async () => {
  const url = siteFor('unreached');
  const first = await node(url, 'a', ...(await relay(certificates(), 'a')));
  await served(url, 'a a a a');
  const second = await node(url, 'b', ...(await relay(certificates(), 'b'))); // of another authority
  await second.logged(/event=node_cut_off /);
  for (;;) {
    const {status, body} = await second.get('/readyz');
    if (body === 'it is cut off from the other nodes\n') break;
    assert.equal(status, 503);
    await pause(20);
  }
  assert.equal((await first.get('/readyz')).status, 200);
  const page = runToEnd(['--store', url, 'status']);
  assert.equal(page.status, 1);
  assert.match(page.stdout, /^wrong: node a: it has no link with b: /m);
  assert.equal(owners(url), 'a a a a');
  assert.deepEqual(await first.stop(), {status: 0, signal: null}, first.stderr);
  await served(url, 'b b b b'); // it is alone
  await second.logged(/event=node_reached /);
  while ((await second.get('/readyz')).status !== 200) await pause(20);
  await second.stop();
}, 120000);

const HOUR_MS = 3600000;

/** The database's clock is so far ahead for the nodes that `where` says. */
const setClock = (url, ms, where) => askDatabase(url, `CREATE OR REPLACE FUNCTION taluva.now_ms() RETURNS bigint LANGUAGE sql VOLATILE AS $$
  SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint + CASE WHEN ${where} THEN ${ms} ELSE 0 END $$`);

test('the time of a site is its database\'s, and a node with another one has nothing', async () => {
  const url = siteFor('clocks');
  setClock(url, HOUR_MS, 'true'); // all nodes differ as much: they go on, with that time
  const first = await node(url, 'a');
  await served(url, 'a a a a');
  await first.logged(/event=clock_differs what="the clock of this machine is 3\d{6} ms behind that of the database"/);
  const ana = await player(first.port, 'Ana');
  assert.ok(ana.hello.time > Date.now() + HOUR_MS / 2, 'the site has the time of the database');
  ana.destroy();
  setClock(url, HOUR_MS, `current_setting('application_name') = 'taluvad node b'`);
  await first.logged(/event=clock_agrees /);
  const second = await node(url, 'b');
  await second.logged(/event=node_cut_off /);
  while ((await second.get('/readyz')).status !== 503) await pause(20);
  let page = {stdout: ''};
  while (!/^wrong: node b: its clock is \d+ ms behind the database's: it is given no parts$/m.test(page.stdout)) page = runToEnd(['--store', url, 'status']);
  assert.equal(owners(url), 'a a a a');
  assert.ok((await second.metrics()).taluva_keeper_clock_ahead_seconds < -3000);
  setClock(url, 0, 'true');
  await second.logged(/event=node_reached /);
  await second.stop();
  await first.stop();
}, 120000);

test('a name is one process', async () => {
  const url = siteFor('name');
  const first = await node(url, 'one');
  await served(url, 'one one one one');
  const second = runToEnd(['--listen', '127.0.0.1:0', '--data', join(scratchFolder(), 'data'), '--store', url, '--node', 'one', '--site-key-file', siteKeyFile()]);
  assert.equal(second.status, 75, second.stderr);
  assert.match(second.stderr, /another process is the node one of this site/);
  // ... and whoever loses it while it serves ends as well.
  askDatabase(url, `UPDATE taluva.node SET life = nextval('taluva.life')`);
  assert.deepEqual(await first.ended, {status: 75, signal: null});
  assert.match(first.stderr, /event=node_replaced/);
}, 120000);

test('what cannot be is refused', () => {
  const url = siteFor('refused');
  const refuse = (...options) => {
    const {status, stderr} = runToEnd(['--listen', '127.0.0.1:0', '--data', join(scratchFolder(), 'data'), ...options]);
    return `${status} ${stderr}`;
  };
  assert.match(refuse('--store', url), /^78 .*divided into 4 parts, not 1\n.*served by nodes, see --node/s);
  assert.match(refuse('--node', 'one'), /^64 .*--node needs a PostgreSQL database/);
  assert.match(refuse('--store', url, '--node', 'one', '--relay', '127.0.0.1:1'), /^64 .*--relay needs --relay-cert/s);
  assert.match(refuse('--store', url, '--node', 'one', '--standby'), /^64 .*--node excludes --standby and --alone/);
}, 60000);

await run();
