// Goal: PodGroups and Workloads of v1.37 become those of v1.36. The renames are those of
// pkg/apis/scheduling in v1.37.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toPodGroupVersion } from '../../../js/src/kubernetes/later_pod_groups.js';
import { parse, positionOf } from '../../../js/src/manifests.js';

const V1ALPHA2 = 'scheduling.k8s.io/v1alpha2';
const LATER = ['scheduling.k8s.io/v1alpha3', 'scheduling.k8s.io/v1beta1'];
const schedulingPolicy = { gang: { minCount: 2 } };
const metadata = { name: 'x' };

test('fields of v1alpha3 and v1beta1 get the names of v1alpha2', () => {
  const condition = { status: 'True', reason: 'Scheduled' };
  for (const [name, given, want] of /** @type {[string, object, object][]} */ ([
    ['alike', { spec: { schedulingPolicy } }, { spec: { schedulingPolicy } }],
    [
      'the template',
      { spec: { workloadRef: { workloadName: 'w', templateName: 't' } } },
      {
        spec: {
          podGroupTemplateRef: { workload: { workloadName: 'w', podGroupTemplateName: 't' } },
        },
      },
    ],
    [
      'together',
      { spec: { disruptionMode: { all: {} } } },
      { spec: { disruptionMode: 'PodGroup' } },
    ],
    ['alone', { spec: { disruptionMode: { single: {} } } }, { spec: { disruptionMode: 'Pod' } }],
    [
      'what v1alpha2 lacks',
      { spec: { schedulingPolicy, preemptionPolicy: 'Never', parentCompositePodGroupName: 'p' } },
      { spec: { schedulingPolicy } },
    ],
    [
      'the condition',
      { status: { conditions: [{ type: 'PodGroupInitiallyScheduled', ...condition }] } },
      { status: { conditions: [{ type: 'PodGroupScheduled', ...condition }] } },
    ],
    [
      'other conditions',
      { status: { conditions: [{ type: 'DisruptionTarget', ...condition }] } },
      { status: { conditions: [{ type: 'DisruptionTarget', ...condition }] } },
    ],
    ['what is no object stays for the engine to reject', { spec: 'gang' }, { spec: 'gang' }],
  ])) {
    for (const apiVersion of LATER) {
      const group = { apiVersion, kind: 'PodGroup', metadata, ...given };
      const before = structuredClone(group);
      const wanted = { apiVersion: V1ALPHA2, kind: 'PodGroup', metadata, ...want };
      assert.deepEqual(toPodGroupVersion(group), wanted, name);
      assert.deepEqual(group, before, name);
    }
  }
});

test('the templates of a Workload are converted', () => {
  const template = { name: 't', schedulingPolicy };
  const spec = { podGroupTemplates: [{ ...template, disruptionMode: { all: {} } }] };
  assert.deepEqual(
    toPodGroupVersion({ apiVersion: LATER[1], kind: 'Workload', metadata, spec }).spec,
    { podGroupTemplates: [{ ...template, disruptionMode: 'PodGroup' }] },
  );
});

test('other kinds and versions stay as they are', () => {
  for (const [apiVersion, kind] of [
    [V1ALPHA2, 'PodGroup'],
    [LATER[0], 'CompositePodGroup'],
    [LATER[1], 'PriorityClass'],
    ['scheduling.volcano.sh/v1beta1', 'PodGroup'],
    [LATER[1], 'constructor'],
  ]) {
    const object = { apiVersion, kind, metadata, spec: { disruptionMode: { all: {} } } };
    assert.equal(toPodGroupVersion(object), object, `${apiVersion} ${kind}`);
  }
});

test('manifests are converted, and keep their lines', () => {
  const text = `\
apiVersion: scheduling.k8s.io/v1beta1
kind: PodGroup
metadata:
  name: train
spec:
  schedulingPolicy: { gang: { minCount: 4 } }
`;
  const [group] = parse(text);
  assert.equal(group.apiVersion, V1ALPHA2);
  assert.equal(positionOf(group, 'metadata.name').line, 4);
});
