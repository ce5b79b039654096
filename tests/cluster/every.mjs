// Each kind of fault of nodes.mjs in turn, and a table of what it cost: second by second which share of newcomers was served and of matches played on,
// how long play paused, and how much longer than the fault itself. About fifteen minutes on a quiet machine.
//
//     TALUVAD=build/server/taluvad node tests/cluster/every.mjs [MATCHES] [KIND,KIND]
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {createInterface} from 'node:readline';
import {fileURLToPath} from 'node:url';

const [matches = '24', only] = process.argv.slice(2);
const LONG_S = '10'; // what lasts, lasts so long
const BETWEEN_S = '3';
const MARK_MS = 5000; // for the pause at the 99th percentile, and for what the longest is longer than the fault
const KINDS = [['kill', 3], ['stop', 3], ['partition', 2], ['restart', 3], ['leave', 3], ['oneway', 2], ['readonly', 2], ['lock', 2], ['still', 2], ['alone', 2], ['failover', 2]];
const ALL_STAND = new Set(['readonly', 'lock', 'still', 'alone']); // nobody can play meanwhile

/** How long the fault itself lasted, which the line about it says; what is over at once: nothing. */
function lasted_ms(line) {
  const [, still_ms] = /stood still for (\d+) ms/.exec(line) ?? [];
  const [, cut_s] = / for ([\d.]+) s, /.exec(line) ?? [];
  return Number(still_ms ?? 1000 * (cut_s ?? 0));
}

async function run(kind, faults) {
  const env = {...process.env, SECONDS: '12', STILL_S: LONG_S, CUT_S: LONG_S};
  const child = spawn(process.execPath, [fileURLToPath(new URL('nodes.mjs', import.meta.url)), kind, String(faults), matches, BETWEEN_S], {env, stdio: ['ignore', 'pipe', 'inherit']});
  const ended = once(child, 'close');
  const found = {kind, p99: 0, max: 0, longer: 0, newcomers: '?', playing: '?'};
  for await (const line of createInterface({input: child.stdout})) {
    console.log(line);
    const [, p99, max] = /^\d+: .*play went on after \d+, (\d+), (\d+) ms/.exec(line) ?? [];
    if (max !== undefined) {
      found.p99 = Math.max(found.p99, Number(p99) - (ALL_STAND.has(kind) ? lasted_ms(line) : 0));
      found.max = Math.max(found.max, Number(max));
      found.longer = Math.max(found.longer, Number(max) - lasted_ms(line));
    }
    const [, newcomers, playing] = /less than 90 % of newcomers served in (\d+) seconds, of matches playing in (\d+);/.exec(line) ?? [];
    if (playing !== undefined) Object.assign(found, {newcomers, playing});
  }
  const [status] = await ended;
  return {...found, safe: status === 0};
}

const began = performance.now();
const rows = [];
for (const [kind, faults] of KINDS.filter(([name]) => !only || only.split(',').includes(name))) rows.push(await run(kind, faults));
console.log(`\n${'fault'.padEnd(10)} pause p99, ms   most   longer than the fault   seconds below 90 %: newcomers, matches   nothing lost`);
for (const {kind, p99, max, longer, newcomers, playing, safe} of rows)
  console.log([kind.padEnd(10), String(p99).padStart(13), String(max).padStart(6), String(longer).padStart(23), `${newcomers}, ${playing}`.padStart(40), String(safe).padStart(14)].join(' '));
const missed = rows.filter(({p99, longer, safe}) => !safe || p99 > MARK_MS || longer > MARK_MS).map(({kind}) => kind);
console.log(`mark: ${MARK_MS} ms, and never longer than the fault by more; ${missed.length > 0 ? `missed by ${missed.join(', ')}` : 'met by all'}; ${((performance.now() - began) / 1000).toFixed(0)} s`);
process.exit(missed.length > 0 ? 1 : 0);
