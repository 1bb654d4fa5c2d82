/** Tests the refusals and the defaults of PodGroups and Workloads. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { AskedServer } from '../asked_server.js';
import { inDefault } from '../workloads.js';
import { faultsOf } from './refusals.js';

const apiVersion = 'scheduling.k8s.io/v1alpha2';
const LABEL =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and " +
  "must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used " +
  "for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const gang = { schedulingPolicy: { gang: { minCount: 2 } } };

/** @param {object} spec @param {string} [name] */
const group = (spec, name = 'g') => ({
  apiVersion,
  kind: 'PodGroup',
  metadata: { name, ...inDefault },
  spec,
});

/** @param {object} spec */
const workload = (spec) => ({
  apiVersion,
  kind: 'Workload',
  metadata: { name: 'w', ...inDefault },
  spec,
});

const ON = {
  featureGates: {
    GenericWorkload: true,
    DRAWorkloadResourceClaims: true,
    TopologyAwareWorkloadScheduling: true,
    WorkloadAwarePreemption: true,
  },
};

/** @param {object} spec */
const groupFaults = (spec) =>
  faultsOf(() => new AskedServer(ON).store.create('podgroups', group(spec)));

/** @param {object} spec */
const workloadFaults = (spec) =>
  faultsOf(() => new AskedServer(ON).store.create('workloads', workload(spec)));

test('fields of a PodGroup', () => {
  const policy = 'spec.schedulingPolicy';
  for (const [spec, want] of /** @type {[object, string[]][]} */ ([
    [gang, []],
    [{ schedulingPolicy: { basic: {} } }, []],
    [{}, [`${policy}: Invalid value: "": must specify one of: \`basic\`, \`gang\``]],
    [
      { schedulingPolicy: { basic: {}, gang: { minCount: 2 } } },
      [
        `${policy}: Invalid value: "{\`basic\`, \`gang\`}": ` +
          'exactly one of `basic`, `gang` is required, but multiple fields are set',
      ],
    ],
    [{ schedulingPolicy: { gang: {} } }, [`${policy}.gang.minCount: Required value`]],
    [
      { schedulingPolicy: { gang: { minCount: -1 } } },
      [`${policy}.gang.minCount: Invalid value: -1: must be greater than zero`],
    ],
    [
      { ...gang, schedulingConstraints: { topology: [{ key: 'a' }, { key: 'b' }] } },
      ['spec.schedulingConstraints.topology: Too many: 2: must have at most 1 item'],
    ],
    [
      { ...gang, schedulingConstraints: { topology: [{}] } },
      ['spec.schedulingConstraints.topology[0].key: Required value'],
    ],
    [
      { ...gang, disruptionMode: 'All' },
      ['spec.disruptionMode: Unsupported value: "All": supported values: "Pod", "PodGroup"'],
    ],
    [{ ...gang, podGroupTemplateRef: {} }, ['spec.podGroupTemplateRef.workload: Required value']],
    [
      { ...gang, podGroupTemplateRef: { workload: { workloadName: 'w' } } },
      ['spec.podGroupTemplateRef.workload.podGroupTemplateName: Required value'],
    ],
    [
      { ...gang, resourceClaims: [{ name: 'a' }] },
      [
        'spec.resourceClaims[0]: Invalid value: {"name":"a"}: ' +
          'exactly one of `resourceClaimName`, `resourceClaimTemplateName` is required',
      ],
    ],
    [
      {
        ...gang,
        resourceClaims: [
          { name: 'a', resourceClaimName: 'c' },
          { name: 'a', resourceClaimTemplateName: 't' },
        ],
      },
      ['spec.resourceClaims[1]: Duplicate value: "a"'],
    ],
  ])) {
    assert.deepEqual(groupFaults(spec), want, JSON.stringify(spec));
  }
});

test('fields of a Workload', () => {
  const at = 'spec.podGroupTemplates';
  for (const [spec, want] of /** @type {[object, string[]][]} */ ([
    [{ podGroupTemplates: [{ name: 't', ...gang }] }, []],
    [{ podGroupTemplates: [] }, [`${at}: Required value: must have at least one item`]],
    [
      { podGroupTemplates: Array.from({ length: 9 }, (_, n) => ({ name: `t${n}`, ...gang })) },
      [`${at}: Too many: 9: must have at most 8 items`],
    ],
    [
      { podGroupTemplates: [{ name: 'T', ...gang }] },
      [`${at}[0].name: Invalid value: "T": ${LABEL}`],
    ],
    [
      { podGroupTemplates: [{ name: 't', schedulingPolicy: {} }] },
      [`${at}[0].schedulingPolicy: Invalid value: "": must specify one of: \`basic\`, \`gang\``],
    ],
    [
      { podGroupTemplates: [{ name: 't', ...gang }], controllerRef: { kind: 'Job' } },
      ['spec.controllerRef.name: Required value'],
    ],
  ])) {
    assert.deepEqual(workloadFaults(spec), want, JSON.stringify(spec));
  }
});

test('a PodGroup gets its disruption mode and the priority of its class; its spec stays', () => {
  const { store } = new AskedServer(ON);
  store.create('priorityclasses', { metadata: { name: 'high' }, value: 7 });
  const made = store.create('podgroups', group({ ...gang, priorityClassName: 'high' }));
  assert.deepEqual(made.spec, {
    ...gang,
    podGroupTemplateRef: null,
    disruptionMode: 'Pod',
    priorityClassName: 'high',
    priority: 7,
  });
  assert.equal(store.create('podgroups', group(gang, 'plain')).spec.priority, 0);
  const refused = (/** @type {object} */ spec) => () =>
    store.create('podgroups', group({ ...gang, ...spec }, 'other'));
  assert.throws(refused({ priorityClassName: 'low' }), {
    message:
      'podgroups.scheduling.k8s.io "other" is forbidden: no PriorityClass with name low was found',
  });
  assert.throws(refused({ priorityClassName: 'high', priority: 3 }), /computed 7 from the given/);
  const changed = { ...made, spec: { ...made.spec, schedulingPolicy: { basic: {} } } };
  assert.throws(() => store.update('podgroups', changed), /spec: Invalid value.*immutable/);
});
