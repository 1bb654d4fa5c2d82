/** The namespace of manifests that name none, as kubectl has it. */
import { isNamespaced } from '../kubernetes/defaults.js';
import { InputError, StowageError } from '../kubernetes/errors.js';
import { namePositionOf } from '../manifests/positions.js';
import { kubeconfigNamespace } from '../runtimes/node/kubeconfig_namespace.js';
import { isRecord } from '../kubernetes/values.js';
import { BadInputError } from './problems.js';

/**
 * @import { KubernetesObject } from '../kubernetes/types.js'
 * @import { Host } from './main.js'
 */

/**
 * Where manifests go that name no namespace; `isOnly`: others may not name another one.
 * @typedef {{ name: string, isOnly: boolean }} ManifestNamespace
 */

/**
 * That of the flag, else of the kubeconfig's context, else `default`.
 * @param {{ namespace?: string, kubeconfig?: string, context?: string }} options
 * @param {Host} host
 * @param {{ isOnly: boolean }} rule whether the flag forbids other namespaces
 * @returns {Promise<ManifestNamespace>}
 * @throws {BadInputError} when the kubeconfig cannot be read
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
 * Puts the objects of one file that name no namespace into one, those that a server stored apart.
 * @param {KubernetesObject[]} objects as they were parsed; they are changed
 * @param {ManifestNamespace} namespace
 * @param {(error: InputError) => void} tell gets what names another one, which then is left out
 * @returns {KubernetesObject[]}
 */
export function inNamespace(objects, { name, isOnly }, tell) {
  return objects.filter((object) => {
    const metadata = object.metadata ?? {};
    if (!isRecord(metadata) || !isNamespaced(object)) return true;
    if (metadata.namespace && isOnly && metadata.namespace !== name) {
      tell(otherNamespace(object, name));
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
