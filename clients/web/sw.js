// The service worker: keeps the page's files, so that it opens without a network and can say what is going on. With a network the
// server's files are always preferred, so nobody is held on an old version. What the server answers (/api, /ws) is never kept.

const KEPT = 'taluva-files';
const FILES = /\/(?:$|index\.html$|sw\.js$|[^/]*\.(?:css|js|svg|png|woff2|webmanifest)$|(?:css|js|i18n|fonts)\/)/;
const self_ = /** @type {any} */ (self); // its type is known only to another library of TypeScript's

self_.addEventListener('install', () => self_.skipWaiting());

self_.addEventListener('activate', (/** @type {any} */ event) => event.waitUntil(self_.clients.claim()));

/** The page says which files it has fetched before there was a service worker. */
self_.addEventListener('message', (/** @type {any} */ event) => {
  const { keep } = event.data ?? {};
  if (Array.isArray(keep)) event.waitUntil(keepAll(keep.filter((url) => isFile(url))));
});

/** @param {string} address */
function isFile(address) {
  const url = new URL(address);
  return url.origin === location.origin && FILES.test(url.pathname);
}

/** @param {string[]} urls */
async function keepAll(urls) {
  const cache = await caches.open(KEPT);
  // The browser has just fetched them: they are not asked for again. What fails is fetched another time.
  await Promise.all(urls.map((url) => cache.add(new Request(url, { cache: 'force-cache' })).catch(() => undefined)));
}

self_.addEventListener('fetch', (/** @type {any} */ event) => {
  const { request } = event;
  if (request.method === 'GET' && isFile(request.url)) event.respondWith(fetched(event));
});

/** From the server; if it cannot be reached, as it was the last time. @param {any} event */
async function fetched(event) {
  const { request } = event;
  const cache = await caches.open(KEPT).catch(() => undefined); // without one the page still works
  let response;
  try {
    response = await fetch(request);
  } catch (error) {
    const known = await cache?.match(request, { ignoreSearch: true });
    if (known) return known;
    throw error;
  }
  if (response.ok) event.waitUntil(cache?.put(request, response.clone()).catch(() => undefined)); // it may be full
  return response;
}

// ---- messages of the server, while the page may be closed (protocol/README.md, 2.11)

const WORDS = 'taluva-words', // as in js/push.js
  ASK_MS = 400;
/** @type {{[key: string]: any}} for a page that has left no words */
const ENGLISH = { language: 'en', turn: 'Your turn', with: '{game} with {names}', news: 'Something has happened at one of your tables.' };

self_.addEventListener('push', (/** @type {any} */ event) => event.waitUntil(show(roomOf(event.data))));

self_.addEventListener('notificationclick', (/** @type {any} */ event) => {
  event.notification.close();
  event.waitUntil(lead(String(event.notification.data?.room ?? '')));
});

/**
 * What a message says of a turn; null if it says something else, or nothing that can be read.
 * @param {any} data @returns {{room: string, game: string, title: string, names: string[]} | null}
 */
function roomOf(data) {
  try {
    const { kind, room, game, title, names } = data.json();
    if (kind !== 'turn' || !/^[0-9a-z]{8}$/.test(room)) return null;
    const text = (/** @type {unknown} */ value) => (typeof value === 'string' ? value : '');
    return { room, game: text(game), title: text(title), names: Array.isArray(names) ? names.map(text).filter(Boolean) : [] };
  } catch {
    return null;
  }
}

/** The page's words, in the player's language. @returns {Promise<{[key: string]: any}>} */
async function wordsOf() {
  try {
    const kept = await (await caches.open(WORDS)).match('words');
    return { ...ENGLISH, ...(await kept?.json()) };
  } catch {
    return ENGLISH;
  }
}

/** "Bo and Mango". @param {string[]} names @param {{[key: string]: any}} words */
function listOf(names, { language, names: known }) {
  return new Intl.ListFormat(language).format(names.map((name) => known?.[name] ?? name));
}

/** Shows a notification; one for each room. @param {ReturnType<typeof roomOf>} turn */
async function show(turn) {
  if (turn && (await isSeen(turn.room))) return;
  const words = await wordsOf();
  const common = { icon: 'icon-192.png', lang: words.language, renotify: true };
  if (!turn) {
    await self_.registration.showNotification('Taluva', { ...common, body: words.news, tag: 'news', data: {} });
    return;
  }
  const { room, game, title, names } = turn;
  const place = words.games?.[game] ?? game;
  const values = { game: place, names: listOf(names, words) };
  const body = names.length ? words.with.replace(/\{(game|names)\}/g, (/** @type {string} */ _, /** @type {'game' | 'names'} */ name) => values[name]) : place;
  const heading = title ? `${words.turn} · ${title}` : words.turn;
  await self_.registration.showNotification(heading, { ...common, body, tag: `turn-${room}`, data: { room } });
}

/** The windows of the page, and which rooms they show; "": none, null: it does not answer, as it sleeps. */
async function windowsOf() {
  const found = await self_.clients.matchAll({ type: 'window', includeUncontrolled: true });
  return Promise.all(found.map(async (/** @type {any} */ client) => ({ client, room: await roomIn(client) })));
}

/** @param {any} client @returns {Promise<string | null>} */
function roomIn(client) {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => resolve(data.room);
    setTimeout(() => resolve(null), ASK_MS);
    client.postMessage({ ask: 'room' }, [port2]);
  });
}

/** Whether the player sees the room, and need not be told. Apple's browsers want each message to be shown. @param {string} room */
async function isSeen(room) {
  const windows = await windowsOf();
  if (!windows.some((one) => one.room === room && one.client.visibilityState === 'visible')) return false;
  const subscription = await self_.registration.pushManager.getSubscription();
  return !/^https:\/\/[^/]*\.apple\.com\//.test(subscription?.endpoint ?? '');
}

/** Leads to a room, "" for the first page: in the window that shows it, in one that shows no room, else in a new one. @param {string} room */
async function lead(room) {
  const hash = room ? `#/r/${room}` : '#/';
  const windows = await windowsOf();
  const there = windows.find((one) => one.room === room) ?? windows.find((one) => one.room === '');
  if (!there) {
    await self_.clients.openWindow(new URL(hash, self_.registration.scope).href);
    return;
  }
  await there.client.focus();
  if (there.room !== room) there.client.postMessage({ go: hash });
}
