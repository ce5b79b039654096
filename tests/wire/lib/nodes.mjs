// What several nodes of a site need to be linked, on the loopback.
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {dirname, join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {freePort} from './ports.mjs';
import {askDatabase, scratchFolder} from './server.mjs';

/** A folder with certificates for nodes, made as deploy/README.md says. */
export function certificates() {
  const folder = scratchFolder();
  const top = join(dirname(process.argv[1]), '..', '..');
  const make = ['-B', join(top, 'tests/unit/net/relay_certificates.py'), join(top, 'deploy/README.md'), 'sh', '-c', `cp -r "$0"/good ${folder}`];
  assert.equal(spawnSync('python3', make).status, 0);
  return folder;
}

/** The options of a node for links with others. */
export async function relay(folder, name) {
  const port = await freePort();
  const file = (end) => join(folder, 'good', end);
  return ['--relay', `127.0.0.1:${port}`, '--relay-cert', file(`${name}.pem`), '--relay-key', file(`${name}-key.pem`), '--relay-ca', file('ca.pem')];
}

/** Until each of these servers reaches every part of the site, and says that it serves clients. */
export async function allReady(servers) {
  for (const server of servers) {
    while ((await server.metrics())['taluva_site_parts{where="nobody"}'] !== 0) await pause(20);
    while ((await server.get('/readyz')).status !== 200) await pause(20);
  }
}

/** How many parts have been served since they were opened. */
export const served = (url) => Number(askDatabase(url, 'SELECT count(*) FROM taluva.server WHERE batch > 0'));
