// Between a server and its database: a line that can be held, so that both sides stay connected and nothing passes.
import net from 'node:net';

export class Partition {
  /** `url` with this in between is in `url`. */
  static async to(url) {
    const partition = new Partition();
    const there = new URL(url);
    const port = Number(there.port);
    partition.sockets = new Set();
    partition.listener = net.createServer((near) => partition.join(near, port));
    await new Promise((resolve) => partition.listener.listen(0, '127.0.0.1', resolve));
    partition.listener.unref();
    there.port = partition.listener.address().port;
    partition.url = there.href;
    return partition;
  }

  join(near, port) {
    const far = net.connect({port, host: '127.0.0.1'});
    for (const [from, to] of [[near, far], [far, near]]) {
      this.sockets.add(from);
      from.setNoDelay(true);
      from.on('data', (bytes) => to.write(bytes));
      from.on('error', () => {});
      from.on('close', () => {
        this.sockets.delete(from);
        to.destroy();
      });
      if (this.held) from.pause();
    }
  }

  hold() {
    this.held = true;
    for (const socket of this.sockets) socket.pause();
  }

  heal() {
    this.held = false;
    for (const socket of this.sockets) socket.resume();
  }
}
