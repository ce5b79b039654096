// Tells players of their turn while the page is closed, in slow games: the browser's subscription to messages of the server (Web
// Push; protocol/README.md, 2.11). The server is told of it with each visit, as browsers change and end subscriptions. What a
// message says is worded by the service worker (../sw.js), with the words that are left for it here.

import { askToNotify, canNotify } from './attention.js';
import { GAMES } from './games/registry.js';
import { worker } from './offline.js';
import { prefs } from './prefs.js';
import { namesText, t } from './words.js';

/** @typedef {import('./wire.js').Message} Message */

const WORDS = 'taluva-words', // as in ../sw.js
  DAY_S = 24 * 3600,
  PATIENCE_MS = 10_000; // the server takes one change of a session at a time, and so many a minute

/** Safari of a phone has neither messages nor notifications but for pages that were put on the home screen. */
const needsHomeScreen = () => /** @type {any} */ (navigator).standalone === false && !('PushManager' in window);

/** How long a player with a full clock may take for a move. @param {Message} [clock] of a state */
export function moveSeconds(clock) {
  const { bank_s = 0, increment_s = 0, period_s = 0, move_s, days } = clock ?? {};
  if (days) return days * DAY_S;
  return move_s ?? (bank_s + increment_s + period_s || Infinity);
}

/** @param {string} text base64url */
function bytesOf(text) {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));
}

/** Whether a subscription is for the server's key, and not about to end. @param {PushSubscription} subscription @param {Uint8Array} key */
function isGood({ options, expirationTime }, key) {
  const own = options.applicationServerKey && new Uint8Array(options.applicationServerKey);
  return (!own || String(own) === String(key)) && (!expirationTime || expirationTime > Date.now() + DAY_S * 1000);
}

/** The browser's subscription; a new one where there is none that is good. @param {string} key the server's */
async function subscribed(key) {
  const applicationServerKey = bytesOf(key);
  const { pushManager } = await worker();
  const known = await pushManager.getSubscription();
  if (known && isGood(known, applicationServerKey)) return known;
  await known?.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
}

/** Leaves the words of notifications, in the page's language, where the service worker finds them. */
export async function keepWords() {
  if (!prefs.notify || !('caches' in window)) return;
  const words = {
    language: document.documentElement.lang,
    turn: t('your_turn'),
    with: t('note_with'),
    news: t('note_news'),
    games: Object.fromEntries(GAMES.map(({ id, title }) => [id, title])),
    names: namesText(),
  };
  try {
    await (await caches.open(WORDS)).put('words', new Response(JSON.stringify(words)));
  } catch {
    // no room, or none in a private window: it speaks English
  }
}

export class Push {
  /** @param {import('./wire.js').Wire} wire */
  constructor(wire) {
    this.wire = wire;
    /** The browser has a permission and no subscription: its message service could not be used. */
    this.failed = false;
    /** The session and endpoint that the server was last told of during this visit. */
    this.told = '';
    /** @type {Promise<void>} one change after the other */
    this.work = Promise.resolve();
    /** @type {Set<() => void>} called when it was turned on or off */
    this.watchers = new Set();
    wire.readies.add(() => void this.renew());
  }

  /** Asked for, and allowed by the browser. */
  get on() {
    return prefs.notify && canNotify() && Notification.permission === 'granted';
  }

  /**
   * How far the player can be told: `closed`, also while the page is closed; or why not. With `insecure`, `home` and `none` not at
   * all, with `denied` not before the browser allows it; "" if the server is not known yet.
   */
  get reach() {
    if (needsHomeScreen()) return 'home';
    if (!window.isSecureContext) return 'insecure';
    if (!canNotify()) return 'none';
    if (Notification.permission === 'denied') return 'denied';
    if (!this.wire.token) return '';
    if (!this.wire.hello.push) return 'server';
    if (!('serviceWorker' in navigator) || !('PushManager' in window)) return 'browser';
    return this.failed ? 'failed' : 'closed';
  }

  /** Is it a match in which the server sends messages? @param {Message} state */
  isSlow({ clock }) {
    return moveSeconds(clock) >= this.wire.hello.push?.slow_s;
  }

  /** Asks the browser's permission, so only after a press. @returns {Promise<boolean>} whether it is on now */
  async turnOn() {
    prefs.notify = await askToNotify();
    if (prefs.notify) await this.renew();
    this.changed();
    return prefs.notify;
  }

  /** Ends the subscription, here at once and at the server as soon as it is connected. */
  async turnOff() {
    prefs.notify = false;
    this.failed = false;
    const registration = await navigator.serviceWorker?.getRegistration();
    const subscription = await registration?.pushManager?.getSubscription();
    await subscription?.unsubscribe().catch(() => undefined); // the server forgets it all the same
    void this.renew();
    this.changed();
  }

  /** Another player comes to this browser: messages to the one who is left behind are not for their eyes. */
  leave() {
    this.work = this.work.then(async () => {
      if (!prefs.endpoint || this.wire.status !== 'open') return;
      await this.tell('unnotify', { endpoint: prefs.endpoint }).catch(() => undefined);
      prefs.endpoint = this.told = '';
    });
    return this.work;
  }

  /** @param {string} op @param {Message} fields */
  tell(op, fields) {
    return this.wire.askPatiently(op, fields, PATIENCE_MS);
  }

  changed() {
    for (const watcher of this.watchers) watcher();
  }

  /** Sees to it that the browser is subscribed or not, as the player wants, and that the server knows. */
  renew() {
    this.work = this.work.then(async () => {
      try {
        await this.settle();
        this.failed = false;
      } catch {
        this.failed = true; // tried again with the next visit
      }
    });
    return this.work;
  }

  async settle() {
    const { push, session } = this.wire.hello;
    if (!push || this.wire.status !== 'open') return;
    const subscription = this.on && this.reach !== 'browser' ? await subscribed(push.key) : null;
    const endpoint = subscription?.endpoint ?? '';
    if (prefs.endpoint && prefs.endpoint !== endpoint) {
      await this.tell('unnotify', { endpoint: prefs.endpoint });
      prefs.endpoint = '';
    }
    const told = `${session} ${endpoint}`;
    if (!subscription || this.told === told) return;
    const { p256dh, auth } = subscription.toJSON().keys ?? {};
    await this.tell('notify', { endpoint, p256dh, auth });
    prefs.endpoint = endpoint;
    this.told = told;
    await keepWords();
  }
}
