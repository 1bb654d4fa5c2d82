// Goal: pods as text have all that the engine reads, and equal keys only if they are equal for it.
// Method: the engine's schemas, a pod with all of their fields, and pairs of pods.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { readSource } from '../../../../js/src/whatif/upgrade/asked_pods.js';
import { Lines, PodTexts } from '../../../../js/src/whatif/upgrade/pod_text.js';
import { makeNode, makePod, storedPod } from '../../support/objects.js';

const read = (/** @type {string} */ path) =>
  readFile(new URL(`../../../../core/api/decode/${path}`, import.meta.url), 'utf8');
const pods = await read('pod_schema.cc');

/** The names of the fields of a schema. @param {string} text @param {string} start */
function fieldsOf(text, start) {
  const [, rest] = text.split(start);
  return [...rest.slice(0, rest.indexOf(';')).matchAll(/"(\w+)"/g)].map(([, name]) => name);
}

/** @param {string} type */
const podFields = (type) => fieldsOf(pods, `struct Schema<${type}> {`);
const metadataFields = fieldsOf(await read('meta_schema.h'), 'kFieldsWithoutAnnotations');

/** An object in which each field has its name as its value. @param {string[]} names */
const named = (names) => Object.fromEntries(names.map((name) => [name, `is-${name}`]));

/** @param {any} pod */
function written(pod) {
  const lines = new Lines();
  const text = new PodTexts().of(pod);
  assert.ok(text);
  lines.add(text, 0);
  const [{ bytes, done }] = lines.pieces();
  assert.equal(done, 1);
  return JSON.parse(new TextDecoder().decode(bytes));
}

test('a pod has all fields that the engine reads, and no others of its containers', () => {
  const container = named(podFields('Container'));
  const size = named(podFields('ContainerStatus'));
  const condition = named(podFields('PodCondition'));
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: named(metadataFields),
    spec: {
      ...named(podFields('PodSpec')),
      containers: [container],
      initContainers: [container],
      volumes: [{ name: '', csi: {} }],
      resourceClaims: [],
    },
    status: {
      ...named(podFields('PodStatus')),
      conditions: [condition],
      containerStatuses: [size],
      initContainerStatuses: [size],
    },
  };
  // No two pods share a resource version; of a pod the engine only repeats it.
  const { resourceVersion, ...metadata } = pod.metadata;
  assert.deepEqual(written(pod), { ...pod, metadata });
  const long = { ...container, env: [{ name: 'A' }], livenessProbe: {}, volumeMounts: [] };
  const { spec } = written({ ...pod, spec: { ...pod.spec, containers: [long] } });
  assert.deepEqual(spec.containers, [container]);
});

test('a reduced pod has the same text, and shares what it has in common with others', () => {
  const spec = { nodeName: 'n', hostname: 'h', priority: 1 };
  const whole = storedPod('p', { metadata: { annotations: { a: 'b' }, labels: { a: 'b' } }, spec });
  const texts = new PodTexts();
  const [pod, other] = [whole, { ...whole, spec: { ...whole.spec, nodeName: 'm' } }].map((each) =>
    texts.reduced(each),
  );
  assert.deepEqual(texts.of(pod), new PodTexts().of(whole));
  assert.deepEqual(JSON.parse(JSON.stringify(pod)), written(whole));
  assert.deepEqual([pod.spec.nodeName, other.spec.nodeName], ['n', 'm']);
  assert.equal(pod.spec.containers, other.spec.containers);
  for (const unchanged of [makeNode('n'), makePod('p'), storedPod('q', { spec: { volumes: [0] } })])
    assert.equal(texts.reduced(unchanged), unchanged);
});

test('text beyond ASCII, long lines and pods without fields are written', () => {
  const labels = { a: 'ä'.repeat(3_000_000), b: '€ 😀' };
  const pod = storedPod('ü', { metadata: { labels }, spec: { nodeName: 'n' } });
  assert.deepEqual(written(pod).metadata.labels, labels);
  assert.equal(written(pod).spec.nodeName, 'n');
  const bare = { apiVersion: 'v1', kind: 'Pod', metadata: {}, spec: {} };
  assert.deepEqual(written(bare), {
    ...bare,
    spec: { containers: [] },
    status: {},
  });
  assert.equal(new PodTexts().of({ ...bare, spec: { volumes: [null] } }), undefined);
});

const CASES = /** @type {[string, any, boolean][]} */ ([
  ['the name', { metadata: { name: 'q', uid: 'q' } }, true],
  ['annotations', { metadata: { annotations: { a: 'b' } } }, true],
  ['a start time', { status: { startTime: '2026-01-01T00:00:00Z' } }, true],
  ['the phase', { status: { phase: 'Running' } }, true],
  ['a condition of the kubelet', { status: { conditions: [{ type: 'Ready' }] } }, true],
  ['a condition of a resize', { status: { conditions: [{ type: 'PodResizePending' }] } }, false],
  ['a label', { metadata: { labels: { a: 'b' } } }, false],
  ['the namespace', { metadata: { namespace: 'other' } }, false],
  ['a node', { spec: { nodeName: 'n' } }, false],
  ['a priority', { spec: { priority: 1 } }, false],
  ['a nomination', { status: { nominatedNodeName: 'n' } }, false],
  ['a claim of its own', { spec: { volumes: [{ name: 'a', ephemeral: {} }] } }, false],
]);

for (const [name, change, isEqual] of CASES) {
  test(`pods that differ in ${name} ${isEqual ? 'are equal' : 'are not equal'}`, () => {
    const texts = new PodTexts();
    const [first, second] = [storedPod('p'), storedPod('p', change)].map((pod) => texts.of(pod));
    assert.equal(first?.key === second?.key, isEqual);
  });
}

test('extenders get whole pods, and pods without a uid are completed after the classes', () => {
  const annotated = storedPod('a', { metadata: { annotations: { to: 'extender' } } });
  const hasAnnotation = (/** @type {boolean} */ whole) => {
    const source = [makePod('b'), annotated, makeNode('n')];
    const schedulerNames = new Set(['default-scheduler']);
    const options = { schedulerNames, everyPod: false, whole, texts: new PodTexts() };
    const { lines, asked } = readSource(source, options);
    assert.deepEqual(
      asked.map(({ pods: count }) => count),
      [1, 1],
    );
    const pieces = [...lines.pieces()];
    assert.deepEqual([0, 1, 2].map(pieces[0].indexOf), [1, 2, 0]);
    const text = pieces.map(({ bytes }) => new TextDecoder().decode(bytes)).join('');
    const objects = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      objects.map(({ metadata }) => metadata.name),
      ['a', 'n', 'b'],
    );
    return objects[0].metadata.annotations !== undefined;
  };
  assert.equal(hasAnnotation(true), true);
  assert.equal(hasAnnotation(false), false);
});
