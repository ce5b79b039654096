// A WebSocket client of which one process can have thousands: frames are cut as they come in, and what nobody waits for is not kept.
import {randomBytes} from 'node:crypto';
import net from 'node:net';
import tls from 'node:tls';

const [TEXT, CLOSE, PING, PONG] = [1, 8, 9, 10];
const PROTOCOL = 'taluva.v1+json';

/** One that is masked, as a client's are. */
function frame(op, payload) {
  const bytes = Buffer.from(payload);
  const long = bytes.length > 125;
  const made = Buffer.allocUnsafe((long ? 8 : 6) + bytes.length);
  made[0] = 0x80 | op;
  made[1] = 0x80 | (long ? 126 : bytes.length);
  if (long) made.writeUInt16BE(bytes.length, 2);
  const key = long ? 4 : 2;
  made.writeUInt32BE((Math.random() * 2 ** 32) >>> 0, key);
  for (let at = 0; at < bytes.length; at++) made[key + 4 + at] = bytes[at] ^ made[key + (at & 3)];
  return made;
}

export class Client {
  /** `url` as ws://HOST:PORT; `ca` of wss://; `from` an address of this machine. Rejects if there is no WebSocket. */
  static open(url, {ca, from, patience_ms = 10000} = {}) {
    const {hostname, port, protocol} = new URL(url);
    const client = new Client();
    Object.assign(client, {waiting: new Map(), rest: undefined, open: false, pushed: undefined, gone: undefined, closed: undefined});
    return new Promise((resolve, reject) => {
      const where = {host: hostname, port: Number(port), localAddress: from, family: from && 4};
      const socket = protocol === 'wss:' ? tls.connect({...where, ca, servername: hostname}) : net.connect(where);
      client.socket = socket;
      socket.setNoDelay(true);
      const late = setTimeout(() => socket.destroy(new Error('no answer')), patience_ms);
      socket.once(protocol === 'wss:' ? 'secureConnect' : 'connect', () =>
        socket.write(`GET /ws HTTP/1.1\r\nHost: ${hostname}:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
          `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: ${PROTOCOL}\r\n\r\n`));
      socket.on('data', (bytes) => {
        client.rest = client.rest ? Buffer.concat([client.rest, bytes]) : bytes;
        if (!client.open) {
          const end = client.rest.indexOf('\r\n\r\n');
          if (end < 0) return;
          const status = client.rest.toString('latin1', 9, 12);
          if (status !== '101') return socket.destroy(new Error(`refused with ${status}`));
          client.rest = client.rest.subarray(end + 4);
          client.open = true;
          clearTimeout(late);
          resolve(client);
        }
        client.take();
      });
      socket.on('error', (error) => (client.closed ??= error.message));
      socket.on('close', () => {
        clearTimeout(late);
        client.closed ??= 'cut';
        const error = new Error(`closed with ${client.closed}`);
        for (const {fail} of client.waiting.values()) fail(error);
        client.waiting.clear();
        reject(error);
        client.gone?.();
      });
    });
  }

  take() {
    let bytes = this.rest;
    for (;;) {
      if (bytes.length < 2) break;
      let [length, at] = [bytes[1] & 127, 2];
      if (length === 126) {
        if (bytes.length < 4) break;
        [length, at] = [bytes.readUInt16BE(2), 4];
      } else if (length === 127) {
        if (bytes.length < 10) break;
        [length, at] = [Number(bytes.readBigUInt64BE(2)), 10];
      }
      if (bytes.length < at + length) break;
      const payload = bytes.subarray(at, at + length);
      const op = bytes[0] & 15;
      bytes = bytes.subarray(at + length);
      if (op === TEXT) this.message(payload);
      else if (op === PING) this.socket.write(frame(PONG, payload));
      else if (op === CLOSE) this.closed ??= length >= 2 ? payload.readUInt16BE(0) : 1005;
    }
    this.rest = bytes.length > 0 ? bytes : undefined;
    if (this.closed && !this.socket.destroyed) this.socket.destroy();
  }

  message(payload) {
    const message = JSON.parse(payload.toString());
    if (message.push) return this.pushed?.(message);
    const asked = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (message.ok) asked?.told?.(message.ok);
    return asked?.reply(message);
  }

  /** The reply to `message`, which has an id of its own. `told` gets what is ok of it before any push that came after it. */
  ask(message, told) {
    if (this.closed) return Promise.reject(new Error(`closed with ${this.closed}`));
    return new Promise((reply, fail) => {
      this.waiting.set(message.id, {reply, fail, told});
      this.socket.write(frame(TEXT, JSON.stringify(message)));
    });
  }

  /** What `op` returns; a refusal is an error. */
  async must(op, fields, told) {
    this.lastId = (this.lastId ?? Math.floor(Math.random() * 2 ** 40)) + 1;
    const reply = await this.ask({id: this.lastId, op, ...fields}, told);
    if (!reply.ok) throw Object.assign(new Error(`${op}: ${JSON.stringify(reply.error)}`), {code: reply.error.code});
    return reply.ok;
  }

  destroy() {
    this.closed ??= 'left';
    this.socket.destroy();
  }
}
