import { podKeyOf } from '../../kubernetes/keys.js';
import { capacity as capacityOf, measureCapacity } from '../../whatif/capacity.js';
import { sayWarnings } from '../cluster/admission.js';
import { applyCluster } from '../cluster/batches.js';
import { manifestNamespace } from '../cluster/namespace.js';
import { nodesOf, requireNodes } from '../cluster/nodes.js';
import { quotaWarnings } from '../cluster/quota.js';
import { Validation } from '../cluster/validation.js';
import { readSources } from '../input/inputs.js';
import { madeUpIn, madeUpLines } from '../outcome/made_up.js';
import { missingIn, printMissing } from '../outcome/missing.js';
import { faultOfModel, validationWarnings } from '../simulation/engine_faults.js';
import {
  announcing,
  createScheduler,
  readClusterSources,
  readConfiguration,
  readInput,
  schedulerOptionsOf,
} from '../simulation/simulation.js';
import { BadInputError, EXIT } from '../terminal/problems.js';
import { Progress, say } from '../terminal/terminal.js';
import { candidatesIn, templateIn } from './candidates.js';
import { formatCapacity, formatShapes, modelOf } from './report.js';

/**
 * @import { Scheduler } from '../../engine/scheduler.js'
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { CapacityOptions } from './arguments.js'
 * @import { Cluster } from '../cluster/cluster.js'
 * @import { Host } from '../host.js'
 * @import { Missing } from '../../check/types.js'
 * @import { Asked, Template } from './candidates.js'
 */

/**
 * `stowage capacity`: reports how many more pods of one kind, or of several together, fit.
 * @param {CapacityOptions} options
 * @param {Host} host
 * @returns {Promise<number>} the exit code
 */
export async function capacity(options, host) {
  const progress = new Progress(host.stderr, options);
  try {
    const configuration = await readConfiguration(options, host);
    const sources = await readClusterSources(options.cluster, options, { host, progress });
    const validation = new Validation(options.validate, options);
    const namespace = await manifestNamespace(options, host, { isOnly: true });
    const manifests = await readSources(options.files, options, host);
    const { rest, asked } = candidatesIn(manifests, {
      ...{ validation, namespace },
      isSeveral: isSeveral(options),
    });
    const cluster = readInput([...sources, ...rest], announcing(progress), options);
    requireNodes(cluster, options.cluster, options);
    const templates = asked.map((one) => templateIn(cluster, one, options));
    const batchesOf = () =>
      templates.map(({ source, pod, others }) => ({ name: source, objects: [pod, ...others] }));
    const faults = await validationWarnings(validation, () => ({ batches: batchesOf() }), host);
    const warnings = [...faults, ...cluster.warnings];
    sayWarnings({ warnings }, host);
    const engine = await host.loadEngine();
    const schedulerOptions = schedulerOptionsOf(cluster, configuration, options);
    const keepObjects = isSeveral(options);
    const scheduler = createScheduler(engine, { ...schedulerOptions, keepObjects }, configuration);
    try {
      applyCluster(scheduler, cluster);
      const made = templates.map(({ source, others }) => ({ name: source, objects: others }));
      applyCluster(scheduler, { ...cluster, batches: made });
      const batches = [...cluster.batches, ...made];
      const { schedulerNames } = configuration;
      const pods = templates.map(({ pod }) => pod);
      const missing = missingIn({ ...cluster, batches }, { schedulerNames, asked: pods });
      const parts = { scheduler, cluster, templates, missing, warnings, progress };
      const least = await (isSeveral(options) ? countSeveral : countOne)(parts, options, host);
      const code = least >= options.atLeast ? EXIT.yes : EXIT.no;
      return printMissing(missing, options, host) ?? code;
    } catch (error) {
      const models = templates.map(({ source, pod }) => ({ source, object: pod }));
      throw faultOfModel(error, models);
    } finally {
      scheduler.dispose();
    }
  } finally {
    progress.clear();
  }
}

/** Whether several pods are counted together. @param {CapacityOptions} options */
function isSeveral({ ratio, inOrder }) {
  return ratio !== undefined || inOrder;
}

/**
 * @typedef {object} Parts
 * @property {Scheduler} scheduler with the cluster
 * @property {Cluster} cluster
 * @property {Template[]} templates
 * @property {Missing[]} missing
 * @property {string[]} warnings
 * @property {Progress} progress
 */

/**
 * @param {Parts} parts
 * @param {CapacityOptions} options
 * @param {Host} host
 * @returns {Promise<number>} how many fit
 */
async function countOne(parts, options, host) {
  const { scheduler, cluster, templates, missing, progress } = parts;
  const [{ candidate, pod }] = templates;
  const { kubernetesVersion } = scheduler;
  const clones = new PlacedClones(templates);
  const found = await measureCapacity(scheduler, pod, {
    ...countingOf(parts, options),
    onPlaced: (clone) => clones.add(clone, 0),
  });
  progress.clear();
  const warnings = [...parts.warnings, ...clones.sayWarnings(cluster, host)];
  const madeUp = madeUpIn({ scheduler, cluster });
  const details = { kubernetesVersion, missing, madeUp, warnings, candidate };
  host.stdout.write(formatCapacity(found, details, options, host));
  if (!options.quiet) for (const line of madeUpLines(madeUp)) say(host.stderr, line);
  return found.total;
}

/**
 * @param {Parts} parts
 * @param {CapacityOptions} options
 * @param {Host} host
 * @returns {Promise<number>} how many fit at least of each pod that is asked for
 */
async function countSeveral(parts, options, host) {
  const { scheduler, cluster, templates, missing, progress } = parts;
  const { ratio } = options;
  if (ratio && ratio.length !== templates.length) {
    const counts = `${ratio.length} numbers for ${templates.length} pods and workloads`;
    throw new BadInputError([`--ratio has ${counts}`]);
  }
  const clones = new PlacedClones(templates);
  const pods = templates.map(({ pod }) => pod);
  const found = await capacityOf(scheduler, pods, {
    ...countingOf(parts, options),
    ratio,
    onPlaced: (clone, shape) => clones.add(clone, shape),
  });
  progress.clear();
  const warnings = [...parts.warnings, ...clones.sayWarnings(cluster, host)];
  const models = templates.map(({ candidate }) => modelOf(candidate));
  host.stdout.write(formatShapes({ ...found, missing, warnings }, models, options, host));
  const counted = found.shapes.filter((_, index) => ratio?.[index] !== 0);
  return Math.min(...counted.map(({ total }) => total));
}

/**
 * Returns how clones are counted.
 * @param {Parts} parts
 * @param {CapacityOptions} options
 */
function countingOf({ cluster, progress }, { maxLimit }) {
  const taken = podNamesIn(cluster);
  return {
    nodes: nodesOf(cluster),
    isTaken: (/** @type {string} */ name) => taken.has(name),
    atMost: maxLimit,
    progress: (/** @type {number} */ count) => progress.announce(`counting: ${count}`),
  };
}

/** The clones that fit, which count for quotas. */
class PlacedClones {
  /** @type {Map<string, KubernetesObject>} */
  #pods = new Map();
  /** @type {import('../cluster/manifests.js').Added[]} */
  #added;

  /** @param {Asked[]} templates */
  constructor(templates) {
    this.#added = templates.map(({ source, candidate }) => ({
      source,
      object: candidate,
      pods: [],
    }));
  }

  /**
   * @param {KubernetesObject} clone
   * @param {number} index of its template
   */
  add(clone, index) {
    this.#pods.set(podKeyOf(clone), clone);
    this.#added[index].pods.push(podKeyOf(clone));
  }

  /**
   * Prints and returns what the cluster's quotas would refuse.
   * @param {Cluster} cluster
   * @param {Host} host
   */
  sayWarnings({ read, context }, host) {
    const pods = this.#pods;
    const warnings = quotaWarnings(read, this.#added, { pods, replaced: [], context });
    sayWarnings({ warnings }, host);
    return warnings;
  }
}

/**
 * `namespace/name` of all pods, including finished ones.
 * @param {Cluster} cluster
 */
function podNamesIn({ batches }) {
  const objects = batches.flatMap((batch) => batch.objects);
  return new Set(objects.filter(({ kind }) => kind === 'Pod').map(podKeyOf));
}
