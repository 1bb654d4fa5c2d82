import { documentsOf, DEPTH_MAX, tooDeep } from '../documents/documents.js';
import { isList, listItems } from '../engine/batch.js';
import { BatchError, InputError } from '../kubernetes/errors.js';
import { toPodGroupVersion } from '../kubernetes/later_pod_groups.js';
import { toCurrentVersion } from '../kubernetes/old_device_versions.js';
import { isDeeperThan } from '../kubernetes/values.js';
import { setOrigin } from './positions.js';

/**
 * @import { Origin, Step } from '../documents/documents.js'
 * @import { KubernetesObject } from '../kubernetes/types.js'
 */

/**
 * `onList` is called for each List of a single kind: with Pod for a PodList; `onConverted` for each
 * object of another version, converted; `onRelease` for each List that names its release, and
 * `onReduced` for each whose objects lack fields, as a snapshot does. `reduced` returns what is
 * kept of an object that is read from bytes.
 * @typedef {{ onError?: (error: InputError) => void, onList?: (kind: string) => void, onConverted?:
 *   (object: KubernetesObject) => void, onRelease?: (version: string) => void, onReduced?: () =>
 *   void, reduced?: (object: KubernetesObject) => KubernetesObject }} ParseOptions
 */

/**
 * What has been read so far.
 * @typedef {Required<Omit<ParseOptions, 'onError'>> & { objects: KubernetesObject[], errors:
 *   InputError[] }} Found
 */

/** The maximum length of a wrong value in a message: characters. */
const BRIEF = 100;

/**
 * Reads manifests: YAML or JSON, any number of documents, Lists taken apart (including the bare
 * NodeList or PodList of the API, whose items have no kind). YAML is read as kubectl does, in
 * version 1.1 without times and base-60 numbers; of duplicate keys the last wins. Objects of
 * resource.k8s.io/v1beta1 and v1beta2 become those of v1, PodGroups and Workloads of
 * scheduling.k8s.io/v1alpha3 and v1beta1 those of v1alpha2.
 * @param {string} text
 * @param {Omit<ParseOptions, 'reduced'>} [options]
 * @returns {KubernetesObject[]} in the order of the text
 * @throws {BatchError} if documents cannot be read and there is no `onError`; `result` holds the
 *   objects of the others
 */
export function parse(text, options) {
  return settled(read(text, options), options);
}

/**
 * Reports or throws the errors of a reading.
 * @param {Found} found
 * @param {ParseOptions} [options]
 * @returns {KubernetesObject[]}
 * @throws {BatchError} as `parse`
 */
export function settled({ objects, errors }, { onError } = {}) {
  if (onError) errors.forEach(onError);
  else if (errors.length > 0) throw new BatchError(errors, objects);
  return objects;
}

/**
 * @param {ParseOptions} options
 * @returns {Found}
 */
export function nothingYet({ onList, onConverted, onRelease, onReduced, reduced }) {
  const ignore = () => {};
  return {
    objects: [],
    errors: [],
    onList: onList ?? ignore,
    onConverted: onConverted ?? ignore,
    onRelease: onRelease ?? ignore,
    onReduced: onReduced ?? ignore,
    reduced: reduced ?? ((object) => object),
  };
}

/**
 * @param {string} text
 * @param {ParseOptions} [options]
 * @returns {Found}
 */
export function read(text, options = {}) {
  const found = nothingYet({ ...options, reduced: undefined });
  for (const { value, error, origin } of documentsOf(text)) {
    if (error) found.errors.push(error);
    else collect(value, origin, found);
  }
  return found;
}

/**
 * @param {KubernetesObject} list
 * @param {Found} found
 */
export function announce({ kind, kubernetesVersion, reduced }, { onList, onRelease, onReduced }) {
  if (kind && kind !== 'List') onList(kind.slice(0, -'List'.length));
  if (typeof kubernetesVersion === 'string') onRelease(kubernetesVersion);
  if (reduced === true) onReduced();
}

/**
 * Returns a value that is not an object, as JSON, truncated.
 * @param {unknown} value
 */
function brief(value) {
  const text = JSON.stringify(value);
  return text.length > BRIEF ? `${text.slice(0, BRIEF)}…` : text;
}

/**
 * @param {unknown} value
 * @param {Origin} origin
 * @param {Found} found
 */
export function collect(value, origin, found) {
  const { objects, errors, onConverted, reduced } = found;
  const { lines, document, path, find } = origin;
  const where = () => ({ document, ...lines.positionOf(find(path)) });
  /** @param {any[]} items @param {Step[]} prefix */
  const collectItems = (items, prefix) =>
    items.forEach((item, index) =>
      collect(item, { ...origin, path: [...path, ...prefix, index] }, found),
    );
  if (path.length > DEPTH_MAX) {
    errors.push(tooDeep(where()));
  } else if (isList(value)) {
    announce(value, found);
    collectItems(listItems(value), ['items']);
  } else if (Array.isArray(value)) {
    collectItems(value, []);
  } else if (typeof value === 'object' && value !== null) {
    if (isDeeperThan(value, DEPTH_MAX)) errors.push(tooDeep(where()));
    else {
      const given = /** @type {KubernetesObject} */ (value);
      const object = toPodGroupVersion(toCurrentVersion(given));
      const kept = reduced(object);
      setOrigin(kept, origin);
      objects.push(kept);
      if (object !== value) onConverted(object);
    }
  } else if (path.length > 0 || (value !== null && value !== undefined)) {
    // An empty document is skipped, but an empty item of a List is an error.
    const hint = typeof value === 'string' ? '; kubectl prints objects with -o json' : '';
    const detail = `an object is expected, not ${brief(value)}${hint}`;
    errors.push(new InputError({ code: 'FieldValueTypeInvalid', detail, ...where() }));
  }
}
