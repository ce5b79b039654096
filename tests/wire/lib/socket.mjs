// A WebSocket client that does exactly what it is told, right or wrong: frames are made by hand and put
// on a plain socket; nothing is checked before it is sent.
import {createHash, randomBytes} from 'node:crypto';
import net from 'node:net';
import {setTimeout as pause} from 'node:timers/promises';
import tls from 'node:tls';

export const TEXT = 1;
export const BINARY = 2;
export const CLOSE = 8;
export const PING = 9;
export const PONG = 10;

const PROTOCOL = 'taluva.v1+json';
/** Longer than any test: what does not come at all is told by the end of its time (tap.mjs). */
const PATIENCE_MS = 600000;

/** One frame; everything about it can be made wrong. */
export function frame(payload, {op = TEXT, fin = true, rsv = 0, mask = true, length} = {}) {
  const bytes = Buffer.from(payload);
  const claimed = BigInt(length ?? bytes.length);
  const head = [(fin ? 0x80 : 0) | (rsv << 4) | op];
  const masked = mask ? 0x80 : 0;
  if (claimed < 126n) head.push(masked | Number(claimed));
  else if (claimed < 65536n) head.push(masked | 126, Number(claimed >> 8n), Number(claimed & 255n));
  else {
    head.push(masked | 127);
    for (let shift = 56n; shift >= 0n; shift -= 8n) head.push(Number((claimed >> shift) & 255n));
  }
  if (!mask) return Buffer.concat([Buffer.from(head), bytes]);
  const key = randomBytes(4);
  return Buffer.concat([Buffer.from(head), key, bytes.map((byte, at) => byte ^ key[at % 4])]);
}

/** Takes one whole frame off what `raw` has received, if there is one. */
function takeFrame(raw) {
  const bytes = raw.received;
  if (bytes.length < 2) return undefined;
  let length = bytes[1] & 127;
  let at = 2;
  if (length === 126) {
    if (bytes.length < 4) return undefined;
    length = bytes.readUInt16BE(2);
    at = 4;
  } else if (length === 127) {
    if (bytes.length < 10) return undefined;
    length = Number(bytes.readBigUInt64BE(2));
    at = 10;
  }
  if (bytes.length < at + length) return undefined;
  raw.received = bytes.subarray(at + length);
  return {op: bytes[0] & 15, fin: bytes[0] >> 7, payload: bytes.subarray(at, at + length)};
}

/** A socket with a queue of what came in. */
export class Raw {
  static async connect(port, {secure, localAddress, host = '127.0.0.1', allowHalfOpen} = {}) {
    const raw = new Raw();
    raw.received = Buffer.alloc(0);
    raw.closed = false;
    raw.waiting = [];
    raw.socket = secure
      ? tls.connect({port, host, localAddress, rejectUnauthorized: false, ...secure})
      : net.connect({port, host, localAddress, allowHalfOpen});
    raw.socket.setNoDelay(true);
    raw.socket.on('data', (bytes) => {
      raw.received = Buffer.concat([raw.received, bytes]);
      raw.wake();
    });
    raw.socket.on('close', () => {
      raw.closed = true;
      raw.wake();
    });
    raw.socket.on('error', () => {});
    await new Promise((resolve, reject) => {
      raw.socket.once(secure ? 'secureConnect' : 'connect', resolve);
      raw.socket.once('error', reject);
    });
    return raw;
  }

  wake() {
    for (const waiter of this.waiting.splice(0)) waiter();
  }

  write(bytes) {
    this.socket.write(bytes);
  }

  destroy() {
    this.socket.destroy();
  }

  /** Resolves with what `take` makes of the bytes so far, as soon as that is not undefined. */
  async until(take, timeout_ms = PATIENCE_MS) {
    const deadline = Date.now() + timeout_ms;
    for (;;) {
      const taken = take(this);
      if (taken !== undefined) return taken;
      const left = deadline - Date.now();
      if (left <= 0) throw new Error(`nothing came in ${timeout_ms} ms`);
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, left);
        this.waiting.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  /** Everything until the other side closes. */
  async rest(timeout_ms = PATIENCE_MS) {
    await this.until((raw) => raw.closed || undefined, timeout_ms);
    return this.received.toString('latin1');
  }

  async httpHead(timeout_ms) {
    return await this.until((raw) => {
      const end = raw.received.indexOf('\r\n\r\n');
      if (end < 0) return raw.closed ? '' : undefined;
      const head = raw.received.subarray(0, end + 4).toString('latin1');
      raw.received = raw.received.subarray(end + 4);
      return head;
    }, timeout_ms);
  }
}

export function handshake(port, changes = {}) {
  const {method = 'GET', path = '/ws', version = 'HTTP/1.1', headers = {}} = changes;
  const all = {
    Host: `127.0.0.1:${port}`,
    Upgrade: 'websocket',
    Connection: 'Upgrade',
    'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Protocol': PROTOCOL,
    ...headers,
  };
  let text = `${method} ${path} ${version}\r\n`;
  for (const [name, value] of Object.entries(all)) if (value !== null) text += `${name}: ${value}\r\n`;
  return {text: `${text}\r\n`, key: all['Sec-WebSocket-Key']};
}

export class Socket {
  /** Connects and shakes hands; throws if the answer is not a right 101. */
  static async open(port, {changes, ...options} = {}) {
    const socket = new Socket();
    socket.raw = await Raw.connect(port, options);
    const {text, key} = handshake(port, changes);
    socket.raw.write(text);
    socket.head = await socket.raw.httpHead();
    socket.status = Number(/^HTTP\/1\.[01] (\d+)/.exec(socket.head)?.[1] ?? 0);
    if (socket.status !== 101) throw Object.assign(new Error(socket.head || 'closed with no answer'), {status: socket.status});
    const digest = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
    if (!socket.head.includes(`Sec-WebSocket-Accept: ${digest}`)) throw new Error('wrong accept');
    if (!socket.head.includes(`Sec-WebSocket-Protocol: ${PROTOCOL}`)) throw new Error('no subprotocol');
    socket.pongs = true; // answer pings, also while nobody reads
    socket.pings = 0;
    socket.frames = [];
    socket.raw.socket.on('data', () => socket.parse());
    socket.parse();
    return socket;
  }

  /** Cuts what has come in into frames. */
  parse() {
    for (let found; (found = takeFrame(this.raw)); ) {
      if (found.op === PING) this.pings++;
      if (found.op === PING && this.pongs) this.text(found.payload, {op: PONG});
      else if (found.op !== PING) this.frames.push(found);
    }
    this.raw.wake();
  }

  write(bytes) {
    this.raw.write(bytes);
  }

  text(text, options) {
    this.write(frame(text, options));
  }

  send(message) {
    this.text(JSON.stringify(message));
  }

  /** The next frame that is not a ping: {op, payload}, or {op: 'cut'} if the other side is gone. */
  async frame(timeout_ms) {
    return await this.raw.until((raw) => {
      if (this.frames.length > 0) return this.frames.shift();
      return raw.closed ? {op: 'cut', payload: Buffer.alloc(0)} : undefined;
    }, timeout_ms);
  }

  /** The next message as an object, or {close: code}, or {close: 'cut'}. */
  async next(timeout_ms) {
    for (;;) {
      const {op, payload} = await this.frame(timeout_ms);
      if (op === CLOSE) {
        return {close: payload.length >= 2 ? payload.readUInt16BE(0) : 1005};
      } else if (op === 'cut') {
        return {close: 'cut'};
      } else if (op === TEXT) {
        return JSON.parse(payload.toString('utf8'));
      }
    }
  }

  /** Sends a request and waits for its reply; pushes on the way are kept in `pushes`. */
  async ask(op, fields = {}) {
    this.lastId = (this.lastId ?? Math.floor(Math.random() * 2 ** 40)) + 1;
    return await this.askWith({id: this.lastId, op, ...fields});
  }

  async askWith(message) {
    this.send(message);
    return await this.reply(message.id);
  }

  async reply(id) {
    for (;;) {
      const message = await this.next();
      if (message.close !== undefined) throw new Error(`closed with ${message.close}`);
      if (message.push) (this.pushes ??= []).push(message);
      else if (message.id === id) return message;
      else throw new Error(`unexpected ${JSON.stringify(message)}`);
    }
  }

  /** As ask, and where nobody has the part at the moment, again when the server says, as a client does. */
  async askAgain(op, fields) {
    for (;;) {
      const reply = await this.ask(op, fields);
      if (reply.error?.code !== 'part_away') return reply;
      await pause(reply.error.retry_ms);
    }
  }

  /** As askAgain, but a refusal is an error. */
  async must(op, fields) {
    const reply = await this.askAgain(op, fields);
    if (!reply.ok) throw new Error(`${op}: ${JSON.stringify(reply)}`);
    return reply.ok;
  }

  /** The next push that `wanted` takes, of those that wait already or come. */
  async push(wanted) {
    for (;;) {
      const at = (this.pushes ?? []).findIndex(wanted);
      if (at >= 0) return this.pushes.splice(at, 1)[0];
      const message = await this.next();
      if (message.close !== undefined) throw new Error(`closed with ${message.close}`);
      (this.pushes ??= []).push(message);
    }
  }

  /** What it is closed with: reads everything until then. */
  async closing(timeout_ms) {
    for (;;) {
      const message = await this.next(timeout_ms);
      if (message.close !== undefined) return message.close;
    }
  }

  destroy() {
    this.raw.destroy();
  }
}

/** A socket that has said hello. */
export async function player(port, name, {token, ...options} = {}) {
  const socket = await Socket.open(port, options);
  const hello = await socket.must('hello', {name, ...(token ? {token} : {})});
  socket.token = token ?? hello.token;
  socket.hello = hello;
  return socket;
}
