// What `meson install` puts down: a server that works as it is and finds its page.
import {spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, readdirSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {assert, run, test} from './lib/tap.mjs';

const folder = mkdtempSync(join(tmpdir(), 'taluva-install-'));
process.on('exit', () => rmSync(folder, {recursive: true, force: true}));
const installed = spawnSync('meson', ['install', '-C', process.env.BUILD, '--no-rebuild', '--quiet', '--destdir', folder], {encoding: 'utf8'});
if (installed.status !== 0) throw new Error(installed.stderr + installed.stdout);
const root = join(folder, process.env.PREFIX);
process.env.TALUVAD = join(root, 'bin', 'taluvad');
const {Server} = await import('./lib/server.mjs');

const pageOf = async (server) => (await fetch(`http://127.0.0.1:${server.port}/`)).status;

test('the server finds its page', async () => {
  const server = await Server.start();
  const answer = await fetch(`http://127.0.0.1:${server.port}/`);
  assert.equal(answer.status, 200);
  assert.match(await answer.text(), /<title>Taluva/);
  assert.equal((await server.stop()).status, 0);
});

test('no page if none is wanted', async () => {
  const server = await Server.start(['--web', 'none']);
  assert.equal(await pageOf(server), 404);
  await server.stop();
});

test('programs, manuals and page, and nothing else', () => {
  assert.deepEqual(readdirSync(join(root, 'bin')).sort(), ['taluva', 'taluva-admin', 'taluva-load', 'taluvad']);
  for (const [section, manuals] of Object.entries({man1: ['taluva-load.1', 'taluva.1'], man8: ['taluva-admin.8', 'taluvad.8']}))
    assert.deepEqual(readdirSync(join(root, 'share/man', section)).sort(), manuals);
  const page = readdirSync(join(root, 'share/taluva/web'), {recursive: true});
  assert.ok(page.includes('index.html'));
  assert.deepEqual(page.filter((name) => /package\.json$|\.png$|\.md$/.test(name) && !/^(icon-\d+|card)\.png$/.test(name)), []);
});

test('completions, where each shell looks for them', () => {
  for (const [name, first] of [['bash-completion/completions/taluva', '# Completes'], ['zsh/site-functions/_taluva', '#compdef taluva'],
    ['fish/vendor_completions.d/taluva.fish', '# Completes']])
    assert.ok(readFileSync(join(root, 'share', name), 'utf8').startsWith(first), name);
});

await run();
