// Goal: JavaScript and the engine compute the same requests of pods on nodes. Method: thousands of
// pods on a node, with init containers, sidecars, overhead and pod-level resources, as the API
// server would have stored them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { podRequests } from '../../../js/src/kubernetes/pod_requests.js';
import { holds, oddName, record } from '../support/properties.js';
import { startWasm } from '../support/real_engine.js';

const { engine } = await startWasm();

const resource = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('cpu', 'memory') },
  fc.constantFrom('ephemeral-storage', 'hugepages-2Mi', 'storage', 'attachable-volumes-csi-a'),
  fc.constantFrom('example.com/gpu', 'example.com/constructor', 'kubernetes.io/toString'),
  oddName,
);
const quantity = fc.oneof(
  fc.nat(5000).map((milli) => `${milli}m`),
  fc.constantFrom(null, 0, 2, '0', '1', '1.250', '0.0001', '100m', '1Gi', '1.5Ki', ' 3 ', '7n'),
);
const list = fc.oneof(fc.constantFrom(null, undefined, {}), record(resource, quantity));
const resources = fc.oneof(
  fc.constantFrom(null, undefined, {}),
  fc.record({ requests: list, limits: list }, { requiredKeys: [] }),
);
const container = fc.record(
  {
    name: fc.constantFrom('a', 'b', 'constructor'),
    resources,
    restartPolicy: fc.constantFrom('Always', 'Never', '', null),
  },
  { requiredKeys: ['name'] },
);
const podSpec = fc.record(
  {
    containers: fc.array(container, { maxLength: 3 }),
    initContainers: fc.option(fc.array(container, { maxLength: 4 })),
    overhead: list,
    resources,
  },
  { requiredKeys: ['containers'] },
);

const scheduler = engine.createScheduler();
scheduler.apply({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n', uid: 'n' } });

/** Returns the engine's requests of a pod. @param {any} spec */
function counted(spec) {
  const metadata = { namespace: 'default', name: 'p', uid: 'p' };
  const object = { apiVersion: 'v1', kind: 'Pod', metadata, spec: { ...spec, nodeName: 'n' } };
  scheduler.apply(JSON.stringify({ type: 'ADDED', object }), { format: 'lines' });
  const { requested } = scheduler.inspect({ node: 'n' });
  scheduler.apply(JSON.stringify({ type: 'DELETED', object }), { format: 'lines' });
  return requested;
}

/** @param {bigint | undefined} nano @param {bigint} unit rounded up */
const units = (nano = 0n, unit = 1_000_000_000n) => Number((nano + unit - 1n) / unit);

/** Without zeros: a node keeps the names of former resources. */
const nonZero = (/** @type {[string, number][]} */ entries) =>
  Object.fromEntries(entries.filter(([, amount]) => amount !== 0));

test('requests of pods', () => {
  holds(4000, podSpec, (spec) => {
    const requested = counted(spec);
    const amounts = podRequests(spec);
    const scalars = [...amounts].filter(([name]) => /\/|^hugepages-|^attachable-/.test(name));
    assert.deepEqual(
      {
        milliCPU: units(amounts.get('cpu'), 1_000_000n),
        memory: units(amounts.get('memory')),
        ephemeralStorage: units(amounts.get('ephemeral-storage')),
        scalars: nonZero(scalars.map(([name, amount]) => [name, units(amount)])),
      },
      {
        milliCPU: requested.milliCPU,
        memory: requested.memory,
        ephemeralStorage: requested.ephemeralStorage,
        scalars: nonZero(Object.entries(requested.scalarResources)),
      },
    );
  });
});
