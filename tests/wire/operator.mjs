// The operator of a site of two linked nodes: what one asks a node's socket is of all that it has; bans, announcements and figures
// of the whole site; `taluvad status` and `taluvad forget`. Runs below tests/support/postgres.py.
import {execFile, spawn, spawnSync} from 'node:child_process';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {promisify} from 'node:util';
import {assert, run, test} from './lib/tap.mjs';
import {freePort} from './lib/ports.mjs';
import {player} from './lib/socket.mjs';
import {askDatabase, databaseFor, runToEnd, scratchFolder, Server} from './lib/server.mjs';

const PARTS = 4;
const program = process.env.TALUVA_ADMIN_PROGRAM;
const folder = scratchFolder();
const top = join(dirname(process.argv[1]), '..', '..');
const quickly = ['--requests-per-s', '1000', '--requests-burst', '1000', '--connects-per-address-burst', '10000'];

function siteFor(name) {
  const url = databaseFor(`operator ${name}`);
  const {status, stderr} = runToEnd(['--store', url, 'parts', String(PARTS)]);
  assert.equal(status, 0, stderr);
  return url;
}

async function relay(name) {
  const port = await freePort();
  const file = (end) => join(folder, 'good', end);
  return ['--relay', `127.0.0.1:${port}`, '--relay-cert', file(`${name}.pem`), '--relay-key', file(`${name}-key.pem`), '--relay-ca', file('ca.pem')];
}

const node = async (url, name, ...options) => Server.start([...quickly, '--store', url, '--node', name, ...(await relay(name)), ...options]);
const owners = (url) => askDatabase(url, `SELECT string_agg(node, ' ' ORDER BY part) FROM taluva.server`).trim();

async function until(what, why) {
  const end = performance.now() + 60000;
  for (let found; !(found = await what()); await pause(50)) assert.ok(performance.now() < end, why);
}

/** {status, stdout, stderr} of taluva-admin. */
async function admin(server, ...words) {
  return await promisify(execFile)(program, [...words, '--socket', join(server.data, 'admin.sock')]).then(
    ({stdout, stderr}) => ({status: 0, stdout, stderr}),
    ({code, stdout, stderr}) => ({status: code, stdout, stderr}));
}

async function granted(server, ...words) {
  const {status, stdout, stderr} = await admin(server, ...words, '--json');
  assert.equal(status, 0, stderr);
  return stdout.trimEnd().split('\n').filter((line) => line).map((line) => JSON.parse(line));
}

const bansOf = async (server) => (await granted(server, 'bans')).map(({target, silence}) => `${target} ${silence ? 'silenced' : 'banned'}`);
const statusOf = async (server) => (await granted(server, 'status'))[0];

const make = ['-B', join(top, 'tests/unit/net/relay_certificates.py'), join(top, 'deploy/README.md'), 'sh', '-c', `cp -r "$0"/good ${folder}`];
assert.equal(spawnSync('python3', make).status, 0);
const url = siteFor('site');
const first = await node(url, 'a');
await until(() => owners(url) === 'a a a a', 'a has not taken all parts');
const second = await node(url, 'b');
await until(() => /^a a b b$/.test(owners(url)), 'b has not got its share');
await until(async () => (await statusOf(first)).parts.every((part) => part.at), 'not all parts are reached');

const partOf = (room) => {
  const digit = (at) => '0123456789abcdefghjkmnpqrstvwxyz'.indexOf(room[at]);
  return (digit(0) * 32 + digit(1)) % PARTS;
};

/** Rooms until each part has one: {part: {room, host}}. */
const rooms = {};
for (let at = 0; Object.keys(rooms).length < PARTS; at++) {
  const host = await player(at % 2 ? first.port : second.port, `H${at}`);
  const {room} = await host.must('create', {title: `Table ${at}`});
  if (rooms[partOf(room)]) host.destroy();
  else rooms[partOf(room)] = {room, host};
}

const shown = (database, ...words) => runToEnd(['--store', database, ...words]);

test('what the database says of a site that is well', async () => {
  await Promise.all(Object.values(rooms).map(({host, room}) => host.must('watch', {room})));
  const page = shown(url, 'status');
  assert.equal(page.status, 0, page.stdout + page.stderr);
  for (const line of [/^a +127\.0\.0\.1:\d+ +\S+ +beats +b$/m, /^ +3 +b +\d+ +\d+ +1 +\d+ +served$/m, /^all is well/m]) assert.match(page.stdout, line);
  assert.ok(!page.stdout.includes('secret'));
  const site = JSON.parse(shown(url, 'status', '--json').stdout);
  assert.deepEqual([site.wrong, site.parts.map(({owner}) => owner), site.nodes.map(({state}) => state)], [[], ['a', 'a', 'b', 'b'], ['beats', 'beats']]);
  assert.deepEqual(site.parts.map(({state}) => state), Array(PARTS).fill('served'));
  assert.equal(site.parts.reduce((sum, part) => sum + part.rooms, 0), PARTS);
  for (const {facts} of site.nodes) {
    assert.deepEqual([facts.rooms_set_aside, facts.clock_jumps], [0, 0]);
    assert.ok(facts.certificate_ends_s > Date.now() / 1000);
  }
});

test('what a node says of its links and its parts', async () => {
  const figures = await first.metrics();
  assert.deepEqual([figures['taluva_link_up{node="b"}'], figures['taluva_part_lease_lost{part="0",why="silent"}'], figures['taluva_part_lease_lost{part="2",why="silent"}']], [1, 0, undefined]);
  assert.ok(figures['taluva_link_frames_total{node="b",way="in"}'] > 0 && figures['taluva_link_bytes_total{node="b",way="out"}'] > 0);
  const alerts = readFileSync(join(top, 'deploy/monitoring/alerts.yml'), 'utf8');
  const asked = [...alerts.matchAll(/\btaluva_(?:site|part|link|keeper)_\w+(?:\{[^}]*\})?/g)].map(([name]) => name);
  assert.ok(asked.length >= 7, `${asked.length} are asked for`);
  for (const name of asked) assert.ok(Object.keys(figures).some((key) => key === name || key.startsWith(`${name}{`)), name);
  // What a summary names each series has.
  for (const [, query, summary] of alerts.matchAll(/expr: (.*)\n[^]*?summary: (.*)\n/g))
    for (const [, label] of summary.matchAll(/\$labels\.(\w+)/g))
      for (const [name] of query.matchAll(/\btaluva_(?:site|part|link|keeper)_\w+/g))
        assert.ok(Object.keys(figures).some((key) => key.startsWith(`${name}{`) && key.includes(`${label}="`)), `${name}: ${label}`);
  const guest = await player(first.port, 'Far');
  const before = (await first.metrics())['taluva_link_relayed_total{node="b",way="out"}'];
  for (const part of [2, 3]) await guest.must('watch', {room: rooms[part].room});
  assert.ok((await first.metrics())['taluva_link_relayed_total{node="b",way="out"}'] >= before + 2);
  assert.ok((await second.metrics())['taluva_link_relayed_total{node="a",way="in"}'] >= 2);
  guest.destroy();
  const {stdout} = await admin(first, 'status');
  for (const line of [/^ +0 +a +\d+ +served +\d+ +\d+ +\d+ +\S+ +\S+ms +\S+ms$/m, /^ +2 +b +\d+ +elsewhere/m, /^b +\d+s +0 /m]) assert.match(stdout, line);
});

test('a letter that was set aside: listed at any node, tried again and dropped where its part is', async () => {
  const name = (addressee, id) => addressee.toString(16).padStart(16, '0') + id.toString(16).padStart(16, '0');
  for (const id of [1, 2])
    askDatabase(url, `INSERT INTO taluva.letter (addressee, id, state, at_ms, kind, text) VALUES (3, ${id}, 3, 1000, 'history.match', 'abcdefgh 0 1000 {"title":"x"}')`);
  for (const server of [first, second])
    assert.deepEqual((await granted(server, 'letters')).map(({letter, kind}) => `${letter} ${kind}`), [1, 2].map((id) => `${name(3, id)} history.match`));
  const elsewhere = await admin(first, 'discard', name(3, 1));
  assert.deepEqual([elsewhere.status, elsewhere.stderr], [65, 'taluva-admin: Letters of that part are at b; ask there.\n']);
  assert.equal((await granted(second, 'retry', name(3, 1)))[0].letter, name(3, 1));
  assert.equal((await granted(second, 'discard', name(3, 2)))[0].letter, name(3, 2));
  await until(() => askDatabase(url, 'SELECT count(*) FROM taluva.letter').trim() === '0', 'the letter is not applied');
});

test('the lists of a node are of all its parts', async () => {
  const listed = async (server) => (await granted(server, 'rooms')).map(({room}) => room);
  assert.deepEqual((await listed(first)).filter((room) => partOf(room) > 1), []);
  for (const part of [0, 1]) assert.ok((await listed(first)).includes(rooms[part].room));
  for (const part of [2, 3]) assert.ok((await listed(second)).includes(rooms[part].room));
  // A guest at home in one part who watches in all others is one connection.
  const guest = await player(first.port, 'Guest');
  for (const {room} of Object.values(rooms)) await guest.must('watch', {room});
  const sessions = [...(await granted(first, 'sessions')), ...(await granted(second, 'sessions'))];
  assert.deepEqual(sessions.filter(({name}) => name === 'Guest').map(({connections}) => connections), [1]);
  const states = [await statusOf(first), await statusOf(second)];
  assert.equal(states[0].connections + states[1].connections, sessions.length);
  assert.equal(states[0].clients + states[1].clients, sessions.length);
  guest.destroy();
});

test('one room: of the node that has it, or where that is', async () => {
  const {room} = rooms[3];
  assert.equal((await granted(second, 'room', room))[0].room, room);
  const elsewhere = await admin(first, 'room', room);
  assert.deepEqual([elsewhere.status, elsewhere.stderr], [65, 'taluva-admin: Rooms of that part are at b; ask there.\n']);
  assert.equal((await admin(first, 'close', room)).status, 65);
  const closed = rooms[1];
  await closed.host.must('watch', {room: closed.room});
  assert.equal((await granted(first, 'close', closed.room, '--reason', 'enough'))[0].room, closed.room);
  assert.equal((await closed.host.push((message) => message.push === 'notice' && message.code === 'closed')).message, 'enough');
});

test('everybody reads an announcement once, at all nodes', async () => {
  const guests = [await player(first.port, 'One'), await player(second.port, 'Two')];
  for (const guest of guests) for (const part of [0, 2, 3]) await guest.must('watch', {room: rooms[part].room});
  const [told] = await granted(first, 'announce', 'Tea at five');
  assert.equal(told.nodes, 1);
  for (const guest of guests) {
    const notice = await guest.push((message) => message.push === 'notice' && message.code === 'announcement');
    assert.equal(notice.message, 'Tea at five');
    await guest.must('ping');
    await pause(200);
    await guest.must('ping');
    assert.equal(guest.pushes.filter((message) => message.code === 'announcement').length, 0);
    guest.destroy();
  }
});

test('a ban holds at all nodes, and until it is lifted at any', async () => {
  const [here, there] = [await player(first.port, 'Here'), await player(second.port, 'There')];
  assert.equal((await granted(first, 'ban', there.hello.session, '--for', '1h', '--reason', 'spam'))[0].target, there.hello.session);
  assert.equal(await there.closing(), 4005);
  assert.equal((await granted(second, 'silence', here.hello.session, '--for', '1h'))[0].target, here.hello.session);
  assert.equal((await bansOf(first)).length, 2, 'what is answered holds at all nodes');
  assert.deepEqual((await bansOf(first)).sort(), (await bansOf(second)).sort());
  await here.must('watch', {room: rooms[2].room});
  assert.equal((await here.ask('say', {room: rooms[2].room, text: 'hi'})).error.code, 'silenced');
  for (const server of [first, second]) await assert.rejects(player(server.port, 'There', {token: there.token}), /banned/);
  assert.equal((await granted(first, 'lift', there.hello.session))[0].target, there.hello.session);
  (await player(second.port, 'There', {token: there.token})).destroy(); // it holds at both, whichever is its home
  (await player(first.port, 'There', {token: there.token})).destroy();
  assert.equal((await admin(first, 'lift', '203.0.113.1')).stderr, 'taluva-admin: There is no ban or silence for just that.\n');
  assert.equal((await admin(first, 'ban', '127.0.0.1', '--for', '1h')).status, 65);
  here.destroy();
});

test('what another node has changed meanwhile is not lost', async () => {
  await Promise.all([1, 2, 3, 4, 5, 6].map((at) => granted(at % 2 ? first : second, 'ban', `203.0.113.${at}`, '--for', '1h')));
  for (const server of [first, second])
    await until(async () => (await bansOf(server)).filter((line) => /^203.0.113.[1-6] banned$/.test(line)).length === 6, 'a ban is lost');
  assert.match((await admin(first, 'status')).stdout, /^bans revision +9$/m);
});

/** Somebody whose home is a part of the first node. */
async function guestOfFirst() {
  for (;;) {
    const guest = await player(first.port, 'Guest');
    if (BigInt(`0x${guest.hello.session}`) % BigInt(PARTS) < 2n) return guest;
    guest.destroy();
  }
}

test('a node that drains says so, also of parts that it gets then', async () => {
  const banned = await guestOfFirst();
  await granted(first, 'ban', banned.hello.session, '--for', '1h');
  assert.equal((await granted(second, 'drain'))[0].draining, true);
  assert.equal((await second.get('/readyz')).status, 503);
  assert.equal((await first.get('/readyz')).status, 200);
  assert.equal((await statusOf(first)).draining, false);
  askDatabase(url, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'taluvad % part 0'`);
  await first.stop('SIGKILL');
  await until(() => owners(url) === 'b b b b', 'b has not taken all parts');
  const left = JSON.parse(shown(url, 'status', '--json').stdout);
  assert.ok(left.wrong.some((line) => /^node a: silent for \d+ ms, and not connected$/.test(line)), left.wrong.join());
  assert.equal(shown(url, 'forget', 'b').status, 75);
  assert.match(shown(url, 'forget', 'a').stdout, /^a is forgotten$/m);
  assert.equal(shown(url, 'forget', 'a').status, 65);
  await until(async () => (await statusOf(second)).parts.every((part) => part.at === 'b'), 'b does not serve them');
  const {parts, draining} = await statusOf(second);
  assert.deepEqual([draining, parts.length], [true, PARTS]);
  for (let at = 0; at < PARTS; at++) await assert.rejects(player(second.port, 'Late'), /draining/); // homes are given in turns
  await assert.rejects(player(second.port, 'Banned', {token: banned.token}), /banned/);
  assert.equal((await granted(second, 'drain', '--cancel'))[0].draining, false);
  assert.equal((await second.get('/readyz')).status, 200);
  (await player(second.port, 'Later')).destroy();
  // ... and the parts that have changed hands have the bans.
  assert.equal((await bansOf(second)).length, 8);
});

test('a node without parts answers, and a request whose part goes is answered', async () => {
  const third = await node(url, 'c');
  const status = await statusOf(third);
  assert.deepEqual([status.node, status.rooms], ['c', 0]);
  await until(async () => (await admin(third, 'bans')).status === 0, 'c does not hear of the bans');
  assert.equal((await bansOf(third)).length, 8);
  assert.deepEqual(await granted(third, 'rooms'), []);
  const asked = [];
  const ended = second.stop();
  const leaving = [];
  for (let at = 0; at < 40; at++) {
    asked.push(admin(third, 'close', rooms[at % 2 ? 2 : 3].room));
    leaving.push(admin(second, 'status'));
  }
  const [there, gone] = [await Promise.all(asked), await Promise.all(leaving)].map((answers) => answers.map(({status}) => status));
  for (const status of there) assert.ok([0, 65, 75].includes(status), `${status}`);
  for (const status of gone) assert.ok([0, 69].includes(status), `${status}`); // 69: it has ended
  assert.ok(gone.includes(0), 'nobody was answered');
  assert.deepEqual(await ended, {status: 0, signal: null}, second.stderr);
  await until(() => owners(url) === 'c c c c', 'c has not taken all parts');
  assert.deepEqual(await third.stop(), {status: 0, signal: null}, third.stderr);
});

test('bans of a server that was alone are taken along once', async () => {
  const data = join(scratchFolder(), 'data'), other = siteFor('old');
  mkdirSync(data, {mode: 0o700});
  const until_ms = Date.now() + 3600000;
  writeFileSync(join(data, 'bans'), `{"bans":1}\n{"target":"203.0.113.7","silence":false,"since":1,"until":${until_ms}}\n{"end":1}\n`, {mode: 0o600});
  const start = async () => Server.start([...quickly, '--store', other, '--node', 'a'], {data});
  let server = await start();
  await until(async () => (await admin(server, 'bans')).stdout.includes('203.0.113.7'), 'it is not taken along');
  await granted(server, 'lift', '203.0.113.7');
  await server.stop();
  server = await start();
  await until(() => owners(other) === 'a a a a', 'a has not taken all parts');
  assert.deepEqual(await bansOf(server), []);
  await server.stop();
});

test('bans of a server that was alone are not passed over when they cannot be read', async () => {
  const data = join(scratchFolder(), 'data'), other = siteFor('unreadable');
  mkdirSync(data, {mode: 0o700});
  writeFileSync(join(data, 'bans'), '{"bans":1}\n{"target":"203.0.', {mode: 0o600});
  const server = await Server.start([...quickly, '--store', other, '--node', 'a'], {data});
  await server.logged(/event=bans_failed .*cannot be read/);
  await pause(1200);
  assert.equal(owners(other), '');
  assert.equal(server.stderr.split('event=bans_failed').length, 2, 'it is said once');
  writeFileSync(join(data, 'bans'), `{"bans":1}\n{"target":"203.0.113.7","silence":false,"since":1,"until":${Date.now() + 3600000}}\n{"end":1}\n`);
  await until(() => owners(other) === 'a a a a', 'a has not taken all parts');
  assert.equal((await bansOf(server)).length, 1);
  await server.stop();
});

test('with bans that nobody can read no part is served', async () => {
  const other = siteFor('damaged');
  const text = (words) => askDatabase(other, `UPDATE taluva.document SET text = '${words}', revision = revision + 1 WHERE name = 'bans'`);
  let server = await Server.start(['--store', other, '--node', 'a']);
  await until(() => owners(other) === 'a a a a', 'a has not taken all parts');
  await server.stop();
  text('what?');
  server = await Server.start(['--store', other, '--node', 'a']);
  await server.logged(/event=bans_damaged what="nothing is served before they can be read"/);
  assert.ok(!/event=part_failed/.test(server.stderr));
  assert.equal((await admin(server, 'bans')).status, 75);
  assert.ok((await statusOf(server)).parts.every((part) => !part.at));
  text('');
  await until(async () => (await statusOf(server)).parts.every((part) => part.at === 'a'), 'a serves nothing');
  assert.deepEqual(await bansOf(server), []);
  await server.stop();
});

test('bans that are damaged while it runs take nothing away, and the operator repairs them', async () => {
  const other = siteFor('repaired');
  const server = await Server.start(['--store', other, '--node', 'a']);
  await until(() => owners(other) === 'a a a a', 'a has not taken all parts');
  await granted(server, 'ban', '203.0.113.1', '--for', '1h');
  askDatabase(other, `UPDATE taluva.document SET text = 'what?', revision = revision + 1 WHERE name = 'bans'`);
  await server.logged(/event=bans_damaged what="the last readable ones hold on" revision=2/);
  assert.deepEqual(await bansOf(server), ['203.0.113.1 banned']);
  assert.ok((await statusOf(server)).parts.every((part) => part.at === 'a'));
  await until(async () => (await statusOf(server)).bans_revision === 2, 'the revision is not known');
  await granted(server, 'ban', '203.0.113.2', '--for', '1h');
  assert.deepEqual((await bansOf(server)).sort(), ['203.0.113.1 banned', '203.0.113.2 banned']);
  assert.match(askDatabase(other, 'SELECT text FROM taluva.bans'), /203\.0\.113\.1.*203\.0\.113\.2/s);
  await server.stop();
});

/** Somebody who holds these statements' locks until it is ended. */
async function locker(database, sql) {
  const words = [database, '-qAt', '-c', 'BEGIN', '-c', sql, '-c', "SELECT 'locked'", '-c', 'SELECT pg_sleep(600)'];
  const child = spawn(join(process.env.TALUVA_TEST_POSTGRES_BIN, 'psql'), words, {stdio: ['ignore', 'pipe', 'ignore']});
  await new Promise((resolve) => child.stdout.once('data', resolve));
  return async () => {
    askDatabase(database, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(600)'");
    await new Promise((resolve) => child.once('close', resolve));
  };
}

test('somebody who has locked a table holds up no look at the site for long', async () => {
  const other = siteFor('locked');
  const counted = await locker(other, 'LOCK TABLE taluva.session');
  const page = shown(other, 'status');
  assert.equal(page.status, 1, page.stderr);
  assert.match(page.stdout, /^wrong: not everything is counted: somebody else has locked what is asked for, .*: see pg_locks/m);
  await counted();
  const seen = await locker(other, 'LOCK TABLE taluva.node');
  const refused = shown(other, 'status');
  assert.match(`${refused.status} ${refused.stderr}`, /^74 .*somebody else has locked what is asked for/);
  await seen();
});

test('what is wrong with a site ends with 1, and what is none is refused', async () => {
  const nobody = shown(url, 'status');
  assert.equal(nobody.status, 1, nobody.stderr);
  assert.equal(nobody.stdout.match(/^wrong: part \d: nobody has it$/gm).length, PARTS);
  askDatabase(url, "ALTER SYSTEM SET synchronous_standby_names = 'db2'");
  askDatabase(url, 'SELECT pg_reload_conf()');
  await until(() => /^wrong: no synchronous standby is connected/m.test(shown(url, 'status').stdout), 'a missing standby is not said');
  askDatabase(url, 'ALTER SYSTEM RESET synchronous_standby_names');
  askDatabase(url, 'SELECT pg_reload_conf()');
  const refused = (database, ...words) => {
    const {status, stderr} = shown(database, ...words);
    return `${status} ${stderr}`;
  };
  assert.match(refused(databaseFor('operator empty'), 'status'), /^66 .*holds no site yet/);
  assert.match(refused(scratchFolder(), 'status'), /^64 .*only a site in a PostgreSQL database has nodes/);
  assert.match(refused('postgres://127.0.0.1:1/none', 'status'), /^69 /);
  assert.match(refused(url, 'parts', '--json'), /^64 .*of no use but with `status`/);
  assert.match(refused(url, 'forget'), /^64 .*needs the name of a node/);
});

await run();
