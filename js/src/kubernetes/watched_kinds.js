/** The watched kinds, and their places in the API. */
import { ConfigurationError } from './errors.js';
import { RESOURCES } from './kinds.js';
import { isRecord } from './values.js';

/** @import { Resource } from './kinds.js' */

/**
 * A kind by its place in the API. `optional`: `synced` does not wait for it if the server refuses
 * it or does not serve it.
 * @typedef {object} Kind
 * @property {string} [group] default: the core group
 * @property {string} version
 * @property {string} resource the plural, as in the path
 * @property {string} [fieldSelector]
 * @property {string} [labelSelector]
 * @property {boolean} [optional] default true
 */

const NAMES = ['group', 'version', 'resource', 'fieldSelector', 'labelSelector', 'optional'];

/** The scheduler treats ended pods as deleted. */
const PODS_THAT_RUN = 'status.phase!=Succeeded,status.phase!=Failed';

/** The scheduler waits for the lists of nodes and pods: without them it has nothing to schedule. */
const REQUIRED = ['nodes', 'pods'];

/**
 * The kinds that kube-scheduler v1.36 watches with its default configuration and feature gates:
 * nodes and pods first, the others in the order of the table of kinds.
 * @type {readonly Readonly<Kind>[]}
 */
export const SCHEDULER_KINDS = Object.freeze(
  requiredFirst(RESOURCES.filter(({ isWatched, gate }) => isWatched && !gate)).map((resource) =>
    Object.freeze({
      ...kindOf(resource),
      ...(resource.plural === 'pods' && { fieldSelector: PODS_THAT_RUN }),
      ...(REQUIRED.includes(resource.plural) && { optional: false }),
    }),
  ),
);

/** The watched kinds that need a feature gate, which is off by default. */
const GATED = RESOURCES.filter(({ isWatched, gate }) => isWatched && gate);

/**
 * Returns the kinds that kube-scheduler v1.36 watches with these feature gates.
 * @param {Record<string, boolean>} [featureGates] those that differ from their default
 * @returns {readonly Readonly<Kind>[]}
 */
export function kindsWatchedWith(featureGates) {
  const added = GATED.filter(({ version, gate = '' }) => {
    const stage = version.includes('alpha') ? 'AllAlpha' : 'AllBeta';
    return featureGates?.[gate] ?? featureGates?.[stage] ?? false;
  });
  return added.length === 0 ? SCHEDULER_KINDS : [...SCHEDULER_KINDS, ...added.map(kindOf)];
}

/**
 * @param {readonly Resource[]} resources
 * @returns {Resource[]} nodes and pods before all others
 */
export function requiredFirst(resources) {
  const isRequired = (/** @type {Resource} */ { plural }) => REQUIRED.includes(plural);
  return [...resources.filter(isRequired), ...resources.filter((one) => !isRequired(one))];
}

/**
 * Returns the place of a resource in the API.
 * @param {Resource} resource
 * @returns {Kind}
 */
export function kindOf({ group, version, plural }) {
  return group ? { group, version, resource: plural } : { version, resource: plural };
}

/**
 * Returns the name of a kind's resource in marks and in the status: `pods`, and outside of the core
 * group `replicasets.v1.apps`.
 * @param {Kind} kind
 */
export function resourceText({ group, version, resource }) {
  return group ? `${resource}.${version}.${group}` : resource;
}

/**
 * Returns the path of all objects of a kind, in all namespaces.
 * @param {Kind} kind
 */
export function collectionPath({ group, version, resource }) {
  return group ? `/apis/${group}/${version}/${resource}` : `/api/${version}/${resource}`;
}

/**
 * @param {unknown} kinds
 * @returns {Kind[]}
 * @throws {ConfigurationError} if the list is empty, or one is invalid or named twice
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
