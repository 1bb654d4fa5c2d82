/** Refuses objects that the API server would not create, whatever its admission lists say. */
import { invalidValue } from '../kubernetes/field_errors.js';
import { namespaceOf } from '../kubernetes/keys.js';
import { resourceOf } from '../kubernetes/kinds.js';
import { labelValueFaults, subdomainFaults } from '../kubernetes/names.js';
import { checkNotTerminating, isTerminating } from '../kubernetes/admission/namespace_lifecycle.js';
import { invalid } from '../kubernetes/status_errors.js';
import { LABELS_OF_NAMES } from '../kubernetes/workloads/template_pods.js';
import { isPod } from '../kubernetes/workloads/pods.js';

/** @import { KubernetesObject } from '../kubernetes/types.js' */

/** Creation in the namespaces of a cluster. */
export class Creation {
  #namespaceNamed;

  /** @param {(name: string) => KubernetesObject | undefined} namespaceNamed of the cluster */
  constructor(namespaceNamed) {
    this.#namespaceNamed = namespaceNamed;
  }

  /** @param {KubernetesObject[]} objects of the cluster */
  static among(objects) {
    const namespaces = objects.filter(({ kind }) => kind === 'Namespace');
    const byName = new Map(namespaces.map((one) => [String(one.metadata?.name), one]));
    return new Creation((name) => byName.get(name));
  }

  /**
   * @param {KubernetesObject} object a written one
   * @param {() => boolean} isStored whether the cluster has an object of this identity, so that the
   *   written one changes it
   * @throws {import('../kubernetes/api_error.js').ApiError} Forbidden if it is created in a
   *   namespace that is being deleted; there it may still be changed
   */
  check(object, isStored) {
    const namespace = this.#endingNamespaceOf(object);
    if (namespace && !isStored()) refuse(object, namespace);
  }

  /**
   * Returns what a controller makes for a workload, after checking it.
   * @param {KubernetesObject[]} made
   * @param {KubernetesObject} workload
   * @returns {KubernetesObject[]}
   * @throws {import('../kubernetes/api_error.js').ApiError} Forbidden in a namespace that is being
   *   deleted; Invalid if a name or a label that the controller derives from the workload's name
   *   is too long
   */
  checked(made, workload) {
    const isNamed = subdomainFaults(String(workload.metadata?.name)).length === 0;
    for (const object of made) {
      const namespace = this.#endingNamespaceOf(object);
      if (namespace) refuse(object, namespace);
      if (isNamed) checkDerivedNames(object);
    }
    return made;
  }

  /** @param {KubernetesObject} object @returns {KubernetesObject | undefined} */
  #endingNamespaceOf(object) {
    if (!resourceOf(object)?.namespaced) return undefined;
    const namespace = this.#namespaceNamed(namespaceOf(object));
    return namespace && isTerminating(namespace) ? namespace : undefined;
  }
}

/**
 * @param {KubernetesObject} object
 * @param {KubernetesObject} namespace
 */
function refuse(object, namespace) {
  const resource = /** @type {import('../kubernetes/kinds.js').Resource} */ (resourceOf(object));
  checkNotTerminating(namespace, resource, object.metadata.name);
}

/**
 * Labels of templates are those of the user; the API server cuts the names that it generates for
 * pods.
 * @param {KubernetesObject} made
 */
function checkDerivedNames(made) {
  const { kind = '', metadata } = made;
  const names = isPod(made) ? [] : [metadata.name];
  const labels = Object.entries(metadata.labels ?? {}).filter(([key]) => LABELS_OF_NAMES.has(key));
  const errors = [
    ...names.flatMap((name) =>
      subdomainFaults(name).map((fault) => invalidValue('metadata.name', name, fault)),
    ),
    ...labels.flatMap(([, value]) =>
      labelValueFaults(value).map((fault) => invalidValue('metadata.labels', value, fault)),
    ),
  ];
  if (errors.length > 0)
    throw invalid({ group: resourceOf(made)?.group ?? '', kind }, metadata.name, errors);
}
