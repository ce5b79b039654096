// What clients were told is stored, held against what the database has: knows nothing of the server but its table of events.

/** The statement whose rows the other one wants, each as a line of JSON. */
export const EVENTS = `COPY (SELECT json_build_array(r.id, seq, lpad(to_hex(e.session), 16, '0'), request_id, encode(convert_to(text, 'UTF8'), 'base64'))
  FROM taluva.event e JOIN taluva.room r ON r.key = e.room ORDER BY r.id, seq) TO STDOUT`;

/**
 * {lost, doubled, gaps} of `acknowledged`, each {room, session, id, seq, move}, and the first few that are wrong. A log has a gap where a
 * number is missing or twice.
 */
export function hold(acknowledged, lines) {
  const [bySeq, byRequest, wrong] = [new Map(), new Map(), []];
  let before = ['', 0];
  for (const line of lines) {
    if (!line) continue;
    const [room, seq, session, id, encoded] = JSON.parse(line.replaceAll('\\\\', '\\'));
    if (seq !== (room === before[0] ? before[1] + 1 : 1)) wrong.push({gap: room, before: before[1], seq});
    before = [room, seq];
    bySeq.set(`${room} ${seq}`, {id, text: Buffer.from(encoded, 'base64').toString()});
    byRequest.set(`${room} ${session} ${id}`, (byRequest.get(`${room} ${session} ${id}`) ?? 0) + 1);
  }
  for (const told of acknowledged) {
    const {room, session, id, seq, move} = told;
    const row = bySeq.get(`${room} ${seq}`);
    if (!row || row.id !== id || !row.text.includes(move)) wrong.push({lost: told, row});
    if ((byRequest.get(`${room} ${session} ${id}`) ?? 0) > 1) wrong.push({doubled: told});
  }
  const count = (kind) => wrong.filter((one) => kind in one).length;
  return {lost: count('lost'), doubled: count('doubled'), gaps: count('gap'), wrong: wrong.slice(0, 5)};
}
