// Two honest players in a match of Totem, each of whom leads two families: as Match, but what they hold differs.
import assert from 'node:assert/strict';
import {merge} from './match.mjs';
import {player} from './socket.mjs';

const KINDS = 'gbwmWMe';
const HUT = 6;

/** The whole family, or as many as must stay, the elders first, six in a hut. */
function settle(family, {people, stay}) {
  const settled = [...people].sort((one, two) => KINDS.indexOf(two) - KINDS.indexOf(one)).slice(0, stay).reverse();
  const huts = [0, 1, 2].map((hut) => settled.slice(hut * HUT, (hut + 1) * HUT).join('') || '-');
  return `settle@${family}=${huts.join('/')}`;
}

export class TotemMatch {
  static async start(port, options = {}) {
    const match = new TotemMatch();
    match.players = [await player(port, 'Tim'), await player(port, 'Uma')];
    const [tim] = match.players;
    match.room = (await tim.must('create', {game: 'totem', options: {players: 2, ...options}})).room;
    for (const who of match.players) await who.must('join', {room: match.room});
    for (const who of match.players) await who.must('ready', {room: match.room, ready: true, nonce: 'cd'.repeat(16)});
    await tim.must('start', {room: match.room});
    match.states = [];
    match.seqs = [];
    for (const [at, who] of match.players.entries()) {
      const view = await who.must('watch', {room: match.room});
      [match.states[at], match.seqs[at], who.seat] = [view.state, view.seq, view.you.seat];
      who.pushes = (who.pushes ?? []).filter((push) => push.push !== 'event' || push.seq > view.seq);
    }
    return match;
  }

  get over() {
    return this.states[0].phase === 'over';
  }

  /** With their tokens and what they have, each at a port of its own. */
  async comeBack(...ports) {
    for (const [at, who] of this.players.entries()) {
      who.destroy();
      const back = await player(ports[at % ports.length], who.hello.name, {token: who.token});
      const view = await back.must('join', {room: this.room, have: this.seqs[at]});
      back.seat = view.you.seat;
      this.players[at] = back;
      if (view.state) [this.states[at], this.seqs[at]] = [view.state, view.seq];
      else await this.hear(at, view.seq);
    }
  }

  async hear(at, seq) {
    while (this.seqs[at] < seq) {
      const push = await this.players[at].push((message) => message.push === 'event' && message.room === this.room);
      assert.equal(push.seq, this.seqs[at] + 1, 'a gap');
      this.states[at] = merge(this.states[at], push.patch);
      this.seqs[at] = push.seq;
    }
  }

  /** One legal command of whoever may act. */
  async step() {
    const actor = this.players.find((who) => this.states[0].acting.includes(who.seat));
    const {moves, asked} = await actor.must('moves', {room: this.room});
    const [family, what] = Object.entries(asked)[0];
    const move = what.kind === 'settle' ? settle(family, what) : moves[0];
    const {seq} = await actor.must('move', {room: this.room, move, confirm: true});
    for (const at of this.players.keys()) await this.hear(at, seq);
  }

  /** The server's own states are those that the players hold. */
  async verify() {
    for (const [at, who] of this.players.entries()) {
      const view = await who.must('watch', {room: this.room});
      assert.equal(view.seq, this.seqs[at]);
      assert.deepEqual(view.state, this.states[at]);
    }
  }

  end() {
    for (const who of this.players) who.destroy();
  }
}
