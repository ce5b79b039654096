// Two honest players in one match, who can be asked whether everything is still as it should be.
import assert from 'node:assert/strict';
import {player} from './socket.mjs';

/** RFC 7396. */
export function merge(target, patch) {
  if (patch === null || typeof patch !== 'object' || Array.isArray(patch)) return patch;
  const result = target !== null && typeof target === 'object' && !Array.isArray(target) ? {...target} : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = merge(result[key], value);
  }
  return result;
}

export class Match {
  /** A started match of two on the server at `port`, the second one's may be another; `how` they connect: see Raw.connect. */
  static async start(port, options = {}, how = {}, other = port) {
    const match = new Match();
    match.players = [await player(port, 'Ana', how), await player(other, 'Bo', how)];
    const [ana, bo] = match.players;
    const {room, code} = await ana.must('create', {title: 'honest', ...options});
    Object.assign(match, {room, code});
    match.states = [];
    match.seqs = [];
    for (const who of match.players) await who.must('join', {room, ...(code ? {code} : {})});
    for (const who of match.players)
      await who.must('ready', {room: match.room, ready: true, nonce: 'ab'.repeat(16)});
    await ana.must('start', {room: match.room});
    match.started_at = performance.now();
    await match.look();
    return match;
  }

  /** Takes the state anew, as the server has it. */
  async look() {
    for (const [at, who] of this.players.entries()) {
      const view = await who.must('watch', {room: this.room});
      this.states[at] = view.state;
      this.seqs[at] = view.seq;
      this.players[at].seat = view.you?.seat;
      who.pushes = (who.pushes ?? []).filter((push) => push.push !== 'event' || push.seq > view.seq);
    }
    assert.deepEqual(this.states[0], this.states[1]);
    return this.states[0];
  }

  get state() {
    return this.states[0];
  }

  get over() {
    return this.state.phase === 'over';
  }

  get actingSeat() {
    return this.state.acting[0];
  }

  playerOf(seat) {
    return this.players.find((who) => who.seat === seat);
  }

  /** The same players on another server that has their match, as after any cut: with their tokens, and what they have. */
  async comeBack(port) {
    for (const [at, who] of this.players.entries()) {
      who.destroy();
      const back = await player(port, 'x', {token: who.token});
      const view = await back.must('join', {room: this.room, have: this.seqs[at]});
      back.seat = view.you.seat;
      this.players[at] = back;
      if (view.state) [this.states[at], this.seqs[at]] = [view.state, view.seq];
      else await this.hearOne(at, view.seq);
    }
    assert.deepEqual(this.states[0], this.states[1], 'the players differ after they have come back');
  }

  /** Player `at` takes events up to `seq`, without a gap. */
  async hearOne(at, seq) {
    while (this.seqs[at] < seq) {
      const push = await this.players[at].push((message) => message.push === 'event' && message.room === this.room);
      assert.equal(push.seq, this.seqs[at] + 1, 'a gap');
      this.states[at] = merge(this.states[at], push.patch);
      this.seqs[at] = push.seq;
    }
  }

  async hear(seq) {
    for (const at of this.players.keys()) await this.hearOne(at, seq);
    assert.deepEqual(this.states[0], this.states[1]);
  }

  /** One legal move by whoever's turn it is; both must hear of it and hold the same state. */
  async step(choose = (moves) => moves[0]) {
    const actor = this.playerOf(this.actingSeat);
    const {moves, eliminating = []} = await actor.must('moves', {room: this.room});
    const harmless = moves.filter((move) => !eliminating.includes(move));
    const move = choose(harmless.length > 0 ? harmless : moves);
    const {seq} = await actor.must('move', {room: this.room, move, confirm: true});
    await this.hear(seq);
    return move;
  }

  /** The server's own state is the one that the players hold. */
  async verify() {
    const [held, seq] = [this.state, this.seqs[0]];
    await this.look();
    assert.equal(this.seqs[0], seq);
    assert.deepEqual(this.state, held);
  }

  end() {
    for (const who of this.players) who.destroy();
  }
}
