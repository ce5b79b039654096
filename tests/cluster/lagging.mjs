// A primary that is lost before its standby has got everything: what is missing is noticed and said, and what the standby has to have is
// acknowledged only when it has it. TAP; `node lagging.mjs TEXT` runs the tests whose name has it.
import {setTimeout as pause} from 'node:timers/promises';
import {assert, run, test} from '../wire/lib/tap.mjs';
import {Partition} from '../wire/lib/partition.mjs';
import {Pair} from './lib/pair.mjs';
import {Site} from './lib/site.mjs';

const MATCHES = 8;
const SOME = MATCHES * 5;

/** A pair whose standby can be cut off from the primary by `hold`, and a site with matches on it. */
async function playOn(synchronous) {
  const cut = {};
  const line = async (port) => {
    cut.line = await Partition.to(`postgresql://127.0.0.1:${port}`);
    return new URL(cut.line.url).port;
  };
  const pair = await Pair.start({synchronous, line});
  const site = new Site(pair.url);
  await site.start();
  site.play(MATCHES);
  await site.more(SOME);
  return {pair, site, hold: () => cut.line.hold()};
}

test('failover to an asynchronous standby that was behind: the server says that commits are lost, ends, and goes on with what there is', async () => {
  const {pair, site, hold} = await playOn(false);
  hold();
  await site.more(SOME);
  await pair.failOver();
  while (site.ends.length === 0) await pause(20);
  const [{status, said}] = site.ends;
  assert.equal(status, 65, said);
  assert.match(said, /event=store_commit_failed why="the database has lost batches"/);
  assert.match(said, /event=store_lost/);
  const before = site.acknowledged.length;
  await site.more(SOME);
  const {lost} = await site.check(pair.primary);
  assert.ok(lost > 0 && lost <= before, 'the test has made the database lose moves');
  site.acknowledged.splice(0, before);
  await site.stop();
  assert.deepEqual(await site.check(pair.primary), {lost: 0, doubled: 0, gaps: 0});
  assert.equal(site.ends.length, 1);
  await pair.stop();
}, 180000);

test('a wait for the synchronous standby that an administrator cancels acknowledges nothing', async () => {
  const {pair, site, hold} = await playOn(true);
  const waiting = "FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND application_name LIKE 'taluvad%'";
  hold();
  await pair.primary.until(`SELECT count(*) > 0 ${waiting}`, 't');
  for (let times = 0; times < 2; times++) await site.server.metrics(); // so what had been acknowledged before has been read
  const before = site.acknowledged.length;
  for (let cut = 0; cut < 3; cut++) {
    await pair.primary.until(`SELECT bool_or(pg_cancel_backend(pid)) ${waiting}`, 't');
    await pause(200);
  }
  assert.equal(site.acknowledged.length, before);
  await pair.failOver();
  await site.more(SOME);
  await site.stop();
  assert.deepEqual(await site.check(pair.primary), {lost: 0, doubled: 0, gaps: 0});
  for (const {status, said} of site.ends) assert.ok([65, 75].includes(status), said);
  await pair.stop();
}, 180000);

await run();
