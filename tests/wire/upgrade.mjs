// An upgrade, with matches under way: what the program before has stored is played on, and listed, with this one, by a server that is alone and by
// the nodes of a site, one after the other. Not of the suite, as it needs that program. Runs below tests/support/postgres.py:
//
//     TALUVAD_BEFORE=... TALUVAD=... TALUVA_ADMIN_PROGRAM=... tests/support/postgres.py node tests/wire/upgrade.mjs
import {spawnSync} from 'node:child_process';
import {cpSync, existsSync, mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {askDatabase, databaseFor, scratchFolder, Server} from './lib/server.mjs';
import {Match} from './lib/match.mjs';
import {player} from './lib/socket.mjs';
import {assert, run, test} from './lib/tap.mjs';

const keepsNoKeys = !spawnSync(process.env.TALUVAD_BEFORE, ['--help'], {encoding: 'utf8'}).stdout.includes('--site-key-file');
const without = 'for word; do shift; case $word in --site-key-file) left=1;; *) [ "$left" ] && left= || set -- "$@" "$word";; esac; done;';
const before = {prefix: ['sh', '-c', `shift; ${keepsNoKeys ? without : ''} exec "$TALUVAD_BEFORE" "$@"`, 'sh']};
const quickly = ['--requests-per-s', '1000', '--requests-burst', '1000'];
const PARTS = 4;

const admin = (server, ...words) => spawnSync(process.env.TALUVA_ADMIN_PROGRAM, ['--socket', join(server.data, 'admin.sock'), ...words], {encoding: 'utf8'});

async function play(matches, moves) {
  for (let at = 0; at < moves; at++) for (const match of matches) await match.step();
}

/** Until somebody may play again there. */
async function comeBack(match, port) {
  for (;;) {
    try {
      return await match.comeBack(port);
    } catch {
      await pause(20);
    }
  }
}

/** All are played on at that server, without a loss. */
async function goOn(matches, port) {
  for (const match of matches) {
    await comeBack(match, port);
    await match.verify();
  }
  await play(matches, 2);
}

/** What somebody has played, which is one match. */
async function listOf(port, token) {
  const who = await player(port, 'x', {token});
  let games;
  while ((games = (await who.must('games', {})).games).length === 0) await pause(20);
  who.destroy();
  assert.equal(games.length, 1);
  return games;
}

/** Somebody who has played a match to its end at that server, and how that is listed there. */
async function playOut(port) {
  const match = await Match.start(port, {options: {tiles: 24}});
  while (!match.over) await match.step();
  match.end();
  const [{token}] = match.players;
  return {token, games: await listOf(port, token)};
}

/** What the program before and this one have listed is so in both. */
async function listed(port, people) {
  for (const {token, games} of people) assert.deepEqual(await listOf(port, token), games);
}

for (const signal of ['SIGTERM', 'SIGKILL']) test(`a server that is alone, ended by ${signal}: matches go on, and whoever was banned is`, async () => {
  const data = join(scratchFolder(), 'data');
  const old = await Server.start(quickly, {data, ...before});
  const matches = [await Match.start(old.port), await Match.start(old.port)];
  await play(matches, 5);
  const people = [await playOut(old.port)];
  assert.equal(admin(old, 'ban', '203.0.113.7', '--for', '1h').status, 0);
  await old.stop(signal);
  let server = await Server.start(quickly, {data});
  await goOn(matches, server.port);
  await listed(server.port, people);
  people.push(await playOut(server.port));
  assert.match(admin(server, 'bans').stdout, /203\.0\.113\.7/);
  assert.equal(admin(server, 'lift', '203.0.113.7').status, 0);
  await server.stop('SIGKILL');
  server = await Server.start(quickly, {data});
  await goOn(matches, server.port);
  await listed(server.port, people);
  assert.ok(!admin(server, 'bans').stdout.includes('203.0.113.7'));
  assert.equal((await server.stop()).status, 0);
});

const owners = (url) => askDatabase(url, `SELECT string_agg(node, ' ' ORDER BY part) FROM taluva.server WHERE batch > 0`).trim();

/** The data of a node. Before sites kept their keys, those of the first node were copied to the others by hand. */
function dataOf(folder, name) {
  const data = join(folder, name), keys = join(folder, 'a', 'signing-keys');
  if (keepsNoKeys && existsSync(keys) && name !== 'a') {
    mkdirSync(data, {mode: 0o700});
    cpSync(keys, join(data, 'signing-keys'));
  }
  return data;
}

async function served(url, words) {
  while (owners(url) !== words) await pause(20);
}

test('the nodes of a site, one after the other', async () => {
  const url = databaseFor('upgraded site');
  const made = spawnSync(process.env.TALUVAD_BEFORE, ['--store', url, 'parts', String(PARTS)], {encoding: 'utf8'});
  assert.equal(made.status, 0, made.stderr);
  const folder = scratchFolder();
  const node = (name, how = {}) => Server.start([...quickly, '--store', url, '--node', name], {data: dataOf(folder, name), ...how});
  const all = (name) => Array(PARTS).fill(name).join(' ');
  let first = await node('a', before);
  await served(url, all('a'));
  const matches = [];
  for (let at = 0; at < 6; at++) {
    matches.push(await Match.start(first.port));
    (await player(first.port, 'Cy')).destroy();
  }
  await play(matches, 4);
  const people = [await playOut(first.port)];
  assert.equal(admin(first, 'ban', '203.0.113.7', '--for', '1h').status, 0);
  assert.equal((await first.stop()).status, 0);
  const second = await node('b');
  await served(url, all('b'));
  await goOn(matches, second.port);
  await listed(second.port, people);
  people.push(await playOut(second.port));
  assert.match(admin(second, 'bans').stdout, /203\.0\.113\.7/);
  // ... and a node of the program before can still come, as long as not all are of this one.
  first = await node('a', before);
  await second.stop();
  await served(url, all('a'));
  await goOn(matches, first.port);
  await listed(first.port, people);
  people.push(await playOut(first.port));
  assert.match(admin(first, 'bans').stdout, /203\.0\.113\.7/);
  await first.stop('SIGKILL');
  const third = await node('a');
  await served(url, all('a'));
  await goOn(matches, third.port);
  await listed(third.port, people);
  await third.stop();
});

await run();
