import { InputError } from '../../kubernetes/errors.js';
import { positionOf } from '../../manifests/positions.js';

/** @import { KubernetesObject } from '../../kubernetes/types.js' */

/**
 * Applies a function to an object; reports its InputError with the position of the object.
 * @param {(object: KubernetesObject) => KubernetesObject[]} make
 * @param {(error: InputError) => void} report
 * @returns {(object: KubernetesObject) => KubernetesObject[]}
 */
export function guarded(make, report) {
  return (object) => {
    try {
      return make(object);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      report(new InputError({ ...error.toJSON(), ...positionOf(object, error.field) }));
      return [];
    }
  };
}
