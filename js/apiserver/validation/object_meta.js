/**
 * The metadata of all kinds.
 * Counterpart: apimachinery/pkg/api/validation/objectmeta.go, v1.36.
 */
import {
  forbiddenField,
  invalidValue,
  required,
  tooLong,
} from '../../src/kubernetes/field_errors.js';
import { FOREGROUND, ORPHAN } from '../object_meta.js';
import {
  dns1035Faults,
  labelKeyFaults,
  labelNameFaults,
  labelValueFaults,
  pathSegmentFaults,
  subdomainFaults,
} from '../../src/kubernetes/names.js';

/**
 * @import { FieldError } from '../../src/kubernetes/field_errors.js'
 * @import { FeatureGates } from '../feature_gates.js'
 * @import { Resource } from '../../src/kubernetes/kinds.js'
 */

/** The size limit of an object's annotations together: bytes. */
const ANNOTATIONS_LARGEST = 256 * 1024;

/** Kinds whose names are not DNS subdomains. @type {Record<string, (name: string) => string[]>} */
const NAME_RULES = {
  namespaces: labelNameFaults,
  services: labelNameFaults,
  roles: pathSegmentFaults,
  rolebindings: pathSegmentFaults,
  clusterroles: pathSegmentFaults,
  clusterrolebindings: pathSegmentFaults,
};

/**
 * @param {Resource} resource
 * @param {any} metadata
 * @param {FeatureGates} [gates] of a creation; names that are stored stay valid
 * @returns {FieldError[]}
 */
export function metadataErrors(resource, metadata, gates) {
  const isStrict =
    resource.plural === 'services' && gates?.on.RelaxedServiceNameValidation === false;
  const faultsOf = isStrict ? dns1035Faults : (NAME_RULES[resource.plural] ?? subdomainFaults);
  const name = metadata.name ?? '';
  const nameErrors =
    name === ''
      ? [required('metadata.name', 'name or generateName is required')]
      : faultsOf(name).map((fault) => invalidValue('metadata.name', name, fault));
  return [
    ...nameErrors,
    ...namespaceErrors(resource, metadata.namespace ?? ''),
    ...labelErrors(metadata.labels ?? {}, 'metadata.labels'),
    ...annotationErrors(metadata.annotations ?? {}),
    ...ownerErrors(metadata.ownerReferences ?? []),
    ...finalizerErrors(metadata.finalizers ?? []),
  ];
}

/**
 * Fields that an update must not change.
 * @param {any} metadata
 * @param {any} old
 * @returns {FieldError[]}
 */
export function metadataUpdateErrors(metadata, old) {
  if (!old.deletionTimestamp) return [];
  const had = new Set(old.finalizers);
  const added = (metadata.finalizers ?? []).filter((/** @type {string} */ one) => !had.has(one));
  if (added.length === 0) return [];
  const quoted = added.map((/** @type {string} */ one) => JSON.stringify(one));
  const list = `[]string{${quoted.join(', ')}}`;
  return [
    forbiddenField(
      'metadata.finalizers',
      'no new finalizers can be added if the object is being deleted, ' +
        `found new finalizers ${list}`,
    ),
  ];
}

/**
 * @param {Record<string, string>} labels
 * @param {string} field
 * @returns {FieldError[]}
 */
export function labelErrors(labels, field) {
  return Object.entries(labels).flatMap(([key, value]) => [
    ...labelKeyFaults(key).map((fault) => invalidValue(field, key, fault)),
    ...labelValueFaults(value).map((fault) => invalidValue(field, value, fault)),
  ]);
}

/**
 * @param {Resource} resource
 * @param {string} namespace
 */
function namespaceErrors(resource, namespace) {
  const field = 'metadata.namespace';
  if (!resource.namespaced) {
    return namespace === '' ? [] : [forbiddenField(field, 'not allowed on this type')];
  }
  if (namespace === '') return [required(field)];
  return labelNameFaults(namespace).map((fault) => invalidValue(field, namespace, fault));
}

/** @param {Record<string, string>} annotations */
function annotationErrors(annotations) {
  const field = 'metadata.annotations';
  const errors = Object.keys(annotations).flatMap((key) =>
    labelKeyFaults(key.toLowerCase()).map((fault) => invalidValue(field, key, fault)),
  );
  const size = Object.entries(annotations).reduce(
    (sum, [key, value]) => sum + key.length + value.length,
    0,
  );
  return size > ANNOTATIONS_LARGEST ? [...errors, tooLong(field, ANNOTATIONS_LARGEST)] : errors;
}

/** @param {any[]} owners */
function ownerErrors(owners) {
  const field = 'metadata.ownerReferences';
  const errors = owners.flatMap((owner) =>
    ['apiVersion', 'kind', 'name', 'uid']
      .filter((part) => !owner[part])
      .map((part) =>
        invalidValue(
          `${field}.${part}`,
          owner[part] ?? '',
          part === 'apiVersion' ? 'version must not be empty' : 'must not be empty',
        ),
      ),
  );
  const [first, second] = owners
    .filter(({ controller }) => controller === true)
    .map(({ kind, name }) => `${kind}/${name}`);
  if (!second) return errors;
  const detail =
    'Only one reference can have Controller set to true. ' +
    `Found "true" in references for ${first} and ${second}`;
  return [...errors, invalidValue(field, owners, detail)];
}

/** @param {string[]} finalizers */
function finalizerErrors(finalizers) {
  const field = 'metadata.finalizers';
  const errors = finalizers.flatMap((one) =>
    labelKeyFaults(one).map((fault) => invalidValue(field, one, fault)),
  );
  if (!finalizers.includes(ORPHAN) || !finalizers.includes(FOREGROUND)) return errors;
  const detail = 'finalizer orphan and foregroundDeletion cannot be both set';
  return [...errors, invalidValue(field, finalizers, detail)];
}
