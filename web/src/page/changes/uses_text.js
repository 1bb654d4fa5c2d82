/** Amounts of resources in words. */

/** @import { Amounts, NodeRow, PodRow } from '../../model/cluster_model.js' */

const UNITS = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi'];

/**
 * How much of a node its pods request: `cpu 1.5 of 4, memory 1Gi of 8Gi, pods 3 of 110`.
 * @param {NodeRow} node
 * @param {PodRow[]} pods that are on it
 */
export function usesText({ allocatable }, pods) {
  const running = pods.filter(({ phase }) => phase !== 'Succeeded' && phase !== 'Failed');
  const usedOf = (/** @type {string} */ resource) =>
    resource === 'pods'
      ? running.length
      : running.reduce((sum, { requests }) => sum + (requests[resource] ?? 0), 0);
  return Object.entries(allocatable)
    .map(([resource, all]) => {
      const used = amountText(resource, usedOf(resource));
      return `${resource} ${used} of ${amountText(resource, all)}`;
    })
    .join(', ');
}

/**
 * `cpu 500m, memory 1Gi`.
 * @param {Amounts} requests
 */
export function requestsText(requests) {
  return Object.entries(requests)
    .map(([resource, amount]) => `${resource} ${amountText(resource, amount)}`)
    .join(', ');
}

/**
 * @param {string} resource
 * @param {number} amount
 */
function amountText(resource, amount) {
  const isBytes = /^(memory$|ephemeral-storage$|hugepages-)/.test(resource);
  if (!isBytes) return String(Number(amount.toFixed(3)));
  const power = amount < 1024 ? 0 : Math.floor(Math.log2(amount) / 10);
  const unit = Math.min(power, UNITS.length - 1);
  return `${Number((amount / 1024 ** unit).toFixed(1))}${UNITS[unit]}`;
}
