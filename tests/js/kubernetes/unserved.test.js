// Goal: `noMatchFor` distinguishes objects in versions that Kubernetes has removed from those that
// a supported release serves, and from objects of other projects.
// Method: apiVersions and kinds of each sort.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RESOURCES } from '../../../js/src/kubernetes/kinds.js';
import { noMatchFor } from '../../../js/src/kubernetes/unserved.js';

/** @param {string[][]} cases an apiVersion, a kind, and the hint */
function assertRefused(cases) {
  for (const [apiVersion, kind, hint] of cases)
    assert.equal(
      noMatchFor({ apiVersion, kind }),
      `no matches for kind "${kind}" in version "${apiVersion}": ${hint}`,
    );
}

test('a removed version is refused in kubectl’s words, with the one that is served', () => {
  assertRefused([
    ['batch/v1beta1', 'CronJob', 'v1.36 serves batch/v1'],
    ['batch/v2alpha1', 'CronJob', 'v1.36 serves batch/v1'],
    ['extensions/v1beta1', 'Deployment', 'v1.36 serves apps/v1'],
    ['extensions/v1beta1', 'Ingress', 'v1.36 serves networking.k8s.io/v1'],
    ['apps/v1beta2', 'StatefulSet', 'v1.36 serves apps/v1'],
    ['v1', 'Deployment', 'v1.36 serves apps/v1'],
    ['policy/v1beta1', 'PodDisruptionBudget', 'v1.36 serves policy/v1'],
    ['policy/v1beta1', 'PodSecurityPolicy', 'ensure CRDs are installed first'],
    ['storage.k8s.io/v1beta1', 'StorageClass', 'v1.36 serves storage.k8s.io/v1'],
    ['scheduling.k8s.io/v1beta1', 'PriorityClass', 'v1.36 serves scheduling.k8s.io/v1'],
    ['node.k8s.io/v1beta1', 'RuntimeClass', 'v1.36 serves node.k8s.io/v1'],
  ]);
});

test('what a supported release serves, and what others define, is not refused', () => {
  const others = [
    ['autoscaling/v2', 'HorizontalPodAutoscaler'],
    ['storage.k8s.io/v1beta1', 'VolumeAttributesClass'],
    ['networking.k8s.io/v1beta1', 'ServiceCIDR'],
    ['resource.k8s.io/v1beta1', 'ResourceClaim'],
    ['resource.k8s.io/v1alpha3', 'DeviceTaintRule'],
    ['scheduling.k8s.io/v1alpha1', 'Workload'],
    ['admissionregistration.k8s.io/v1beta1', 'ValidatingAdmissionPolicy'],
    ['gateway.networking.k8s.io/v1beta1', 'Gateway'],
    ['batch.volcano.sh/v1alpha1', 'Job'],
    ['apps.kruise.io/v1alpha1', 'StatefulSet'],
    ['kustomize.toolkit.fluxcd.io/v1', 'Kustomization'],
    [undefined, 'Pod'],
    ['v1', undefined],
    [5, 'Pod'],
    ...RESOURCES.map(({ apiVersion, kind }) => [apiVersion, kind]),
  ];
  for (const [apiVersion, kind] of others)
    assert.equal(noMatchFor({ apiVersion, kind }), undefined, `${apiVersion} ${kind}`);
});

test('files that configure a program are no objects of a server', () => {
  assertRefused([
    ['kustomize.config.k8s.io/v1beta1', 'Kustomization', '"kubectl kustomize" prints objects'],
    ['kustomize.config.k8s.io/v1alpha1', 'Component', '"kubectl kustomize" prints objects'],
    ['kubescheduler.config.k8s.io/v1', 'KubeSchedulerConfiguration', 'it configures a program'],
    ['kubelet.config.k8s.io/v1beta1', 'KubeletConfiguration', 'it configures a program'],
  ]);
});
