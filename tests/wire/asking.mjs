// Questions that worker threads answer: hints and analyses, those who ask too much, and those who go away meanwhile.
import {assert, run, test} from './lib/tap.mjs';
import {Match} from './lib/match.mjs';
import {Server} from './lib/server.mjs';
import {player} from './lib/socket.mjs';

const limits = ['--hints-burst', '6', '--hints-per-min', '1', '--analyses-per-address-burst', '3', '--analyses-per-address-per-min', '1',
  '--requests-per-s', '1000', '--requests-burst', '1000'];
let server = await Server.start(limits);

const actorOf = (match) => match.playerOf(match.actingSeat);
const otherOf = (match) => match.players.find((who) => who.seat !== match.actingSeat);

/** Replies to requests that were sent together, in whatever order they come. */
async function answersTo(who, ids) {
  const found = new Map();
  while (found.size < ids.length) {
    const message = await who.next();
    assert.equal(message.close, undefined);
    if (message.push) (who.pushes ??= []).push(message);
    else found.set(message.id, message);
  }
  return ids.map((id) => found.get(id));
}

/** A match of a few turns that is over. */
async function finished() {
  const match = await Match.start(server.port);
  for (let moves = 0; moves < 6; moves++) await match.step();
  const {seq} = await match.players[0].must('resign', {room: match.room});
  await match.hear(seq);
  return match;
}

test('a hint is told to all, and its turn can be played', async () => {
  const match = await Match.start(server.port);
  const actor = actorOf(match);
  for (let turn = 0; turn < 2; turn++) {
    const {room, seq, turns} = await actorOf(match).must('hint', {room: match.room});
    assert.equal(room, match.room);
    await match.hear(seq);
    for (const {chances} of turns) assert.ok(Math.abs(chances[0] + chances[1] - 1000) <= 1, String(chances));
    for (const move of turns[0].moves) {
      const done = await actorOf(match).must('move', {room, move});
      await match.hear(done.seq);
    }
  }
  assert.equal(match.state.seats[actor.seat].hints, 1);
  await match.verify();
  match.end();
});

test('nobody is told what others may do', async () => {
  const match = await Match.start(server.port);
  const watcher = await player(server.port, 'Eve');
  await watcher.must('watch', {room: match.room});
  for (let at = 0; at < 20; at++) {
    assert.equal((await otherOf(match).ask('hint', {room: match.room})).error.code, 'not_your_turn');
    assert.equal((await watcher.ask('hint', {room: match.room})).error.code, 'not_seated');
  }
  await match.verify(); // and no event has come of it
  const closed = await Match.start(server.port, {clock: {kind: 'move', move_s: 1000}});
  assert.equal((await actorOf(closed).ask('hint', {room: closed.room})).error.code, 'no_hints');
  match.end();
  closed.end();
  watcher.destroy();
});

test('a hint whose position is gone, and one whose asker is gone', async () => {
  const match = await Match.start(server.port);
  const actor = actorOf(match);
  const {moves} = await actor.must('moves', {room: match.room});
  actor.send({id: 2 ** 39, op: 'hint', room: match.room});
  actor.send({id: 2 ** 39 + 1, op: 'move', room: match.room, move: moves[0]});
  const [hint, move] = await answersTo(actor, [2 ** 39, 2 ** 39 + 1]);
  assert.ok(hint.ok || hint.error.code === 'moved_on', JSON.stringify(hint));
  await match.hear(move.ok.seq);
  actor.send({id: 2 ** 40, op: 'hint', room: match.room});
  actor.destroy();
  const back = await player(server.port, 'x', {token: actor.token});
  await back.must('watch', {room: match.room});
  match.end();
  back.destroy();
});

test('too many hints', async () => {
  const flooder = await Match.start(server.port);
  const honest = await Match.start(server.port);
  const actor = actorOf(flooder);
  const ids = Array.from({length: 60}, (_, at) => 2 ** 39 + at);
  for (const id of ids) actor.send({id, op: 'hint', room: flooder.room});
  const answers = await answersTo(actor, ids);
  assert.ok(answers.filter(({ok}) => ok).length <= 7);
  assert.ok(answers.some(({error}) => error?.code === 'slow_down'));
  for (const {ok, error} of answers) assert.ok(ok || error.code === 'slow_down' || error.code === 'busy', JSON.stringify(error));
  await honest.step();
  await honest.verify();
  const {ok} = await actorOf(honest).ask('hint', {room: honest.room});
  assert.ok(ok, 'others have hints of their own');
  flooder.end();
  honest.end();
});

test('a match is analysed once it is over, the same for all, and again after a restart', async () => {
  const going = await Match.start(server.port);
  assert.equal((await going.players[0].ask('analysis', {room: going.room})).error.code, 'not_over');
  going.end();
  const match = await finished();
  const watcher = await player(server.port, 'Eve');
  const answers = await Promise.all([...match.players, watcher].map((who) => who.must('analysis', {room: match.room})));
  const [first] = answers;
  assert.equal(first.analysis.game, 'taluva');
  assert.equal(first.analysis.turns.length, 3);
  for (const one of answers) assert.deepEqual(one, first);
  assert.deepEqual(await watcher.must('analysis', {room: match.room}), first);
  match.end();
  watcher.destroy();
  const {data} = server;
  assert.equal((await server.stop()).status, 0, server.stderr);
  server = await Server.start(limits, {data});
  const later = await player(server.port, 'Later');
  assert.deepEqual(await later.must('analysis', {room: match.room}), first);
  later.destroy();
});

test('too many analyses, and askers who go away', async () => {
  const matches = [];
  for (let at = 0; at < 4; at++) matches.push(await finished());
  const gone = await player(server.port, 'Gone');
  gone.send({id: 1000, op: 'analysis', room: matches[0].room});
  gone.destroy();
  const eve = await player(server.port, 'Eve');
  // All at once: while a slow machine makes them one after the other, there may be one more.
  const ids = matches.map((_, at) => 2000 + at);
  for (const [at, {room}] of matches.entries()) eve.send({id: ids[at], op: 'analysis', room});
  const answers = await answersTo(eve, ids);
  assert.equal(answers.at(-1).error?.code, 'slow_down');
  const {room} = matches[answers.findIndex(({ok}) => ok)];
  for (let at = 0; at < 20; at++) await eve.must('analysis', {room}); // what is made already is not counted
  for (const match of matches) match.end();
  eve.destroy();
});

test('the server ends in the middle of a thought', async () => {
  const match = await finished();
  const other = await Match.start(server.port);
  match.players[0].send({id: 2 ** 41, op: 'analysis', room: match.room});
  actorOf(other).send({id: 2 ** 41, op: 'hint', room: other.room});
  await other.players[0].must('ping', {});
  assert.equal((await server.stop()).status, 0, server.stderr);
  match.end();
  other.end();
}, 60000);

await run();
