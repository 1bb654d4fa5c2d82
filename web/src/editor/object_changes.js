/** An object of the cluster as a text, and the changes that the user made in it. */
import { stringify } from 'yaml';

import { parse, YAML_OPTIONS } from '../../../js/src/manifests.js';
import { patchesOf } from './merge_patches.js';
import { objectProblems } from './objects.js';
import { hasErrors, inOrder, problem, problemsOf } from './problems.js';
import { refusals } from './trial.js';

/**
 * @import { ApiServer } from '../../../js/apiserver/index.js'
 * @import { KubernetesObject } from '../../../js/src/index.js'
 * @import { Patch } from './merge_patches.js'
 * @import { Problem } from './problems.js'
 */

/**
 * The object's YAML, without the fields that the API server sets itself.
 * @param {KubernetesObject} object
 */
export function objectText({ apiVersion, kind, metadata, ...rest }) {
  const { managedFields: _kept, ...own } = metadata;
  return stringify({ apiVersion, kind, metadata: own, ...rest }, YAML_OPTIONS);
}

/**
 * @param {string} text
 * @param {string} base the object's text when editing began
 * @param {{ server?: ApiServer, now: number }} cluster without `server`, only the text is checked
 * @returns {Promise<{ patches: Patch[], problems: Problem[] }>}
 */
export async function checkChanges(text, base, { server, now }) {
  /** @type {Problem[]} */
  const problems = [];
  const objects = parse(text, { onError: (error) => problems.push(...problemsOf(error)) });
  const [before] = parse(base);
  if (problems.length === 0) problems.push(...identityProblems(objects, before));
  const [object] = objects;
  if (object) problems.push(...objectProblems(object));
  if (hasErrors(problems)) return { patches: [], problems: inOrder(problems) };
  const patches = patchesOf(before, object);
  if (!server) return { patches, problems: inOrder(problems) };
  const refused = await refusals(server, now, patches, {
    about: () => before,
    write: (writes, { object: reference, patch, subresource }) =>
      writes.patch(reference, patch, subresource),
  });
  problems.push(...refused.flatMap(({ error }) => problemsOf(error, object)));
  return { patches, problems: inOrder(problems) };
}

/**
 * The text must still identify the same object.
 * @param {KubernetesObject[]} objects
 * @param {KubernetesObject} before
 */
function identityProblems(objects, before) {
  if (objects.length !== 1) return [problem('error', 'one object is expected')];
  const [object] = objects;
  const same = (/** @type {KubernetesObject} */ { apiVersion, kind, metadata }) =>
    [apiVersion, kind, metadata?.namespace, metadata?.name].join(' ');
  if (same(object) === same(before)) return [];
  const { kind, metadata } = before;
  return [problem('error', `must stay ${kind} ${metadata.name}: others are made under Objects`)];
}
