// Goal: pods with volumes go where their volumes are or can be, and are bound after these. Method:
// claims, volumes and classes of each kind, with the engine as their controllers and without.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { virtualClock } from '../../../js/src/index.js';
import { validate } from '../support/json_schema.js';
import { makeList, makeNode, makePod } from '../support/objects.js';
import { TARGETS } from '../support/real_engine.js';
import { runCli } from '../support/run_cli.js';

const schema = JSON.parse(
  await readFile(new URL('../../../js/schema/stowage-v1.json', import.meta.url), 'utf8'),
);
const ZONE = 'topology.kubernetes.io/zone';
const SELECTED = 'volume.kubernetes.io/selected-node';
const BOUND = {
  'pv.kubernetes.io/bind-completed': 'yes',
  'pv.kubernetes.io/bound-by-controller': 'yes',
};
const UNBOUND = 'pod has unbound immediate PersistentVolumeClaims';

const nodes = [
  makeNode('a', { labels: { [ZONE]: 'one' } }),
  makeNode('b', { labels: { [ZONE]: 'two' } }),
  makeNode('c', { labels: { [ZONE]: 'two' } }),
];

/** @param {string} name @param {object} [fields] */
const classOf = (name, fields = {}) => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name },
  provisioner: 'csi.example',
  ...fields,
});
const late = classOf('late', { volumeBindingMode: 'WaitForFirstConsumer' });
const now = classOf('now');
const local = { ...late, metadata: { name: 'local' }, provisioner: 'kubernetes.io/no-provisioner' };

/** @param {string | undefined} storageClassName */
const specOf = (storageClassName) => ({
  accessModes: ['ReadWriteOnce'],
  resources: { requests: { storage: '1Gi' } },
  storageClassName,
});

/** @param {string} name @param {string} [storageClassName] */
const claim = (name, storageClassName) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name },
  spec: specOf(storageClassName),
});

/** A volume on one node. @param {string} name @param {string} node @param {string} [storage] */
const localVolume = (name, node, storage = '2Gi') => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name },
  spec: {
    accessModes: ['ReadWriteOnce'],
    capacity: { storage },
    storageClassName: 'local',
    local: { path: '/disk' },
    nodeAffinity: {
      required: {
        nodeSelectorTerms: [
          {
            matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [node] }],
          },
        ],
      },
    },
  },
});

/** @param {string} name @param {string} claimName @param {object} [spec] */
const podWith = (name, claimName, spec = {}) =>
  makePod(name, {
    spec: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }], ...spec },
  });
const onNode = (/** @type {string} */ name) => ({
  nodeSelector: { 'kubernetes.io/hostname': name },
});

for (const [target, startEngine] of Object.entries(TARGETS)) {
  const { engine } = await startEngine();

  /**
   * Pods as they were decided, and when they were bound.
   * @param {object[]} objects @param {{ options?: object, until?: number }} [settings]
   */
  async function play(objects, { options = {}, until = 10_000 } = {}) {
    const scheduler = engine.createScheduler({ startTime: 0, ...options });
    const records = scheduler.records({ kinds: ['BindingResult'] });
    scheduler.apply(objects);
    const decisions = await scheduler.schedule({ until });
    const { assumed } = scheduler.inspect();
    scheduler.dispose();
    for (const decision of decisions) assert.deepEqual(validate(schema, decision), []);
    /** @type {Record<string, string>} */
    const bound = {};
    for await (const { pod, result, at } of records) bound[pod] = `${result} ${at.slice(17, 19)}`;
    return { decisions, assumed, bound };
  }

  test(`${target}: a claim that waits gets its volume where its first pod goes`, async () => {
    const first = podWith('first', 'data', { priority: 1, ...onNode('c') });
    const { decisions, assumed, bound } = await play(
      [...nodes, late, claim('data', 'late'), first, podWith('second', 'data')],
      { options: { detail: 'nodes' } },
    );
    const [one, two] = decisions;
    assert.deepEqual(
      [one.pod, one.node, one.volumes],
      ['default/first', 'c', { data: 'provision' }],
    );
    assert.equal(two.volumes, undefined, 'it has its volume');
    assert.deepEqual(two.feasible, ['b', 'c'], 'which can be reached in its zone');
    assert.deepEqual(assumed, []);
    assert.equal(bound['default/first'], 'bound 01');
  });

  test(`${target}: between decision and binding the pod is assumed`, () => {
    const clock = virtualClock(0);
    const scheduler = engine.createScheduler({ clock });
    scheduler.apply([...nodes, late, claim('data', 'late'), podWith('p', 'data')]);
    const asked = scheduler.evaluate('default/p');
    assert.deepEqual(validate(schema, asked), []);
    assert.deepEqual(asked.volumes, { data: 'provision' });
    const turn = scheduler.run();
    assert.deepEqual(
      turn.records.map(({ kind }) => kind),
      ['Decision'],
    );
    assert.deepEqual([turn.calls, turn.busy, turn.nextDeadline], [[], true, 1000]);
    assert.deepEqual(scheduler.inspect().assumed, ['default/p']);
    clock.advanceTo(1000);
    const [{ kind, result }] = scheduler.run().records;
    assert.deepEqual([kind, result], ['BindingResult', 'bound']);
    assert.deepEqual(scheduler.inspect().assumed, []);
    const { volumes, node } = scheduler.evaluate('default/p');
    assert.deepEqual([volumes, node], [undefined, turn.records[0].node]);
    scheduler.dispose();
  });

  test(`${target}: the driver’s topology keys say from where a new volume is reached`, async () => {
    const rack = 'example/rack';
    const racked = nodes.map((node, index) => ({
      ...node,
      metadata: { ...node.metadata, labels: { ...node.metadata.labels, [rack]: `r${index % 2}` } },
    }));
    const drivers = [{ name: 'csi.example', nodeID: 'x', topologyKeys: [rack] }];
    const csiNodes = racked.map(({ metadata: { name } }) => ({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSINode',
      metadata: { name },
      spec: { drivers },
    }));
    const first = podWith('first', 'data', { priority: 1, ...onNode('a') });
    const objects = [late, claim('data', 'late'), first, podWith('second', 'data')];
    const { decisions } = await play([...racked, ...csiNodes, ...objects], {
      options: { detail: 'nodes' },
    });
    assert.deepEqual(decisions[1].feasible, ['a', 'c']);
  });

  test(`${target}: static volumes: the smallest that does, where it is`, async () => {
    const volumes = [localVolume('large', 'a'), localVolume('small', 'b', '1Gi')];
    const pinned = podWith('pinned', 'd1', { priority: 1, ...onNode('b') });
    const stuck = podWith('stuck', 'd3');
    const claims = ['d1', 'd2', 'd3'].map((name) => claim(name, 'local'));
    const { decisions, bound } = await play([
      ...[...nodes, local, ...volumes, ...claims, pinned],
      ...[
        podWith('free', 'd2', { priority: -1 }),
        { ...stuck, spec: { ...stuck.spec, priority: -2 } },
      ],
    ]);
    assert.deepEqual(
      decisions.slice(0, 2).map(({ pod, node, volumes: chosen }) => [pod, node, chosen]),
      [
        ['default/pinned', 'b', { d1: 'small' }],
        ['default/free', 'a', { d2: 'large' }],
      ],
    );
    assert.match(
      decisions[2].message,
      /^0\/3 nodes are available: 3 node\(s\) didn't find available persistent volumes to bind\. /,
    );
    assert.deepEqual(bound, { 'default/pinned': 'bound 01', 'default/free': 'bound 01' });
  });

  test(`${target}: claims of an immediate class are bound before their pod is tried`, async () => {
    const fixed = { ...localVolume('fixed', 'c'), metadata: { name: 'fixed' } };
    fixed.spec = { ...fixed.spec, storageClassName: 'now' };
    const { decisions, bound } = await play([
      ...[...nodes, now, fixed, claim('d1', 'now'), claim('d2', 'now')],
      ...[podWith('p', 'd1'), podWith('q', 'd2', onNode('a'))],
    ]);
    assert.deepEqual(
      decisions.map(({ pod, node, volumes, attempts }) => [pod, node, volumes, attempts]),
      [
        ['default/p', 'c', undefined, 1],
        ['default/q', 'a', undefined, 1],
      ],
    );
    assert.deepEqual(bound, { 'default/p': 'bound 00', 'default/q': 'bound 00' });
  });

  test(`${target}: an ephemeral volume gets a claim of its own`, async () => {
    const ephemeral = { volumeClaimTemplate: { spec: specOf('late') } };
    const pod = makePod('p', { spec: { volumes: [{ name: 'scratch', ephemeral }] } });
    const { decisions, bound } = await play([...nodes, late, pod]);
    assert.deepEqual(
      decisions.map(({ result, volumes }) => [result, volumes]),
      [['scheduled', { 'p-scratch': 'provision' }]],
    );
    assert.deepEqual(bound, { 'default/p': 'bound 01' });
  });

  test(`${target}: errors of claims are in kube-scheduler's words`, async () => {
    const cases = [
      ['a claim that is not there', [], 'persistentvolumeclaim "data" not found'],
      ['a class that is not there', [claim('data', 'nowhere')], UNBOUND],
      ['no class, and no default', [claim('data')], UNBOUND],
      [
        'a lost volume',
        [{ ...claim('data', 'now'), status: { phase: 'Lost' }, spec: { volumeName: 'v' } }],
        'persistentvolumeclaim "data" bound to non-existent persistentvolume "v"',
      ],
    ];
    for (const [name, objects, expected] of cases) {
      const { decisions } = await play([...nodes, late, ...objects, podWith('p', 'data')], {
        until: 0,
      });
      const [{ message, unschedulablePlugins }] = decisions;
      assert.ok(message.startsWith(`0/3 nodes are available: ${expected}.`), `${name}: ${message}`);
      assert.equal(unschedulablePlugins.length, 1, name);
    }
  });

  test(`${target}: a claim without a class gets the default one, wherever it stands`, async () => {
    const mark = { 'storageclass.kubernetes.io/is-default-class': 'true' };
    const byDefault = { ...late, metadata: { name: 'late', annotations: mark } };
    const lines = [];
    const scheduler = engine.createScheduler({ startTime: 0, log: (line) => lines.push(line) });
    scheduler.apply([...nodes, podWith('p', 'data'), claim('data'), byDefault]);
    const [{ volumes }] = await scheduler.schedule({ until: 5000 });
    assert.deepEqual(volumes, { data: 'provision' });
    const again = await engine.replay(lines);
    for (const one of [scheduler, again]) {
      one.apply([claim('more'), podWith('q', 'more')]);
      const [decision] = await one.schedule({ until: 9000 });
      assert.deepEqual(decision.volumes, { more: 'provision' }, 'a replay knows the class as well');
    }
    assert.equal(again.hash, scheduler.hash);
    scheduler.dispose();
    again.dispose();
  });

  test(`${target}: without the controllers writes leave as calls`, async () => {
    const clock = virtualClock(0);
    const lines = [];
    const scheduler = engine.createScheduler({
      clock,
      simulate: { volumes: false },
      log: (line) => lines.push(line),
    });
    const stored = { ...claim('data', 'late'), status: { phase: 'Pending' } };
    stored.metadata = { name: 'data', namespace: 'default', uid: 'u', resourceVersion: '5' };
    const ephemeral = { volumeClaimTemplate: { spec: specOf('late') } };
    const lonely = makePod('lonely', { spec: { volumes: [{ name: 's', ephemeral }] } });
    scheduler.apply([...nodes, late, stored, podWith('p', 'data', onNode('b')), lonely]);
    const { records, calls } = scheduler.run();
    const decided = records.filter(({ kind }) => kind === 'Decision');
    assert.deepEqual(decided[0].volumes, { data: 'provision' });
    assert.match(decided[1].message, /waiting for ephemeral volume controller to create the pers/);
    const [{ id, kind, verb, method, path, body }] = calls;
    assert.deepEqual(
      [calls.length, kind, verb, method, path],
      [1, 'api', 'update', 'PUT', '/api/v1/namespaces/default/persistentvolumeclaims/data'],
    );
    const written = JSON.parse(new TextDecoder().decode(body));
    assert.deepEqual(written, {
      ...stored,
      metadata: { ...stored.metadata, annotations: { [SELECTED]: 'b' } },
    });
    assert.deepEqual(scheduler.inspect().assumed, ['default/p']);
    bindByHand(scheduler, { clock, call: id, written });
    clock.advanceTo(4000);
    const results = scheduler.run().records.filter(({ kind: of }) => of === 'BindingResult');
    assert.deepEqual(
      results.map(({ pod, result, node }) => [pod, result, node]),
      [['default/p', 'bound', 'b']],
    );
    const again = await engine.replay(lines);
    assert.equal(again.hash, scheduler.hash);
    assert.deepEqual(again.inspect({ cache: true }), scheduler.inspect({ cache: true }));
    scheduler.dispose();
    again.dispose();
  });

  test(`${target}: simulate takes what it knows`, () => {
    for (const simulate of [{ volume: true }, { volumes: 1 }, { volumes: 'no' }, 5])
      assert.throws(() => engine.createScheduler({ simulate }), { code: 'InvalidConfiguration' });
    engine.createScheduler({ simulate: { volumes: undefined } }).dispose();
  });

  const runHere = (/** @type {string[]} */ argv, /** @type {object[]} */ ...objects) =>
    runCli(['simulate', '-', ...argv], {
      stdin: JSON.stringify(makeList(...objects)),
      loadEngine: async () => engine,
    });

  test(`${target}: stowage simulate: the claims of a StatefulSet`, async () => {
    const set = {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: 'db', namespace: 'shop' },
      spec: {
        replicas: 2,
        selector: { matchLabels: { app: 'db' } },
        template: {
          metadata: { labels: { app: 'db' } },
          spec: {
            containers: [{ name: 'db', image: 'db:v1', resources: { requests: { cpu: '1' } } }],
          },
        },
        volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: specOf('late') }],
      },
    };
    const simulated = await runHere(['-o', 'json'], ...nodes, late, set);
    assert.equal(simulated.code, 0, simulated.stderr);
    const { pods } = JSON.parse(simulated.stdout);
    assert.deepEqual(
      pods.map(({ pod, result, volumes, waitsForVolumes }) => [
        pod,
        result,
        volumes,
        waitsForVolumes,
      ]),
      [
        ['shop/db-0', 'Scheduled', { 'data-db-0': 'provision' }, undefined],
        ['shop/db-1', 'Scheduled', { 'data-db-1': 'provision' }, undefined],
      ],
    );
    const { code, stderr } = await runHere(['--volumes=host', '-q'], ...nodes, late, set);
    assert.equal(code, 1);
    const both = '2 pods: shop/db-0, shop/db-1';
    assert.deepEqual(stderr.trimEnd().split('\n'), [
      'warning: 2 pods have a node and wait for volumes: shop/db-0, shop/db-1',
      `warning: the input has no CSINode: NodeVolumeLimits needs it for ${both}`,
    ]);
  });

  test(`${target}: stowage simulate: explained with the volumes that were there then`, async () => {
    const objects = [...nodes, now, claim('data', 'now'), podWith('p', 'data')];
    const { code, stdout, stderr } = await runHere(['--explain', 'p', '-q'], ...objects);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^default\/p: Scheduled on [abc]\n/);
    assert.equal(stdout.match(/ fits /g)?.length, 2, stdout);
  });
}

/**
 * What the API server and the provisioner do with the claim.
 * @param {any} scheduler
 * @param {{ clock: any, call: number, written: any }} part
 */
function bindByHand(scheduler, { clock, call, written }) {
  const { metadata, spec } = written;
  const answer = { ...written, metadata: { ...metadata, resourceVersion: '6' } };
  scheduler.complete(call, { status: 200, body: JSON.stringify(answer) });
  scheduler.apply({ type: 'MODIFIED', object: answer });
  clock.advanceTo(1000);
  assert.deepEqual(scheduler.run().records, [], 'not yet');
  const annotations = { ...metadata.annotations, ...BOUND };
  const bound = {
    ...written,
    metadata: { ...metadata, resourceVersion: '8', annotations },
    spec: { ...spec, volumeName: 'v' },
    status: { phase: 'Bound' },
  };
  const volume = {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'v', uid: 'v', resourceVersion: '7' },
    spec: {
      accessModes: spec.accessModes,
      capacity: spec.resources.requests,
      storageClassName: 'late',
      claimRef: { kind: 'PersistentVolumeClaim', namespace: 'default', name: 'data', uid: 'u' },
      csi: { driver: 'csi.example', volumeHandle: 'v' },
    },
    status: { phase: 'Bound' },
  };
  scheduler.apply([
    { type: 'ADDED', object: volume },
    { type: 'MODIFIED', object: bound },
  ]);
}
