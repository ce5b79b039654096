// Sessions that the server did not know when their tokens were given last. It may have been started without its store: with a backup of it, it knows
// them again. So they are kept for a while, and tried again before a new session begins.

/** @typedef {{token: string, until: number}} Kept `until` in milliseconds */

const ASIDE_MOST = 3,
  ASIDE_MS = 60 * 86_400_000;

/** @param {any} kept */
const isKept = (kept) => typeof kept?.token === 'string' && kept.token !== '' && typeof kept?.until === 'number';

/** @param {string} text as this page wrote it @param {number} now @returns {Kept[]} */
function parse(text, now) {
  try {
    const all = JSON.parse(text || '[]');
    return all.filter((/** @type {any} */ kept) => isKept(kept) && kept.until > now).slice(0, ASIDE_MOST);
  } catch {
    return []; // it was not written by this page
  }
}

export class Aside {
  /** @param {() => string} read @param {(text: string) => void} write "" for nothing */
  constructor(read, write) {
    this.read = read;
    this.write = write;
    /** Those that were given since one was known. @type {Set<string>} */
    this.tried = new Set();
  }

  /** The latest first. @param {number} now @returns {Kept[]} */
  all(now) {
    return parse(this.read(), now);
  }

  /** @param {Kept[]} kept */
  keep(kept) {
    this.write(kept.length ? JSON.stringify(kept.slice(0, ASIDE_MOST)) : '');
  }

  /** Keeps one that the server does not know. @param {string} token @param {number} [now] @returns {string} another one to try; "": there is none */
  refused(token, now = Date.now()) {
    const kept = this.all(now);
    this.tried.add(token);
    if (!kept.some((one) => one.token === token)) this.keep([{ token, until: now + ASIDE_MS }, ...kept]);
    return this.all(now).find(({ token }) => !this.tried.has(token))?.token ?? '';
  }

  /** The server knows this one. @param {string} token @param {number} [now] */
  known(token, now = Date.now()) {
    const kept = this.all(now);
    this.tried.clear();
    if (kept.some((one) => one.token === token)) this.keep(kept.filter((one) => one.token !== token));
  }
}
