/** The results of `inspect`, by query, as types only. Pods are `namespace/name`. */

/**
 * @import { MadeUp, MetricFamily, QueuedPod } from './record_types.js'
 */

/**
 * A pod that waits in Permit, with the plugins that hold it, each with its deadline.
 * @typedef {{ pod: string, uid: string, node: string, plugins: { plugin: string, deadline: string
 *   }[] }} PodInPermit
 */

/**
 * The pods of a pod group, by how far they are.
 * @typedef {{ podGroup: string, minCount?: number, unscheduled: string[], assumed: string[],
 *   assigned: string[] }} PodGroupMembers
 */

/**
 * @typedef {object} InspectionFields
 * @property {string} now
 * @property {{ active: string[], backoff: QueuedPod[], unschedulable: QueuedPod[] }} queues
 * @property {string[]} inFlight
 * @property {{ pod: string, node: string }[]} nominated
 * @property {string[]} assumed placed, and not yet confirmed by a watch event
 * @property {PodInPermit[]} waiting in Permit
 * @property {PodGroupMembers[]} [podGroups] with the feature gate GenericWorkload
 * @property {string} hash of all decisions
 */

/**
 * The result of `inspect()`.
 * @typedef {InspectionFields & { cache: { nodes: number, ghostNodes: number, pods: number } }}
 *   Inspection
 */

/**
 * The result of `inspect({ cache: true })`: the pods by node, for existing nodes and for missing
 * ones that still hold pods.
 * @typedef {InspectionFields & { cache: { nodes: Record<string, string[]>, ghostNodes:
 *   Record<string, string[]> } }} CacheInspection
 */

/**
 * The result of `inspect({ waiting: true })`.
 * @typedef {{ waiting: PodInPermit[] }} PermitInspection
 */

/**
 * The result of `inspect({ metrics: true })`.
 * @typedef {{ metrics: { families: MetricFamily[] } }} MetricsInspection
 */

/**
 * The result of `inspect({ madeUp: true })`.
 * @typedef {{ madeUp: MadeUp[] }} MadeUpInspection
 */

/**
 * Amounts of a node: bytes, and thousandths of a CPU.
 * @typedef {{ milliCPU: number, memory: number, ephemeralStorage: number, allowedPodNumber: number,
 *   scalarResources: Record<string, number> }} NodeAmounts
 */

/**
 * The result of `inspect({ node })`.
 * @typedef {object} NodeInspection
 * @property {string} name
 * @property {boolean} ghost whether pods name this node although it does not exist
 * @property {NodeAmounts} allocatable
 * @property {NodeAmounts} requested
 * @property {{ milliCPU: number, memory: number }} nonZeroRequested with kube-scheduler's defaults
 *   for containers without requests
 * @property {string[]} pods
 * @property {Record<string, { sizeBytes: number, numNodes: number }>} images
 * @property {number} generation
 */

/**
 * The result of `inspect({ pod })`; for a queued pod also the reason of its place in the queue.
 * @typedef {Omit<Partial<QueuedPod>, 'pod'> & { pod: string, uid: string, schedulerName: string,
 *   node: string | null, assumed: boolean, terminating: boolean, nominatedNodeName: string, queue?:
 *   'active' | 'backoff' | 'unschedulable' | 'inFlight', attempts?: number }} PodInspection
 */

/**
 * The result of `inspect({ objects })`.
 * @typedef {{ items: import('../kubernetes/types.js').KubernetesObject[] }} ObjectsInspection
 */

/**
 * The possible queries, one at a time.
 * @typedef {{ node?: string, pod?: string, cache?: boolean, waiting?: boolean, metrics?: boolean,
 *   madeUp?: boolean, objects?: string, name?: string }} InspectQuery
 */

/**
 * The result type of a query. A query whose fields are unknown may return any of them.
 * @template Query
 * @typedef {string extends keyof Query ? any :
 *   Query extends { node: string } ? NodeInspection :
 *   Query extends { pod: string } ? PodInspection :
 *   Query extends { waiting: true } ? PermitInspection :
 *   Query extends { metrics: true } ? MetricsInspection :
 *   Query extends { madeUp: true } ? MadeUpInspection :
 *   Query extends { objects: string } ? ObjectsInspection :
 *   Query extends { cache: true } ? CacheInspection : Inspection} InspectionOf
 */

export {};
