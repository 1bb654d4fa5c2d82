/**
 * What people read about the facts that distinguish the releases. The engine has the facts
 * (`Engine.releaseFacts`); core/config/VERSIONS.md says how one is added.
 */

/**
 * What holds since the release of a fact. `source`: a pull request (PR) or an enhancement (KEP) of
 * Kubernetes. `scenario`: a golden scenario that flips with it, if recordings of kube-scheduler
 * prove the fact; if not, tables do.
 * @typedef {{ sentence: string, source: string, scenario?: string }} FactText
 */

/** By the name of the fact. @type {Readonly<Record<string, Readonly<FactText>>>} */
export const FACT_TEXTS = Object.freeze({
  'balanced-allocation': {
    sentence: 'NodeResourcesBalancedAllocation scores how much the pod changes the balance',
    source: 'PR 135573',
    scenario: 'batching-001',
  },
  'image-volumes': {
    sentence: 'ImageLocality counts image volumes',
    source: 'PR 130231',
    scenario: 'images-000',
  },
  'csi-missing-optin': {
    sentence: 'nodes without a CSI driver refuse its volumes only if the driver asks for it',
    source: 'KEP-5030',
    scenario: 'volume-limits-015',
  },
  'nominated-pods-wake': {
    sentence:
      'changes of nominated pods wake pods that InterPodAffinity or PodTopologySpread rejected',
    source: 'PR 135392',
  },
  'own-labels-wake': {
    sentence: 'new labels wake a pod that InterPodAffinity rejected',
    source: 'PR 135394',
  },
  'deleted-anti-affinity-wakes': {
    sentence: 'the deletion of a pod wakes pods that its anti-affinity kept away',
    source: 'PR 135325',
  },
  'binding-victims-return': {
    sentence: 'victims in Permit or PreBind return to the queue after backoff',
    source: 'PR 135719, PR 135502',
  },
  'failed-eviction': {
    sentence: 'the last victim stays if another could not be evicted',
    source: 'PR 135495',
  },
  'dra-score-plugin': {
    sentence: 'DynamicResources scores',
    source: 'PR 134711',
    scenario: 'edge-001',
  },
  'nomination-without-postfilter': {
    sentence: 'without PostFilter plugins, a pod that finds no node loses its nomination',
    source: 'PR 135007',
    scenario: 'config-profiles-006',
  },
  'victim-already-terminating': {
    sentence: 'preemption does not delete victims that terminate already',
    source: 'PR 134927',
    scenario: 'nominated-018',
  },
  'last-victim': {
    sentence: 'asynchronous preemption holds the preemptor until the last victim terminates',
    source: 'PR 134294',
  },
  'ties-by-heap': {
    sentence: 'a heap orders nodes with equal totals; before, a draw decides',
    source: 'PR 135231',
  },
  'taint-text': {
    sentence: 'the reason of TaintToleration does not name the taint',
    source: 'PR 134740',
    scenario: 'preemption-052',
  },
  'fit-unresolvable': {
    sentence: 'preemption is not tried for a request above what the node can allocate',
    source: 'PR 131345',
    scenario: 'preemption-001',
  },
  'rwop-text': {
    sentence: 'the reason for a ReadWriteOncePod claim in use begins with "node(s) unavailable"',
    source: 'recordings',
    scenario: 'volume-restrictions-022',
  },
  'interpod-namespace-selector': {
    sentence:
      'NotIn and DoesNotExist in a namespaceSelector also select namespaces without the label',
    source: 'PR 132457',
    scenario: 'interpod-010',
  },
  'backoff-count': {
    sentence: 'backoff grows with rejections or consecutive errors, not with all attempts',
    source: 'PR 128748',
  },
  'gating-plugin': {
    sentence: 'only events of the plugin that gates a pod move it',
    source: 'PR 127180',
  },
  'preemption-events': {
    sentence:
      'deletions of pods wake a pod that waits for its preemption; before, every event does',
    source: 'PR 127180',
  },
});
