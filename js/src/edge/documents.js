/** The answered documents, as types only; js/schema/edge-v1.json is their schema. */

/** @import { Fits, ReasonCount } from '../engine/types.js' */

/**
 * The snapshot of an answer.
 * @typedef {object} SnapshotReference
 * @property {string} name
 * @property {string} etag as in the header of that name
 * @property {number} ageSeconds since it was made, or first seen if the store does not give its
 *   time
 * @property {number} nodes
 * @property {number} [refused] the number of objects that could not be read
 * @property {string} [refreshFailure] the reason why this is not the newest one
 */

/**
 * An object of a snapshot that could not be read.
 * @typedef {{ kind?: string, namespace?: string, name?: string, field?: string, message: string }}
 *   RefusedObject
 */

/**
 * @typedef {object} SnapshotFields
 * @property {'stowage/v1'} apiVersion
 * @property {'Snapshot'} kind
 * @property {string} time when it was made
 * @property {number} bytes
 * @property {{ nodes: number, pods: number, pending: number, objects: number }} counts `pods` have
 *   a node, `pending` none; `objects` counts all that were read
 * @property {RefusedObject[]} refusedObjects the first 20
 * @property {string[]} unknownKinds kinds that no scheduler reads
 */

/** The contents of a snapshot. @typedef {SnapshotReference & SnapshotFields} SnapshotDocument */

/**
 * A node that the pod fits. If it is the only one, it has no scores.
 * @typedef {object} RankedNode
 * @property {string} name
 * @property {number} [total]
 * @property {Record<string, number>} [scores] weighted, by plugin
 * @property {Record<string, number>} [rawScores]
 */

/**
 * @typedef {object} PreScore
 * @property {'stowage/v1'} apiVersion
 * @property {'PreScore'} kind
 * @property {string} kubernetesVersion the release that decided, such as `v1.36`
 * @property {SnapshotReference} snapshot
 * @property {Fits} fits
 * @property {string | null} node the node that the scheduler would choose
 * @property {RankedNode[]} nodes the best first
 * @property {number} [nodesOmitted] the number of nodes beyond the limit
 * @property {number} [numAllNodes] absent, like the next two, if the pod is gated
 * @property {number} [evaluatedNodes]
 * @property {number} [feasibleNodes]
 * @property {ReasonCount[]} reasons the reasons for which other nodes were refused
 * @property {number} [reasonsOmitted]
 * @property {string | null} [nominatedNode] with WithPreemption
 * @property {string[]} [victims] with WithPreemption: `namespace/name`, the most important first
 * @property {string} message the reason why the pod would get no node; empty if it would get one
 */

/**
 * One cluster of a ranking.
 * @typedef {object} RankedCluster
 * @property {string} name
 * @property {Fits} fits
 * @property {string | null} node
 * @property {number} [total] of the node
 * @property {number} [feasibleNodes] absent if the pod is gated
 * @property {string | null} [nominatedNode]
 * @property {string[]} [victims]
 * @property {string} message
 * @property {SnapshotReference} snapshot
 */

/**
 * A cluster that could not be asked, with the reason of its Status.
 * @typedef {{ name: string, code: number, reason: string, message: string }} UnrankedCluster
 */

/**
 * @typedef {object} ClusterRanking
 * @property {'stowage/v1'} apiVersion
 * @property {'ClusterRanking'} kind
 * @property {string} kubernetesVersion the release that decided, such as `v1.36`
 * @property {RankedCluster[]} clusters the best first
 * @property {UnrankedCluster[]} unranked
 */

export {};
