// A site that has outgrown one machine: an embedded store with players in the middle of their matches is copied into a database,
// divided, and served by three nodes; then it is divided into fewer parts, and is one server's again. Everybody comes back with what
// they had, at any node, and plays on. Runs below tests/support/postgres.py.
import {spawnSync} from 'node:child_process';
import {copyFileSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {assert, run, test} from './lib/tap.mjs';
import {Match} from './lib/match.mjs';
import {allReady, certificates, relay, served} from './lib/nodes.mjs';
import {askDatabase, databaseFor, runToEnd, scratchFolder, Server} from './lib/server.mjs';
import {player, Socket} from './lib/socket.mjs';
import {TotemMatch} from './lib/totem.mjs';

const quickly = ['--requests-per-s', '1000', '--requests-burst', '1000'];
const NODES = ['a', 'b', 'c'];
const MOVES = 4;

function taluvad(...words) {
  const {status, stdout, stderr} = runToEnd(words);
  assert.equal(status, 0, stderr);
  return stdout;
}

/** A hello on a connection of its own, which is closed again. */
async function hello(port, fields) {
  const socket = await Socket.open(port);
  const answer = await socket.askAgain('hello', fields);
  socket.destroy();
  return answer;
}

// ---- who is there before

/** What somebody who plays keeps: a token on each of two devices, a link that is not used yet, a recovery phrase. */
async function equip(who, port) {
  const {pass} = await who.must('link', {});
  const phone = await hello(port, {pass, client: 'phone'});
  return {
    session: who.hello.session,
    tokens: [who.token, phone.ok.token],
    link: (await who.must('link', {})).pass,
    phrase: (await who.must('phrase', {})).pass,
  };
}

/** Matches of both games, a lobby by invitation, and one match that is over. */
async function settleDown(port) {
  const over = await Match.start(port, {options: {tiles: 24}});
  while (!over.over) await over.step();
  const [ana, bo] = over.players;
  const people = [];
  const matches = [];
  for (let at = 0; at < 4; at++) matches.push(await Match.start(port, {options: {tiles: 24}}));
  const totem = [await TotemMatch.start(port, {rounds: 2}), await TotemMatch.start(port, {rounds: 2})];
  for (let moves = 0; moves < MOVES; moves++) for (const match of [...matches, ...totem]) await match.step();
  for (const match of [over, ...matches, ...totem]) for (const who of match.players) people.push({...(await equip(who, port)), rooms: [match.room]});
  const {room, code} = await ana.must('create', {title: 'a lobby', access: 'code', options: {players: 3}});
  await bo.must('join', {room, code});
  await matches[0].players[0].must('watch', {room, code});
  people[0].rooms = [];
  people[1].rooms = [room];
  const record = (await ana.must('record', {room: over.room})).record;
  const games = await ana.must('games', {});
  over.end();
  return {people, matches, totem, over: over.room, record, games, lobby: room};
}

// ---- the nodes

let keys; // the folder that has the key for records

function folder() {
  const data = join(scratchFolder(), 'data');
  mkdirSync(data, {mode: 0o700});
  copyFileSync(join(keys, 'signing-keys'), join(data, 'signing-keys'));
  return data;
}

async function startNodes(url, parts) {
  const links = certificates();
  const nodes = [];
  for (const name of NODES) {
    const how = [...quickly, '--store', url, '--node', name, ...(await relay(links, name))];
    nodes.push(await Server.start(how, {data: folder()}));
  }
  while (served(url) < parts) await pause(50);
  await allReady(nodes);
  return nodes;
}

const stopAll = (servers) => Promise.all(servers.map((server) => server.stop()));

// ---- everybody comes back

/** Each with both devices, at each server. */
async function everybodyIsKnown(site, servers) {
  for (const person of site.people) {
    for (const [at, {port}] of servers.entries()) {
      const {ok, error} = await hello(port, {token: person.tokens[at % 2]});
      assert.ok(ok, JSON.stringify(error));
      assert.equal(ok.session, person.session);
      assert.deepEqual(ok.seats.map(({room}) => room).sort(), person.rooms);
    }
  }
}

/** A phrase makes a device anywhere, a link does so once. */
async function everybodyMayEnter(site, servers, withLinks) {
  for (const [at, person] of site.people.entries()) {
    const {port} = servers[at % servers.length];
    const by = await hello(port, {pass: person.phrase});
    assert.equal(by.ok?.session, person.session, JSON.stringify(by));
    const link = await hello(port, {pass: person.link});
    if (withLinks) assert.equal(link.ok?.session, person.session, JSON.stringify(link));
    else assert.equal(link.error.code, 'unknown_pass');
  }
}

/** The two of each match are at different servers, if there are several. */
async function playOn(site, servers) {
  const port = (at) => servers[at % servers.length].port;
  for (const [at, match] of site.matches.entries()) {
    await match.comeBack(port(at));
    await match.verify();
    await match.comeBack(port(at + 1));
  }
  for (const [at, match] of site.totem.entries()) {
    await match.comeBack(port(at), port(at + 1));
    await match.verify();
  }
  for (let moves = 0; moves < MOVES; moves++) for (const match of [...site.matches, ...site.totem]) await match.step();
  for (const match of [...site.matches, ...site.totem]) {
    await match.verify();
    match.end();
  }
}

/** What is over is listed and kept, and a lobby by invitation knows who was let in. */
async function nothingElseIsLost(site, servers) {
  for (const {port} of servers) {
    const ana = await player(port, 'Ana', {token: site.people[0].tokens[0]});
    assert.deepEqual(await ana.must('games', {}), site.games);
    assert.equal((await ana.must('record', {room: site.over})).record, site.record);
    ana.destroy();
    const guest = await player(port, 'Ana', {token: site.people[2].tokens[0]});
    await guest.must('watch', {room: site.lobby});
    guest.destroy();
  }
}

async function asBefore(site, servers, withLinks) {
  await everybodyIsKnown(site, servers);
  await everybodyMayEnter(site, servers, withLinks);
  await playOn(site, servers);
  await nothingElseIsLost(site, servers);
}

/** Secrets whose hash falls into another part than their session. */
const misplaced = (url) =>
  Number(askDatabase(url, 'SELECT count(*) FROM taluva.pass, taluva.site WHERE taluva.session_part(session, parts) <> taluva.secret_part(secret_hash, parts)'));

test('a site with players becomes one of several nodes, and one server again', async () => {
  const alone = await Server.start(quickly);
  keys = alone.data;
  const site = await settleDown(alone.port);
  await alone.stop();
  const url = databaseFor('divide');
  taluvad('--store', url, 'migrate', join(alone.data, 'taluva.db'));
  assert.equal(taluvad('--store', url, 'parts', '12'), '12\n');
  assert.ok(misplaced(url) > site.people.length);

  let nodes = await startNodes(url, 12);
  const taken = runToEnd(['--store', url, 'parts', '5']);
  assert.equal(taken.status, 75, taken.stderr);
  await asBefore(site, nodes, true);
  await stopAll(nodes);

  assert.equal(taluvad('--store', url, 'parts', '5'), '5\n');
  nodes = await startNodes(url, 5);
  await asBefore(site, nodes, false);
  await stopAll(nodes);

  assert.equal(taluvad('--store', url, 'parts', '1'), '1\n');
  assert.equal(misplaced(url), 0);
  const last = await Server.start([...quickly, '--store', url], {data: folder()});
  await asBefore(site, [last], false);

  // What was played on one server, twelve parts, five and one again is one match, by the rules and from one stack.
  for (const match of [...site.matches, ...site.totem]) {
    await match.comeBack(last.port);
    while (!match.over) await match.step();
    const {record} = await match.players[0].must('record', {room: match.room});
    const file = join(scratchFolder(), 'record');
    writeFileSync(file, record);
    const {status, stdout, stderr} = spawnSync(process.env.TALUVA, ['verify', file], {encoding: 'utf8'});
    assert.equal(status, 0, stdout + stderr);
    assert.match(stdout, /proven/);
    match.end();
  }
  await last.stop();
}, 240000);

await run();
