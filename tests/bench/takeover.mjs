// A server on the database at URL is killed, and then another one stopped, while a standby waits: when the first move after that is durable.
// `nodes.py` runs it, with many matches in the database.
//
//     node takeover.mjs URL TIMES      TALUVAD is the program
import {Match} from '../wire/lib/match.mjs';
import {Server} from '../wire/lib/server.mjs';

const [url, times] = [process.argv[2], Number(process.argv[3] ?? 1)];
const words = ['--store', url, '--standby'];

async function listening(starting) {
  const server = await starting;
  return {server, at: performance.now()};
}

async function once(signal) {
  const first = await Server.start(words);
  const match = await Match.start(first.port);
  await match.step();
  const waiting = listening(Server.start(words));
  await new Promise((resolve) => setTimeout(resolve, 2000));
  const begun = performance.now();
  first.signal(signal);
  const {server, at} = await waiting;
  await match.comeBack(server.port);
  await match.step();
  const durable = performance.now();
  match.end();
  first.signal('SIGKILL');
  await server.stop();
  return {ready: (at - begun) / 1000, durable: (durable - begun) / 1000};
}

const median = (values) => [...values].sort((one, other) => one - other)[values.length >> 1];

for (const [signal, what] of [['SIGKILL', 'killed'], ['SIGSTOP', 'stopped']]) {
  const runs = [];
  for (let run = 0; run < times; run++) runs.push(await once(signal));
  for (const [figure, name] of [['ready', 'until the standby listens'], ['durable', 'until the first move is durable']]) {
    const values = runs.map((run) => run[figure]);
    const [low, high] = [Math.min(...values), Math.max(...values)].map((value) => value.toFixed(2));
    console.log(`| ${what}, ${name}, s | | ${median(values).toFixed(2)} (${low} to ${high}) | |`);
  }
}
