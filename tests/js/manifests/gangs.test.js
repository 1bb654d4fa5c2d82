// Goal: the workloads and groups of other projects are read where their meaning is plain. Method:
// tables of manifests, and the objects or gangs that they mean.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { podKeyOf } from '../../../js/src/kubernetes/keys.js';
import { gangsIn } from '../../../js/src/manifests/gangs/gangs.js';
import { readGroup } from '../../../js/src/manifests/gangs/pod_groups.js';
import { unfolded } from '../../../js/src/manifests/gangs/unfold.js';
import { parse, podsOf, positionOf } from '../../../js/src/manifests.js';

const REQUIRED = 'kueue.x-k8s.io/podset-required-topology';
const TOGETHER = 'kueue.x-k8s.io/podset-group-name';
const spec = { containers: [{ name: 'c', image: 'i' }] };
const template = { spec };
const metadata = { name: 'x', namespace: 'ns' };

/** @param {string} apiVersion @param {string} kind @param {object} fields */
const object = (apiVersion, kind, fields) => ({ apiVersion, kind, metadata, spec: fields });

/** @param {object} fields */
const jobSet = (fields) => object('jobset.x-k8s.io/v1alpha2', 'JobSet', fields);

/** @param {object} fields */
const leaderWorkerSet = (fields) =>
  object('leaderworkerset.x-k8s.io/v1', 'LeaderWorkerSet', fields);

/** @param {object} fields */
const volcanoJob = (fields) => object('batch.volcano.sh/v1alpha1', 'Job', fields);

/** @param {number} parallelism @param {object} [marks] */
const jobTemplate = (parallelism, marks) => ({
  spec: { parallelism, completions: parallelism, template: { ...template, metadata: marks } },
});

/** The pods that an object unfolds to. @param {any} given */
const allPods = (given) => unfolded(given).flatMap((made) => podsOf(made));

test('workloads unfold into what their controllers create', () => {
  const driver = { name: 'driver', template: jobTemplate(1) };
  const workers = { name: 'workers', replicas: 2, template: jobTemplate(2) };
  for (const [given, pods] of /** @type {[object, string[]][]} */ ([
    [
      jobSet({ replicatedJobs: [driver, workers] }),
      ['driver-0-0', 'workers-0-0', 'workers-0-1', 'workers-1-0', 'workers-1-1'],
    ],
    [jobSet({ replicatedJobs: [{ ...workers, replicas: 0 }] }), []],
    [jobSet({ suspend: true, replicatedJobs: [workers] }), []],
    [jobSet({}), []],
    [
      leaderWorkerSet({ replicas: 2, leaderWorkerTemplate: { size: 3, workerTemplate: template } }),
      ['0', '1', '0-1', '0-2', '1-1', '1-2'],
    ],
    [leaderWorkerSet({ leaderWorkerTemplate: { workerTemplate: template } }), ['0']],
    [
      volcanoJob({
        tasks: [
          { name: 'm', template },
          { name: 'w', replicas: 2, template },
        ],
      }),
      ['m-0', 'w-0', 'w-1'],
    ],
    [volcanoJob({ tasks: [{ template }] }), ['default0-0']],
  ])) {
    const names = allPods(given).map(podKeyOf);
    assert.deepEqual(
      names,
      pods.map((name) => `ns/x-${name}`),
      JSON.stringify(given),
    );
  }
});

test('other objects stay, and malformed ones do not throw', () => {
  for (const given of [
    object('batch/v1', 'Job', { template }),
    object('jobset.example.com/v1', 'JobSet', {}),
    { apiVersion: 'jobset.x-k8s.io/v1alpha2', kind: 'JobSet', metadata },
  ]) {
    assert.deepEqual(unfolded(given), [given]);
  }
  for (const [make, fields] of /** @type {[(fields: object) => object, object][]} */ ([
    [jobSet, { replicatedJobs: 'many' }],
    [jobSet, { replicatedJobs: [null] }],
    [leaderWorkerSet, { leaderWorkerTemplate: null, replicas: 0 }],
    [volcanoJob, { tasks: [null], minAvailable: null }],
  ])) {
    assert.doesNotThrow(() => unfolded(/** @type {any} */ (make(fields))), JSON.stringify(fields));
  }
});

test('a count that is none, or is too large, is an error that names its field', () => {
  const sized = (/** @type {unknown} */ size) => ({ leaderWorkerTemplate: { size } });
  for (const [made, field] of /** @type {[object, string][]} */ ([
    [jobSet({ replicatedJobs: [{}, { replicas: 'two' }] }), 'spec.replicatedJobs[1].replicas'],
    [jobSet({ replicatedJobs: [{ replicas: 10_001 }] }), 'spec.replicatedJobs[0].replicas'],
    [leaderWorkerSet({ replicas: -1 }), 'spec.replicas'],
    [leaderWorkerSet(sized('4')), 'spec.leaderWorkerTemplate.size'],
    [leaderWorkerSet(sized(10_001)), 'spec.leaderWorkerTemplate.size'],
    [volcanoJob({ tasks: [{ replicas: 1.5 }] }), 'spec.tasks[0].replicas'],
    [volcanoJob({ minAvailable: 'all' }), 'spec.minAvailable'],
  ])) {
    const isExpected = (/** @type {any} */ error) => {
      assert.deepEqual([error.code, error.field], ['FieldValueInvalid', field]);
      assert.match(error.message, /a whole number from 0 to 10000 is expected/);
      return true;
    };
    assert.throws(() => unfolded(/** @type {any} */ (made)), isExpected, field);
  }
});

test('a minimum of a PodGroup that is no count is an error that names its field', () => {
  const volcano = 'scheduling.volcano.sh/v1beta1';
  const kai = 'scheduling.run.ai/v2alpha2';
  const subGroups = [{ name: 'a' }, { name: 'b', minMember: -1 }];
  for (const [given, field] of /** @type {[any, string][]} */ ([
    [object(volcano, 'PodGroup', { minMember: '16' }), 'spec.minMember'],
    [object(kai, 'PodGroup', { minMember: 1.5 }), 'spec.minMember'],
    [object(kai, 'PodGroup', { subGroups }), 'spec.subGroups[1].minMember'],
  ])) {
    const isExpected = (/** @type {any} */ error) => {
      assert.deepEqual([error.code, error.field], ['FieldValueInvalid', field]);
      return true;
    };
    assert.throws(() => readGroup(given), isExpected, field);
  }
  assert.equal(readGroup(object(volcano, 'PodGroup', { minMember: 0 }))?.minCount, undefined);
});

test('what is made keeps the position of its template', () => {
  const [set] = parse(`\
apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata: { name: train, namespace: ns }
spec:
  replicatedJobs:
    - name: a
      template:
        spec:
          template: { spec: { containers: [] } }
`);
  assert.equal(positionOf(unfolded(set)[0], 'spec.template').line, 9);
});

/** @param {object[]} objects written, in their order @param {any[]} [others] pods of the cluster */
function gangsOf(objects, others = []) {
  const rows = objects.map((one) => {
    const given = /** @type {any} */ (one);
    return { object: given, pods: allPods(given) };
  });
  const pods = [...rows.flatMap((row) => row.pods), ...others];
  const found = gangsIn(rows, { objects: /** @type {any[]} */ (objects), pods });
  return found.map(({ pods: own, notModelled, ...gang }) => ({
    ...gang,
    pods: own.length,
    ...(notModelled.length > 0 && { notModelled }),
  }));
}

/** @param {string} rack @param {string} [group] */
const inRack = (rack, group) => ({
  annotations: { [REQUIRED]: rack, ...(group && { [TOGETHER]: group }) },
});

test('workloads are gangs', () => {
  const job = (/** @type {number} */ count, /** @type {object} */ marks) =>
    object('batch/v1', 'Job', jobTemplate(count, marks).spec);
  const sets = [
    { name: 'a', template: jobTemplate(2, inRack('rack')) },
    { name: 'b', template: jobTemplate(3) },
  ];
  const group = { size: 3, workerTemplate: { ...template, metadata: inRack('rack', 'g') } };
  for (const [given, want] of /** @type {[object, object[]][]} */ ([
    [job(3, {}), [{ name: '', minCount: 3, pods: 3 }]],
    [job(2, inRack('rack')), [{ name: '', minCount: 2, topologyKey: 'rack', pods: 2 }]],
    [
      jobSet({ replicatedJobs: [{ ...sets[1], replicas: 2 }], startupPolicy: {} }),
      [
        {
          name: '',
          minCount: 6,
          pods: 6,
          notModelled: ['the startup policy: all start together'],
        },
      ],
    ],
    [
      jobSet({ replicatedJobs: sets }),
      [
        { name: 'podset a', minCount: 2, topologyKey: 'rack', pods: 2 },
        { name: 'podset b', minCount: 3, pods: 3 },
      ],
    ],
    [
      leaderWorkerSet({ replicas: 2, leaderWorkerTemplate: group }),
      [
        { name: 'group 0', minCount: 3, topologyKey: 'rack', pods: 3 },
        { name: 'group 1', minCount: 3, topologyKey: 'rack', pods: 3 },
      ],
    ],
    [
      volcanoJob({ minAvailable: 2, queue: 'q', tasks: [{ name: 'w', replicas: 3, template }] }),
      [{ name: '', minCount: 2, pods: 3, notModelled: ['the queue'] }],
    ],
    [object('apps/v1', 'Deployment', { selector: {}, template }), []],
  ])) {
    assert.deepEqual(gangsOf([given]), want, JSON.stringify(given));
  }
});

/** @param {string} name @param {object} marks @param {object} [fields] of the spec */
const pod = (name, marks, fields) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'ns', ...marks },
  spec: { ...spec, ...fields },
});

test('pods are in the PodGroup that they name, of any system', () => {
  const kai = (/** @type {string} */ name, /** @type {string} */ part) =>
    pod(name, {
      annotations: { 'pod-group-name': 'x' },
      labels: { 'kai.scheduler/subgroup-name': part },
    });
  const own = { schedulingGroup: { podGroupName: 'x' } };
  const gang = { schedulingPolicy: { gang: { minCount: 2 } } };
  const topology = { schedulingConstraints: { topology: [{ key: 'rack' }] } };
  const level = (/** @type {string} */ key) => ({
    topologyConstraint: { topology: 't', requiredTopologyLevel: key },
  });
  const volcano = pod('v', { annotations: { 'scheduling.k8s.io/group-name': 'x' } });
  const name = 'podgroup ns/x';
  for (const [group, pods, want] of /** @type {[object, object[], object[]][]} */ ([
    [
      object('scheduling.k8s.io/v1alpha2', 'PodGroup', { ...gang, ...topology }),
      [pod('a', {}, own), pod('b', {}, own)],
      [{ name, minCount: 2, topologyKey: 'rack', pods: 2 }],
    ],
    [
      object('scheduling.k8s.io/v1alpha2', 'PodGroup', { schedulingPolicy: { basic: {} } }),
      [pod('a', {}, own)],
      [{ name, minCount: 1, pods: 1 }],
    ],
    [
      object('scheduling.volcano.sh/v1beta1', 'PodGroup', { minMember: 3, minResources: {} }),
      [volcano],
      [{ name, minCount: 3, pods: 1, notModelled: ['minResources'] }],
    ],
    [
      object('scheduling.run.ai/v2alpha2', 'PodGroup', { minMember: 2, ...level('rack') }),
      [kai('a', ''), kai('b', '')],
      [{ name, minCount: 2, topologyKey: 'rack', pods: 2 }],
    ],
    [
      object('scheduling.run.ai/v2alpha2', 'PodGroup', {
        subGroups: [
          { name: 'all' },
          { name: 'r', parent: 'all', minMember: 2, ...level('rack') },
          { name: 'z', parent: 'all', minMember: 1, ...level('zone') },
        ],
      }),
      [kai('a', 'r'), kai('b', 'r'), kai('c', 'z'), kai('d', '')],
      [
        { name: `${name}, subgroup r`, minCount: 2, topologyKey: 'rack', pods: 2 },
        { name: `${name}, subgroup z`, minCount: 1, topologyKey: 'zone', pods: 1 },
        { name, minCount: 1, pods: 1 },
      ],
    ],
    [
      object('example.com/v1', 'PodGroup', { minMember: 2 }),
      [volcano],
      [
        {
          name,
          minCount: 1,
          pods: 1,
          notModelled: ['its PodGroup is not in the input: all pods count'],
        },
      ],
    ],
  ])) {
    assert.deepEqual(gangsOf([group, ...pods]), want, JSON.stringify(group));
  }
});

test('pods of the cluster count for the PodGroup of a manifest', () => {
  const group = object('scheduling.k8s.io/v1alpha2', 'PodGroup', {
    schedulingPolicy: { gang: { minCount: 2 } },
  });
  const waiting = pod('old', {}, { schedulingGroup: { podGroupName: 'x' } });
  assert.deepEqual(gangsOf([group], [waiting]), [{ name: 'podgroup ns/x', minCount: 2, pods: 1 }]);
});
