import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createScheduler, loadEngine, LoadError } from '../../../js/src/index.js';
import { modulePath } from '../support/real_engine.js';

const bytes = await readFile(modulePath);
const response = (headers) => new Response(bytes, { headers });

test('concurrent first loads get one engine', async () => {
  const [first, second] = await Promise.all([loadEngine(), loadEngine()]);
  assert.equal(first, second);
});

test('the module in every form that it may come in', async () => {
  const forms = {
    'nothing: the one of the package': undefined,
    'a compiled module': await WebAssembly.compile(bytes),
    bytes,
    'an ArrayBuffer': bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength),
    'a Response to be streamed': response({ 'content-type': 'application/wasm' }),
    'a Response of another type': response({ 'content-type': 'application/octet-stream' }),
    'a URL': modulePath,
    'a URL as text': modulePath.href,
    'a path': fileURLToPath(modulePath),
    'a promise': Promise.resolve(bytes),
  };
  for (const [name, wasm] of Object.entries(forms)) {
    const engine = await loadEngine({ wasm });
    assert.deepEqual([engine.version, engine.kubernetesVersion], ['0.1.0', 'v1.36'], name);
    const scheduler = engine.createScheduler();
    assert.equal(scheduler.run().idle, true, name);
    scheduler.dispose();
  }
});

test('the module of the package is loaded once', async () => {
  assert.equal(await loadEngine(), await loadEngine());
  const scheduler = await createScheduler({ seed: 1 });
  assert.equal(scheduler.kubernetesVersion, 'v1.36');
  scheduler.dispose();
});

test('bytes that are not a module are a LoadError', async () => {
  const forms = {
    'a page that is not there': () => new Response('no', { status: 404 }),
    'other bytes': () => new Uint8Array([1, 2, 3]),
    'a file that is not there': () => new URL('none.wasm', modulePath),
    'a promise that fails': () => Promise.reject(new Error('offline')),
  };
  for (const [name, form] of Object.entries(forms)) {
    await assert.rejects(loadEngine({ wasm: form() }), (error) => error instanceof LoadError, name);
  }
  assert.equal((await loadEngine()).failure, null, 'the shared one is still fine');
});
