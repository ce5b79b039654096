// Validates all messages between a page and the server against protocol/schemas.

import { TrafficCheck } from '../../schema/validate.mjs';

/** @param {import('playwright-core').Page} page must not have connected yet */
export function validateTraffic(page) {
  const check = new TrafficCheck();
  const problems = [];
  let sockets = 0;
  const note = (dir, conn, payload) => {
    const msg = JSON.parse(payload.toString());
    for (const problem of check.message({ dir, msg, conn }))
      problems.push(`${dir}: ${problem}: ${payload.toString().slice(0, 300)}`);
  };
  page.on('websocket', (socket) => {
    const conn = String(sockets++);
    socket.on('framesent', ({ payload }) => note('in', conn, payload));
    socket.on('framereceived', ({ payload }) => note('out', conn, payload));
  });
  return {
    problems,
    seen: check.seen,
    get messages() {
      return check.messages;
    },
  };
}
