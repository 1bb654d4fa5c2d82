/** Finds edits with which some plugin still refuses every node, without trying them. */

/**
 * @import { Evaluation } from '../../engine/types.js'
 * @import { Edit, EditKind } from './edit.js'
 */

/** Edits by which pods leave a node. @type {EditKind[]} */
const FEWER_PODS = ['RemovePods', 'RaisePriority'];

/** @type {EditKind[]} */
const CLAIMS = ['UseClaim', 'CreateClaim'];

/** @type {EditKind[]} */
const TAINTS = ['AddToleration', 'RemoveTaints', 'Uncordon'];

/** @type {EditKind[]} */
const NODE_SELECTION = ['DropNodeSelector', 'WidenNodeAffinity', 'DropNodeAffinity', 'LabelNode'];

/** The edits that may end a plugin's refusal of a node. @type {Record<string, EditKind[]>} */
const ENDED_BY = {
  SchedulingGates: ['RemoveSchedulingGates'],
  // A pod and its ResourceClaims may draw on the same amounts.
  NodeResourcesFit: ['LowerRequest', 'ChangeDeviceClaim', ...FEWER_PODS],
  DynamicResources: ['LowerRequest', 'ChangeDeviceClaim', 'LabelNode', ...FEWER_PODS],
  NodeAffinity: NODE_SELECTION,
  TaintToleration: TAINTS,
  NodeUnschedulable: TAINTS,
  NodePorts: ['ChangeHostPort', ...FEWER_PODS],
  InterPodAffinity: [
    'PreferPodAffinity',
    'PreferPodAntiAffinity',
    'NarrowPodAntiAffinity',
    'LabelNode',
    ...FEWER_PODS,
  ],
  // Spreading may count only the nodes that the pod's affinity and tolerations admit.
  PodTopologySpread: [
    'RaiseMaxSkew',
    'LowerMinDomains',
    'ScheduleAnyway',
    ...NODE_SELECTION,
    ...TAINTS,
    ...FEWER_PODS,
  ],
  VolumeBinding: [...CLAIMS, 'LabelNode', ...FEWER_PODS],
  VolumeZone: [...CLAIMS, 'LabelNode'],
  VolumeRestrictions: [...CLAIMS, ...FEWER_PODS],
  NodeVolumeLimits: [...CLAIMS, ...FEWER_PODS],
};

/**
 * Whether an evaluation says of every node which plugins refuse the pod there.
 * @param {Evaluation} evaluation
 */
export function coversAllNodes({ refusedBy = [], numAllNodes }) {
  const nodes = refusedBy.reduce((sum, { count }) => sum + count, 0);
  return nodes > 0 && nodes === numAllNodes;
}

/** What an evaluation tells about sets that extend the edits it was made with. */
export class Obstacles {
  #keys;
  #plugins;

  /**
   * @param {readonly Edit[]} edits
   * @param {Evaluation} evaluation of the pod with them, with culprits
   */
  constructor(edits, evaluation) {
    const { plugin, refusedBy = [] } = evaluation;
    const gates = plugin === 'SchedulingGates' ? [plugin] : [];
    this.#keys = edits.map(({ key }) => key);
    /** @type {string[][]} the plugins that refuse a node, each combination once */
    this.#plugins = coversAllNodes(evaluation)
      ? refusedBy.map(({ plugins }) => [...gates, ...plugins])
      : [gates];
  }

  /**
   * Whether the set extends these edits, and every node keeps a refusal that no edit of the set
   * can end: then the pod gets no node. Edits leave what other plugins decide as it is.
   * @param {readonly Edit[]} set
   */
  remainWith(set) {
    if (!this.#keys.every((key) => set.some((edit) => edit.key === key))) return false;
    const added = set.filter(({ key }) => !this.#keys.includes(key));
    const kinds = added.map(({ kind }) => kind);
    if (kinds.includes('AddNode')) return false;
    return !this.#plugins.some((plugins) =>
      plugins.every((plugin) => ENDED_BY[plugin]?.some((kind) => kinds.includes(kind)) ?? true),
    );
  }
}
