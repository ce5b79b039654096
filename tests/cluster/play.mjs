// Plays matches through a proxy until it is told to stop (SIGTERM), and writes down each move that was acknowledged, a line of JSON each. Each player
// comes from a loopback address of its own, 127.0.1.1 and so on.
// After SIGUSR1 the site may go back in time. Its exit status is 1 if anybody saw a gap, or something older than what was acknowledged.
//
//     node play.mjs URL FILE MATCHES [CA]      URL as wss://localhost:443, CA a PEM file
import {appendFileSync, readFileSync, writeFileSync} from 'node:fs';
import {Crowd} from './lib/crowd.mjs';

const [url, file, matches, ca] = process.argv.slice(2);
const crowd = new Crowd({
  where: () => url,
  ca: ca && readFileSync(ca),
  told: (move) => appendFileSync(file, `${JSON.stringify(move)}\n`),
  from: (number) => `127.0.${1 + Math.floor(number / 250)}.${1 + (number % 250)}`,
  pace_ms: () => 300 * (0.5 + Math.random()),
});
writeFileSync(file, '');
process.on('SIGUSR1', () => (crowd.may_forget = true));
process.on('SIGTERM', () => {
  crowd.stop();
  const {cuts, repeats, moves, games} = crowd.figures;
  console.log(`${moves} moves, ${games} matches were over, ${cuts} times a player was cut off, ${repeats} moves were sent again, ${crowd.wrong.length} wrong`);
  process.exit(crowd.wrong.length === 0 ? 0 : 1);
});
crowd.play(Number(matches));
