/** ResourceSlices and ResourceClaims as rows: the devices of nodes, and who has them. */
import { keyOf } from '../../../js/src/kubernetes.js';

/** @import { KubernetesObject } from '../../../js/src/index.js' */

/**
 * @typedef {object} DeviceRow
 * @property {string} name
 * @property {string[]} taints `key=value:effect`
 * @property {string} facts its attributes and capacities, `type=gpu, memory=40Gi`
 */

/**
 * @typedef {object} SliceRow
 * @property {string} name
 * @property {string} node empty: its devices serve several nodes
 * @property {string} pool `driver/pool`
 * @property {number} generation of the pool; older slices are out of date
 * @property {DeviceRow[]} devices
 */

/**
 * @typedef {object} ClaimRow
 * @property {string} key `namespace/name`
 * @property {string[]} devices its allocated devices, `driver/pool/device`
 * @property {string[]} pods those for which it is reserved, `namespace/name`
 */

/**
 * @param {KubernetesObject} slice
 * @returns {SliceRow}
 */
export function sliceRow({ metadata, spec = {} }) {
  const { driver, nodeName = '', pool = {}, devices = [] } = spec;
  return {
    name: metadata.name,
    node: nodeName,
    pool: `${driver}/${pool.name}`,
    generation: pool.generation ?? 0,
    devices: devices.map(deviceRow),
  };
}

/**
 * @param {KubernetesObject} claim
 * @returns {ClaimRow}
 */
export function claimRow(claim) {
  const { allocation, reservedFor = [] } = claim.status ?? {};
  const results = /** @type {any[]} */ (allocation?.devices?.results ?? []);
  const consumers = /** @type {any[]} */ (reservedFor);
  return {
    key: keyOf(claim),
    devices: results.map(({ driver, pool, device }) => `${driver}/${pool}/${device}`),
    pods: consumers
      .filter(({ resource }) => resource === 'pods')
      .map(({ name }) => `${claim.metadata.namespace}/${name}`),
  };
}

/**
 * @param {any} device
 * @returns {DeviceRow}
 */
function deviceRow({ name, attributes = {}, capacity = {}, taints = [] }) {
  const facts = [
    ...Object.entries(attributes).map(([key, typed]) => `${key}=${Object.values(typed ?? {})[0]}`),
    ...Object.entries(capacity).map(([key, amount]) => `${key}=${amount?.value}`),
  ];
  return {
    name,
    taints: taints.map(
      (/** @type {any} */ { key, value, effect }) => `${key}${value ? `=${value}` : ''}:${effect}`,
    ),
    facts: facts.join(', '),
  };
}
