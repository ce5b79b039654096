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
