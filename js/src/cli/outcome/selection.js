/** Selects the pods to report. */
import { ApiError } from '../../kubernetes/api_error.js';
import { parseLabelSelector } from '../../kubernetes/label_selector.js';
import { UsageError } from '../terminal/problems.js';

/**
 * @import { LabelSelector } from '../../kubernetes/label_selector.js'
 * @import { Cluster } from '../cluster/cluster.js'
 */

/**
 * @typedef {{ namespace?: string, selector?: LabelSelector }} Selection undefined selects all
 */

/**
 * @param {string | undefined} text as in `kubectl -l`: `a=1,b in (x,y),!c`
 * @returns {LabelSelector | undefined}
 * @throws {UsageError}
 */
export function selectorOf(text) {
  if (text === undefined) return undefined;
  try {
    return parseLabelSelector(text);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new UsageError(`--selector: ${error.message}`);
  }
}

/**
 * @param {Cluster} cluster
 * @param {Selection} selection
 * @returns {(pod: string) => boolean} of `namespace/name`
 */
export function selects({ pods }, { namespace, selector }) {
  return (pod) =>
    (namespace === undefined || pod.startsWith(`${namespace}/`)) &&
    (selector === undefined || selector.matches(pods.get(pod)?.metadata?.labels));
}
