/** Refuses objects that the API server would not create, whatever its admission lists say. */
import { invalidValue } from '../kubernetes/field_errors.js';
import { namespaceOf } from '../kubernetes/keys.js';
import { resourceOf } from '../kubernetes/kinds.js';
import { labelValueFaults, subdomainFaults } from '../kubernetes/names.js';
import { checkNotTerminating } from '../kubernetes/admission/namespace_lifecycle.js';
import { invalid } from '../kubernetes/status_errors.js';
import { LABELS_OF_NAMES } from '../kubernetes/workloads/template_pods.js';
import { isPod } from '../kubernetes/workloads/pods.js';

/** @import { KubernetesObject } from '../kubernetes/types.js' */

/** Creation in the namespaces of a cluster. */
export class Creation {
  #namespaces;

  /** @param {KubernetesObject[]} objects of the cluster */
  constructor(objects) {
    const namespaces = objects.filter(({ kind }) => kind === 'Namespace');
    this.#namespaces = new Map(namespaces.map((one) => [String(one.metadata?.name), one]));
  }

  /**
   * @param {KubernetesObject} object a new one
   * @throws {import('../kubernetes/api_error.js').ApiError} Forbidden in a namespace that is
   *   being deleted
   */
  check(object) {
    const resource = resourceOf(object);
    const namespace = this.#namespaces.get(namespaceOf(object));
    if (resource?.namespaced && namespace)
      checkNotTerminating(namespace, resource, object.metadata.name);
  }

  /**
   * Returns what a controller makes for a workload, after checking it.
   * @param {KubernetesObject[]} made
   * @param {KubernetesObject} workload
   * @returns {KubernetesObject[]}
   * @throws {import('../kubernetes/api_error.js').ApiError} Forbidden as `check`; Invalid if a
   *   name or a label that the controller derives from the workload's name is too long
   */
  checked(made, workload) {
    const isNamed = subdomainFaults(String(workload.metadata?.name)).length === 0;
    for (const object of made) {
      this.check(object);
      if (isNamed) checkDerivedNames(object);
    }
    return made;
  }
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
