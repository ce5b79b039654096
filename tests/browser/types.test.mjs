// Checks the types that the page declares in comments.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const HERE = fileURLToPath(new URL('.', import.meta.url));

test('tsc finds nothing', () => {
  const tsc = path.join(HERE, 'node_modules', '.bin', 'tsc');
  const result = spawnSync(tsc, ['--project', HERE], { encoding: 'utf8' });
  assert.equal(result.status, 0, result.stdout + result.stderr);
});
