// Two PostgreSQL clusters on the loopback: a primary and a standby that follows it, which can be killed and promoted. In a folder of
// their own, removed at the end; nothing is synced to the disk, as only processes are killed here. PostgreSQL refuses to run as root:
// then they run as the user `postgres`, or `nobody`.
import {execFile, spawn, spawnSync} from 'node:child_process';
import {accessSync, appendFileSync, chownSync, constants, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {promisify} from 'node:util';
import {freePort} from '../../wire/lib/ports.mjs';

const run = promisify(execFile);
const PASSWORD = 'a secret of the tests';

function programs() {
  const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql').filter(Number) : [];
  versions.sort((one, other) => Number(other) - Number(one));
  return versions.length > 0 ? `/usr/lib/postgresql/${versions[0]}/bin/` : '';
}

/** Somebody to run them as, if we are root. */
function unprivileged() {
  if (process.getuid() !== 0) return {};
  for (const name of ['postgres', 'nobody']) {
    const {status, stdout} = spawnSync('getent', ['passwd', name], {encoding: 'utf8'});
    const [, , uid, gid] = stdout.split(':').map(Number);
    if (status === 0) return {uid, gid};
  }
  throw new Error('as root there has to be a user postgres or nobody');
}

const bin = programs();
const user = unprivileged();

class Cluster {
  constructor(folder, port) {
    Object.assign(this, {folder, port});
  }

  tool(name, ...words) {
    return run(`${bin}${name}`, words, {...user, env: {PATH: process.env.PATH, LC_ALL: 'C', PGPASSWORD: PASSWORD, PGCONNECT_TIMEOUT: '5'}, cwd: '/', maxBuffer: 1 << 30});
  }

  /** What psql prints for it, unaligned. */
  async ask(sql) {
    const {stdout} = await this.tool('psql', '-h', '127.0.0.1', '-p', String(this.port), '-U', 'taluva', '-d', 'postgres', '-Atc', sql);
    return stdout.trim();
  }

  async until(sql, wanted) {
    const end = Date.now() + 60000;
    while ((await this.ask(sql)) !== wanted) {
      if (Date.now() > end) throw new Error(`not ${wanted}: ${sql}`);
      await pause(30);
    }
  }

  /** With `settings` on top of those that are in its folder. */
  async start(settings = {}) {
    const all = {listen_addresses: '127.0.0.1', port: this.port, unix_socket_directories: '', shared_buffers: '16MB', fsync: 'off',
      full_page_writes: 'off', autovacuum: 'off', wal_keep_size: '256MB', dynamic_shared_memory_type: 'mmap', wal_receiver_status_interval: '1s',
      wal_retrieve_retry_interval: '200ms', log_min_messages: 'fatal', ...settings};
    const words = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const log = openSync(`${this.folder}.log`, 'a');
    this.process = spawn(`${bin}postgres`, ['-D', this.folder, ...words], {...user, stdio: ['ignore', log, log], cwd: '/', env: {PATH: process.env.PATH, LC_ALL: 'C'}});
    this.ended = new Promise((resolve) => this.process.on('close', resolve));
    const ready = () => this.tool('pg_isready', '-q', '-h', '127.0.0.1', '-p', String(this.port)).then(() => true, () => false);
    const end = Date.now() + 60000;
    while (!(await ready())) {
      if (this.process.exitCode !== null || Date.now() > end) throw new Error(readFileSync(`${this.folder}.log`, 'utf8'));
      await pause(30);
    }
  }

  /** To all of its processes. */
  signal(name) {
    const {pid} = this.process;
    this.process.kill('SIGSTOP'); // so that it starts no more
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
    for (const child of children) {
      try {
        process.kill(child, name);
      } catch (error) {
        if (error.code !== 'ESRCH') throw error;
      }
    }
    this.process.kill(name);
  }

  /** As when its machine loses power: all of its processes at once. */
  async kill() {
    if (!this.process || this.process.exitCode !== null || this.process.signalCode !== null) return;
    this.signal('SIGKILL');
    await this.ended;
  }

  async set(name, value) {
    await this.ask(`ALTER SYSTEM SET ${name} = '${value}'`);
    await this.ask('SELECT pg_reload_conf()');
    await this.until(`SELECT current_setting('${name}')`, value);
  }

  promote() {
    return this.tool('pg_ctl', 'promote', '-D', this.folder, '-w');
  }
}

export class Pair {
  /** A primary, and a standby that follows it unless it is `alone`; `line` gives the port at which it finds the primary's, given that. */
  static async start({synchronous = true, line = (port) => port, alone = false} = {}) {
    const pair = new Pair();
    let shared = process.env.TALUVA_TEST_MEMORY ?? '/dev/shm'; // tests/support/contained.py
    try {
      accessSync(shared, constants.W_OK);
    } catch {
      shared = tmpdir();
    }
    pair.folder = mkdtempSync(join(shared, 'taluva-pair-'));
    process.on('exit', () => pair.remove());
    const secret = join(pair.folder, 'secret');
    writeFileSync(secret, `${PASSWORD}\n`, {mode: 0o600});
    if (user.uid) for (const path of [pair.folder, secret]) chownSync(path, user.uid, user.gid);
    pair.synchronous = synchronous;
    pair.line = line;
    pair.primary = new Cluster(join(pair.folder, 'one'), await freePort());
    pair.standby = new Cluster(join(pair.folder, 'two'), await freePort());
    pair.hosts = (alone ? [pair.primary] : [pair.primary, pair.standby]).map(({port}) => `127.0.0.1:${port}`).join(',');
    await pair.primary.tool('initdb', '-D', pair.primary.folder, '-U', 'taluva', '--auth=scram-sha-256', `--pwfile=${secret}`, '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync');
    await pair.primary.start();
    if (!alone) await pair.follow();
    return pair;
  }

  /** Both hosts: libpq finds the one that can be written. */
  get url() {
    return `postgresql://taluva:${encodeURIComponent(PASSWORD)}@${this.hosts}/postgres`;
  }

  /** Makes the standby anew, as a copy of the primary, and waits until it follows. */
  async follow() {
    const {primary, standby} = this;
    rmSync(standby.folder, {recursive: true, force: true});
    await primary.tool('pg_basebackup', '-D', standby.folder, '-h', '127.0.0.1', '-p', String(primary.port), '-U', 'taluva', '-c', 'fast', '-R', '--no-sync');
    // Once it is promoted, it has no standby of its own yet.
    appendFileSync(join(standby.folder, 'postgresql.auto.conf'), "synchronous_standby_names = ''\n");
    const source = `host=127.0.0.1 port=${await this.line(primary.port)} user=taluva password='${PASSWORD}'`;
    await standby.start({primary_conninfo: source});
    if (this.synchronous) await primary.set('synchronous_standby_names', '*');
    await primary.until('SELECT string_agg(sync_state, \',\') FROM pg_stat_replication', this.synchronous ? 'sync' : 'async');
  }

  /** The primary is lost, and `between_ms` later the standby is one. */
  async failOver(between_ms = 0) {
    await this.primary.kill();
    await pause(between_ms);
    await this.standby.promote();
    [this.primary, this.standby] = [this.standby, this.primary];
  }

  async stop() {
    for (const cluster of [this.primary, this.standby]) await cluster.kill();
    this.remove();
  }

  remove() {
    for (const cluster of [this.primary, this.standby]) cluster?.process?.kill('SIGKILL');
    rmSync(this.folder, {recursive: true, force: true});
  }
}
