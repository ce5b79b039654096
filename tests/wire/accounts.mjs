// Accounts over real sockets: how a site has them, handles that stay whose they are when the server is killed, and names that would
// break something.
import {mkdtempSync, unlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {assert, run, test} from './lib/tap.mjs';
import {runToEnd, scratchFolder, Server} from './lib/server.mjs';
import {player} from './lib/socket.mjs';

const open = ['--accounts', 'open', '--claims-per-address-per-day', '1000'];
const claim = (who, handle) => who.ask('claim', {handle});
const code = async (who, handle) => (await claim(who, handle)).error?.code ?? 'ok';

test('a server has none unless it is told to', async () => {
  const server = await Server.start();
  const ana = await player(server.port, 'Ana');
  assert.deepEqual(ana.hello.site, {accounts: 'off', visitors: true});
  assert.equal(await code(ana, 'ana'), 'accounts_off');
  await server.stop();
});

test('nobody talks who has come to a name where that is so', async () => {
  const server = await Server.start(['--quiet-host', 'school.example', '--quiet-host', 'other.example']);
  const at = (host) => player(server.port, 'Ana', {changes: {headers: {Host: host}}});
  const bo = await player(server.port, 'Bo'), {room} = await bo.must('create');
  await bo.must('watch', {room});
  assert.equal(bo.hello.quiet, undefined);
  for (const host of ['school.example', `School.Example:${server.port}`, 'other.example.']) {
    const ana = await at(host);
    assert.equal(ana.hello.quiet, true, host);
    await ana.must('watch', {room});
    assert.equal((await ana.ask('say', {room, text: 'hi'})).error.code, 'quiet');
    await bo.must('say', {room, text: 'hi'});
    await ana.must('ping');
    assert.deepEqual((ana.pushes ?? []).filter(({push}) => push === 'said'), []);
    ana.destroy();
  }
  assert.equal((await at('myschool.example')).hello.quiet, undefined);
  await server.stop();
  const silent = await Server.start(['--quiet-host', '*']);
  assert.equal((await player(silent.port, 'Ana')).hello.quiet, true);
  await silent.stop();
});

test('a handle is whose it is, also after kill -9', async () => {
  let server = await Server.start(open);
  const {data} = server, ana = await player(server.port, 'Ana'), bo = await player(server.port, 'Bo');
  assert.equal(ana.hello.site.accounts, 'open');
  const {account} = await ana.must('claim', {handle: 'Ana-1903'});
  assert.equal(account.handle, 'Ana-1903');
  assert.equal(await code(bo, 'anal9o3'), 'handle_taken');
  const {room} = await ana.must('create');
  const view = await ana.must('join', {room});
  assert.equal(view.state?.seats?.['0'].handle ?? 'Ana-1903', 'Ana-1903');
  await server.stop('SIGKILL');
  server = await Server.start(open, {data});
  const back = await player(server.port, undefined, {token: ana.token});
  assert.equal(back.hello.account.handle, 'Ana-1903');
  const seen = await back.must('watch', {room});
  assert.equal(seen.state.seats['0'].handle, 'Ana-1903');
  const again = await player(server.port, undefined, {token: bo.token});
  assert.equal(again.hello.account, undefined);
  assert.equal(await code(again, 'ANA_1903'), 'handle_taken');
  assert.equal(await code(again, 'Bo-1'), 'ok');
  await server.stop();
});

test('other devices are told of a handle', async () => {
  const server = await Server.start(open);
  const ana = await player(server.port, 'Ana'), other = await player(server.port, undefined, {token: ana.token});
  await ana.must('claim', {handle: 'Ana-1'});
  const {account} = await other.push((message) => message.push === 'account');
  assert.equal(account.handle, 'Ana-1');
  await server.stop();
});

test('of many who ask for one at once one has it', async () => {
  const server = await Server.start(open);
  const people = await Promise.all(Array.from({length: 20}, (_, n) => player(server.port, `P${n}`)));
  const codes = await Promise.all(people.map((who, n) => code(who, n % 2 ? 'wanted' : 'Wan-ted')));
  assert.deepEqual(codes.filter((one) => one !== 'handle_taken'), ['ok']);
  await server.stop();
  assert.equal(/level=error/.test(server.stderr), false, server.stderr); // the store and the server agree
});

test('an address claims so many a day', async () => {
  const server = await Server.start(['--accounts', 'open', '--claims-per-address-per-day', '3']);
  const people = await Promise.all(Array.from({length: 12}, (_, n) => player(server.port, `P${n}`)));
  const codes = await Promise.all(people.map((who, n) => code(who, `some-${String.fromCharCode(97 + n)}`)));
  assert.equal(codes.filter((one) => one === 'ok').length, 3);
  assert.equal(codes.filter((one) => one === 'slow_down').length, 9);
  const figures = await (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text();
  assert.match(figures, /^taluva_accounts [03]$/m); // of the parts that this server has: at the wrong node none
  assert.match(figures, /^taluva_claims_total\{outcome="granted"\} [03]$/m);
  await server.stop();
});

test('what is no handle is refused and comes into no log', async () => {
  const server = await Server.start(open);
  const ana = await player(server.port, 'Ana');
  for (const bad of ['an', 'a'.repeat(21), 'ana\nlevel=error', 'ana\u001b[31m', '<b>ana', 'ana"', "a'--", '../ana', 'аna', 'ana\u202e', 'ana%s%n', 'ana ana', 'ana--bo', '-ana', '7ana', ''])
    assert.equal(await code(ana, bad) === 'ok', false, JSON.stringify(bad));
  for (const bad of [7, null, ['ana'], {ana: 1}]) assert.equal(await code(ana, bad), 'bad_field');
  for (const kept of ['admin', 'Gecko', 'm0derator', 'ana-bot']) assert.equal(await code(ana, kept), 'handle_reserved');
  const {stderr} = server;
  assert.equal(/ana|level=error/.test(stderr), false, stderr);
  await server.stop();
});

test('where only accounts play, others look on', async () => {
  const server = await Server.start([...open, '--visitors', 'off']);
  const ana = await player(server.port, 'Ana'), bo = await player(server.port, 'Bo');
  assert.deepEqual(ana.hello.site, {accounts: 'open', visitors: false});
  assert.equal((await ana.ask('create')).error.code, 'account_needed');
  await ana.must('claim', {handle: 'ana'});
  const {room} = await ana.must('create');
  assert.equal((await bo.ask('join', {room})).error.code, 'account_needed');
  await bo.must('watch', {room});
  await bo.must('claim', {handle: 'bob'});
  await bo.must('join', {room});
  await server.stop();
});

test('people talk in the lobby if the operator wants it, and who waits for a line is told at once', async () => {
  const silent = await Server.start(open);
  const nobody = await player(silent.port, 'Ana');
  assert.equal(nobody.hello.chat, undefined);
  assert.equal((await nobody.ask('chat')).error.code, 'chat_off');
  await silent.stop();
  const server = await Server.start([...open, '--lobby-chat', 'accounts', '--chat-age-ms', '0', '--quiet-host', 'school.example']);
  const ana = await player(server.port, 'Ana'), bo = await player(server.port, 'Bo'), eve = await player(server.port, 'Eve');
  assert.equal(eve.hello.chat, 'accounts');
  assert.equal((await eve.ask('chat')).error.code, 'account_needed');
  await ana.must('claim', {handle: 'ana'});
  await bo.must('claim', {handle: 'bob'});
  const {have, whole} = await bo.must('chat');
  assert.equal(whole, true);
  const waits = bo.must('chat', {have});
  const lost = await player(server.port, undefined, {token: bo.token}); // is gone before there is an answer
  lost.ask('chat', {have}).catch(() => undefined);
  lost.destroy();
  const {line} = await ana.must('chat_say', {text: 'Anybody for four players?'});
  assert.deepEqual((await waits).lines.map((one) => [one.line, one.handle, one.text]), [[line, 'ana', 'Anybody for four players?']]);
  const pupil = await player(server.port, undefined, {token: bo.token, changes: {headers: {Host: 'school.example'}}});
  assert.equal((await pupil.ask('chat')).error.code, 'quiet');
  assert.equal((await pupil.ask('chat_say', {text: 'hi'})).error.code, 'quiet');
  await server.stop();
});

test('names for which there are no passkeys are said at the start', async () => {
  const begin = async (...names) => {
    const server = await Server.start([...open, ...names]);
    await server.stop();
    return [...server.stderr.matchAll(/event=passkeys_elsewhere rp=club.example (.*)/g)].map((line) => line[1]);
  };
  const page = ['--origin', 'https://club.example'];
  assert.deepEqual(await begin(...page, '--host', 'club.example', '--host', 'play.club.example'), []);
  assert.deepEqual(await begin(...page, '--host', 'myclub.example'), ['host=myclub.example']);
  assert.deepEqual(await begin(...page, '--origin', 'https://old.example:8443'), ['origin=https://old.example:8443']);
});

test('what nobody is called is read again without a restart', async () => {
  const file = join(scratchFolder(), 'patterns');
  writeFileSync(file, '# none of these\nbadword\n');
  const server = await Server.start(['--name-patterns', file]);
  const ana = await player(server.port, 'Ana');
  const called = async (name) => (await ana.ask('rename', {name})).error?.code ?? 'ok';
  const logged = async (line) => {
    while (!line.test(server.stderr)) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  assert.equal(await called('B4d W0rd'), 'name_refused');
  writeFileSync(file, 'other\n');
  server.signal('SIGHUP');
  await logged(/event=name_patterns count=1/);
  assert.equal(await called('B4d W0rd'), 'ok');
  assert.equal(await called('0ther'), 'name_refused');
  writeFileSync(file, 'fine\n=\n');
  server.signal('SIGHUP');
  await logged(/event=name_patterns_failed .*line 2/);
  assert.equal(await called('0ther'), 'name_refused');
  unlinkSync(file);
  server.signal('SIGHUP');
  await logged(/event=name_patterns_failed .*No such file/);
  assert.equal(await called('0ther'), 'name_refused');
  await server.stop();
});

test('the operator reserves handles', async () => {
  const file = join(mkdtempSync(join(scratchFolder(), 'reserved-')), 'handles');
  writeFileSync(file, 'club-secretary\nhouse kiosk\n');
  const server = await Server.start([...open, '--reserved-handles', file]);
  const ana = await player(server.port, 'Ana');
  for (const kept of ['ClubSecretary', 'h0use', 'k1osk']) assert.equal(await code(ana, kept), 'handle_reserved');
  assert.equal(await code(ana, 'houses'), 'ok');
  await server.stop();
  const begin = (reserved) => runToEnd(['--data', server.data, ...open, '--reserved-handles', reserved]);
  const refused = (text) => {
    writeFileSync(file, text);
    const {status, stderr} = begin(file);
    assert.equal(status, 64);
    return stderr;
  };
  assert.match(refused('fine\nno handle!\n'), /no is no handle/);
  assert.match(refused('a'.repeat(70000)), /too long/);
  assert.match(begin(`${file}-not`).stderr, /No such file/);
});

/** By HTTP, with what is given as Authorization. */
async function ask(server, path, {token, body, method = body === undefined ? 'GET' : 'POST', scheme = 'Bearer', more = {}} = {}) {
  const headers = {...more, ...(token !== undefined && {authorization: `${scheme} ${token}`}), ...(body !== undefined && {'content-type': 'application/json'})};
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {method, headers, body: typeof body === 'string' || body === undefined ? body : JSON.stringify(body)});
  for (const [name] of answer.headers) assert.doesNotMatch(name, /^access-control-/, 'nothing for pages of other sites');
  const text = await answer.text();
  return {status: answer.status, challenge: answer.headers.get('www-authenticate'), allow: answer.headers.get('allow'), value: text.startsWith('{') ? JSON.parse(text) : text};
}

test('scripts ask by HTTP with a token, for no more than its scopes', async () => {
  const server = await Server.start([...open, '--rooms-per-session', '4']);
  const ana = await player(server.port, 'Ana');
  await ana.must('claim', {handle: 'ana-1903'});
  const make = async (scope) => (await ana.must('token_add', {name: scope, scope, days: 1})).token;
  const games = await make('games'), room = await make('room');
  const none = 'Bearer realm="taluva"', wrong = `${none}, error="invalid_token"`;
  for (const path of ['/api/me/games', '/api/me/games/after/2v5n8b1c']) {
    assert.deepEqual(await ask(server, path), {status: 401, challenge: none, allow: null, value: {code: 'unknown_token'}});
    assert.equal((await ask(server, path, {token: 'YTpi', scheme: 'Basic'})).challenge, none);
    for (const token of ['', 'x', ana.token, `${games}0`, games.slice(0, -1), games.replace(/.$/, (last) => (last === '0' ? '1' : '0')), 'a'.repeat(5000)]) {
      const {status, challenge} = await ask(server, path, {token});
      assert.deepEqual({status, challenge}, {status: 401, challenge: wrong}, token);
    }
    assert.deepEqual(await ask(server, path, {token: games, scheme: 'bearer'}), {status: 200, challenge: null, allow: null, value: {games: []}});
    const refused = await ask(server, path, {token: room});
    assert.deepEqual([refused.status, refused.challenge, refused.value.code], [403, `${none}, error="insufficient_scope", scope="games"`, 'not_allowed']);
    assert.deepEqual([(await ask(server, path, {token: games, body: {}})).status], [405]);
    assert.equal((await ask(server, path, {method: 'OPTIONS', more: {'access-control-request-headers': 'authorization'}})).status, 405);
  }
  for (const path of ['/api/me/games/after/', '/api/me/games/after/no', '/api/me/games/after/2v5n8b1c/']) assert.equal((await ask(server, path, {token: games})).status, 400, path);
  assert.equal((await ask(server, '/api/me', {token: games})).status, 404);
  const rooms = [{title: 'Table 1'}, {options: {players: 3}, access: 'code'}, {options: {players: 77}}, {title: 'Table 2'}];
  const made = await ask(server, '/api/me/rooms', {token: room, body: {id: 1, rooms}});
  assert.equal(made.status, 200);
  assert.equal(made.value.rooms.length, 4);
  assert.equal(made.value.rooms[2].error.code, 'bad_options');
  assert.match(made.value.rooms[1].code, /^\S+$/);
  for (const at of [0, 1, 3]) assert.match(made.value.rooms[at].room, /^[0-9a-z]{8}$/);
  const listed = (await ana.must('rooms')).rooms.map(({title}) => title);
  assert.deepEqual(listed.filter(Boolean).sort(), ['Table 1', 'Table 2']);
  assert.deepEqual((await ask(server, '/api/me/rooms', {token: room, body: {id: 1, rooms}})).value.rooms[0], made.value.rooms[0]); // once more is as once
  const full = await ask(server, '/api/me/rooms', {token: room, body: {id: 2, rooms: [{}, {}]}});
  assert.deepEqual(full.value.rooms.map(({error}) => error?.code), [undefined, 'too_many_rooms']);
  assert.deepEqual([(await ask(server, '/api/me/rooms', {token: games, body: {id: 3, rooms: [{}]}})).challenge], [`${none}, error="insufficient_scope", scope="room"`]);
  assert.deepEqual([(await ask(server, '/api/me/rooms', {body: {id: 3, rooms: [{}]}})).challenge], [none]);
  const get = await ask(server, '/api/me/rooms', {token: room});
  assert.deepEqual([get.status, get.allow], [405, 'POST']);
  for (const body of ['', '{', '[]', {}, {rooms: [{}]}, ...[[], [1], {}, [{op: 'hello'}], [{id: 1}], Array(21).fill({})].map((rooms) => ({id: 4, rooms})), {id: 4, rooms: [{}], more: 1}, ...[0, -1, 2 ** 53, 1.5, 'x'].map((id) => ({id, rooms: [{}]}))])
    assert.equal((await ask(server, '/api/me/rooms', {token: room, body})).status, 400, JSON.stringify(body));
  assert.equal((await ask(server, '/api/me/rooms', {token: room, body: {id: 4, rooms: [{title: 'x'.repeat(17000)}]}})).status, 413);
  const {tokens} = await ana.must('tokens');
  for (const {key} of tokens) await ana.must('token_drop', {key});
  assert.equal((await ask(server, '/api/me/games', {token: games})).challenge, wrong);
  await server.stop();
});

test('all that is kept of somebody by HTTP, to nobody else', async () => {
  const server = await Server.start(open);
  const ana = await player(server.port, 'Ana'), bo = await player(server.port, 'Bo');
  await ana.must('claim', {handle: 'ana-1905'});
  await bo.must('claim', {handle: 'bo-1905'});
  await ana.must('follow', {handle: 'bo-1905'});
  const {token} = await ana.must('export'), other = (await bo.must('export')).token;
  const get = async (name, by = token) => ask(server, `/api/me/${name}`, {token: by});
  const hello = (await get('hello')).value;
  assert.deepEqual([hello.name, hello.account.handle, hello.scope, hello.token], ['Ana', 'ana-1905', 'export', undefined]);
  for (const name of ['devices', 'tokens', 'bots', 'invites', 'blocks', 'kept', 'kept_at_desk', 'games']) {
    const {status, value} = await get(name);
    assert.equal(status, 200, name);
    const lasting = (all) => JSON.parse(JSON.stringify(all, (key, inner) => (key === 'this' || key === 'seen' ? undefined : inner)));
    assert.deepEqual(lasting(value), lasting(await ana.must(name)), name);
  }
  assert.equal((await get('friends')).value.friends[0].handle, 'bo-1905');
  assert.equal((await get('friends', other)).value.friends.length, 0);
  for (const name of ['profile', 'cases', 'rooms/', 'devices/', 'devices/after/2v5n8b1c', 'hello/', '', 'x'.repeat(100)]) assert.equal((await get(name)).status, 404, name);
  assert.deepEqual([(await get('rooms')).status, (await ask(server, '/api/me/rooms', {token, body: {id: 1, rooms: [{}]}})).status], [405, 403]);
  const lesser = (await ana.must('token_add', {name: 'x', scope: 'games play room people', days: 1})).token;
  for (const name of ['devices', 'kept']) assert.match((await get(name, lesser)).challenge, /scope="export"$/);
  for (const wrong of [ana.token, token.slice(0, -1)]) assert.equal((await get('devices', wrong)).status, 401);
  await ana.must('export');
  assert.equal((await get('devices')).status, 401);
  await server.stop();
});

test('what scripts ask by HTTP counts as a connection of their address', async () => {
  const server = await Server.start([...open, '--connects-per-address-burst', '40', '--connects-per-address-per-s', '1']);
  const ana = await player(server.port, 'Ana');
  await ana.must('claim', {handle: 'ana-1904'});
  const {token} = await ana.must('token_add', {name: 'games', scope: 'games', days: 1});
  let last, times = 0;
  do last = await ask(server, '/api/me/games', {token});
  while (last.status === 200 && ++times < 400);
  assert.deepEqual([last.status, last.value], [429, {code: 'slow_down'}]);
  await server.stop();
});

await run();
