/** Tests invalid specs of pods, except their containers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { AskedServer, pod } from '../asked_server.js';
import { inDefault, workload } from '../workloads.js';
import { container, faultsOf, podFaults } from './refusals.js';

test('volumes have names of their own and one source each', () => {
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  const cases = /** @type {[object[], string[]][]} */ ([
    [[{ name: 'v' }], []],
    [
      [
        { name: 'v', emptyDir: {} },
        { name: 'v', emptyDir: {} },
      ],
      ['spec.volumes[1].name: Duplicate value: "v"'],
    ],
    [
      [{ name: 'v', image: {}, secret: {}, hostPath: { path: '/' } }],
      ['secret', 'image'].map(
        (source) => `spec.volumes[0].${source}: Forbidden: may not specify more than 1 volume type`,
      ),
    ],
    [
      [
        { name: 'v', ephemeral: { volumeClaimTemplate: { spec } } },
        { name: 'w', persistentVolumeClaim: { claimName: 'a-v' } },
      ],
      [
        'spec.volumes[1].persistentVolumeClaim.claimName: Invalid value: "a-v": must not ' +
          'reference a PVC that gets created for an ephemeral volume',
      ],
    ],
    [[{ name: 'v', hostPath: {} }], ['spec.volumes[0].hostPath.path: Required value']],
    [
      [{ name: 'v', ephemeral: {} }],
      ['spec.volumes[0].ephemeral.volumeClaimTemplate: Required value'],
    ],
  ]);
  for (const [volumes, faults] of cases) assert.deepEqual(podFaults({ volumes }), faults);
});

test('a claim for a device has a name and one origin', () => {
  const at = 'spec.resourceClaims';
  const resourceClaimName = 'x';
  const resourceClaims = [
    { name: 'g', resourceClaimName },
    { name: 'g', resourceClaimName },
    { name: 'h' },
    { name: 'i', resourceClaimName, resourceClaimTemplateName: 'y' },
  ];
  const whole = '{"Name":"h","ResourceClaimName":null,"ResourceClaimTemplateName":null}';
  const both = '{"Name":"i","ResourceClaimName":"x","ResourceClaimTemplateName":"y"}';
  assert.deepEqual(podFaults({ resourceClaims }), [
    `${at}[1].name: Duplicate value: "g"`,
    `${at}[2]: Invalid value: ${whole}: must specify one of: \`resourceClaimName\`, ` +
      '`resourceClaimTemplateName`',
    `${at}[3]: Invalid value: ${both}: at most one of \`resourceClaimName\` or ` +
      '`resourceClaimTemplateName` may be specified',
  ]);
});

test('invalid names and policies of a pod are refused', () => {
  for (const field of ['hostname', 'subdomain', 'serviceAccountName']) {
    const [fault] = podFaults({ [field]: 'A' });
    assert.match(fault, new RegExp(`^spec\\.${field}: Invalid value: "A": a lowercase RFC 1123`));
  }
  assert.deepEqual(podFaults({ overhead: { memory: '-1' } }), [
    'spec.overhead.limits[memory]: Invalid value: "-1": must be greater than or equal to 0',
  ]);
});

test('a template may name a class that is not there, if it can be a name', () => {
  assert.deepEqual(templateFaults({ runtimeClassName: 'absent' }), []);
  const [fault] = templateFaults({ runtimeClassName: 'A' });
  assert.match(fault, /^spec\.template\.spec\.runtimeClassName: Invalid value: "A": a lowercase/);
});

/**
 * Returns the faults of a Deployment whose pod template has these fields.
 * @param {object} fields
 */
function templateFaults(fields) {
  const { store } = new AskedServer();
  const { template } = workload({}).spec;
  const spec = { ...template.spec, ...fields };
  const deployment = workload({ template: { ...template, spec } });
  return faultsOf(() => store.create('deployments', deployment));
}

test('an unknown preemption policy of a template is refused', () => {
  assert.deepEqual(templateFaults({ preemptionPolicy: 'Never' }), []);
  assert.deepEqual(templateFaults({ preemptionPolicy: 'Sometimes' }), [
    'spec.template.spec.preemptionPolicy: Unsupported value: "Sometimes": supported values: ' +
      '"PreemptLowerPriority", "Never"',
  ]);
});

test('ephemeral containers come later, and never in a template', () => {
  const ephemeralContainers = [container({ name: 'e' })];
  assert.deepEqual(podFaults({ ephemeralContainers }), [
    'spec.ephemeralContainers: Forbidden: cannot be set on create',
  ]);
  assert.deepEqual(templateFaults({ ephemeralContainers }), [
    'spec.template.spec.ephemeralContainers: Forbidden: ephemeral containers not allowed in pod ' +
      'template',
  ]);
});

test('a pod that has ephemeral containers can be written', () => {
  const server = new AskedServer();
  const spec = { ephemeralContainers: [container({ name: 'e' })] };
  server.store.load({ ...pod('a', spec, { ...inDefault, uid: 'u' }), kind: 'Pod' });
  const stored = /** @type {any} */ (server.store.get('pods', 'default', 'a'));
  const metadata = { ...stored.metadata, labels: { a: 'b' } };
  assert.deepEqual(
    faultsOf(() => server.store.update('pods', { ...stored, metadata })),
    [],
  );
});

test('the whitespace around an image is refused in a pod alone', () => {
  const containers = [container({ image: ' i' })];
  assert.deepEqual(podFaults({ containers }), [
    'spec.containers[0].image: Invalid value: " i": must not have leading or trailing whitespace',
  ]);
  assert.deepEqual(templateFaults({ containers }), []);
});

/** Returns the faults of an update of a pod's spec. @param {object} spec @param {object} change */
function changeFaults(spec, change) {
  const { store } = new AskedServer();
  const stored = store.create('pods', pod('p', spec, inDefault));
  return faultsOf(() => store.update('pods', { ...stored, spec: { ...stored.spec, ...change } }));
}

const ONE = { key: 'a', operator: 'In', values: ['1'] };
const TWO = { key: 'b', operator: 'Exists' };

/** @param {object[][]} terms @param {object} [others] */
const affinityOf = (terms, others) => ({
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: terms.map((matchExpressions) => ({ matchExpressions })),
    },
  },
  ...others,
});

test('the placement of a gated pod is only narrowed', () => {
  const apart = {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'kubernetes.io/hostname' }],
    },
  };
  const gated = {
    schedulingGates: [{ name: 'x.y/z' }],
    nodeSelector: { a: 'b' },
    affinity: affinityOf([[ONE]], apart),
  };
  const faults = (/** @type {object} */ change) => changeFaults(gated, change);
  const at =
    'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms';
  assert.deepEqual(faults({ nodeSelector: { a: 'b', c: 'd' } }), []);
  assert.deepEqual(faults({ affinity: affinityOf([[ONE, TWO]], apart) }), []);
  assert.deepEqual(faults({ nodeSelector: { a: 'c' } }), [
    'spec.nodeSelector: Invalid value: {"a":"c"}: only additions to spec.nodeSelector are ' +
      'allowed (no mutations or deletions)',
  ]);
  assert.equal(faults({ nodeSelector: undefined }).length, 1);
  assert.deepEqual(faults({ affinity: affinityOf([[TWO]], apart) }), [
    `${at}[0]: Invalid value: {"MatchExpressions":[{"Key":"b","Operator":"Exists",` +
      '"Values":null}],"MatchFields":null}: only additions are allowed (no mutations or deletions)',
  ]);
  assert.deepEqual(faults({ affinity: apart }), [
    `${at}: Invalid value: []: no additions/deletions to non-empty NodeSelectorTerms list are ` +
      'allowed',
  ]);
  assert.match(faults({ affinity: affinityOf([[ONE]]) })[0], /^spec: Forbidden: pod updates may/);
  const free = { schedulingGates: gated.schedulingGates };
  assert.deepEqual(changeFaults(free, { affinity: affinityOf([[ONE], [TWO]]) }), []);
  assert.match(changeFaults(free, { affinity: apart })[0], /^spec: Forbidden: pod updates may/);
});

test('a deadline is set once, and only shortened', () => {
  const at = 'spec.activeDeadlineSeconds: Invalid value';
  const faults = (/** @type {number | undefined} */ activeDeadlineSeconds) =>
    changeFaults({ activeDeadlineSeconds: 10 }, { activeDeadlineSeconds });
  assert.deepEqual(faults(20), [`${at}: 20: must be less than or equal to previous value`]);
  assert.deepEqual(faults(undefined), [
    `${at}: null: must not update from a positive integer to nil value`,
  ]);
  assert.deepEqual(faults(5), []);
  assert.deepEqual(changeFaults({}, { activeDeadlineSeconds: 5 }), []);
});
