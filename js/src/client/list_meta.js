/** The metadata of a list, read without its items. */
import { isRecord } from '../kubernetes/values.js';
import { endOfValue, malformed, parsedJson, startOfMember } from '../io/json_scan.js';

/**
 * `metav1.ListMeta`.
 * @typedef {{ resourceVersion?: string, continue?: string, remainingItemCount?: number }} ListMeta
 */

/**
 * Reads a list's metadata. API servers write `metadata` before `items`, so this reads a few bytes
 * only; in another order the items are skipped without parsing.
 * @param {Uint8Array} bytes a list's JSON
 * @returns {ListMeta}
 * @throws {InputError} `MalformedJson` if it is not an object or has no `metadata`
 */
export function listMetaOf(bytes) {
  const start = startOfMember(bytes, 'metadata');
  if (start < 0) throw malformed('a list without metadata');
  const metadata = parsedJson(bytes.subarray(start, endOfValue(bytes, start)));
  if (isRecord(metadata)) return metadata;
  throw malformed('metadata that is no object');
}
