// A thread of honest people, each match at an address of its own: they play, one of them comes anew now and then, and
// how long each had to wait is noted by phase. Nothing may go wrong for them: the first thing that does ends the thread.
//
//     from the parent: {phase: NAME} {tell: NAME} {stop: true}      to it: {ready} {told} {error}
import assert from 'node:assert/strict';
import {setTimeout as sleep} from 'node:timers/promises';
import {parentPort, workerData} from 'node:worker_threads';
import {Match} from './match.mjs';
import {player} from './socket.mjs';

const {port, matches, pause_ms, secure} = workerData;
const waits = {}; // phase -> {moves: [ms], visits: [ms]}
let phase = 'before';
let stopping = false;

function note(kind, at, begun) {
  const lists = (waits[at] ??= {moves: [], visits: []});
  lists[kind].push(performance.now() - begun);
}

async function move(match) {
  const actor = match.playerOf(match.actingSeat);
  const {moves, eliminating = []} = await actor.must('moves', {room: match.room});
  const harmless = moves.filter((one) => !eliminating.includes(one));
  const from = harmless.length > 0 ? harmless : moves;
  const chosen = from[Math.floor(Math.random() * from.length)];
  const [at, begun] = [phase, performance.now()];
  const {seq} = await actor.must('move', {room: match.room, move: chosen, confirm: true});
  note('moves', at, begun);
  await match.hear(seq);
}

async function play(localAddress) {
  const how = {localAddress, secure};
  let match = await Match.start(port, {}, how);
  parentPort.postMessage({ready: true});
  while (!stopping) {
    await move(match);
    if (match.over) {
      await match.verify();
      match.end();
      match = await Match.start(port, {}, how);
    }
    await sleep(pause_ms);
  }
  await match.verify();
  match.end();
}

/** Somebody who comes as from nowhere, as everybody does once. */
async function visit(localAddress) {
  let token;
  while (!stopping) {
    const [at, begun] = [phase, performance.now()];
    const guest = await player(port, 'Chi', {localAddress, secure, token});
    note('visits', at, begun);
    token = guest.token;
    guest.destroy();
    await sleep(4 * pause_ms);
  }
}

parentPort.on('message', (message) => {
  if (message.phase) phase = message.phase;
  if (message.tell) parentPort.postMessage({told: waits[message.tell] ?? {moves: [], visits: []}});
  if (message.stop) stopping = true;
});

try {
  const busy = [visit('127.0.0.2')];
  for (let at = 0; at < matches; at++) busy.push(play(`127.0.0.${3 + at}`));
  await Promise.all(busy);
  assert.ok(stopping);
  parentPort.postMessage({stopped: true});
} catch (error) {
  parentPort.postMessage({error: `in phase ${phase}: ${error?.stack ?? error}`});
}
parentPort.close();
