/** The shapes of the table of machines. */

/** An attribute's value; numbers are ints. @typedef {string | number | boolean | Version} Value */

/** @typedef {{ version: string }} Version */

/** @typedef {{ default?: string, validValues?: string[], validRange?: Range }} RequestPolicy */

/** @typedef {{ min?: string, max?: string, step?: string }} Range */

/** @typedef {{ value: string, requestPolicy?: RequestPolicy }} Capacity */

/** @typedef {{ key: string, value?: string, effect: string }} Taint */

/**
 * One device. `shared`: claims may share it (allowMultipleAllocations). `counters`: what it takes
 * of each counter set of its pool.
 *
 * @typedef {object} Device
 * @property {string} name
 * @property {Record<string, Value>} attributes
 * @property {Record<string, string | Capacity>} [capacity]
 * @property {Record<string, Record<string, string>>} [counters]
 * @property {Taint[]} [taints]
 * @property {boolean} [shared]
 * @property {string[]} [bindingConditions]
 * @property {string[]} [bindingFailureConditions]
 */

/**
 * The devices that one driver publishes for a node, with the counter sets that they share.
 *
 * @typedef {object} Publication
 * @property {string} driver
 * @property {Device[]} devices
 * @property {Record<string, Record<string, string>>} [counterSets]
 */

/** @typedef {import('../../sim/random.js').Random} Random */

/**
 * A kind of machine. Serial numbers and the like are drawn, everything else is a fact of the model.
 *
 * @typedef {object} Machine
 * @property {string} name
 * @property {number} nodes how many of the 200 nodes are such machines
 * @property {(random: Random) => Publication[]} publish
 */

export {};
