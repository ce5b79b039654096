// Ports of the loopback, for programs that have to be told theirs before they listen.
import {createServer} from 'node:net';

/** One that the system gives nobody: while the program does not listen, a connection of another one could have it. */
export async function freePort() {
  for (;;) {
    const port = 10000 + Math.floor(Math.random() * 22000);
    const probe = createServer();
    const free = await new Promise((resolve) => probe.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true)));
    if (!free) continue;
    await new Promise((resolve) => probe.close(resolve));
    return port;
  }
}
