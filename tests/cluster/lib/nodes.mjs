// The nodes of a site on one database: real servers, each with a certificate of the site's CA, started again when they end as a service
// manager does, and looked at as a proxy does in front of them (deploy/cluster/haproxy.cfg), which sends clients only to those that are ready.
import {execFileSync} from 'node:child_process';
import http from 'node:http';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {Partition} from '../../wire/lib/partition.mjs';
import {freePort} from '../../wire/lib/ports.mjs';
import {runToEnd, scratchFolder, Server, siteKeyFile} from '../../wire/lib/server.mjs';

const LIFTED = '100000';
const flags = ['--requests-per-s', '--requests-burst', '--requests-per-address-per-s', '--requests-per-address-burst', '--work-per-s', '--work-burst',
  '--sessions-per-address-burst', '--sessions-per-address-per-min', '--sessions-per-address', '--rooms-per-session', '--rooms-per-address-per-min',
  '--rooms-per-address', '--connections-per-address', '--connects-per-address-per-s', '--connects-per-address-burst'];
const options = [...flags.flatMap((flag) => [flag, LIFTED]), '--web', 'none', '--admin', 'none'];
const certificates = fileURLToPath(new URL('../../../deploy/cluster/certificates', import.meta.url));
const before = {prefix: ['sh', '-c', 'shift; exec "$TALUVAD_BEFORE" "$@"', 'sh']};
const [LOOK_MS, FALL, RISE, RESTART_MS] = [500, 4, 2, 1000];

function get(port, path) {
  return new Promise((resolve) => {
    const request = http.get({port, path, host: '127.0.0.1', timeout: 1000, agent: false}, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode));
      answer.on('error', () => resolve(0));
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(0));
  });
}

class Node {
  constructor(site, name) {
    Object.assign(this, {site, name, up: false, bad: 0, good: 0, wanted: false});
  }

  get url() {
    return `ws://127.0.0.1:${this.server.port}`;
  }

  get relaying() {
    const {folder} = this.site;
    const [cert, key, ca] = [`${this.name}.pem`, `${this.name}-key.pem`, 'ca.pem'].map((file) => join(folder, file));
    return ['--node', this.name, '--relay', this.relay, '--relay-cert', cert, '--relay-key', key, '--relay-ca', ca];
  }

  async start() {
    this.wanted = true;
    const {folder, words} = this.site;
    this.server = await Server.start([...options, '--store-file', join(folder, `${this.name}.store`),
      ...(this.site.alone ? ['--site-key-file', siteKeyFile()] : this.relaying), ...words], {data: join(folder, this.name), ...(this.isBefore ? before : {})});
    this.stopped = false;
    const {server} = this;
    server.ended.then((end) => this.ended(server, end));
  }

  ended(server, {status, signal}) {
    this.up = false;
    this.site.ends.push({node: this.name, status, signal, said: server.stderr.slice(-2000)});
    if (this.wanted) this.restarting = this.again();
  }

  async again() {
    while (this.wanted) {
      await pause(RESTART_MS);
      try {
        return await this.start();
      } catch (error) {
        if (!String(error).includes('taluvad ended')) throw error;
        this.site.ends.push({node: this.name, said: String(error)});
      }
    }
    return undefined;
  }

  signal(name) {
    this.server.signal(name);
    if (name === 'SIGSTOP') this.stopped = true;
    if (name === 'SIGCONT') this.stopped = false;
  }

  /** As the proxy's check. */
  async look() {
    const ready = (await get(this.server.port, '/readyz')) === 200;
    this.good = ready ? this.good + 1 : 0;
    this.bad = ready ? 0 : this.bad + 1;
    if (this.good >= RISE) this.up = true;
    if (this.bad >= FALL && this.up) {
      this.up = false;
      this.site.down?.(this);
    }
  }

  async until(up) {
    while (this.up !== up) await pause(50);
  }

  async stop() {
    this.wanted = false;
    if (this.stopped) this.signal('SIGCONT');
    const {process, ended} = this.server;
    if (process.exitCode !== null || process.signalCode !== null) return undefined;
    return Promise.race([this.server.stop(), pause(30000).then(() => process.kill('SIGKILL') && ended)]);
  }
}

export class Nodes {
  /**
   * `cluster` is the database's; each node reaches it by a line of its own, and its relay is reached by another one, which can be held. With a
   * count of 0 there is one server that is no node. `isBefore`: all begin as the program that TALUVAD_BEFORE names.
   */
  static async start(count, {url, cluster, parts, lines = true, words = [], isBefore = false}) {
    const site = new Nodes();
    Object.assign(site, {words, alone: count === 0, ends: [], folder: scratchFolder()});
    site.nodes = Array.from({length: count || 1}, (_, at) => new Node(site, `node${at + 1}`));
    execFileSync(certificates, [site.folder, ...site.nodes.map(({name}) => name)]);
    const file = join(site.folder, 'store');
    writeFileSync(file, `${url}\n`, {mode: 0o600});
    for (const node of site.nodes) node.isBefore = isBefore;
    const divided = runToEnd(['--store-file', file, 'parts', String(parts || 1)], {}, isBefore ? process.env.TALUVAD_BEFORE : undefined);
    if (divided.status !== 0) throw new Error(divided.stderr);
    const ports = [];
    for (const _ of site.nodes) ports.push(await freePort());
    for (const [at, node] of site.nodes.entries()) {
      node.relay = `127.0.0.1:${ports[at]}`;
      writeFileSync(join(site.folder, `${node.name}.store`), `${url}\n`, {mode: 0o600});
    }
    if (lines) await site.draw(url, cluster);
    for (const node of site.nodes) await node.start();
    site.looking = setInterval(() => site.nodes.forEach((node) => node.look()), LOOK_MS);
    for (const node of site.nodes) await node.until(true);
    return site;
  }

  /** The lines to the database and to the relays. A node says where its relay is, so what the others read of that is changed. */
  async draw(url, cluster) {
    await cluster.ask(`CREATE SCHEMA line; CREATE TABLE line.line (relay text PRIMARY KEY, through text);
      CREATE FUNCTION line.through() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN NEW.relay := coalesce((SELECT through FROM line.line WHERE relay = NEW.relay), NEW.relay); RETURN NEW; END $$;
      CREATE TRIGGER through BEFORE INSERT OR UPDATE ON taluva.node FOR EACH ROW EXECUTE FUNCTION line.through();
      CREATE TRIGGER through BEFORE INSERT OR UPDATE ON taluva.server FOR EACH ROW EXECUTE FUNCTION line.through()`);
    for (const node of this.nodes) {
      node.database = await Partition.to(url);
      writeFileSync(join(this.folder, `${node.name}.store`), `${node.database.url}\n`, {mode: 0o600});
      node.line = await Partition.to(`tcp://${node.relay}`);
      await cluster.ask(`INSERT INTO line.line VALUES ('${node.relay}', '${new URL(node.line.url).host}')`);
    }
  }

  /** The URL of one that is up, at random. */
  where() {
    const up = this.nodes.filter((node) => node.up);
    return up.length > 0 ? up[Math.floor(Math.random() * up.length)].url : undefined;
  }

  any() {
    return this.nodes[Math.floor(Math.random() * this.nodes.length)];
  }

  async stop() {
    clearInterval(this.looking);
    const ends = await Promise.all(this.nodes.map((node) => node.stop()));
    return ends.filter(Boolean);
  }
}
