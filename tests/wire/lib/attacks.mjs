// Attacks on the server. Each runs until `ctx.over()` and notes what it was
// answered in ctx.counts: {what: how often}. What it left open is closed by ctx.closeAll().
import {randomBytes} from 'node:crypto';
import {setTimeout as sleep} from 'node:timers/promises';
import {BINARY, frame, handshake, PING, player, PONG, Raw, Socket, TEXT} from './socket.mjs';

export class Context {
  constructor(port, attacker, {secure} = {}) {
    Object.assign(this, {port, attacker, secure, open: new Set(), counts: {}});
  }

  /** For so long, and for as long as it takes until `enough(counts)` on a machine that is slow. */
  begin(seconds, enough) {
    this.deadline = Date.now() + seconds * 1000;
    this.last = this.deadline + 60000;
    this.enough = enough;
    this.counts = {};
  }

  over() {
    const now = Date.now();
    return now >= this.deadline && (now >= this.last || this.enough(this.counts));
  }

  count(what, by = 1) {
    this.counts[what] = (this.counts[what] ?? 0) + by;
  }

  keep(thing) {
    const raw = thing.raw ?? thing;
    this.open.add(raw);
    raw.socket.once('close', () => this.open.delete(raw));
    return thing;
  }

  closeAll() {
    for (const raw of this.open) raw.socket.resetAndDestroy();
    this.open.clear();
  }

  options(localAddress = this.attacker) {
    return {localAddress, secure: this.secure};
  }

  /** A bare socket, or undefined if it is refused. */
  async raw(localAddress) {
    try {
      return this.keep(await Raw.connect(this.port, this.options(localAddress)));
    } catch {
      this.count('not connected');
      return undefined;
    }
  }

  /** A WebSocket, or undefined if it is refused. */
  async socket(localAddress) {
    try {
      return this.keep(await Socket.open(this.port, this.options(localAddress)));
    } catch (error) {
      this.count(error.status ? `HTTP ${error.status}` : 'handshake cut');
      return undefined;
    }
  }

  /** One with a session, or undefined. */
  async session(token, localAddress) {
    const socket = await this.socket(localAddress);
    if (!socket) return undefined;
    socket.send({id: 1, op: 'hello', ...(token ? {token} : {name: 'Mallet'})});
    const answer = await socket.next().catch(() => ({close: 'silence'}));
    if (answer.ok) {
      socket.token = token ?? answer.ok.token;
      return socket;
    }
    this.count(answer.close ? `close ${answer.close}` : answer.error.code);
    socket.raw.socket.resetAndDestroy();
    return undefined;
  }

  /** `many` runs of `body` at once, each again and again until it is over. */
  async crowd(many, body) {
    const one = async (at) => {
      while (!this.over()) {
        await body(at);
        await sleep(0);
      }
    };
    await Promise.all(Array.from({length: many}, (_, at) => one(at)));
  }

  /** `many` things, `atOnce` of them under way at any time. */
  async gather(many, atOnce, body) {
    let next = 0;
    const one = async () => {
      while (next < many) await body(next++);
    };
    await Promise.all(Array.from({length: atOnce}, one));
  }
}

/** Waits for the kernel to take what was written, so that a flood is as fast as the server reads. */
async function drained({socket}) {
  while (socket.writable && socket.writableNeedDrain) {
    await new Promise((resolve) => {
      const done = () => {
        socket.off('drain', done);
        socket.off('close', done);
        resolve();
      };
      socket.once('drain', done);
      socket.once('close', done);
    });
  }
}

/** Takes everything in without waiting for it: counts replies by what they say, and the close. */
function tally(ctx, socket) {
  const take = () => {
    for (const {op, payload} of socket.frames.splice(0)) {
      if (op === 8) ctx.count(`close ${payload.length >= 2 ? payload.readUInt16BE(0) : 1005}`);
      if (op !== TEXT) continue;
      const message = JSON.parse(payload.toString('utf8'));
      if (!message.push) ctx.count(message.ok ? 'ok' : message.error.code);
    }
  };
  socket.raw.socket.on('data', take);
  take();
}

const NONSENSE = ['', '{', '[]', '{"id":1}', '{"id":"x","op":"ping"}', '{"id":1,"op":"fly"}', '{"id":1,"op":"move","room":"x"}',
  `{"id":1,"op":"say","text":"${'x'.repeat(4000)}"}`, '['.repeat(4000), '"\\ud800"'];

/** Requests, right and wrong, as fast as they are read. */
export async function requests(ctx) {
  const messages = [];
  for (let id = 1; id <= 40; id++) messages.push(frame(JSON.stringify({id, op: ['ping', 'rooms'][id % 2]})));
  for (const text of NONSENSE) messages.push(frame(text));
  const flood = Buffer.concat(messages);
  const tokens = [];
  await ctx.crowd(30, async (at) => {
    const socket = await ctx.session(tokens[at]);
    if (!socket) return void (await sleep(200));
    tokens[at] = socket.token;
    tally(ctx, socket);
    while (!ctx.over() && !socket.raw.closed) {
      socket.write(flood);
      ctx.count('sent', messages.length);
      await drained(socket.raw);
      await sleep(0);
    }
    socket.raw.socket.resetAndDestroy();
  });
}

/** Connections, opened and dropped at every stage. */
export async function connections(ctx) {
  await ctx.crowd(40, async (at) => {
    ctx.count('tried');
    if (at % 4 === 0) {
      (await ctx.raw())?.socket.resetAndDestroy();
    } else if (at % 4 === 1) {
      const raw = await ctx.raw();
      raw?.write(handshake(ctx.port).text.slice(0, 60));
      raw?.socket.end();
    } else if (at % 4 === 2) {
      (await ctx.socket())?.raw.socket.resetAndDestroy();
    } else {
      const socket = await ctx.session();
      if (socket) ctx.count('sessions');
      socket?.raw.socket.resetAndDestroy();
    }
  });
}

/** HTTP requests for what costs most, on connections that stay. */
export async function pages(ctx) {
  const request = `GET /api/rooms HTTP/1.1\r\nHost: 127.0.0.1:${ctx.port}\r\n\r\n`;
  await ctx.crowd(30, async () => {
    const raw = await ctx.raw();
    while (raw && !ctx.over() && !raw.closed) {
      raw.received = Buffer.alloc(0);
      raw.write(request);
      const head = await raw.httpHead().catch(() => '');
      ctx.count(head ? `HTTP ${/ (\d+)/.exec(head)[1]}` : 'cut');
    }
    raw?.socket.resetAndDestroy();
  });
}

/** Headers that come a byte at a time, half of them from one address, the rest from five; again when they are cut. */
export async function slowHeaders(ctx) {
  const text = handshake(ctx.port, {headers: {'X-Nothing': 'x'.repeat(2000)}}).text;
  await ctx.crowd(1800, async (at) => {
    const raw = await ctx.raw(`127.0.9.${at % 2 ? 1 : 2 + ((at / 2) % 5)}`);
    if (!raw) return void (await sleep(500));
    for (let sent = 0; !raw.closed && !ctx.over() && sent < text.length; sent++) {
      raw.write(text[sent]);
      await sleep(200);
    }
    if (!raw.closed) return raw.socket.resetAndDestroy();
    ctx.count('cut');
    await sleep(200);
  });
}

/** Sockets that never go on: nothing sent, no hello, no answer to pings. */
export async function halfOpen(ctx) {
  const [silent, mute, dead] = [[], [], []];
  await ctx.gather(400, 20, async (at) => {
    if (at % 3 === 0) {
      const raw = await ctx.raw();
      if (raw) silent.push(raw);
    } else if (at % 3 === 1) {
      const socket = await ctx.socket();
      if (socket) mute.push(socket);
    } else {
      const socket = await ctx.session();
      if (!socket) return;
      socket.pongs = false;
      dead.push(socket);
    }
  });
  const begun = Date.now();
  const left = () => [...silent, ...mute.map(({raw}) => raw), ...dead.map(({raw}) => raw)].filter((raw) => !raw.closed);
  while (left().length > 0 && Date.now() - begun < 60000) await sleep(50); // until the server has cut them all
  ctx.count('silent', silent.length);
  ctx.count('no hello', mute.length);
  ctx.count('dead', dead.length);
  ctx.count('still open', left().length);
  for (const socket of mute) ctx.count(`no hello: ${(await socket.next(1000)).close}`);
  for (const socket of dead) ctx.count(`dead: ${(await socket.next(1000)).close}`);
}

const STREAMS = {
  'too long': () => frame('x'.repeat(5000)),
  'claims 2^62 bytes': () => frame('x', {length: 2n ** 62n}),
  'claims 4097 bytes': () => frame('x', {length: 4097}),
  'endless pieces': (first) => frame('x', {op: first ? TEXT : 0, fin: false}),
  'endless empty pieces': (first) => frame('', {op: first ? TEXT : 0, fin: false}),
  pings: () => frame('x'.repeat(125), {op: PING}),
  pongs: () => frame('x'.repeat(125), {op: PONG}),
  'not UTF-8': () => frame(Buffer.from([0xff, 0xfe])),
  binary: () => frame('x', {op: BINARY}),
  'reserved op': () => frame('x', {op: 5}),
  'not masked': () => frame('x', {mask: false}),
  noise: () => randomBytes(1000),
};

/** Frames that are too long, never end, or are none. */
export async function frames(ctx) {
  const names = Object.keys(STREAMS);
  await ctx.crowd(2 * names.length, async (at) => {
    const name = names[at % names.length];
    const socket = await ctx.session();
    if (!socket) return void (await sleep(200));
    socket.pongs = false;
    let sent = 0;
    while (!ctx.over() && !socket.raw.closed && socket.raw.socket.writable) {
      const many = [];
      for (let one = 0; one < 50; one++) many.push(STREAMS[name](sent++ === 0));
      socket.write(Buffer.concat(many));
      await Promise.race([drained(socket.raw), sleep(1000)]);
      await sleep(0);
    }
    ctx.count(`${name}: frames`, sent);
    if (!ctx.over()) ctx.count(`${name}: ${(await socket.next(3000).catch(() => ({close: 'cut'}))).close ?? 'answered'}`);
    socket.raw.socket.resetAndDestroy();
  });
}

/** Watchers who ask for much and never read. */
export async function slowReaders(ctx) {
  const asks = [];
  for (let id = 3; id <= 60; id++) asks.push(frame(JSON.stringify({id, op: 'rooms'})));
  const tokens = [];
  await ctx.crowd(100, async (at) => {
    const socket = await ctx.session(tokens[at]);
    if (!socket) return void (await sleep(500));
    tokens[at] = socket.token;
    socket.send({id: 2, op: 'watch', room: ctx.room});
    await socket.next().catch(() => {});
    socket.raw.socket.pause();
    ctx.count('deaf');
    while (!ctx.over() && socket.raw.socket.writable) {
      socket.write(Buffer.concat(asks));
      await Promise.race([drained(socket.raw), sleep(1000)]);
      await sleep(500);
    }
    if (!socket.raw.socket.writable) ctx.count('cut off');
    socket.raw.socket.resetAndDestroy();
  });
}

/** Many connections of one address ask for the whole of a long match again and again, as fast as they are read. */
export async function past(ctx) {
  const asks = [];
  for (let id = 2; id < 100; id++) asks.push(frame(JSON.stringify({id, op: id % 2 ? 'watch' : 'past', room: ctx.room, have: 0})));
  const tokens = [];
  await ctx.crowd(100, async (at) => {
    const socket = await ctx.session(tokens[at]);
    if (!socket) return void (await sleep(500));
    tokens[at] = socket.token;
    tally(ctx, socket);
    while (!ctx.over() && socket.raw.socket.writable) {
      socket.write(Buffer.concat(asks));
      await drained(socket.raw);
      await sleep(50);
    }
    socket.raw.socket.resetAndDestroy();
  });
}

/** Each asks for a long match again and again and never reads. */
export async function unread(ctx) {
  await ctx.crowd(400, async () => {
    const socket = await ctx.session();
    if (!socket) return void (await sleep(500));
    socket.raw.socket.pause();
    ctx.count('deaf');
    for (let id = 2; !ctx.over() && socket.raw.socket.writable; id++) {
      socket.send({id, op: 'past', room: ctx.room, have: 0});
      await sleep(100);
    }
    if (!socket.raw.socket.writable) ctx.count('cut off');
    socket.raw.socket.resetAndDestroy();
  });
}

/** As many WebSockets from one address as asked for; those that are let in stay. */
export async function oneAddress(ctx) {
  await ctx.gather(ctx.many, 100, async () => {
    const socket = await ctx.socket();
    if (!socket) return;
    socket.send({id: 1, op: 'ping'});
    const answer = await socket.next().catch(() => ({close: 'silence'}));
    ctx.count(answer.close ? `close ${answer.close}` : 'held');
    if (answer.close) socket.raw.socket.resetAndDestroy();
  });
}

/** Codes and tokens, guessed from twenty addresses. */
export async function guesses(ctx) {
  await ctx.crowd(60, async (at) => {
    const from = `127.0.8.${1 + (at % 20)}`;
    const letters = '0123456789abcdefghjkmnpqrstvwxyz';
    const word = (length) => Array.from(randomBytes(length), (byte) => letters[byte % 32]).join('');
    const socket = at % 2 ? await ctx.socket(from) : await ctx.session(undefined, from);
    if (!socket) return void (await sleep(200));
    let answer = {};
    for (let id = 2; !ctx.over() && answer.close === undefined; id++) {
      if (at % 2) socket.send({id, op: 'hello', token: randomBytes(32).toString('base64url')});
      else socket.send({id, op: 'join', room: ctx.room, code: word(16)});
      answer = await socket.next().catch(() => ({close: 'silence'}));
      ctx.count(answer.close ? `close ${answer.close}` : answer.ok ? 'let in' : answer.error.code);
    }
    socket.raw.socket.resetAndDestroy();
  });
}

/** Rooms, as many as one address can have. */
export async function rooms(ctx) {
  await ctx.crowd(40, async () => {
    const socket = await ctx.session();
    if (!socket) return void (await sleep(200));
    let answer = {};
    for (let id = 2; !ctx.over() && !answer.close && answer.error?.code !== 'too_many_rooms'; id++) {
      socket.send({id, op: 'create', title: 'mine'});
      answer = await socket.next().catch(() => ({close: 'silence'}));
      ctx.count(answer.close ? `close ${answer.close}` : answer.ok ? 'created' : answer.error.code);
      if (answer.error?.code === 'slow_down') await sleep(50);
    }
    socket.raw.socket.resetAndDestroy();
  });
}
