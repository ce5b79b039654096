// The connection: one WebSocket that is opened again whenever it is lost. It matches replies to requests and passes
// pushes on. Requests that were not answered when the connection was lost are sent again with the same id; the server
// answers a repeat with the first answer. This file handles the envelope of messages (protocol/README.md, sections 1 and 2)
// and knows nothing about games.

/** @typedef {{[name: string]: any}} Message */
/** @typedef {'connecting' | 'open' | 'waiting' | 'stopped'} WireStatus */
/** @typedef {{message: Message, resolve: (ok: Message) => void, reject: (error: Error) => void, sent: boolean}} Pending */
/**
 * Where the session is kept between visits.
 * @typedef {object} Keeper
 * @property {() => string} token "" if there is none
 * @property {(token: string) => void} keepToken
 * @property {import('./aside.js').Aside} aside what the server did not know
 * @property {() => string} name
 * @property {() => string} client what this browser calls itself
 */

/**
 * How the next hello enters: with a link or a phrase, or with a passkey that is shown for a challenge of that connection.
 * @typedef {object} Entering
 * @property {Message} [who]
 * @property {(asked: Message) => Promise<Message>} [show]
 * @property {(ok: Message) => void} resolve
 * @property {(error: Error) => void} reject
 */

/** A request that the server refused. */
export class Refusal extends Error {
  /** @param {{code: string, message: string, field?: string, retry_ms?: number}} error */
  constructor(error) {
    super(error.message);
    this.code = error.code;
    this.field = error.field;
    this.retryMs = error.retry_ms;
  }

  /** Nothing was done, and the same may succeed in a moment. */
  get passing() {
    return ['slow_down', 'part_away', 'busy'].includes(this.code);
  }
}

const RETRY_MS = 1000,
  RETRY_MOST_MS = 60_000,
  A_MOMENT_MS = 2000;

/** 256 random bits in the form of a token: with it the use of a pass is answered again, should the answer be lost. */
function madeUp() {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes)).replace(/\+/g, '-').replace(/\//g, '_').replace(/=/g, '');
}

/**
 * Repeats what is refused for the moment after the pause that the server asks for, else a growing one. Other refusals are thrown, and
 * this one too when the pauses would be longer than `mostMs` together, or when it is not wanted any more after one of them.
 * @param {() => Promise<Message>} attempt @param {{mostMs?: number, wanted?: () => boolean}} limits
 */
export async function patiently(attempt, { mostMs = Infinity, wanted = () => true }) {
  for (let pause = RETRY_MS, waited = 0; ; pause = Math.min(2 * pause, RETRY_MOST_MS)) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Refusal) || !error.passing) throw error;
      const wait = Math.min(error.retryMs ?? pause, RETRY_MOST_MS);
      waited += wait;
      if (waited > mostMs) throw error;
      await new Promise((resolve) => setTimeout(resolve, wait));
      if (!wanted()) throw error;
    }
  }
}

const BACKOFF_MS = 500,
  BACKOFF_MOST_MS = 30_000,
  /** The most while the server has not been away for long: what takes its place is there soon. */
  BACKOFF_SOON_MS = 4000,
  AWAY_LONG_MS = 60_000,
  PING_EVERY_MS = 25_000,
  ANSWER_WITHIN_MS = 8_000;
/**
 * The pause before the next attempt, times 0.5 to 1.
 * @param {number} tries that were in vain @param {number} awayMs
 */
export function backOff(tries, awayMs) {
  return Math.min(BACKOFF_MS * 2 ** tries, awayMs < AWAY_LONG_MS ? BACKOFF_SOON_MS : BACKOFF_MOST_MS);
}

/** How long to wait after these close codes, instead of the growing delay. @type {{[code: number]: number}} */
const WAIT_MS = { 1013: 60_000, 4003: 60_000, 4005: 300_000 };
export const BANNED = 4005;
export const FULL = 1013;
const DEVICE_ENDED = 4006;
const STOP_CODES = [1002, 1003, 1007, 1008, 1009];

export class Wire {
  /** @param {string} url @param {Keeper} keeper */
  constructor(url, keeper) {
    this.url = url;
    this.keeper = keeper;
    /** @type {WireStatus} */
    this.status = 'connecting';
    /** The close code because of which it waits or has stopped. */
    this.code = 0;
    /** The code with which the server refused to let the page in; "" if the connection was lost. */
    this.refusal = '';
    /** Since when there is no session, by this machine's clock; 0: there is one. */
    this.lostAt = 0;
    /** When the next attempt is made, by this machine's clock. */
    this.retryAt = 0;
    /** @type {Message} what `hello` answered */
    this.hello = {};
    /** The token of this connection's session; "" before `hello` is answered. */
    this.token = '';
    /** The server's clock minus ours. */
    this.offsetMs = 0;
    /** The server has said that it restarts soon. */
    this.draining = false;
    this.tries = 0;
    this.nextId = crypto.getRandomValues(new Uint32Array(1))[0] * 2 ** 20;
    /** @type {Map<number, Pending>} */
    this.pending = new Map();
    /** @type {WebSocket | null} */
    this.socket = null;
    /** @type {number | undefined} */
    this.timer = undefined;
    /** @type {number | undefined} */
    this.pulse = undefined;
    /** What the next hello gives instead of a token. @type {Entering | null} */
    this.entering = null;
    /** @type {Set<() => void>} called when this device was ended, from another one or by itself */
    this.endings = new Set();
    /** @type {Set<() => void>} called when `status` or `draining` changes */
    this.watchers = new Set();
    /** @type {Set<() => void>} called after every successful hello, before requests are repeated */
    this.readies = new Set();
    /** @type {Set<(push: Message) => void>} */
    this.listeners = new Set();
  }

  /** The server's time now, in its milliseconds. */
  now() {
    return Date.now() + this.offsetMs;
  }

  connect() {
    clearTimeout(this.timer);
    this.change('connecting');
    const socket = new WebSocket(this.url, 'taluva.v1+json');
    this.socket = socket;
    this.timer = window.setTimeout(() => this.lost(socket, 0), ANSWER_WITHIN_MS);
    socket.onopen = () => this.sendHello(socket);
    socket.onmessage = (event) => {
      if (socket === this.socket) this.receive(JSON.parse(event.data));
    };
    socket.onclose = (event) => this.lost(socket, event.code);
  }

  /**
   * Becomes one more device of the player who made a link or a phrase. Rejects with a Refusal; then everything is as it was.
   * @param {string} pass @returns {Promise<Message>} what `hello` answered
   */
  enter(pass) {
    return this.enterWith({ who: { pass, secret: madeUp() } });
  }

  /**
   * The same of the player who has a passkey.
   * @param {(asked: Message) => Promise<Message>} show what `passkey` answered: its proof; may take its time @returns {Promise<Message>}
   */
  enterByPasskey(show) {
    return this.enterWith({ show });
  }

  /** @param {{who?: Message, show?: (asked: Message) => Promise<Message>}} how @returns {Promise<Message>} */
  enterWith(how) {
    return new Promise((resolve, reject) => {
      this.entering = { ...how, resolve, reject };
      if (this.socket) this.reconnectNow(this.socket);
      else this.connect();
    });
  }

  /** Gives the visitor another name. @param {string} name */
  async rename(name) {
    await this.askPatiently('rename', { name });
    this.hello = { ...this.hello, name };
  }

  /** A passkey is asked for before hello; its player may need a while. @param {WebSocket} socket @param {Entering} entering */
  askForPasskey(socket, entering) {
    const id = this.nextId++;
    /** @param {Message} asked */
    const show = async (asked) => {
      clearTimeout(this.timer);
      try {
        const passkey = await entering.show?.(asked);
        if (socket !== this.socket) return;
        this.timer = window.setTimeout(() => this.lost(socket, 0), ANSWER_WITHIN_MS);
        this.sendHello(socket, { passkey });
      } catch (error) {
        if (socket === this.socket) this.notEntered(socket, entering, /** @type {Error} */ (error));
      }
    };
    this.pending.set(id, { message: {}, sent: true, resolve: (ok) => void show(ok), reject: (error) => this.notEntered(socket, entering, error) });
    socket.send(JSON.stringify({ id, op: 'passkey', for: 'enter' }));
  }

  /** @param {WebSocket} socket @param {Message | undefined} [proof] of who enters with a passkey */
  sendHello(socket, proof) {
    const { entering } = this;
    if (entering?.show && !proof) {
      this.askForPasskey(socket, entering);
      return;
    }
    const id = this.nextId++;
    const token = this.keeper.token();
    const name = this.keeper.name();
    this.pending.set(id, {
      message: {},
      sent: true,
      resolve: (ok) => (entering ? this.entered(socket, entering, ok) : this.helloAccepted(socket, token, ok)),
      reject: (error) => (entering ? this.notEntered(socket, entering, error) : this.helloRefused(socket, token, error)),
    });
    const who = entering ? (proof ?? entering.who) : { ...(token ? { token } : {}), ...(name ? { name } : {}) };
    socket.send(JSON.stringify({ id, op: 'hello', ...who, client: this.keeper.client() }));
  }

  /** What was asked for was another player's. @param {WebSocket} socket @param {NonNullable<Wire['entering']>} entering @param {Message} ok */
  entered(socket, entering, ok) {
    this.entering = null;
    this.giveUp();
    this.keeper.keepToken(ok.token);
    entering.resolve(ok);
    this.helloAccepted(socket, ok.token, ok);
  }

  /** @param {WebSocket} socket @param {NonNullable<Wire['entering']>} entering @param {Error} error */
  notEntered(socket, entering, error) {
    if (error instanceof Refusal && error.code === 'part_away') return this.helloRefused(socket, '', error); // and it is asked again
    this.entering = null;
    entering.reject(error);
    this.reconnectNow(socket);
  }

  /** Nobody waits any more for what this session was asked for. */
  giveUp() {
    const left = [...this.pending.values()];
    this.pending.clear();
    for (const { message, reject } of left)
      if (message.op) reject(new Refusal({ code: 'device_ended', message: 'This device was ended.' }));
  }

  /** This device is not the player's any more. @param {string} token that was good until now */
  ended(token) {
    if (this.keeper.token() === token) this.keeper.keepToken(''); // else another tab has begun anew
    this.giveUp();
    for (const ending of this.endings) ending();
  }

  /** @param {WebSocket} socket @param {string} gave the token that was given @param {Message} ok */
  helloAccepted(socket, gave, ok) {
    const kept = this.keeper.token();
    if (kept && kept !== gave) return this.reconnectNow(socket); // another tab was first: be the same session
    this.token = ok.token || gave;
    if (ok.token) this.keeper.keepToken(ok.token);
    this.keeper.aside.known(this.token);
    clearTimeout(this.timer);
    this.hello = ok;
    this.offsetMs = ok.time - Date.now();
    this.tries = 0;
    this.lostAt = 0;
    this.draining = false;
    this.refusal = '';
    this.change('open');
    for (const ready of this.readies) ready();
    for (const pending of this.pending.values()) this.send(pending);
    this.pingLater();
  }

  /** @param {WebSocket} socket @param {string} gave the token that was given @param {Error} error */
  helloRefused(socket, gave, error) {
    if (error instanceof Refusal && error.code === 'unknown_token') {
      const other = this.keeper.aside.refused(gave);
      if (this.keeper.token() === gave) this.keeper.keepToken(other); // else another tab has a new one
      this.reconnectNow(socket);
    } else {
      socket.close();
      const refusal = error instanceof Refusal ? error.code : '';
      const code = refusal === 'banned' ? BANNED : refusal === 'full' ? FULL : 0;
      this.lost(socket, code, refusal, error instanceof Refusal ? error.retryMs : undefined);
    }
  }

  /**
   * Another tab has kept a session: be the same one. Browsers tell one tab of another's writes a moment later, so two new
   * tabs may both have found none and been given one each; the one that was kept last is then everybody's.
   */
  keptElsewhere() {
    const kept = this.keeper.token();
    if (this.socket && this.status === 'open' && kept && kept !== this.token) this.reconnectNow(this.socket);
  }

  /** @param {WebSocket} socket */
  reconnectNow(socket) {
    this.detach(socket);
    socket.close();
    this.connect();
  }

  /** @param {WebSocket} socket */
  detach(socket) {
    socket.onopen = socket.onmessage = socket.onclose = null;
    if (this.socket === socket) this.socket = null;
    clearTimeout(this.pulse);
    for (const [id, pending] of this.pending) {
      if (pending.message.op) pending.sent = false;
      else this.pending.delete(id); // a hello or a ping of that connection
    }
  }

  /** @param {WebSocket} socket @param {number} code @param {string} [refusal] @param {number} [retryMs] as the server asks */
  lost(socket, code, refusal = '', retryMs = undefined) {
    if (socket !== this.socket) return;
    this.detach(socket);
    socket.close();
    this.code = code;
    this.refusal = refusal;
    clearTimeout(this.timer);
    if (STOP_CODES.includes(code)) {
      this.change('stopped');
      return;
    }
    this.lostAt ||= Date.now();
    const pause = WAIT_MS[code] ?? backOff(this.tries++, Date.now() - this.lostAt);
    const delay = Math.max(pause * (0.5 + Math.random() / 2), Math.min(retryMs ?? 0, BACKOFF_MOST_MS));
    this.retryAt = Date.now() + delay;
    this.timer = window.setTimeout(() => this.connect(), delay);
    this.change('waiting');
    if (code === DEVICE_ENDED) this.ended(this.token);
  }

  /** Ends it for good: what was asked and not answered stays so. */
  close() {
    clearTimeout(this.timer);
    const { socket } = this;
    if (!socket) return;
    this.detach(socket);
    socket.close();
  }

  /** Connects at once if it is waiting to: called when the page is shown again or the network is back. */
  wake() {
    if (this.status === 'waiting' && !(this.code in WAIT_MS)) this.connect();
    else if (this.status === 'open') this.pingLater(0);
  }

  /** Pings the server now and then to notice a dead connection: a browser does not show the page the server's own pings. @param {number} [delay] */
  pingLater(delay = PING_EVERY_MS) {
    clearTimeout(this.pulse);
    this.pulse = window.setTimeout(() => {
      const socket = this.socket;
      if (!socket || this.status !== 'open') return;
      const id = this.nextId++;
      this.pulse = window.setTimeout(() => this.lost(socket, 0), ANSWER_WITHIN_MS);
      const asked = performance.now();
      const again = () => this.pingLater();
      /** The visitor's clock may have been set meanwhile, and a machine that slept has counted nothing. @param {Message} ok */
      const answered = (ok) => {
        this.offsetMs = ok.time + (performance.now() - asked) / 2 - Date.now();
        again();
      };
      this.pending.set(id, { message: {}, sent: true, resolve: answered, reject: again });
      socket.send(JSON.stringify({ id, op: 'ping' }));
    }, delay);
  }

  /** @param {Message} message */
  receive(message) {
    if (message.push !== undefined) {
      if (message.push === 'notice' && message.code === 'draining') this.noticeDraining(true);
      if (message.push === 'notice' && message.code === 'serving') this.noticeDraining(false);
      if (message.push === 'account') this.hello = { ...this.hello, account: message.account };
      for (const listener of this.listeners) listener(message);
      return;
    }
    const pending = this.pending.get(message.id);
    if (!pending) return;
    this.pending.delete(message.id);
    if (message.error) pending.reject(new Refusal(message.error));
    else pending.resolve(message.ok);
  }

  /**
   * Sends a request, now or as soon as there is a connection. Rejects with a Refusal.
   * @param {string} op @param {Message} [fields] @returns {Promise<Message>}
   */
  ask(op, fields = {}) {
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      /** @type {Pending} */
      const pending = { message: { id, op, ...fields }, resolve, reject, sent: false };
      this.pending.set(id, pending);
      if (this.status === 'open') this.send(pending);
    });
  }

  /**
   * The same, again and again while it is refused for the moment: for what a person would only have to press again.
   * @param {string} op @param {Message} [fields] @param {number} [mostMs] how long the pauses may be together
   */
  askPatiently(op, fields = {}, mostMs = A_MOMENT_MS) {
    return patiently(() => this.ask(op, fields), { mostMs });
  }

  /** What somebody has pressed is not done while the line is known to be down: later nobody would expect it. Throws a Refusal. */
  expectLine() {
    if (this.status === 'waiting' || this.status === 'stopped' || (this.status === 'connecting' && this.tries > 0))
      throw new Refusal({ code: 'not_sent', message: 'Not connected: nothing was sent.' });
  }

  /** @param {Pending} pending */
  send(pending) {
    if (pending.sent || !this.socket) return;
    pending.sent = true;
    this.socket.send(JSON.stringify(pending.message));
  }

  /** @param {boolean} draining */
  noticeDraining(draining) {
    this.draining = draining;
    this.change(this.status);
  }

  /** @param {WireStatus} status */
  change(status) {
    this.status = status;
    for (const watcher of this.watchers) watcher();
  }
}
