/** Failures of a cluster: a list of tasks in a fixed order, computed by index. */
import { InputError } from '../../kubernetes/errors.js';
import { labelOf } from '../../kubernetes/label_selector.js';
import { badArgument } from '../arguments.js';

/**
 * @import { Scheduler } from '../../engine/scheduler.js'
 * @import { Population } from '../population.js'
 */

/**
 * Failures of one kind. `nodes`: of nodes. `zones`, `racks`: of all nodes with the same value of
 * the label `topologyKey`. `count`: how many fail together.
 * @typedef {object} FailureSet
 * @property {'nodes' | 'zones' | 'racks'} of
 * @property {1 | 2} count
 * @property {string} [topologyKey] required for racks; for zones `topology.kubernetes.io/zone` is
 *   the default
 */

/**
 * What fails: a node, or a domain of a topology key. `name`: `node/NAME`, `zone/VALUE`, or
 * `rack/VALUE`.
 * @typedef {{ name: string, nodes: string[] }} Part
 */

/**
 * Parts that fail at once. `name`: those of the parts, joined by `+`.
 * @typedef {{ name: string, parts: Part[] }} Failure
 */

/**
 * A FailureSet of a cluster, with the number of its parts and of its failures.
 * @typedef {FailureSet & { parts: number, tasks: number }} FailureGroup
 */

/** The label of a node's zone. */
const ZONE = 'topology.kubernetes.io/zone';

/** More failures than this are refused. */
const FAILURES_MAX = 100_000_000;

/** The name of one part of a set. */
const PART = Object.freeze({ nodes: 'node', zones: 'zone', racks: 'rack' });

/**
 * Parses a list such as `nodes:1,zones:1,pairs`. `pairs` is `nodes:2`.
 * @param {string} text
 * @param {{ topologyKey?: string }} [options] the key of `racks`
 * @returns {FailureSet[]}
 * @throws {InputError} with the field `failures` or `topologyKey`
 */
export function parseFailures(text, { topologyKey } = {}) {
  const words = text.split(',').map((word) => word.trim());
  const sets = words.map((word) => {
    const [, of, count] = /^(nodes|zones|racks):([12])$/.exec(word) ?? [];
    if (word === 'pairs') return { of: 'nodes', count: 2 };
    if (of === undefined)
      throw badArgument('failures', word, 'expected nodes, zones or racks with :1 or :2, or pairs');
    const key = of === 'zones' ? ZONE : topologyKey;
    return { of, count: Number(count), ...(of !== 'nodes' && { topologyKey: key }) };
  });
  return checkedSets(sets);
}

/**
 * @param {unknown} sets
 * @returns {FailureSet[]}
 * @throws {InputError}
 */
export function checkedSets(sets) {
  if (!Array.isArray(sets) || sets.length === 0)
    throw badArgument('failures', sets, 'a list such as nodes:1,zones:1,pairs is expected');
  return sets.map((set, index) => {
    const { of, count, topologyKey = of === 'zones' ? ZONE : undefined } = Object(set);
    const field = `failures[${index}]`;
    if (!Object.hasOwn(PART, of))
      throw badArgument(`${field}.of`, of, 'one of nodes, zones, racks');
    if (count !== 1 && count !== 2) throw badArgument(`${field}.count`, count, 'must be 1 or 2');
    if (of === 'nodes') return { of, count };
    if (typeof topologyKey !== 'string' || topologyKey === '')
      throw badArgument(
        'topologyKey',
        topologyKey,
        `${of} need the label of nodes that names them`,
      );
    return { of, count, topologyKey };
  });
}

/** The failures of some sets, in the order of the sets, of the nodes, and of the domains' nodes. */
export class Failures {
  /** @type {{ set: FailureSet, parts: Part[], tasks: number }[]} */
  #groups;

  /**
   * @param {FailureSet[]} sets
   * @param {{ scheduler: Scheduler, population: Population }} present
   * @throws {InputError} if the cluster has no such domains, or there are too many failures
   */
  constructor(sets, { scheduler, population }) {
    this.#groups = sets.map((set) => {
      const parts = partsOf(set, scheduler, population);
      const tasks = set.count === 1 ? parts.length : (parts.length * (parts.length - 1)) / 2;
      return { set, parts, tasks };
    });
    if (this.length > FAILURES_MAX)
      throw badArgument('failures', this.length, `more than ${FAILURES_MAX} failures`);
  }

  /** The number of failures. */
  get length() {
    return this.#groups.reduce((sum, { tasks }) => sum + tasks, 0);
  }

  /** @returns {FailureGroup[]} */
  get groups() {
    return this.#groups.map(({ set, parts, tasks }) => ({ ...set, parts: parts.length, tasks }));
  }

  /**
   * @param {number} index less than `length`
   * @returns {Failure}
   */
  at(index) {
    let rest = index;
    for (const { set, parts, tasks } of this.#groups) {
      if (rest < tasks) {
        const failing = set.count === 1 ? [parts[rest]] : pairAt(rest, parts);
        return { name: failing.map(({ name }) => name).join('+'), parts: failing };
      }
      rest -= tasks;
    }
    throw new RangeError(`there are ${this.length} failures, not ${index + 1}`);
  }
}

/**
 * Returns the pair with an index among all pairs: (0,1), (0,2), …, (1,2), …
 * @param {number} index
 * @param {Part[]} parts
 * @returns {Part[]}
 */
function pairAt(index, parts) {
  const { length } = parts;
  const before = (/** @type {number} */ first) => (first * (2 * length - first - 1)) / 2;
  const last = 2 * length - 1;
  let first = Math.floor((last - Math.sqrt(last * last - 8 * index)) / 2);
  // The square root is rounded.
  while (before(first + 1) <= index) first += 1;
  while (before(first) > index) first -= 1;
  return [parts[first], parts[first + 1 + index - before(first)]];
}

/**
 * @param {FailureSet} set
 * @param {Scheduler} scheduler
 * @param {Population} population
 * @returns {Part[]}
 * @throws {InputError}
 */
function partsOf({ of, topologyKey = '' }, scheduler, population) {
  if (of === 'nodes')
    return population.nodes.map((name) => ({ name: `node/${name}`, nodes: [name] }));
  const labels = new Map(
    scheduler.list('Node').map(({ metadata }) => [metadata.name, metadata.labels]),
  );
  /** @type {Map<string, string[]>} */
  const domains = new Map();
  for (const node of population.nodes) {
    const value = labelOf(labels.get(node), topologyKey);
    if (value === undefined) continue;
    const nodes = domains.get(value);
    if (nodes) nodes.push(node);
    else domains.set(value, [node]);
  }
  if (domains.size === 0) {
    const detail = `no node has this label, so there are no ${of}`;
    const code = 'FieldValueInvalid';
    throw new InputError({ code, kind: 'Node', field: `metadata.labels[${topologyKey}]`, detail });
  }
  return [...domains].map(([value, nodes]) => ({ name: `${PART[of]}/${value}`, nodes }));
}
