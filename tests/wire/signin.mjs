// Signing in elsewhere, over real sockets: by the header of a trusted proxy, and at a provider of OpenID Connect.
import {createHash, randomBytes} from 'node:crypto';
import {chmodSync, writeFileSync} from 'node:fs';
import {request} from 'node:http';
import {join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {makeKey, Provider, signToken} from '../support/provider.mjs';
import {runToEnd, scratchFolder, Server} from './lib/server.mjs';
import {player, Socket} from './lib/socket.mjs';
import {assert, run, test} from './lib/tap.mjs';

const external = ['--accounts', 'external', '--claims-per-address-per-day', '1000', '--connects-per-address-burst', '1000'];
const proxy = [...external, '--identity-header', 'X-Remote-User', '--trusted-proxy', '127.0.0.2'];
const origin = 'http://localhost:7400'; // where browsers would come back to

/** A secret as the page draws it, and what the server is told of it. */
function draw() {
  const secret = randomBytes(32);
  return {secret: secret.toString('base64url'), bound: createHash('sha256').update(secret).digest('base64url')};
}

/** GET without following: the status and the headers. */
function get(port, path, {from = '127.0.0.1', headers = {}} = {}) {
  return new Promise((resolve, reject) => {
    const asked = request({host: '127.0.0.1', port, path, localAddress: from, headers, agent: false}, (response) => {
      response.resume();
      response.on('end', () => resolve({status: response.statusCode, location: response.headers.location, cookie: response.headers['set-cookie']?.[0]}));
    });
    asked.on('error', reject);
    asked.end();
  });
}

const begin = (port, bound, options) => get(port, `/enter?bound=${bound}`, options);

/** By the proxy as that person: what the page would show. */
async function byProxy(port, who, drawn = draw()) {
  const {status, location} = await begin(port, drawn.bound, {from: '127.0.0.2', headers: {'x-remote-user': who}});
  assert.equal(status, 303);
  return `${location.replace('/#signed=', '')}.${drawn.secret}`;
}

/** A new device of whoever has that voucher. */
async function comer(port, voucher) {
  const socket = await Socket.open(port);
  socket.hello = await socket.must('hello', {voucher});
  return socket;
}

const codeOf = (answer) => answer.error?.code ?? 'ok';

// ---- by a proxy

test('whom a trusted proxy names is who they are, on every device', async () => {
  const server = await Server.start(proxy);
  const ana = await player(server.port, 'Ana');
  assert.equal(ana.hello.site.accounts, 'external');
  assert.equal(codeOf(await ana.ask('claim', {handle: 'Ana-1'})), 'external_needed');
  await ana.must('sign_in', {voucher: await byProxy(server.port, 'ana@club')});
  await ana.must('claim', {handle: 'Ana-1'});
  const other = await comer(server.port, await byProxy(server.port, 'ana@club'));
  assert.equal(other.hello.session, ana.hello.session);
  assert.equal(other.hello.account.handle, 'Ana-1');
  const bo = await player(server.port, 'Bo');
  assert.equal(codeOf(await bo.ask('sign_in', {voucher: await byProxy(server.port, 'ana@club')})), 'external_taken');
  await bo.must('sign_in', {voucher: await byProxy(server.port, 'Ana@club')}); // names are told apart by case
  await server.stop();
});

test('after kill -9 too', async () => {
  let server = await Server.start(proxy);
  const {data} = server, ana = await player(server.port, 'Ana');
  await ana.must('sign_in', {voucher: await byProxy(server.port, 'ana')});
  await server.stop('SIGKILL');
  server = await Server.start(proxy, {data});
  const back = await comer(server.port, await byProxy(server.port, 'ana'));
  assert.equal(back.hello.session, ana.hello.session);
  await server.stop();
});

test('nobody else is believed', async () => {
  const server = await Server.start(proxy);
  const {bound} = draw(), named = {'x-remote-user': 'ana'};
  const untrusted = {status: 303, location: '/#sign-in=untrusted', cookie: undefined};
  assert.deepEqual(await begin(server.port, bound, {headers: named}), untrusted);
  assert.deepEqual(await begin(server.port, bound, {headers: {...named, 'x-forwarded-for': '127.0.0.2'}}), untrusted);
  assert.deepEqual(await begin(server.port, bound, {from: '127.0.0.2'}), untrusted);
  assert.deepEqual(await begin(server.port, bound, {from: '127.0.0.2', headers: {'x-remote-user': ['ana', 'bo']}}), untrusted);
  assert.deepEqual(await begin(server.port, bound, {from: '127.0.0.2', headers: {'x-remote-user': ''}}), untrusted);
  assert.deepEqual(await begin(server.port, bound, {from: '127.0.0.2', headers: {'x-remote-user': 'a'.repeat(256)}}), untrusted);
  const figures = await (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text();
  assert.match(figures, /^taluva_sign_ins_total\{outcome="untrusted"\} 6$/m);
  await server.stop();
});

test('a voucher is good once, and with its secret', async () => {
  const server = await Server.start(proxy);
  const ana = await player(server.port, 'Ana'), drawn = draw(), voucher = await byProxy(server.port, 'ana', drawn);
  assert.equal(codeOf(await ana.ask('sign_in', {voucher: voucher.replace(drawn.secret, draw().secret)})), 'voucher_refused');
  await ana.must('sign_in', {voucher});
  assert.equal(codeOf(await ana.ask('sign_in', {voucher})), 'voucher_refused');
  await server.stop();
});

test('what the page has not begun leads to the page', async () => {
  const server = await Server.start(proxy);
  for (const path of ['/enter', '/enter?bound=', '/enter?bound=abc', `/enter?bound=${draw().bound}&bound=${draw().bound}`, '/enter?bound=%ff'])
    assert.equal((await get(server.port, path, {from: '127.0.0.2', headers: {'x-remote-user': 'ana'}})).location, '/#sign-in=unstarted', path);
  assert.equal((await get(server.port, '/enter/back?code=1')).status, 404);
  await server.stop();
});

test('elsewhere there is no such page', async () => {
  const server = await Server.start(['--accounts', 'open']);
  assert.equal((await begin(server.port, draw().bound)).status, 404);
  await server.stop();
});

// ---- at a provider

function secretFile(text = 'very-secret') {
  const path = join(scratchFolder(), 'secret');
  writeFileSync(path, text);
  chmodSync(path, 0o600);
  return path;
}

async function startBoth(change = () => {}) {
  const provider = await Provider.start();
  change(provider);
  const server = await Server.start([...external, '--oidc-issuer', provider.issuer, '--oidc-client', 'taluva', '--oidc-secret-file', secretFile(`${provider.secret}\n`), '--origin', origin]);
  return {provider, server, stop: () => Promise.all([provider.stop(), server.stop()])};
}

/** As far as the provider: where it sends the browser back to, and what that has kept. */
async function throughProvider(server, drawn) {
  const {status, location, cookie} = await begin(server.port, drawn.bound);
  assert.equal(status, 303);
  const {headers} = await fetch(location, {redirect: 'manual'});
  const back = new URL(headers.get('location'));
  assert.equal(back.origin, origin);
  return {back: `${back.pathname}${back.search}`, headers: {cookie: cookie.split(';')[0]}};
}

/** All the way: the voucher, or where the page says what is wrong. */
async function signIn({server}, drawn = draw()) {
  const {back, headers} = await throughProvider(server, drawn);
  const {location} = await get(server.port, back, {headers});
  return location.startsWith('/#signed=') ? `${location.replace('/#signed=', '')}.${drawn.secret}` : location;
}

for (const alg of ['RS256', 'ES256', 'EdDSA']) {
  test(`who has signed in at a provider is who they are there: ${alg}`, async () => {
    const both = await startBoth((provider) => {
      provider.keys = [makeKey(alg, 'one')];
    });
    const {server, provider, stop} = both, ana = await player(server.port, 'Ana');
    await ana.must('sign_in', {voucher: await signIn(both)});
    await ana.must('claim', {handle: 'Ana-1'});
    const other = await comer(server.port, await signIn(both));
    assert.equal(other.hello.account.handle, 'Ana-1');
    provider.person = 'somebody else'; // with the same address
    const bo = await player(server.port, 'Bo');
    await bo.must('sign_in', {voucher: await signIn(both)});
    assert.notEqual(bo.hello.session, ana.hello.session);
    await stop();
  });
}

test('where a browser is sent, and what it keeps', async () => {
  const {server, provider, stop} = await startBoth();
  const {location, cookie} = await begin(server.port, draw().bound), url = new URL(location);
  assert.equal(url.origin + url.pathname, `${provider.issuer}/authorize`);
  const {state, nonce, code_challenge: challenge, ...asked} = Object.fromEntries(url.searchParams);
  assert.deepEqual(asked, {response_type: 'code', scope: 'openid', client_id: 'taluva', redirect_uri: `${origin}/enter/back`, code_challenge_method: 'S256'});
  for (const drawn of [state, nonce, challenge]) assert.match(drawn, /^[\w-]{43}$/);
  assert.match(cookie, /^taluva_enter=[\w-]{235}; Path=\/enter; HttpOnly; SameSite=Lax; Max-Age=600$/);
  await stop();
});

test('a state is good once, and for the browser that began', async () => {
  const both = await startBoth(), {server, stop} = both;
  const {back, headers} = await throughProvider(server, draw());
  const expired = async (path, options) => assert.equal((await get(server.port, path, options)).location, '/#sign-in=expired', path);
  await expired(back, {});
  const other = await throughProvider(server, draw());
  await expired(back, {headers: other.headers});
  await expired(back.replace(/state=./, 'state='), {headers});
  assert.match((await get(server.port, back, {headers})).location, /^\/#signed=/);
  await expired(back, {headers});
  await stop();
});

test('a code is good once', async () => {
  const both = await startBoth(), {server, provider, stop} = both;
  const {back, headers} = await throughProvider(server, draw());
  provider.codes.clear(); // somebody else was quicker
  assert.equal((await get(server.port, back, {headers})).location, '/#sign-in=refused');
  await stop();
});

test('what a provider says is not believed as it comes', async () => {
  const both = await startBoth(), {provider, server, stop} = both, now = Math.floor(Date.now() / 1000);
  const hs256 = {...provider.keys[0], alg: 'RS256'};
  const faults = [
    {claims: {nonce: draw().secret}},
    {claims: {iss: 'http://127.0.0.1:1'}},
    {claims: {aud: 'somebody'}},
    {claims: {aud: ['taluva', 'somebody']}},
    {claims: {azp: 'somebody'}},
    {claims: {exp: now - 61}},
    {claims: {iat: now + 3600}},
    {claims: {sub: ''}},
    {header: {alg: 'none'}},
    {header: {alg: 'HS256'}},
    {header: {crit: ['exp']}},
    {key: makeKey('RS256', 'first')},
    {key: makeKey('RS256', 'other')},
    {token: `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify({iss: provider.issuer, sub: 'x'})).toString('base64url')}.`},
    {token: 'no token'},
    {token: signToken(hs256, [])},
    {iss: 'http://127.0.0.1:1'},
    {error: 'server_error'},
  ];
  for (const fault of faults) {
    provider.faults = fault;
    assert.equal(await signIn(both), '/#sign-in=refused', JSON.stringify(fault));
  }
  provider.faults = {error: 'access_denied'};
  assert.equal(await signIn(both), '/#sign-in=denied');
  provider.faults = {};
  assert.match(await signIn(both), /^[\w-]+\.[\w-]+$/);
  assert.match(server.stderr, /sign_in_refused/);
  await stop();
});

test('a provider may change its keys, and is not asked for them over and over', async () => {
  const both = await startBoth(), {provider, stop} = both;
  assert.match(await signIn(both), /\./);
  const keys = () => provider.asked.filter((path) => path === '/jwks').length;
  assert.equal(keys(), 1);
  provider.faults = {key: makeKey('RS256', 'made up')};
  const asked = [];
  for (let n = 0; n < 5; n++) asked.push(await signIn(both));
  assert.deepEqual(new Set(asked), new Set(['/#sign-in=refused']));
  assert.ok(keys() <= 2, `${keys()}`);
  provider.faults = {};
  provider.keys = [makeKey('ES256', 'second')];
  let answer = '/#sign-in=refused';
  while (answer === '/#sign-in=refused') {
    await pause(250); // keys are looked for again after some seconds; a thousand tries until then are more than an address has
    answer = await signIn(both);
  }
  assert.match(answer, /\./);
  await stop();
});

test('a provider that is away is told of, and others are not held up', async () => {
  const {server, provider, stop} = await startBoth();
  await provider.stop();
  assert.equal((await begin(server.port, draw().bound)).location, '/#sign-in=away');
  const ana = await player(server.port, 'Ana');
  await ana.must('create');
  assert.equal((await begin(server.port, draw().bound)).location, '/#sign-in=away'); // at once
  assert.match(server.stderr, /sign_in_away/);
  const figures = await (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text();
  assert.match(figures, /^taluva_sign_ins_total\{outcome="away"\} 2$/m);
  await provider.listen(provider.port);
  await stop();
});

test('one that does not answer is given up', async () => {
  const {server, stop} = await startBoth((provider) => {
    provider.faults = {silent: true};
  });
  assert.equal((await begin(server.port, draw().bound)).location, '/#sign-in=away');
  await stop();
});

test('one that says something else of itself is none', async () => {
  const discoveries = [
    {issuer: 'http://127.0.0.1:1'},
    {authorization_endpoint: 'http://club.example/authorize'},
    {authorization_endpoint: 'javascript:alert(1)'},
    {token_endpoint: undefined},
    {jwks_uri: 'file:///etc/passwd'},
    {code_challenge_methods_supported: ['plain']},
    {id_token_signing_alg_values_supported: ['HS256']},
  ];
  for (const discovery of discoveries) {
    const {server, stop} = await startBoth((provider) => {
      provider.faults = {discovery};
    });
    assert.equal((await begin(server.port, draw().bound)).location, '/#sign-in=away', JSON.stringify(discovery));
    await stop();
  }
});

// ---- options

test('options that do not fit are refused at the start', async () => {
  const issuer = ['--oidc-issuer', 'https://id.example', '--oidc-client', 'taluva'];
  const wrong = [
    ['--accounts', 'external'],
    ['--accounts', 'external', '--identity-header', 'X-User'],
    ['--accounts', 'external', '--identity-header', 'X User', '--trusted-proxy', '127.0.0.1'],
    ['--accounts', 'external', '--identity-header', 'X-User', '--trusted-proxy', '127.0.0.1', ...issuer],
    ['--accounts', 'external', ...issuer],
    ['--accounts', 'external', ...issuer, '--origin', 'http://club.example'],
    ['--accounts', 'external', '--oidc-issuer', 'http://id.example', '--oidc-client', 'taluva', '--origin', origin],
    ['--accounts', 'external', '--oidc-issuer', 'https://id.example', '--origin', origin],
    ['--accounts', 'open', ...issuer],
    ['--identity-header', 'X-User', '--trusted-proxy', '127.0.0.1'],
  ];
  for (const options of wrong) {
    const {status, stderr} = await runToEnd(options);
    assert.equal(status, 64, `${options}: ${stderr}`);
  }
  const readable = secretFile();
  chmodSync(readable, 0o644);
  for (const path of [readable, secretFile(''), secretFile('two words\n'), '/nowhere'])
    assert.notEqual((await runToEnd(['--accounts', 'external', ...issuer, '--origin', origin, '--oidc-secret-file', path])).status, 0, path);
});

run();
