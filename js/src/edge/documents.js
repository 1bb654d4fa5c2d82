/** The documents that are answered, as types only; js/schema/edge-v1.json is their schema. */

/** @import { Fits, ReasonCount } from '../engine/types.js' */

/**
 * Which snapshot an answer is of.
 * @typedef {object} SnapshotReference
 * @property {string} name
 * @property {string} etag as in the header of that name
 * @property {number} ageSeconds since it was made, or, where nobody says when, was first seen
 * @property {number} nodes
 * @property {number} [refused] objects that could not be read
 * @property {string} [refreshFailure] why this is not the newest one
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
 *   a node, `pending` none; `objects` are all that were read
 * @property {RefusedObject[]} refusedObjects the first 20
 * @property {string[]} unknownKinds that no scheduler reads
 */

/** What a snapshot holds. @typedef {SnapshotReference & SnapshotFields} SnapshotDocument */

/**
 * A node that the pod fits. Where it is the only one nothing is scored.
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
 * @property {SnapshotReference} snapshot
 * @property {Fits} fits
 * @property {string | null} node that the scheduler would choose
 * @property {RankedNode[]} nodes the best first
 * @property {number} [nodesOmitted] beyond the limit
 * @property {number} [numAllNodes] absent, as the two below: the pod is gated
 * @property {number} [evaluatedNodes]
 * @property {number} [feasibleNodes]
 * @property {ReasonCount[]} reasons why other nodes were refused
 * @property {number} [reasonsOmitted]
 * @property {string | null} [nominatedNode] with WithPreemption
 * @property {string[]} [victims] with WithPreemption: `namespace/name`, the most important first
 * @property {string} message why the pod would get no node; empty: it would
 * @property {string[]} [notImplemented] plugins that would have mattered, and are not built yet
 */

/**
 * One cluster of a ranking.
 * @typedef {object} RankedCluster
 * @property {string} name
 * @property {Fits} fits
 * @property {string | null} node
 * @property {number} [total] of the node
 * @property {number} [feasibleNodes] absent: the pod is gated
 * @property {string | null} [nominatedNode]
 * @property {string[]} [victims]
 * @property {string} message
 * @property {string[]} [notImplemented]
 * @property {SnapshotReference} snapshot
 */

/**
 * A cluster that could not be asked, in the words of a Status.
 * @typedef {{ name: string, code: number, reason: string, message: string }} UnrankedCluster
 */

/**
 * @typedef {object} ClusterRanking
 * @property {'stowage/v1'} apiVersion
 * @property {'ClusterRanking'} kind
 * @property {RankedCluster[]} clusters the best first
 * @property {UnrankedCluster[]} unranked
 */

export {};
