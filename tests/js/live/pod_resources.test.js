// Goal: /metrics/resources says what pods request and may use at most, as kube-scheduler does.
// Method: pods whose amounts are known, by the endpoint of a live scheduler.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApiServer } from '../../../js/apiserver/index.js';
import { createApiClient } from '../../../js/src/informer.js';
import { runScheduler } from '../../../js/src/live.js';
import { metricsText } from '../../../js/src/live/metrics_text.js';
import { podResourceFamilies } from '../../../js/src/live/pod_resources.js';
import { makeNode, makePod } from '../support/objects.js';
import { startWasm } from '../support/real_engine.js';

/** @param {any[]} pods @returns {Promise<string[]>} `pod resource unit value`, of a family each */
async function amounts(...pods) {
  async function* pages() {
    yield pods;
  }
  const families = await podResourceFamilies(pages());
  return families.map(({ samples }) =>
    samples
      .map(({ labels, value }) => `${labels.slice(5).join(' ')} ${value}`.replace(/ {2}/, ' - '))
      .sort(),
  );
}

const pod = (/** @type {any} */ spec, /** @type {any} */ status = {}) => ({
  metadata: { name: 'p', namespace: 'default' },
  spec: { containers: [{ name: 'main' }], ...spec },
  status,
});
const container = (/** @type {any} */ requests, /** @type {any} */ limits, more = {}) => ({
  name: 'c',
  resources: { requests, limits },
  ...more,
});

test('containers add up, and resources have their units', async () => {
  const requests = {
    ...{ cpu: '250m', memory: '1Gi', 'ephemeral-storage': '2k', 'hugepages-2Mi': '4Mi' },
    ...{ 'attachable-volumes-csi-a': '3', 'example.com/gpu': '1', storage: '10' },
  };
  const containers = [container(requests, { cpu: '1' }), container({ cpu: '1', memory: '0' })];
  assert.deepEqual(await amounts(pod({ containers })), [
    [
      ...['attachable-volumes-csi-a integer 3', 'cpu cores 1.25', 'ephemeral-storage bytes 2000'],
      ...['example.com/gpu - 1', 'hugepages-2Mi bytes 4194304', 'memory bytes 1073741824'],
      'storage bytes 10',
    ],
    ['cpu cores 1'],
  ]);
});

test('init containers count where they take more, sidecars with those after them', async () => {
  const initContainers = [
    container({ cpu: '3' }, { cpu: '3' }),
    container({ cpu: '1' }, {}, { restartPolicy: 'Always' }),
    container({ cpu: '4', memory: '5' }, { cpu: '4' }),
  ];
  const containers = [container({ cpu: '2', memory: '7' }, { cpu: '6' })];
  assert.deepEqual(await amounts(pod({ containers, initContainers })), [
    ['cpu cores 5', 'memory bytes 7'],
    ['cpu cores 6'],
  ]);
});

test('pod-level resources take precedence, and overhead is added', async () => {
  const containers = [container({ cpu: '2', memory: '7', a: '1' }, { cpu: '2', memory: '0' })];
  const resources = { requests: { cpu: '1', a: '9' }, limits: { 'hugepages-1Gi': '1Gi' } };
  const overhead = { cpu: '500m', memory: '3' };
  assert.deepEqual(await amounts(pod({ containers, resources, overhead })), [
    ['a - 1', 'cpu cores 1.5', 'memory bytes 10'],
    ['cpu cores 2.5', 'hugepages-1Gi bytes 1073741824'],
  ]);
});

test('a pod without node and priority has empty labels for them', async () => {
  async function* pages() {
    yield [pod({ containers: [container({ cpu: '1' })], schedulerName: 's' })];
    yield [pod({ containers: [container({ cpu: '2' })], nodeName: 'n', priority: -1 })];
  }
  const [{ samples }] = await podResourceFamilies(pages());
  assert.deepEqual(samples, [
    { labels: ['default', 'p', '', 's', '', 'cpu', 'cores'], value: 1 },
    { labels: ['default', 'p', 'n', '', '-1', 'cpu', 'cores'], value: 2 },
  ]);
});

test('zeros, and pods that ended on their node, are left out', async () => {
  const containers = [container({ cpu: '1' })];
  for (const phase of ['Succeeded', 'Failed'])
    assert.deepEqual(await amounts(pod({ containers, nodeName: 'n' }, { phase })), [[], []]);
  assert.deepEqual(await amounts(pod({ containers }, { phase: 'Failed' })), [['cpu cores 1'], []]);
  assert.deepEqual(await amounts(pod({ containers: [container({ cpu: '0' })] })), [[], []]);
});

test('the endpoint has all pods of the leader’s cluster, and none of a standby', async () => {
  const { engine } = await startWasm();
  const server = createApiServer({ objects: [makeNode('n1', { cpu: '4' })] });
  const stop = new AbortController();
  const start = (/** @type {string} */ identity) =>
    runScheduler({
      client: createApiClient({ baseUrl: 'http://apiserver.test', fetch: server.fetch }),
      ...{ engine, identity, signal: stop.signal },
    });
  server.store.create('pods', makePod('a', { cpu: '100m', metadata: { namespace: 'default' } }));
  const first = start('first');
  for await (const { result } of (await first.scheduler).records()) if (result === 'bound') break;
  const second = start('second');
  await second.scheduler;
  const text = async (/** @type {typeof first} */ { fetch }) => {
    const response = await fetch(new Request('http://here/metrics/resources'));
    assert.equal(response.status, 200);
    return response.text();
  };
  const labels = [
    ...['namespace="default"', 'node="n1"', 'pod="a"', 'priority="0"', 'resource="cpu"'],
    ...['scheduler="default-scheduler"', 'unit="cores"'],
  ];
  const name = 'kube_pod_resource_request';
  assert.deepEqual((await text(first)).split('\n'), [
    `# HELP ${name} [STABLE] What each pod requests, with overhead.`,
    `# TYPE ${name} gauge`,
    `${name}{${labels.join(',')}} 0.1`,
    '',
  ]);
  assert.equal(await text(second), '');
  stop.abort();
  await Promise.all([first.done, second.done]);
  server.dispose();
});

test('without samples there is no text', async () => {
  async function* none() {}
  assert.equal(metricsText(await podResourceFamilies(none())), '');
});
