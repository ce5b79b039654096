// The service's unit allows every system call and every family of sockets that the server uses in a run with all its functions.
import {execFileSync, spawnSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {Match} from './lib/match.mjs';
import {service, tellAll, turnOfTheAbsent} from './lib/push.mjs';
import {databaseOf, runToEnd, scratchFolder, Server} from './lib/server.mjs';
import {player} from './lib/socket.mjs';
import {assert, run, test} from './lib/tap.mjs';

const top = fileURLToPath(new URL('../../', import.meta.url));
const there = (command) => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0;
// SQLite gives its files to their folder's owner, if it runs as root; the service never does.
const ONLY_AS_ROOT = new Set(['fchown']);

// The resolver sorts several addresses of a host by those of the machine, and does without where it may not ask for them.
const RESOLVER_DOES_WITHOUT = new Set(['AF_NETLINK']);
const unit = readFileSync(join(top, 'deploy/systemd/taluvad.service'), 'utf8');

/** The calls of one of systemd's sets, sets within it included. */
function expand(name) {
  if (!name.startsWith('@')) return new Set([name]);
  const text = execFileSync('systemd-analyze', ['--no-pager', 'syscall-filter', name], {encoding: 'utf8'});
  const words = text.split('\n').slice(1).map((line) => line.trim()).filter((word) => word && !word.startsWith('#'));
  return new Set(words.flatMap((word) => [...expand(word)]));
}

/** As systemd does it: the lines in order, `~` takes away, and what no program can do without is always there. */
function allowed() {
  const calls = new Set();
  for (const [, line] of unit.matchAll(/^SystemCallFilter=(.*)$/gm)) {
    const without = line.startsWith('~');
    for (const word of line.replace('~', '').split(' '))
      for (const call of expand(word)) without ? calls.delete(call) : calls.add(call);
  }
  for (const call of expand('@default')) calls.add(call);
  return calls;
}

/** Everything once: files, sockets of all kinds, a match, a message to a browser, HTTP, a copy, new TLS files, the end. */
async function live(trace) {
  const folder = scratchFolder();
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2',
    '-subj', '/CN=x', '-keyout', key, '-out', cert], {stdio: 'ignore'});
  const push = await service();
  const prefix = ['strace', '-f', '-qq', '-o', trace];
  const server = await Server.start(['--tls-cert', cert, '--tls-key', key, '--web', join(top, 'clients/web'), '--listen', '[::1]:0',
    '--listen', `unix:${join(folder, 'socket')}`,
    '--push-contact', 'mailto:operator@club.example', '--push-after-ms', '0', '--push-service', push.origin], {prefix, env: {NOTIFY_SOCKET: join(folder, 'nobody')}});
  const match = await Match.start(server.port, {}, {secure: {}});
  for (let moves = 0; moves < 20; moves++) await match.step();
  for (const path of ['/', '/metrics', '/api/rooms', '/api/records/aaaaaaaa'])
    execFileSync('curl', ['-ks', '-o', '/dev/null', `https://127.0.0.1:${server.port}${path}`]);
  if (!databaseOf(server.data)) assert.equal(runToEnd(['--data', server.data, 'backup', join(folder, 'copy.db')]).status, 0);
  const tracee = execFileSync('pgrep', ['-P', String(server.pid), '-x', 'taluvad'], {encoding: 'utf8'}).trim();
  process.kill(Number(tracee), 'SIGHUP');
  (await player(server.port, 'Chi', {secure: {}})).destroy();
  const browsers = await tellAll(match, `${push.origin}/up`), arrived = push.next();
  await turnOfTheAbsent({match, browsers});
  await arrived;
  match.end();
  process.kill(Number(tracee), 'SIGTERM');
  assert.deepEqual(await server.ended, {status: 0, signal: null}, server.stderr);
  push.stop();
}

const missing = ['strace', 'systemd-analyze', 'openssl', 'curl', 'pgrep'].filter((command) => !there(command));
if (missing.length > 0) {
  console.log(`1..0 # SKIP there is no ${missing.join(', ')}`);
  process.exit(0);
}
const trace = join(scratchFolder(), 'trace');
test('no call that the unit does not allow', async () => {
  await live(trace);
  const used = new Set([...readFileSync(trace, 'latin1').matchAll(/^\d+ +([a-z_0-9]+)\(/gm)].map(([, call]) => call));
  assert.ok(used.size > 30 && (used.has('fdatasync') || databaseOf('')) && used.has('accept4'), [...used].join(' '));
  const calls = allowed();
  const denied = [...used].filter((call) => !calls.has(call) && !(process.getuid() === 0 && ONLY_AS_ROOT.has(call)));
  assert.deepEqual(denied, []);
}, 120000);

test('no family of sockets that the unit does not allow', () => {
  const used = new Set([...readFileSync(trace, 'latin1').matchAll(/^\d+ +socket(?:pair)?\((AF_[A-Z0-9]+)/gm)].map(([, family]) => family));
  const allowed = /^RestrictAddressFamilies=(.*)$/m.exec(unit)[1].split(' ');
  const denied = [...used].filter((family) => !allowed.includes(family) && !RESOLVER_DOES_WITHOUT.has(family));
  assert.deepEqual(denied, []);
  assert.deepEqual([...used].filter((family) => !RESOLVER_DOES_WITHOUT.has(family)).sort(), allowed.sort(), 'all are used');
});

await run();
