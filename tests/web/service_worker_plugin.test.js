import assert from 'node:assert/strict';
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { serviceWorkerOf } from '../../web/service_worker_plugin.js';

test('the service worker lists the files that it keeps, and changes with any of them', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'site-'));
  t.after(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'assets'));
  for (const file of ['index.html', 'assets/a.js', 'sw.js', 'component.js'])
    writeFileSync(join(folder, file), '');
  const before = serviceWorkerOf(folder, 'component.js');
  assert.match(before, /globalThis\.stowageFiles = \["assets\/a\.js","index\.html"\];/);
  assert.equal(serviceWorkerOf(folder, 'component.js'), before);
  writeFileSync(join(folder, 'index.html'), 'changed');
  assert.notEqual(serviceWorkerOf(folder, 'component.js'), before);
});
