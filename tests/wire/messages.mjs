// What can be wrong with a message: each gets its typed error, and two honest players in the same server
// notice nothing.
import {assert, run, test} from './lib/tap.mjs';
import {Match} from './lib/match.mjs';
import {Server} from './lib/server.mjs';
import {player, Socket} from './lib/socket.mjs';

const server = await Server.start(['--requests-per-s', '100000', '--requests-burst', '100000',
  '--requests-per-address-per-s', '100000', '--requests-per-address-burst', '100000', '--work-per-s', '100000', '--work-burst', '100000',

  '--sessions-per-address-burst', '100000', '--guesses-burst', '100000', '--rooms-per-session', '1000']);
const honest = await Match.start(server.port);
const bad = await player(server.port, 'Bad');

/** Runs `body`; then the honest match must be as it was, and go on. */
function disturbs(name, body) {
  test(name, async () => {
    if (honest.over) throw new Error('the honest match is over: give it more tiles');
    await body();
    await honest.verify();
    await honest.step();
  });
}

async function refusal(text, who = bad) {
  who.text(text);
  for (;;) {
    const message = await who.next();
    assert.equal(message.close, undefined, `closed with ${message.close}`);
    if (message.push) continue;
    return message;
  }
}

async function refused(text, {id, code, field}, who = bad) {
  const message = await refusal(text, who);
  assert.ok(message.error, `${text.slice(0, 200)} was taken: ${JSON.stringify(message)}`);
  assert.equal(message.id, id, text);
  assert.equal(message.error.code, code, `${text.slice(0, 200)}: ${JSON.stringify(message.error)}`);
  if (field !== undefined) assert.equal(message.error.field, field, text);
  assert.equal(typeof message.error.message, 'string');
}

// ---- JSON and ids ----

const notJson = ['', ' ', 'abc', '{', '}', '{]', '[]', 'null', 'true', '1', '"ping"', '{"id":1,"op":"ping"}x',
  '{"id":1,"op":"ping"}{"id":2,"op":"ping"}', "{'id':1}", '{"id":1,"op":"ping",}', '{"id":01,"op":"ping"}',
  '{"id":1,"op":"ping","x":"\\ud800"}', '{"id":1,"op":"pi\\u0000ng"}', '{"id":1,"op":"ping"}\u0000',
  '{"id":NaN,"op":"ping"}', '{"id":1,"op":"ping"} // comment', '\ufeff{"id":1,"op":"ping"}'];
disturbs('what is not one JSON object', async () => {
  for (const text of notJson) {
    const message = await refusal(text);
    assert.equal(message.error?.code, 'bad_json', JSON.stringify(text) + JSON.stringify(message));
    assert.equal(message.id, null);
  }
});

disturbs('nesting a thousand deep', async () => {
  for (const text of ['['.repeat(1000) + ']'.repeat(1000), '{"a":'.repeat(700), '['.repeat(4096),
    `{"id":1,"op":"create","options":${'{"a":'.repeat(500)}1${'}'.repeat(501)}`]) {
    const message = await refusal(text);
    assert.ok(['too_deep', 'bad_json'].includes(message.error?.code), JSON.stringify(message));
  }
});

disturbs('a key twice', async () => {
  await refused('{"id":1,"id":2,"op":"ping"}', {id: null, code: 'duplicate_key'});
  await refused('{"id":1,"op":"create","options":{"players":2,"players":3}}', {id: null, code: 'duplicate_key'});
});

const badIds = ['-1', '1.5', '"1"', 'null', '[]', '{}', 'true', '9007199254740992', '1e300',
  '123456789012345678901234567890', '-0.0'];
disturbs('ids that are no ids', async () => {
  for (const id of badIds) {
    const message = await refusal(`{"id":${id},"op":"ping"}`);
    assert.ok(['bad_field', 'bad_json'].includes(message.error?.code), `${id}: ${JSON.stringify(message)}`);
    assert.equal(message.id, null);
  }
  await refused('{"op":"ping"}', {id: null, code: 'missing_field', field: 'id'});
  const largest = await refusal('{"id":9007199254740991,"op":"ping"}');
  assert.equal(largest.id, 9007199254740991);
  assert.ok(largest.ok);
});

disturbs('operations that there are not', async () => {
  for (const op of ['fly', 'PING', '', 'ping ', 'move\\n', '__proto__', 'x'.repeat(3000)])
    await refused(`{"id":5,"op":"${op}"}`, {id: 5, code: 'unknown_op', field: 'op'});
  await refused('{"id":5}', {id: 5, code: 'missing_field', field: 'op'});
  for (const op of ['1', 'null', '{}', '[]', 'true'])
    await refused(`{"id":5,"op":${op}}`, {id: 5, code: 'bad_field', field: 'op'});
});

// ---- fields ----

// Each operation with all its fields, right; `needs` are those that may not be left out.
const room = honest.room;
const operations = {
  hello: {name: 'Ana', token: 'A'.repeat(43), client: 'test'},
  rename: {name: 'Bad'},
  ping: {},
  rooms: {after: room},
  create: {game: 'taluva', options: {}, access: 'open', clock: {kind: 'none'}, title: 'x'},
  watch: {room, code: '0'.repeat(16), have: 1},
  join: {room, code: '0'.repeat(16), seat: 0, colour: 'red', have: 1},
  sit: {room, seat: 0, colour: 'red'},
  bot: {room, seat: 0, colour: 'red'},
  unseat: {room, seat: 0},
  ready: {room, ready: true, nonce: 'ab'.repeat(16)},
  start: {room},
  leave: {room},
  move: {room, move: 'draw', confirm: false},
  check: {room, move: 'draw'},
  moves: {room},
  undo: {room},
  resign: {room},
  offer: {room, what: 'pause'},
  withdraw: {room, what: 'pause'},
  rematch: {room},
  say: {room, text: 'x'},
  record: {room},
};
const needed = {
  rename: ['name'], watch: ['room'], join: ['room'], sit: ['room'], bot: ['room'], unseat: ['room', 'seat'],
  ready: ['room', 'ready'], start: ['room'], leave: ['room'], move: ['room', 'move'], check: ['room', 'move'],
  moves: ['room'], undo: ['room'], resign: ['room'], offer: ['room', 'what'], withdraw: ['room', 'what'],
  rematch: ['room'], say: ['room', 'text'], record: ['room'],
};

disturbs('each field with each wrong type', async () => {
  for (const [op, fields] of Object.entries(operations)) {
    for (const [field, right] of Object.entries(fields)) {
      for (const wrong of [null, 0.5, -1, 'x'.repeat(1000), true, [], {}, {a: 1}, [1]]) {
        if (wrong === right || (typeof right === 'object' && typeof wrong === 'object' && wrong !== null && !Array.isArray(wrong)))
          continue;
        if (typeof right === 'boolean' && typeof wrong === 'boolean') continue;
        await refused(JSON.stringify({id: 7, op, ...fields, [field]: wrong}), {id: 7, code: 'bad_field', field});
      }
    }
  }
});

disturbs('each operation with a field too many and one too few', async () => {
  for (const [op, fields] of Object.entries(operations)) {
    await refused(JSON.stringify({id: 8, op, ...fields, surprise: 1}), {id: 8, code: 'unknown_field', field: 'surprise'});
    for (const field of needed[op] ?? []) {
      const {[field]: _, ...rest} = fields;
      await refused(JSON.stringify({id: 8, op, ...rest}), {id: 8, code: 'missing_field', field});
    }
  }
});

disturbs('names, titles and lines that nobody should see', async () => {
  const long = 'x'.repeat(1000);
  for (const text of ['', '   ', 'a\u0000b', 'a\u0007b', 'a\nb', 'a\u202eb', 'a\u2066b', 'a\u200fb', long, '\u200b']) {
    for (const [op, field] of [['rename', 'name'], ['say', 'text'], ['create', 'title']]) {
      const message = await refusal(JSON.stringify({id: 9, op, ...(op === 'say' ? {room} : {}), [field]: text}));
      assert.ok(['bad_field', 'bad_json'].includes(message.error?.code), JSON.stringify([op, text, message]));
    }
  }
});

// ---- rooms, seats and turns ----

disturbs('rooms that there are not', async () => {
  for (const op of Object.keys(needed)) {
    if (!operations[op].room) continue;
    await refused(JSON.stringify({id: 10, op, ...operations[op], room: '00000000'}), {id: 10, code: 'unknown_room'});
    for (const wrong of ['', 'k3m9x0a', 'k3m9x0aqq', 'K3M9X0AQ', 'ilouilou', '../../..', 'k3m9x0a\u0000'])
      assert.ok((await refusal(JSON.stringify({id: 10, op, ...operations[op], room: wrong}))).error, wrong);
  }
});

disturbs('a stranger can change nothing', async () => {
  for (const op of ['ready', 'start', 'move', 'check', 'undo', 'resign', 'offer', 'withdraw', 'sit', 'bot', 'unseat', 'rematch', 'join']) {
    const {code, have, ...fields} = operations[op];
    const message = await refusal(JSON.stringify({id: 11, op, ...fields}));
    assert.ok(message.error, `${op}: ${JSON.stringify(message)}`);
  }
});

disturbs('the wrong turn, and moves that are none', async () => {
  const idle = honest.playerOf(1 - honest.actingSeat);
  const acting = honest.playerOf(honest.actingSeat);
  const {moves} = await acting.must('moves', {room});
  assert.equal((await idle.ask('move', {room, move: moves[0]})).error.code, 'not_your_turn');
  assert.equal((await idle.ask('moves', {room})).error.code, 'not_your_turn');
  for (const move of ['', 'x', 'JJ@0,0', 'JJ@0,0:9', 'JJ@99999999999,0:0', 'hut@0,0', 'hut@0,0 hut@0,0', '\n', 'tower', 'move'.repeat(1000)]) {
    const reply = await acting.ask('move', {room, move});
    assert.ok(reply.error, `${move}: ${JSON.stringify(reply)}`);
  }
  await honest.verify();
});

disturbs('what an honest player sends twice is done once', async () => {
  const acting = honest.playerOf(honest.actingSeat);
  const {moves, eliminating = []} = await acting.must('moves', {room});
  const message = {id: 424242 + honest.seqs[0], op: 'move', room, move: moves.find((move) => !eliminating.includes(move)) ?? moves[0], confirm: true};
  const first = await acting.askWith(message);
  assert.ok(first.ok, JSON.stringify(first));
  const again = await acting.askWith(message);
  assert.deepEqual(again, first);
  await refused(JSON.stringify({...message, confirm: false}), {id: message.id, code: 'id_reused'}, acting);
  await honest.hear(first.ok.seq);
});

// ---- sessions ----

disturbs('before and after hello', async () => {
  const fresh = await Socket.open(server.port);
  for (const [op, fields] of Object.entries(operations)) {
    if (op !== 'hello') await refused(JSON.stringify({id: 12, op, ...fields}), {id: 12, code: 'hello_first'}, fresh);
  }
  await refused(JSON.stringify({id: 13, op: 'hello', token: 'A'.repeat(43)}), {id: 13, code: 'unknown_token'}, fresh);
  for (const token of ['', 'A', 'A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}=`, `${'A'.repeat(42)}/`])
    await refused(JSON.stringify({id: 13, op: 'hello', token}), {id: 13, code: 'bad_field', field: 'token'}, fresh);
  assert.ok((await fresh.ask('hello', {name: 'Late'})).ok);
  await refused(JSON.stringify({id: 14, op: 'hello'}), {id: 14, code: 'hello_twice'}, fresh);
  fresh.destroy();
});

disturbs('a room by invitation stays closed', async () => {
  const host = await player(server.port, 'Host');
  const made = await host.must('create', {access: 'code', title: 'mine'});
  await refused(JSON.stringify({id: 15, op: 'watch', room: made.room}), {id: 15, code: 'code_needed'});
  await refused(JSON.stringify({id: 15, op: 'join', room: made.room, code: '0'.repeat(16)}), {id: 15, code: 'wrong_code'});
  const {body} = await server.get('/api/rooms');
  assert.ok(!body.includes(made.room), 'a closed room is listed');
  assert.equal((await bad.ask('record', {room: made.room})).error !== undefined, true);
  host.destroy();
});

test('the log has neither tokens nor codes', async () => {
  assert.ok(!server.stderr.includes(bad.token));
});

test('it stops after everything is stored', async () => {
  honest.end();
  bad.destroy();
  assert.deepEqual(await server.stop(), {status: 0, signal: null}, server.stderr);
});

await run(() => server.stop('SIGKILL'));
