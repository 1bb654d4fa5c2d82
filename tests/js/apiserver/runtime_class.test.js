// Goal: pods get the overhead, the node selector and the tolerations of their RuntimeClass, and
// are refused with Kubernetes' messages. Method: tables of classes and pods against the server.
// Source: plugin/pkg/admission/runtimeclass and pkg/util/tolerations, v1.36.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { mergedTolerations } from '../../../js/src/kubernetes/admission/merged_tolerations.js';
import { AskedServer, pod } from './asked_server.js';
import { inDefault, refusalOf } from './workloads.js';

const KATA = {
  metadata: { name: 'kata' },
  handler: 'kata',
  overhead: { podFixed: { cpu: '250m', memory: '120Mi' } },
  scheduling: {
    nodeSelector: { runtime: 'kata' },
    tolerations: [{ key: 'kata', operator: 'Exists', effect: 'NoSchedule' }],
  },
};

function storeWithClasses() {
  const { store } = new AskedServer();
  store.create('runtimeclasses', KATA);
  store.create('runtimeclasses', { metadata: { name: 'plain' }, handler: 'runc' });
  return store;
}

const FIVE_MINUTES = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'].map(
  (key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }),
);

test('a pod gets the overhead, the node selector and the tolerations of its class', () => {
  const store = storeWithClasses();
  const create = (/** @type {string} */ name, /** @type {object} */ spec) =>
    store.create('pods', pod(name, spec, inDefault)).spec;
  const kata = create('kata', { runtimeClassName: 'kata', nodeSelector: { disk: 'ssd' } });
  assert.deepEqual(kata.overhead, { cpu: '250m', memory: '120Mi' });
  assert.deepEqual(kata.nodeSelector, { disk: 'ssd', runtime: 'kata' });
  assert.deepEqual(kata.tolerations, [...FIVE_MINUTES, ...KATA.scheduling.tolerations]);
  const same = { cpu: '0.25', memory: '122880Ki' };
  assert.deepEqual(create('same', { runtimeClassName: 'kata', overhead: same }).overhead, {
    cpu: '250m',
    memory: '120Mi',
  });
  const plain = create('plain', { runtimeClassName: 'plain' });
  assert.deepEqual([plain.overhead, plain.nodeSelector], [undefined, undefined]);
  assert.deepEqual(plain.tolerations, FIVE_MINUTES);
});

test('a pod that contradicts its class is refused', () => {
  const store = storeWithClasses();
  const other = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";
  const own = 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead';
  const overhead = { cpu: '1' };
  const cases = /** @type {[object, string][]} */ ([
    [{ runtimeClassName: 'gvisor' }, 'pod rejected: RuntimeClass "gvisor" not found'],
    [{ runtimeClassName: 'kata', overhead }, other],
    [{ runtimeClassName: 'kata', overhead: { cpu: '250m' } }, other],
    [{ runtimeClassName: 'plain', overhead }, own],
    [{ overhead }, own],
    [
      { runtimeClassName: 'kata', nodeSelector: { runtime: 'runc' } },
      'conflict: runtimeClass.scheduling.nodeSelector[runtime] = kata; ' +
        'pod.spec.nodeSelector[runtime] = runc',
    ],
  ]);
  for (const [spec, refusal] of cases) {
    const create = () => store.create('pods', pod('a', spec, inDefault));
    assert.equal(refusalOf(create), refusal, JSON.stringify(spec));
  }
});

test('a toleration that another one covers is dropped', () => {
  const all = { operator: 'Exists' };
  const ofKey = { key: 'a', operator: 'Exists' };
  const ofEffect = { key: 'a', operator: 'Exists', effect: 'NoSchedule' };
  const ofValue = { key: 'a', operator: 'Equal', value: 'x', effect: 'NoSchedule' };
  const minute = { key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 60 };
  const hour = { ...minute, tolerationSeconds: 3600 };
  const forEver = { key: 'a', operator: 'Exists', effect: 'NoExecute' };
  const cases = [
    [[ofKey], [ofKey], [ofKey]],
    [[ofValue], [ofEffect], [ofEffect]],
    [[ofEffect, ofValue], [ofKey], [ofKey]],
    [[all], [ofKey, minute], [all]],
    [[ofKey], [all], [all]],
    [[minute], [hour], [hour]],
    [[hour], [minute], [hour]],
    [[hour], [forEver], [forEver]],
    [[ofValue], [{ ...ofValue, value: 'y' }], [ofValue, { ...ofValue, value: 'y' }]],
    [[{ key: 'b', operator: 'Exists' }], [ofKey], [{ key: 'b', operator: 'Exists' }, ofKey]],
    // An operator that is left out covers "Equal", and is not covered by it.
    [[{ key: 'a', value: 'x' }], [ofValue], [{ key: 'a', value: 'x' }]],
    [[ofValue], [{ key: 'a', value: 'x' }], [{ key: 'a', value: 'x' }]],
  ];
  for (const [first, second, merged] of cases) {
    assert.deepEqual(mergedTolerations(first, second), merged, JSON.stringify([first, second]));
  }
});

test('overhead of loaded pods is checked only if the server has RuntimeClasses', () => {
  const typed = { apiVersion: 'v1', kind: 'Pod' };
  const written = { ...typed, ...pod('p', { overhead: { cpu: '1' } }, inDefault) };
  const { store } = new AskedServer();
  store.load(written);
  assert.deepEqual(store.get('pods', 'default', 'p').spec.overhead, { cpu: '1' });
  const refusal = /Pod Overhead set without corresponding RuntimeClass/;
  assert.throws(() => storeWithClasses().load(written), refusal);
  assert.throws(() => new AskedServer().store.create('pods', written), refusal);
});
