// Copies of a store: whole or not there, whoever is killed while they are made.
import {spawn, spawnSync} from 'node:child_process';
import {existsSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {assert, run, test} from './lib/tap.mjs';
import {Match} from './lib/match.mjs';
import {runToEnd, scratchFolder, Server} from './lib/server.mjs';

async function playSome(match, count) {
  for (let at = 0; at < count && !match.over; at++) await match.step();
}

test('a copy in place of another one', async () => {
  const server = await Server.start();
  const copy = join(scratchFolder(), 'copy.db');
  const backup = (...more) => runToEnd(['--data', server.data, 'backup', ...more, copy]);
  assert.equal(backup().status, 0);
  const match = await Match.start(server.port);
  const first = readFileSync(copy);
  assert.match(backup().stderr, /File exists/);
  assert.deepEqual(readFileSync(copy), first);
  assert.equal(backup('--force').status, 0);
  assert.notDeepEqual(readFileSync(copy), first);
  match.end();
  await server.stop();
});

/* A whole store, or nothing: and nothing that the next one stumbles over. */
test('a backup that is cut short', async () => {
  const server = await Server.start();
  const match = await Match.start(server.port);
  await playSome(match, 10);
  const folder = scratchFolder(), copy = join(folder, 'copy.db');
  for (const limit of [0, 4096, 20480]) {
    const small = spawnSync('prlimit', [`--fsize=${limit}`, '--core=0', process.env.TALUVAD, '--data', server.data, 'backup', copy],
      {encoding: 'utf8'});
    assert.equal(small.status, 74, small.stderr);
    assert.match(small.stderr, /copy/);
    assert.deepEqual(readdirSync(folder), []);
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGKILL']) {
    const stopped = spawn(process.env.TALUVAD, ['--data', server.data, 'backup', copy]);
    const ended = new Promise((resolve) => stopped.on('close', (status, by) => resolve({status, by})));
    /* As early or late as it happens to be: what is there afterwards is whole. */
    while (!readdirSync(folder).length && stopped.exitCode === null) await new Promise((resolve) => setImmediate(resolve));
    stopped.kill(signal);
    await ended;
    if (existsSync(copy)) assert.equal(runToEnd(['check', copy]).status, 0);
    const again = runToEnd(['--data', server.data, 'backup', '--force', copy]);
    assert.equal(again.status, 0, again.stderr);
    assert.deepEqual(readdirSync(folder), ['copy.db']);
    rmSync(copy);
  }
  match.end();
  await server.stop();
});

await run();
