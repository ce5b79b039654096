// The service worker (../sw.js): lets the page be opened without a network, and shows messages while it is closed.

/** @type {Promise<ServiceWorkerRegistration> | undefined} */
let registered;

async function register() {
  await navigator.serviceWorker.register('sw.js');
  return navigator.serviceWorker.ready;
}

/** The service worker's registration, once it is active. Fails where there can be none. */
export const worker = () => (registered ??= register());

/** Tells it which files to keep. */
export async function keepOffline() {
  if (!('serviceWorker' in navigator) || !window.isSecureContext) return;
  try {
    const { active } = await worker();
    const files = performance.getEntriesByType('resource').map(({ name }) => name);
    active?.postMessage({ keep: [location.href.split('#')[0], ...files] });
  } catch {
    // some browsers forbid it in private windows: the page works without
  }
}

/** Tells it to keep the lessons and the rules of a game, which are there without a network then. @param {string[]} learnt what they are made of */
export async function keepLessons(learnt) {
  if (!('serviceWorker' in navigator) || !window.isSecureContext) return;
  const { active } = await worker();
  const own = ['learn.js', 'learning.js', '../css/learn.css'].map((name) => new URL(name, import.meta.url).href);
  active?.postMessage({ keep: [...own, ...learnt] });
}

/**
 * Answers the service worker, which asks which room this window shows, and goes where a notification leads.
 * @param {() => string} room its id, "" for none @param {(hash: string) => void} go
 */
export function answerWorker(room, go) {
  navigator.serviceWorker?.addEventListener('message', ({ data, ports }) => {
    if (data?.ask === 'room') ports[0]?.postMessage({ room: room() });
    if (typeof data?.go === 'string') go(data.go);
  });
}
