// Goal: a webhook, a CI job and an edge function take twenty lines at most, and README.md shows
// them as they are. That they do what they say is tested where the examples are run.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { read } from './files.js';

const LINES_MAX = 20;
const BRIEF = [
  'examples/admission-webhook/webhook.js',
  'examples/ci-check/workflow.yaml',
  'examples/deno-prescore/worker.js',
];

test('README.md shows the brief examples, before any longer one', () => {
  const [, section] = /^## In twenty lines\n([^]*?)^## /m.exec(read('README.md')) ?? [];
  const shown = [...section.matchAll(/^```\w+ (\S+)\n([^]*?)^```$/gm)];
  assert.deepEqual(
    shown.map(([, path]) => path),
    BRIEF,
  );
  for (const [, path, text] of shown) assert.equal(text, read(path), path);
});

test('each is whole in twenty lines', () => {
  for (const path of [
    ...BRIEF,
    ...['bun', 'workerd'].map((name) => `examples/${name}-prescore/worker.js`),
  ]) {
    const lines = read(path).trimEnd().split('\n');
    assert.ok(lines.length <= LINES_MAX, `${path}: ${lines.length} lines`);
    assert.ok(
      lines.every((line) => line.length <= 100),
      path,
    );
  }
});
