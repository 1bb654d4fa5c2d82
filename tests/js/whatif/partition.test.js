// Goal: applying a StatefulSet with a partition keeps the pods below it, as the controller does,
// and makes missing ones there from the former template. Method: futures of a StatefulSet of two
// pods whose new template asks for another amount, with and without its ControllerRevision.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whatIf } from '../../../js/src/whatif.js';
import { makeNode } from '../support/objects.js';
import { TARGETS } from '../support/real_engine.js';
import { makeWorkload, owned, podOf } from '../support/workloads.js';

const { engine } = await TARGETS.wasm();
const node = makeNode('a', { cpu: '8' });
const written = (/** @type {string} */ cpu, /** @type {object} */ spec) =>
  makeWorkload('StatefulSet', 'web', { cpu, spec: { replicas: 2, ...spec } });
const stored = owned({
  ...written('1', {}),
  status: { currentRevision: 'web-old', updateRevision: 'web-old' },
});
const pods = [0, 1].map((at) =>
  podOf(`web-${at}`, stored, { node: 'a', labels: { 'controller-revision-hash': 'web-old' } }),
);

/**
 * The pods of the future with their requests, and the outcomes of those that change.
 * @param {any[]} changes
 * @param {object[]} cluster
 */
async function ask(changes, cluster) {
  const scheduler = engine.createScheduler({ startTime: Date.UTC(2026, 0, 1), tieBreak: 'name' });
  try {
    scheduler.apply([node, ...cluster.filter(({ kind }) => kind !== 'ControllerRevision')]);
    /** @type {any} */
    let after = {};
    const look = (/** @type {any} */ future) => {
      const all = future.pods.map((/** @type {any} */ { metadata, spec }) => [
        metadata.name,
        spec.containers[0].resources.requests.cpu,
      ]);
      after = Object.fromEntries(all);
    };
    const answer = await whatIf(scheduler, changes, { objects: cluster, look });
    return { after, outcomes: answer.pods.map(({ pod, outcome }) => [pod, outcome]) };
  } finally {
    scheduler.dispose();
  }
}
const apply = (/** @type {object} */ object) => ({ type: 'apply', object });
const split = { updateStrategy: { rollingUpdate: { partition: 1 } } };

test('pods below the partition stay as they are', async () => {
  const { after, outcomes } = await ask([apply(written('2', split))], [stored, ...pods]);
  assert.deepEqual(after, { 'web-0': '1', 'web-1': '2' });
  assert.deepEqual(outcomes, [['default/web-1', 'Returns']]);
  const all = await ask([apply(written('2', {}))], [stored, ...pods]);
  assert.deepEqual(all.after, { 'web-0': '2', 'web-1': '2' });
  const scale = { type: 'scale', kind: 'StatefulSet', name: 'web', replicas: 3 };
  const scaled = await ask([apply(written('2', split)), scale], [stored, ...pods]);
  assert.deepEqual(scaled.after, { 'web-0': '1', 'web-1': '2', 'web-2': '2' });
});

test('a missing pod below the partition is made from the former template', async () => {
  const changes = [apply(written('2', { ...split, replicas: 3 }))];
  const one = await ask(changes, [stored, pods[1]]);
  assert.deepEqual(one.after, { 'web-0': '1', 'web-1': '2', 'web-2': '2' });
  const none = await ask(changes, [stored]);
  assert.deepEqual(none.after, { 'web-0': '1', 'web-1': '2', 'web-2': '2' });
  const template = written('3', {}).spec.template;
  const revision = owned(
    {
      apiVersion: 'apps/v1',
      kind: 'ControllerRevision',
      metadata: { name: 'web-older' },
      data: { spec: { template } },
      revision: 1,
    },
    stored,
  );
  const between = {
    ...stored,
    status: { currentRevision: 'web-older', updateRevision: 'web-old' },
  };
  const known = await ask(changes, [between, revision]);
  assert.deepEqual(known.after, { 'web-0': '3', 'web-1': '2', 'web-2': '2' });
});
