/** An object of the cluster as a text, and the changes that the user made in it. */
import { stringify } from 'yaml';

import { isRecord } from '../../../js/src/kubernetes.js';
import { parse } from '../../../js/src/manifests.js';
import { objectProblems } from './objects.js';
import { hasErrors, inOrder, problem, problemsOf } from './problems.js';
import { refusals } from './trial.js';

/**
 * @import { ApiServer } from '../../../js/apiserver/index.js'
 * @import { KubernetesObject } from '../../../js/src/index.js'
 * @import { Action } from '../world/world.js'
 * @import { Problem } from './problems.js'
 */

/** @typedef {Extract<Action, { do: 'patch' }>} Patch */

/**
 * The object's YAML, without the fields that the API server sets itself.
 * @param {KubernetesObject} object
 */
export function objectText({ apiVersion, kind, metadata, ...rest }) {
  const { managedFields: _kept, ...own } = metadata;
  return stringify({ apiVersion, kind, metadata: own, ...rest });
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

/**
 * Merge patches that turn one object into the other. Status has its own patch if the kind has the
 * status subresource.
 * @param {KubernetesObject} before
 * @param {KubernetesObject} after
 * @returns {Patch[]}
 */
export function patchesOf(before, after) {
  const { apiVersion = '', kind = '', metadata } = before;
  const { namespace, name } = metadata;
  const object = { apiVersion, kind, ...(namespace && { namespace }), name };
  const { status, ...patch } = difference(before, after) ?? {};
  /** @type {Patch[]} */
  const patches = [];
  if (Object.keys(patch).length > 0) patches.push({ do: 'patch', object, patch });
  if (status !== undefined)
    patches.push({ do: 'patch', object, patch: { status }, subresource: 'status' });
  return patches;
}

/**
 * @param {any} before
 * @param {any} after
 * @returns {any} undefined: they are equal
 */
function difference(before, after) {
  if (!isRecord(before) || !isRecord(after))
    return JSON.stringify(before) === JSON.stringify(after) ? undefined : after;
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...keys].flatMap((key) => {
    const value = key in after ? difference(before[key], after[key]) : null;
    return value === undefined ? [] : [[key, value]];
  });
  return changed.length > 0 ? Object.fromEntries(changed) : undefined;
}
