/** What `inspect` answers, by its query, as types only. Pods are `namespace/name`. */

/**
 * @import { MadeUp, MetricFamily, QueuedPod } from './record_types.js'
 */

/**
 * A pod that waits in Permit, with the plugins that hold it, each until its deadline.
 * @typedef {{ pod: string, uid: string, node: string, plugins: { plugin: string, deadline: string
 *   }[] }} PodInPermit
 */

/**
 * @typedef {object} InspectionFields
 * @property {string} now
 * @property {{ active: string[], backoff: QueuedPod[], unschedulable: QueuedPod[] }} queues
 * @property {string[]} inFlight
 * @property {{ pod: string, node: string }[]} nominated
 * @property {string[]} assumed placed, and not yet confirmed by a watch event
 * @property {PodInPermit[]} waiting in Permit
 * @property {string} hash of all decisions
 */

/**
 * What `inspect()` answers.
 * @typedef {InspectionFields & { cache: { nodes: number, ghostNodes: number, pods: number } }}
 *   Inspection
 */

/**
 * What `inspect({ cache: true })` answers: the pods by node, of nodes that are there, and of those
 * that are not, but hold pods.
 * @typedef {InspectionFields & { cache: { nodes: Record<string, string[]>, ghostNodes:
 *   Record<string, string[]> } }} CacheInspection
 */

/**
 * What `inspect({ waiting: true })` answers.
 * @typedef {{ waiting: PodInPermit[] }} PermitInspection
 */

/**
 * What `inspect({ metrics: true })` answers.
 * @typedef {{ metrics: { families: MetricFamily[] } }} MetricsInspection
 */

/**
 * What `inspect({ madeUp: true })` answers.
 * @typedef {{ madeUp: MadeUp[] }} MadeUpInspection
 */

/**
 * Amounts of a node: bytes, and thousandths of a CPU.
 * @typedef {{ milliCPU: number, memory: number, ephemeralStorage: number, allowedPodNumber: number,
 *   scalarResources: Record<string, number> }} NodeAmounts
 */

/**
 * What `inspect({ node })` answers.
 * @typedef {object} NodeInspection
 * @property {string} name
 * @property {boolean} ghost whether there are pods on it, and no such node
 * @property {NodeAmounts} allocatable
 * @property {NodeAmounts} requested
 * @property {{ milliCPU: number, memory: number }} nonZeroRequested with kube-scheduler's defaults
 *   for containers that ask for nothing
 * @property {string[]} pods
 * @property {Record<string, { sizeBytes: number, numNodes: number }>} images
 * @property {number} generation
 */

/**
 * What `inspect({ pod })` answers; with why it is where it is in the queue, if it is there.
 * @typedef {Omit<Partial<QueuedPod>, 'pod'> & { pod: string, uid: string, schedulerName: string,
 *   node: string | null, assumed: boolean, terminating: boolean, nominatedNodeName: string, queue?:
 *   'active' | 'backoff' | 'unschedulable' | 'inFlight', attempts?: number }} PodInspection
 */

/**
 * What `inspect({ objects })` answers.
 * @typedef {{ items: import('../kubernetes/types.js').KubernetesObject[] }} ObjectsInspection
 */

/**
 * What can be asked; one of it at a time.
 * @typedef {{ node?: string, pod?: string, cache?: boolean, waiting?: boolean, metrics?: boolean,
 *   madeUp?: boolean, objects?: string, name?: string }} InspectQuery
 */

/**
 * What is answered to a query; of one whose fields are not known, all is possible.
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
