/** The shapes of plugins written in JavaScript, as types only. See "Plugins" in js/README.md. */

/**
 * A plugin. It has the methods itself, or `create` returns them, called once per profile. The
 * configuration enables it by name, like any other plugin.
 * @typedef {PluginMethods & { name: string, create?: (args: any, handle: PluginHandle) =>
 *   PluginMethods }} Plugin
 */

/**
 * A plugin's access to its scheduler, usable outside of its methods as well. Requests during a call
 * take effect when the engine has returned.
 * @typedef {object} PluginHandle
 * @property {string} schedulerName
 * @property {(uid: string) => WaitingPod | undefined} getWaitingPod a pod that waits in Permit;
 *   undefined if no such pod waits
 * @property {(pods: string[]) => void} activate moves pods, as `namespace/name`, to the active
 *   queue without waiting for an event or their backoff; pods that are not queued are ignored
 */

/**
 * A pod that waits in Permit, as of the call that returned it. Only the first outcome counts.
 * @typedef {object} WaitingPod
 * @property {string} pod `namespace/name`
 * @property {string[]} plugins the plugins that it still waits for
 * @property {(plugin: string) => void} allow allows it on behalf of that plugin; with the last one
 *   the pod continues
 * @property {(plugin: string, message: string) => void} reject rejects it on behalf of that plugin
 */

/**
 * Whether an event may help the pod.
 * @typedef {'Queue' | 'QueueSkip'} QueueingHint
 */

/**
 * An event that may help pods that the plugin rejected. `resource` is `Pod`, `Node` and so on, or
 * `plural.version.group`; `actionType` is the change: `Add`, `Delete`, `UpdateNodeLabel`… A hint
 * gets the pod, and the object before and after. Objects of which the scheduler reads only the
 * metadata contain only that.
 * @typedef {{ resource: string, actionType: string[], queueingHint?: (pod: any, oldObject: any,
 *   newObject: any) => QueueingHint }} PluginEvent
 */

/**
 * The extension points of a plugin. All are synchronous except `preBind`, `bind` and `postBind`.
 * `state` is the cycle's Map, shared by the plugins of a profile; a value with a method `clone` is
 * cloned when a dry run copies it. `pod` is the whole Pod object.
 * @typedef {object} PluginMethods
 * @property {(pod: any) => PluginStatus} [preEnqueue] every status except Success keeps the pod out
 *   of the queue, until an event helps
 * @property {PluginEvent[]} [events] the events that may help a pod that this plugin rejected;
 *   absent: all events
 * @property {(state: Map<any, any>, pod: any, nodes: NodeInfo[]) => PluginStatus | { nodeNames:
 *   string[] }} [preFilter] Skip: `filter` is not called for this pod. `nodeNames`: only these
 *   nodes are considered
 * @property {(state: Map<any, any>, pod: any, podToAdd: any, nodeInfo: NodeInfo) => PluginStatus}
 *   [addPod] updates `state` for a pod that a dry run adds to the node
 * @property {(state: Map<any, any>, pod: any, podToRemove: any, nodeInfo: NodeInfo) =>
 *   PluginStatus} [removePod] the same for a pod that it removes
 * @property {(state: Map<any, any>, pod: any, nodeInfo: NodeInfo) => PluginStatus} [filter]
 * @property {(state: Map<any, any>, pod: any, nodeInfos: NodeInfo[]) => PluginStatus[]}
 *   [filterChunk] instead of `filter`: up to 64 nodes at a time, one status each
 * @property {(state: Map<any, any>, pod: any, nodeToStatus: Map<string, NodeRefusal>) =>
 *   PluginStatus | { nominatedNodeName: string }} [postFilter] called if no node is feasible;
 *   undefined: this plugin made the pod schedulable
 * @property {(state: Map<any, any>, pod: any, nodeInfos: NodeInfo[]) => PluginStatus} [preScore]
 *   Skip: `score` is not called for this pod
 * @property {(state: Map<any, any>, pod: any, nodeInfo: NodeInfo) => number} [score] an integer,
 *   from 0 to 100 unless `normalizeScore` brings it into that range
 * @property {(state: Map<any, any>, pod: any, nodeInfo: NodeInfo) => string[]} [scoreNotes]
 *   explains the result of `score`, in lines for people. Called only for an evaluation with
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
 *   Promise<PluginStatus>} [bind] Success: it has bound the pod. Skip: the next plugin is called
 * @property {(state: Map<any, any>, pod: any, nodeName: string) => void | Promise<void>} [postBind]
 *   its result is not awaited
 */

/**
 * A node with its pods: frozen, and the same object while nothing on the node changes. Amounts are
 * integers, cpu in milli units; `requested.pods` is the number of pods.
 * @typedef {object} NodeInfo
 * @property {string} name
 * @property {any} node the Node object
 * @property {Record<string, number>} allocatable
 * @property {Record<string, number>} requested
 * @property {any[]} pods Pod objects
 */

/**
 * The kind of a refusal.
 * @typedef {{ code: string, reasons: string[], plugin: string }} NodeRefusal
 */

/**
 * A plugin's verdict: undefined is Success. `Error` is a fault of the plugin; exceptions count as
 * Error. `timeout` of Wait is in milliseconds: at most, and by default, 15 minutes.
 * @typedef {undefined | void | null | { code: 'Success' | 'Unschedulable' |
 *   'UnschedulableAndUnresolvable' | 'Pending' | 'Skip' | 'Wait' | 'Error', reasons?: string[],
 *   timeout?: number }} PluginStatus
 */

export {};
