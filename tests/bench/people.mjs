// What a site with very many accounts and finished matches costs: profile, search and sign-in, a restart, and memory.
//
//     TALUVAD=build/server/taluvad PEOPLE_FILL=build/tests/bench/people/taluva-people-fill node tests/bench/people.mjs [--accounts 100000] [--matches 200000]
//         [--requests 2000] [--filled FOLDER]
//
// With the embedded store in TMPDIR, of 5,000,000 matches some 10 GB of it; below tests/support/postgres.py in a database. The store is filled first, by taluva-people-fill, through the engine.
// FOLDER has a store that was filled so before, which takes long. What is asked for is somebody else each time; one request waits for the one before, so a figure is that of a person who waits.
import {spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync} from 'node:fs';
import http from 'node:http';
import {join} from 'node:path';
import {performance} from 'node:perf_hooks';
import {parseArgs} from 'node:util';
import {databaseFor, scratchFolder, Server} from '../wire/lib/server.mjs';
import {player} from '../wire/lib/socket.mjs';

const {values} = parseArgs({options: {accounts: {type: 'string', default: '100000'}, matches: {type: 'string', default: '200000'}, requests: {type: 'string', default: '2000'}, filled: {type: 'string'}}});
const [accounts, matches, requests] = [values.accounts, values.matches, values.requests].map(Number);
const data = values.filled ?? mkdtempSync(join(scratchFolder(), 'people-'));
const isDatabase = process.env.TALUVA_TEST_POSTGRES !== undefined;
const where = isDatabase ? databaseFor(data) : data;
const fill = process.env.PEOPLE_FILL;
if (!fill && !values.filled) throw new Error('PEOPLE_FILL says which program fills the store');

let seed = 1;
const below = (/** @type {number} */ n) => (seed = (seed * 48271) % 2147483647) % n;
const handle = () => `p${1000 + below(accounts)}`;
/** The token of an account's device. */
function tokenOf(/** @type {number} */ account) {
  const bytes = Buffer.alloc(32);
  bytes.writeUInt32BE(account, 28);
  return bytes.toString('base64url');
}

const since = performance.now();
const {status, stderr} = values.filled ? {status: 0, stderr: ''} : spawnSync(/** @type {string} */ (fill), [where, values.accounts, values.matches], {encoding: 'utf8'});
if (status !== 0) throw new Error(stderr);
console.log(`${isDatabase ? 'PostgreSQL' : 'SQLite'}: ${accounts} accounts, ${matches} matches, filled in ${((performance.now() - since) / 1000).toFixed(1)} s`);

const begun = performance.now();
const freely = ['requests-per-address-per-s', 'requests-per-address-burst', 'work-per-s', 'http-requests-per-address-per-s', 'http-requests-per-address-burst', 'connects-per-address-per-s'];
const server = await Server.start(['--accounts', 'open', '--sessions', String(2 * accounts), ...freely.flatMap((name) => [`--${name}`, '1000000']), ...(isDatabase ? ['--store', where] : [])], {data});
const memory = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.process.pid}/status`, 'utf8'))?.[1]);

/** Of the server's processor, in ms so far: what a request takes of it is the same on a busy machine. */
function spent() {
  const fields = readFileSync(`/proc/${server.process.pid}/stat`, 'utf8').replace(/^.*\) /, '').split(' ');
  return 10 * (Number(fields[11]) + Number(fields[12]));
}
console.log(`started in ${((performance.now() - begun) / 1000).toFixed(2)} s, processor ${(spent() / 1000).toFixed(2)} s, ${Math.round(memory() / 1024)} MB`);

const agent = new http.Agent({keepAlive: true, maxSockets: 1});
const get = (/** @type {string} */ path) =>
  new Promise((resolve, reject) => {
    http.get({host: '127.0.0.1', port: server.port, path, agent}, (answer) => {
      let bytes = 0;
      answer.on('data', (piece) => (bytes += piece.length));
      answer.on('end', () => (answer.statusCode === 200 ? resolve(bytes) : reject(new Error(`${path}: ${answer.statusCode}`))));
    }).on('error', reject);
  });

/** Half of all are for warming up. @param {string} name @param {() => Promise<unknown>} ask @param {number} count */
async function measure(name, ask, count = requests) {
  const took = [], before = spent();
  for (let at = 0; at < count; at++) {
    const from = performance.now();
    await ask();
    took.push(performance.now() - from);
  }
  const sorted = took.slice(count / 2).sort((a, b) => a - b);
  const at = (/** @type {number} */ share) => sorted[Math.floor(share * (sorted.length - 1))].toFixed(2);
  console.log(`${name.padEnd(44)} p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, processor ${((spent() - before) / count).toFixed(2)} ms`);
}

const begin_ms = 1_700_000_000_000, minute_ms = 60_000;
const some = () => begin_ms + below(matches) * minute_ms;
await measure('profile', () => get(`/api/people/${handle()}`));
await measure('archive, of a game, at some time', () => get(`/api/archive/game/taluva/until/${some()}`));
await measure('archive, of a handle', () => get(`/api/archive/handle/${handle()}`));
await measure('archive, by how it ended', () => get(`/api/archive/game/taluva/why/two-kinds/until/${some()}`));
await measure('archive, by rules', () => get(`/api/archive/game/totem/rules/0000000000000004/until/${some()}`));
await measure('archive, nothing in 320 rows', () => get(`/api/archive/game/taluva/size/9/until/${some()}`));
await measure('sign-in', async () => (await player(server.port, undefined, {token: tokenOf(below(accounts))})).destroy(), Math.min(requests, 1000));
const longest = Number(/^taluva_loop_turn_longest_seconds (\S+)$/m.exec(await (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text())?.[1]);
console.log(`${Math.round(memory() / 1024)} MB afterwards, the longest turn of the loop ${(1000 * longest).toFixed(1)} ms`);
await server.stop();
agent.destroy();
