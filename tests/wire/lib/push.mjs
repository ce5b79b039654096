// What the server's messages to browsers are tried with: a push service of the tests' own on loopback, and what a browser does with
// them (RFC 8291), with node's own cryptography.
import assert from 'node:assert/strict';
import {createDecipheriv, createECDH, hkdfSync, randomBytes} from 'node:crypto';
import {once} from 'node:events';
import {createServer} from 'node:http';

/** A push service: `answer(request, response)` says what it does; `taken` are the requests with their bodies. */
export async function service(answer = (request, response) => response.writeHead(201).end()) {
  const taken = [], waiting = [];
  const server = createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    taken.push({path: request.url, headers: request.headers, body: Buffer.concat(parts)});
    waiting.shift()?.();
    answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    taken,
    next: () => new Promise((resolve) => waiting.push(resolve)),
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** What a browser does: keys of its own, and the messages decrypted. */
export class Browser {
  constructor(endpoint) {
    this.ecdh = createECDH('prime256v1');
    this.ecdh.generateKeys();
    this.auth = randomBytes(16);
    this.subscription = {endpoint, p256dh: this.ecdh.getPublicKey('base64url'), auth: this.auth.toString('base64url')};
  }

  decrypt(body) {
    const salt = body.subarray(0, 16), sender = body.subarray(21, 86), sealed = body.subarray(86);
    assert.equal(body.readUInt32BE(16), 4096);
    assert.equal(body[20], 65);
    const agreed = this.ecdh.computeSecret(sender);
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), this.ecdh.getPublicKey(), sender]);
    const secret = Buffer.from(hkdfSync('sha256', agreed, this.auth, info, 32));
    const key = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: aes128gcm\0', 16));
    const nonce = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: nonce\0', 12));
    const cipher = createDecipheriv('aes-128-gcm', key, nonce);
    cipher.setAuthTag(sealed.subarray(-16));
    const text = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()]);
    assert.equal(text.at(-1), 2); // the delimiter of the last record
    return JSON.parse(text.subarray(0, -1));
  }
}

/** The server is to tell both players of a match, each by a browser of their own: these. */
export async function tellAll(match, endpoint) {
  const browsers = match.players.map(() => new Browser(endpoint));
  for (const [i, one] of match.players.entries()) await one.must('notify', browsers[i].subscription);
  return browsers;
}

const seatToMove = async (one) => {
  const {mine} = await one.must('rooms', {});
  return {seat: mine[0].acting[0], own: mine[0].seat};
};

/** The one who waits goes away, and then it is their turn; answers whose browser and seat that is, and who has moved. */
export async function turnOfTheAbsent({match, browsers}) {
  const {seat} = await seatToMove(match.players[0]);
  const owns = await Promise.all(match.players.map(async (one) => (await seatToMove(one)).own));
  const mover = match.players[owns.indexOf(seat)], absent = owns.indexOf(1 - seat);
  match.players[absent].destroy();
  while ((await seatToMove(mover)).seat === seat) {
    const {moves} = await mover.must('moves', {room: match.room});
    await mover.must('move', {room: match.room, move: moves[0], confirm: true});
  }
  mover.destroy();
  return {browser: browsers[absent], seat: 1 - seat, other: ['Ana', 'Bo'][1 - absent]};
}
