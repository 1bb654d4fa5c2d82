/** Completes hand-written objects, as the API server would have stored them. */
import { podAdmission } from '../../kubernetes/admission/pod_admission.js';
import { isToBeNamed, withDefaults } from '../../kubernetes/defaults.js';
import { isWorkload } from '../../kubernetes/kinds.js';
import { Owners } from '../../kubernetes/owners.js';
import { schedulerNameOf } from '../../kubernetes/pod_defaults.js';
import { inheritPosition } from '../../manifests/positions.js';
import { admissionLists, withCheckedPriorities } from './admission.js';
import { admitted } from '../../kubernetes/api_error.js';
import { lacksScheduler } from './manifests.js';

/**
 * @import { ExpandContext, KubernetesObject } from '../../kubernetes/types.js'
 * @import { RefusedClasses } from './refused_classes.js'
 */

/**
 * Returns the function that completes the objects of an input. Each with only a `generateName` gets
 * a unique name; a hand-written workload that is also stored in the input keeps the uid that its
 * pods refer to.
 * @param {KubernetesObject[]} all
 * @param {ExpandContext} context
 * @param {{ refusals: Map<KubernetesObject, string>, unstored: Set<KubernetesObject>,
 *   refusedClasses: RefusedClasses }} found `refusals` gets the pods that admission refuses,
 *   `unstored` the objects that no server stored; pods of `refusedClasses` are not admitted
 * @returns {(object: KubernetesObject, file: { isManifest: boolean }) => KubernetesObject}
 */
export function completer(all, context, { refusals, unstored, refusedClasses }) {
  /** @type {Owners | undefined} */
  let owners;
  const admit = podAdmission(admissionLists(all));
  let count = 0;
  return (object, { isManifest }) => {
    if (isToBeNamed(object)) count += 1;
    const stored = withDefaults(object, { ...context, count });
    if (stored === object) return lacksScheduler(object) ? withScheduler(object) : object;
    if (isWorkload(stored)) {
      owners ??= new Owners(all);
      stored.metadata.uid = owners.uidOf(stored) ?? stored.metadata.uid;
    }
    const { made = stored, refusal } = admitted(() => {
      if (refusedClasses.reasonOf(stored) !== undefined) return stored;
      if (isManifest) withCheckedPriorities([stored], context);
      return admit(stored);
    });
    if (refusal !== undefined) refusals.set(made, refusal);
    unstored.add(made);
    inheritPosition(made, object);
    return made;
  };
}

/** @param {KubernetesObject} pod @returns {KubernetesObject} */
function withScheduler(pod) {
  const named = { ...pod, spec: { ...pod.spec, schedulerName: schedulerNameOf(pod.spec) } };
  inheritPosition(named, pod);
  return named;
}
