// What can be wrong with a frame: the right close code, or none where the framing itself is broken beyond
// answering; two honest players in the same server notice nothing.
import {assert, run, test} from './lib/tap.mjs';
import {Match} from './lib/match.mjs';
import {Server} from './lib/server.mjs';
import {BINARY, CLOSE, frame, PING, player, PONG, TEXT} from './lib/socket.mjs';

const server = await Server.start(['--sessions-per-address-burst', '10000', '--requests-per-s', '10000', '--requests-burst', '10000', '--ping-interval-ms', '1000']);
const honest = await Match.start(server.port);
const GO_ON = 'goes on';
const CUT = 'cut';

/** What comes of what `send` sends: it goes on, is closed with one of `codes`, or is cut. */
function expects(name, codes, send) {
  test(name, async () => {
    const bad = await player(server.port, 'Bad');
    await send(bad);
    if ([codes].flat().includes(GO_ON)) {
      assert.ok((await bad.ask('ping')).ok);
    } else {
      const code = await bad.closing();
      assert.ok([codes].flat().includes(code), `closed with ${code}`);
    }
    bad.destroy();
    await honest.verify();
    await honest.step();
  });
}

const ping = '{"id":77,"op":"ping"}';
const padded = (length) => ping + ' '.repeat(length - ping.length);

// ---- sizes ----

expects('the longest message', GO_ON, async (bad) => {
  bad.text(padded(4096));
  assert.ok((await bad.reply(77)).ok);
});
expects('one byte more', 1009, (bad) => bad.text(padded(4097)));
expects('much more', 1009, (bad) => bad.text(padded(60000)));
expects('a megabyte', [1009, CUT], (bad) => bad.text(padded(1 << 20)));
expects('the claim of more, and little of it', 1009, (bad) => bad.write(frame('x'.repeat(300), {length: 5000})));
expects('the claim of an exabyte', 1009, (bad) => bad.write(frame('x'.repeat(300), {length: 2n ** 60n})));
expects('the longest length that there is', 1009, (bad) => bad.write(frame('x'.repeat(300), {length: 2n ** 63n - 1n})));
expects('a length with the highest bit set', 1002, (bad) => bad.write(frame('x'.repeat(300), {length: 2n ** 63n + 5n})));
expects('a length in more bytes than it needs', 1002, (bad) => {
  const bytes = frame(ping, {length: 200});
  bytes[3] = ping.length;
  bad.write(bytes);
});
expects('the longest message, byte by byte in frames', GO_ON, async (bad) => {
  const text = padded(4096);
  for (let at = 0; at < text.length; at++)
    bad.text(text[at], {op: at === 0 ? TEXT : 0, fin: at === text.length - 1});
  assert.ok((await bad.reply(77)).ok);
});
expects('one byte more in frames', 1009, (bad) => {
  const text = padded(4097);
  for (let at = 0; at < text.length; at += 1000)
    bad.text(text.slice(at, at + 1000), {op: at === 0 ? TEXT : 0, fin: at + 1000 >= text.length});
});
expects('frames without end', 1009, (bad) => {
  for (let at = 0; at < 100; at++) bad.text('x'.repeat(100), {op: at === 0 ? TEXT : 0, fin: false});
});
expects('empty frames without end, then an end', GO_ON, async (bad) => {
  for (let at = 0; at < 500; at++) bad.text('', {op: at === 0 ? TEXT : 0, fin: false});
  bad.text(ping, {op: 0});
  assert.ok((await bad.reply(77)).ok);
});
expects('a message in two writes, cut anywhere', GO_ON, async (bad) => {
  const bytes = frame(ping);
  bad.pongs = false; // one of its own between the halves would become a part of the frame
  for (let at = 1; at < bytes.length; at += 3) {
    bad.write(bytes.subarray(0, at));
    await new Promise((resolve) => setTimeout(resolve, 1));
    bad.write(bytes.subarray(at));
    assert.ok((await bad.reply(77)).ok);
  }
});
expects('a ping between the frames of a message', GO_ON, async (bad) => {
  bad.text(ping.slice(0, 5), {fin: false});
  bad.text('between', {op: PING});
  bad.text(ping.slice(5), {op: 0});
  const seen = new Set();
  while (seen.size < 2) {
    const {op, payload} = await bad.frame();
    if (op === PONG) assert.equal(payload.toString(), 'between');
    if (op === PONG || op === TEXT) seen.add(op);
  }
});

// ---- kinds ----

expects('a binary message', 1003, (bad) => bad.text('abc', {op: BINARY}));
expects('an empty binary message', 1003, (bad) => bad.text('', {op: BINARY}));
expects('a binary message in frames', 1003, (bad) => bad.text('abc', {op: BINARY, fin: false}));
for (const op of [3, 4, 5, 6, 7, 11, 12, 13, 14, 15])
  expects(`the reserved opcode ${op}`, 1002, (bad) => bad.text('abc', {op}));
for (const rsv of [1, 2, 4]) expects(`the reserved bit ${rsv}`, 1002, (bad) => bad.text(ping, {rsv}));
expects('a continuation of nothing', 1002, (bad) => bad.text(ping, {op: 0}));
expects('a second beginning', 1002, (bad) => {
  bad.text('{', {fin: false});
  bad.text(ping);
});
expects('a ping in frames', 1002, (bad) => bad.text('x', {op: PING, fin: false}));
expects('pings and pongs without end', 4003, (bad) => {
  for (let at = 0; at < 1000; at++) bad.text('x', {op: at % 2 ? PING : PONG});
});
expects('a ping too long', 1002, (bad) => bad.text('x'.repeat(126), {op: PING}));
expects('a frame without a mask', 1002, (bad) => bad.text(ping, {mask: false}));
expects('a ping without a mask', 1002, (bad) => bad.text('x', {op: PING, mask: false}));
expects('a pong nobody asked for', GO_ON, (bad) => bad.text('hello', {op: PONG}));
for (const hex of ['ff', 'c3', '6180', '00e2'])
  expects(`a pong of the bytes ${hex}`, GO_ON, (bad) => bad.text(Buffer.from(hex, 'hex'), {op: PONG}));
expects('pings', GO_ON, async (bad) => {
  for (const text of ['', 'x', 'y'.repeat(125)]) {
    bad.text(text, {op: PING});
    for (;;) {
      const {op, payload} = await bad.frame();
      if (op !== PONG) continue;
      assert.equal(payload.toString(), text);
      break;
    }
  }
});

// ---- UTF-8 ----

const notUtf8 = ['ff', 'c0af', 'c1bf', 'e080af', 'f08080af', 'eda080', 'edbfbf', 'f4908080', 'f5808080', 'fe', '80', 'e28241',
  'c3', 'e298', 'f09f98'];
for (const hex of notUtf8)
  expects(`bytes ${hex}, which are not UTF-8`, 1007, (bad) => bad.text(Buffer.concat([Buffer.from('{"id":1,"op":"'), Buffer.from(hex, 'hex'), hex.length < 8 && /^(c3|e298|f09f98)$/.test(hex) ? Buffer.alloc(0) : Buffer.from('"}')])));
expects('a character cut by a frame', GO_ON, async (bad) => {
  const bytes = Buffer.from('{"id":77,"op":"rename","name":"Zo\u00eb \u2603"}');
  for (let at = 0; at < bytes.length; at++)
    bad.text(bytes.subarray(at, at + 1), {op: at === 0 ? TEXT : 0, fin: at === bytes.length - 1});
  assert.equal((await bad.reply(77)).ok.name, 'Zo\u00eb \u2603');
});

// ---- closing ----

for (const code of [1000, 1001, 1003, 1008, 3000, 4999])
  expects(`a close with ${code}`, code, (bad) => bad.text(Buffer.from([code >> 8, code & 255]), {op: CLOSE}));
for (const code of [0, 999, 1004, 1005, 1006, 1015, 2000])
  expects(`a close with ${code}, which is none`, 1002, (bad) => bad.text(Buffer.from([code >> 8, code & 255]), {op: CLOSE}));
expects('a close without a code', [1000, 1005], (bad) => bad.text('', {op: CLOSE}));
expects('a request behind a close', [1000], (bad) => {
  bad.text(Buffer.from([3, 232]), {op: CLOSE});
  bad.send({id: 78, op: 'say', room: honest.room, text: 'too late'});
});
expects('half a frame, then nothing more to come', CUT, (bad) => {
  bad.write(frame(ping).subarray(0, 9));
  bad.raw.socket.end();
});

test('a client that answers no ping is cut, one that does stays', async () => {
  const hasty = await Server.start(['--ping-interval-ms', '1000', '--ping-timeout-ms', '5000']);
  const mute = await player(hasty.port, 'Mute');
  const well = await player(hasty.port, 'Well');
  mute.pongs = false;
  assert.equal(await mute.closing(), CUT);
  assert.ok(mute.pings > 1, `${mute.pings} pings`); // not at the first that it does not answer
  while (well.pings <= mute.pings) await new Promise((resolve) => setTimeout(resolve, 50));
  assert.ok((await well.ask('ping')).ok);
  well.destroy();
  await hasty.stop();
}, 20000);

test('a client that does not answer a close frame is cut', async () => {
  const hasty = await Server.start(['--close-timeout-ms', '1000']);
  const rude = await player(hasty.port, 'Rude', {allowHalfOpen: true}); // goes on when the server has said its last
  rude.text('x', {op: BINARY});
  assert.equal(await rude.closing(), 1003);
  const talking = setInterval(() => rude.text(ping), 100);
  await rude.raw.until((raw) => raw.closed || undefined).finally(() => clearInterval(talking));
  await hasty.stop();
});

test('no connection is left over', async () => {
  honest.end();
  while ((await server.metrics()).taluva_connections > 0) await new Promise((resolve) => setTimeout(resolve, 100));
  assert.deepEqual(await server.stop(), {status: 0, signal: null}, server.stderr);
}, 20000);

await run(() => server.stop('SIGKILL'));
