import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createApiServer } from '../../../js/apiserver/index.js';
import { virtualClock } from '../../../js/src/io/clock.js';

const CONFIG_MAPS = 'http://embedded/api/v1/namespaces/default/configmaps';

test('a waiting reader receives each event once', async () => {
  const server = createApiServer({ clock: virtualClock(0), random: () => 0.5, controllers: [] });
  const { body } = await server.fetch(new Request(`${CONFIG_MAPS}?watch=true`));
  const reader = /** @type {ReadableStream<Uint8Array>} */ (body).getReader();
  const chunks = /** @type {string[]} */ ([]);
  for (const name of ['a', 'b', 'c']) {
    const read = reader.read();
    await new Promise((resolve) => void setImmediate(resolve));
    server.store.create('configmaps', { metadata: { name, namespace: 'default' } });
    chunks.push(new TextDecoder().decode((await read).value));
  }
  server.dispose();
  const rest = await reader.read();
  assert.equal(rest.done, true);
  const names = chunks.map((chunk) =>
    chunk
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).object.metadata.name),
  );
  assert.deepEqual(names, [['a'], ['b'], ['c']]);
});

test('many watches cause no leak warning, and all of them end with the server', async (t) => {
  const warned = t.mock.method(process, 'emitWarning');
  const server = createApiServer({ clock: virtualClock(0), random: () => 0.5, controllers: [] });
  const watch = () => server.fetch(new Request(`${CONFIG_MAPS}?watch=true`));
  const bodies = await Promise.all(Array.from({ length: 30 }, watch));
  server.dispose();
  const texts = await Promise.all([...bodies, await watch()].map((response) => response.text()));
  assert.deepEqual(new Set(texts), new Set(['']));
  assert.equal(warned.mock.callCount(), 0);
});
