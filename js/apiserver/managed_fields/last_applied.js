/**
 * Supports the migration from client-side apply, whose annotation contains the applied
 * configuration, to server-side apply. Counterpart: apimachinery/pkg/util/managedfields/internal,
 * lastappliedmanager.go and lastappliedupdater.go, v1.36.
 */
import { LAST_APPLIED, lastAppliedTo } from '../../src/kubernetes/last_applied.js';
import { isRecord } from '../../src/kubernetes/values.js';
import { compare } from './compare.js';
import { EMPTY, difference, union } from './field_set.js';
import { fieldSetOf } from './typed_values.js';
import { faultOf } from './validate.js';

/** @import { Shape } from '../schema/types.js' */
/** @import { FieldSet } from './field_set.js' */

/** The size limit of all annotations together; a larger annotation is left out. */
const ANNOTATIONS_BYTES_MAX = 256 * 1024;

/**
 * Returns the fields that are unchanged since client-side apply: kubectl may take them over.
 * @param {{ live: any, shape: Shape, apiVersion: string }} options
 * @returns {FieldSet}
 */
export function allowedByLastApplied({ live, shape, apiVersion }) {
  const lastApplied = lastAppliedTo(live);
  if (lastApplied?.apiVersion !== apiVersion) return EMPTY;
  if (faultOf(lastApplied, shape) !== null) return EMPTY;
  const { added, modified, removed } = compare(lastApplied, live, shape);
  return difference(fieldSetOf(lastApplied, shape), union(union(added, modified), removed));
}

/**
 * Updates an existing annotation with the configuration that kubectl applies on the server.
 * @param {any} object
 * @param {any} config
 */
export function withLastApplied(object, config) {
  const { [LAST_APPLIED]: old, ...annotations } = object.metadata?.annotations ?? {};
  if (!old) return object;
  const { [LAST_APPLIED]: _, ...own } = config.metadata?.annotations ?? {};
  const metadata = { ...config.metadata, annotations: own };
  if (!config.metadata?.annotations) delete metadata.annotations;
  const text = `${JSON.stringify(inOrder({ ...config, metadata }))}\n`;
  const size = Object.entries({ ...annotations, [LAST_APPLIED]: text })
    .map(([key, value]) => new TextEncoder().encode(`${key}${value}`).length)
    .reduce((sum, bytes) => sum + bytes, 0);
  const kept =
    size > ANNOTATIONS_BYTES_MAX ? annotations : { ...annotations, [LAST_APPLIED]: text };
  return { ...object, metadata: { ...object.metadata, annotations: kept } };
}

/** Sorts maps by their keys, as Go does. @param {any} value @returns {any} */
function inOrder(value) {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isRecord(value)) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, inOrder(value[key])]));
}
