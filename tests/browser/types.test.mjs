// The types that the page's comments declare hold.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';

test('tsc finds nothing', () => {
  const tsc = path.join(import.meta.dirname, 'node_modules', '.bin', 'tsc');
  const result = spawnSync(tsc, ['--project', import.meta.dirname], { encoding: 'utf8' });
  assert.equal(result.status, 0, result.stdout + result.stderr);
});
