/**
 * Goal: a workload that gets no devices has the right message, and devices that are not ready are
 * not used. Method: two machines of each kind that a case needs; each message follows from the
 * specification (core/spec/plugins/dynamic-resources*.md).
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { TARGETS } from '../js/support/real_engine.js';
import { resultsOf } from './allocation_rules.js';
import { lastDecisions, makeCluster, podOf, templatesOf } from './cluster.js';
import { WORKLOADS } from './workloads.js';

/** @import { Engine } from '../../js/src/engine/engine.js' */
/** @import { SchedulerOptions } from '../../js/src/index.js' */
/** @import { Request, Workload } from './workloads/types.js' */

const MACHINES = ['a100-mig', 'example', 'example-fabric', 'gb200', 'p4d'];
const cluster = makeCluster({ nodesOf: ({ name }) => (MACHINES.includes(name) ? 2 : 0) });
const NODES = 2 * MACHINES.length;
const GPU = 'gpu.nvidia.com';
const NO_VICTIMS =
  `preemption: 0/${NODES} nodes are available: ` +
  `${NODES} Preemption is not helpful for scheduling.`;

/** @param {Partial<Request>} request @param {Partial<Workload>} [others] @returns {Workload} */
function asking(request, others) {
  return { name: 'app', requests: [{ name: 'gpu', class: GPU, ...request }], fits: {}, ...others };
}

/**
 * @param {Engine} engine
 * @param {Workload} workload
 * @param {{ objects?: any[], pods?: number, options?: SchedulerOptions }} [world]
 */
async function scheduled(engine, workload, { objects = cluster, pods = 1, options } = {}) {
  const scheduler = engine.createScheduler(options);
  scheduler.apply([...objects, ...templatesOf(workload)]);
  scheduler.apply(Array.from({ length: pods }, (_, index) => podOf(workload, index)));
  return { scheduler, decisions: lastDecisions(await scheduler.schedule()) };
}

/**
 * Why attempts fail, without the suffix of the generated claim's name.
 *
 * @type {[string, Workload, string][]}
 */
const ERRORS = [
  [
    'a selector that reads an attribute which a device lacks',
    /** @type {Workload} */ (WORKLOADS.find(({ name }) => name === 'unknown-attribute')),
    'claim default/unknown-attribute-0-devices: selector #0: CEL runtime error: ' +
      'no such key: index',
  ],
  [
    'a selector whose value is no bool',
    asking({ selectors: ['device.driver'] }),
    'claim default/app-0-devices: selector #0: CEL compile error: ' +
      'must evaluate to bool or the unknown type, not string',
  ],
  [
    'more devices than a claim can have',
    asking({ count: 33 }),
    'claim default/app-0-devices: number of requested devices 33 exceeds the claim limit of 32',
  ],
];

/** A copy of the cluster, in which a pool lacks a slice. @param {string} of a slice of the pool */
function withIncompletePool(of) {
  return cluster.map((/** @type {any} */ object) => {
    if (object.metadata.name !== of) return object;
    const { spec } = object;
    return { ...object, spec: { ...spec, pool: { ...spec.pool, resourceSliceCount: 2 } } };
  });
}

/**
 * A copy of the cluster, in which the devices of a slice have one more attribute.
 *
 * @param {string} slice
 * @param {string} name
 * @param {(device: number) => object} valueOf
 */
function withAttribute(slice, name, valueOf) {
  return cluster.map((/** @type {any} */ object) => {
    if (object.metadata.name !== slice) return object;
    const { devices } = object.spec;
    const changed = devices.map((/** @type {any} */ device, /** @type {number} */ at) => ({
      ...device,
      attributes: { ...device.attributes, [name]: valueOf(at) },
    }));
    return { ...object, spec: { ...object.spec, devices: changed } };
  });
}

for (const [target, start] of Object.entries(TARGETS)) {
  for (const [what, workload, expected] of ERRORS) {
    test(`${target}: ${what} fails the attempt`, async () => {
      const { engine } = await start();
      const { scheduler, decisions } = await scheduled(engine, workload);
      scheduler.dispose();
      const [{ result, message = '' }] = decisions;
      assert.equal(result, 'error');
      const shown = message.replace(/(-devices)-\w{5}/, '$1');
      assert.equal(shown, `running "DynamicResources" filter plugin: ${expected}`);
    });
  }

  test(`${target}: a class that does not exist refuses all nodes`, async () => {
    const { engine } = await start();
    const { scheduler, decisions } = await scheduled(engine, asking({ class: 'none' }));
    scheduler.dispose();
    const [{ message }] = decisions;
    assert.equal(
      message,
      `0/${NODES} nodes are available: request gpu: device class none does not exist. ` +
        `no new claims to deallocate, ${NO_VICTIMS}`,
    );
  });

  test(`${target}: an incomplete pool has no devices, and fails a request of all`, async () => {
    const { engine } = await start();
    const objects = withIncompletePool('gb200-1-gpu.nvidia.com-0');
    const onMachine = 'gb200';
    const all = await scheduled(engine, asking({ all: true }, { onMachine }), { objects });
    all.scheduler.dispose();
    assert.equal(all.decisions[0].result, 'error');
    const why = 'resource pool gpu.nvidia.com/gb200-1 is currently being updated';
    const { message = '' } = all.decisions[0];
    assert.ok(message.endsWith(`, request gpu: asks for all devices, but ${why}`), message);
    const some = await scheduled(engine, asking({}, { onMachine }), { objects, pods: 5 });
    some.scheduler.dispose();
    const nodes = some.decisions.map(({ node }) => node);
    assert.deepEqual(nodes, ['gb200-0', 'gb200-0', 'gb200-0', 'gb200-0', null]);
  });

  test(`${target}: a taint rule keeps pods without a toleration from devices`, async () => {
    const { engine } = await start();
    const rule = {
      apiVersion: 'resource.k8s.io/v1beta2',
      kind: 'DeviceTaintRule',
      metadata: { name: 'maintenance', uid: 'rule-maintenance' },
      spec: {
        deviceSelector: { driver: GPU, pool: 'gb200-0' },
        taint: { key: 'example.com/maintenance', effect: 'NoSchedule' },
      },
    };
    const options = { featureGates: { DRADeviceTaintRules: true } };
    const objects = [...cluster, rule];
    const tolerations = [{ key: 'example.com/maintenance', operator: 'Exists' }];
    for (const [request, isOn, expected] of /** @type {const} */ ([
      [{}, true, 4],
      [{}, false, 8],
      [{ tolerations }, true, 8],
    ])) {
      const workload = asking(request, { onMachine: 'gb200' });
      const world = { objects, pods: 9, ...(isOn && { options }) };
      const { scheduler, decisions } = await scheduled(engine, workload, world);
      scheduler.dispose();
      const placed = decisions.flatMap(({ node }) => node ?? []);
      assert.equal(placed.length, expected);
      if (expected === 4) assert.deepEqual(new Set(placed), new Set(['gb200-1']));
    }
  });

  test(`${target}: lists of a device need their gate, or every selector fails`, async () => {
    const { engine } = await start();
    const objects = withAttribute('gb200-0-gpu.nvidia.com-0', 'roots', (at) => ({
      strings: ['any', `root-${at}`],
    }));
    const selector = "device.attributes['gpu.nvidia.com'].roots.includes('root-2')";
    const workload = asking({ selectors: [selector] }, { onMachine: 'gb200' });
    const off = await scheduled(engine, asking({}, { onMachine: 'gb200' }), { objects });
    off.scheduler.dispose();
    const [{ result, message = '' }] = off.decisions;
    assert.equal(result, 'error');
    const why = 'selector #0: CEL runtime error: attribute roots: unsupported attribute value';
    assert.ok(message.endsWith(`class gpu.nvidia.com: ${why}`), message);
    // The other machine's devices have no such attribute.
    const nodes = objects.filter(
      ({ kind, metadata }) => kind !== 'Node' || metadata?.name !== 'gb200-1',
    );
    const options = { featureGates: { DRAListTypeAttributes: true } };
    const on = await scheduled(engine, workload, { objects: nodes, options });
    const [claim] = on.scheduler.list('ResourceClaim');
    on.scheduler.dispose();
    assert.deepEqual(
      resultsOf(claim).map(({ device }) => device),
      ['gpu-2'],
    );
  });

  test(`${target}: pods that name the same claim get the same devices`, async () => {
    const { engine } = await start();
    const { requests } = templatesOf(asking({ count: 2 }, { name: 'pair' }))[0].spec.spec.devices;
    const claim = {
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceClaim',
      metadata: { name: 'pair', namespace: 'default', uid: 'claim-pair' },
      spec: { devices: { requests } },
    };
    const scheduler = engine.createScheduler();
    scheduler.apply([...cluster, claim]);
    const pods = [0, 1, 2].map((index) => podOf(asking({}), index));
    for (const { spec } of pods) {
      spec.resourceClaims = [{ name: 'devices', resourceClaimName: 'pair' }];
    }
    scheduler.apply(pods);
    const decisions = lastDecisions(await scheduler.schedule());
    const [stored] = scheduler.list('ResourceClaim');
    assert.equal(new Set(decisions.map(({ node }) => node)).size, 1);
    assert.equal(resultsOf(stored).length, 2);
    const users = stored.status.reservedFor.map((/** @type {any} */ { name }) => name);
    assert.deepEqual(users.sort(), ['app-0', 'app-1', 'app-2']);
    scheduler.dispose();
  });

  test(`${target}: a pod is bound when its device is attached`, async () => {
    const { engine } = await start();
    const workload = asking({ class: 'gpu.example.com' }, { onMachine: 'example-fabric' });
    const { scheduler, decisions } = await scheduled(engine, workload);
    assert.equal(decisions[0].result, 'scheduled');
    assert.equal(scheduler.get('Pod', 'app-0')?.spec.nodeName, undefined);
    const [claim] = scheduler.list('ResourceClaim');
    const [{ driver, pool, device }] = resultsOf(claim);
    const conditions = [{ type: 'gpu.example.com/attached', status: 'True' }];
    const devices = [{ driver, pool, device, conditions }];
    const resourceVersion = String(Number(claim.metadata?.resourceVersion) + 1);
    scheduler.apply({
      ...claim,
      metadata: { ...claim.metadata, resourceVersion },
      status: { ...claim.status, devices },
    });
    await scheduler.schedule({ until: 10_000 });
    assert.equal(scheduler.get('Pod', 'app-0')?.spec.nodeName, decisions[0].node);
    scheduler.dispose();
  });

  test(`${target}: a claim whose device is not attached in time is given up`, async () => {
    const { engine } = await start();
    const workload = asking({ class: 'gpu.example.com' }, { onMachine: 'example-fabric' });
    const { scheduler } = await scheduled(engine, workload);
    const [first] = await scheduler.schedule({ until: 700_000 });
    scheduler.dispose();
    const others = NODES - 2;
    assert.equal(
      first.message,
      `0/${NODES} nodes are available: 2 resourceclaim not available on the node, ` +
        `${others} node(s) didn't match Pod's node affinity/selector. ` +
        `deallocation of ResourceClaim completed, ${NO_VICTIMS}`,
    );
  });
}
