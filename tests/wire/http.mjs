// HTTP: what is served, what is refused, and requests that no browser would send.
import {createHash} from 'node:crypto';
import {mkdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {gunzipSync} from 'node:zlib';
import {assert, run, test} from './lib/tap.mjs';
import {certificate} from './lib/certificate.mjs';
import {Match} from './lib/match.mjs';
import {runToEnd, scratchFolder, Server} from './lib/server.mjs';
import {handshake, Raw} from './lib/socket.mjs';

const web = join(scratchFolder(), 'web');
mkdirSync(join(web, 'js'), {recursive: true});
mkdirSync(join(web, '.git'));
const page = `<!doctype html>${'<p>hello</p>'.repeat(500)}`;
const secret = join(web, '..', 'secret.txt');
writeFileSync(join(web, 'index.html'), page);
writeFileSync(join(web, 'own.html'), '<script src="a.js"></script><script>say()</script><style>p { color: red }</style>');
writeFileSync(join(web, 'js', 'main.js'), 'export {};\n');
writeFileSync(join(web, 'icon.svg'), '<svg/>');
writeFileSync(join(web, 'sw.js'), 'export {};\n');
for (const name of ['drawing.svg', 'words.txt', 'figures.json', 'letter.html', 'table.css', 'hut.png', 'letters.woff2'])
  writeFileSync(join(web, 'js', name), '');
const sizes = [0, 1, 4095, 4096, 4097, 32768, 32769, 65536];
for (const size of sizes) writeFileSync(join(web, `of-${size}.png`), 'x'.repeat(size));
writeFileSync(join(web, '.hidden.html'), 'hidden');
writeFileSync(join(web, '.git', 'config.txt'), 'hidden');
writeFileSync(join(web, 'README'), 'no type');
writeFileSync(secret, 'secret');
symlinkSync(secret, join(web, 'link.txt'));

const server = await Server.start(['--web', web, '--sessions-per-address-burst', '1000']);
const honest = await Match.start(server.port);
// Where nobody waits long for what does not come, nor for who does not go.
const hasty = await Server.start(['--web', web, '--http-timeout-ms', '1000']);
const beside = await Match.start(hasty.port);

/** Sends bytes as they are and returns all that comes back. */
async function exchange(bytes, {port} = server) {
  const raw = await Raw.connect(port);
  raw.write(bytes);
  const answer = await raw.rest();
  raw.destroy();
  return answer;
}

const get = (path, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${more}\r\n`;
const statusOf = (answer) => Number(/^HTTP\/1\.[01] (\d{3}) /.exec(answer)?.[1] ?? 0);

test('the page, its type, and what protects it', async () => {
  const {status, headers, body} = await server.get('/');
  assert.equal(status, 200);
  assert.equal(body, page);
  assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
  const policy = headers.get('content-security-policy');
  for (const part of ["default-src 'self'", "frame-ancestors 'none'", "base-uri 'none'", "object-src 'none'"])
    assert.ok(policy.includes(part), policy);
  assert.ok(!/unsafe|\*|data:|http/.test(policy), policy);
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
  assert.equal(headers.get('referrer-policy'), 'no-referrer');
  assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin');
  assert.equal(headers.get('cache-control'), 'no-cache');
});

test('the policy comes with whatever is opened alone or run as a service worker, and not again with parts of a page', async () => {
  const POLICY = ['content-security-policy', 'cross-origin-opener-policy', 'referrer-policy'];
  const ALWAYS = {'x-content-type-options': 'nosniff', 'cross-origin-resource-policy': 'same-origin'};
  const whole = ['/', '/index.html', '/sw.js', '/icon.svg', '/js/drawing.svg', '/js/words.txt', '/js/figures.json', '/js/letter.html', '/healthz', '/api/rooms', '/nothing.js'];
  const parts = ['/js/main.js', '/js/table.css', '/js/hut.png', '/js/letters.woff2'];
  for (const path of [...whole, ...parts]) {
    const {headers} = await server.get(path);
    for (const name of POLICY) assert.equal(headers.has(name), whole.includes(path), `${path}: ${name}`);
    for (const [name, value] of Object.entries(ALWAYS)) assert.equal(headers.get(name), value, `${path}: ${name}`);
  }
  const {headers} = await server.get('/js/main.js');
  assert.ok(!(await exchange(get('/js/main.js', `If-None-Match: ${headers.get('etag')}\r\n`))).includes('content-security-policy'));
  assert.ok((await exchange(get('/sw.js', 'If-None-Match: "other"\r\n'))).includes('content-security-policy'));
});

test('what a page has in itself is allowed there by its hash, and nothing else', async () => {
  const sources = ['say()', 'p { color: red }'].map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`).join(' ');
  for (const more of ['', 'If-None-Match: "other"\r\n']) {
    const answer = await exchange(get('/own.html', more));
    assert.ok(answer.includes(`; script-src 'self' ${sources}; style-src 'self' ${sources}\r\n`), answer);
  }
  assert.ok(!(await server.get('/')).headers.get('content-security-policy').includes('src \'self\' \'sha'));
});

test('a picture of a match is drawn beside the loop, and kept', async () => {
  for (const _ of [1, 2]) {
    const {status, headers, body} = await server.get(`/api/pictures/${honest.room}`);
    assert.equal(status, 200, body);
    assert.equal(headers.get('content-type'), 'image/png');
    assert.match(body, /^.PNG/);
  }
  assert.equal((await server.get('/api/pictures/00000000')).status, 404);
});

test('types by name', async () => {
  assert.equal((await server.get('/js/main.js')).headers.get('content-type'), 'text/javascript; charset=utf-8');
  assert.equal((await server.get('/icon.svg')).headers.get('content-type'), 'image/svg+xml');
  assert.equal((await server.get('/index.html')).body, page);
});

test('bodies of every size, with what stands behind them', async () => {
  for (const size of sizes) {
    const answer = await exchange(`GET /of-${size}.png HTTP/1.1\r\nHost: x\r\n\r\n${get('/healthz')}`);
    const begin = answer.indexOf('\r\n\r\n') + 4, end = begin + size;
    assert.match(answer.slice(0, begin), new RegExp(`^HTTP/1\\.1 200 OK\r\n[^]*\r\ncontent-length: ${size}\r\n`));
    assert.equal(answer.slice(begin, end), 'x'.repeat(size));
    assert.match(answer.slice(end), /^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\nok\n$/, `${size}`);
  }
});

test('compressed if the client accepts it, and not sent again if it has it', async () => {
  const raw = await Raw.connect(server.port);
  raw.write(get('/', 'Accept-Encoding: br, gzip\r\n'));
  await raw.rest();
  const end = raw.received.indexOf('\r\n\r\n');
  const head = raw.received.subarray(0, end).toString();
  assert.match(head, /content-encoding: gzip/);
  assert.ok(raw.received.length < page.length / 2);
  assert.equal(gunzipSync(raw.received.subarray(end + 4)).toString(), page);
  const tag = /etag: (\S+)/.exec(head)[1];
  const again = await exchange(get('/', `If-None-Match: ${tag}\r\n`));
  assert.equal(statusOf(again), 304);
  assert.ok(again.endsWith('\r\n\r\n'), 'a body with 304');
  assert.equal(statusOf(await exchange(get('/', 'If-None-Match: "other"\r\n'))), 200);
});

test('HEAD is GET without the body', async () => {
  const answer = await exchange('HEAD / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  assert.equal(statusOf(answer), 200);
  assert.match(answer, new RegExp(`content-length: ${page.length}\r\n`));
  assert.ok(answer.endsWith('\r\n\r\n'));
});

test('several requests on one connection', async () => {
  const raw = await Raw.connect(server.port);
  const one = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
  for (let at = 0; at < 3; at++) {
    raw.write(one);
    await raw.until((now) => now.received.toString().split('ok\n').length > at + 1 || undefined);
  }
  raw.write(one + one + get('/healthz'));
  const all = await raw.rest();
  assert.equal(all.split('ok\n').length, 7, all);
});

test('health, readiness, rooms and metrics', async () => {
  assert.deepEqual([(await server.get('/healthz')).status, (await server.get('/healthz')).body], [200, 'ok\n']);
  assert.equal((await server.get('/readyz')).status, 200);
  const list = await server.get('/api/rooms');
  const rooms = JSON.parse(list.body);
  assert.match(list.headers.get('content-type'), /^application\/json/);
  assert.ok(rooms.rooms.some((room) => room.room === honest.room));
  const metrics = await server.metrics();
  assert.equal(metrics.taluva_connections, 2);
});

test('no record before the end, none of an unknown room', async () => {
  for (const path of [`/api/records/${honest.room}`, '/api/records/00000000', '/api/records/', '/api/records/x', '/api', '/api/', '/api/nothing'])
    assert.equal((await server.get(path)).status, 404, path);
});

test('metrics only for this machine', async () => {
  for (const header of ['X-Forwarded-For: 192.0.2.1', 'X-Forwarded-For: 127.0.0.1'])
    assert.equal(statusOf(await exchange(get('/metrics', `${header}\r\n`))), 403, header);
  assert.equal(statusOf(await exchange(get('/metrics'))), 200);
});

const outside = ['/../secret.txt', '/js/../../secret.txt', '/%2e%2e/secret.txt', '/..%2fsecret.txt', '/..%5csecret.txt',
  '//secret.txt', '/./../secret.txt', '/link.txt', '/.hidden.html', '/.git/config.txt', '/README', '/js', '/js/',
  '/index.html/', '/INDEX.HTML', '/index.html%00.js', '/etc/passwd', '/%', '/%zz', '/\\..\\secret.txt',
  `/${'../'.repeat(50)}etc/passwd`, '/js/main.js/../../../secret.txt', '/proc/self/environ', '/taluva.db', '/lock'];
test('nothing but what was loaded', async () => {
  for (const path of outside) {
    const answer = await exchange(get(path));
    assert.ok(!answer.includes('secret\n') && !/^secret|hidden|no type/m.test(answer.split('\r\n\r\n')[1] ?? ''), `${path}: ${answer}`);
    assert.ok([0, 400, 403, 404].includes(statusOf(answer)) || answer.endsWith(page), `${path}: ${answer.slice(0, 60)}`);
  }
});

test('files changed or added later are not served', async () => {
  writeFileSync(join(web, 'later.html'), 'later');
  assert.equal((await server.get('/later.html')).status, 404);
});

const methods = ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'];
test('methods other than GET and HEAD', async () => {
  for (const method of methods) {
    const answer = await exchange(`${method} / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc`);
    assert.ok([0, 405].includes(statusOf(answer)), `${method}: ${answer.slice(0, 80)}`);
    assert.ok(!answer.includes('hello'), method);
  }
  const posted = await exchange('POST /api/rooms HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n');
  assert.equal(statusOf(posted), 405);
  assert.match(posted, /\r\nallow: GET, HEAD\r\n/);
  assert.match(posted, /\r\nconnection: close\r\n/);
});

const nonsense = {
  'no HTTP at all': 'hello\r\n\r\n',
  'an unknown method': 'BREW / HTTP/1.1\r\nHost: x\r\n\r\n',
  'a CONNECT': 'CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: x\r\n\r\n',
  'a TLS hello': Buffer.from('16030100c8010000c40303', 'hex'),
  'binary noise': Buffer.from(Array.from({length: 2000}, (_, at) => (at * 7919) % 256)),
  'an absolute address': 'GET http://127.0.0.1/etc/passwd HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  'no path': 'GET HTTP/1.1\r\n\r\n',
  'HTTP/2 in the clear': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'an upgrade to h2c': 'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n',
  'an upgrade to something': 'GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: irc\r\n\r\n',
  'two lengths': 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 5\r\n\r\nabc',
  'a negative length': 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\nabc',
  'a huge length': 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\nabc',
  'chunks': 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
  'a header of a megabyte': `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(1 << 20)}\r\n\r\n`,
  'ten thousand headers': `GET / HTTP/1.1\r\nHost: x\r\n${'X-A: b\r\n'.repeat(10000)}\r\n`,
  'a path of a megabyte': `GET /${'a'.repeat(1 << 20)} HTTP/1.1\r\nHost: x\r\n\r\n`,
  'a path of 3000': get(`/${'a'.repeat(3000)}`),
  'blank lines': '\r\n'.repeat(5000),
};
for (const [name, bytes] of Object.entries(nonsense)) {
  test(name, async () => {
    const answer = await exchange(bytes, hasty);
    assert.ok(![101, 200, 304, 500].includes(statusOf(answer)) || answer.endsWith(page) || /\r\n\r\n<!doctype/.test(answer), answer.slice(0, 200));
    await beside.verify();
    await beside.step();
  });
}

// Where a request ends must be beyond doubt, or what follows is taken for another request.
const smuggled = 'GET /api/rooms HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
const doubtful = {
  'two lengths': 'Content-Length: 3\r\nContent-Length: 5\r\n',
  'the same length twice': 'Content-Length: 0\r\nContent-Length: 0\r\n',
  'a list of lengths': 'Content-Length: 3, 3\r\n',
  'a hexadecimal length': 'Content-Length: 0x10\r\n',
  'a length with a sign': 'Content-Length: +5\r\n',
  'a negative length': 'Content-Length: -5\r\n',
  'chunks': 'Transfer-Encoding: chunked\r\n',
  'chunks and a length': 'Transfer-Encoding: chunked\r\nContent-Length: 3\r\n',
  'an unknown coding': 'Transfer-Encoding: identity\r\n',
};
for (const [name, headers] of Object.entries(doubtful)) {
  test(`a GET with ${name} is refused, and nothing behind it is answered`, async () => {
    const answer = await exchange(`GET /healthz HTTP/1.1\r\nHost: x\r\n${headers}\r\n0\r\n\r\n${smuggled}`);
    assert.equal(statusOf(answer), 400, answer);
    assert.equal(answer.split('HTTP/1.').length, 2, answer);
    assert.match(answer, /connection: close/i);
  });
}

test('a head that is too large is refused with its own status', async () => {
  const answer = await exchange(`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(16400)}`);
  assert.equal(statusOf(answer), 431, answer);
  assert.match(answer, /connection: close/);
});

test('cookies of other programs on the same host are no hindrance', async () => {
  for (const size of [3000, 5000, 9000, 16000]) {
    const cookies = `Cookie: a=${'x'.repeat(size)}\r\n`;
    assert.equal(statusOf(await exchange(get('/', cookies))), 200, `${size}`);
    const {Socket} = await import('./lib/socket.mjs');
    const socket = await Socket.open(server.port, {changes: {headers: {Cookie: `a=${'x'.repeat(size)}`}}});
    socket.destroy();
  }
  const {text} = handshake(server.port, {headers: {Cookie: 'x'.repeat(16384)}});
  assert.equal(statusOf(await exchange(text)), 431);
});

// Of a record of TLS no socket tells any more when a part of it has been read.
test('a request in one long record of TLS is answered', async () => {
  const {cert, key, make} = certificate();
  make('long');
  const safe = await Server.start(['--tls-cert', cert, '--tls-key', key]);
  for (const size of [3000, 7000, 9000, 12000, 15000]) {
    const raw = await Raw.connect(safe.port, {secure: {}});
    raw.write(get('/healthz', `Connection: close\r\nCookie: a=${'x'.repeat(size)}\r\n`));
    assert.equal(statusOf(await raw.rest()), 200, `${size}`);
  }
  await safe.stop();
});

test('a name that is not the server\'s own is answered nothing', async () => {
  const named = await Server.start(['--host', 'table.example', '--origin', 'https://club.example', '--trusted-proxy', '127.0.0.2']);
  const ask = async (path, host, {more = '', localAddress} = {}) => {
    const raw = await Raw.connect(named.port, {localAddress});
    raw.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${more}\r\n`);
    return statusOf(await raw.rest());
  };
  for (const host of ['127.0.0.1', 'localhost:80', '[::1]', 'x', 'table.example:7400', 'club.example']) {
    assert.equal(await ask('/api/rooms', host), 200, host);
    assert.equal(await ask('/metrics', host), 200, host);
  }
  for (const host of ['evil.example', 'table.example.evil.example', '127.0.0.1.evil.example', '']) {
    for (const path of ['/', '/api/rooms', '/metrics', '/no/such/file']) assert.equal(await ask(path, host), 421, host + path);
    for (const path of ['/healthz', '/readyz']) assert.equal(await ask(path, host), 200, host + path);
  }
  // Who claims to be a proxy is none; a proxy of ours knows its names.
  const more = 'X-Forwarded-For: 192.0.2.1\r\n';
  assert.equal(await ask('/api/rooms', 'evil.example', {more}), 421);
  assert.equal(await ask('/api/rooms', 'evil.example', {more, localAddress: '127.0.0.2'}), 200);
  assert.equal(await ask('/api/rooms', 'evil.example', {localAddress: '127.0.0.2'}), 421);
  assert.equal((await named.metrics()).taluva_http_misdirected_total, 18);
  await named.stop();
});

test('no WebSocket for a page under a name that was pointed here', async () => {
  const named = await Server.start(['--host', 'table.example']);
  const {Socket} = await import('./lib/socket.mjs');
  const open = async (Host, Origin) => {
    const socket = await Socket.open(named.port, {changes: {headers: {Host, Origin}}});
    socket.send({id: 1, op: 'hello'});
    const {close = 'open'} = await socket.next();
    socket.destroy();
    return close;
  };
  assert.equal(await open('table.example', 'http://table.example'), 'open');
  assert.equal(await open('table.example:80', 'http://table.example'), 'open');
  assert.equal(await open('table.example', 'https://table.example:443'), 'open');
  assert.equal(await open('evil.example', 'http://evil.example'), 1008);
  assert.equal(await open('table.example:80', 'https://table.example'), 1008);
  assert.equal(await open('evil.example', null), 'open'); // no page
  await named.stop();
});

test('slow headers and half-open connections are cut in time', async () => {
  const silent = await Raw.connect(hasty.port);
  const slow = await Raw.connect(hasty.port);
  const drip = setInterval(() => slow.write('X-A: b\r\n'), 200);
  slow.write('GET / HTTP/1.1\r\n');
  const kept = await Raw.connect(hasty.port);
  kept.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  for (const raw of [silent, slow, kept]) await raw.rest(); // or it fails
  clearInterval(drip);
});

test('a client that does not read the answer is cut', async () => {
  const big = await Raw.connect(hasty.port);
  big.socket.pause();
  for (let at = 0; at < 2000; at++) big.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  let sockets = 0;
  do {
    await new Promise((resolve) => setTimeout(resolve, 50));
    ({taluva_http_sockets: sockets} = await hasty.metrics());
  } while (sockets > 1); // the page of metrics is one
  big.socket.resume();
  await big.rest();
  assert.ok(big.received.length < 2000 * page.length);
}, 20000);

test('X-Forwarded-For is trusted only from declared proxies', async () => {
  const strict = await Server.start(['--connections-per-address', '2']);
  const trusting = await Server.start(['--connections-per-address', '2', '--trusted-proxy', '127.0.0.0/8']);
  const {Socket} = await import('./lib/socket.mjs');
  const open = async (port, from) => {
    const socket = await Socket.open(port, {changes: {headers: {'X-Forwarded-For': from}}});
    socket.send({id: 1, op: 'hello'});
    return (await socket.next()).close ?? 'open';
  };
  const spoofed = [];
  const proxied = [];
  for (let at = 0; at < 4; at++) {
    spoofed.push(await open(strict.port, `192.0.2.${at}`));
    proxied.push(await open(trusting.port, `198.51.100.9, 192.0.2.${at}`));
  }
  assert.deepEqual(spoofed, ['open', 'open', 1013, 1013]);
  assert.deepEqual(proxied, ['open', 'open', 'open', 'open']);
  for (let at = 0; at < 2; at++) proxied.push(await open(trusting.port, '192.0.2.0'));
  assert.deepEqual(proxied.slice(4), ['open', 1013]);
  assert.equal(await open(trusting.port, '192.0.2.77, 127.0.0.9'), 'open'); // a chain of trusted proxies
  await strict.stop();
  await trusting.stop();
});

test('X-Forwarded-For of a proxy must be readable', async () => {
  const trusting = await Server.start(['--trusted-proxy', '127.0.0.0/8']);
  const ask = async (forwarded, request) => {
    const raw = await Raw.connect(trusting.port);
    raw.write(request(`X-Forwarded-For: ${forwarded}\r\n`));
    const answer = await raw.rest();
    raw.destroy();
    return statusOf(answer);
  };
  const metrics = (header) => get('/metrics', header);
  const upgrade = (header) => {
    const {text} = handshake(trusting.port);
    return text.replace('\r\n\r\n', `\r\n${header}\r\n`);
  };
  for (const forwarded of ['unknown', '192.0.2.1, unknown', ',', `${'10.1.1.1, '.repeat(200)}127.0.0.1`]) {
    assert.equal(await ask(forwarded, metrics), 400, forwarded);
    assert.equal(await ask(forwarded, upgrade), 400, forwarded);
  }
  for (const forwarded of ['unknown, 192.0.2.1', '127.0.0.1', '::1', '127.0.0.1:443', '"[::1]:443"', 'fe80::1%eth0']) {
    assert.equal(await ask(forwarded, metrics), 403, forwarded);
  }
  for (const field of ['Forwarded: for=127.0.0.1', 'Via: 1.1 x', 'X-Real-IP: 127.0.0.1', 'X-Forwarded-Proto: https']) {
    const raw = await Raw.connect(trusting.port);
    raw.write(get('/metrics', `${field}\r\n`));
    assert.equal(statusOf(await raw.rest()), 403, field);
  }
  assert.equal(await ask('::1', () => get('/metrics')), 200);
  await trusting.stop();
});

test('a folder that is no web client is refused at start', () => {
  const empty = scratchFolder();
  const ended = runToEnd(['--listen', '127.0.0.1:0', '--data', join(empty, 'data'), '--web', empty]);
  assert.equal(ended.status, 69);
  assert.match(ended.stderr, /no index\.html/);
  const none = runToEnd(['--listen', '127.0.0.1:0', '--data', join(empty, 'data'), '--web', '/no/such/folder']);
  assert.equal(none.status, 69);
  assert.match(none.stderr, /No such file/);
});

test('it stops after everything is stored', async () => {
  for (const each of [server, hasty]) assert.deepEqual(await each.stop(), {status: 0, signal: null}, each.stderr);
});

await run(() => Promise.all([server, hasty].map((each) => each.stop('SIGKILL'))));
