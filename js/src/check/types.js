/** What a report says beside its findings. */

/** @import { MadeUp } from '../engine/record_types.js' */

/**
 * A kind of which something is missing.
 * @typedef {object} Missing
 * @property {string} kind
 * @property {string[]} neededBy plugins, admission plugins and controllers
 * @property {string[]} names of the objects that others name, `namespace/name` or `name`; none:
 *   whichever the cluster has
 * @property {number} found how many objects of the kind the input has
 * @property {boolean} certain false: the cluster may have none either
 * @property {string[]} pods that are decided on without them, `namespace/name`
 */

/**
 * `pending`: the input had the claim, and that it was Pending.
 * @typedef {MadeUp & { pending: boolean }} MadeUpHere
 */

export {};
