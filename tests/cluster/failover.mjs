// Many matches on one server whose database is a pair: the primary is killed and its synchronous standby promoted, again and again. Play
// goes on by itself, and every move that was acknowledged is in the database that is left, once.
//
//     node failover.mjs [FAILOVERS] [MATCHES]      TALUVAD is the program
import {setTimeout as pause} from 'node:timers/promises';
import {Pair} from './lib/pair.mjs';
import {Site} from './lib/site.mjs';

const failovers = Number(process.argv[2] ?? 1);
const matches = Number(process.argv[3] ?? 12);
const pair = await Pair.start();
const site = new Site(pair.url);
await site.start();
site.play(matches);
const away = [];
for (let round = 1; round <= failovers; round++) {
  await site.more(matches * 4);
  await pause(Math.random() * 1000);
  const before = site.acknowledged.length;
  const begun = performance.now();
  await pair.failOver(Math.random() * 1000);
  await site.more(1);
  away.push(performance.now() - begun);
  await site.more(matches);
  await pair.follow();
  const {lost, doubled, gaps} = await site.check(pair.primary);
  console.log(`failover ${round}: ${before} acknowledged before, play went on after ${Math.round(away.at(-1))} ms; ${lost} lost, ${doubled} doubled, ${gaps} gaps`);
}
await site.more(matches * 4);
await site.stop();
const {lost, doubled, gaps} = await site.check(pair.primary);
await pair.stop();
away.sort((one, other) => one - other);
console.log(`${failovers} failovers, ${matches} matches at once, ${site.acknowledged.length} moves acknowledged, ${lost} lost, ${doubled} doubled, ${gaps} gaps; ` +
  `from the kill to the first move acknowledged after it ${Math.round(away[0])} to ${Math.round(away.at(-1))} ms, median ${Math.round(away[away.length >> 1])}; ` +
  `${site.ends.length} servers ended, ${site.repeated} times store_failing`);
for (const {status, said} of site.ends) console.log(`ended with ${status}: ${said}`);
process.exit(lost + doubled + gaps + site.ends.length === 0 ? 0 : 1);
