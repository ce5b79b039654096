// Between a server and its database, or two nodes: a line that can be held, so that both sides stay connected and nothing passes, or only one way.
import net from 'node:net';

const LONG = 400;

export class Partition {
  /** `url` with this in between is in `url`. */
  static async to(url) {
    const partition = new Partition();
    const there = new URL(url);
    const port = Number(there.port);
    partition.sockets = {near: new Set(), far: new Set()};
    partition.held = new Set(); // whose bytes do not pass
    partition.listener = net.createServer((near) => partition.join(near, port));
    await new Promise((resolve) => partition.listener.listen(0, '127.0.0.1', resolve));
    partition.listener.unref();
    there.port = partition.listener.address().port;
    partition.url = there.href;
    return partition;
  }

  join(near, port) {
    const far = net.connect({port, host: '127.0.0.1'});
    for (const [side, from, to] of [['near', near, far], ['far', far, near]]) {
      this.sockets[side].add(from);
      from.setNoDelay(true);
      from.on('data', (bytes) => {
        if (from === near && this.within && bytes.length >= LONG) this.holdAfter(from, to, bytes, bytes.length >> 1);
        else to.write(bytes);
      });
      from.on('error', () => {});
      from.on('close', () => {
        this.sockets[side].delete(from);
        to.destroy();
      });
      if (this.held.has(side)) from.pause();
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

  /** What `near` says, which is who connects, what `far` says, or both. */
  hold(...sides) {
    for (const side of sides.length > 0 ? sides : ['near', 'far']) {
      this.held.add(side);
      for (const socket of this.sockets[side]) socket.pause();
    }
  }

  heal() {
    this.held.clear();
    for (const sockets of Object.values(this.sockets)) for (const socket of sockets) socket.resume();
  }
}
