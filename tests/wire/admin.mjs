// The operator's socket and taluva-admin on it: who may ask, what a line may be, what a client cannot do to the server, and the
// audit log.
import {execFile, execFileSync, spawnSync} from 'node:child_process';
import {appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmdirSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import net from 'node:net';
import {join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {promisify} from 'node:util';
import {assert, run, test} from './lib/tap.mjs';
import {makeAhead, setAside} from './lib/damage.mjs';
import {Match} from './lib/match.mjs';
import {runToEnd, scratchFolder, Server, slowDisk} from './lib/server.mjs';
import {player, Socket} from './lib/socket.mjs';

const program = process.env.TALUVA_ADMIN_PROGRAM;
const socketOf = (server) => join(server.data, 'admin.sock');
const auditOf = (server) => join(server.data, 'admin-audit.log');
/** The lines that are whole: the file is there before the first of them is. */
const audited = (path) => readFileSync(path, 'utf8').split('\n').slice(0, -1).map((line) => JSON.parse(line));

/** A connection to the socket, line by line. */
class Operator {
  static async connect(path) {
    const operator = new Operator();
    operator.socket = net.connect(path);
    operator.bytes = '';
    operator.closed = false;
    operator.socket.on('data', (bytes) => (operator.bytes += bytes));
    operator.socket.on('error', () => {});
    operator.socket.on('close', () => (operator.closed = true));
    operator.greeting = await operator.line();
    return operator;
  }

  /** The next line; null: there are no more. */
  async line() {
    for (;;) {
      const end = this.bytes.indexOf('\n');
      if (end >= 0) {
        const line = this.bytes.slice(0, end);
        this.bytes = this.bytes.slice(end + 1);
        return JSON.parse(line);
      }
      if (this.closed) return null;
      await new Promise((resolve) => {
        this.socket.once('data', resolve);
        this.socket.once('close', resolve);
      });
    }
  }

  async ask(op, members = {}) {
    this.socket.write(`${JSON.stringify({id: 1, op, ...members})}\n`);
    return await this.line();
  }

  destroy() {
    this.socket.destroy();
  }
}

/** {status, stdout, stderr} of the program. */
async function admin(server, ...words) {
  return await promisify(execFile)(program, [...words, '--socket', socketOf(server)]).then(
    ({stdout, stderr}) => ({status: 0, stdout, stderr}),
    ({code, stdout, stderr}) => ({status: code, stdout, stderr}));
}

test('a clock that is wrong is shown', async () => {
  const data = join(scratchFolder(), 'data');
  makeAhead(data);
  const server = await Server.start([], {data});
  const status = await admin(server, 'status');
  assert.match(status.stdout, /^the server's time is \d+\.\d s ahead of the clock of its machine$/m);
  const {clock_ahead_ms: ahead} = JSON.parse((await admin(server, 'status', '--json')).stdout);
  assert.ok(ahead > 30 * 86400000, `${ahead}`);
  await server.stop();
  const right = await Server.start([]);
  assert.doesNotMatch((await admin(right, 'status')).stdout, /server's time/);
  await right.stop();
});

test('what the program shows', async () => {
  const server = await Server.start();
  const match = await Match.start(server.port, {title: 'Sunday'});
  const status = await admin(server, 'status');
  assert.equal(status.status, 0, status.stderr);
  assert.match(status.stdout, /^server +taluvad \S+\n/);
  assert.match(status.stdout, /^draining +no$/m);
  assert.match(status.stdout, /^clock ahead ms +-?\d+$/m);
  const rooms = (await admin(server, 'rooms')).stdout.trimEnd().split('\n');
  assert.equal(rooms.length, 2);
  assert.match(rooms[1], new RegExp(`^${match.room} +taluva +playing +live .*Sunday`));
  assert.equal((await admin(server, 'rooms', 'nobody')).stdout.trimEnd().split('\n').length, 1);
  const [room] = (await admin(server, 'rooms', '--json')).stdout.trimEnd().split('\n').map((line) => JSON.parse(line));
  assert.equal(room.summary.title, 'Sunday');
  assert.equal((await admin(server, 'room', match.room)).stdout.match(/127\.0\.0\.1$/gm).length, match.players.length);
  assert.equal((await admin(server, 'sessions')).stdout.match(/127\.0\.0\.1$/gm).length, match.players.length);
  assert.match((await admin(server, 'addresses')).stdout, new RegExp(`\n127\\.0\\.0\\.1 +${match.players.length} +${match.players.length} `));
  match.end();
  await server.stop();
});

test('exit statuses, and what to do', async () => {
  const server = await Server.start();
  const refused = await admin(server, 'room', 'abcdefgh');
  assert.deepEqual(refused, {status: 65, stdout: '', stderr: 'taluva-admin: There is no such room.\n'});
  for (const [words, says] of [[[], /which command/], [['dance'], /no such command/], [['room'], /missing/],
    [['rename', 'Ana', 'Bo'], /not understood.*\nusage: taluva-admin rename HANDLE --to HANDLE /], [['status', 'x'], /not understood/],
    [['status', '--all'], /no such option/], [['rooms', '\x1b[2J', '\x1b[2J'], /\\u\{1b\}\[2J: not/]]) {
    const {status, stdout, stderr} = spawnSync(program, words, {encoding: 'utf8'});
    assert.deepEqual([status, stdout], [64, ''], stderr);
    assert.match(stderr, says);
  }
  const first = spawnSync(program, ['--socket', socketOf(server), 'status'], {encoding: 'utf8'}); // options may come first
  assert.deepEqual([first.status, first.stderr], [0, '']);
  assert.equal(spawnSync(program, ['--version'], {encoding: 'utf8'}).status, 0);
  assert.match(spawnSync(program, ['rooms', '--help'], {encoding: 'utf8'}).stdout, /--all/);
  await server.stop();
  assert.ok(!existsSync(socketOf(server)));
  const gone = await admin(server, 'status');
  assert.equal(gone.status, 69);
  assert.match(gone.stderr, /no server listens there; start taluvad, or name its socket/);
  const home = scratchFolder();
  const nowhere = spawnSync(program, ['status'], {encoding: 'utf8', env: {HOME: home}});
  assert.equal(nowhere.status, 69);
  const full = await Server.start();
  const stuck = spawnSync('sh', ['-c', '"$0" status --socket "$1" >/dev/full', program, socketOf(full)], {encoding: 'utf8'});
  assert.equal(stuck.status, 74, stuck.stderr);
  await full.stop();
});

test('letters that were set aside are listed, tried again and dropped', async () => {
  const data = join(scratchFolder(), 'data');
  await (await Server.start([], {data})).stop();
  const name = (addressee, id) => addressee.toString(16).padStart(16, '0') + id.toString(16).padStart(16, '0');
  const whole = {state: 3, kind: 'history.match', text: `abcdefgh 0 1000 ${JSON.stringify({title: 'Sunday'})}`};
  setAside(data, {addressee: 77, id: 1, ...whole});
  setAside(data, {addressee: 77, id: 2, ...whole, text: 'no match'});
  setAside(data, {addressee: 78, id: 3, ...whole, state: 2});
  const server = await Server.start([], {data});
  const listed = async () => (await admin(server, 'letters', '--json')).stdout.split('\n').filter(Boolean).map((line) => JSON.parse(line));
  assert.deepEqual((await listed()).map(({letter, to, kind, state, sent, bytes}) => [letter, to, kind, state, sent, bytes]), [
    [name(78, 3), name(0, 78).slice(16), 'history.match', 'unreadable', 1000, whole.text.length],
    [name(77, 1), name(0, 77).slice(16), 'history.match', 'ineffective', 1000, whole.text.length],
    [name(77, 2), name(0, 77).slice(16), 'history.match', 'ineffective', 1000, 8]]);
  const shown = (await admin(server, 'letters', 'unreadable')).stdout.trimEnd().split('\n');
  assert.match(shown.join('|'), new RegExp(`^LETTER +TO +KIND +STATE +SENT +BYTES\\|${name(78, 3)} +\\S+ +history.match +unreadable `));
  assert.deepEqual(await admin(server, 'retry', name(77, 1)), {status: 0, stdout: `letter         ${name(77, 1)}\n`, stderr: ''});
  assert.equal((await admin(server, 'retry', name(77, 2))).status, 0);
  assert.equal((await admin(server, 'discard', name(78, 3))).status, 0);
  while ((await listed()).length !== 1) await pause(20); // it is set aside again
  assert.deepEqual((await listed()).map(({letter, state}) => [letter, state]), [[name(77, 2), 'unreadable']]);
  for (const what of ['retry', 'discard']) {
    const {status, stderr} = await admin(server, what, name(77, 1));
    assert.deepEqual([status, stderr], [65, 'taluva-admin: No such letter is set aside.\n']);
  }
  const lines = audited(auditOf(server)).map(({op, letter, result}) => `${op} ${Number(`0x${letter.slice(16)}`)} ${result}`);
  const tries = (line, at) => line.endsWith('busy') || lines[at + 1]?.endsWith('busy'); // taluva-admin asks again
  assert.deepEqual(lines.filter((line, at) => !tries(line, at)), [
    'retry 1 begun', 'retry 1 ok', 'retry 2 begun', 'retry 2 ok', 'discard 3 begun', 'discard 3 ok',
    'retry 1 begun', 'retry 1 unknown_letter', 'discard 1 begun', 'discard 1 unknown_letter']);
  await server.stop();
});

test('a list of more than a page is whole', async () => {
  const server = await Server.start(['--connections-per-address', '1000', '--connects-per-address-burst', '10000']);
  const people = await Promise.all(Array.from({length: 130}, (_, at) => player(server.port, `P${at}`)));
  const lines = (await admin(server, 'sessions', '--json')).stdout.trimEnd().split('\n').map((line) => JSON.parse(line).name);
  assert.deepEqual(lines.sort(), people.map((_, at) => `P${at}`).sort());
  for (const who of people) who.destroy();
  await server.stop();
});

test('modes: the socket for the group, the log for the server alone', async () => {
  const server = await Server.start();
  assert.equal(statSync(socketOf(server)).mode & 0o7777, 0o660);
  await admin(server, 'drain');
  assert.equal(statSync(auditOf(server)).mode & 0o7777, 0o600);
  await server.stop();
});

// Whatever the mode of the socket. Only root can be somebody else.
if (process.getuid() === 0) {
  test('a stranger is refused, a member of the group is not', async () => {
    const folder = scratchFolder(), path = join(folder, 'open.sock');
    const server = await Server.start(['--admin', path]);
    for (const name of [folder, path]) assert.equal(spawnSync('chmod', ['777', name]).status, 0);
    const as = (...who) => spawnSync('setpriv', [...who, program, 'status', '--socket', path], {encoding: 'utf8'});
    assert.equal(as('--reuid=65534', '--regid=65534', '--clear-groups').status, 69);
    await server.logged(/event=admin_refused uid=65534/);
    assert.equal(as('--reuid=65534', '--regid=65534', '--groups=65534,0').status, 0);
    assert.equal(as('--reuid=65534', '--regid=0', '--clear-groups').status, 0);
    assert.equal(spawnSync('chmod', ['600', path]).status, 0);
    const shut = as('--reuid=65534', '--regid=65534', '--clear-groups');
    assert.equal(shut.status, 77, shut.stderr);
    assert.match(shut.stderr, /not allowed; root may ask/);
    await server.stop();
  });
}

test('the socket of a dead server is replaced, that of a living one is not', async () => {
  const path = join(scratchFolder(), 'admin.sock');
  const first = await Server.start(['--admin', path]);
  const second = runToEnd(['--listen', '127.0.0.1:0', '--data', join(scratchFolder(), 'data'), '--admin', path]);
  assert.equal(second.status, 69, second.stderr);
  assert.match(second.stderr, /cannot listen on .* for the operator: Address already in use/);
  let operator = await Operator.connect(path);
  assert.ok((await operator.ask('status')).ok);
  operator.destroy();
  await first.stop('SIGKILL');
  assert.ok(existsSync(path));
  const third = await Server.start(['--admin', path]);
  operator = await Operator.connect(path);
  assert.ok((await operator.ask('status')).ok);
  operator.destroy();
  await third.stop();
  assert.ok(!existsSync(path));
});

test('a file in its place is left alone; nobody asked for the socket, so the server serves without it', async () => {
  const data = join(scratchFolder(), 'data'), asked = join(scratchFolder(), 'file');
  mkdirSync(data, {mode: 0o700});
  for (const path of [join(data, 'admin.sock'), asked]) writeFileSync(path, 'mine');
  const server = await Server.start([], {data});
  await server.logged(/level=warn event=admin_unavailable why="Address already in use"/);
  assert.equal((await server.get('/readyz')).status, 200);
  await server.stop();
  assert.equal(readFileSync(join(data, 'admin.sock'), 'utf8'), 'mine');
  const wanted = runToEnd(['--listen', '127.0.0.1:0', '--data', data, '--admin', asked]);
  assert.equal(wanted.status, 69, wanted.stderr);
  assert.equal(readFileSync(asked, 'utf8'), 'mine');
  const long = runToEnd(['--listen', '127.0.0.1:0', '--data', data, '--admin', join(data, 'x'.repeat(200))]);
  assert.equal(long.status, 69);
  assert.match(long.stderr, /too long for a socket/);
});

test('no socket if none is wanted; that of a service is in its folder', async () => {
  const none = await Server.start(['--admin', 'none']);
  assert.ok(!existsSync(socketOf(none)));
  await none.stop();
  const folder = scratchFolder();
  const service = await Server.start([], {env: {RUNTIME_DIRECTORY: folder}});
  assert.ok(existsSync(join(folder, 'admin.sock')) && !existsSync(socketOf(service)));
  await service.stop();
});

test('a long line is answered, and closes; a line may come in pieces, and two at once', async () => {
  const server = await Server.start();
  const operator = await Operator.connect(socketOf(server));
  assert.equal(operator.greeting.taluva_admin, 1);
  for (const piece of ['{"id"', ':5,"op":"sta', 'tus"}\n{"id":6,"op":"rooms"}\n{"id":7,"op":"dan']) {
    operator.socket.write(piece);
    await server.get('/readyz'); // the piece has come
  }
  assert.deepEqual([(await operator.line()).id, (await operator.line()).id], [5, 6]);
  operator.socket.write('ce"}\n');
  assert.deepEqual(await operator.line(), {id: 7, error: {code: 'unknown_op', message: 'There is no such operation.', field: 'op'}});
  operator.socket.write('x'.repeat(4097));
  assert.equal((await operator.line()).error.code, 'too_long');
  assert.equal(await operator.line(), null);
  await server.stop();
});

test('of many connections the one idle longest makes room', async () => {
  const server = await Server.start(['--admin-connections', '3']);
  const operators = [];
  for (let at = 0; at < 3; at++) operators.push(await Operator.connect(socketOf(server)));
  assert.ok((await operators[0].ask('status')).ok);
  operators.push(await Operator.connect(socketOf(server)));
  assert.equal(await operators[1].line(), null);
  for (const at of [0, 2, 3]) assert.ok((await operators[at].ask('status')).ok, `${at}`);
  for (const operator of operators) operator.destroy();
  await server.stop();
});

test('of many who ask at once each is answered', async () => {
  const server = await Server.start(['--admin-connections', '2']);
  const answers = await Promise.all(Array.from({length: 24}, async () => {
    const operator = await Operator.connect(socketOf(server));
    const answer = await operator.ask('status');
    operator.destroy();
    return answer;
  }));
  assert.deepEqual(answers.map(({ok}) => Boolean(ok)), Array(24).fill(true));
  await server.stop();
});

test('who never reads is cut, and holds up nobody; who is gone does no harm', async () => {
  const server = await Server.start(['--admin-timeout-ms', '1000', '--admin-connections', '1000']);
  const deaf = net.connect(socketOf(server));
  deaf.on('error', () => {});
  const cut = new Promise((resolve) => deaf.on('close', resolve));
  deaf.pause();
  const question = '{"id":1,"op":"room","room":"abcdefgh"}\n';
  deaf.write(question.repeat(50000)); // with answers of more than a socket holds
  const operator = await Operator.connect(socketOf(server));
  assert.ok((await operator.ask('status')).ok);
  await server.logged(/event=admin_slow_reader/);
  deaf.resume();
  await cut;
  for (let at = 0; at < 20; at++) {
    const gone = net.connect(socketOf(server));
    gone.on('error', () => {});
    await new Promise((resolve) => gone.write(question.repeat(50), resolve));
    gone.destroy();
  }
  assert.ok((await operator.ask('status')).ok);
  operator.destroy();
  assert.equal((await server.stop()).status, 0, server.stderr);
});

test('the audit log has who, when, what and the result; it can be rotated; looking leaves nothing', async () => {
  const server = await Server.start();
  assert.equal((await admin(server, 'status')).status, 0);
  assert.ok(!existsSync(auditOf(server)));
  assert.equal((await admin(server, 'drain')).stdout, 'draining       yes\n');
  const lines = audited(auditOf(server));
  assert.deepEqual(lines.map(({op, result}) => [op, result]), [['drain', 'begun'], ['drain', 'ok']]);
  for (const line of lines) {
    assert.equal(line.uid, process.getuid());
    assert.ok(line.pid > 1 && line.pid !== server.pid);
    assert.equal(line.user, spawnSync('id', ['-un'], {encoding: 'utf8'}).stdout.trim());
    assert.match(line.time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  }
  renameSync(auditOf(server), `${auditOf(server)}.1`);
  assert.equal((await admin(server, 'drain', '--cancel')).status, 0);
  assert.deepEqual(audited(auditOf(server)).map(({cancel, result}) => [cancel, result]), [[true, 'begun'], [true, 'ok']]);
  await server.stop();
});

test('what a moderator decides is in the audit log, with who', async () => {
  const server = await Server.start(['--accounts', 'open', '--claims-per-address-per-day', '100']);
  const [ana, bo, cat] = await Promise.all(['Ana', 'Bo', 'Cat'].map((name) => player(server.port, name)));
  for (const [who, handle] of [[ana, 'ana-1'], [bo, 'bo-1'], [cat, 'cat-1']]) await who.must('claim', {handle});
  const {room} = await bo.must('create', {options: {players: 2}});
  await bo.must('join', {room, seat: 0});
  await cat.must('join', {room, seat: 1});
  await cat.must('report', {room, seat: 0, why: 'talk'});
  assert.equal((await ana.ask('cases')).error.code, 'not_moderator');
  assert.match((await admin(server, 'moderator', 'ana-1')).stdout, /moderator +yes/);
  assert.match((await admin(server, 'moderators')).stdout, /^ana-1 /m);
  const {reports: [{report}]} = await ana.must('cases');
  await ana.must('judge', {case: report, verdict: 'warn', why: 'talk', text: 'Be "kind".'});
  await bo.push((message) => message.push === 'judged');
  const lines = audited(auditOf(server)).filter(({op}) => op === 'judge').map(({time, ...line}) => line);
  assert.deepEqual(lines, [{moderator: 'ana-1', session: ana.hello.session, op: 'judge', report, verdict: 'warn', why: 'talk', text: 'Be "kind".', result: 'ok'}]);
  renameSync(auditOf(server), `${auditOf(server)}.1`);
  mkdirSync(auditOf(server)); // it cannot be written
  const another = async (why) => {
    await cat.must('report', {room, seat: 0, why});
    return {case: (await ana.must('cases')).reports[0].report, verdict: 'warn', why: 'talk'};
  };
  const unwritten = await another('name');
  await ana.must('judge', unwritten);
  await server.logged(/event=audit_failed/);
  const refused = await another('other');
  assert.equal((await ana.ask('judge', refused)).error.code, 'store_failing');
  rmdirSync(auditOf(server));
  while (!existsSync(auditOf(server))) await pause(50); // it is tried again, be anything else to do or not
  while ((await ana.ask('judge', refused)).error) await pause(100);
  await ana.must('cases');
  assert.deepEqual(audited(auditOf(server)).map((line) => line.report), [unwritten.case, refused.case]);
  renameSync(auditOf(server), `${auditOf(server)}.2`);
  mkdirSync(auditOf(server));
  await ana.must('judge', await another('cheating'));
  for (const who of [ana, bo, cat]) who.destroy();
  await server.stop();
  await server.logged(/event=audit_lost moderator=ana-1/);
});

test('what cannot be audited is refused', async () => {
  const folder = scratchFolder(), link = join(folder, 'link');
  symlinkSync(join(folder, 'target'), link);
  for (const [path, why] of [['/dev/full', 'No space'], [folder, 'directory'], [join(folder, 'no/file'), 'No such'], [link, 'symbolic']]) {
    const server = await Server.start(['--audit-log', path]);
    const refused = await admin(server, 'drain');
    assert.equal(refused.status, 75, path);
    assert.match(refused.stderr, /audit log cannot be written; nothing was done/);
    assert.match((await admin(server, 'status')).stdout, /^draining +no$/m);
    await server.logged(new RegExp(`level=error event=audit_failed why="?[^"]*${why}`));
    await server.stop();
  }
  assert.ok(!existsSync(join(folder, 'target')));
});

test('a line that finds no room leaves no part of itself', async () => {
  const folder = scratchFolder(), log = join(folder, 'audit.log');
  const server = await Server.start(['--audit-log', log, '--admin', join(folder, 'admin.sock')],
    {prefix: ['prlimit', '--fsize=2000000']});
  appendFileSync(log, `${'{"old":true}\n'.repeat(153846).padEnd(1999979, ' ')}\n`); // 20 bytes are left
  const before = statSync(log).size;
  const operator = await Operator.connect(join(folder, 'admin.sock'));
  assert.equal((await operator.ask('drain')).error.code, 'audit_failing');
  assert.equal(statSync(log).size, before);
  operator.destroy();
  await server.stop('SIGKILL');
});

test('a room is closed for good, and an announcement heard', async () => {
  let server = await Server.start();
  const {data} = server;
  const match = await Match.start(server.port), other = await Match.start(server.port);
  const said = await admin(server, 'announce', 'Pause at 22:00.');
  assert.deepEqual(said, {status: 0, stdout: `connections    ${match.players.length + other.players.length}\n`, stderr: ''});
  assert.deepEqual(await match.players[0].next(), {push: 'notice', code: 'announcement', message: 'Pause at 22:00.'});
  assert.equal((await admin(server, 'announce', 'a\x1bb')).status, 65);
  const closed = await admin(server, 'close', match.room, '--reason', 'It was spam.');
  assert.deepEqual(closed, {status: 0, stdout: `room           ${match.room}\n`, stderr: ''});
  assert.equal((await admin(server, 'close', match.room)).stderr, 'taluva-admin: The match is over.\n');
  const lines = audited(auditOf(server)).filter(({op}) => op === 'close').map(({room, reason, result}) => [room, reason, result]);
  assert.deepEqual(lines, [[match.room, 'It was spam.', 'begun'], [match.room, 'It was spam.', 'ok'],
    [match.room, undefined, 'begun'], [match.room, undefined, 'is_over']]);
  const {body} = await server.get(`/api/records/${match.room}`);
  assert.match(body, /^\[Result\.why "closed"\]$/m);
  await server.stop('SIGKILL');
  server = await Server.start([], {data});
  assert.equal((await server.get(`/api/records/${match.room}`)).body.replace(/\[Result\.signature.*\n/, ''),
    body.replace(/\[Result\.signature.*\n/, ''));
  const left = (await admin(server, 'rooms', '--json')).stdout.trimEnd().split('\n').map((line) => JSON.parse(line).room);
  assert.deepEqual(left, [other.room]);
  match.end();
  other.end();
  await server.stop();
});

test('who is banned is out, stays out over a restart, and is let in again', async () => {
  let server = await Server.start();
  const {data} = server;
  const ana = await player(server.port, 'Ana'), bo = await player(server.port, 'Bo');
  const [{session}] = (await admin(server, 'sessions', 'Ana', '--json')).stdout.trimEnd().split('\n').map((line) => JSON.parse(line))
    .filter(({name}) => name === 'Ana');
  const banned = await admin(server, 'ban', session, '--for', '1h', '--reason', 'spam');
  assert.equal(banned.status, 0, banned.stderr);
  assert.match(banned.stdout, /^closed +1$/m);
  assert.equal(await ana.closing(), 4005);
  assert.ok(!existsSync(join(data, 'bans')), 'the store has them');
  for (const signal of ['SIGKILL', 'SIGTERM']) {
    const again = await Socket.open(server.port);
    const {error} = await again.ask('hello', {token: ana.token});
    assert.equal(error.code, 'banned');
    assert.ok(error.retry_ms > 3500000 && error.retry_ms <= 3600000, `${error.retry_ms}`);
    assert.equal(await again.closing(), 4005);
    await server.stop(signal);
    server = await Server.start([], {data});
  }
  assert.match((await admin(server, 'bans')).stdout, new RegExp(`^${session}  banned  .* spam$`, 'm'));
  assert.equal((await admin(server, 'bans', 'nobody')).stdout.trimEnd().split('\n').length, 1);
  assert.equal((await admin(server, 'lift', session)).status, 0);
  assert.equal((await admin(server, 'lift', session)).status, 65);
  (await player(server.port, 'x', {token: ana.token})).destroy();
  assert.deepEqual(audited(auditOf(server)).map(({op, target, for_s, result}) => [op, target, for_s, result]),
    [['ban', session, 3600, 'begun'], ['ban', session, 3600, 'ok'], ['lift', session, undefined, 'begun'], ['lift', session, undefined, 'ok'],
      ['lift', session, undefined, 'begun'], ['lift', session, undefined, 'not_banned']]);
  bo.destroy();
  await server.stop();
});

test('this machine and trusted proxies are banned by force only; a client learns why it is closed', async () => {
  const server = await Server.start(['--trusted-proxy', '192.0.2.0/28', '--trusted-proxy', '2001:db8::/32']);
  for (const [target, says] of [['127.0.0.1', /proxy on this machine; it needs force/], ['192.0.2.9', /trusted proxy; it needs force/],
    ['192.0.0.0/16', /trusted proxy/], ['2001:db8:1::/48', /trusted proxy/], ['0.0.0.0/0', /needs force/], ['1.2.3', /wrong type, form/]]) {
    const refused = await admin(server, 'ban', target, '--for', '1m');
    assert.equal(refused.status, 65, target);
    assert.match(refused.stderr, says);
  }
  assert.equal((await admin(server, 'ban', '192.0.2.16', '--for', '1m')).status, 0);
  const ana = await player(server.port, 'Ana');
  assert.equal((await admin(server, 'ban', '127.0.0.1', '--for', '1m', '--force')).status, 0);
  assert.equal(await ana.closing(), 4005);
  const next = await Socket.open(server.port);
  assert.equal(await next.closing(), 4005);
  const client = spawnSync(process.env.TALUVA, ['rooms', '--server', `ws://127.0.0.1:${server.port}/ws`], {encoding: 'utf8', timeout: 600000});
  assert.match(client.stderr, /banned you for a time/);
  assert.notEqual(client.status, 0);
  await server.stop();
});

test('a ban that the store cannot keep is refused', async () => {
  const server = await Server.start();
  const limit = (bytes) => execFileSync('prlimit', ['--pid', String(server.pid), `--fsize=${bytes}:unlimited`]);
  limit(2048); // a page of the store has more, a line of the audit log less
  const refused = await admin(server, 'ban', '198.51.100.7', '--for', '1h');
  assert.equal(refused.status, 75, refused.stderr);
  await server.logged(/level=error event=bans_failed/);
  assert.equal((await admin(server, 'bans')).stdout.trimEnd().split('\n').length, 1);
  limit('unlimited');
  while ((await server.get('/readyz')).status !== 200) await pause(20);
  assert.equal((await admin(server, 'ban', '198.51.100.7', '--for', '1h')).status, 0);
  await server.stop();
});

test('the file of bans of an earlier version is taken over once, and not passed over if it is damaged', async () => {
  const data = join(scratchFolder(), 'data'), file = join(data, 'bans');
  const text = (target) => `{"bans":1}\n{"target":"${target}","silence":false,"since":1,"until":${Date.now() + 3600000}}\n{"end":1}\n`;
  const shown = async (server) => (await admin(server, 'bans')).stdout;
  await (await Server.start([], {data})).stop();
  for (const damaged of ['{"bans":1}\n', '']) {
    writeFileSync(file, damaged);
    const ended = runToEnd(['--listen', '127.0.0.1:0', '--data', data]);
    assert.equal(ended.status, 65, ended.stderr);
    assert.match(ended.stderr, /the bans in .*: it is damaged; without that file nobody is banned/);
  }
  writeFileSync(file, text('203.0.113.7'));
  let server = await Server.start([], {data});
  assert.match(await shown(server), /203\.0\.113\.7/);
  await server.stop('SIGKILL');
  server = await Server.start([], {data});
  assert.match(await shown(server), /203\.0\.113\.7/);
  assert.equal((await admin(server, 'lift', '203.0.113.7')).status, 0);
  await server.stop('SIGKILL');
  writeFileSync(file, text('203.0.113.8')); // which nobody reads any more
  server = await Server.start([], {data});
  assert.equal((await shown(server)).trimEnd().split('\n').length, 1);
  await server.stop();
});

// Gone by itself, which the server sees when it answers; or there while another one waits, who cuts nobody that waits for an answer.
for (const other of [false, true]) test(`an operator ${other ? 'whom another one waits for' : 'who goes away'} before the store has answered: it is done, and in the audit log`, async () => {
  const server = await Server.start(['--admin-connections', '1'], {env: slowDisk({SLOW_DISK_MS: '300'})});
  const match = await Match.start(server.port);
  const operator = await Operator.connect(socketOf(server));
  operator.socket.write(`{"id":1,"op":"close","room":"${match.room}"}\n`);
  while (!existsSync(auditOf(server))) await server.get('/healthz');
  if (other) {
    const next = await Operator.connect(socketOf(server));
    assert.ok((await operator.line()).ok);
    assert.ok((await next.ask('status')).ok);
  } else {
    operator.destroy();
  }
  while (audited(auditOf(server)).length < 2) await server.get('/healthz');
  assert.deepEqual(audited(auditOf(server)).map(({result}) => result), ['begun', 'ok']);
  assert.equal((await server.stop()).status, 0, server.stderr);
});

test('a server that drains still answers, and can be told not to', async () => {
  const server = await Server.start();
  const ana = await player(server.port, 'Ana');
  assert.equal((await admin(server, 'drain')).status, 0);
  assert.equal((await ana.next()).code, 'draining');
  assert.equal((await server.get('/readyz')).status, 503);
  assert.match((await admin(server, 'sessions')).stdout, /Ana/);
  assert.equal((await admin(server, 'drain', '--cancel')).status, 0);
  assert.equal((await ana.next()).code, 'serving');
  assert.equal((await server.get('/readyz')).status, 200);
  assert.equal((await server.metrics())['taluva_admin_requests_total{op="drain"}'], 2);
  await server.stop();
});

await run();
