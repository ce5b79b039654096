// What a move asks of the system, counted: one call a connection for all that is written to it in one turn of the loop, and none
// to ask whether it can be written.
import {Match} from './lib/match.mjs';
import {counting, Server} from './lib/server.mjs';
import {frame, player} from './lib/socket.mjs';
import {assert, run, test} from './lib/tap.mjs';

const quiet = ['--ping-interval-ms', '3600000', '--requests-per-s', '1000', '--requests-burst', '1000'];

/** What the server has asked of the system for `work`: the round with the fewest writes, as pings come when they are due. */
async function cost(server, work) {
  const ROUNDS = 6;
  const rounds = [];
  let before = await server.counted();
  for (let round = 0; round < ROUNDS; round++) {
    await work();
    const after = await server.counted();
    rounds.push(Object.fromEntries(Object.entries(after).map(([name, count]) => [name, count - before[name]])));
    before = after;
  }
  return rounds.sort((a, b) => a.send - b.send)[0];
}

test('a move is three messages in two calls', async () => {
  const STEPS = 4;
  const server = await Server.start(quiet, {env: counting()});
  const match = await Match.start(server.port);
  await match.step();
  const {send, epoll_ctl} = await cost(server, async () => {
    for (let step = 0; step < STEPS; step++) await match.step();
  });
  // Reply and push to who moves, the push to the other; and before that the list of moves.
  assert.equal(send, (2 + 1) * STEPS);
  assert.equal(epoll_ctl, 0);
  match.end();
  await server.stop();
});

test('what is asked at once is answered in one call', async () => {
  const ASKED = 10;
  const server = await Server.start(quiet, {env: counting()});
  const ana = await player(server.port, 'Ana');
  let next = 1000000;
  const {send, send_bytes} = await cost(server, async () => {
    const ids = Array.from({length: ASKED}, () => next++);
    ana.write(Buffer.concat(ids.map((id) => frame(JSON.stringify({id, op: 'ping'})))));
    for (const id of ids) assert.equal((await ana.next()).id, id);
  });
  assert.equal(send, 1);
  assert.ok(send_bytes > ASKED * 30, String(send_bytes));
  ana.destroy();
  await server.stop();
});

await run();
