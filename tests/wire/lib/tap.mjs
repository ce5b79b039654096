// The smallest runner that meson understands: tests in order, one line of TAP each.
import assert from 'node:assert/strict';

const tests = [];
let failed = 0;
/** A machine that has other work may be so much slower than the one that a test's time was chosen for. */
const SLOWER = 4;

/** Registers a test; they run one after the other. */
export function test(name, body, timeout_ms = 60000) {
  tests.push({name, body, timeout_ms});
}

function withTimeout(promise, timeout_ms) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done after ${timeout_ms * SLOWER} ms`)), timeout_ms * SLOWER);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

function diagnose(error) {
  for (const line of String(error?.stack ?? error).split('\n')) console.log(`# ${line}`);
}

async function runOne(number, {name, body, timeout_ms}) {
  try {
    await withTimeout(Promise.resolve().then(body), timeout_ms);
    console.log(`ok ${number} - ${name.replaceAll('#', '')}`);
  } catch (error) {
    failed++;
    console.log(`not ok ${number} - ${name.replaceAll('#', '')}`);
    diagnose(error);
  }
}

/** What tests/cluster/beneath.py leaves out of this file, {name: reason}, has to be there. */
function leftOut() {
  const left = JSON.parse(process.env.TALUVA_TEST_LEFT_OUT ?? '{}');
  for (const [name, why] of Object.entries(left)) {
    assert.ok(tests.some((entry) => entry.name === name), `there is no test "${name}", which is left out`);
    console.log(`# left out: ${name}: ${why}`);
  }
  return left;
}

/** Runs what was registered, then `cleanup`, and ends the process. */
export async function run(cleanup = async () => {}) {
  const only = process.argv[2];
  const left = leftOut();
  const chosen = tests.filter((entry) => (!only || entry.name.includes(only)) && !(entry.name in left));
  console.log(`1..${chosen.length}`);
  for (const [index, entry] of chosen.entries()) await runOne(index + 1, entry);
  try {
    await cleanup();
  } catch (error) {
    failed++;
    diagnose(error);
  }
  process.exit(failed === 0 ? 0 : 1);
}

export {assert};
