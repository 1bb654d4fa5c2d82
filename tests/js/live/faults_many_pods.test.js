// Goal: ten thousand pods, decided faster than they can be bound, end each on one node, and no node
// has more than it can hold. Method: `many_pods.js` runs them in real time, by the WebAssembly
// module, over HTTP, with a lease.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const SCRIPT = fileURLToPath(new URL('many_pods.js', import.meta.url));

test('ten thousand pods', async (t) => {
  const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT], { signal: t.signal });
  const { seconds, ...end } = JSON.parse(stdout);
  t.diagnostic(`${seconds.toFixed(1)} s, ${Math.round(end.bound / seconds)} pods/s`);
  assert.deepEqual(end, {
    ...{ failures: [], bound: 10_000, boundTwice: [], overfull: [], waiting: [] },
    ...{ leaders: ['only'], leadersAfterwards: [''] },
  });
});
