/** The shapes of workloads. */

/**
 * One request of a claim, or an alternative of one. `class`: the DeviceClass. `all`: every device
 * of the class on the node.
 *
 * @typedef {object} Request
 * @property {string} name
 * @property {string} [class]
 * @property {string[]} [selectors]
 * @property {number} [count]
 * @property {boolean} [all]
 * @property {boolean} [adminAccess]
 * @property {Record<string, string>} [capacity]
 * @property {object[]} [tolerations]
 * @property {Request[]} [firstAvailable]
 */

/**
 * A workload, and where its pods fit.
 *
 * @typedef {object} Workload
 * @property {string} name
 * @property {Request[]} [requests] of the claim of each pod
 * @property {{ requests?: string[], matchAttribute?: string, distinctAttribute?: string }[]}
 *   [constraints]
 * @property {Record<string, string>} [extended] extended resources of the container
 * @property {string} [onMachine] the pods select nodes of this kind
 * @property {Record<string, number>} fits by kind of machine: how many of these pods one machine
 *   has devices for, by the rule in the comment beside it
 * @property {number} [pods] how many are created if not as many as fit
 * @property {string} [chooses] the alternative that every claim gets
 * @property {string} [error] why every attempt fails
 */

export {};
