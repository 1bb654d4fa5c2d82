/**
 * What distinguishes the releases that the engine can be. core/config/behaviour.cc has the same
 * rows, and which release each holds from; core/config/VERSIONS.md says how a row is added.
 */

/**
 * The patch that each release stands for. A preview stands for none.
 * @type {Readonly<Record<string, string | null>>}
 */
export const PATCHES = Object.freeze({
  1.33: '1.33.13',
  1.34: '1.34.9',
  1.35: '1.35.6',
  1.36: '1.36.3',
  '1.37-preview': null,
});

/**
 * @typedef {object} ReleaseRow
 * @property {string} name that of the fact, for the option `behaviour`
 * @property {string} since the release from which on it holds
 * @property {string} sentence what holds from then on
 * @property {string} source a pull request (PR) or an enhancement (KEP) of Kubernetes
 * @property {boolean} recorded whether recordings of kube-scheduler prove it; if not, tables do
 * @property {string} [scenario] of a row that is recorded: a golden scenario that flips with it
 */

/**
 * @param {string} name
 * @param {string} since
 * @param {string} source
 * @param {string} sentence
 * @param {string} [scenario]
 * @returns {Readonly<ReleaseRow>}
 */
function row(name, since, source, sentence, scenario) {
  const recorded = scenario !== undefined;
  return Object.freeze({ name, since, sentence, source, recorded, ...(recorded && { scenario }) });
}

/** Every row, in the order of the table. */
export const ROWS = Object.freeze([
  row(
    'balanced-allocation',
    '1.36',
    'PR 135573',
    'NodeResourcesBalancedAllocation scores how much the pod changes the balance',
    'batching-001',
  ),
  row('image-volumes', '1.36', 'PR 130231', 'ImageLocality counts image volumes', 'images-000'),
  row(
    'csi-missing-optin',
    '1.36',
    'KEP-5030',
    'nodes without a CSI driver refuse its volumes only if the driver asks for it',
    'volume-limits-015',
  ),
  row(
    'nominated-pods-wake',
    '1.36',
    'PR 135392',
    'changes of nominated pods wake pods that InterPodAffinity or PodTopologySpread rejected',
  ),
  row(
    'own-labels-wake',
    '1.36',
    'PR 135394',
    'new labels wake a pod that InterPodAffinity rejected',
  ),
  row(
    'deleted-anti-affinity-wakes',
    '1.36',
    'PR 135325',
    'the deletion of a pod wakes pods that its anti-affinity kept away',
  ),
  row(
    'binding-victims-return',
    '1.36',
    'PR 135719, PR 135502',
    'victims in Permit or PreBind return to the queue after backoff',
  ),
  row(
    'failed-eviction',
    '1.36',
    'PR 135495',
    'the last victim stays if another could not be evicted',
  ),
  row('dra-score-plugin', '1.35', 'PR 134711', 'DynamicResources scores', 'edge-001'),
  row(
    'nomination-without-postfilter',
    '1.35',
    'PR 135007',
    'without PostFilter plugins, a pod that finds no node loses its nomination',
    'config-profiles-006',
  ),
  row(
    'victim-already-terminating',
    '1.35',
    'PR 134927',
    'preemption does not delete victims that terminate already',
    'nominated-018',
  ),
  row(
    'last-victim',
    '1.35',
    'PR 134294',
    'asynchronous preemption holds the preemptor until the last victim terminates',
  ),
  row(
    'ties-by-heap',
    '1.35',
    'PR 135231',
    'a heap orders nodes with equal totals; before, a draw decides',
  ),
  row(
    'taint-text',
    '1.34',
    'PR 134740',
    'the reason of TaintToleration does not name the taint',
    'preemption-052',
  ),
  row(
    'fit-unresolvable',
    '1.34',
    'PR 131345',
    'preemption is not tried for a request above what the node can allocate',
    'preemption-001',
  ),
  row(
    'rwop-text',
    '1.34',
    'recordings',
    'the reason for a ReadWriteOncePod claim in use begins with "node(s) unavailable"',
    'volume-restrictions-022',
  ),
  row(
    'interpod-namespace-selector',
    '1.34',
    'PR 132457',
    'NotIn and DoesNotExist in a namespaceSelector also select namespaces without the label',
    'interpod-010',
  ),
  row(
    'backoff-count',
    '1.34',
    'PR 128748',
    'backoff grows with rejections or consecutive errors, not with all attempts',
  ),
  row('gating-plugin', '1.34', 'PR 127180', 'only events of the plugin that gates a pod move it'),
  row(
    'preemption-events',
    '1.34',
    'PR 127180',
    'deletions of pods wake a pod that waits for its preemption; before, every event does',
  ),
]);
