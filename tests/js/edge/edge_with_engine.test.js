// Goal: what an edge handler answers is what the engine decides. Method: small clusters, both
// targets, and the answers beside the decisions of a scheduler that gets the same.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { createEdgeHandler, memorySnapshots } from '../../../js/src/edge.js';
import { assertDocument } from './edge_schema.js';
import { ManualClock } from '../support/manual_clock.js';
import { makeList, makeNode, makePod, storedPod } from '../support/objects.js';
import { TARGETS } from '../support/real_engine.js';

const SECRET = 'correct-horse';

const priorityClass = {
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  metadata: { name: 'urgent', uid: 'class-urgent' },
  value: 1000,
};
const tainted = { taints: [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }] };
const roomy = makeList(
  makeNode('a'),
  makeNode('b', { cpu: '8' }),
  makeNode('c', { spec: tainted }),
);
const full = makeList(
  priorityClass,
  makeNode('n', { cpu: '4' }),
  storedPod('low', { cpu: '3', spec: { nodeName: 'n', priority: 0 } }),
);
const busy = makeList(
  makeNode('n', { cpu: '4' }),
  storedPod('high', { cpu: '3', spec: { nodeName: 'n', priority: 2_000 } }),
);
const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' } };
const tiny = makeList(makeNode('n', { cpu: '500m' }));

/** What is no List, or one of which nothing can be read, and how it is refused. */
const NO_SNAPSHOTS = /** @type {[string, number][]} */ ([
  ['', 400],
  ['nonsense', 400],
  ['{"apiVersion":"v1","kind":"List","items":[{"kind":"Node"}', 400],
  ['{"apiVersion":"v1","kind":"List","items":[nonsense]}', 400],
  ['{"apiVersion":"v1","kind":"List","items":[]} {}', 400],
  ['{"apiVersion":"v1","kind":"List","items":{}}', 422],
  ['{"apiVersion":"v1","kind":"List"}', 422],
  ['{"apiVersion":"v1","kind":"Status","items":[]}', 422],
  ['{"kind":"List","items":[]}', 422],
  ['{"items":[]}', 422],
  [JSON.stringify(makeList(widget, widget)), 422],
  [JSON.stringify(makeList(makePod('no-uid'), null)), 422],
  [JSON.stringify(makeList(...Array(20_000).fill(widget))), 422],
]);

/** @param {import('../support/real_engine.js').RealEngine} target */
function makeAsker({ engine }, options = {}) {
  const handler = createEdgeHandler({ engine, secret: SECRET, ...options });
  const ask = async (method, path, body, headers = {}) => {
    const request = new Request(`http://edge${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const response = await handler.fetch(request);
    const answer = await response.json();
    assertDocument(answer);
    return { status: response.status, body: answer };
  };
  const push = (name, list) =>
    ask('PUT', `/snapshots/${name}`, list, { Authorization: `Bearer ${SECRET}` });
  return { handler, ask, push };
}

for (const [name, start] of Object.entries(TARGETS)) {
  test(`${name}: a ranking is the evaluation of a scheduler with the same cluster`, async (t) => {
    const target = await start();
    const { handler, ask, push } = makeAsker(target);
    t.after(() => handler.dispose());
    const pushed = await push('eu-1', roomy);
    assert.deepEqual(pushed.body.counts, { nodes: 3, pods: 0, pending: 0, objects: 3 });
    const pod = makePod('web');
    const { status, body } = await ask('POST', '/prescore', { pod, cluster: 'eu-1' });
    assert.equal(status, 200);
    const scheduler = target.engine.createScheduler();
    t.after(() => scheduler.dispose());
    scheduler.apply(JSON.stringify(roomy));
    const evaluation = scheduler.evaluate(pod);
    assert.equal(body.node, evaluation.node);
    assert.deepEqual(body.reasons, evaluation.reasons);
    assert.equal(body.reasons[0].plugin, 'TaintToleration');
    for (const { name: node, total, scores } of body.nodes) {
      const row = evaluation.feasible.indexOf(node);
      assert.equal(total, evaluation.total[row]);
      for (const [plugin, column] of Object.entries(evaluation.scores))
        assert.equal(scores[plugin], column[row], plugin);
    }
    assert.deepEqual([body.nodes.length, body.numAllNodes, body.feasibleNodes], [2, 3, 2]);
  });

  test(`${name}: clusters are ranked by the fit of the pod and its victims`, async (t) => {
    const target = await start();
    const { handler, ask, push } = makeAsker(target);
    t.after(() => handler.dispose());
    const clusters = { tiny, busy: withClass(busy), full, roomy: withClass(roomy) };
    for (const [cluster, list] of Object.entries(clusters)) {
      const { status, body } = await push(cluster, list);
      assert.deepEqual([status, body.refused, body.unknownKinds], [201, undefined, []], cluster);
    }
    const pod = makePod('web', { cpu: '2', spec: { priorityClassName: 'urgent' } });
    const names = Object.keys(clusters);
    const { status, body } = await ask('POST', '/rank-clusters', { pod, clusters: names });
    assert.equal(status, 200);
    assert.deepEqual(
      body.clusters.map(({ name: cluster, fits }) => [cluster, fits]),
      [
        ['roomy', 'Now'],
        ['full', 'WithPreemption'],
        ['busy', 'NotNow'],
      ],
    );
    const [, preempts, not] = body.clusters;
    assert.deepEqual([preempts.nominatedNode, preempts.victims], ['n', ['default/low']]);
    assert.match(not.message, /^0\/1 nodes are available: 1 Insufficient cpu\. /);
    const [other] = body.unranked;
    assert.deepEqual([other.name, other.code, other.reason], ['tiny', 422, 'Invalid']);
    assert.match(other.message, /urgent/, 'tiny has no such class');
    const plain = makePod('web', { cpu: '2' });
    const never = await ask('POST', '/prescore', { pod: plain, cluster: 'tiny' });
    assert.deepEqual([never.body.fits, never.body.nodes], ['Never', []]);
  });

  test(`${name}: an invalid pod is a client error`, async (t) => {
    const { handler, ask, push } = makeAsker(await start());
    t.after(() => handler.dispose());
    await push('eu-1', roomy);
    const cases = [
      [makePod('web', { cpu: 'many' }), 'spec.containers[0].resources.requests[cpu]'],
      [{ spec: { containers: 'none' } }, 'spec.containers'],
      [makePod('web', { spec: { schedulerName: 'other' } }), 'spec.schedulerName'],
    ];
    for (const [pod, field] of cases) {
      for (const [path, where] of [
        ['/prescore', { cluster: 'eu-1' }],
        ['/rank-clusters', { clusters: ['eu-1'] }],
      ]) {
        const { status, body } = await ask('POST', path, { pod, ...where });
        assert.deepEqual([status, body.reason], [422, 'Invalid'], field);
        assert.equal(body.details.causes[0].field, field);
      }
    }
    const deep = `{"pod":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)},"cluster":"eu-1"}`;
    const { status } = await ask('POST', '/prescore', deep);
    assert.ok(status === 400 || status === 422, String(status));
  });

  test(`${name}: a gated pod, and one without a verdict`, async (t) => {
    const { handler, ask, push } = makeAsker(await start());
    t.after(() => handler.dispose());
    await push('eu-1', roomy);
    const gated = makePod('web', { spec: { schedulingGates: [{ name: 'hold' }] } });
    const held = await ask('POST', '/prescore', { pod: gated, cluster: 'eu-1' });
    assert.deepEqual([held.status, held.body.node, held.body.fits], [200, null, 'NotNow']);
    assert.equal(held.body.message, 'waiting for scheduling gates: [hold]');
    assert.equal(held.body.numAllNodes, undefined);
    const bare = { spec: { containers: [{ name: 'main' }] } };
    const { body } = await ask('POST', '/prescore', { pod: bare, cluster: 'eu-1' });
    assert.equal(body.fits, 'Now');
  });

  test(`${name}: a pushed snapshot is read in pieces, with unknown objects`, async (t) => {
    const { handler, push, ask } = makeAsker(await start());
    t.after(() => handler.dispose());
    const nodes = Array.from({ length: 3000 }, (_, index) =>
      makeNode(`node-${index}`, {
        labels: { filler: 'x'.repeat(60), more: 'y'.repeat(60), index: String(index) },
      }),
    );
    const odd = [makePod('no-uid'), storedPod('odd', { cpu: 'many' }), null, widget];
    const list = makeList(...nodes, ...odd, priorityClass);
    assert.ok(JSON.stringify(list).length > 1 << 20, 'several pieces');
    const { status, body } = await push('eu-1', `${JSON.stringify(list, null, 1)}\n`);
    assert.equal(status, 201);
    assert.equal(body.counts.nodes, 3000);
    assert.deepEqual([body.refused, body.unknownKinds], [3, ['example.com/v1, Kind=Widget']]);
    const names = body.refusedObjects.map(({ name: pod }) => pod);
    assert.deepEqual(names, ['no-uid', 'odd', undefined]);
    const pod = makePod('web', { spec: { priorityClassName: 'urgent' } });
    const answer = await ask('POST', '/prescore', { pod, cluster: 'eu-1', limit: 3 });
    assert.equal(answer.body.nodes.length, 3);
    assert.equal(answer.body.snapshot.refused, 3);
    for (const [text, code] of NO_SNAPSHOTS)
      assert.equal((await push('eu-1', text)).status, code, text);
    const { body: still } = await ask('GET', '/snapshots/eu-1');
    assert.equal(still.counts.nodes, 3000);
    const { body: refused } = await push('eu-1', JSON.stringify(makeList(makePod('no-uid'))));
    assert.match(
      refused.message,
      /^items: none of the objects can be read; of the first: Pod no-uid: metadata/,
    );
    assert.equal((await push('eu-2', JSON.stringify(makeList()))).status, 201, 'nothing is there');
    assert.equal((await push('eu-3', JSON.stringify(makeList(priorityClass)))).status, 201);
  });
}

for (const [name, start] of Object.entries(TARGETS)) {
  test(`${name}: an evaluation ends at its time limit, and the next one is answered`, async (t) => {
    const target = await start();
    // Its time stands still: no timer fires, as while WebAssembly runs.
    const options = { clock: new ManualClock(), limits: { timeoutMs: 1 } };
    const { handler, ask, push } = makeAsker(target, options);
    t.after(() => handler.dispose());
    assert.equal((await push('eu-1', roomy)).status, 201);
    const terms = Array.from({ length: 2_000 }, (_, index) => ({
      topologyKey: 'kubernetes.io/hostname',
      labelSelector: { matchLabels: { app: `a${index}` } },
    }));
    const podAntiAffinity = { requiredDuringSchedulingIgnoredDuringExecution: terms };
    const large = makePod('large', { spec: { affinity: { podAntiAffinity } } });
    for (const question of [
      ['/prescore', { pod: large, cluster: 'eu-1' }],
      ['/rank-clusters', { pod: large, clusters: ['eu-1'] }],
    ]) {
      const { status, body } = await ask('POST', ...question);
      assert.deepEqual([status, body.reason, body.details.kind], [504, 'Timeout', 'Pod']);
      assert.match(body.message, /takes more than 4000$/);
    }
    const { status } = await ask('POST', '/prescore', { pod: makePod('web'), cluster: 'eu-1' });
    assert.equal(status, 200);
  });
}

test('the example of the README runs', async () => {
  const readme = await readFile(new URL('../../../js/src/edge/README.md', import.meta.url), 'utf8');
  const [, code] = /^```js\n([^]*?)^```/m.exec(readme) ?? [];
  const source = String(code).replace("'stowage/edge'", `'${import.meta.resolve('stowage/edge')}'`);
  const { default: handler } = await import(`data:text/javascript,${encodeURIComponent(source)}`);
  const { status } = await handler.fetch(new Request('http://edge/openapi.json'));
  assert.equal(status, 200);
});

test('with many snapshots the engine’s memory stays bounded', async (t) => {
  const target = await TARGETS.wasm();
  const snapshots = memorySnapshots({ maxBytes: 1 << 30 });
  const { handler, push } = makeAsker(target, { snapshots, limits: { clusters: 2 } });
  t.after(() => handler.dispose());
  const nodes = Array.from({ length: 2000 }, (_, index) => makeNode(`node-${index}`));
  const sizes = [];
  for (let round = 0; round < 48; round += 1) {
    await push(`cluster-${round % 4}`, makeList(...nodes, makeNode(`only-${round}`)));
    sizes.push(target.memoryBytes());
  }
  assert.equal(sizes.at(-1), sizes[11], `${sizes}`);
});

for (const [kubernetesVersion, message] of [
  ['1.33', 'had untolerated taint {gpu: yes}'],
  ['1.34', 'had untolerated taint(s)'],
]) {
  test(`a handler of v${kubernetesVersion} answers as that release`, async (t) => {
    const { handler, ask, push } = makeAsker(await TARGETS.native(), { kubernetesVersion });
    t.after(() => handler.dispose());
    await push('eu-1', makeList(makeNode('c', { spec: tainted })));
    const { body } = await ask('POST', '/prescore', { pod: makePod('web'), cluster: 'eu-1' });
    assert.equal(body.kubernetesVersion, `v${kubernetesVersion}`);
    assert.ok(body.message.includes(message), body.message);
  });
}

/** @param {{ items: object[] }} list */
function withClass(list) {
  return makeList(priorityClass, ...list.items);
}
