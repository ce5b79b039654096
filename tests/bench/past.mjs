// What requests about past events cost the server: processor time for each, in microseconds and in pings, in one run.
//
//     TALUVAD=build/server/taluvad node tests/bench/past.mjs [TIMES]
import {Watch} from '../wire/lib/crowd.mjs';
import {Match} from '../wire/lib/match.mjs';
import {Server} from '../wire/lib/server.mjs';
import {player} from '../wire/lib/socket.mjs';

const times = Number(process.argv[2] ?? 4000);
const names = ['requests-per-s', 'requests-burst', 'requests-per-address-per-s', 'requests-per-address-burst', 'work-per-s', 'work-burst'];
const free = names.flatMap((name) => [`--${name}`, '1000000']);

async function longMatch(port) {
  const match = await Match.start(port);
  while (match.state.phase !== 'over') await match.step();
  match.end();
  return {room: match.room, seq: match.seqs[0]};
}

/** Microseconds of the server's processor for one, when each waits for the one before. */
async function cost(server, watch, op, fields) {
  const socket = await player(server.port, 'Chi');
  const ask = async (count) => {
    for (let done = 0; done < count; done++) {
      await socket.must(op, fields);
      socket.pushes = [];
    }
  };
  await ask(50);
  const before = watch.processor;
  await ask(times);
  const us = (1e6 * (watch.processor - before)) / times;
  socket.destroy();
  return us;
}

/** The same requests to a server without encoded pushes, and to one with them. */
for (const kept of [0, 8388608]) {
  const server = await Server.start([...free, '--history-bytes', String(kept)]);
  const watch = new Watch(server.pid);
  const {room, seq} = await longMatch(server.port);
  const ping = await cost(server, watch, 'ping', {});
  console.log(`${kept} bytes of history, a match of ${seq} events: ping ${ping.toFixed(1)} us`);
  const record = await cost(server, watch, 'record', {room});
  console.log(`  ${'record'.padEnd(22)} ${record.toFixed(1)} us, ${(record / ping).toFixed(1)} pings`);
  for (const [what, op, have] of [['past from the start', 'past', 0], ['past of the last 10', 'past', seq - 10],
    ['watch from the start', 'watch', 0], ['watch of the last 10', 'watch', seq - 10], ['watch', 'watch', undefined]]) {
    const us = await cost(server, watch, op, {room, ...(have === undefined ? {} : {have})});
    console.log(`  ${what.padEnd(22)} ${us.toFixed(1)} us, ${(us / ping).toFixed(1)} pings`);
  }
  await server.stop();
}
process.exit(0);
