// A TCP proxy between a browser and the server: it can cut connections, or keep them open and drop all bytes, as when a
// train is in a tunnel or a laptop is closed.

import net from 'node:net';

export class Tunnel {
  /** @param {() => number} port of the server, which may change */
  constructor(port) {
    this.target = port;
    this.port = 0;
    /** @type {'open' | 'cut' | 'silent'} */
    this.mode = 'open';
    /** @type {Set<import('node:net').Socket>} */
    this.sockets = new Set();
    this.server = net.createServer((socket) => this.carry(socket));
  }

  get url() {
    return `http://127.0.0.1:${this.port}/`;
  }

  async open() {
    await new Promise((resolve) => this.server.listen(0, '127.0.0.1', () => resolve(undefined)));
    this.port = this.server.address().port;
    return this;
  }

  /** @param {import('node:net').Socket} near */
  carry(near) {
    this.hold(near);
    if (this.mode === 'cut') {
      near.destroy();
      return;
    }
    const far = this.hold(net.connect(this.target(), '127.0.0.1'));
    for (const [from, to] of [
      [near, far],
      [far, near],
    ]) {
      from.on('data', (data) => this.mode === 'open' && to.write(data));
      from.on('close', () => to.destroy());
    }
  }

  /** @param {import('node:net').Socket} socket */
  hold(socket) {
    this.sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.sockets.delete(socket));
    return socket;
  }

  /** Closes every connection and accepts none. */
  cut() {
    this.mode = 'cut';
    for (const socket of this.sockets) socket.destroy();
  }

  /** Drops all data in both directions. */
  silence() {
    this.mode = 'silent';
  }

  /** Forwards again; connections that lost data are closed. */
  mend() {
    for (const socket of this.sockets) socket.destroy();
    this.mode = 'open';
  }

  close() {
    this.cut();
    this.server.close();
  }
}
