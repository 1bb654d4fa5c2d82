/** What the page shows of futures: the panel sets it, and the cluster's views read it. */
import { signal } from '@preact/signals';

/**
 * @import { ClusterState } from '../cluster/cluster_state.js'
 * @import { NodeMark } from '../decision/verdicts.js'
 */

export class Prospect {
  /** The cluster of the future, beside the present one; null: none is shown. */
  cluster = signal(/** @type {ClusterState | null} */ (null));
  /** The nodes that lose pods in that future. */
  marks = signal(/** @type {Map<string, NodeMark>} */ (new Map()));
  /** The nodes that get pods in it, or are lost. */
  marksThen = signal(/** @type {Map<string, NodeMark>} */ (new Map()));
  /** By node, the pods that its loss would leave pending; null: it is not shown. */
  stranded = signal(/** @type {Map<string, number> | null} */ (null));
  /** The pod that the user wants to fix, `namespace/name`, until the panel takes it. */
  pod = signal('');
  /** The pod group that the user wants to look at, until the panel takes it. */
  podGroup = signal('');
}
