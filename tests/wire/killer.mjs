// Kills the real server at random moments under load, again and again, on one store; then holds every move that was
// acknowledged against the store: none may be lost, none may be there twice. And each match that is over has come into the lists
// of both who played it, by letters, of which none is left.
//
//     node killer.mjs [ROUNDS]      TALUVAD is the program; python3 reads the store, or below ../cluster/beneath.py psql
import {execFileSync} from 'node:child_process';
import {join} from 'node:path';
import {assert} from './lib/tap.mjs';
import {Match} from './lib/match.mjs';
import {askDatabase, databaseOf, scratchFolder, Server} from './lib/server.mjs';
import {player} from './lib/socket.mjs';

const rounds = Number(process.argv[2] ?? 10);
const ROOMS = 12;
const MOVES = 12; // of a match
const flags = ['--requests-per-s', '100000', '--requests-burst', '100000',
  '--requests-per-address-per-s', '100000', '--requests-per-address-burst', '100000', '--work-per-s', '100000', '--work-burst', '100000',
  '--sessions-per-address-burst', '100000',
  '--sessions-per-address-per-min', '100000', '--rooms-per-session', '1000'];
const data = join(scratchFolder(), 'data');
const acknowledged = []; // {room, session, id, seq, move}
const ended = []; // rooms
const figures = {rounds: 0, begun: 0, over: 0, repeated: 0, killed_ms: 0};

/** What the one whose turn it is does next: after so many moves it has enough. */
async function choose(match, actor) {
  match.moves = (match.moves ?? 0) + 1;
  if (match.moves > MOVES) return {op: 'resign'};
  const {moves, eliminating = []} = await actor.must('moves', {room: match.room});
  const harmless = moves.filter((one) => !eliminating.includes(one));
  const from = harmless.length > 0 ? harmless : moves;
  return {op: 'move', move: from[Math.floor(Math.random() * from.length)], confirm: true};
}

/** One player's move, sent again after a restart with the same id if its answer never came. */
async function move(match) {
  const actor = match.playerOf(match.actingSeat);
  if (!match.pending) {
    const chosen = await choose(match, actor);
    match.lastId = (match.lastId ?? 1000) + 1;
    match.pending = {actor, seat: actor.seat, message: {id: match.lastId, room: match.room, ...chosen}};
  }
  const {message, seat} = match.pending;
  const reply = await match.playerOf(seat).askWith(message);
  if (!reply.ok) throw new Error(`${JSON.stringify(message)}: ${JSON.stringify(reply)}`);
  acknowledged.push({room: match.room, session: match.playerOf(seat).session, id: message.id, seq: reply.ok.seq, move: message.move ?? ''});
  match.pending = undefined;
  await match.hear(Math.max(reply.ok.seq, ...match.seqs));
}

/** Comes back to its match as after any cut: with token and `have`. */
async function comeBack(match, port) {
  for (const [at, who] of match.players.entries()) {
    const back = await player(port, 'x', {token: who.token});
    back.session = who.session;
    const view = await back.must('join', {room: match.room, have: match.seqs[at]});
    back.seat = view.you.seat;
    match.players[at] = back;
    if (view.state) [match.states[at], match.seqs[at]] = [view.state, view.seq];
    else await match.hearOne(at, view.seq);
  }
  assert.deepEqual(match.states[0], match.states[1], 'the players differ after a restart');
  if (match.pending) figures.repeated++;
}

async function play(server, match) {
  try {
    if (match.room) await comeBack(match, server.port);
    while (server.alive) {
      if (!match.room || match.over) {
        if (match.room && match.over) {
          figures.over++;
          ended.push(match.room);
        }
        match.end?.();
        Object.assign(match, {pending: undefined, room: undefined, moves: 0});
        const begun = await Match.start(server.port, {options: {tiles: 24}});
        Object.assign(match, begun);
        Object.setPrototypeOf(match, Match.prototype);
        for (const who of match.players) who.session = who.hello.session;
        figures.begun++;
      }
      await move(match);
    }
  } catch (error) {
    if (server.alive) throw error; // else the server was killed, which is what this is about
  }
}

function readDatabase(url) {
  const sql = `SELECT json_build_array(r.id, seq, lpad(to_hex(e.session), 16, '0'), request_id, text)
    FROM taluva.event e JOIN taluva.room r ON r.key = e.room`;
  return askDatabase(url, sql).split('\n').filter((line) => line).map((line) => JSON.parse(line));
}

function readStore() {
  const database = databaseOf(data);
  if (database) return readDatabase(database);
  const script = `
import json, sqlite3, sys
db = sqlite3.connect(sys.argv[1])
rows = db.execute("SELECT room.id, seq, session, request_id, text FROM event JOIN room ON room.key = event.room"
  " UNION ALL SELECT room.id, seq, session, request_id, text FROM archived_event JOIN room ON room.key = archived_event.room")
json.dump([list(row[:2]) + [format(row[2] % 2**64, 'x').zfill(16)] + list(row[3:]) for row in rows], sys.stdout)
assert db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
`;
  const options = {encoding: 'utf8', maxBuffer: 1 << 30};
  return JSON.parse(execFileSync('python3', ['-Ic', script, join(data, 'taluva.db')], options));
}

/** How many letters there are, and of each room in how many lists it is. */
function readLists() {
  const database = databaseOf(data);
  const queries = (schema) => [`SELECT count(*) FROM ${schema}letter`, `SELECT room, count(*) FROM ${schema}game GROUP BY room`];
  if (database) {
    const [letters, rooms] = queries('taluva.').map((sql) => askDatabase(database, sql).split('\n').filter((line) => line).map((line) => line.split('|')));
    return {letters: Number(letters[0][0]), lists: new Map(rooms.map(([room, count]) => [room, Number(count)]))};
  }
  const script = `
import json, sqlite3, sys
db = sqlite3.connect(sys.argv[1])
json.dump([db.execute(sql).fetchall() for sql in sys.argv[2:]], sys.stdout)
`;
  const [[[letters]], rooms] = JSON.parse(execFileSync('python3', ['-Ic', script, join(data, 'taluva.db'), ...queries('')], {encoding: 'utf8'}));
  return {letters, lists: new Map(rooms)};
}

/** Until the last server has applied all letters; how many lines are missing, or too many. */
async function checkLists() {
  const server = await Server.start(flags, {data});
  while (readLists().letters > 0) await new Promise((resolve) => setTimeout(resolve, 50));
  await server.stop();
  const {lists} = readLists();
  return ended.filter((room) => lists.get(room) !== 2).length;
}

function check() {
  const bySeq = new Map();
  const byRequest = new Map();
  for (const [room, seq, session, id, text] of readStore()) {
    const place = `${room} ${seq}`;
    assert.ok(!bySeq.has(place), `${place} is there twice`);
    bySeq.set(place, {session, id, text});
    const request = `${room} ${session} ${id}`;
    if (id >= 0) byRequest.set(request, (byRequest.get(request) ?? 0) + 1);
  }
  let [lost, doubled] = [0, 0];
  for (const {room, session, id, seq, move: text} of acknowledged) {
    const row = bySeq.get(`${room} ${seq}`);
    if (!row || row.id !== id || !row.text.includes(text) || (session && row.session !== session)) lost++;
    if ((byRequest.get(`${room} ${row?.session} ${id}`) ?? 0) > 1) doubled++;
  }
  return {lost, doubled};
}

/** Every other round has moves acknowledged before, however slow the machine is; the others end at any moment. */
async function after(round, after_ms) {
  const before = acknowledged.length;
  while (round % 2 === 0 && acknowledged.length < before + 3) await new Promise((resolve) => setTimeout(resolve, 10));
  await new Promise((resolve) => setTimeout(resolve, after_ms));
}

const matches = Array.from({length: ROOMS}, () => ({}));
for (let round = 0; round < rounds; round++) {
  const server = await Server.start(flags, {data});
  server.alive = true;
  const playing = matches.map((match) => play(server, match));
  const after_ms = Math.floor(Math.random() * 600);
  figures.killed_ms += after_ms;
  await Promise.race([after(round, after_ms), Promise.all(playing)]);
  server.alive = false;
  await server.stop('SIGKILL');
  await Promise.all(playing);
  for (const match of matches) if (!match.room || !match.players) Object.assign(match, {room: undefined});
  figures.rounds++;
}
const {lost, doubled} = check();
const unlisted = await checkLists();
console.log(`${figures.rounds} kills, ${acknowledged.length} moves acknowledged, ${lost} lost, ${doubled} doubled; ` +
  `${figures.begun} matches begun, ${figures.over} over, ${figures.repeated} moves sent again after a kill, ${unlisted} not in both lists`);
process.exit(lost + doubled + unlisted === 0 && acknowledged.length > rounds ? 0 : 1);
