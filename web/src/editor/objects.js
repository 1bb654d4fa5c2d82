/** Kubernetes objects as a text: one document or many, Lists too. */
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
 * What can be said of an object without asking the API server.
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
 * Whether it says what it is; the rest has no types else.
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
  // What writes it looks there first.
  if (!isRecord(metadata))
    return [problem('error', 'metadata is required', positionOf(object, 'metadata'))];
  return undefined;
}

/**
 * What keeps objects from being applied: nothing is stored.
 * @param {string} text
 * @param {{ server?: ApiServer, now: number, mostTried?: number }} cluster `mostTried`: of more
 *   objects than these the API server is not asked, nor where there is none to be asked
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
