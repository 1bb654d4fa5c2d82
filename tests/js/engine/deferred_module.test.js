// Goal: the second module is loaded once, when the first object, configuration, fork or transaction
// needs it; an engine that cannot load it rejects these and goes on.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { DeferredModule } from '../../../js/src/engine/deferred_module.js';
import { createScheduler, Engine, loadEngine, LoadError } from '../../../js/src/index.js';
import { makeCluster, makeDevices } from '../../runtimes/entries/cluster.js';
import { modulePath } from '../support/real_engine.js';

const primaryBytes = await readFile(modulePath);
const deferredPath = new URL('stowage.deferred.wasm', modulePath);
const deferredBytes = await readFile(deferredPath);

/**
 * An engine, and how often it read its second module.
 * @param {() => WebAssembly.Module} [read]
 * @param {{ isAsked?: boolean }} [how] isAsked: whether the engine loads it before it calls it
 */
async function countedEngine(
  read = () => new WebAssembly.Module(deferredBytes),
  { isAsked = true } = {},
) {
  const { default: createModule } = await import(new URL('stowage.js', modulePath).href);
  const count = { reads: 0 };
  const deferred = new DeferredModule(() => {
    count.reads += 1;
    return read();
  });
  const surface = await createModule({
    loadDeferred: () => (isAsked ? deferred.ensure() : ''),
    /** @param {WebAssembly.Imports} imports @param {Function} done */
    instantiateWasm(imports, done) {
      const module = new WebAssembly.Module(primaryBytes);
      done(deferred.startPrimaryNow(module, imports), module);
      return {};
    },
  });
  return { engine: new Engine(surface, deferred), count };
}

const missing = () => {
  throw new Error('no such file');
};
const nodes = (/** @type {any} */ scheduler) =>
  scheduler.list('Node').map((/** @type {any} */ { metadata }) => metadata.name);

test('without devices nothing loads it: decisions, evaluations, queries', async () => {
  const { engine, count } = await countedEngine(missing);
  const scheduler = engine.createScheduler({ seed: 1, metrics: true });
  scheduler.apply(/** @type {any[]} */ (makeCluster()));
  await scheduler.schedule();
  scheduler.evaluate('default/gpu-3', { allPlugins: true, culprits: true, scoreNotes: {} });
  scheduler.evaluate('default/gpu-3', { classify: true, everyNode: true });
  for (const query of [{ cache: true }, { waiting: true }, { metrics: true }, {}])
    scheduler.inspect(query);
  assert.deepEqual([count.reads, engine.hasDeferred], [0, false]);
});

test('a call of its code without it loads it, too', async () => {
  const { engine, count } = await countedEngine(undefined, { isAsked: false });
  const scheduler = engine.createScheduler();
  scheduler.apply(/** @type {any[]} */ (makeDevices()));
  const [{ node }] = await scheduler.schedule();
  assert.deepEqual([node, count.reads, engine.hasDeferred], ['node-1', 1, true]);
  const { engine: without } = await countedEngine(missing, { isAsked: false });
  assert.throws(() => without.createScheduler().apply(/** @type {any} */ (makeDevices()[2])), {
    message:
      /^the engine stopped itself: stowage\.deferred\.wasm, .*: no such file; .*deferredWasm/,
  });
});

test('the first module imports and exports little, so that it starts soon', async () => {
  const module = await WebAssembly.compile(primaryBytes);
  const imported = WebAssembly.Module.imports(module);
  assert.ok(imported.length < 40, `${imported.length} imports`);
  const loading = imported.filter((one) => one.module === 'deferred').map(({ name }) => name);
  assert.deepEqual(loading, ['load']);
  const exported = WebAssembly.Module.exports(module).map(({ name }) => name);
  assert.ok(exported.length < 20, `${exported}`);
});

/** What copies a scheduler. */
const COPYING = /** @type {[string, (scheduler: any) => unknown][]} */ ([
  ['a fork', (scheduler) => scheduler.fork().schedule()],
  ['a transaction', (scheduler) => scheduler.transaction((/** @type {any} */ one) => one.run())],
]);

for (const [name, copy] of COPYING)
  test(`${name} loads it, and is refused without it`, async () => {
    const { engine, count } = await countedEngine();
    for (let time = 0; time < 2; time += 1) await copy(engine.createScheduler());
    assert.equal(count.reads, 1);
    const { engine: without } = await countedEngine(missing);
    const scheduler = without.createScheduler();
    scheduler.apply(/** @type {any[]} */ (makeCluster()));
    const before = JSON.stringify(scheduler.snapshot());
    await assert.rejects(async () => copy(scheduler), {
      name: 'LoadError',
      message: /^stowage\.deferred\.wasm, .*: no such file; .*deferredWasm/,
    });
    assert.equal(JSON.stringify(scheduler.snapshot()), before);
    assert.ok((await scheduler.schedule()).length > 100);
  });

test('the first object that needs it loads it, once', async () => {
  for (const object of makeDevices().slice(2)) {
    const { engine, count } = await countedEngine();
    const scheduler = engine.createScheduler();
    for (let time = 0; time < 2; time += 1) scheduler.apply(/** @type {any} */ (object));
    const { kind } = /** @type {any} */ (object);
    assert.deepEqual([count.reads, engine.hasDeferred], [1, true], kind);
  }
});

/** Options that need the second module, and how the error without it starts. */
const NEEDING = /** @type {[string, import('../../../js/src/index.js').SchedulerOptions][]} */ ([
  ['featureGates: GenericWorkload', { featureGates: { GenericWorkload: true } }],
  ['plugins', { plugins: [{ name: 'Own', create: () => ({ preEnqueue() {} }) }] }],
  [
    'extenders',
    {
      configuration: {
        apiVersion: 'kubescheduler.config.k8s.io/v1',
        kind: 'KubeSchedulerConfiguration',
        extenders: [{ urlPrefix: 'http://extender.example', filterVerb: 'filter' }],
      },
    },
  ],
]);

for (const [option, options] of NEEDING)
  test(`${option} needs it as soon as a scheduler is created`, async () => {
    const { engine, count } = await countedEngine();
    engine.createScheduler(options);
    assert.equal(count.reads, 1);
    const { engine: without } = await countedEngine(missing);
    assert.throws(
      () => without.createScheduler(options),
      ({ name, message, errors: [{ field }] }) => {
        assert.equal(name, 'ConfigurationError');
        assert.equal(field, option.split(':')[0]);
        const start = `${option}: stowage.deferred.wasm, `;
        assert.equal(message.slice(0, start.length), start);
        assert.match(message, /: no such file; .*deferredWasm/);
        return true;
      },
    );
    assert.equal(without.createScheduler().run().idle, true);
  });

test('without it, objects that need it are rejected whole, and the rest goes on', async () => {
  const { engine, count } = await countedEngine(missing);
  const scheduler = engine.createScheduler();
  const before = JSON.stringify(scheduler.snapshot());
  const needing = /** @type {any[]} */ (makeDevices().slice(2));
  assert.throws(
    () => scheduler.apply(needing),
    ({ name, errors }) => {
      assert.equal(name, 'BatchError');
      assert.deepEqual(
        errors.map((/** @type {any} */ { code, kind }) => `${code} ${kind}`),
        needing.map(({ kind }) => `ModuleMissing ${kind}`),
      );
      assert.match(errors[0].message, /stowage\.deferred\.wasm.*no such file.*deferredWasm/);
      assert.equal(errors[0].toStatus().code, 503);
      return true;
    },
  );
  assert.equal(JSON.stringify(scheduler.snapshot()), before);
  assert.throws(() => scheduler.evaluate(needing.at(-1)), { code: 'ModuleMissing' });
  scheduler.apply(/** @type {any[]} */ (makeCluster()));
  const placed = (await scheduler.schedule()).filter(({ node }) => node !== null);
  assert.ok(placed.length > 100 && nodes(scheduler).length === 200);
  assert.equal(count.reads, 1, 'a failure is remembered');
  await engine.loadDeferred(deferredBytes);
  scheduler.apply(needing);
  assert.equal((await scheduler.schedule()).at(-1)?.node, 'node-1');
});

test('a new scheduler tries again to load it after a failure', async () => {
  const reads = [missing, () => new WebAssembly.Module(deferredBytes)];
  const { engine, count } = await countedEngine(() => reads.shift()());
  const scheduler = engine.createScheduler();
  const devices = /** @type {any[]} */ (makeDevices());
  assert.throws(() => scheduler.apply(devices), { name: 'BatchError' });
  assert.throws(() => scheduler.apply(devices), { name: 'BatchError' });
  assert.equal(count.reads, 1);
  engine.createScheduler().apply(devices);
  assert.deepEqual([count.reads, engine.hasDeferred], [2, true]);
});

test('it is loaded ahead, in every form that a module may come in', async () => {
  const forms = {
    "the package's": true,
    bytes: deferredBytes,
    'a compiled module': await WebAssembly.compile(deferredBytes),
    'a URL': deferredPath,
    'a promise': Promise.resolve(deferredBytes),
  };
  for (const [name, deferredWasm] of Object.entries(forms)) {
    const engine = await loadEngine({ wasm: modulePath, deferredWasm });
    assert.equal(engine.hasDeferred, true, name);
    const scheduler = engine.createScheduler();
    scheduler.apply(/** @type {any[]} */ (makeDevices()));
    assert.equal((await scheduler.schedule())[0].node, 'node-1', name);
  }
});

test('the shared engine loads it ahead, too', async () => {
  const engine = await loadEngine();
  const scheduler = await createScheduler({ deferredWasm: true });
  assert.deepEqual([engine.hasDeferred, await loadEngine()], [true, engine]);
  scheduler.dispose();
});

test('a module of another build is refused', async () => {
  const empty = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
  await assert.rejects(loadEngine({ wasm: modulePath, deferredWasm: empty }), (error) => {
    assert.ok(error instanceof LoadError);
    assert.match(error.message, /it belongs to another stowage\.wasm/);
    return true;
  });
});
