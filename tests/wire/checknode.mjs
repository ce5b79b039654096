// `taluvad check-node`: what a node would lack, before it is started and while it runs. Runs below tests/support/postgres.py.
import {execFile} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import {createServer} from 'node:net';
import {join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {assert, run, test} from './lib/tap.mjs';
import {certificates, relay} from './lib/nodes.mjs';
import {askDatabase, databaseFor, runToEnd, scratchFolder, Server, siteKeyFile} from './lib/server.mjs';

const folder = certificates(), others = certificates(); // of two CAs
const url = databaseFor('check node');
assert.equal(runToEnd(['--store', url, 'parts', '4']).status, 0);
const relays = {a: await relay(folder, 'a'), b: await relay(folder, 'b')};

/** The options of a node with some of them replaced: {'--relay-cert': file}. */
const linked = (name, other = {}) => relays[name].map((word, at) => other[relays[name][at - 1]] ?? word);
const file = (...names) => join(folder, ...names);

/** `{status, text}`, beside a server, which is asked meanwhile. */
const check = (name, options = linked(name), keys = siteKeyFile()) => new Promise((resolve) => {
  const words = ['--store', url, '--data', join(scratchFolder(), 'data'), '--node', name, ...options, '--site-key-file', keys, 'check-node'];
  execFile(process.env.TALUVAD, words, (error, stdout, stderr) => resolve({status: error ? error.code : 0, text: stdout + stderr}));
});
const owners = () => askDatabase(url, `SELECT string_agg(node, ' ' ORDER BY part) FROM taluva.server WHERE batch > 0`).trim();
const start = (name) => Server.start(['--store', url, '--node', name, ...linked(name)]);
const nodes = () => askDatabase(url, 'SELECT string_agg(name, \' \') FROM taluva.node').trim();

function finds({status, text}, expected, ...lines) {
  assert.equal(status, expected, text);
  for (const line of lines) assert.match(text, line);
}

test('the first node of a site: what is on its machine, and the database', async () => {
  finds(await check('a'), 0, /^ok +database +\S.*PostgreSQL \d.*schema \d+$/m, /^ok +parts +4$/m, /^ok +keys /m, /^ok +clock +a: -?\d+ ms /m,
    /^ok +certificate +it is for a, and ends in \d+ days$/m);
  assert.equal(nodes(), '', 'its name is not left behind');
  finds(await check('a', linked('a', {'--relay-cert': file('good', 'b.pem')})), 78, /^wrong +certificate .*a is not among its DNS names$/m);
  finds(await check('a', linked('a', {'--relay-key': file('good', 'b-key.pem')})), 78, /^wrong +certificate .*not that of the certificate$/m);
  finds(await check('a', linked('a', {'--relay-cert': file('good', 'late.pem'), '--relay-key': file('good', 'late-key.pem')})), 78,
    /^wrong +certificate +no node will accept it: certificate has expired$/m);
  finds(await check('a', []), 0, /^note +links +there is no --relay/m);
  const nameless = runToEnd(['--store', url, '--data', join(scratchFolder(), 'data'), 'check-node']);
  assert.equal(nameless.status, 64);
  assert.match(nameless.stderr, /needs --node/);
  finds(await check('b', linked('b', {'--relay-cert': file('good', 'rsa.pem'), '--relay-key': file('good', 'rsa-key.pem')})), 0,
    /^note +certificate +it ends in \d+ days$/m);
  const taken = createServer().listen(Number(/:(\d+)$/.exec(relays.a[1])[1]), '127.0.0.1');
  await new Promise((resolve) => taken.once('listening', resolve));
  finds(await check('a'), 69, /^wrong +link +cannot listen on 127\.0\.0\.1:\d+: Address already in use$/m);
  await new Promise((resolve) => taken.close(resolve));
}, 120000);

test('a second one: both reach each other, and nothing moves because of it', async () => {
  const first = await start('a');
  while (owners() !== 'a a a a') await pause(20);
  const terms = askDatabase(url, 'SELECT sum(term) FROM taluva.server');
  finds(await check('b'), 0, /^ok +link +a is reached at 127\.0\.0\.1:\d+$/m, /^ok +link +a reaches this node at 127\.0\.0\.1:\d+$/m, /^ok +clock +a: /m);
  finds(await check('b', linked('b', {'--relay-cert': join(others, 'good', 'b.pem'), '--relay-key': join(others, 'good', 'b-key.pem')})), 78,
    /^wrong +certificate +no node will accept it: /m, /^wrong +link +a is not reached at .*: it does not accept the certificate of this node: .*alert/m,
    /^wrong +link +a does not reach this node at /m);
  finds(await check('b', linked('b', {'--relay-ca': join(others, 'good', 'ca.pem')})), 78, /^wrong +link +a is not reached at .*: its certificate is not accepted: /m);
  const other = join(scratchFolder(), 'site-key');
  writeFileSync(other, `${'11'.repeat(32)}\n`, {mode: 0o600});
  finds(await check('b', linked('b'), other), 78, /^wrong +keys /m, /does not open the keys/);
  assert.equal(nodes(), 'a', 'its name is not left behind');
  assert.equal(askDatabase(url, 'SELECT sum(term) FROM taluva.server'), terms);
  // While it runs.
  finds(await check('a'), 0, /^ok +name +a runs$/m);
  const second = await start('b');
  let found;
  do found = await check('a'); while (!/^ok +link +a and b say that there is one$/m.test(found.text));
  assert.equal(found.status, 0, found.text);
  await second.stop('SIGKILL');
  finds(await check('c', []), 0, /^note +node +b is silent$/m);
  await first.stop();
}, 120000);

test('a database that is away, or holds no site', async () => {
  const at = (store) => runToEnd(['--store', store, '--data', join(scratchFolder(), 'data'), '--node', 'a', 'check-node']);
  const away = at('postgres://127.0.0.1:1/none');
  assert.equal(away.status, 69, away.stderr);
  assert.equal(at(databaseFor('check nothing')).status, 66);
  const folder = at(scratchFolder());
  assert.equal(folder.status, 64);
  assert.match(folder.stderr, /needs a PostgreSQL database/);
});

await run();
