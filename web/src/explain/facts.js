/** What scores are made of: a pod, a node, and all that is around them at one moment. */

/** @import { KubernetesObject } from '../../../js/src/kubernetes/types.js' */

/**
 * What a node holds, as the scheduler counts it: cpu in milli, all else as integers.
 * @typedef {{ milliCPU: number, memory: number, ephemeralStorage: number, scalarResources:
 *   Record<string, number> }} Resource
 */

/**
 * Of a node without the pod itself. `images` by name, as the snapshot counted them.
 * @typedef {object} Held
 * @property {Resource} allocatable
 * @property {Resource} requested
 * @property {{ milliCPU: number, memory: number }} nonZeroRequested
 * @property {Record<string, { sizeBytes: number, numNodes: number }>} images
 */

/**
 * @typedef {object} Facts
 * @property {KubernetesObject} pod
 * @property {KubernetesObject} node
 * @property {Held} held
 * @property {KubernetesObject[]} nodes all of the snapshot
 * @property {KubernetesObject[]} feasible those that are scored, in their order: an array of its
 *   own for each pod and moment, the same for all its nodes
 * @property {(node: string) => KubernetesObject[]} podsOn without the pod itself
 * @property {(resource: string) => KubernetesObject[]} objects of the API, by the plural
 * @property {Record<string, any>} args of the plugin, without defaults
 * @property {Record<string, boolean>} featureGates those that differ from their default
 */

/**
 * How a score comes about, line by line, and what it comes to.
 * @typedef {{ lines: string[], value: number }} Formula
 */

export {};
