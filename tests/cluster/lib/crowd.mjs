// Many matches of two on a site of several nodes, each player at a node of its own choice, moving slowly, as people do. Its clients do
// what the protocol says: who is cut off comes back with the token and what it has, after a while that grows; who is refused for a time
// asks again with the same id. What they see is checked on the way: numbers without gaps, nothing older than what was acknowledged, and each event
// before the reply to the request that caused it.
import {setTimeout as pause} from 'node:timers/promises';
import {Client} from './client.mjs';

const LATER = /closed with|ECONN|store_failing|slow_down|part_away|draining|busy|internal|no answer|refused with/;
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS, PATIENCE_MS] = [500, 4000, 10000];

export class Crowd {
  /**
   * `where()` is the URL of the node that a client shall go to, if there is one at the moment; `told` is called with each move that was
   * acknowledged; `pace_ms(number)` is the pause before the next move of a match; `from(number)` the address of this machine that the
   * player of that number comes from. With `may_forget` the site may go back in time.
   */
  constructor({where, told, pace_ms, ca, from, may_forget = false}) {
    Object.assign(this, {where, told, pace_ms, ca, from, may_forget, over: false, matches: [], wrong: [], figures: {cuts: 0, repeats: 0, moves: 0, games: 0}});
    this.sweeper = setInterval(() => this.sweep(), 1000);
  }

  play(count) {
    for (let number = this.matches.length; count > 0; count--, number++) {
      const match = {number, players: [{name: 'Ana'}, {name: 'Bo'}], acked: 0, at: 0};
      match.players.forEach((player, at) => Object.assign(player, {match, from: this.from?.(2 * number + at)}));
      this.matches.push(match);
      match.playing = this.life(match).catch((error) => this.say({broken: error.stack, room: match.room}));
    }
  }

  say(wrong) {
    this.wrong.push(wrong);
    if (this.wrong.length <= 5) console.log(`# wrong: ${JSON.stringify(wrong)}`);
  }

  /** Leaves whoever has not answered for long: as clients do that ping. */
  sweep() {
    const now = performance.now();
    for (const {players} of this.matches)
      for (const {client, asked} of players) if (asked !== undefined && now - asked > PATIENCE_MS) client?.destroy();
  }

  async ask(player, message, told) {
    const client = await player.ready;
    player.asked = performance.now();
    try {
      return await client.ask(message, told);
    } finally {
      player.asked = undefined;
    }
  }

  async must(player, op, fields, told) {
    player.lastId = (player.lastId ?? Math.floor(Math.random() * 2 ** 40)) + 1;
    const reply = await this.ask(player, {id: player.lastId, op, ...fields}, told);
    if (!reply.ok) throw new Error(`${op}: ${JSON.stringify(reply.error)}`);
    return reply.ok;
  }

  /** Comes, and comes back whenever it is cut off. */
  connect(player) {
    player.ready = this.comeBack(player);
    player.ready.catch((error) => this.over || this.say({broken: String(error.stack), room: player.match.room}));
  }

  async comeBack(player) {
    for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(2 * wait, LONGEST_PAUSE_MS)) {
      let client;
      try {
        const url = this.where();
        if (!url) throw new Error('closed with nobody there');
        client = await Client.open(url, {ca: this.ca, from: player.from, patience_ms: PATIENCE_MS});
        client.url = url;
        player.client = client;
        player.asked = performance.now();
        await this.greet(player, client);
        client.gone = () => {
          this.figures.cuts++;
          if (!this.over && player.client === client) this.connect(player);
        };
        if (client.closed) throw new Error('closed with that');
        return client;
      } catch (error) {
        client?.destroy();
        if (this.over || !LATER.test(String(error))) throw error;
        await pause(wait * (0.5 + Math.random() / 2), undefined, {ref: false});
      } finally {
        player.asked = undefined;
      }
    }
  }

  async greet(player, client) {
    const {match} = player;
    client.pushed = (push) => this.hear(player, push);
    const says = (token) => client.must('hello', {name: player.name, ...(token ? {token} : {})});
    const hello = await says(player.token).catch((error) => this.forget(player, error) ?? says());
    player.token ??= hello.token;
    if (player.session && player.session !== hello.session) this.say({changed: hello, player: player.session});
    player.session = hello.session;
    if (!match.room || player.room !== match.room) return;
    const {acked, room} = match;
    const told = (view) => this.resume(player, view, acked);
    await client.must('join', {room, have: player.seq}, told).catch((error) => this.forget(player, error));
  }

  /** What it has missed; `acked` had been acknowledged before it asked. */
  resume(player, view, acked) {
    const {match} = player;
    if (view.seq < Math.max(acked, player.seq)) {
      if (!this.may_forget) this.say({stale: match.room, acked, had: player.seq, got: view.seq, from: player.client.url});
      Object.assign(match, {pending: undefined, back: true, acked: Math.min(acked, view.seq), at: view.seq - 1});
      player.seq = view.seq;
    }
    if (view.state) this.take(player, view);
  }

  take(player, {seq, state, you}) {
    const {match} = player;
    player.seq = seq;
    player.seat = you?.seat ?? player.seat;
    if (seq >= match.at) Object.assign(match, {at: seq, acting: state.acting?.[0], phase: state.phase});
  }

  hear(player, push) {
    const {match} = player;
    if (push.push !== 'event' || push.room !== match.room) return;
    if (push.seq !== player.seq + 1) return this.say({gap: match.room, had: player.seq, got: push.seq, from: player.client.url});
    player.seq = push.seq;
    if (push.seq > match.at) {
      match.at = push.seq;
      if (push.patch.acting) match.acting = push.patch.acting[0];
      if (push.patch.phase) match.phase = push.patch.phase;
    }
    match.news?.();
  }

  async life(match) {
    for (const player of match.players) this.connect(player);
    while (!this.over) {
      try {
        if (!match.begun || match.phase === 'over') await this.begin(match);
        await this.turn(match);
      } catch (error) {
        if (this.over) return;
        if (!LATER.test(String(error))) {
          if (!this.may_forget) throw error;
          match.pending = undefined; // it does not fit what the site has gone back to
        }
        if (/unknown_room/.test(String(error))) match.begun = false;
        await pause(100);
      }
    }
  }

  /** What the site has forgotten; any other error is one. */
  forget(player, error) {
    if (!this.may_forget || !/unknown_(room|token)/.test(error.code)) throw error;
    if (error.code === 'unknown_token') player.token = player.session = undefined;
    Object.assign(player.match, {begun: false, back: true});
    player.room = undefined;
  }

  async begin(match) {
    const [ana] = match.players;
    if (match.begun) this.figures.games++;
    Object.assign(match, {begun: false, back: false, room: undefined, pending: undefined, acked: 0, at: 0, phase: undefined});
    const {room, code} = await this.must(ana, 'create', {title: 'slowly', options: {tiles: 24}});
    match.room = room;
    for (const player of match.players) {
      await this.must(player, 'join', {room, ...(code ? {code} : {})}, (view) => this.take(player, view));
      player.room = room;
    }
    for (const player of match.players) await this.must(player, 'ready', {room, ready: true, nonce: 'ab'.repeat(16)});
    const {seq} = await this.must(ana, 'start', {room});
    await this.heard(match, seq);
    match.begun = true;
  }

  /** Until both have all events up to `seq`. */
  async heard(match, seq) {
    const end = performance.now() + 60000;
    while (match.players.some((player) => player.seq < seq)) {
      if (this.over || match.back) throw new Error('closed with the end');
      if (performance.now() > end) throw new Error(`${match.room}: event ${seq} has not come: ${match.players.map((player) => player.seq)}`);
      await Promise.race([new Promise((resolve) => (match.news = resolve)), pause(1000, undefined, {ref: false})]);
    }
  }

  async due(match) {
    await new Promise((resolve) => {
      match.poke = resolve;
      const timer = setTimeout(resolve, match.fault === undefined ? this.pace_ms(match.number) : 0);
      timer.unref();
    });
    match.poke = undefined;
  }

  async turn(match) {
    match.back = false;
    if (!match.pending) {
      const actor = match.players.find(({seat}) => seat === match.acting);
      if (!actor) throw new Error(`${match.room}: nobody acts at ${match.at}: ${match.acting} ${match.phase}`);
      const {moves, eliminating = []} = await this.must(actor, 'moves', {room: match.room});
      const from = moves.filter((one) => !eliminating.includes(one));
      const move = (from.length > 0 ? from : moves)[Math.floor(Math.random() * (from.length || moves.length))];
      await this.due(match);
      if (this.over) return;
      match.lastId = (match.lastId ?? 1000) + 1;
      match.pending = {actor, sent: performance.now(), tries: 0, message: {id: match.lastId, op: 'move', room: match.room, move, confirm: true}};
    }
    const {pending} = match;
    const {actor, message} = pending;
    if (pending.tries++ > 0) this.figures.repeats++;
    const reply = await this.ask(actor, message, ({seq}) => {
      if (actor.seq < seq) this.say({early: match.room, had: actor.seq, replied: seq, from: actor.client.url});
    });
    if (!reply.ok) throw new Error(`${JSON.stringify(message)}: ${JSON.stringify(reply.error)}`);
    match.pending = undefined;
    match.acked = Math.max(match.acked, reply.ok.seq);
    this.figures.moves++;
    this.told({match: match.number, room: match.room, session: actor.session, id: message.id, seq: reply.ok.seq, move: message.move, at: Date.now()});
    if (match.fault !== undefined && (pending.sent > match.fault || pending.tries > 1)) {
      this.times?.push(performance.now() - match.fault);
      match.fault = undefined;
    }
    await this.heard(match, reply.ok.seq);
  }

  /** All that are under way want to move now; how long each needs is in `times`. */
  fault() {
    this.times = [];
    const now = performance.now();
    for (const match of this.matches) {
      match.fault = match.begun ? now : undefined;
      match.poke?.();
    }
  }

  /** How many have not gone on since. */
  get standing() {
    return this.matches.filter(({fault}) => fault !== undefined).length;
  }

  /** Until all have, or for so long. */
  async goesOn(patience_ms = 60000) {
    const end = performance.now() + patience_ms;
    while (this.standing > 0 && performance.now() < end) await pause(50);
    return this.standing === 0;
  }

  /** Until so many matches have begun. */
  async begun(count = this.matches.length) {
    while (this.matches.filter((match) => match.begun).length < count) {
      if (this.wrong.length > 0) throw new Error('it goes wrong');
      await pause(100);
    }
  }

  /** Of those at `url`. */
  cutOff(url) {
    for (const {players} of this.matches) for (const {client} of players) if (client?.url === url) client.destroy();
  }

  stop() {
    this.over = true;
    clearInterval(this.sweeper);
    for (const match of this.matches) {
      match.poke?.();
      for (const {client} of match.players) client?.destroy();
    }
  }
}

/** {p50, p99, max} in milliseconds. */
export function summary(times) {
  const sorted = times.slice().sort((one, other) => one - other);
  const at = (share) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN);
  return {p50: at(0.5), p99: at(0.99), max: at(1)};
}
