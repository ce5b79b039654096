// A quick match of two accounts on a real server: they find each other, it is rated, and the book that anybody can read is sound.
import {execFile, execFileSync} from 'node:child_process';
import {createHash, createPublicKey, verify} from 'node:crypto';
import {readFileSync, writeFileSync} from 'node:fs';
import http from 'node:http';
import {join} from 'node:path';

import {account, playRated} from './lib/rated.mjs';
import {databaseOf, runToEnd, scratchFolder, Server} from './lib/server.mjs';
import {player} from './lib/socket.mjs';
import {assert, run, test} from './lib/tap.mjs';

const zeros = Buffer.alloc(32);
const sha256 = (...parts) => createHash('sha256').update(Buffer.concat(parts.map((part) => Buffer.from(part)))).digest();

/** The lines behind number n, each with its text as it stands there. */
async function bookOf(server, n = 0) {
  const {body} = await server.get(`/api/book/${n}`);
  return body.split('\n').filter(Boolean).map((line) => {
    const {hash, entry} = JSON.parse(line), text = line.slice(line.indexOf(',"entry":') + 9, -1);
    assert.equal(JSON.stringify(entry), text);
    return {hash, entry, text};
  });
}

/** A program, run beside this process: a server may be in it. */
const runProgram = (program, words) =>
  new Promise((resolve) => {
    execFile(program, words, (error, stdout, stderr) => resolve({status: error ? error.code : 0, stdout, stderr}));
  });

const taluva = (...words) => runProgram(process.env.TALUVA, words);
const admin = (server, ...words) => runProgram(process.env.TALUVA_ADMIN_PROGRAM, [...words, '--socket', join(server.data, 'admin.sock')]);

test('two who seek sit at one table, and what comes of it is in the book', async () => {
  const server = await Server.start(['--accounts', 'open', '--accept-ms', '3600000']);
  const visitor = await player(server.port, 'Visitor');
  await assert.rejects(visitor.must('seek'), /account_needed/);
  const players = [await account(server, 'Ana', 'ana'), await account(server, 'Bo', 'bob')];
  const {room, told} = await playRated(players);
  assert.deepEqual(told.map(({before, after, n}) => [before, after, n]), [[1500, 1662, 2], [1500, 1338, 2]]);

  const book = await bookOf(server), end = JSON.parse((await server.get('/.well-known/taluva-book.json')).body);
  assert.deepEqual(book.map(({entry}) => [entry.n, entry.kind]), [[1, 'system'], [2, 'match']]);
  const last = book.reduce((before, {hash, text}) => {
    assert.equal(sha256(before, text).toString('hex'), hash);
    return Buffer.from(hash, 'hex');
  }, zeros);
  assert.deepEqual([end.n, end.hash], [2, last.toString('hex')]);
  const {keys} = JSON.parse((await server.get('/.well-known/taluva-keys.json')).body);
  const {kty, crv, x} = keys.find(({kid}) => kid === end.key), signed = `taluva-book-head 1\n${end.n}\n${end.hash}\n${end.time}\n`;
  assert.ok(verify(null, Buffer.from(signed), createPublicKey({key: {kty, crv, x}, format: 'jwk'}), Buffer.from(end.signature, 'base64url')));
  assert.match((await server.get(`/api/records/${room}`)).body, /\[Result\.rated "taluva\.duel\.live"\]\n\[Result\.accounts "[0-9a-f]{16} [0-9a-f]{16}"\]\n/);
  assert.deepEqual(await bookOf(server, 2), []);

  // It does not count after all, while the server runs: who has lost gets it back, for everybody to see.
  const annulled = await admin(server, 'annul', '2', '--reason', 'one person');
  assert.deepEqual([annulled.status, annulled.stdout], [0, 'match          2\nn              3\nrefunds        1\n'], annulled.stderr);
  assert.deepEqual((await bookOf(server, 2)).map(({entry: {kind, of, reason, refunds}}) => [kind, of, reason, refunds.map(({points}) => points)]), [['annul', 2, 'one person', [150000]]]);
  const verified = await taluva('ratings', 'verify', '--server', `ws://127.0.0.1:${server.port}/ws`);
  assert.match(verified.stdout, /^book: 3 entries, 1 matches, 1 annulled/, verified.stderr);
  assert.match((await taluva('ratings', 'bob', '--server', `ws://127.0.0.1:${server.port}/ws`)).stdout, /^taluva\.duel\.live +1488 /);
  for (const [n, says] of [['2', /annulled already/], ['3', /No such line/]]) {
    const {status, stderr} = await admin(server, 'annul', n, '--reason', 'again');
    assert.equal(status, 65);
    assert.match(stderr, says);
  }
  const audit = readFileSync(join(server.data, 'admin-audit.log'), 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line));
  assert.deepEqual(audit.map(({op, match, reason, result}) => [op, match, reason, result]).slice(0, 2), [['annul', 2, 'one person', 'begun'], ['annul', 2, 'one person', 'ok']]);

  for (const who of [visitor, ...players]) who.destroy();
  await server.stop();
});

test('what all are rated is computed again from the book, and put right', async () => {
  const server = await Server.start(['--accounts', 'open', '--accept-ms', '3600000']);
  const players = [await account(server, 'Ana', 'ana'), await account(server, 'Bo', 'bob')];
  await playRated(players);
  for (const who of players) who.destroy();
  await server.stop();
  if (databaseOf(server.data)) return; // there it is 'wire database' that shows it
  const rebuild = (...words) => {
    const {status, stdout, stderr} = runToEnd(['--data', server.data, 'ratings', 'rebuild', ...words]);
    return [status, stdout + stderr];
  };
  const change = (sql) => execFileSync('python3', ['-Ic', 'import sqlite3, sys\ndb = sqlite3.connect(sys.argv[1])\ndb.executescript(sys.argv[2])', join(server.data, 'taluva.db'), sql]);
  const right = [0, 'book: 2 entries, 1 matches, 0 annulled; ratings: 2, 0 differences\n'];
  assert.deepEqual(rebuild(), right);
  assert.deepEqual(rebuild('--write'), right);
  change('DELETE FROM rating WHERE strength > 1500000');
  const wrong = /^account [0-9a-f]{16} in taluva\.duel\.live: is none; by the book 1662\.212 \+- 290\.230 by 1 matches, entry 2\nbook: .*ratings: 1, 1 differences/;
  const [status, said] = rebuild();
  assert.equal(status, 65);
  assert.match(said, wrong);
  const [written, put] = rebuild('--write');
  assert.equal(written, 0);
  assert.match(put, /1 differences, put right\n$/);
  assert.deepEqual(rebuild(), right);
  // The match does not count: its loser has it back, once, and all still follows.
  const annul = (n, ...words) => runToEnd(['--data', server.data, 'ratings', 'annul', n, '--reason', 'one person', ...words]);
  assert.equal(annul('1').status, 65);
  assert.equal(annul('2', '--reason', '"').status, 64);
  assert.equal(annul('2').status, 0);
  assert.equal(annul('2').status, 65);
  assert.deepEqual(rebuild(), [0, 'book: 3 entries, 1 matches, 1 annulled; ratings: 2, 0 differences\n']);
  const again = await Server.start(['--accounts', 'open', '--accept-ms', '3600000'], {data: server.data});
  const told = (await bookOf(again)).at(-1).entry;
  assert.deepEqual([told.kind, told.of, told.reason, told.refunds.length], ['annul', 2, 'one person', 1]);
  const verified = await taluva('ratings', 'verify', '--server', `ws://127.0.0.1:${again.port}/ws`);
  assert.equal(verified.status, 0, verified.stdout + verified.stderr);
  assert.match(verified.stdout, /^book: 3 entries, 1 matches, 1 annulled/);
  await again.stop();
  change("UPDATE book SET line = replace(line, '1662212', '1662213')");
  const [damaged, faults] = rebuild('--write');
  assert.equal(damaged, 65, faults);
  assert.match(faults, /store_damaged.*book/);
  change('DELETE FROM book WHERE n > 1');
  const [lost, missing] = rebuild('--write');
  assert.equal(lost, 65);
  assert.match(missing, /of 3 entries 1 are there/);
});

test('anybody computes the book of a server again, and finds what is wrong in one that lies', async () => {
  const server = await Server.start(['--accounts', 'open', '--accept-ms', '3600000']);
  const players = [await account(server, 'Ana', 'ana'), await account(server, 'Bo', 'bob')];
  const {room} = await playRated(players);
  const pages = new Map();
  for (const path of ['/api/book/0', '/.well-known/taluva-book.json', '/.well-known/taluva-keys.json', `/api/records/${room}`]) pages.set(path, (await server.get(path)).body);
  const keys = join(scratchFolder(), 'keys');
  writeFileSync(keys, pages.get('/.well-known/taluva-keys.json'));

  const own = await taluva('ratings', 'verify', '--records', '--server', `ws://127.0.0.1:${server.port}/ws`);
  assert.equal(own.status, 0, own.stderr);
  assert.match(own.stdout, /^book: 2 entries, 1 matches, 0 annulled, 2 ratings\nsound: .*\nsigned: .*\nrecords: 1 agree, 0 are not kept any more, 0 are not signed, 0 differ\n$/);
  const where = ['--server', `ws://127.0.0.1:${server.port}/ws`];
  for (const [handle, lost] of [['ana', false], ['bob', true]]) {
    const {status, stdout, stderr} = await taluva('ratings', handle, ...where);
    assert.equal(status, 0, stderr);
    assert.match(stdout, lost ? /^taluva\.duel\.live +1338 \+- 580 \? +1 matches\n$/ : /^taluva\.duel\.live +1662 \+- 580 \? +1 matches\n$/);
  }
  assert.match((await taluva('ratings', 'ana', '--json', ...where)).stdout, /^\{"class":"taluva\.duel\.live","rating":1662,.*"provisional":true,.*\}\n$/);
  assert.equal((await taluva('ratings', 'nobody-1', ...where)).status, 77);
  assert.equal((await taluva('ratings', '!', ...where)).status, 64);
  assert.deepEqual(await taluva('leaders', 'taluva.duel.live', ...where), {status: 0, stdout: 'nobody has a place in that list yet\n', stderr: ''});
  assert.equal((await taluva('leaders', 'taluva.duel', ...where)).status, 64);
  // The match is in the archive, a moment after its end.
  const archive = (...words) => taluva('archive', ...words, ...where);
  let listed;
  do listed = await archive('@ana');
  while (listed.status === 0 && !listed.stdout.includes(room));
  assert.match(listed.stdout, new RegExp(`^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d  ${room}  taluva     2  last-standing   @ana won\n$`), listed.stderr);
  do listed = await archive('--game', 'taluva', '--size', '2', '--against', 'people', '--since', '2020-02-29', '--until', '2999-12-31');
  while (listed.status === 0 && !listed.stdout.includes('@bob'));
  assert.match(listed.stdout, / {2}(@ana won, @bob|@bob, @ana won)\n$/, listed.stderr);
  assert.equal(JSON.parse((await archive('bob', '--json')).stdout).room, room);
  assert.equal((await archive('bob', '--why', 'two-kinds')).stdout, 'there is no such match\n');
  assert.equal((await archive('nobody-1')).status, 77);
  for (const words of [[], ['no body'], ['ana', '--since', '2026-02-29'], ['ana', '--until', 'today'], ['ana', '--game', 'a/b'], ['ana', '--against', 'nobody']])
    assert.equal((await archive(...words)).status, 64, words.join(' '));
  for (const who of players) who.destroy();
  await server.stop();

  // One that says whatever it is told to.
  const said = new Map(), busy = new Set();
  const liar = http.createServer(({url}, answer) => {
    const status = busy.delete(url) ? 503 : said.has(url) ? 200 : 404;
    answer.writeHead(status).end(said.get(url));
  });
  await new Promise((resolve) => liar.listen(0, '127.0.0.1', resolve));
  const {port} = liar.address();
  const asked = async (changes, ...words) => {
    said.clear();
    for (const [path, body] of pages) said.set(path, body);
    for (const [path, change] of Object.entries(changes)) said.set(path, change(said.get(path)));
    const {status, stdout, stderr} = await taluva('ratings', 'verify', '--json', '--server', `ws://127.0.0.1:${port}/ws`, ...words);
    return {status, stderr, ...(stdout ? JSON.parse(stdout) : {})};
  };
  const book = '/api/book/0', end = '/.well-known/taluva-book.json', record = `/api/records/${room}`;
  const changed = (from, to) => (body) => {
    const now = body.replace(from, to);
    assert.notEqual(now, body);
    return now;
  };
  busy.add(book);
  const sound = await asked({}, '--key', keys, '--records');
  assert.equal(sound.status, 0, sound.stderr);
  assert.deepEqual([sound.sound, sound.entries, sound.word, sound.records], [true, 2, 'signed', {agree: 1, gone: 0, not_signed: 0, differ: 0}]);
  // Each number, each hash, the end, its signature, a missing line, a page without end.
  for (const [changes, problem] of [
    [{[book]: changed('1662212', '1662213')}, /entry 2: its hash/],
    [{[book]: changed('"kind":"match"', '"kind":"catch"')}, /entry 2: it is no line/],
    [{[book]: (body) => body.slice(0, body.indexOf('\n') + 1)}, null],
    [{[book]: () => ''}, /entry 1: it is missing/],
    [{[book]: (body) => body.trimEnd()}, /entry 2: its line does not end/],
    [{[end]: (body) => JSON.stringify({...JSON.parse(body), hash: '00'.repeat(32)})}, /entry 2: its hash is not that of the end/],
    [{[end]: (body) => JSON.stringify({...JSON.parse(body), n: 1})}, /entry 1: its hash is not that of the end/],
  ]) {
    const {status, sound: well, problem: why} = await asked(changes);
    assert.equal(status, problem ? 1 : 69, why);
    if (problem) assert.match(why, problem);
    if (problem) assert.equal(well, false);
  }
  // An end that nobody, or somebody else, stands for; another time than the one that was signed.
  const late = await asked({[end]: (body) => JSON.stringify({...JSON.parse(body), time: 1})});
  assert.deepEqual([late.status, late.word], [1, 'false']);
  const nobody = await asked({[end]: (body) => JSON.stringify({...JSON.parse(body), signature: undefined})});
  assert.deepEqual([nobody.status, nobody.word, nobody.sound], [8, 'not_signed', true]);
  const other = await asked({'/.well-known/taluva-keys.json': () => '{"keys":[]}'}, '--records');
  assert.deepEqual([other.status, other.word, other.records.not_signed], [8, 'not_signed', 1]);
  // Records: another winner, other accounts, another signature, none any more.
  for (const [from, to] of [[/winners "(.)"/, (_, seat) => `winners "${1 - seat}"`], ['accounts "', 'accounts "0'], ['signature "', 'signature "A'], ['rated "taluva.duel.live"', 'rated "taluva.duel.slow"']]) {
    const {status, records} = await asked({[record]: changed(from, to)}, '--records');
    assert.deepEqual([status, records.differ], [1, 1], `${from}`);
  }
  const unsigned = await asked({[record]: (body) => body.replace(/\[Result\.signature .*\]\n/, '')}, '--records');
  assert.deepEqual([unsigned.status, unsigned.records.not_signed], [8, 1]);
  pages.delete(record);
  const gone = await asked({}, '--records');
  assert.deepEqual([gone.status, gone.records.gone], [0, 1]);
  // Who is best, as it says; nothing that it says reaches a terminal unseen.
  const best = '/api/leaders/totem.duel.live', leader = (handle, rating) => JSON.stringify({handle, rating, deviation: 60, matches: 12, last: 1}) + '\n';
  const leaders = async (body, ...words) => {
    said.set(best, body);
    return taluva('leaders', 'totem.duel.live', '--server', `ws://127.0.0.1:${port}/ws`, ...words);
  };
  assert.equal((await leaders(leader('ana', 1900) + leader('b\u001bb', 1800))).stdout, `  1  ana${' '.repeat(21)} 1900 +- 120       12 matches\n  2  b?b${' '.repeat(21)} 1800 +- 120       12 matches\n`);
  assert.equal((await leaders(leader('ana', 1900).repeat(300))).stdout.split('\n').length, 101);
  assert.equal((await leaders(leader('ana', 1900).repeat(300), '--json')).stdout, leader('ana', 1900).repeat(300));
  for (const body of ['x\n', '[]\n', '{"handle":"a"\n']) assert.equal((await leaders(body)).status, 65);
  // What somebody is rated, and which level of the computer plays so.
  const level = (word, rating) => JSON.stringify({level: word, rating, deviation: 30, matches: 80}) + '\n';
  const ratings = async (rating, levels) => {
    said.set('/api/people/ana', '{"account":"00000000000000a1"}');
    said.set('/api/ratings/00000000000000a1', JSON.stringify({class: 'totem.duel.live', rating, deviation: 60, matches: 12, last: 1}) + '\n');
    if (levels) said.set('/api/levels/totem.duel.live', levels);
    const {status, stdout} = await taluva('ratings', 'ana', '--server', `ws://127.0.0.1:${port}/ws`);
    return [status, stdout.split('\n')[1]];
  };
  assert.deepEqual(await ratings(1500), [0, '']);
  const levels = level('simple', 1300) + level('skilled', 1600);
  for (const [rating, words] of [[1500, 'about the computer that is called skilled'], [1400, 'about the computer that is called simple'], [1750, 'about the computer that is called skilled'], [1751, 'better than the computer that is called skilled'], [1149, 'below the computer that is called simple']])
    assert.deepEqual(await ratings(rating, levels), [0, `    ${words}`]);
  assert.deepEqual(await ratings(1500, level('a\u001bb', 1500)), [0, '    about the computer that is called a?b']);
  assert.equal((await ratings(1500, 'x\n'))[0], 65);
  // What an archive says is cleaned too; one that goes on for ever has an end.
  const search = (body) => {
    said.set('/api/archive/game/taluva', body);
    return taluva('archive', '--game', 'taluva', '--server', `ws://127.0.0.1:${port}/ws`);
  };
  const match = {room: '2v5n8b1c', game: 'ta\u001bva', at: 1, why: 'none', against: 'people', size: 2, seats: [{seat: 0, handle: 'a\u001bb'}]};
  assert.match((await search(JSON.stringify({matches: [match]}))).stdout, /  2v5n8b1c  ta\?va +2  none +@a\?b\n$/);
  said.set('/api/archive/game/taluva/after/1.2v5n8b1c', JSON.stringify({matches: [], after: '1.2v5n8b1c'}));
  assert.match((await search(JSON.stringify({matches: [], after: '1.2v5n8b1c'}))).stdout, /^there is no such match among the latest/);
  for (const body of ['', '[]', '{}', '{"matches":1}', '{"matches":[]']) assert.equal((await search(body)).status, 65, body);
  // It takes no more than it can use, and no book that goes on for ever.
  const endless = await asked({[book]: () => 'x'.repeat(5 << 20)});
  assert.equal(endless.status, 69);
  assert.match(endless.stderr, /longer than any can be/);
  assert.equal((await asked({}, '--entries-max', '1')).status, 65);
  assert.equal((await asked({[end]: () => '{"n":-1}'})).status, 65);
  liar.close();
  assert.equal((await asked({})).status, 69);
});

await run();
