/** The shapes of plugins written in JavaScript, as types only. js/README.md, "Plugins". */

/**
 * A plugin. It has the methods itself, or makes them with `create`, once per profile; it is enabled
 * by name in the configuration, like any other.
 * @typedef {PluginMethods & { name: string, create?: (args: any, handle: PluginHandle) =>
 *   PluginMethods }} Plugin
 */

/**
 * Where a plugin works. `args` of `create` are its `pluginConfig`.
 * @typedef {{ readonly schedulerName: string }} PluginHandle
 */

/**
 * The points of a scheduling cycle. All are synchronous. `state` is the cycle's own Map, shared by
 * the plugins of a profile: a value with a method `clone` is cloned where a dry run goes on with a
 * copy. `pod` is the whole Pod object.
 * @typedef {object} PluginMethods
 * @property {(state: Map<any, any>, pod: any, nodes: NodeInfo[]) => PluginStatus | { nodeNames:
 *   string[] }} [preFilter] Skip: `filter` is not asked for this pod. `nodeNames`: the pod can only
 *   run there
 * @property {(state: Map<any, any>, pod: any, podToAdd: any, nodeInfo: NodeInfo) => PluginStatus}
 *   [addPod] accounts in `state` for a pod that a dry run puts on the node
 * @property {(state: Map<any, any>, pod: any, podToRemove: any, nodeInfo: NodeInfo) =>
 *   PluginStatus} [removePod] the same for one that it takes away
 * @property {(state: Map<any, any>, pod: any, nodeInfo: NodeInfo) => PluginStatus} [filter]
 * @property {(state: Map<any, any>, pod: any, nodeInfos: NodeInfo[]) => PluginStatus[]}
 *   [filterChunk] in place of `filter`: up to 64 nodes at a time, one status each
 * @property {(state: Map<any, any>, pod: any, nodeToStatus: Map<string, NodeRefusal>) =>
 *   PluginStatus | { nominatedNodeName: string }} [postFilter] asked when no node is left;
 *   undefined: this plugin has solved it
 * @property {(state: Map<any, any>, pod: any, nodeInfos: NodeInfo[]) => PluginStatus} [preScore]
 *   Skip: `score` is not asked for this pod
 * @property {(state: Map<any, any>, pod: any, nodeInfo: NodeInfo) => number} [score] an integer,
 *   from 0 to 100 unless `normalizeScore` makes it so
 * @property {(state: Map<any, any>, pod: any, scores: { name: string, score: number }[]) =>
 *   PluginStatus} [normalizeScore] changes the scores of all feasible nodes in place
 * @property {(state: Map<any, any>, pod: any, nodeName: string) => PluginStatus} [reserve]
 * @property {(state: Map<any, any>, pod: any, nodeName: string) => void} [unreserve]
 */

/**
 * A node with what runs on it: frozen, and the same object while nothing on the node changes.
 * Amounts are integers, cpu in milli units; `requested.pods` is the number of pods.
 * @typedef {object} NodeInfo
 * @property {string} name
 * @property {any} node the Node object
 * @property {Record<string, number>} allocatable
 * @property {Record<string, number>} requested
 * @property {any[]} pods Pod objects
 */

/**
 * Why a node is none for the pod.
 * @typedef {{ code: string, reasons: string[], plugin: string }} NodeRefusal
 */

/**
 * A verdict: undefined is Success. `Error` is a fault of the plugin; so is whatever it throws.
 * @typedef {undefined | void | null | { code: 'Success' | 'Unschedulable' |
 *   'UnschedulableAndUnresolvable' | 'Pending' | 'Skip' | 'Wait' | 'Error', reasons?: string[] }}
 *   PluginStatus
 */

export {};
