// Many matches on a site of several nodes, whose players sit at any of them, so most of them at a wrong one; meanwhile nodes are killed, stand
// still, are cut off or are restarted, or their database is lost. Each move that was acknowledged is in the database in the end, once, and nobody saw anything that was older.
//
//     node nodes.mjs kill|stop|partition|restart|upgrade|leave|oneway|readonly|lock|still|alone|failover [FAULTS] [MATCHES] [SECONDS BETWEEN] [NODES]
//
// After each fault two lines say, second by second from the fault on, which share of newcomers was served within a second, and in which share of the
// matches a move was acknowledged (with few matches each has one every second; with SECONDS=N for N seconds at least).
// With 0 nodes it is one server that is none, for comparison. TALUVAD is the program; for upgrade TALUVAD_BEFORE is the one that all begin as.
import {setTimeout as pause} from 'node:timers/promises';
import {Client} from './lib/client.mjs';
import {Crowd, summary} from './lib/crowd.mjs';
import {EVENTS, hold} from './lib/ledger.mjs';
import {Nodes} from './lib/nodes.mjs';
import {Pair} from './lib/pair.mjs';
import {Seconds} from './lib/seconds.mjs';

const [mode, ...numbers] = process.argv.slice(2);
const [faults = 2, matches = 24, between_s = 3, count = 3] = numbers.map(Number);
const [WITNESSES, SAYING_MS, HELD_MS] = [12, 3000, 700];
const LASTS_S = Number(process.env.SECONDS ?? 0);
const [STILL_S, CUT_S] = [Number(process.env.STILL_S ?? 60), Number(process.env.CUT_S ?? 30)]; // the longest, and always

const paired = mode === 'failover' || mode === 'alone';
const pair = await Pair.start({alone: !paired});
const site = await Nodes.start(count, {url: pair.url, cluster: pair.primary, parts: 4 * count, lines: !paired, isBefore: mode === 'upgrade'});
const acknowledged = [];
let seconds;
const crowd = new Crowd({
  where: () => site.where(),
  told: (move) => {
    acknowledged.push(move);
    seconds?.told(move);
  },
  pace_ms: () => (0.5 + Math.random()) * Math.max(300, 10 * matches), // about a hundred moves a second
});
seconds = new Seconds({where: () => site.where(), crowd});
site.down = (node) => crowd.cutOff(node.url);

async function check() {
  const sofar = acknowledged.slice();
  const found = hold(sofar, (await pair.primary.ask(EVENTS)).split('\n'));
  for (const wrong of found.wrong) console.log(`# ${JSON.stringify(wrong)}`);
  return found;
}

/** Clients at a node that stays connected while it stands still, and what they are told when it goes on. */
class Witnesses {
  static async at(node) {
    const all = new Witnesses();
    const begun = crowd.matches.filter((match) => match.begun).sort(() => Math.random() - 0.5).slice(0, WITNESSES);
    const chosen = begun.map((match) => ({match, room: match.room})); // a match that ends meanwhile has another room next
    all.each = await Promise.all(chosen.map(async ({match, room}) => {
      const client = await Client.open(node.url);
      const witness = {client, match, room, pushes: []};
      client.pushed = (push) => witness.pushes.push(push);
      await client.must('hello', {name: 'Eve'});
      await client.must('watch', {room});
      return witness;
    }));
    return all;
  }

  /** What is asked while it stands still, and read when it goes on. */
  ask() {
    for (const witness of this.each) {
      const {client, room, match} = witness;
      const acked = match.room === room ? match.acked : 0;
      client.must('watch', {room}).then(({seq}) => Object.assign(witness, {seq, acked}), (error) => (witness.refused = String(error)));
    }
  }

  /** {answers, stale, false}: how many were answered, with something older than was acknowledged before they asked, with other moves. */
  end() {
    const moves = new Map(acknowledged.map(({room, seq, move}) => [`${room} ${seq}`, move]));
    const found = {answers: 0, stale: 0, untrue: 0};
    for (const {client, room, seq, acked, pushes} of this.each) {
      client.destroy();
      if (seq !== undefined) found.answers++;
      if (seq < acked) found.stale++;
      for (const push of pushes) {
        const told = push.push === 'event' && push.event.kind === 'move' && push.room === room ? moves.get(`${room} ${push.seq}`) : undefined;
        if (told !== undefined && told !== push.event.move) found.untrue++;
      }
    }
    return found;
  }
}

const totals = {times: [], silent: 0, stale: 0, untrue: 0, standing: 0, bad: {newcomers: 0, matches: 0}};
let known = 0;

/** What happened, and how long until each match went on. */
function report(number, what) {
  totals.times.push(...crowd.times);
  totals.standing += crowd.standing;
  const {p50, p99, max} = summary(crowd.times);
  const ends = site.ends.slice(known).map(({node, status, signal}) => `${node} ended with ${status ?? signal}`);
  known = site.ends.length;
  console.log(`${number}: ${what}; play went on after ${p50}, ${p99}, ${max} ms (p50, p99, max) in ${crowd.times.length} matches, not in ${crowd.standing}; ` +
    `${acknowledged.length} acknowledged${ends.length > 0 ? `; ${ends.join(', ')}` : ''}`);
}

async function killed(number) {
  const victim = site.any();
  crowd.fault();
  victim.signal('SIGKILL');
  await crowd.goesOn();
  report(number, `${victim.name} was killed`);
}

async function stood(number) {
  const victim = site.any();
  const still_ms = 1000 * STILL_S ** ((number - 1 + Math.random()) / faults); // from a second on, as many short ones as long ones
  const witnesses = await Witnesses.at(victim);
  const within = number % 3 === 0;
  crowd.fault();
  if (within) await victim.database.holdWithin();
  const begun = performance.now();
  victim.signal('SIGSTOP');
  await crowd.goesOn(still_ms);
  witnesses.ask();
  await pause(Math.max(0, still_ms - (performance.now() - begun)));
  victim.signal('SIGCONT');
  if (within) victim.database.heal();
  await pause(SAYING_MS);
  const {answers, stale, untrue} = witnesses.end();
  if (answers === 0) totals.silent++;
  totals.stale += stale;
  totals.untrue += untrue;
  await crowd.goesOn();
  report(number, `${victim.name} stood still for ${Math.round(still_ms)} ms${within ? ' in the midst of a batch' : ''}, ` +
    `${answers} of ${witnesses.each.length} witnesses were answered then, ${stale} with something old, ${untrue} events were untrue`);
}

/** Of two nodes the one whose name is later is connected to, so nobody connects to the first. */
async function cut(number) {
  const database = number % 2 === 0;
  const victim = database || count < 2 ? site.any() : site.nodes[1 + Math.floor(Math.random() * (count - 1))];
  const line = database ? victim.database : victim.line;
  const begun = performance.now();
  crowd.fault();
  line.hold();
  await crowd.goesOn(CUT_S * 1000);
  const standing = crowd.standing;
  await pause(Math.max(0, CUT_S * 1000 - (performance.now() - begun)));
  line.heal();
  await crowd.goesOn();
  report(number, `${victim.name} was cut off from ${database ? 'the database' : 'other nodes that connect to it'} for ${CUT_S} s, ${standing} matches stood until it was over`);
}

/** A link of which one direction is gone, as by a firewall or a broken route: by turns others do not hear it, and it does not hear others. */
async function halfCut(number) {
  const unheard = number % 2 === 1;
  const victim = site.nodes[1 + Math.floor(Math.random() * (count - 1))];
  const begun = performance.now();
  crowd.fault();
  victim.line.hold(unheard ? 'far' : 'near');
  await crowd.goesOn(CUT_S * 1000);
  const standing = crowd.standing;
  await pause(Math.max(0, CUT_S * 1000 - (performance.now() - begun)));
  victim.line.heal();
  await crowd.goesOn();
  report(number, `${unheard ? `${victim.name} was not heard by nodes that connect to it` : `nodes that connect to ${victim.name} were not heard by it`} for ${CUT_S} s, ` +
    `${standing} matches stood until it was over`);
}

async function restarted(number) {
  const victim = site.nodes[(number - 1) % site.nodes.length];
  crowd.fault();
  victim.signal('SIGTERM');
  await crowd.goesOn();
  report(number, `${victim.name} was restarted`);
}

/** Meanwhile the others are of the program before, or of this one. */
async function upgraded(number) {
  const victim = site.nodes[(number - 1) % site.nodes.length];
  const {server, isBefore: was} = victim;
  victim.isBefore = false;
  crowd.fault();
  victim.signal('SIGTERM');
  while (victim.server === server || !victim.up) await pause(50);
  await crowd.goesOn();
  report(number, `${victim.name} was ${was ? 'started as the program that is tested' : 'restarted'}`);
}

/** What it says to others on its way out comes late: replies by one way, events by another. */
async function left(number) {
  const victim = site.nodes[(number - 1) % site.nodes.length];
  const lines = site.nodes.map(({line}) => line);
  crowd.fault();
  for (const line of lines) line.hold();
  await pause(HELD_MS);
  victim.signal('SIGTERM');
  for (const line of lines) line.heal();
  await crowd.goesOn();
  report(number, `${victim.name} was restarted as soon as what all had to say to each other was late by ${HELD_MS} ms`);
}

/** As a database does whose disk is full, or that has been made a standby. */
async function readOnly(number) {
  const {primary} = pair;
  await primary.set('default_transaction_read_only', 'on');
  const begun = performance.now();
  crowd.fault();
  await pause(CUT_S * 1000);
  await primary.set('default_transaction_read_only', 'off'); // which takes its time on a busy machine
  const lasted_s = ((performance.now() - begun) / 1000).toFixed(1);
  await crowd.goesOn();
  report(number, `the database was read-only for ${lasted_s} s, and all moves were refused`);
}

/** As by a migration, or by whoever has left a transaction open. */
async function locked(number) {
  const begun = performance.now();
  crowd.fault();
  await pair.primary.ask(`BEGIN; LOCK TABLE taluva.event IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(${CUT_S}); COMMIT`);
  const lasted_s = ((performance.now() - begun) / 1000).toFixed(1);
  await crowd.goesOn();
  report(number, `somebody had the table of events locked for ${lasted_s} s, and no move was stored`);
}

/** All processes of the database, as when its machine is paused or moved: connections stay, and nobody answers. */
async function databaseStood(number) {
  const begun = performance.now();
  crowd.fault();
  pair.primary.signal('SIGSTOP');
  await pause(CUT_S * 1000);
  pair.primary.signal('SIGCONT');
  const lasted_s = ((performance.now() - begun) / 1000).toFixed(1);
  await crowd.goesOn();
  report(number, `the database stood still for ${lasted_s} s, and no move was stored`);
}

/** Nothing is acknowledged without a standby, until there is one again. */
async function lonely(number) {
  const begun = performance.now();
  crowd.fault();
  await pair.standby.kill();
  await pause(CUT_S * 1000);
  await pair.follow();
  const lasted_s = ((performance.now() - begun) / 1000).toFixed(1);
  await crowd.goesOn();
  report(number, `the primary database had no standby for ${lasted_s} s, and waited for one`);
}

async function failedOver(number) {
  crowd.fault();
  await pair.failOver(Math.random() * 1000);
  await crowd.goesOn();
  report(number, 'the primary database was killed, and its standby promoted up to a second later');
  await pair.follow();
}

const happens = {kill: killed, stop: stood, partition: cut, restart: restarted, upgrade: upgraded, leave: left, oneway: halfCut, readonly: readOnly, lock: locked, still: databaseStood, alone: lonely, failover: failedOver}[mode];
crowd.play(matches);
await crowd.begun();
console.log(`${count} nodes, ${matches} matches have begun`);
let result = {};
let happened = 0;
for (let number = 1; number <= faults && crowd.wrong.length === 0; number++) {
  await pause(between_s * 1000);
  for (const node of site.nodes) await node.until(true);
  seconds.begin();
  await happens(number);
  while (seconds.second < LASTS_S) await pause(100);
  const {newcomers, matches: playing, bad} = seconds.shares();
  console.log(`   newcomers served, %: ${newcomers.join(' ')}\n   matches that play on, %: ${playing.join(' ')}`);
  totals.bad.newcomers += bad.newcomers;
  totals.bad.matches += bad.matches;
  happened = number;
  if (number % 10 === 0 && number < faults) result = await check();
  if (result.lost + result.doubled + result.gaps > 0) break;
}
await pause(1000);
crowd.stop();
seconds.stop();
const ends = await site.stop();
result = await check();
await pair.stop();
const {lost, doubled, gaps} = result;
const {p50, p99, max} = summary(totals.times);
console.log(`${mode}: ${happened} of ${faults} faults, ${count} nodes, ${matches} matches, ${acknowledged.length} moves acknowledged: ${lost} lost, ${doubled} doubled, ${gaps} gaps, ` +
  `${totals.silent} times no witness was answered, ${totals.stale} stale answers, ${totals.untrue} untrue events, ${crowd.wrong.length} wrong; play went on after ${p50}, ${p99}, ${max} ms (p50, p99, max), ` +
  `in ${totals.standing} matches not within a minute; less than 90 % of newcomers served in ${totals.bad.newcomers} seconds, of matches playing in ${totals.bad.matches}; ${crowd.figures.cuts} times a client was cut off, ${crowd.figures.repeats} moves were sent again`);
const expected = new Set([0, 75]);
const strange = [...site.ends, ...ends].filter(({status, signal}) => !(expected.has(status) || (mode === 'kill' && signal === 'SIGKILL')));
for (const {node, status, signal, said} of strange) console.log(`${node} ended with ${status ?? signal}: ${said}`);
process.exit(lost + doubled + gaps + totals.silent + totals.stale + totals.untrue + totals.standing + crowd.wrong.length + strange.length + (faults - happened) === 0 ? 0 : 1);
