// For screenshots and measurements: serves the page's files under the server's Content-Security-Policy and answers on the
// WebSocket with one fixed state. It has no rules: the scene lists the legal moves.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = fileURLToPath(new URL('.', import.meta.url));

const WEB = path.resolve(HERE, '../../../clients/web');
const TYPES = { '.js': 'text/javascript', '.css': 'text/css', '.html': 'text/html', '.svg': 'image/svg+xml', '.png': 'image/png', '.woff2': 'font/woff2', '.webmanifest': 'application/manifest+json' };

const LEVELS_DIFFER = {
  code: 'levels_differ',
  message: 'The hexes under the tile are not all on the same level.',
};

/** As the server has it: what a page has in itself is allowed by its hash. @param {any} html */
function policyOf(html) {
  const own = [...`${html}`.matchAll(/<(script|style)[^>]*>([^]+?)<\/\1/g)].map(([, , text]) => ` 'sha256-${createHash('sha256').update(text).digest('base64')}'`);
  return own.length ? `default-src 'self'; script-src 'self'${own.join('')}; style-src 'self'${own.join('')}` : "default-src 'self'";
}

export async function serveFiles(folder = WEB) {
  const server = http.createServer((request, response) => {
    const name = new URL(request.url, 'http://x').pathname;
    const file = path.join(folder, path.normalize(name === '/' ? '/index.html' : name));
    try {
      const body = readFileSync(file);
      response.writeHead(200, {
        'content-type': TYPES[path.extname(file)] ?? 'application/octet-stream',
        'content-security-policy': policyOf(path.extname(file) === '.html' ? body : ''),
        'cache-control': 'max-age=3600', // a context fetches each file once
      });
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

/** @typedef {{code: string, message: string, field?: string, retry_ms?: number}} Refused */

/** A refusal of the first request only, as of one that comes too soon. @returns {() => Refused | undefined} */
export function refusedOnce() {
  const left = [{ code: 'slow_down', message: 'Too many requests.', retry_ms: 1 }];
  return () => left.pop();
}

/**
 * A mock server with one room.
 * @param {import('playwright-core').Page} page
 * @param {{state?: any, seat?: number, moves?: any, hint?: any[], analysis?: any, hello?: any, permission?: string, rooms?: any[], mine?: any[], online?: any, host?: boolean,
 *   refusals?: {[op: string]: Refused | (() => Refused | undefined)}, ends?: {[op: string]: number}, devices?: any[], past?: (have: number, as?: number | string) => any[]}} scene `refusals`:
 *   operations that are refused, always or as the function says; `ends`: that are not answered, as the connection is closed with this code; `past`: the pushes after an event, with whose eyes
 *   `hello`: more of its answer; `permission`: for notifications, as the engine alone has none to ask for
 * @returns {Promise<{asked: any[], tell: (message: any) => void, disconnect: (code: number) => void}>} `asked`: the requests so far;
 *   `tell` sends a message to the page, `disconnect` closes its connection
 */
export async function playServer(page, scene) {
  const asked = [];
  if (scene.permission)
    await page.addInitScript((state) => {
      Object.defineProperty(Notification, 'permission', { get: () => state, configurable: true });
    }, scene.permission);
  let route;
  await page.routeWebSocket(/\/ws$/, (socket) => {
    route = socket;
    socket.onMessage((text) => {
      const { id, op, ...fields } = JSON.parse(text);
      asked.push({ op, ...fields });
      const reply = (ok) => socket.send(JSON.stringify({ id, ok }));
      const view = () => ({
        room: fields.room,
        seq: 100,
        you: { ...(scene.seat === undefined ? {} : { seat: scene.seat }), host: scene.host ?? false },
        online: scene.online ?? {},
        time: Date.now(),
        state: scene.state,
      });
      const replies = {
        hello: () => ({
          session: 's',
          name: 'Ana',
          server: 'stage',
          time: Date.now(),
          limits: {},
          analyses: scene.analyses ?? ['taluva'],
          seats: [],
          token: 'x'.repeat(43),
          ...scene.hello,
        }),
        ping: () => ({ time: Date.now() }),
        rooms: () => ({ rooms: scene.rooms ?? [], ...(scene.mine ? { mine: scene.mine } : {}) }),
        create: () => ({ room: 'k3m9x0aq' }),
        join: view,
        watch: view,
        past: () => ({ room: fields.room, events: scene.past?.(fields.have, fields.as) ?? [], seq: fields.have }),
        hint: () => ({ room: fields.room, seq: 100, turns: scene.hint ?? [] }),
        analysis: () => ({ room: fields.room, analysis: scene.analysis }),
        devices: () => ({ devices: scene.devices ?? [] }),
        moves: () => ({ seq: 100, ...(scene.moves ?? { step: 'place', moves: [], eliminating: [] }) }),
      };
      if (scene.ends?.[op]) return void socket.close({ code: scene.ends[op] });
      const refusal = { check: LEVELS_DIFFER, ...scene.refusals }[op];
      const error = typeof refusal === 'function' ? refusal() : refusal;
      if (error) socket.send(JSON.stringify({ id, error }));
      else reply(replies[op]?.() ?? {});
    });
  });
  return {
    asked,
    tell: (message) => route.send(JSON.stringify(message)),
    disconnect: (code) => route.close({ code }),
  };
}
