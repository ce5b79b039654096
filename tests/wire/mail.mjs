// Letters from one part of a site to another, by real nodes that are killed between any two steps of their way, and while the site
// is divided anew: each is applied exactly once. A finished match tells each of its players' homes by a letter. Each time the
// database applies one it says so to a table of this test, in the transaction that holds the effect. Locks in the database hold
// a node at the step at which it is killed. Runs below tests/support/postgres.py.
import {spawn} from 'node:child_process';
import {join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {assert, run, test} from './lib/tap.mjs';
import {Match} from './lib/match.mjs';
import {allReady, certificates, relay, served} from './lib/nodes.mjs';
import {askDatabase, databaseFor, runToEnd, scratchFolder, Server} from './lib/server.mjs';

const quickly = ['--requests-per-s', '1000', '--requests-burst', '1000', '--connects-per-address-burst', '10000', '--sessions-per-address-burst', '10000'];
const url = databaseFor('mail');
const links = certificates();
let parts = 2;

const ask = (sql) => askDatabase(url, sql).trim();
const letters = () => Number(ask('SELECT count(*) FROM taluva.letter'));
const divide = (count) => runToEnd(['--store', url, 'parts', String(count)]);

/** Within the time of the test. */
async function until(what) {
  while (!(await what())) await pause(20);
}

// ---- the nodes, by name

const nodes = new Map();
const folders = {a: join(scratchFolder(), 'data'), b: join(scratchFolder(), 'data')};

async function start(name) {
  nodes.set(name, await Server.start([...quickly, '--store', url, '--node', name, ...(await relay(links, name))], {data: folders[name]}));
}

const here = async (node) => (await node.metrics())['taluva_site_parts{where="here"}'];

/** Until both serve their share. */
async function startAll() {
  for (const name of ['a', 'b']) if (!nodes.has(name)) await start(name);
  await until(async () => {
    const shares = await Promise.all([...nodes.values()].map(here));
    return Math.min(...shares) === Math.floor(parts / 2) && shares[0] + shares[1] === parts;
  }, 'the nodes have not shared the parts');
  while (served(url) < parts) await pause(50);
  await allReady([...nodes.values()]);
}

async function kill(name) {
  const node = nodes.get(name);
  nodes.delete(name);
  await node.stop('SIGKILL');
}

const nodeOf = (part) => ask(`SELECT node FROM taluva.server WHERE part = ${part}`);
const anyPort = () => [...nodes.values()][0].port;

// ---- steps

/** Somebody who holds this lock until it is ended. */
async function locker(sql) {
  const words = [url, '-qAt', '-c', 'BEGIN', '-c', sql, '-c', "SELECT 'locked'", '-c', 'SELECT pg_sleep(600)'];
  const child = spawn(join(process.env.TALUVA_TEST_POSTGRES_BIN, 'psql'), words, {stdio: ['ignore', 'pipe', 'ignore']});
  await new Promise((resolve) => child.stdout.once('data', resolve));
  return async () => {
    const ended = new Promise((resolve) => child.once('close', resolve));
    ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(600)'");
    await ended;
  };
}

/** Until the commits of that part wait: for a lock, or for a standby. */
const held = (part, event) =>
  until(() => ask(`SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'taluvad % part ${part}' AND ${event}`) !== '0', `part ${part} does not come to its step`);
const LOCK = "wait_event_type = 'Lock'";
const STANDBY = "wait_event = 'SyncRep'";

function standby(name) {
  ask(`ALTER SYSTEM SET synchronous_standby_names = '${name}'`);
  ask('SELECT pg_reload_conf()');
}

const GAMES_HELD = 'LOCK TABLE taluva.game IN SHARE ROW EXCLUSIVE MODE';
const LETTERS_HELD = 'LOCK TABLE taluva.letter IN SHARE ROW EXCLUSIVE MODE';

// ---- matches

const partOf = (room) => {
  const digit = (at) => '0123456789abcdefghjkmnpqrstvwxyz'.indexOf(room[at]);
  return (digit(0) * 32 + digit(1)) % parts;
};
const homeOf = (who) => Number(BigInt(`0x${who.hello.session}`) % BigInt(parts));

/** Of two who come to different nodes: the second one is at home in another part than the room. */
async function crossing() {
  const [first, second] = [...nodes.values()];
  const match = await Match.start(first.port, {options: {tiles: 24}}, {}, second.port);
  match.home = homeOf(match.players[1]);
  assert.notEqual(nodeOf(match.home), nodeOf(partOf(match.room)));
  await match.step();
  return match;
}

/** The first one resigns; the answer may never come. */
const resign = (match) => match.players[0].must('resign', {room: match.room}).catch(() => {});

/** Again, if that was lost with the node. */
async function isOver(match) {
  await match.comeBack(anyPort());
  if (!match.over) await match.players[0].must('resign', {room: match.room});
}

const applied = (match) => ask(`SELECT string_agg(count::text, ' ') FROM (SELECT count(*) FROM applied WHERE room = '${match.room}' GROUP BY session) AS counts`);

async function appliedOnce(match) {
  await until(() => letters() === 0, 'a letter is left');
  assert.equal(applied(match), '1 1', match.room);
  for (const who of match.players)
    assert.deepEqual((await who.must('games', {})).games.map(({room}) => room), [match.room]);
  match.end();
}

test('a site of two parts at two nodes', async () => {
  assert.equal(divide(2).status, 0);
  ask('CREATE TABLE public.applied (session bigint, room text)');
  ask(`CREATE FUNCTION public.apply() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN INSERT INTO public.applied VALUES (NEW.session, NEW.room); RETURN NULL; END'`);
  ask('CREATE TRIGGER apply AFTER INSERT OR UPDATE ON taluva.game FOR EACH ROW EXECUTE FUNCTION public.apply()');
  await startAll();
  const match = await crossing();
  await resign(match);
  await appliedOnce(match);
});

test('killed before the cause is durable', async () => {
  const match = await crossing();
  const release = await locker(LETTERS_HELD);
  void resign(match);
  await held(partOf(match.room), LOCK);
  await kill(nodeOf(partOf(match.room)));
  await release();
  await startAll();
  await isOver(match);
  await appliedOnce(match);
});

test('killed before the letter is sent, and nobody has read it', async () => {
  const match = await crossing();
  await match.comeBack(nodes.get(nodeOf(partOf(match.room))).port);
  await kill(nodeOf(match.home));
  await match.players[0].must('resign', {room: match.room});
  await startAll();
  await isOver(match);
  await appliedOnce(match);
});

test('killed when it is read and its effect is not durable', async () => {
  const match = await crossing();
  const release = await locker(GAMES_HELD);
  await match.players[0].must('resign', {room: match.room});
  await held(match.home, LOCK);
  assert.ok(letters() > 0);
  await kill(nodeOf(match.home));
  await release();
  await startAll();
  await isOver(match);
  await appliedOnce(match);
});

test('killed when its effect is durable and nobody has said so', async () => {
  const match = await crossing();
  const release = await locker(GAMES_HELD);
  await match.players[0].must('resign', {room: match.room});
  await held(match.home, LOCK);
  standby('nobody');
  await release();
  await held(match.home, STANDBY);
  await kill(nodeOf(match.home));
  standby('');
  await startAll();
  await isOver(match);
  await appliedOnce(match);
});

test('all are killed with a letter under way, and so is the division of the site', async () => {
  const match = await crossing();
  const release = await locker(GAMES_HELD);
  await match.players[0].must('resign', {room: match.room});
  await held(match.home, LOCK);
  for (const name of ['a', 'b']) await kill(name);
  await release();
  await until(() => divide(3).status === 0, 'the site is not divided'); // as soon as nobody has its parts
  parts = 3;
  const before = letters();
  const stopped = await locker('LOCK TABLE taluva.server');
  const dividing = spawn(process.env.TALUVAD, ['--store', url, 'parts', '4'], {stdio: 'ignore'});
  await until(() => ask(`SELECT count(*) FROM pg_stat_activity WHERE ${LOCK}`) !== '0', 'it is not divided again');
  dividing.kill('SIGKILL');
  await new Promise((resolve) => dividing.once('close', resolve));
  await stopped();
  assert.equal(letters(), before);
  parts = Number(ask('SELECT parts FROM taluva.site'));
  await startAll();
  await isOver(match);
  await appliedOnce(match);
  for (const node of nodes.values()) await node.stop();
  assert.equal(divide(1).status, 0);
});

await run();
