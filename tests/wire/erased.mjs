// An account that is erased: its name and its handle are in no file of the server afterwards, nor in its log or in a copy of the store, and its
// matches are what they were for the others.
import {spawnSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {assert, run, test} from './lib/tap.mjs';
import {databaseOf, runToEnd, scratchFolder, Server} from './lib/server.mjs';
import {player} from './lib/socket.mjs';

/** The shortest time that one may take back its end. */
const settings = ['--accounts', 'open', '--closing-ms', '60000', '--over-idle-ms', '1000'];
const traces = ['Ottilie', 'Nymphe', 'ottilie', 'Zenobia', 'zenobia'];

/** A match of both that is over, which anybody may look at. */
async function playOne(server, ottilie, bo, options) {
  const {room, code} = await bo.must('create', {options: {players: 2}, ...options});
  for (const who of [ottilie, bo]) await who.must('join', {room, ...(code ? {code} : {})});
  for (const who of [ottilie, bo]) await who.must('ready', {room, ready: true, nonce: 'ab'.repeat(16)});
  await bo.must('start', {room});
  await ottilie.must('resign', {room});
  return room;
}

/** What the record says but for what it is named by (protocol/record.md). */
function coreOf(record) {
  const lines = record.split('\n').filter((line) => !/^\[(Server|Title|Seat\.\d+\.name|Result\.signature|Signature)\b/.test(line));
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}

const recordOf = async (who, room) => (await who.must('record', {room})).record;

/** All that the server has: its files, or what its database says. */
function everything(server) {
  const url = databaseOf(server.data);
  const files = existsSync(server.data) ? readdirSync(server.data).filter((name) => !name.endsWith('.sock')) : [];
  const held = files.map((name) => [name, readFileSync(join(server.data, name))]);
  if (url) {
    const dump = spawnSync(join(process.env.TALUVA_TEST_POSTGRES_BIN, 'pg_dump'), [url], {maxBuffer: 1 << 30});
    assert.equal(dump.status, 0, String(dump.stderr));
    held.push(['dump', dump.stdout]);
  }
  return [...held, ['log', Buffer.from(server.stderr)]];
}

/** Which of them name her. */
const named = (held) => held.flatMap(([name, bytes]) => traces.filter((trace) => bytes.includes(trace)).map((trace) => `${name}: ${trace}`));

function copyOf(server) {
  if (databaseOf(server.data)) return []; // its copies are dumps
  const copy = join(scratchFolder(), 'copy.db');
  const {status, stderr} = runToEnd(['--data', server.data, 'backup', copy]);
  assert.equal(status, 0, stderr);
  return [['copy', readFileSync(copy)]];
}

test('nothing of it is anywhere', async () => {
  const server = await Server.start(settings);
  const ottilie = await player(server.port, 'Ottilie Nymphe');
  let bo = await player(server.port, 'Bo');
  await ottilie.must('claim', {handle: 'Ottilie-1'});
  await bo.must('claim', {handle: 'Bo-1'});
  const rooms = [await playOne(server, ottilie, bo), await playOne(server, ottilie, bo, {access: 'code'})];
  await ottilie.must('claim', {handle: 'Zenobia'});
  rooms.push(await playOne(server, ottilie, bo));
  await bo.must('follow', {handle: 'Zenobia'});
  await ottilie.must('block', {handle: 'Bo-1'});
  await ottilie.must('link');
  const before = await Promise.all(rooms.map((room) => recordOf(bo, room)));
  assert.equal(before.every((record) => record.includes('Ottilie Nymphe')), true);
  await ottilie.must('close_account', {handle: 'Zenobia'});
  const {token} = bo;
  for (const who of [ottilie, bo]) who.destroy(); // so that the matches are put away
  await server.logged(/event=account_erased/);
  bo = await player(server.port, undefined, {token});
  const {games} = await bo.must('games');
  assert.deepEqual(games.map((game) => Object.values(game.seats).map((seat) => seat.name).sort()), rooms.map(() => ['Bo', 'deleted']));
  for (const [at, room] of rooms.entries()) {
    const record = await recordOf(bo, room);
    assert.match(record, /^\[Seat\.\d\.name "deleted"\]$/m);
    assert.equal(coreOf(record), coreOf(before[at]));
  }
  while ((await bo.must('friends')).friends?.length) await pause(100); // the other parts have heard of it
  const copy = copyOf(server);
  bo.destroy();
  await server.stop();
  assert.deepEqual(named([...everything(server), ...copy]), []);
});

run();
