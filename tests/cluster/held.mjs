// Holds a file of acknowledged moves against the events of the database, which psql prints: none may be lost, none there twice, no log with a
// gap. Moves acknowledged between two times, in milliseconds, are left out: the database was set back to the first, and had gone on from the other.
//
//     node held.mjs statement | psql ... > EVENTS; node held.mjs FILE EVENTS [FROM TO]
import {readFileSync} from 'node:fs';
import {EVENTS, hold} from './lib/ledger.mjs';

const [file, events, from = Infinity, to = Infinity] = process.argv.slice(2);
if (file === 'statement') {
  console.log(`${EVENTS};`);
} else {
  const lines = (path) => readFileSync(path, 'utf8').split('\n');
  // The last line may be half written.
  const moves = lines(file).slice(0, -1).map((line) => JSON.parse(line)).filter(({at}) => at <= Number(from) || at >= Number(to));
  const {lost, doubled, gaps, wrong} = hold(moves, lines(events));
  console.log(`${moves.length} acknowledged moves, ${lost} lost, ${doubled} doubled, ${gaps} gaps`);
  for (const one of wrong) console.log(JSON.stringify(one));
  process.exit(lost + doubled + gaps === 0 ? 0 : 1);
}
