/** The kinds of objects that are watched, and where the API server serves them. */
import { ConfigurationError } from './errors.js';
import { isRecord } from './values.js';

/**
 * A kind by its place in the API. `optional`: nothing waits for it where the server refuses it or
 * does not serve it.
 * @typedef {object} Kind
 * @property {string} [group] default: the core group
 * @property {string} version
 * @property {string} resource the plural, as in the path
 * @property {string} [fieldSelector]
 * @property {string} [labelSelector]
 * @property {boolean} [optional] default true
 */

const NAMES = ['group', 'version', 'resource', 'fieldSelector', 'labelSelector', 'optional'];

/** Pods that have ended are deleted ones to a scheduler. */
const PODS_THAT_RUN = 'status.phase!=Succeeded,status.phase!=Failed';

/**
 * What kube-scheduler v1.36 watches with its default configuration and feature gates. Without nodes
 * and pods there is nothing to be scheduled: these are waited for, whatever the server says.
 * Source: pkg/scheduler/eventhandlers.go and the requests of a real one, v1.36.
 * @type {readonly Readonly<Kind>[]}
 */
export const SCHEDULER_KINDS = Object.freeze(
  [
    { version: 'v1', resource: 'nodes', optional: false },
    { version: 'v1', resource: 'pods', fieldSelector: PODS_THAT_RUN, optional: false },
    { version: 'v1', resource: 'namespaces' },
    { version: 'v1', resource: 'services' },
    { version: 'v1', resource: 'replicationcontrollers' },
    { group: 'apps', version: 'v1', resource: 'replicasets' },
    { group: 'apps', version: 'v1', resource: 'statefulsets' },
    { group: 'policy', version: 'v1', resource: 'poddisruptionbudgets' },
    { version: 'v1', resource: 'persistentvolumes' },
    { version: 'v1', resource: 'persistentvolumeclaims' },
    { group: 'storage.k8s.io', version: 'v1', resource: 'storageclasses' },
    { group: 'storage.k8s.io', version: 'v1', resource: 'csinodes' },
    { group: 'storage.k8s.io', version: 'v1', resource: 'csidrivers' },
    { group: 'storage.k8s.io', version: 'v1', resource: 'csistoragecapacities' },
    { group: 'storage.k8s.io', version: 'v1', resource: 'volumeattachments' },
    { group: 'resource.k8s.io', version: 'v1', resource: 'resourceclaims' },
    { group: 'resource.k8s.io', version: 'v1', resource: 'resourceslices' },
    { group: 'resource.k8s.io', version: 'v1', resource: 'deviceclasses' },
  ].map((kind) => Object.freeze(kind)),
);

/**
 * The name of a kind's resource in marks and in the status: `pods`, and outside of the core group
 * `replicasets.v1.apps`.
 * @param {Kind} kind
 */
export function resourceText({ group, version, resource }) {
  return group ? `${resource}.${version}.${group}` : resource;
}

/**
 * The path of all objects of a kind, in all namespaces.
 * @param {Kind} kind
 */
export function collectionPath({ group, version, resource }) {
  return group ? `/apis/${group}/${version}/${resource}` : `/api/${version}/${resource}`;
}

/**
 * @param {unknown} kinds
 * @returns {Kind[]}
 * @throws {ConfigurationError} when there is none, one is no kind, or is named twice
 */
export function checkedKinds(kinds) {
  if (!Array.isArray(kinds) || kinds.length === 0)
    throw badKind('kinds', 'must be a list of kinds');
  const known = new Set();
  return kinds.map((kind, index) => {
    const field = `kinds[${index}]`;
    const fault = faultOf(kind);
    if (fault) throw badKind(field, fault);
    const name = resourceText(kind);
    if (known.has(name)) throw badKind(field, `Duplicate value: "${name}"`);
    known.add(name);
    return { ...kind };
  });
}

/**
 * @param {any} kind
 * @returns {string | undefined}
 */
function faultOf(kind) {
  if (!isRecord(kind)) return 'must be { group?, version, resource }';
  const unknown = Object.keys(kind).find((name) => !NAMES.includes(name));
  if (unknown) return `unknown field "${unknown}"; there are ${NAMES.join(', ')}`;
  const { group = '', fieldSelector = '', labelSelector = '', optional = true } = kind;
  for (const [name, value] of Object.entries({ version: kind.version, resource: kind.resource }))
    if (typeof value !== 'string' || !/^[a-z0-9-]+$/.test(value))
      return `${name}: must be a name of the API`;
  if (!/^[a-z0-9.-]*$/.test(group)) return 'group: must be a name of the API';
  if (typeof fieldSelector !== 'string' || typeof labelSelector !== 'string')
    return 'selectors are strings';
  return typeof optional === 'boolean' ? undefined : 'optional: must be true or false';
}

/**
 * @param {string} field
 * @param {string} detail
 */
function badKind(field, detail) {
  return new ConfigurationError(`${field}: ${detail}`, [{ field, detail }]);
}
