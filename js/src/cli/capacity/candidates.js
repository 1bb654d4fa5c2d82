/** The pods to count: those of the manifests, one of each workload, as the cluster creates them. */
import { ApiError } from '../../kubernetes/api_error.js';
import { InputError } from '../../kubernetes/errors.js';
import { isWorkload } from '../../kubernetes/kinds.js';
import { Creation } from '../../manifests/creation.js';
import { parseInput } from '../../manifests/parse_input.js';
import { inheritPosition, positionOf } from '../../manifests/positions.js';
import { templateOf } from '../../whatif/capacity.js';
import { isUnknownClass, withCheckedPriorities } from '../cluster/admission.js';
import { inNamespace } from '../cluster/namespace.js';
import { hintsOn } from '../outcome/missing.js';
import { BadInputError, describeProblem } from '../terminal/problems.js';

/**
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { Cluster } from '../cluster/cluster.js'
 * @import { ManifestNamespace } from '../cluster/namespace.js'
 * @import { Validation } from '../cluster/validation.js'
 * @import { Source } from '../input/inputs.js'
 * @import { CapacityOptions } from './arguments.js'
 */

/**
 * A pod to count, and where it comes from.
 * @typedef {{ candidate: KubernetesObject, source: string }} Asked
 */

/**
 * A pod to count, and the objects that it needs.
 * @typedef {Asked & ReturnType<typeof templateOf>} Template
 */

/**
 * Returns the objects to measure, and the files with all others.
 * @param {Source[]} sources
 * @param {{ validation: Validation, namespace: ManifestNamespace, isSeveral: boolean }} rules
 * @returns {{ asked: Asked[], rest: Source[] }}
 * @throws {BadInputError}
 */
export function candidatesIn(sources, { validation, namespace, isSeveral }) {
  /** @type {string[]} */
  const problems = [];
  const files = sources.map((source) => {
    const { name, text } = source;
    const report = (/** @type {InputError} */ error) => problems.push(describeProblem(name, error));
    const objects = inNamespace(parseInput(text, { onError: report }), namespace, report);
    return { source, objects: validation.of(objects, { source, isManifest: true, report }) };
  });
  if (problems.length > 0) throw new BadInputError(problems);
  /** @param {KubernetesObject} object */
  const isCandidate = (object) => object.kind === 'Pod' || isWorkload(object);
  const asked = files.flatMap(({ source, objects }) =>
    objects.filter(isCandidate).map((candidate) => ({ candidate, source: source.name })),
  );
  if (asked.length === 0 || (asked.length > 1 && !isSeveral)) {
    const names = sources.map(({ name }) => name).join(', ');
    const count = asked.length === 0 ? 'no pod' : `${asked.length} pods and workloads`;
    const hint = asked.length === 0 ? '' : '; --ratio and --in-order count several together';
    throw new BadInputError([`${names}: there is ${count}; one is expected${hint}`]);
  }
  const rest = files.map(({ source, objects }) => {
    return { ...source, objects: objects.filter((object) => !isCandidate(object)) };
  });
  return { asked, rest };
}

/**
 * Returns the pod to measure. A pod stands for itself: with the name that it was given, if it has a
 * generateName.
 * @param {Cluster} cluster
 * @param {Asked} asked
 * @param {CapacityOptions} options
 * @returns {Template}
 * @throws {BadInputError}
 */
export function templateIn(cluster, { candidate, source }, options) {
  try {
    const { pod, others } = admittedIn(cluster, candidate);
    return { candidate: candidate.kind === 'Pod' ? pod : candidate, source, pod, others };
  } catch (error) {
    if (!(error instanceof InputError || error instanceof ApiError)) throw error;
    throw faultOf(error, { candidate, source }, { cluster, options });
  }
}

/**
 * Returns the error with the object's position, and a hint about missing objects of the cluster.
 * @param {InputError | ApiError} error
 * @param {Asked} asked
 * @param {{ cluster: Cluster, options: CapacityOptions }} context
 */
function faultOf(error, { candidate, source }, { cluster, options }) {
  const { field, ...fields } =
    error instanceof InputError ? error.toJSON() : { code: error.code, message: error.message };
  const placed = new InputError({ ...fields, field, ...positionOf(candidate, field) });
  const hints = isUnknownClass(placed) ? hintsOn(cluster, [placed], options) : [];
  return new BadInputError([describeProblem(source, placed)], hints);
}

/**
 * @param {Cluster} cluster
 * @param {KubernetesObject} candidate
 * @throws {InputError | ApiError} if no pod can be created from it
 */
function admittedIn({ context, read }, candidate) {
  const made = templateOf(candidate, context);
  Creation.among(read).checked([...made.others, made.pod], candidate);
  if (made.pod === candidate) return made;
  withCheckedPriorities([made.pod], context);
  inheritPosition(made.pod, candidate, candidate.kind === 'Pod' ? [] : ['spec', 'template']);
  return made;
}
