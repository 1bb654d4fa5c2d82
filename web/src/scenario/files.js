/**
 * Objects in a file next to the scenario, for lists that are too long to read in the scenario
 * itself.
 */
import { isRecord } from '../../../js/src/kubernetes.js';

/** @import { KubernetesObject } from '../../../js/src/index.js' */

/** Refuses paths that lead out of the folder. */
const NAME = /^[a-z0-9][a-z0-9-]*\.json$/;

/** @param {Record<string, unknown>} item of a list of objects */
export function isFile(item) {
  return 'file' in item;
}

/**
 * The files that a scenario names. Other errors in it are ignored here.
 * @param {KubernetesObject} document
 * @returns {string[]} without repetitions
 */
export function fileNames({ objects, steps }) {
  const lists = [objects, ...list(steps).map((step) => isRecord(step) && step.apply)];
  const names = lists
    .flatMap(list)
    .map((item) => (isRecord(item) && isFile(item) ? String(item.file) : ''))
    .filter((name) => NAME.test(name));
  return [...new Set(names)];
}

/** @param {unknown} value @returns {unknown[]} */
function list(value) {
  return Array.isArray(value) ? value : isRecord(value) ? [value] : [];
}
