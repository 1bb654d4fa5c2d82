import { appliedObject } from '../../../apiserver/index.js';
import { parseSingle } from '../../documents/documents.js';
import { InputError } from '../../kubernetes/errors.js';
import { unfolded } from '../../manifests/gangs/unfold.js';
import { parseInput } from '../../manifests/parse_input.js';
import { positionOf } from '../../manifests/positions.js';
import { changesIn } from '../../whatif/changes.js';
import { whatIf } from '../../whatif/what_if.js';
import { readCluster } from '../cluster/cluster.js';
import { jsonText, yamlText } from '../terminal/documents.js';
import { validationWarnings } from '../simulation/engine_faults.js';
import { guarded } from '../cluster/guarded.js';
import { readSource, readSources } from '../input/inputs.js';
import { sayLeftAside } from '../cluster/left_aside.js';
import { refusalsIn } from '../../whatif/named_nodes.js';
import { inNamespace, manifestNamespace } from '../cluster/namespace.js';
import { inPresent, readPresent } from '../simulation/present.js';
import { BadInputError, describeProblem, EXIT, Problems } from '../terminal/problems.js';
import { formatTable, painter } from '../terminal/terminal.js';
import { isClassKind } from '../cluster/refused_classes.js';
import { Validation } from '../cluster/validation.js';
import { sayWarnings } from '../cluster/admission.js';

/**
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { Cluster } from '../cluster/cluster.js'
 * @import { Source } from '../input/inputs.js'
 * @import { Host } from '../host.js'
 * @import { StoredVersions } from '../cluster/validation.js'
 * @import { GivenChange } from './change_flags.js'
 * @import { ReadSources } from '../simulation/simulation.js'
 * @import { WhatIfOptions } from './arguments.js'
 * @import { PodChange, WhatIfSummary } from '../../whatif/what_if.js'
 */

/** @typedef {Awaited<ReturnType<typeof whatIf>>} Answer */

/** @typedef {import('../terminal/terminal.js').Color} Color */

/** The words of the first line, for one pod and for several. @type {[keyof WhatIfSummary, string,
 *   string, Color?][]} */
const WORDS = [
  ['waits', 'loses its node and waits', 'lose their nodes and wait', 'red'],
  ['newWaits', 'new pod waits', 'new pods wait', 'red'],
  ['moves', 'moves', 'move'],
  ['placed', 'gets a node', 'get nodes', 'green'],
  ['returns', 'returns to its node', 'return to their nodes'],
  ['ends', 'ends', 'end'],
  ['preempted', 'is preempted', 'are preempted', 'yellow'],
  ['stillWaits', 'still waits', 'still wait'],
];

/**
 * `stowage whatif`: reports what becomes of the pods after changes.
 * @param {WhatIfOptions} options
 * @param {Host} host
 * @returns {Promise<number>} the exit code
 */
export async function whatif(options, host) {
  const input = await readPresent(options, host);
  /** @type {GivenChange[]} */
  let given = [];
  const prepare = async (/** @type {Cluster} */ { stored }) => {
    given = await givenChanges(options, host, { present: input.read, stored });
    const applied = given.flatMap(({ change }) => (change.type === 'apply' ? change.object : []));
    sayLeftAside(applied, options, host);
  };
  const command = { options, host, prepare };
  return inPresent(input, command, async (present) => {
    const { scheduler, population, cluster, progress } = present;
    try {
      const changes = given.map(({ change }) => change);
      const answer = await whatIf(scheduler, changes, {
        objects: cluster.read,
        ...(cluster.listed.has('DaemonSet') && { knowsDaemonSets: true }),
        population,
        merge: appliedObject,
        refusals: (future) => refusalsIn(future, cluster.context, present),
        progress: (step) => progress.announce(step),
      });
      progress.clear();
      host.stdout.write(formatAnswer(answer, options, host));
      const { waits, newWaits } = answer.summary;
      return waits + newWaits > 0 ? EXIT.no : EXIT.yes;
    } catch (error) {
      throw withOrigin(error, given);
    }
  });
}

/**
 * Returns the changes of the files and flags, after their objects were validated.
 * @param {WhatIfOptions} options
 * @param {Host} host
 * @param {{ present: ReadSources, stored: StoredVersions }} cluster
 * @returns {Promise<GivenChange[]>}
 * @throws {BadInputError}
 */
async function givenChanges(options, host, { present, stored }) {
  const validation = new Validation(options.validate, options);
  /** @type {GivenChange[]} */
  const found = [];
  for (const file of options.changeFiles) {
    const { name, text } = await readSource(file, host);
    const changes = changesOfText(name, text);
    if (changes.length === 0)
      throw new BadInputError([`${name}: changes: there is no change in it`]);
    changes.forEach((change, index) => found.push({ change, from: `${name}: changes[${index}]` }));
  }
  const warnings = validatedChanges(found, options, stored);
  const whole = unfoldedChanges(found).map(({ change, from }) => {
    if (change.type !== 'apply') return { change, from };
    return { change: { ...change, object: validation.enabled(change.object, stored) }, from };
  });
  const manifests = await readSources(options.applied, options, host);
  const applied = await appliedChanges(manifests, { options, host, validation, stored });
  const cluster = [...present.sources, ...(present.manifests ?? [])];
  const namespace = await manifestNamespace(options, host, { isOnly: false });
  const read = () => readCluster(cluster, { manifests, namespace, problems: new Problems() });
  warnings.push(...(await validationWarnings(validation, read, host)));
  sayWarnings({ warnings }, host);
  return [...whole, ...applied, ...options.given];
}

/**
 * @param {GivenChange[]} given
 * @returns {GivenChange[]} one for each object that a workload of another project unfolds to
 * @throws {BadInputError} if it cannot be unfolded
 */
function unfoldedChanges(given) {
  /** @type {string[]} */
  const problems = [];
  const whole = given.flatMap(
    /** @returns {GivenChange[]} */ ({ change, from }) => {
      if (change.type !== 'apply') return [{ change, from }];
      const report = (/** @type {InputError} */ error) =>
        problems.push(describeProblem(from, error));
      const objects = guarded(unfolded, report)(change.object);
      return objects.map((object) => ({ change: { ...change, object }, from }));
    },
  );
  if (problems.length > 0) throw new BadInputError(problems);
  return whole;
}

/**
 * Validates the objects that documents of changes apply.
 * @param {GivenChange[]} given
 * @param {WhatIfOptions} options
 * @param {StoredVersions} stored
 * @returns {string[]} warnings; none of values that cannot be decoded, which the engine refuses
 * @throws {BadInputError} with the faults that reject an object
 */
function validatedChanges(given, options, stored) {
  const { validate } = options;
  const mode = validate === 'ignore' ? 'ignore' : 'strict';
  const validation = new Validation(mode, options);
  /** @type {string[]} */
  const problems = [];
  /** @type {string[]} */
  const warnings = [];
  for (const { change, from } of given) {
    if (change.type !== 'apply') continue;
    const { object } = change;
    const report = (/** @type {InputError} */ error) => {
      const isUndecodable = error.code === 'FieldValueTypeInvalid';
      const isFatal = error.code === 'UnknownKind' || (isUndecodable && isClassKind(object.kind));
      if (validate !== 'warn' || isFatal) problems.push(faultOfApplied(from, error, object));
      else if (!isUndecodable) warnings.push(`${from}: ${error.message}`);
    };
    const source = { name: from, bytes: new Uint8Array(), text: '' };
    const objects = inNamespace([object], { name: 'default', isOnly: false }, report);
    validation.of(objects, { source, isManifest: true, stored, report });
  }
  if (problems.length > 0) throw new BadInputError(problems);
  return warnings;
}

/**
 * @param {string} name
 * @param {string} text
 */
function changesOfText(name, text) {
  try {
    return changesIn(parseSingle(text));
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { field, detail, message, line, column } = error;
    const where = line === undefined ? '' : `line ${line}, column ${column ?? 1}: `;
    throw new BadInputError([`${name}: ${where}${field ? `${field}: ` : ''}${detail ?? message}`]);
  }
}

/**
 * Returns the objects of `--apply` as changes.
 * @param {Source[]} manifests
 * @param {{ options: WhatIfOptions, host: Host, validation: Validation, stored: StoredVersions }}
 *   parts
 * @returns {Promise<GivenChange[]>}
 * @throws {BadInputError}
 */
async function appliedChanges(manifests, { options, host, validation, stored }) {
  /** @type {string[]} */
  const problems = [];
  const namespace = await manifestNamespace(options, host, { isOnly: false });
  const changes = manifests.flatMap((source) => {
    const { name, text } = source;
    const report = (/** @type {InputError} */ error) => problems.push(describeProblem(name, error));
    const objects = inNamespace(parseInput(text, { onError: report }), namespace, report);
    return validation
      .of(objects, { source, isManifest: true, stored, report })
      .flatMap(guarded(unfolded, report))
      .map((object) => ({ change: { type: /** @type {const} */ ('apply'), object }, from: name }));
  });
  if (problems.length > 0) throw new BadInputError(problems);
  if (manifests.length > 0 && changes.length === 0)
    throw new BadInputError(manifests.map(({ name }) => `${name}: there is no object in it`));
  return changes;
}

/**
 * Lets an error name the flag or the file of its change.
 * @param {unknown} error
 * @param {GivenChange[]} given
 */
function withOrigin(error, given) {
  if (!(error instanceof InputError) || error.kind !== 'Changes') return error;
  const [, index, field] = /^changes\[(\d+)\]\.?(.*)$/.exec(error.field ?? '') ?? [];
  if (index === undefined) return error;
  const { from, change } = given[Number(index)];
  if (change.type === 'apply' && error.cause instanceof InputError)
    return new BadInputError([faultOfApplied(from, error.cause, change.object)]);
  return new BadInputError([[from, field, error.detail].filter(Boolean).join(': ')]);
}

/**
 * Describes an error about an applied object, or about a pod of its template, in one line.
 * @param {string} file
 * @param {InputError} error
 * @param {KubernetesObject} object
 */
function faultOfApplied(file, error, object) {
  const { kind, field = '' } = error;
  const isInTemplate = kind === 'Pod' && object.kind !== 'Pod';
  const position = positionOf(object, isInTemplate ? `spec.template.${field}` : field);
  return describeProblem(file, new InputError({ ...error.toJSON(), ...position }));
}

/**
 * @param {Answer} answer
 * @param {WhatIfOptions} options
 * @param {Host} host
 */
function formatAnswer(answer, options, host) {
  if (options.output === 'json') return jsonText(answer);
  if (options.output === 'yaml') return yamlText(answer);
  const paint = painter(options.color, host);
  const parts = WORDS.flatMap(([name, one, many, color]) => {
    const count = answer.summary[name];
    if (count === 0) return [];
    const noun = name === 'newWaits' ? '' : count === 1 ? 'pod ' : 'pods ';
    const words = `${count} ${noun}${count === 1 ? one : many}`;
    return [color ? paint(words, color) : words];
  });
  const first = `${parts.join(', ') || 'no pod is affected'}\n`;
  if (options.quiet || answer.pods.length === 0) return first;
  const rows = answer.pods.map((one) => [
    one.pod,
    one.outcome,
    one.before?.node ?? '<none>',
    one.after.node ?? '<none>',
    messageOf(one),
  ]);
  const head = ['POD', 'OUTCOME', 'BEFORE', 'AFTER', 'MESSAGE'];
  const isBad = (/** @type {number} */ row) =>
    row > 0 && ['Waits', 'NewWaits'].includes(answer.pods[row - 1].outcome);
  const table = formatTable([head, ...rows], {
    headers: options.headers,
    paint: (text, row, column) => (column === 1 && isBad(row) ? paint(text, 'red') : text),
  });
  return `${first}\n${table}`;
}

/** @param {PodChange} change */
function messageOf({ before, after }) {
  const evicted = after.preemptedBy === undefined ? [] : [`preempted by ${after.preemptedBy}`];
  const waited = after.message === '' && before?.message ? [`before: ${before.message}`] : [];
  return [...evicted, after.message, ...waited].filter(Boolean).join('; ');
}
