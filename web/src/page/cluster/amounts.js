/** Resource amounts of nodes: capacity, requests, and their texts. */

import { isRunning } from './cluster_state.js';
import { deviceUse } from './devices.js';

/**
 * @import { Amounts, NodeRow } from '../../model/cluster_model.js'
 * @import { ClusterState, PodsByKey } from './cluster_state.js'
 */

/**
 * The use of one resource on a node.
 * @typedef {{ resource: string, used: number, all: number }} Use
 */

/** Resources that are shown only if pods request them. */
const QUIET = new Set(['ephemeral-storage']);

/** These come first, then all others by name, then the number of pods. */
const FIRST = ['cpu', 'memory'];

/** Sums are rounded to a millionth of a unit, which removes floating-point errors. */
const EXACT = 1e6;

/**
 * @param {Amounts | undefined} sum changed in place, if given
 * @param {Amounts} amounts
 * @param {1 | -1} sign
 * @returns {Amounts}
 */
export function amountsBy(sum = {}, amounts, sign) {
  for (const resource in amounts)
    sum[resource] = Math.round(((sum[resource] ?? 0) + sign * amounts[resource]) * EXACT) / EXACT;
  return sum;
}

/**
 * The use of each resource that the node has or its pods request, and of its devices.
 * @param {Pick<ClusterState, 'requested' | 'podsOfNode' | 'devices'>} cluster
 * @param {NodeRow} node
 * @returns {Use[]}
 */
export function usesOf({ requested, podsOfNode, devices }, { name, allocatable }) {
  const wanted = requested.get(name) ?? {};
  const uses = resourcesOf(allocatable, wanted).map((resource) => ({
    resource,
    used: resource === 'pods' ? runningOn(podsOfNode.get(name)) : (wanted[resource] ?? 0),
    all: allocatable[resource] ?? 0,
  }));
  const own = deviceUse(devices, name);
  return own.all > 0 ? [...uses, { resource: 'devices', ...own }] : uses;
}

/**
 * The highest share among the node's resources; 1 is full.
 * @param {Pick<ClusterState, 'requested' | 'podsOfNode'>} cluster
 * @param {NodeRow} node
 */
export function fullestShare({ requested, podsOfNode }, { name, allocatable }) {
  const wanted = requested.get(name) ?? {};
  let most = shareOf(runningOn(podsOfNode.get(name)), allocatable.pods ?? Infinity);
  for (const resource in wanted)
    most = Math.max(most, shareOf(wanted[resource], allocatable[resource] ?? 0));
  return most;
}

/** Counts pods that have not ended; ended pods use nothing. @param {PodsByKey} [pods] */
function runningOn(pods = new Map()) {
  let count = 0;
  for (const pod of pods.values()) if (isRunning(pod)) count += 1;
  return count;
}

/** @param {number} used @param {number} all */
export function shareOf(used, all) {
  if (used <= 0) return 0;
  return all > 0 ? used / all : Infinity;
}

/**
 * @param {Amounts} allocatable
 * @param {Amounts} wanted
 */
function resourcesOf(allocatable, wanted) {
  const own = Object.keys(allocatable).filter((resource) => allocatable[resource] > 0);
  const more = Object.keys(wanted).filter((resource) => wanted[resource] > 0);
  const rest = [...new Set([...own, ...more])].filter(
    (resource) =>
      !FIRST.includes(resource) &&
      resource !== 'pods' &&
      (!QUIET.has(resource) || wanted[resource] > 0),
  );
  const last = own.includes('pods') ? ['pods'] : [];
  return [...FIRST.filter((resource) => own.includes(resource)), ...rest.sort(), ...last];
}

/**
 * `2.5`, `16Gi`.
 * @param {string} resource
 * @param {number} amount
 */
export function amountText(resource, amount) {
  if (!isBytes(resource)) return String(Number(amount.toFixed(amount < 10 ? 2 : 1)));
  const units = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi'];
  let [rest, unit] = [amount, 0];
  while (Math.abs(rest) >= 1024 && unit < units.length - 1) {
    rest /= 1024;
    unit += 1;
  }
  return `${Number(rest.toFixed(1))}${units[unit]}`;
}

/**
 * `cpu 1.5 of 4, memory 1Gi of 8Gi, pods 3 of 110`.
 * @param {Use[]} uses
 */
export function usesText(uses) {
  return uses
    .map(({ resource, used, all }) => {
      return `${resource} ${amountText(resource, used)} of ${amountText(resource, all)}`;
    })
    .join(', ');
}

/**
 * `cpu 0.5, memory 1Gi`.
 * @param {Amounts} requests
 */
export function requestsText(requests) {
  return Object.entries(requests)
    .map(([resource, amount]) => `${resource} ${amountText(resource, amount)}`)
    .join(', ');
}

/** A short name: `cpu`, `memory`, `gpu` of `nvidia.com/gpu`. @param {string} resource */
export function resourceWord(resource) {
  return resource.slice(resource.lastIndexOf('/') + 1);
}

/** @param {string} resource */
function isBytes(resource) {
  return (
    resource === 'memory' || resource === 'ephemeral-storage' || resource.startsWith('hugepages-')
  );
}
