// Between a server and its database: a line that can be held, so that both sides stay connected and nothing passes.
import net from 'node:net';

const LONG = 400;

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
      from.on('data', (bytes) => {
        if (from === near && this.within && bytes.length >= LONG) this.holdAfter(from, to, bytes, bytes.length >> 1);
        else to.write(bytes);
      });
      from.on('error', () => {});
      from.on('close', () => {
        this.sockets.delete(from);
        to.destroy();
      });
      if (this.held) from.pause();
    }
  }

  holdAfter(from, to, bytes, length) {
    to.write(bytes.subarray(0, length));
    this.hold();
    from.unshift(bytes.subarray(length));
    this.within();
    this.within = undefined;
  }

  /** Holds in the midst of the next long message from near, when half of it has passed. */
  holdWithin() {
    return new Promise((resolve) => (this.within = resolve));
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
