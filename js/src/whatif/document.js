/**
 * Returns an answer as a versioned document: js/schema/whatif-v1.json.
 * @template {string} Kind
 * @template {object} Fields
 * @param {Kind} kind
 * @param {{ kubernetesVersion: string }} scheduler
 * @param {Fields} fields
 */
export function documentOf(kind, { kubernetesVersion }, fields) {
  return {
    apiVersion: /** @type {const} */ ('stowage/v1'),
    kind,
    kubernetesVersion,
    ...fields,
  };
}
