import assert from 'node:assert/strict';
import { test } from 'node:test';

import { allFiles, assertNone, findings } from './files.js';
import { unpinned } from './pins.js';

const isWorkflow = (/** @type {string} */ path) => /^\.github\/workflows\/.*\.ya?ml$/.test(path);

test('workflows run actions and containers by commit or digest, with the version beside it', () => {
  assert.ok(allFiles().filter(isWorkflow).length >= 2);
  assertNone(findings(isWorkflow, unpinned));
});

test('the rule finds what it is for', () => {
  const commit = 'ab12'.repeat(10);
  const digest = `sha256:${'ab12'.repeat(16)}`;
  for (const good of [
    `      - uses: actions/checkout@${commit} # v4.3.1`,
    `        uses: someone/tools/inner@${commit} # v1.2`,
    `    container: node:24-bookworm@${digest} # 24.21.0`,
    `      image: ghcr.io/someone/thing:1@${digest} # 1.0`,
    `      - uses: docker://alpine@${digest} # 3.22`,
    '    uses: ./.github/workflows/ci.yml',
    '      - run: echo uses: nothing',
  ]) {
    assert.deepEqual(unpinned('', good), [], good);
  }
  for (const bad of [
    '      - uses: actions/checkout@v4',
    '      - uses: actions/checkout@main # v4.3.1',
    `      - uses: actions/checkout@${commit.slice(1)} # v4.3.1`,
    `      - uses: actions/checkout@${commit}`,
    `      - uses: actions/checkout@${commit} # the newest`,
    '    container: node:24-bookworm',
    `    container: node@${digest}`,
    '      image: node:24 # 24.21.0',
    `    container: node@${commit} # 24.21.0`,
  ]) {
    assert.equal(unpinned('', bad).length, 1, bad);
  }
});
