/** Validates manifests as kubectl's `--validate` does. */
import { featureGatesOf, objectFaults, updateFaults } from '../../../apiserver/index.js';
import { InputError } from '../../kubernetes/errors.js';
import {
  duplicateFieldsOf,
  inheritPosition,
  namePositionOf,
  positionOf,
} from '../../manifests/positions.js';
import { identityOf } from '../../kubernetes/owners.js';
import { noMatchFor } from '../../kubernetes/unserved.js';
import { isRecord } from '../../kubernetes/values.js';
import { ADMISSION_KINDS } from './admission.js';
import { didYouMean, namesNear } from '../terminal/near_names.js';
import { placeKey } from '../terminal/problems.js';
import { isClassKind } from './refused_classes.js';
import { counted } from '../terminal/terminal.js';

/**
 * @import { FeatureGates } from '../../../apiserver/index.js'
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { ValidationMode } from '../arguments/arguments.js'
 * @import { Source } from '../input/inputs.js'
 * @import { Problems } from '../terminal/problems.js'
 */

/** @typedef {{ file: string, error: InputError }} Fault */

/**
 * What the cluster has stored, by identity, and whether that lacks fields.
 * @typedef {ReadonlyMap<string, { object: KubernetesObject, isReduced: boolean }>} StoredVersions
 */

/**
 * Returns the objects of a cluster that a server has stored.
 * @param {import('./applied_manifests.js').ParsedFile[]} files
 * @returns {StoredVersions}
 */
export function storedIn(files) {
  const stored = new Map();
  for (const { objects, isManifest, isReduced } of files)
    for (const object of isManifest ? [] : objects)
      if (object.metadata?.uid) stored.set(identityOf(object), { object, isReduced });
  return stored;
}

/**
 * The gates whose fields stay: commands say of such a field that it has no effect, or ask what it
 * would do.
 */
const JUDGED_LATER = /** @type {const} */ ([
  'DRAWorkloadResourceClaims',
  'GenericWorkload',
  'MaxUnavailableStatefulSet',
  'TopologyAwareWorkloadScheduling',
  'WorkloadAwarePreemption',
]);

/**
 * Validation checks objects as kube-apiserver does on creation, or if the cluster has stored them
 * when they are applied: for unknown, duplicate, missing and invalid fields, for fields of the
 * wrong type, and for changes of immutable ones; those of unknown kinds for duplicate fields only.
 * A class of pods with a value that cannot be decoded is rejected in each mode: its pods would have
 * that value. Fields of features that are off are dropped, as kube-apiserver does without a word.
 */
export class Validation {
  #mode;
  #gates;
  /** The faults that reject no object. @type {Fault[]} */
  #faults = [];

  /**
   * @param {ValidationMode} mode
   * @param {{ featureGates?: Record<string, boolean>, kubernetesVersion?: string }} [cluster] the
   *   gates that differ from their default in the release
   */
  constructor(mode, { featureGates, kubernetesVersion } = {}) {
    this.#mode = mode;
    this.#gates = featureGatesOf(featureGates, kubernetesVersion);
  }

  /**
   * Returns the objects to use, without those of manifests that no release serves: with `strict`
   * those without faults, else all that can be read.
   * @param {KubernetesObject[]} objects of one file
   * @param {{ source: Source, isManifest: boolean, isAsked?: boolean, stored?: StoredVersions,
   *   report: (error: InputError) => void }} file objects with a uid in a file that is no manifest
   *   were stored and are not checked; without `isAsked` it is the cluster that manifests are
   *   applied to: the engine reports what it cannot read of it, and the kinds that it does not read
   *   are checked for such values; `stored`: what manifests are applied to; `report` gets the
   *   faults of rejected objects
   * @returns {KubernetesObject[]}
   */
  of(objects, { source, isManifest, isAsked = true, stored, report }) {
    const readable = objects.filter((object) => {
      const error = isClassKind(object.kind) ? undecodableIn(object) : undefined;
      if (error) report(error);
      return !error && this.#isServed(object, { source, isManifest, report });
    });
    const isStrict = this.#mode === 'strict' && isAsked;
    return readable.flatMap((object) => {
      if (!isManifest && object.metadata?.uid) return [object];
      const version = stored?.get(identityOf(object));
      const isChecked = isAsked || ADMISSION_KINDS.has(object.kind ?? '');
      const errors =
        this.#mode === 'ignore' || !isChecked
          ? []
          : errorsOf(object, this.#gates, version).filter(
              (error) => isAsked || isUndecodable(error),
            );
      if (isStrict) errors.forEach(report);
      else for (const error of errors) this.#faults.push({ file: source.name, error });
      return isStrict && errors.length > 0 ? [] : [this.enabled(object, stored)];
    });
  }

  /** The feature gates of the cluster. */
  get gates() {
    return this.#gates;
  }

  /**
   * Returns an object without the fields of features that are off.
   * @param {KubernetesObject} object
   * @param {StoredVersions} [stored] what it is applied to
   */
  enabled(object, stored) {
    const version = stored?.get(identityOf(object));
    const left = this.#gates.enabled(object, version?.object, JUDGED_LATER);
    if (left !== object) inheritPosition(left, object);
    return left;
  }

  /**
   * Whether the object can be used: in a version that no release serves it is no object that could
   * be applied, in each mode; elsewhere than in manifests it stays, with a warning.
   * @param {KubernetesObject} object
   * @param {{ source: Source, isManifest: boolean, report: (error: InputError) => void }} file
   */
  #isServed(object, { source, isManifest, report }) {
    const detail = noMatchFor(object);
    if (detail === undefined) return true;
    const fault = { code: 'UnknownKind', field: 'apiVersion', detail };
    const error = errorOf(object, { ...fault, ...namePositionOf(object, 'apiVersion') });
    if (isManifest) report(error);
    else this.#faults.push({ file: source.name, error });
    return !isManifest;
  }

  /** The files with values that cannot be decoded, which the engine may refuse, too. */
  get doubtful() {
    return new Set(
      this.#faults.filter(({ error }) => isUndecodable(error)).map(({ file }) => file),
    );
  }

  /**
   * Returns a line for each fault that rejects no object. Equal faults of objects of one file and
   * kind share a line, with a count.
   * @param {Problems} [problems] a value that one of these is about is not reported again
   */
  warnings(problems) {
    /** @type {Map<string, { line: string, more: number }>} */
    const lines = new Map();
    const places = problems?.places;
    for (const { file, error } of this.#faults) {
      if (isUndecodable(error) && places?.has(placeKey(file, error))) continue;
      const key = [file, error.kind, error.detail].join('\n');
      const known = lines.get(key);
      if (known) known.more += 1;
      else lines.set(key, { line: `${file}: ${placeOf(error)}${error.message}`, more: 0 });
    }
    return [...lines.values()].map(({ line, more }) =>
      more === 0 ? line : `${line} (and in ${counted(more, 'more object')})`,
    );
  }
}

/**
 * Whether an error is about a value that cannot be decoded. Its position is that of the value, as
 * in errors of the engine; others are at the name of the field.
 * @param {{ code: string }} error
 */
function isUndecodable({ code }) {
  return code === 'FieldValueTypeInvalid';
}

/**
 * Returns the error about the value of an object that cannot be decoded, if there is one.
 * @param {KubernetesObject} object
 */
export function undecodableIn(object) {
  return errorsOf(object, featureGatesOf()).find(isUndecodable);
}

/** @param {InputError} error */
function placeOf({ line }) {
  return line === undefined ? '' : `line ${line}: `;
}

/**
 * @param {KubernetesObject} object
 * @param {FeatureGates} gates
 * @param {{ object: KubernetesObject, isReduced: boolean }} [stored] the version that it changes
 * @returns {InputError[]}
 */
function errorsOf(object, gates, stored) {
  const ofUpdate = stored && updateFaults(object, stored.object, { ...stored, gates });
  const faults = ofUpdate ?? objectFaults(object, { gates }) ?? [];
  const twice = duplicateFieldsOf(object).map(({ field, position }) => {
    const detail = `strict decoding error: duplicate field "${field}"`;
    return { code: 'DuplicateField', field, detail, ...position };
  });
  const others = faults.map(({ code, field, message, siblings }) => {
    const name = field.slice(field.lastIndexOf('.') + 1);
    const hint = siblings ? didYouMean(namesNear(name, siblings)) : '';
    const position = isUndecodable({ code }) ? positionOf : namePositionOf;
    return { code, field, detail: message + hint, ...position(object, field) };
  });
  return [...twice, ...others].map((fault) => errorOf(object, fault));
}

/**
 * @param {KubernetesObject} object
 * @param {{ code: string, field: string, detail: string, line?: number, column?: number }} fault
 */
function errorOf({ apiVersion, kind, metadata }, fault) {
  const { namespace, name } = namesIn(metadata);
  const who = [kind, name && [namespace, name].filter(Boolean).join('/')].filter(Boolean).join(' ');
  const message = [who, fault.detail].filter(Boolean).join(': ');
  return new InputError({ apiVersion, kind, namespace, name, ...fault, message });
}

/**
 * Returns what names an object in messages; a template's `{{ … }}` for a name is a mapping in YAML.
 * @param {any} metadata
 * @returns {{ namespace?: string, name?: string }}
 */
function namesIn(metadata) {
  const { namespace, name } = isRecord(metadata) ? metadata : {};
  const textOf = (/** @type {unknown} */ value) => (typeof value === 'string' ? value : undefined);
  return { namespace: textOf(namespace), name: textOf(name) };
}
