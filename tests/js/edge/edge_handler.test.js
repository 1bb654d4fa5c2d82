import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createEdgeHandler } from '../../../js/src/edge.js';
import { ConfigurationError } from '../../../js/src/index.js';
import { makeNode, makePod, storedPod } from '../support/objects.js';
import { AskedHandler, clusterOf, countingStore, START, stored } from './asked_handler.js';

const EU = clusterOf({ a: '4', b: '8', c: '2' });

function withSnapshots(snapshots, options = {}) {
  return new AskedHandler({ snapshots: countingStore(snapshots), ...options });
}

test('nodes are ranked, the best first', async () => {
  const asked = withSnapshots({ 'eu-1': { ...stored(EU), time: START - 41_500 } });
  const { status, body, headers } = await asked.preScore(makePod('web'));
  assert.equal(status, 200);
  assert.equal(body.kind, 'PreScore');
  assert.deepEqual(body.snapshot, { name: 'eu-1', etag: '"1"', ageSeconds: 41, nodes: 3 });
  assert.equal(body.fits, 'Now');
  assert.equal(body.node, 'b');
  assert.deepEqual(
    body.nodes.map(({ name, total }) => [name, total]),
    [
      ['b', 463],
      ['a', 454],
      ['c', 436],
    ],
  );
  assert.deepEqual(body.nodes[0].scores, {
    TaintToleration: 300,
    NodeResourcesFit: 92,
    DynamicResources: 0,
    NodeResourcesBalancedAllocation: 71,
    ImageLocality: 0,
  });
  assert.equal(headers.get('ETag'), '"1"');
  assert.equal(headers.get('Age'), '41');
  assert.equal(headers.get('Last-Modified'), new Date(START - 41_500).toUTCString());
  assert.equal(headers.get('Cache-Control'), 'no-store');
});

test('a request names how many nodes it wants, and how much of each', async () => {
  const asked = withSnapshots({ 'eu-1': stored(EU) });
  const few = await asked.preScore(makePod('web'), 'eu-1', { limit: 1, detail: 'total' });
  assert.deepEqual(few.body.nodes, [{ name: 'b', total: 463 }]);
  assert.equal(few.body.nodesOmitted, 2);
  const raw = await asked.preScore(makePod('web'), 'eu-1', { detail: 'rawScores' });
  const { rawScores, scores } = raw.body.nodes[0];
  assert.deepEqual([rawScores.TaintToleration, scores.TaintToleration], [0, 300]);
  const none = await asked.preScore(makePod('web'), 'eu-1', { limit: 0 });
  assert.deepEqual([none.body.nodes, none.body.nodesOmitted], [[], 3]);
});

test('clusters are ranked by how the pod fits, then by total, then by name', async () => {
  const low = storedPod('low', { cpu: '3', spec: { nodeName: 'n', priority: 0 } });
  const equal = storedPod('equal', { cpu: '3', spec: { nodeName: 'n', priority: 100 } });
  const asked = withSnapshots({
    tiny: stored(clusterOf({ n: '1' })),
    'full-b': stored(clusterOf({ n: '4' }, equal)),
    'full-a': stored(clusterOf({ n: '4' }, equal)),
    evicts: stored(clusterOf({ n: '4' }, low)),
    one: stored(clusterOf({ n: '64' })),
    'small-b': stored(clusterOf({ n: '4', m: '3' })),
    'small-a': stored(clusterOf({ n: '4', m: '3' })),
    large: stored(clusterOf({ n: '16', m: '3' })),
  });
  const pod = makePod('web', { cpu: '2', spec: { priority: 100 } });
  const { status, body, headers } = await asked.rank(pod, Object.keys(asked.store.snapshots));
  assert.equal(status, 200);
  assert.deepEqual(
    body.clusters.map(({ name, fits }) => `${name} ${fits}`),
    [
      'large Now',
      'small-a Now',
      'small-b Now',
      'one Now',
      'evicts WithPreemption',
      'full-a NotNow',
      'full-b NotNow',
      'tiny Never',
    ],
  );
  const [large, , , one, evicts] = body.clusters;
  assert.deepEqual([large.node, large.total], ['n', 463]);
  assert.equal(one.total, undefined, 'one feasible node is not scored');
  assert.deepEqual([evicts.nominatedNode, evicts.victims], ['n', ['default/low']]);
  assert.deepEqual(body.unranked, []);
  assert.equal(headers.get('Age'), '0');
});

test('clusters without an answer do not stop the others', async () => {
  const asked = withSnapshots({
    'eu-1': { ...stored(EU), time: START - 5_000 },
    broken: () => Promise.reject(new Error('no route')),
    text: { body: 'not JSON', etag: 'x' },
  });
  const { status, body, headers } = await asked.rank(makePod('web'), [
    ...['absent', 'broken', 'eu-1', 'text'],
  ]);
  assert.equal(status, 200);
  assert.equal(headers.get('Age'), '5');
  assert.deepEqual(
    body.clusters.map(({ name }) => name),
    ['eu-1'],
  );
  const [absent, broken, text] = body.unranked;
  assert.deepEqual(absent, {
    name: 'absent',
    code: 503,
    reason: 'ServiceUnavailable',
    message: 'there is no snapshot of cluster "absent" yet',
  });
  assert.equal(broken.message, 'the snapshot of cluster "broken" cannot be read: no route');
  assert.match(text.message, /^the snapshot of cluster "text" cannot be read: /);
});

test('a ranking of no cluster is the refusal of the first', async () => {
  const asked = withSnapshots({});
  const { status, body } = await asked.rank(makePod('web'), ['absent', 'other']);
  assert.equal(status, 503);
  assert.equal(body.message, 'there is no snapshot of cluster "absent" yet');
});

test('a snapshot is described, and is 304 for a client that has it', async () => {
  const list = clusterOf(
    { a: '4' },
    storedPod('bound', { spec: { nodeName: 'a' } }),
    { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } },
    { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'nameless', namespace: 'default' } },
  );
  const asked = withSnapshots({ 'eu-1': { ...stored(list, 'v7'), time: new Date(START) } });
  const { status, body, headers } = await asked.ask('GET', '/snapshots/eu-1');
  assert.equal(status, 200);
  assert.equal(body.etag, '"v7"');
  assert.equal(body.time, new Date(START).toISOString());
  assert.equal(body.refused, 1);
  const [refused] = body.refusedObjects;
  assert.deepEqual([refused.name, refused.field], ['nameless', 'metadata.uid']);
  assert.deepEqual(body.unknownKinds, ['apps/v1, Kind=Deployment']);
  assert.equal(headers.get('Cache-Control'), 'no-cache');
  for (const tag of ['"v7"', 'W/"v7"', '"v6", "v7"', '*']) {
    const again = await asked.ask('GET', '/snapshots/eu-1', { headers: { 'If-None-Match': tag } });
    assert.deepEqual([again.status, again.body], [304, undefined], tag);
    assert.equal(again.headers.get('ETag'), '"v7"');
    assert.equal(again.headers.get('Age'), '0');
  }
  const other = await asked.ask('GET', '/snapshots/eu-1', { headers: { 'If-None-Match': '"v"' } });
  assert.equal(other.status, 200);
  const head = await asked.ask('HEAD', '/snapshots/eu-1');
  assert.deepEqual([head.status, head.headers.get('ETag'), head.body], [200, '"v7"', undefined]);
});

test('requests that are not served, and their answers', async () => {
  const asked = withSnapshots({ 'eu-1': stored(EU) });
  const cases = [
    ['GET', '/', 404, null],
    ['GET', '/snapshots', 404, null],
    ['GET', '/snapshots/absent', 404, null],
    ['GET', '/snapshots/%2e%2e%2fsecret', 400, null],
    ['GET', '/snapshots/%ff', 400, null],
    ['GET', '/prescore', 405, 'POST'],
    ['DELETE', '/snapshots/eu-1', 405, 'GET, HEAD'],
    ['PUT', '/snapshots/eu-1', 405, 'GET, HEAD'],
    ['POST', '/openapi.json', 405, 'GET, HEAD'],
  ];
  for (const [method, path, status, allow] of cases) {
    const answer = await asked.ask(method, path);
    assert.equal(answer.status, status, `${method} ${path}`);
    assert.equal(answer.headers.get('Allow'), allow, `${method} ${path}`);
  }
});

test('questions are checked', async () => {
  const asked = withSnapshots({ 'eu-1': stored(EU) });
  const pod = makePod('web');
  const cases = [
    ['/prescore', [], 400, ''],
    ['/prescore', { pod, cluster: 'eu-1', limti: 5 }, 400, 'limti'],
    ['/prescore', { pod }, 400, 'cluster'],
    ['/prescore', { pod, cluster: '../eu' }, 400, 'cluster'],
    ['/prescore', { pod, cluster: 'eu-1', limit: -1 }, 400, 'limit'],
    ['/prescore', { pod, cluster: 'eu-1', limit: '1' }, 400, 'limit'],
    ['/prescore', { pod, cluster: 'eu-1', detail: 'all' }, 400, 'detail'],
    ['/prescore', { cluster: 'eu-1' }, 422, 'pod'],
    ['/prescore', { pod: { kind: 'Node' }, cluster: 'eu-1' }, 422, 'pod.kind'],
    ['/rank-clusters', { pod, clusters: 'eu-1' }, 400, 'clusters'],
    ['/rank-clusters', { pod, clusters: [] }, 400, 'clusters'],
    ['/rank-clusters', { pod, clusters: ['eu-1', 'eu-1'] }, 400, 'clusters[1]'],
    ['/rank-clusters', { pod, clusters: ['eu-1', 7] }, 400, 'clusters[1]'],
    ['/rank-clusters', { pod, clusters: Array(17).fill('eu-1') }, 400, 'clusters'],
    ['/rank-clusters', { clusters: ['eu-1'] }, 422, 'pod'],
  ];
  for (const [path, body, status, field] of cases) {
    const answer = await asked.ask('POST', path, { body });
    const what = `${path} ${JSON.stringify(body)}`;
    assert.equal(answer.status, status, what);
    assert.equal(answer.body.details.causes[0].field ?? '', field, what);
  }
});

test('options are checked', () => {
  const cases = [
    { snapshots: {} },
    { secret: '' },
    { secret: 'two words' },
    { readSecret: 'naïve' },
    { limits: { bodyBytes: 0 } },
    { limits: { bodies: 1 } },
    { limits: { timeoutMs: Infinity } },
    { api: 'host' },
    { tokens: [] },
    { seed: -1 },
  ];
  for (const options of cases) {
    const make = () => createEdgeHandler(/** @type {any} */ (options));
    assert.throws(make, ConfigurationError, JSON.stringify(options));
  }
});

test('a bad configuration of the handler is an internal error', async () => {
  const configuration = {
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    bogus: 1,
  };
  const asked = withSnapshots({ 'eu-1': stored(EU) }, { configuration });
  const { status, body } = await asked.preScore(makePod('web'));
  assert.equal(status, 500);
  assert.match(body.message, /unknown field "bogus"/);
  assert.equal(body.details.kind, undefined);
});

test('the OpenAPI document is served, with an ETag', async () => {
  const asked = withSnapshots({});
  const { status, body, headers } = await asked.ask('GET', '/openapi.json');
  assert.equal(status, 200);
  assert.equal(body.openapi, '3.1.1');
  const again = await asked.ask('GET', '/openapi.json', {
    headers: { 'If-None-Match': headers.get('ETag') },
  });
  assert.equal(again.status, 304);
});

test('a request leaves nothing behind', async () => {
  const asked = withSnapshots({ 'eu-1': stored(clusterOf({ a: '4' }, makeNode('b'))) });
  const first = await asked.preScore(makePod('web', { cpu: '3' }));
  const second = await asked.preScore(makePod('api', { cpu: '3' }));
  assert.equal(first.body.node, 'a');
  assert.deepEqual(second.body, first.body);
});

test('an error of the engine is an internal error, and stops a ranking', async () => {
  const asked = withSnapshots({ 'eu-1': stored(EU), 'us-2': stored(EU) });
  await asked.preScore(makePod('web'));
  asked.surface.refuse = (name) => (name === 'evaluate' ? -4 : undefined);
  const scored = await asked.preScore(makePod('web'));
  assert.deepEqual([scored.status, scored.body.reason], [500, 'InternalError']);
  const { status } = await asked.rank(makePod('web'), ['eu-1', 'us-2']);
  assert.equal(status, 500);
});
