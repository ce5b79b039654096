// Runs test files with node's test runner. Exits with 77, which means "skipped" to meson, only if the libraries or
// Chromium are not installed.
//
// usage: run.mjs [FILE...]     all tests without arguments; TALUVAD and TALUVA name the programs
//
// A file by itself runs in this process, which saves two others; its reporter is that of `node --test-reporter`.

import { spawnSync } from 'node:child_process';
import { accessSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));

/** @param {string} file @param {string} advice */
function need(file, advice) {
  try {
    accessSync(file);
  } catch {
    console.log(`skipped: ${file} is missing; ${advice}`);
    process.exit(77);
  }
}

need(path.join(here, 'node_modules', '.package-lock.json'), 'run npm ci in tests/browser');
need(path.join(here, '..', 'schema', 'node_modules', '.package-lock.json'), 'run npm ci in tests/schema');
need(process.env.CHROMIUM ?? '/usr/bin/chromium', 'install chromium');

const wanted = process.argv.slice(2);
process.chdir(here);
if (wanted.length === 1) {
  await import(pathToFileURL(path.resolve(wanted[0])).href);
} else {
  process.exit(runAll(wanted));
}

/** Each in a process of its own. @param {string[]} wanted */
function runAll(wanted) {
  const files = wanted.length ? wanted : readdirSync(here).filter((name) => name.endsWith('.test.mjs'));
  return spawnSync(process.execPath, ['--test', '--test-reporter=spec', ...files], { stdio: 'inherit' }).status ?? 1;
}
