// Honest clients beside an attack on a server, and what can be measured of the server from outside.
import assert from 'node:assert/strict';
import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {setTimeout as sleep} from 'node:timers/promises';
import {Worker} from 'node:worker_threads';

/** `wanted` becomes true in the time given; a condition instead of a sleep. */
export async function until(wanted, what, timeout_ms = 60000) {
  const deadline = Date.now() + timeout_ms;
  while (!(await wanted())) {
    assert.ok(Date.now() < deadline, `not in ${timeout_ms} ms: ${what}`);
    await sleep(50);
  }
}

function figuresOf(list) {
  const sorted = [...list].sort((a, b) => a - b);
  const at = (share) => (sorted.length ? sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] : NaN);
  return {count: sorted.length, p50: at(0.5), p99: at(0.99), max: at(1)};
}

export class Crowd {
  /** `matches` matches are under way when it resolves. A move asks for as much as the limits let people ask for. */
  static async start(port, {matches = 4, pause_ms = 160, secure} = {}) {
    const crowd = new Crowd();
    const workerData = {port, matches, pause_ms, secure};
    crowd.worker = new Worker(new URL('honest.mjs', import.meta.url), {workerData});
    crowd.ready = 0;
    crowd.worker.on('message', (message) => {
      if (message.ready) crowd.ready++;
      if (message.error) crowd.error = message.error;
      if (message.stopped) crowd.stopped = true;
      if (message.told) crowd.told?.(message.told);
    });
    crowd.worker.on('error', (error) => (crowd.error = String(error.stack)));
    await until(() => crowd.fine() && crowd.ready >= matches, 'honest matches begin');
    return crowd;
  }

  fine() {
    assert.equal(this.error, undefined, `an honest player was disturbed: ${this.error}`);
    return true;
  }

  phase(name) {
    this.fine();
    this.name = name;
    this.worker.postMessage({phase: name});
  }

  /** How long moves and visits of the phase took, in ms: {moves: {count, p50, p99, max}, visits}. */
  async waits(name = this.name) {
    const told = await new Promise((resolve) => {
      this.told = resolve;
      this.worker.postMessage({tell: name});
    });
    return {moves: figuresOf(told.moves), visits: figuresOf(told.visits)};
  }

  /** A phase of its own, until so many moves and visits of it are done. */
  async calm(name, {moves, visits}) {
    this.phase(name);
    await until(async () => {
      this.fine();
      const waits = await this.waits(name);
      return waits.moves.count >= moves && waits.visits.count >= visits;
    }, `honest players play on in phase ${name}`);
    return await this.waits(name);
  }

  /** They finish what they do, and look whether all is as they think. */
  async stop() {
    this.worker.postMessage({stop: true});
    await until(() => this.fine() && this.stopped, 'honest players end in order');
  }
}

/** Memory in KiB, open files and processor time of a process. */
export class Watch {
  constructor(pid) {
    this.pid = pid;
  }

  status(key) {
    const found = new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${this.pid}/status`, 'latin1'));
    return Number(found?.[1]);
  }

  get rss() {
    return this.status('VmRSS');
  }

  get peak() {
    return this.status('VmHWM');
  }

  resetPeak() {
    writeFileSync(`/proc/${this.pid}/clear_refs`, '5');
  }

  get files() {
    return readdirSync(`/proc/${this.pid}/fd`).length;
  }

  /** Seconds. */
  get processor() {
    const words = readFileSync(`/proc/${this.pid}/stat`, 'latin1').split(') ')[1].split(' ');
    return (Number(words[11]) + Number(words[12])) / 100;
  }
}

export {sleep};
