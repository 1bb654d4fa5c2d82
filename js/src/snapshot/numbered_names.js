/** The numbers in names that controllers and commands count. */
import { controllerOf, NAME_WITH_MINUTE } from '../kubernetes/owners.js';

/**
 * @import { KubernetesObject } from '../kubernetes/types.js'
 * @import { MadeUpNames } from './names.js'
 */

/** A name with a number, such as an ordinal. */
const NUMBERED = /^(.+)-(\d+)$/;

/**
 * Keeps the numbers of pods that are named after their controller or StatefulSet, and the minutes
 * of Jobs that may be runs of a CronJob.
 * @param {readonly KubernetesObject[]} objects
 * @param {MadeUpNames} names
 */
export function keepNumbers(objects, names) {
  const sets = new Set(objects.filter(({ kind }) => kind === 'StatefulSet').map(nameOf));
  for (const object of objects) {
    const owner = controllerOf(object);
    const [, base, number] = NUMBERED.exec(nameOf(object)) ?? [];
    if (object.kind === 'Pod' && number && (base === owner?.name || sets.has(base)))
      names.keepsNumberOf(nameOf(object));
    if (object.kind === 'Job') keepMinute(nameOf(object), names);
    if (owner?.kind === 'Job') keepMinute(String(owner.name), names);
  }
}

/**
 * @param {string} job
 * @param {MadeUpNames} names
 */
function keepMinute(job, names) {
  if (NAME_WITH_MINUTE.test(job)) names.keepsNumberOf(job);
}

/** @param {KubernetesObject} object @returns {string} */
function nameOf({ metadata }) {
  return String(metadata?.name);
}
