// Starts the real taluvad on a free loopback port with a store of its own, and ends it.
import assert from 'node:assert/strict';
import {spawn, spawnSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';

const binary = process.env.TALUVAD;
if (!binary) throw new Error('TALUVAD says which program to test');

// A machine that is busy with something else is no fault of a client, nor of the server; a test of these times sets its own.
const patient = [...['hello-timeout', 'http-timeout', 'admin-timeout', 'drain-timeout', 'hint-wait'].flatMap((name) => [`--${name}-ms`, '600000']), '--ping-timeout-ms', '7200000'];

/** Below tests/cluster/beneath.py, where the program is one that becomes the server; and whether that is a node, and another one has the rooms. */
const isBeneath = process.env.TALUVA_BENEATH !== undefined;
export const isNode = process.env.TALUVA_BENEATH === 'nodes';

const running = new Set();
process.setMaxListeners(0);
process.on('exit', () => {
  for (const server of running) server.process.kill('SIGKILL');
});

/** A folder that is removed at the end of the process. */
export function scratchFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'taluva-wire-'));
  process.on('exit', () => rmSync(folder, {recursive: true, force: true}));
  return folder;
}

let siteKey;
/** What seals the keys of the sites of this process, unless its tests say otherwise: so their nodes have the same. */
export function siteKeyFile() {
  if (!siteKey) {
    siteKey = join(scratchFolder(), 'site-key');
    writeFileSync(siteKey, `${'5e'.repeat(32)}\n`, {mode: 0o600});
  }
  return siteKey;
}

/** What a server is started with: it has no folder but the one that it is told, on a machine of a developer as elsewhere. */
function surroundings(env) {
  const {HOME, XDG_STATE_HOME, STATE_DIRECTORY, ...rest} = process.env;
  return {...rest, ...env};
}

/** Runs taluvad to its end: {status, stdout, stderr}. */
export function runToEnd(args, env = {}, program = binary) {
  return spawnSync(program, args, {encoding: 'utf8', env: surroundings(env), timeout: 600000});
}

/**
 * The environment of a server with a library before libc. The library is copied: a space in its name would end it for the
 * loader, and a checkout may lie anywhere.
 */
function preloaded(library, settings = {}) {
  const copy = join(scratchFolder(), 'preloaded.so');
  copyFileSync(library, copy);
  return {LD_PRELOAD: copy, ...settings};
}

/** ... with a slow disk, see tests/support/slow_disk.c. */
export const slowDisk = (settings) => preloaded(process.env.SLOW_DISK, settings);

/** ... whose system calls are counted, see tests/bench/count. */
export const counting = () => preloaded(process.env.COUNT);

/** What the database of a server with this folder is called, by tests/cluster/beneath/taluvad as well. */
const nameOf = (data) => `t${createHash('sha256').update(data).digest('hex').slice(0, 16)}`;

/** Below tests/support/postgres.py: the URL of a database of its own for the folder of a server. */
export function databaseFor(data) {
  const url = new URL(process.env.TALUVA_TEST_POSTGRES);
  const name = nameOf(data);
  const psql = join(process.env.TALUVA_TEST_POSTGRES_BIN, 'psql');
  const {stdout} = spawnSync(psql, [url.href, '-Atc', `SELECT 1 FROM pg_database WHERE datname = '${name}'`], {encoding: 'utf8'});
  if (!stdout.includes('1')) spawnSync(psql, [url.href, '-qc', `CREATE DATABASE ${name}`]);
  url.pathname = `/${name}`;
  return url.href;
}

/** The same where servers have one, below tests/cluster/beneath.py. */
export const databaseOf = (data) => (process.env.TALUVA_BENEATH ? databaseFor(data) : undefined);

/** What psql prints for it, unaligned. */
export function askDatabase(url, sql) {
  const psql = join(process.env.TALUVA_TEST_POSTGRES_BIN, 'psql');
  const {status, stdout, stderr} = spawnSync(psql, [url, '-Atc', sql], {encoding: 'utf8', maxBuffer: 1 << 30});
  assert.equal(status, 0, stderr);
  return stdout;
}

function numbersOf(page) {
  const found = [...page.matchAll(/^([a-z_]+(?:\{[^}]*\})?) (\S+)$/gm)];
  return Object.fromEntries(found.map(([, name, number]) => [name, Number(number)]));
}

export class Server {
  /** Resolves when the server listens; rejects if it ends before. */
  static async start(args = [], {data = join(scratchFolder(), 'data'), prefix = [], env = {}, input = 'ignore'} = {}) {
    const server = new Server();
    server.data = data;
    server.stderr = '';
    server.stdout = '';
    const hasKeys = args.includes('--site-key-file') || existsSync(join(data, 'signing-keys'));
    const shared = args.includes('--node') && !hasKeys ? ['--site-key-file', siteKeyFile()] : [];
    // The first one of a site with sealed keys says that it begins.
    const begins = shared.length > 0 || args.includes('--site-key-file') ? {TALUVA_NEW_STORE: '1'} : {};
    const words = [...(isBeneath ? [] : prefix), binary, '--listen', '127.0.0.1:0', '--data', data, ...patient, ...shared, ...args];
    server.process = spawn(words[0], words.slice(1), {
      stdio: [input, 'pipe', 'pipe'],
      env: surroundings({...(isBeneath ? {TALUVA_BENEATH_PREFIX: JSON.stringify(prefix)} : {}), ...begins, ...env}),
    });
    running.add(server);
    server.ended = new Promise((resolve) => {
      server.process.on('close', (status, signal) => {
        running.delete(server);
        resolve({status, signal});
      });
    });
    server.process.stderr.on('data', (bytes) => (server.stderr += bytes));
    await new Promise((resolve, reject) => {
      server.process.stdout.on('data', (bytes) => {
        server.stdout += bytes;
        const found = /listening on https?:\/\/127\.0\.0\.1:(\d+)\n/.exec(server.stdout);
        if (found) resolve((server.port = Number(found[1])));
      });
      server.ended.then(() => reject(new Error(`taluvad ended: ${server.stderr}`)));
    });
    if (isNode) await server.linked();
    return server;
  }

  /** A node sends clients away until it has found the one that has the rooms; asked from an address that is nobody else's. */
  async linked() {
    await Promise.race([this.logged(/event=relay_up node=owner/), pause(2000)]); // it may be told to log less
    const {get} = this.stdout.includes('https:') ? https : http;
    const options = {port: this.port, host: '127.0.0.1', localAddress: '127.0.0.66', path: '/readyz', rejectUnauthorized: false, agent: false};
    const status = () => new Promise((resolve) => {
      const request = get(options, (answer) => resolve(answer.resume().statusCode));
      request.on('error', () => resolve(0));
    });
    while ((await status()) !== 200) {
      if (!running.has(this)) throw new Error(`taluvad ended: ${this.stderr}`);
      await pause(50);
    }
  }

  get pid() {
    return this.process.pid;
  }

  /** Waits until the log says this: it comes by a pipe of its own, and may be later than what it is about. */
  async logged(pattern) {
    let over = false;
    this.ended.then(() => (over = true));
    while (!over && !pattern.test(this.stderr)) await pause(20);
    assert.match(this.stderr, pattern);
  }

  signal(name) {
    this.process.kill(name);
  }

  /** Stops its loop until SIGCONT; what is sent to it after that waits. A signal alone takes effect a little later. */
  async pause() {
    this.signal('SIGSTOP');
    while (!/\) T /.test(readFileSync(`/proc/${this.pid}/stat`, 'latin1'))) await pause(1);
  }

  /** What a server that is `counting` has asked of the system so far. */
  async counted() {
    const lines = () => [...this.stderr.matchAll(/^\{"allocations".*\}\n/gm)];
    const before = lines().length;
    this.signal('SIGUSR2');
    while (lines().length === before) await pause(5);
    return JSON.parse(lines().at(-1)[0]);
  }

  /** In good order; resolves with {status, signal}. */
  async stop(name = 'SIGTERM') {
    this.signal(name);
    return await this.ended;
  }

  /** Status, headers and body of one request, on a connection of its own. */
  async get(path, options = {}) {
    const response = await fetch(`http://127.0.0.1:${this.port}${path}`, {
      ...options,
      headers: {connection: 'close', ...options.headers},
    });
    return {status: response.status, headers: response.headers, body: await response.text()};
  }

  /** The numbers of /metrics by name, labels included. What a node without rooms does not count is what the owner of the rooms does. */
  async metrics() {
    const {body} = await this.get('/metrics');
    return isNode ? {...numbersOf(await this.owner('/metrics')), ...numbersOf(body)} : numbersOf(body);
  }

  /** The body of what the owner of the rooms answers. */
  async owner(path) {
    const port = readFileSync(join(process.env.TALUVA_BENEATH_FOLDER, 'owners', nameOf(this.data)), 'utf8').split('\n')[0];
    return await (await fetch(`http://127.0.0.1:${port}${path}`, {headers: {connection: 'close'}})).text();
  }
}
