/** Checks Kubernetes objects in a text: one document or many, including Lists. */
import { isRecord, resourceOf } from '../../../js/src/kubernetes.js';
import { parse, positionOf } from '../../../js/src/manifests.js';
import { fieldProblems } from './field_problems.js';
import { hasErrors, inOrder, problem, problemsOf } from './problems.js';
import { refusals } from './trial.js';
import { documentPlace } from './types.js';

/**
 * @import { ApiServer } from '../../../js/apiserver/index.js'
 * @import { KubernetesObject } from '../../../js/src/index.js'
 * @import { Problem } from './problems.js'
 */

/**
 * Problems that show without a request to the API server.
 * @param {KubernetesObject} object
 * @returns {Problem[]}
 */
export function objectProblems(object) {
  return identityProblems(object) ?? typeProblems(object);
}

/** @param {KubernetesObject} object */
function typeProblems(object) {
  return [...fieldProblems(documentPlace('objects', object))].map(({ field, severity, message }) =>
    problem(severity, message, positionOf(object, field)),
  );
}

/**
 * Problems of apiVersion and kind. Without them the types of the other fields are unknown.
 * @param {KubernetesObject} object
 * @returns {Problem[] | undefined}
 */
function identityProblems(object) {
  const { apiVersion, kind, metadata } = object;
  for (const [field, value] of Object.entries({ apiVersion, kind })) {
    if (typeof value !== 'string' || value === '')
      return [problem('error', `${field} is required`, positionOf(object, field))];
  }
  if (!resourceOf({ apiVersion, kind })) {
    const message = `no resource is served for ${kind} of ${apiVersion}`;
    return [problem('error', message, positionOf(object, 'kind'))];
  }
  // Every write to the API server needs metadata.
  if (!isRecord(metadata))
    return [problem('error', 'metadata is required', positionOf(object, 'metadata'))];
  return undefined;
}

/**
 * The problems because of which objects cannot be applied. Nothing is stored.
 * @param {string} text
 * @param {{ server?: ApiServer, now: number, mostTried?: number }} cluster without `server`, and
 *   for more objects than `mostTried`, the API server's own validation is skipped
 * @returns {Promise<{ objects: KubernetesObject[], problems: Problem[] }>}
 */
export async function checkObjects(text, { server, now, mostTried = Infinity }) {
  /** @type {Problem[]} */
  const problems = [];
  const objects = parse(text, { onError: (error) => problems.push(...problemsOf(error)) });
  const read = objects.map((object) => ({ object, own: objectProblems(object) }));
  problems.push(...read.flatMap(({ own }) => own));
  const sound = read.filter(({ own }) => !hasErrors(own)).map(({ object }) => object);
  if (!server || sound.length > mostTried) return { objects, problems: inOrder(problems) };
  const refused = await refusals(server, now, sound, {
    about: (object) => object,
    write: (writes, object) => writes.apply(object),
  });
  problems.push(...refused.flatMap(({ one, error }) => problemsOf(error, one)));
  return { objects, problems: inOrder(problems) };
}
