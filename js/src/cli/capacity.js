import { podKeyOf } from '../kubernetes/keys.js';
import { ApiError } from '../kubernetes/api_error.js';
import { measureCapacity, templateOf } from '../whatif/capacity.js';
import { InputError } from '../kubernetes/errors.js';
import { WORKLOAD_KINDS } from '../kubernetes/kinds.js';
import { parse } from '../manifests/parse.js';
import { positionOf } from '../manifests/positions.js';
import { printable } from '../engine/printable.js';
import { sayWarnings, withCheckedPriorities } from './admission.js';
import { applyCluster } from './cluster.js';
import { jsonText, yamlText } from './documents.js';
import { readSources } from './inputs.js';
import { madeUpIn, madeUpLines } from './made_up.js';
import { hintsOn, missingIn, printMissing } from './missing.js';
import { isUnknownClass } from './missing_classes.js';
import { inNamespace, manifestNamespace } from './namespace.js';
import { nodesOf, requireNodes } from './nodes.js';
import { BadInputError, describeProblem, EXIT } from './problems.js';
import { quotaWarnings } from './quota.js';
import {
  announcing,
  createScheduler,
  readClusterSources,
  readConfiguration,
  readInput,
  schedulerOptionsOf,
} from './simulation.js';
import { formatTable, painter, Progress, say } from './terminal.js';
import { Validation } from './validation.js';

/**
 * @import { Capacity } from '../whatif/capacity.js'
 * @import { KubernetesObject } from '../kubernetes/types.js'
 * @import { CapacityOptions } from './capacity_arguments.js'
 * @import { Cluster } from './cluster.js'
 * @import { Source } from './inputs.js'
 * @import { Host } from './main.js'
 * @import { MadeUpHere, Missing } from '../check/types.js'
 * @import { ManifestNamespace } from './namespace.js'
 */

/** Kinds whose capacity can be measured. */
const CANDIDATES = new Set(['Pod', ...WORKLOAD_KINDS]);

/**
 * `stowage capacity`: reports how many more pods of one kind fit.
 * @param {CapacityOptions} options
 * @param {Host} host
 * @returns {Promise<number>} the exit code
 */
export async function capacity(options, host) {
  const progress = new Progress(host.stderr, options);
  try {
    const configuration = await readConfiguration(options, host);
    const sources = await readClusterSources(options.cluster, options, { host, progress });
    const validation = new Validation(options.validate);
    const namespace = await manifestNamespace(options, host, { isOnly: true });
    const { candidate, source, rest } = candidateIn(
      await readSources(options.files, options, host),
      { validation, namespace },
    );
    const cluster = readInput([...sources, ...rest], announcing(progress), options);
    const read = [...validation.warnings(), ...cluster.warnings];
    sayWarnings({ warnings: read }, host);
    requireNodes(cluster, options.cluster, options);
    const { pod, others } = templateIn(cluster, { candidate, source }, options);
    const engine = await host.loadEngine();
    const { kubernetesVersion } = engine;
    const schedulerOptions = schedulerOptionsOf(cluster, configuration, options);
    const scheduler = createScheduler(engine, schedulerOptions, configuration);
    try {
      const taken = podNamesIn(cluster);
      applyCluster(scheduler, cluster);
      applyCluster(scheduler, { ...cluster, batches: [{ name: source, objects: others }] });
      /** @type {Map<string, KubernetesObject>} */
      const clones = new Map();
      const found = await measureCapacity(scheduler, pod, {
        nodes: nodesOf(cluster),
        isTaken: (name) => taken.has(name),
        atMost: options.maxLimit,
        progress: (count) => progress.announce(`counting: ${count}`),
        onPlaced: (clone) => clones.set(podKeyOf(clone), clone),
      });
      progress.clear();
      const { schedulerNames } = configuration;
      const batches = [...cluster.batches, { name: source, objects: others }];
      const missing = missingIn({ ...cluster, batches }, { schedulerNames, asked: [pod] });
      const added = [{ source, object: candidate, pods: [...clones.keys()] }];
      const overQuota = quotaWarnings(cluster.read, added, { pods: clones, replaced: [] });
      sayWarnings({ warnings: overQuota }, host);
      const warnings = [...read, ...overQuota];
      const madeUp = madeUpIn({ scheduler, cluster });
      const details = { kubernetesVersion, missing, madeUp, warnings, candidate };
      host.stdout.write(formatCapacity(found, details, options, host));
      if (!options.quiet) for (const line of madeUpLines(madeUp)) say(host.stderr, line);
      return (
        printMissing(missing, options, host) ??
        (found.total >= options.atLeast ? EXIT.yes : EXIT.no)
      );
    } finally {
      scheduler.dispose();
    }
  } finally {
    progress.clear();
  }
}

/**
 * @param {Cluster} cluster
 * @param {KubernetesObject} candidate
 * @throws {InputError | ApiError} if no pod can be created from it
 */
function admittedIn({ context }, candidate) {
  const made = templateOf(candidate, context);
  if (made.pod !== candidate) withCheckedPriorities([made.pod], context);
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
 * Returns the one object to measure, and the files with all others.
 * @param {Source[]} sources
 * @param {{ validation: Validation, namespace: ManifestNamespace }} rules
 * @returns {{ candidate: KubernetesObject, source: string, rest: Source[] }}
 * @throws {BadInputError}
 */
function candidateIn(sources, { validation, namespace }) {
  /** @type {string[]} */
  const problems = [];
  const files = sources.map((source) => {
    const { name, text } = source;
    const report = (/** @type {InputError} */ error) => problems.push(describeProblem(name, error));
    const objects = inNamespace(parse(text, { onError: report }), namespace, report);
    return { name, objects: validation.of(objects, { source, isManifest: true, report }) };
  });
  if (problems.length > 0) throw new BadInputError(problems);
  const isCandidate = ({ kind = '' }) => CANDIDATES.has(kind);
  const found = files.flatMap(({ name, objects }) =>
    objects.filter(isCandidate).map((candidate) => ({ candidate, source: name })),
  );
  if (found.length !== 1) {
    const names = files.map(({ name }) => name).join(', ');
    const count = found.length === 0 ? 'no pod' : `${found.length} pods and workloads`;
    throw new BadInputError([`${names}: there is ${count}; one is expected`]);
  }
  const rest = files.map(({ name, objects }) => {
    const items = objects.filter((object) => !isCandidate(object));
    const text = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
    return { name, text, bytes: new TextEncoder().encode(text) };
  });
  return { ...found[0], rest };
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

/** @param {KubernetesObject} candidate */
function modelOf(candidate) {
  const { kind = '' } = candidate;
  const name = podKeyOf(candidate);
  return kind === 'Pod' ? name : `those of ${kind.toLowerCase()} ${name}`;
}

/** @param {Capacity} found */
function nextLine({ stoppedBy, message }) {
  if (stoppedBy === 'LimitReached') return 'more may fit: counting stopped at --max-limit';
  return `the next: ${message || stoppedBy}`;
}
