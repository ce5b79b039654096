// A server that is started again when it ends, as a service manager does, many matches that are played on it, and what was acknowledged
// held against what the database holds.
import {setTimeout as pause} from 'node:timers/promises';
import {assert} from '../../wire/lib/tap.mjs';
import {Match} from '../../wire/lib/match.mjs';
import {scratchFolder, Server} from '../../wire/lib/server.mjs';
import {player} from '../../wire/lib/socket.mjs';
import {EVENTS, hold} from './ledger.mjs';
import {join} from 'node:path';

const LIFTED = '100000';
const flags = ['--requests-per-s', '--requests-burst', '--requests-per-address-per-s', '--requests-per-address-burst', '--work-per-s', '--work-burst',
  '--sessions-per-address-burst', '--sessions-per-address-per-min', '--rooms-per-session', '--rooms-per-address-per-min', '--rooms-per-address'];
const options = flags.flatMap((flag) => [flag, LIFTED]);

export class Site {
  constructor(url, ...more) {
    this.words = [...options, '--store', url, ...more];
    this.data = join(scratchFolder(), 'data');
    this.acknowledged = []; // {room, session, id, seq, move}
    this.ends = []; // what servers ended with, and said
    this.repeated = 0;
    this.over = false;
  }

  /** Serves until `stop`. */
  async start() {
    this.server = await Server.start(this.words, {data: this.data});
    this.watched = this.watch();
  }

  async watch() {
    while (!this.over) {
      const {status} = await this.server.ended;
      if (this.over) return;
      this.ends.push({status, said: this.server.stderr});
      while (!this.over && !(await this.again())) await pause(200);
    }
  }

  async again() {
    try {
      this.server = await Server.start(this.words, {data: this.data});
      return true;
    } catch (error) {
      if (!String(error).includes('taluvad ended')) throw error;
      this.ends.push({said: String(error)});
      return false;
    }
  }

  play(count) {
    this.playing = Array.from({length: count}, () => this.playOne());
  }

  async playOne() {
    const match = {};
    while (!this.over) {
      try {
        await this.goOn(match);
      } catch (error) {
        match.server = undefined; // it comes back
        if (/unknown_room|unknown_token/.test(String(error))) match.room = undefined; // lost with the database
        else if (!/closed with|ECONNREFUSED|ECONNRESET|store_failing|not the server/.test(String(error))) throw error;
        await pause(50);
      }
    }
    for (const who of match.players ?? []) who.destroy();
  }

  async goOn(match) {
    if (match.room && match.server !== this.server) await this.comeBack(match);
    if (!match.room || match.over || !match.state.acting) { // over, or back in its lobby, as the database has lost that it began
      for (const who of match.players ?? []) who.destroy();
      Object.assign(match, {pending: undefined, room: undefined});
      const begun = await Match.start(this.server.port, {options: {tiles: 24}});
      for (const who of begun.players) who.session = who.hello.session;
      Object.assign(match, begun, {server: this.server});
      Object.setPrototypeOf(match, Match.prototype);
    }
    await this.move(match);
  }

  /** With token and `have`, as after any cut. */
  async comeBack(match) {
    const server = this.server;
    for (const [at, who] of match.players.entries()) {
      who.destroy();
      const back = await player(server.port, 'x', {token: who.token});
      back.session = who.session;
      const view = await back.must('join', {room: match.room, have: match.seqs[at]});
      back.seat = view.you.seat;
      match.players[at] = back;
      if (view.seq < match.seqs[at]) match.pending = undefined; // the database has lost what it followed from
      if (view.state) [match.states[at], match.seqs[at]] = [view.state, view.seq];
      else await match.hearOne(at, view.seq);
    }
    match.server = server;
  }

  /** One player's move, sent again with the same id until it is acknowledged. */
  async move(match) {
    const actor = match.playerOf(match.actingSeat);
    if (!match.pending) {
      const {moves, eliminating = []} = await actor.must('moves', {room: match.room});
      const harmless = moves.filter((one) => !eliminating.includes(one));
      const from = harmless.length > 0 ? harmless : moves;
      match.lastId = (match.lastId ?? 1000) + 1;
      match.pending = {seat: actor.seat,
        message: {id: match.lastId, op: 'move', room: match.room, move: from[Math.floor(Math.random() * from.length)], confirm: true}};
    }
    const {message, seat} = match.pending;
    const who = match.playerOf(seat);
    let reply;
    while (!(reply = await who.askWith(message)).ok) {
      if (!JSON.stringify(reply).includes('store_failing')) throw new Error(`${JSON.stringify(message)}: ${JSON.stringify(reply)}`);
      this.repeated++;
      if (this.over) return;
      await pause(50);
    }
    this.acknowledged.push({room: match.room, session: who.session, id: message.id, seq: reply.ok.seq, move: message.move});
    match.pending = undefined;
    await match.hear(Math.max(reply.ok.seq, ...match.seqs));
  }

  /** Resolves when `count` more moves have been acknowledged, with the milliseconds that took. */
  async more(count) {
    const [from, begun] = [this.acknowledged.length, performance.now()];
    const broken = Promise.all(this.playing).then(() => assert.fail('nobody plays'));
    while (this.acknowledged.length < from + count) {
      await Promise.race([pause(5), broken]);
      if (performance.now() - begun > 120000) throw new Error(`play does not go on: ${this.server.stderr.slice(-2000)}`);
    }
    return performance.now() - begun;
  }

  async stop() {
    this.over = true;
    await Promise.race([Promise.all(this.playing ?? []), pause(1000)]);
    await this.server.stop();
    await Promise.all(this.playing ?? []).catch((error) => {
      if (!/closed with|ECONN/.test(String(error))) throw error;
    });
  }

  /** {lost, doubled, gaps} of what `cluster` holds. */
  async check(cluster) {
    const acknowledged = this.acknowledged.slice(); // before it is read
    const {lost, doubled, gaps} = hold(acknowledged, (await cluster.ask(EVENTS)).split('\n'));
    return {lost, doubled, gaps};
  }
}
