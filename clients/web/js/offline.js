// Lets the page be opened without a network: registers the service worker (../sw.js) and tells it which files to keep.

export async function keepOffline() {
  if (!('serviceWorker' in navigator) || !window.isSecureContext) return;
  try {
    await navigator.serviceWorker.register('sw.js');
    const { active } = await navigator.serviceWorker.ready;
    const files = performance.getEntriesByType('resource').map(({ name }) => name);
    active?.postMessage({ keep: [location.href.split('#')[0], ...files] });
  } catch {
    // some browsers forbid it in private windows: the page works without
  }
}
