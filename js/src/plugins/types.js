/** The shapes of plugins written in JavaScript, as types only. js/README.md, "Plugins". */

/**
 * A plugin. It has the methods itself, or makes them with `create`, once per profile; it is enabled
 * by name in the configuration, like any other.
 * @typedef {PluginMethods & { name: string, create?: (args: any, handle: PluginHandle) =>
 *   PluginMethods }} Plugin
 */

/**
 * Where a plugin works, and what it can act with, also outside of its methods. What it asks for
 * while the engine is at work is done when the engine has returned.
 * @typedef {object} PluginHandle
 * @property {string} schedulerName
 * @property {(uid: string) => WaitingPod | undefined} getWaitingPod a pod that `permit` holds back;
 *   undefined: no such pod waits
 * @property {(pods: string[]) => void} activate has pods of the queue, as `namespace/name`, tried
 *   without waiting for an event or for their backoff; others are passed over
 */

/**
 * A pod that waits in Permit, as it was when it was asked for. Only its first outcome counts.
 * @typedef {object} WaitingPod
 * @property {string} pod `namespace/name`
 * @property {string[]} plugins those that hold it back
 * @property {(plugin: string) => void} allow for that plugin it may go on; with the last it does
 * @property {(plugin: string, message: string) => void} reject on behalf of that plugin
 */

/**
 * Whether an event may help the pod.
 * @typedef {'Queue' | 'QueueSkip'} QueueingHint
 */

/**
 * Something that may help pods which the plugin held back or refused. `resource` is `Pod`, `Node`
 * and so on, or `plural.version.group`; `actionType` what became of it: `Add`, `Delete`,
 * `UpdateNodeLabel`… A hint gets the pod, and the object before and after; objects of which the
 * scheduler reads no more than their metadata have no more.
 * @typedef {{ resource: string, actionType: string[], queueingHint?: (pod: any, oldObject: any,
 *   newObject: any) => QueueingHint }} PluginEvent
 */

/**
 * The points of a plugin. All are synchronous but `preBind`, `bind` and `postBind`. `state` is the
 * cycle's own Map, shared by the plugins of a profile: a value with a method `clone` is cloned
 * where a dry run goes on with a copy. `pod` is the whole Pod object.
 * @typedef {object} PluginMethods
 * @property {(pod: any) => PluginStatus} [preEnqueue] anything but Success keeps the pod out of the
 *   queue, until an event helps
 * @property {PluginEvent[]} [events] what may help a pod that this plugin held back; absent:
 *   everything
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
 * @property {(state: Map<any, any>, pod: any, nodeInfo: NodeInfo) => string[]} [scoreNotes] how
 *   `score` comes to its result, in lines for people. Called only for an evaluation with
 *   `scoreNotes`
 * @property {(state: Map<any, any>, pod: any, scores: { name: string, score: number }[]) =>
 *   PluginStatus} [normalizeScore] changes the scores of all feasible nodes in place
 * @property {(state: Map<any, any>, pod: any, nodeName: string) => PluginStatus} [reserve]
 * @property {(state: Map<any, any>, pod: any, nodeName: string) => void} [unreserve]
 * @property {(state: Map<any, any>, pod: any, nodeName: string) => PluginStatus} [permit] Wait: the
 *   pod keeps its node and waits, for at most `timeout`
 * @property {(state: Map<any, any>, pod: any, nodeName: string) => PluginStatus |
 *   Promise<PluginStatus>} [preBind]
 * @property {(state: Map<any, any>, pod: any, nodeName: string) => PluginStatus |
 *   Promise<PluginStatus>} [bind] Success: it has bound the pod. Skip: the next one is asked
 * @property {(state: Map<any, any>, pod: any, nodeName: string) => void | Promise<void>} [postBind]
 *   nobody waits for it
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
 * `timeout` of Wait is in milliseconds: at most, and by default, 15 minutes.
 * @typedef {undefined | void | null | { code: 'Success' | 'Unschedulable' |
 *   'UnschedulableAndUnresolvable' | 'Pending' | 'Skip' | 'Wait' | 'Error', reasons?: string[],
 *   timeout?: number }} PluginStatus
 */

export {};
