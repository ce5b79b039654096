// The real server, on a free port of this machine, with its data in a temporary folder; and CLI bots that play on it.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const TOP = fileURLToPath(new URL('../../..', import.meta.url));
const BUILD = process.env.TALUVA_BUILD ?? path.join(TOP, 'build');
export const TALUVAD = process.env.TALUVAD ?? path.join(BUILD, 'server', 'taluvad');
export const TALUVA = process.env.TALUVA ?? path.join(BUILD, 'clients', 'cli', 'taluva');

const UP_MS = 60_000;
// High limits: a slow answer of a busy machine is not an error.
const PATIENT = [...['hello-timeout', 'http-timeout', 'drain-timeout', 'hint-wait'].map((name) => `--${name}-ms=600000`), '--ping-timeout-ms=7200000'];

export class Server {
  /** @param {string[]} [flags] @param {{[name: string]: string}} [env] besides what the test has */
  constructor(flags = [], env = {}) {
    this.flags = flags;
    this.env = env;
    this.folder = mkdtempSync(path.join(tmpdir(), 'taluva-browser-'));
    this.port = 0;
    this.output = '';
    /** @type {import('node:child_process').ChildProcess[]} */
    this.bots = [];
  }

  get url() {
    return `http://127.0.0.1:${this.port}/`;
  }

  /** Starts, or starts again on the same port with the same data. */
  async start() {
    const args = [
      '--listen',
      `127.0.0.1:${this.port}`,
      '--data',
      this.folder,
      '--web',
      path.join(TOP, 'clients', 'web'),
      ...PATIENT,
      ...this.flags,
    ];
    this.child = spawn(TALUVAD, args, { env: { ...process.env, ...this.env }, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream.on('data', (data) => {
        this.output += data;
      });
    const end = Date.now() + UP_MS;
    while (Date.now() < end) {
      const found = [...this.output.matchAll(/http:\/\/127\.0\.0\.1:(\d+)/g)].at(-1);
      if (found) this.port = Number(found[1]);
      if (
        this.port &&
        (await fetch(`${this.url}readyz`).then(
          (r) => r.ok,
          () => false,
        ))
      )
        return this;
      if (this.child.exitCode !== null) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`the server does not come up:\n${this.output}`);
  }

  /** The page of figures; below tests/cluster/beneath.py together with that of the node that has the rooms. */
  async metrics() {
    const pages = [`${this.url}metrics`];
    if (process.env.TALUVA_BENEATH === 'nodes') {
      const name = `t${createHash('sha256').update(this.folder).digest('hex').slice(0, 16)}`;
      const [port] = readFileSync(path.join(process.env.TALUVA_BENEATH_FOLDER, 'owners', name), 'utf8').split('\n');
      pages.push(`http://127.0.0.1:${port}/metrics`);
    }
    const texts = await Promise.all(pages.map(async (page) => (await fetch(page)).text()));
    return texts.join('');
  }

  /** Kills it with SIGKILL. */
  async kill() {
    this.child.kill('SIGKILL');
    await once(this.child, 'exit');
  }

  /** Starts a CLI bot, with a session of its own. @param {string} room @param {string[]} [more] */
  bot(room, ...more) {
    const name = `bot${this.bots.length + 1}`;
    const home = path.join(this.folder, name);
    const env = { ...process.env, XDG_STATE_HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home, HOME: home };
    const child = spawn(
      TALUVA,
      ['bot', room, '--server', `ws://127.0.0.1:${this.port}/ws`, '--name', name, '--profile', name, ...more],
      { env, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    child.said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data) => {
        child.said += data;
      });
    this.bots.push(child);
    return child;
  }

  async close() {
    for (const bot of this.bots) if (bot.exitCode === null) bot.kill();
    if (this.child && this.child.exitCode === null && this.child.signalCode === null) {
      this.child.kill('SIGTERM');
      await once(this.child, 'exit');
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}
