/** Determines the namespace of manifests without one, as kubectl does. */
import { isNamespaced } from '../../kubernetes/defaults.js';
import { InputError, StowageError } from '../../kubernetes/errors.js';
import { namePositionOf } from '../../manifests/positions.js';
import { kubeconfigNamespace } from '../../runtimes/node/kubeconfig_namespace.js';
import { isRecord } from '../../kubernetes/values.js';
import { BadInputError } from '../terminal/problems.js';

/**
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { Host } from '../host.js'
 */

/**
 * The namespace of manifests without one; `isOnly`: manifests may not name another one.
 * @typedef {{ name: string, isOnly: boolean }} ManifestNamespace
 */

/**
 * Returns the namespace of the flag, else of the kubeconfig's context, else `default`.
 * @param {{ namespace?: string, kubeconfig?: string, context?: string }} options
 * @param {Host} host
 * @param {{ isOnly: boolean }} rule whether the flag forbids other namespaces
 * @returns {Promise<ManifestNamespace>}
 * @throws {BadInputError} if the kubeconfig cannot be read
 */
export async function manifestNamespace({ namespace, kubeconfig, context }, { env }, { isOnly }) {
  if (namespace !== undefined) return { name: namespace, isOnly };
  try {
    const found = await kubeconfigNamespace(kubeconfig, { context, env });
    return { name: found ?? 'default', isOnly: false };
  } catch (error) {
    if (!(error instanceof StowageError)) throw error;
    throw new BadInputError([error.message]);
  }
}

/**
 * Sets the namespace of one file's objects that name none, except those that a server stored.
 * @param {KubernetesObject[]} objects as parsed; they are changed
 * @param {ManifestNamespace} namespace
 * @param {(error: InputError) => void} report gets the errors of objects that name another
 *   namespace, which are left out
 * @returns {KubernetesObject[]}
 */
export function inNamespace(objects, { name, isOnly }, report) {
  return objects.filter((object) => {
    const metadata = object.metadata ?? {};
    if (!isRecord(metadata) || !isNamespaced(object)) return true;
    if (metadata.namespace && isOnly && metadata.namespace !== name) {
      report(otherNamespace(object, name));
      return false;
    }
    if (!metadata.uid) object.metadata = { ...metadata, namespace: metadata.namespace || name };
    return true;
  });
}

/**
 * @param {KubernetesObject} object
 * @param {string} wanted
 */
function otherNamespace(object, wanted) {
  const { apiVersion, kind, metadata } = object;
  const { name, namespace } = metadata;
  const detail =
    `the namespace from the provided object "${namespace}" does not match the namespace ` +
    `"${wanted}". You must pass '--namespace=${namespace}' to perform this operation.`;
  const field = 'metadata.namespace';
  const position = namePositionOf(object, field);
  const fields = { code: 'FieldValueInvalid', apiVersion, kind, namespace, name, field, detail };
  return new InputError({ ...fields, ...position });
}
