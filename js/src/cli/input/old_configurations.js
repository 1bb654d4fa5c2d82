/**
 * Explains how to convert configurations of kube-schedulers before v1.25 to v1. Counterpart:
 * "Scheduler configuration migrations" in the documentation of Kubernetes.
 */
import { isRecord } from '../../kubernetes/values.js';

const GROUP = 'kubescheduler.config.k8s.io';

/**
 * The changes after each version, the oldest first; a configuration needs those of its version and
 * all later ones.
 */
const CHANGES = Object.freeze([
  {
    version: 'v1beta1',
    change:
      'NodeResourcesLeastAllocated, NodeResourcesMostAllocated and RequestedToCapacityRatio are ' +
      'scoringStrategy in the args of NodeResourcesFit; NodeLabel is NodeAffinity, ' +
      'ServiceAffinity is InterPodAffinity, NodePreferAvoidPods is a taint',
  },
  {
    version: 'v1beta2',
    change:
      'healthzBindAddress and metricsBindAddress are gone; weights that are not written are 2 ' +
      'for InterPodAffinity and NodeAffinity and 3 for TaintToleration, where they were 1',
  },
  { version: 'v1beta3', change: 'SelectorSpread is gone: PodTopologySpread does that by default' },
]);

/**
 * Returns how to convert a configuration that is too old.
 * @param {unknown} document
 * @returns {string | undefined} undefined if it is not too old
 */
export function conversionOf(document) {
  if (!isRecord(document)) return undefined;
  const { apiVersion, kind } = document;
  if (kind === 'Policy')
    return (
      `a Policy is not read: write a KubeSchedulerConfiguration of ${GROUP}/v1, in which ` +
      'predicates are plugins.filter of a profile, priorities are plugins.score with their ' +
      'weights, and extenders stay as they are'
    );
  const [, version] =
    new RegExp(`^${GROUP}/(v1(?:alpha|beta)\\d+)$`).exec(String(apiVersion)) ?? [];
  if (version === undefined) return undefined;
  const first = CHANGES.findIndex((change) => change.version === version);
  const changes = CHANGES.slice(Math.max(0, first)).map(({ change }) => change);
  return `${GROUP}/${version} is not read: write ${GROUP}/v1; since then ${changes.join('; ')}`;
}
