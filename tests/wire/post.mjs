// What is sent to a page of a feature's (POST): the guest book of the tests, at a site of four parts in one process.
import {join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';

import {scratchFolder, Server} from './lib/server.mjs';
import {player, Raw} from './lib/socket.mjs';
import {assert, run, test} from './lib/tap.mjs';

const MOST = 16384; // HUB_HTTP_POST_MAX
const begin = (args = []) => Server.start(args, {env: {PARTS_BOOK: '1'}});
const server = await begin();

const head = (path, length, more = '', type = 'text/x-word') =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nOrigin: http://x\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n${more}\r\n`;
const post = (path, body, more) => head(path, body.length, more) + body;
const last = (path, body) => post(path, body, 'Connection: close\r\n');
const statusOf = (answer) => Number(/^HTTP\/1\.[01] (\d{3}) /.exec(answer)?.[1] ?? 0);
const bodyOf = (answer) => answer.slice(answer.indexOf('\r\n\r\n') + 4);
const MUCH = '/api/guest-book/much', WORDS = '/api/guest-book/words';

async function exchange(bytes, to = server) {
  const raw = await Raw.connect(to.port);
  raw.write(bytes);
  const answer = await raw.rest();
  raw.destroy();
  return answer;
}

test('a word is left, and who left it is known by Host and Origin', async () => {
  const answer = await exchange(last(WORDS, 'hello'));
  assert.equal(statusOf(answer), 200, answer);
  assert.equal(bodyOf(answer), 'hello from http://x to x');
  assert.match(answer, /\r\ncontent-type: text\/x-left\r\n/);
});

test('a document of the site: whoever comes next, to whatever part, reads what somebody has made of it', async () => {
  const ana = await player(server.port, 'Ana'), bo = await player(server.port, 'Bo');
  assert.equal(ana.hello.welcome, undefined);
  assert.deepEqual(await ana.must('games', {after: 'we1c0mes'}), {welcome: 'Ana'});
  assert.deepEqual(await bo.must('games', {after: 'we1c0mes'}), {welcome: 'Bo'});
  for (let at = 0; at < 6; at++) {
    const who = await player(server.port, 'Zoe');
    assert.equal(who.hello.welcome, 'Bo');
    who.destroy();
  }
  ana.destroy();
  bo.destroy();
});

test('bodies of every size up to what the page takes, in one piece and byte by byte', async () => {
  for (const size of [0, 1, 4000, 4096, 4097, 8192, MOST - 1, MOST]) {
    const answer = await exchange(last(MUCH, `${'x'.repeat(Math.max(size - 1, 0))}${size ? 'z' : ''}`));
    assert.equal(statusOf(answer), 200, answer);
    assert.equal(bodyOf(answer), `${size} bytes, the last ${size ? 'z' : '-'}`);
  }
  const raw = await Raw.connect(server.port);
  for (const byte of last(MUCH, 'abcdefz')) raw.write(byte);
  assert.equal(bodyOf(await raw.rest()), '7 bytes, the last z');
});

test('one behind the other on a connection, all sent at once, and GET between them', async () => {
  const all = await exchange(post(MUCH, 'a') + post(MUCH, '') + `GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n` + post(MUCH, 'x'.repeat(5000)) + last(MUCH, 'abz'));
  const found = [...all.matchAll(/\r\n\r\n(\d+ bytes, the last .|ok\n)/g)].map((one) => one[1]);
  assert.deepEqual(found, ['1 bytes, the last a', '0 bytes, the last -', 'ok\n', '5000 bytes, the last x', '3 bytes, the last z']);
});

test('while an answer is waited for the next one may be here whole', async () => {
  const most = 'x'.repeat(MOST);
  const all = await exchange(post(WORDS, 'again') + post(MUCH, most) + last(MUCH, most));
  assert.equal(all.split(`${MOST} bytes`).length, 3, all.slice(0, 2000));
});

test('who waits for the word is told to go on, once, and not if it is refused', async () => {
  const raw = await Raw.connect(server.port);
  raw.write(head(MUCH, 3, 'Expect: 100-continue\r\nConnection: close\r\n'));
  await raw.until((now) => now.received.toString() === 'HTTP/1.1 100 Continue\r\n\r\n' || undefined);
  raw.write('a');
  raw.write('bz');
  const answer = await raw.rest();
  assert.equal(answer.split('100 Continue').length, 2);
  assert.ok(answer.endsWith('3 bytes, the last z'), answer);
  assert.equal(statusOf(await exchange(head(MUCH, MOST + 1, 'Expect: 100-continue\r\n'))), 413);
  assert.equal(statusOf(await exchange(post(MUCH, 'abz', 'Expect: 100-continue\r\nConnection: close\r\n'))), 200);
});

const refused = {
  'no length': [411, `POST ${MUCH} HTTP/1.1\r\nHost: x\r\nContent-Type: text/x-word\r\n\r\n`],
  'chunks': [411, `POST ${MUCH} HTTP/1.1\r\nHost: x\r\nContent-Type: text/x-word\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n`],
  'chunks and a length': [400, `POST ${MUCH} HTTP/1.1\r\nHost: x\r\nContent-Type: text/x-word\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n3\r\nabc\r\n0\r\n\r\n`],
  'one byte too much': [413, post(MUCH, 'x'.repeat(MOST + 1))],
  'too much for this page': [413, post(WORDS, 'x'.repeat(41))],
  'more than there is memory': [413, head(MUCH, '999999999999999999')],
  'another type': [415, head(MUCH, 3, '', 'text/plain') + 'abc'],
  'a type that begins alike': [415, head(MUCH, 3, '', 'text/x-words') + 'abc'],
  'no type': [415, `POST ${MUCH} HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc`],
  'a page for GET alone': [405, post('/api/guest-book', 'abc')],
  'a file': [405, post('/index.html', 'abc')],
  'no page': [405, post('/api/nothing', 'abc')],
  'a path without end': [405, post(`${WORDS}/${'x'.repeat(300)}`, 'abc')],
  'another method': [405, `PUT ${MUCH} HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc`],
  'an origin without end': [400, post(MUCH, 'abc').replace('http://x', `http://${'x'.repeat(300)}`)],
};

test('what cannot be read, or is none of the page\'s, is refused as it is, and nothing behind it is taken for a request', async () => {
  for (const [what, [status, bytes]] of Object.entries(refused)) {
    const answer = await exchange(`${bytes}GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n`);
    assert.equal(statusOf(answer), status, `${what}: ${answer}`);
    assert.match(answer, /\r\nconnection: close\r\n/, what);
    assert.equal(answer.split('HTTP/1.1 ').length, 2, `${what}: ${answer}`);
  }
  assert.match(await exchange(refused['another method'][1]), /\r\nallow: POST\r\n/);
  assert.match(await exchange(refused['a page for GET alone'][1]), /\r\nallow: GET, HEAD\r\n/);
  assert.match(await exchange(`PUT ${WORDS}/ HTTP/1.1\r\nHost: x\r\n\r\n`), /\r\nallow: GET, HEAD, POST\r\n/);
  assert.match(await exchange(`GET ${MUCH} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`), /^HTTP\/1\.1 405 [^]*\r\nallow: POST\r\n/);
});

test('types are told apart without their parameters and without case', async () => {
  for (const type of ['TEXT/X-Word', 'text/x-word; charset=utf-8', 'text/x-word ;a=b'])
    assert.equal(statusOf(await exchange(head(MUCH, 1, 'Connection: close\r\n', type) + 'x')), 200, type);
});

test('a body that does not come is not waited for, however often a byte of it does', async () => {
  const hasty = await begin(['--http-timeout-ms', '1500']);
  const silent = await Raw.connect(hasty.port), slow = await Raw.connect(hasty.port);
  silent.write(head(MUCH, 5));
  slow.write(head(MUCH, MOST));
  let over = false;
  const ended = Promise.all([silent.rest(), slow.rest()]).then((all) => {
    over = true;
    return all;
  });
  while (!over) {
    slow.write('x');
    await pause(20);
  }
  assert.deepEqual(await ended, ['', '']);
  assert.equal((await hasty.metrics()).taluva_http_answer_bytes, 0);
  await hasty.stop();
});

test('who goes away in the middle of it leaves nothing, and bodies are bounded all together', async () => {
  const BOUND = 200000, FIT = 4; // the page of metrics is made in that memory, too
  const small = await begin(['--http-answer-bytes-in-all', `${BOUND}`]);
  const many = [];
  for (let at = 0; at < 4 * FIT; at++) {
    const raw = await Raw.connect(small.port);
    raw.write(head(MUCH, MOST));
    many.push(raw);
    const most = Math.min(at + 1, FIT);
    while ((await small.metrics()).taluva_http_answer_bytes < most * MOST) await pause(5);
  }
  assert.equal(await many[0].rest(), '');
  assert.ok((await small.metrics()).taluva_http_answer_bytes <= BOUND);
  many.at(-1).write(`${'x'.repeat(MOST - 1)}z`);
  await many.at(-1).until((now) => now.received.toString().endsWith('the last z') || undefined);
  for (const raw of many) raw.destroy();
  while ((await small.metrics()).taluva_http_answer_bytes > 0) await pause(5);
  assert.equal((await small.stop()).status, 0);
});

test('nothing is logged of it, and the server ends as always', async () => {
  assert.equal((await server.stop()).status, 0);
});

await run();
