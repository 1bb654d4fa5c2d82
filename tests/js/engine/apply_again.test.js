// Goal: a scheduler that is given another one is the scheduler that reads the same input, in every
// release. Method: random changes by seed, applied as lines and from a scheduler that keeps them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeNode, storedPod } from '../support/objects.js';
import { startNative, startWasm } from '../support/real_engine.js';

/** @import { Scheduler } from '../../../js/src/engine/scheduler.js' */
/** @import { Engine } from '../../../js/src/engine/engine.js' */

const { engine } = await startNative();

const RELEASES = ['1.33', '1.34', '1.35', '1.36'];
const NODES = 6;
const PODS = 20;
const ALL = ['a', 'b', 'c'];

/** @param {number} seed */
function drawing(seed) {
  let state = seed * 2654435761;
  return (/** @type {number} */ below) => {
    state = (state * 1103515245 + 12345) >>> 0;
    return (state >>> 8) % below;
  };
}

/** Specs whose reading differs by gates and facts. @type {Record<string, any>[]} */
const SPECS = [
  {},
  { resources: { requests: { cpu: '2' } } },
  { schedulingGates: [{ name: 'g' }] },
  { resourceClaims: [{ name: 'r', resourceClaimName: 'c' }] },
  { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }] },
  { priority: 100 },
];

/** Changes of few objects, so that they meet; some are refused. @param {number} seed */
function* changesOf(seed) {
  const draw = drawing(seed);
  const one = (/** @type {any[]} */ list) => list[draw(list.length)];
  for (let count = 0; count < 120; count += 1) {
    const node = makeNode(`n${draw(NODES)}`, { cpu: String(2 + draw(6)) });
    const nodeName = draw(2) ? `n${draw(NODES)}` : undefined;
    const name = `p${draw(PODS)}`;
    const metadata = { labels: { app: one(ALL) }, uid: draw(9) ? name : 'p0' };
    const status = draw(4) ? {} : { nominatedNodeName: `n${draw(NODES)}` };
    const pod = storedPod(name, { metadata, spec: { ...one(SPECS), nodeName }, status });
    const object = draw(4) ? pod : node;
    yield draw(6) ? object : { type: 'DELETED', object };
    if (draw(10) === 0) yield claimOf();
  }
}

function claimOf() {
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    metadata: { name: 'c', namespace: 'default', uid: 'c' },
    spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'gpu' } }] } },
  };
}

/** @param {number} seed */
function piecesOf(seed) {
  const lines = [...changesOf(seed)].map((change) => `${JSON.stringify(change)}\n`);
  lines.push('{"kind":"Pod","apiVersion":"v1","metadata":{"name":3}}\n');
  return [lines.slice(0, 50), lines.slice(50)].map((some) => some.join(''));
}

/** @param {Scheduler} scheduler @param {string[]} pieces */
function give(scheduler, pieces) {
  const codes = pieces.map((piece) => {
    /** @type {string[]} */
    const found = [];
    scheduler.apply(piece, { format: 'lines', onError: ({ code }) => found.push(code) });
    return found;
  });
  return codes.flat();
}

/** Everything visible, now and after some decisions. @param {Scheduler} scheduler */
function behaviourOf(scheduler) {
  const before = JSON.stringify(scheduler.inspect({ cache: true }));
  const pods = Array.from({ length: PODS }, (_, at) => `default/p${at}`);
  const asked = pods.map((pod) => {
    try {
      return [JSON.stringify(scheduler.inspect({ pod })), JSON.stringify(scheduler.evaluate(pod))];
    } catch (error) {
      return [/** @type {Error} */ (error).message];
    }
  });
  const { records } = scheduler.run({ maxCycles: 50 });
  return [before, asked, records, JSON.stringify(scheduler.inspect({ cache: true }))];
}

/** @param {Engine} one @param {(scheduler: Scheduler) => void} fill @param {object} options */
function behaviourWith(one, fill, options) {
  const scheduler = one.createScheduler({ startTime: 0, keepObjects: false, ...options });
  try {
    fill(scheduler);
    return behaviourOf(scheduler);
  } finally {
    scheduler.dispose();
  }
}

test('each release is given what another one has read', () => {
  let refused = 0;
  for (let seed = 1; seed <= 12; seed += 1) {
    const pieces = piecesOf(seed);
    const kubernetesVersion = RELEASES[seed % RELEASES.length];
    const options = { startTime: 0, keepObjects: false, keepBatches: true, kubernetesVersion };
    const first = engine.createScheduler(options);
    refused += give(first, pieces).filter((code) => code === 'FieldValueDuplicate').length;
    // What it decides itself does not count.
    first.run({ maxCycles: 5 });
    for (const release of RELEASES) {
      const other = { kubernetesVersion: release };
      const again = behaviourWith(engine, (one) => one.apply(first, { onError: () => {} }), other);
      assert.deepEqual(
        again,
        behaviourWith(engine, (one) => give(one, pieces), other),
        release,
      );
    }
    first.dispose();
  }
  assert.ok(refused > 0);
});

test('the module does so as well, and a fork passes on what it keeps', async () => {
  const { engine: module } = await startWasm();
  const pieces = piecesOf(7);
  const expected = behaviourWith(module, (one) => give(one, pieces), {});
  const first = module.createScheduler({ startTime: 0, keepObjects: false, keepBatches: true });
  give(first, pieces);
  const ignoring = { onError: () => {} };
  first.transaction((inner) => void inner.apply(makeNode('reverted')));
  const fork = first.fork();
  first.dispose();
  const second = module.createScheduler({ startTime: 0, keepObjects: false, keepBatches: true });
  second.apply(fork, ignoring);
  fork.dispose();
  assert.deepEqual(
    behaviourWith(module, (one) => one.apply(second, ignoring), {}),
    expected,
  );
  second.dispose();
});

test('refuses a scheduler that keeps nothing, reads otherwise, or is foreign', async () => {
  const { engine: module } = await startWasm();
  const [kept, plain] = [true, false].map((keepBatches) => engine.createScheduler({ keepBatches }));
  const foreign = module.createScheduler({ keepBatches: true });
  const logged = engine.createScheduler({ log: () => {} });
  for (const [target, origin] of [
    [kept, plain],
    [plain, foreign],
    [logged, kept],
  ])
    assert.throws(() => target.apply(origin), { name: 'BatchError' });
  const bare = engine.createScheduler({ keepObjects: false });
  assert.throws(() => bare.apply(kept), { name: 'EngineError' });
  assert.throws(() => kept.apply(kept), { name: 'EngineError' });
  assert.equal(plain.apply(kept).applied, 0);
  kept.dispose();
  assert.throws(() => plain.apply(kept), { name: 'DisposedError' });
});
