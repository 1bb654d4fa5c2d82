/** The parts of a report beside its findings. */

/** @import { MadeUp } from '../engine/record_types.js' */

/**
 * A kind with missing objects.
 * @typedef {object} Missing
 * @property {string} kind
 * @property {string[]} neededBy the plugins, admission plugins and controllers that read it
 * @property {string[]} names the missing objects that others name, `namespace/name` or `name`;
 *   empty: any objects of the kind
 * @property {number} found the number of objects of the kind in the input
 * @property {boolean} certain false if the cluster may have none either
 * @property {string[]} pods the pods whose decisions lack them, `namespace/name`
 */

/**
 * `pending`: the input contained the claim, with the phase Pending.
 * @typedef {MadeUp & { pending: boolean }} MadeUpHere
 */

export {};
