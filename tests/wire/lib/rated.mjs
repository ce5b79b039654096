// Accounts that find each other by a quick match and play it to its end.
import {player} from './socket.mjs';
import {assert} from './tap.mjs';

export async function account(server, name, handle) {
  const who = await player(server.port, name);
  await who.must('claim', {handle});
  return who;
}

/** Both seek and sit down. Who `found` it is told where; each knows its seat then. */
export async function findEachOther(players) {
  for (const who of players) await who.must('seek', {game: 'taluva', options: {sizes: [2, 3]}});
  const found = [];
  for (const who of players) found.push(await who.push(({push}) => push === 'found'));
  assert.equal(found[0].room, found[1].room);
  assert.equal(found[0].class, 'taluva.duel.live');
  const {room} = found[0];
  for (const who of players) {
    const {state, you} = await who.must('join', {room});
    who.seat = you.seat;
    assert.equal(state.rated, 'taluva.duel.live');
    await who.must('ready', {room, ready: true, nonce: 'ab'.repeat(16)});
  }
  await players[0].must('start', {room});
  return room;
}

/** Two turns each; then the second one resigns. What they are told of it. */
export async function playRated(players) {
  const room = await findEachOther(players);
  for (let turn = 0; turn < 4; turn++) {
    const {state} = await players[0].must('watch', {room}), who = players.find(({seat}) => seat === state.acting[0]);
    for (let acting = true; acting; ) {
      const {moves} = await who.must('moves', {room});
      await who.must('move', {room, move: moves[0], confirm: true});
      acting = (await who.must('watch', {room})).state.acting[0] === who.seat;
    }
  }
  await players[1].must('resign', {room});
  const told = [];
  for (const who of players) told.push(await who.push(({push}) => push === 'rated'));
  return {room, told};
}
