import { podKeyOf } from '../../kubernetes/keys.js';
import { ApiError } from '../../kubernetes/api_error.js';
import { capacity as capacityOf, measureCapacity, templateOf } from '../../whatif/capacity.js';
import { InputError } from '../../kubernetes/errors.js';
import { isWorkload } from '../../kubernetes/kinds.js';
import { parseInput } from '../../manifests/parse_input.js';
import { inheritPosition, positionOf } from '../../manifests/positions.js';
import { printable } from '../../engine/printable.js';
import { isUnknownClass, sayWarnings, withCheckedPriorities } from '../cluster/admission.js';
import { applyCluster } from '../cluster/batches.js';
import { jsonText, yamlText } from '../terminal/documents.js';
import { faultOfModel, validationWarnings } from '../simulation/engine_faults.js';
import { readSources } from '../input/inputs.js';
import { madeUpIn, madeUpLines } from '../outcome/made_up.js';
import { hintsOn, missingIn, printMissing } from '../outcome/missing.js';
import { inNamespace, manifestNamespace } from '../cluster/namespace.js';
import { nodesOf, requireNodes } from '../cluster/nodes.js';
import { BadInputError, describeProblem, EXIT } from '../terminal/problems.js';
import { quotaWarnings } from '../cluster/quota.js';
import {
  announcing,
  createScheduler,
  readClusterSources,
  readConfiguration,
  readInput,
  schedulerOptionsOf,
} from '../simulation/simulation.js';
import { formatTable, painter, Progress, say } from '../terminal/terminal.js';
import { Validation } from '../cluster/validation.js';

/**
 * @import { Scheduler } from '../../engine/scheduler.js'
 * @import { Capacity, ShapesCapacity } from '../../whatif/capacity.js'
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { CapacityOptions } from './arguments.js'
 * @import { Cluster } from '../cluster/cluster.js'
 * @import { Source } from '../input/inputs.js'
 * @import { Host } from '../host.js'
 * @import { MadeUpHere, Missing } from '../../check/types.js'
 * @import { ManifestNamespace } from '../cluster/namespace.js'
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
    const templates = asked.map((one) => templateFrom(one, templateIn(cluster, one, options)));
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

/**
 * A pod stands for itself: with the name that it was given, if it has a generateName.
 * @param {Asked} asked
 * @param {ReturnType<typeof templateOf>} made
 */
function templateFrom({ candidate, source }, { pod, others }) {
  return { candidate: candidate.kind === 'Pod' ? pod : candidate, source, pod, others };
}

/** Whether several pods are counted together. @param {CapacityOptions} options */
function isSeveral({ ratio, inOrder }) {
  return ratio !== undefined || inOrder;
}

/**
 * A pod to count, and where it comes from.
 * @typedef {{ candidate: KubernetesObject, source: string }} Asked
 */

/**
 * @typedef {object} Parts
 * @property {Scheduler} scheduler with the cluster
 * @property {Cluster} cluster
 * @property {(Asked & ReturnType<typeof templateOf>)[]} templates
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
 * @param {Cluster} cluster
 * @param {KubernetesObject} candidate
 * @throws {InputError | ApiError} if no pod can be created from it
 */
function admittedIn({ context }, candidate) {
  const made = templateOf(candidate, context);
  if (made.pod === candidate) return made;
  withCheckedPriorities([made.pod], context);
  inheritPosition(made.pod, candidate, candidate.kind === 'Pod' ? [] : ['spec', 'template']);
  return made;
}

/**
 * `namespace/name` of all pods, including finished ones.
 * @param {Cluster} cluster
 */
function podNamesIn({ batches }) {
  const objects = batches.flatMap((batch) => batch.objects);
  return new Set(objects.filter(({ kind }) => kind === 'Pod').map(podKeyOf));
}

/**
 * Returns the objects to measure, and the files with all others.
 * @param {Source[]} sources
 * @param {{ validation: Validation, namespace: ManifestNamespace, isSeveral: boolean }} rules
 * @returns {{ asked: Asked[], rest: Source[] }}
 * @throws {BadInputError}
 */
function candidatesIn(sources, { validation, namespace, isSeveral }) {
  /** @type {string[]} */
  const problems = [];
  const files = sources.map((source) => {
    const { name, text } = source;
    const report = (/** @type {InputError} */ error) => problems.push(describeProblem(name, error));
    const objects = inNamespace(parseInput(text, { onError: report }), namespace, report);
    return { name, objects: validation.of(objects, { source, isManifest: true, report }) };
  });
  if (problems.length > 0) throw new BadInputError(problems);
  /** @param {KubernetesObject} object */
  const isCandidate = (object) => object.kind === 'Pod' || isWorkload(object);
  const asked = files.flatMap(({ name, objects }) =>
    objects.filter(isCandidate).map((candidate) => ({ candidate, source: name })),
  );
  if (asked.length === 0 || (asked.length > 1 && !isSeveral)) {
    const names = files.map(({ name }) => name).join(', ');
    const count = asked.length === 0 ? 'no pod' : `${asked.length} pods and workloads`;
    const hint = asked.length === 0 ? '' : '; --ratio and --in-order count several together';
    throw new BadInputError([`${names}: there is ${count}; one is expected${hint}`]);
  }
  const rest = files.map(({ name, objects }) => {
    const items = objects.filter((object) => !isCandidate(object));
    const text = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
    return { name, text, bytes: new TextEncoder().encode(text) };
  });
  return { asked, rest };
}

/**
 * Returns the pod to measure; errors have the object's position, and a hint about missing objects
 * of the cluster.
 * @param {Cluster} cluster
 * @param {{ candidate: KubernetesObject, source: string }} asked
 * @param {CapacityOptions} options
 * @returns {ReturnType<typeof templateOf>}
 * @throws {BadInputError}
 */
function templateIn(cluster, { candidate, source }, options) {
  try {
    return admittedIn(cluster, candidate);
  } catch (error) {
    if (!(error instanceof InputError || error instanceof ApiError)) throw error;
    const { field, ...fields } =
      error instanceof InputError ? error.toJSON() : { code: error.code, message: error.message };
    const placed = new InputError({ ...fields, field, ...positionOf(candidate, field) });
    const hints = isUnknownClass(placed) ? hintsOn(cluster, [placed], options) : [];
    throw new BadInputError([describeProblem(source, placed)], hints);
  }
}

/**
 * @param {Capacity} found
 * @param {{ kubernetesVersion: string, missing: Missing[], madeUp: MadeUpHere[], warnings:
 *   string[], candidate: KubernetesObject }} details
 * @param {CapacityOptions} options
 * @param {Host} host
 * @returns {string}
 */
function formatCapacity(found, details, options, host) {
  const { kubernetesVersion, missing, madeUp, warnings, candidate } = details;
  const head = { apiVersion: 'stowage/v1', kind: 'Capacity', kubernetesVersion };
  const document = { ...head, ...found, missing, madeUp, warnings };
  if (options.output === 'json') return jsonText(document);
  if (options.output === 'yaml') return yamlText(document);
  const paint = painter(options.color, host);
  const { total, nodes } = found;
  const used = nodes.filter(({ pods }) => pods > 0).length;
  const verb = total === 1 ? 'fits' : 'fit';
  const where = total > 0 ? `, on ${used} of ${nodes.length} nodes` : '';
  const model = printable(modelOf(candidate));
  const first = `${paint(String(total), 'bold')} more like ${model} ${verb}${where}\n`;
  if (options.quiet) return first;
  const rows = nodes.map(({ node, pods, next }) => [
    node,
    String(pods),
    next.join(', ') || '<none>',
  ]);
  const table = formatTable([['NODE', 'PODS', 'NEXT'], ...rows], options);
  return `${first}${printable(nextLine(found))}\n\n${table}`;
}

/**
 * @param {ShapesCapacity & { missing: Missing[], warnings: string[] }} found
 * @param {string[]} models
 * @param {CapacityOptions} options
 * @param {Host} host
 * @returns {string}
 */
function formatShapes(found, models, options, host) {
  if (options.output === 'json') return jsonText(found);
  if (options.output === 'yaml') return yamlText(found);
  const paint = painter(options.color, host);
  const { total, ratio, rounds, shapes } = found;
  const times = ratio ? `: ${ratio.join(':')} fits ${rounds} times` : '';
  const verb = total === 1 ? 'fits' : 'fit';
  const first = `${paint(String(total), 'bold')} more ${verb}${times}\n`;
  if (options.quiet) return first;
  const rows = shapes.map((shape, index) => [
    models[index],
    String(shape.total),
    String(shape.alone),
    shape.stoppedBy === 'Ratio' ? 'stopped with the ratio' : nextReason(shape),
  ]);
  const names = shapes[0].nodes.map(({ node }) => node);
  const byNode = names.flatMap((node, row) =>
    shapes.map(({ nodes }, index) => {
      const { pods, next } = nodes[row];
      return [node, models[index], String(pods), next.join(', ') || '<none>'];
    }),
  );
  return [
    first,
    formatTable([['LIKE', 'PODS', 'ALONE', 'NEXT'], ...rows], options),
    formatTable([['NODE', 'LIKE', 'PODS', 'NEXT'], ...byNode], options),
  ].join('\n');
}

/** @param {KubernetesObject} candidate */
function modelOf(candidate) {
  const { kind = '', metadata } = candidate;
  const name = podKeyOf(candidate);
  // Without a name of its own, a workload is known by the prefix of those that it would get.
  const whole = metadata?.name ? name : `${name}${metadata?.generateName ?? ''}`;
  return kind === 'Pod' ? name : `those of ${kind.toLowerCase()} ${whole}`;
}

/** @param {Capacity} found */
function nextLine(found) {
  const isLimited = found.stoppedBy === 'LimitReached';
  return isLimited ? nextReason(found) : `the next: ${nextReason(found)}`;
}

/** @param {{ stoppedBy: string, message: string }} found */
function nextReason({ stoppedBy, message }) {
  if (stoppedBy === 'LimitReached') return 'more may fit: counting stopped at --max-limit';
  return message || stoppedBy;
}
