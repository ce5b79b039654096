// An evening of rated matches on a real server, each begun as soon as the one before is over; a stranger computes all of it again.
import {execFile} from 'node:child_process';

import {account, playRated} from './lib/rated.mjs';
import {Server} from './lib/server.mjs';
import {assert, run, test} from './lib/tap.mjs';

const taluva = (...words) =>
  new Promise((resolve) => {
    execFile(process.env.TALUVA, words, (error, stdout, stderr) => resolve({status: error ? error.code : 0, stdout, stderr}));
  });

test('a rated evening of ten matches, and a stranger computes it again', async () => {
  const server = await Server.start(['--accounts', 'open', '--accept-ms', '3600000', '--claims-per-address-per-day', '10']);
  const players = [await account(server, 'Ana', 'ana'), await account(server, 'Bo', 'bob'), await account(server, 'Cy', 'cyd')];
  const pairs = [[0, 1], [1, 2], [2, 0]];
  const rated = new Map(players.map((who) => [who, 1500]));
  for (let match = 0; match < 10; match++) {
    const pair = pairs[match % pairs.length].map((at) => players[at]);
    const {told} = await playRated(pair);
    for (const [at, {before, after, n}] of told.entries()) {
      assert.equal(n, match + 2);
      assert.equal(before, rated.get(pair[at]));
      assert.ok(at === 0 ? after > before : after < before);
      rated.set(pair[at], after);
    }
  }
  const where = ['--server', `ws://127.0.0.1:${server.port}/ws`];
  const verified = await taluva('ratings', 'verify', '--records', ...where);
  assert.equal(verified.status, 0, verified.stderr);
  assert.match(verified.stdout, /^book: 11 entries, 10 matches, 0 annulled, 3 ratings\nsound: .*\nsigned: .*\nrecords: 10 agree, 0 are not kept any more, 0 are not signed, 0 differ\n$/);
  for (const [at, handle] of ['ana', 'bob', 'cyd'].entries())
    assert.match((await taluva('ratings', handle, ...where)).stdout, new RegExp(`^taluva\\.duel\\.live +${rated.get(players[at])} `));
  for (const who of players) who.destroy();
  await server.stop();
});

run();
