// Goal: a resource's new name contains no text of the user, and the scheduler counts it as before.
// Method: names of all classes and forms, requested on a node without them: the engine's verdict is
// the same for true names and new ones.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { anonymize } from '../../../js/src/snapshot/anonymize.js';
import { makeNode, storedPod } from '../support/objects.js';
import { startNative } from '../support/real_engine.js';

/** A text in every part of a name that may contain it. */
const NAMES = [
  ...['acme', 'acme/gpu', 'acme.io/gpu', 'a.acme-x.io/GPU_1.b', 'requests.acme', 'cpu.acme'],
  ...['hugepages-2Mi', 'hugepages-acme', 'hugepages-acme/2Mi', 'hugepages-'],
  ...['attachable-volumes-acme', 'attachable-volumes-csi-acme.io', 'attachable-volumes-acme/x'],
  ...['kubernetes.io/acme', 'acme.kubernetes.io/x', 'acmekubernetes.io/x', '.kubernetes.io/acme'],
  ...['acme/kubernetes.io/x', 'kubernetes.io/acme/x', 'acme/x/kubernetes.io/y', 'kubernetes.io/'],
  ...['kubernetes.io.acme/x', 'acme.io/kubernetes.io', 'requests.kubernetes.io/acme'],
  ...['deviceclass.resource.kubernetes.io/acme', 'requests.acme.io/gpu', 'requests.hugepages-acme'],
  ...['acme/', '/acme', '/', 'acme//x', 'acme/x/y', 'Acme/x', 'ac me/x', 'acme/x y', 'acmé/x'],
  ...['acme..io/x', '-acme/x', 'acme/-x', 'acme./x', '.acme/x', 'acme/x.', 'acme/😀', 'acme\n/x'],
  ...[63, 64].map((length) => `acme.io/${'x'.repeat(length)}`),
  ...[244, 245, 253, 254].map((length) => `${`acme.${'a'.repeat(250)}`.slice(0, length)}/x`),
];

/** Names with a meaning in Kubernetes. */
const KEPT = new Set(['hugepages-2Mi', 'hugepages-', 'kubernetes.io/']);

/** @param {string} name */
const podAsking = (name) =>
  storedPod('web', {
    spec: {
      schedulerName: 'default-scheduler',
      containers: [{ name: 'c', resources: { requests: { [name]: '1' } } }],
    },
  });

test('a resource of a made-up name counts as before, whatever form its name has', async (t) => {
  const { engine } = await startNative();
  /** @param {object[]} objects */
  const verdict = ([node, pod]) => {
    const scheduler = engine.createScheduler();
    t.after(() => scheduler.dispose());
    scheduler.apply([node]);
    return scheduler.evaluate(pod).result;
  };
  const verdicts = new Set();
  for (const name of NAMES) {
    const objects = [makeNode('n'), podAsking(name)];
    const { snapshot, originals } = anonymize(objects);
    assert.doesNotMatch(JSON.stringify(snapshot), /acm/i, JSON.stringify(name));
    const want = verdict(objects);
    assert.equal(verdict(snapshot.items), want, JSON.stringify(name));
    verdicts.add(want);
    const [made] = Object.keys(snapshot.items[1].spec.containers[0].resources.requests);
    assert.equal(made === name, KEPT.has(name), `${name} became ${made}`);
    assert.ok(originals.size > 0);
  }
  assert.equal(verdicts.size, 2, 'some are counted, some are not');
});

test('different names stay different', () => {
  const requests = Object.fromEntries(NAMES.map((name) => [name, '1']));
  const pod = storedPod('web', { spec: { containers: [{ name: 'c', resources: { requests } }] } });
  const { snapshot } = anonymize([pod]);
  const made = Object.keys(snapshot.items[0].spec.containers[0].resources.requests);
  assert.equal(made.length, NAMES.length);
});
