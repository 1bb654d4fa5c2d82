/**
 * Checks that a list is of the requested kind: the sink removes objects that it does not contain.
 */
import { InputError } from '../kubernetes/errors.js';
import { endOfValue, parsedJson, startOfMember } from '../io/json_scan.js';
import { SCHEDULER_KINDS } from '../kubernetes/watched_kinds.js';

/** @import { Kind } from '../kubernetes/watched_kinds.js' */

const SUFFIX = 'List';

/** Kinds whose resource follows from their name; for others only the API version is checked. */
const REGULAR = new Set(SCHEDULER_KINDS.map(({ resource }) => resource));

/**
 * @param {Uint8Array} bytes a list's JSON
 * @param {Pick<Kind, 'group' | 'version' | 'resource'>} wanted
 * @throws {InputError} `FieldValueInvalid` if it is another kind or not a list; `MalformedJson`
 */
export function checkListKind(bytes, { group, version, resource }) {
  const kind = textOf(bytes, 'kind');
  // The items of a list without a type have types of their own.
  if (kind === SUFFIX) return;
  const apiVersion = textOf(bytes, 'apiVersion');
  if (!kind.endsWith(SUFFIX)) throw wrong('kind', kind, 'a list');
  const wantedVersion = group ? `${group}/${version}` : version;
  if (apiVersion !== wantedVersion) throw wrong('apiVersion', apiVersion, wantedVersion);
  if (REGULAR.has(resource) && resourceOf(kind.slice(0, -SUFFIX.length)) !== resource)
    throw wrong('kind', kind, `a list of ${resource}`);
}

/**
 * @param {Uint8Array} bytes
 * @param {string} member
 */
function textOf(bytes, member) {
  const start = startOfMember(bytes, member);
  const value = start < 0 ? '' : parsedJson(bytes.subarray(start, endOfValue(bytes, start)));
  return typeof value === 'string' ? value : '';
}

/**
 * Source: apimachinery/pkg/api/meta/restmapper.go (UnsafeGuessKindToResource), v1.36.
 * @param {string} kind
 */
function resourceOf(kind) {
  const name = kind.toLowerCase();
  if (name.endsWith('s')) return `${name}es`;
  return name.endsWith('y') ? `${name.slice(0, -1)}ies` : `${name}s`;
}

/**
 * @param {string} field
 * @param {string} value
 * @param {string} wanted
 */
function wrong(field, value, wanted) {
  const detail = `must be ${wanted}, not ${JSON.stringify(value)}`;
  return new InputError({ code: 'FieldValueInvalid', field, value, detail });
}
