/**
 * Handles new pods that name their node: they bypass the scheduler, but the kubelet of
 * that node admits or rejects them, and starts them when their claims are ready.
 */
import { nodeRow } from '../engine/evaluation.js';
import { podKeyOf } from '../kubernetes/keys.js';
import { DEFAULT_SCHEDULER } from '../kubernetes/pod_defaults.js';
import { itemsIn } from '../kubernetes/values.js';
import { belongsToNode } from './population.js';
import { NamedClaims } from './named_nodes/claims.js';

/**
 * @import { Engine } from '../engine/engine.js'
 * @import { ExpandContext, KubernetesObject } from '../kubernetes/types.js'
 * @import { Evaluation } from '../engine/types.js'
 * @import { Future } from './future.js'
 * @import { ClaimedCluster } from './named_nodes/claims.js'
 */

/**
 * A kubelet's verdict. `evaluation` covers that node alone; undefined if the node does not exist,
 * or the pod waits there for a claim.
 * @typedef {{ node: string, fits: boolean, message: string, evaluation?: Evaluation }} Admission
 */

/**
 * The engine that answers for the kubelets, of a release.
 * @typedef {{ engine: Engine, schedulerOptions: { kubernetesVersion?: string } }} Kubelets
 */

/**
 * The plugins whose checks a kubelet makes as well. A kubelet ignores resources that its node does
 * not know, such as GPUs; this code does not, because the pod would run without them. Counterparts:
 * pkg/kubelet/lifecycle/predicate.go, AdmissionCheck of pkg/scheduler, v1.36.
 */
const PLUGINS = ['NodeName', 'NodeAffinity', 'NodePorts', 'NodeResourcesFit', 'TaintToleration'];

const named = (/** @type {string} */ name) => ({ name });
const CONFIGURATION = JSON.stringify({
  apiVersion: 'kubescheduler.config.k8s.io/v1',
  kind: 'KubeSchedulerConfiguration',
  profiles: [
    {
      plugins: {
        multiPoint: {
          enabled: ['PrioritySort', ...PLUGINS, 'DefaultBinder'].map(named),
          disabled: [named('*')],
        },
      },
    },
  ],
});

/**
 * Evaluates pods that name their nodes one after another: an admitted pod counts for the next ones.
 * @param {ReadonlySet<string>} added the new pods of the cluster, `namespace/name`: all that name
 *   their node are evaluated
 * @param {ClaimedCluster} cluster
 * @param {Kubelets} kubelets
 * @returns {Map<string, Admission>} by `namespace/name`
 */
export function askKubelets(added, cluster, { engine, schedulerOptions }) {
  const { kubernetesVersion } = schedulerOptions;
  const asked = byNode([...cluster.pods].filter(([key]) => added.has(key)));
  if (asked.size === 0) return new Map();
  const there = byNode([...cluster.pods].filter(([key]) => !added.has(key)));
  const nodes = nodesByName(cluster);
  const claims = new NamedClaims(cluster);
  const answers = [...asked].flatMap(([name, pods]) => {
    const node = nodes.get(name);
    if (!node) return pods.map(([key]) => /** @type {const} */ ([key, absent(name)]));
    const bound = (there.get(name) ?? []).map(([, pod]) => pod);
    return admissions(pods, { node, bound, claims, engine, kubernetesVersion });
  });
  return new Map(answers);
}

/**
 * @param {[string, KubernetesObject][]} pods
 * @returns {Map<string, [string, KubernetesObject][]>} those that name a node, by node
 */
function byNode(pods) {
  /** @type {Map<string, [string, KubernetesObject][]>} */
  const found = new Map();
  for (const entry of pods) {
    const node = entry[1].spec?.nodeName;
    if (!node) continue;
    const known = found.get(node);
    if (known) known.push(entry);
    else found.set(node, [entry]);
  }
  return found;
}

/**
 * Returns the pods that changes applied with a node and that its kubelet does not start, with the
 * reason.
 * @param {Future} future after the changes
 * @param {ExpandContext} context what defaults read
 * @param {Kubelets} kubelets
 * @returns {Map<string, string>} by `namespace/name`
 */
export function refusalsIn(future, context, kubelets) {
  const named = [...future.applied].filter((key) => {
    const pod = future.pod(key);
    return pod?.spec?.nodeName && !future.hasMoved(key) && !belongsToNode(pod);
  });
  if (named.length === 0) return new Map();
  const objects = future.scheduler.list('*');
  const pods = objects.filter(({ kind }) => kind === 'Pod');
  const after = {
    batches: [{ objects }],
    context,
    pods: new Map(pods.map((pod) => [podKeyOf(pod), pod])),
  };
  const answers = askKubelets(new Set(named), after, kubelets);
  return new Map(
    [...answers].flatMap(([pod, { fits, message }]) => (fits ? [] : [[pod, message]])),
  );
}

/** @param {string} node @param {string} reason @returns {Admission} */
function waiting(node, reason) {
  const message = `names its node ${node} and is not scheduled; it waits there: ${reason}`;
  return { node, fits: false, message };
}

/** @param {string} node @returns {Admission} */
function absent(node) {
  return { node, fits: false, message: `names the node ${node}, which is not in the cluster` };
}

/**
 * @param {[string, KubernetesObject][]} pods
 * @param {{ node: KubernetesObject, bound: KubernetesObject[], claims: NamedClaims, engine: Engine,
 *   kubernetesVersion?: string }} kubelet as of that release
 * @returns {(readonly [string, Admission])[]}
 */
function admissions(pods, { node, bound, claims, engine, kubernetesVersion }) {
  const { name } = node.metadata;
  const options = { configuration: CONFIGURATION, kubernetesVersion, keepObjects: false };
  const scheduler = engine.createScheduler(options);
  try {
    scheduler.apply([asTheKubeletReadsIt(node), ...bound]);
    return pods.map(([key, pod]) => {
      const spec = { ...pod.spec, schedulerName: DEFAULT_SCHEDULER };
      const question = /** @type {const} */ ({
        detail: 'table',
        everyNode: true,
        allPlugins: true,
      });
      const evaluation = scheduler.evaluate({ ...pod, spec }, question);
      const fits = evaluation.node === name;
      if (fits) scheduler.apply([pod]);
      const awaited = fits ? claims.reasonFor(pod, node) : undefined;
      if (awaited) return /** @type {const} */ ([key, waiting(name, awaited)]);
      return /** @type {const} */ ([key, { node: name, fits, ...said(evaluation, name) }]);
    });
  } finally {
    scheduler.dispose();
  }
}

/**
 * Only schedulers respect a cordon and taints of other effects.
 * @param {KubernetesObject} node
 * @returns {KubernetesObject}
 */
function asTheKubeletReadsIt(node) {
  const { unschedulable: _, ...spec } = node.spec ?? {};
  const taints = itemsIn(spec.taints).filter((taint) => taint?.effect === 'NoExecute');
  return { ...node, spec: { ...spec, taints } };
}

/**
 * @param {Evaluation} evaluation
 * @param {string} node
 * @returns {{ message: string, evaluation: Evaluation }}
 */
function said(evaluation, node) {
  const { refusals } = nodeRow(evaluation, node);
  const reasons = refusals.flatMap((refusal) => refusal.reasons).join(', ');
  const verb = evaluation.node ? 'takes it' : `refuses it: ${reasons || evaluation.message}`;
  const message = `names its node ${node} and is not scheduled; the kubelet there ${verb}`;
  return { message, evaluation: { ...evaluation, message } };
}

/** @param {Pick<ClaimedCluster, 'batches'>} cluster */
function nodesByName({ batches }) {
  const nodes = batches.flatMap(({ objects }) => objects.filter(({ kind }) => kind === 'Node'));
  return new Map(nodes.map((node) => [node.metadata.name, node]));
}
