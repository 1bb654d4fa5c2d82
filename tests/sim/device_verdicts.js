/**
 * The verdicts of DynamicResources about a pod and a node, computed a second time from the rules
 * (spec plugins/dynamic-resources.md, plugins/dynamic-resources-extended.md), and compared with an
 * evaluation.
 */
import { choiceFor } from './device_choice.js';
import { supplyOn } from './device_fits.js';
import { cardClass, claimsOfPod, extendedClaimFor } from './device_pods.js';
import {
  allocationOf,
  CARD,
  claimsDevices,
  hasExtended,
  readinessOf,
  reservationsOf,
  selects,
} from './devices.js';
import { hold } from './invariants.js';
import { keyOf } from './world.js';

/** @typedef {import('./device_books.js').DeviceBooks} DeviceBooks */
/** @typedef {import('./expected_cache.js').ExpectedCache} ExpectedCache */
/** @typedef {{told: ExpectedCache, devices: DeviceBooks, nowUs: number}} Known */

const PLUGIN = 'DynamicResources';
const NOT_AVAILABLE = 'resourceclaim not available on the node';
/** What makes a search end with an error, in place of a reason. */
const ERROR = 'error';
const REASONS = {
  none: 'cannot allocate all claims',
  invalid: 'invalid resource pools were encountered',
  error: ERROR,
  some: '',
};

/** @param {any} claim @returns {[string, any][]} the names of its requests and what they say */
const requestsIn = (claim) =>
  (claim.spec.devices.requests ?? []).flatMap(
    (/** @type {any} */ { name, exactly, firstAvailable }) =>
      exactly
        ? [[name, exactly]]
        : firstAvailable.map((/** @type {any} */ sub) => [`${name}/${sub.name}`, sub]),
  );

/** The reason that does not depend on the node, or none. @param {any} pod @param {Known} known */
function refusalOfPod(pod, { told, devices }) {
  const { claims, fault } = claimsOfPod(pod, devices.store);
  if (fault) return fault;
  for (const claim of claims) {
    if (allocationOf(claim)) continue;
    if (devices.isInFlight(claim.metadata.uid)) {
      return `resource claim ${keyOf(claim)} is in the process of being allocated`;
    }
    for (const [name, { deviceClassName }] of requestsIn(claim)) {
      if (told.objects('DeviceClass').has(deviceClassName)) continue;
      return `request ${name}: device class ${deviceClassName} does not exist`;
    }
  }
  return '';
}

/** The reason of the node, or none. @param {any} pod @param {any} node @param {Known} known */
function reasonOn(pod, node, { told, devices, nowUs }) {
  const { store } = devices;
  const { claims } = claimsOfPod(pod, store);
  const isServed = hasExtended(pod) && Boolean(cardClass(told));
  const extended = extendedClaimFor(pod, node, { told, store });
  if (isServed) {
    if (store.extendedOf(pod)) return 'cannot schedule extended resource claim';
    if (!extended && !(CARD in (node.status.allocatable ?? {}))) return 'cannot fit resource';
  }
  const isAvailable = claims.every((claim) => {
    const { nodeSelector } = allocationOf(claim) ?? {};
    if (nodeSelector && !selects(nodeSelector, node)) return false;
    if (!allocationOf(claim)) return true;
    const readiness = readinessOf(claim);
    return readiness === 'ready' || (readiness === 'waits' && !devices.isTimedOut(claim, nowUs));
  });
  const wanted = claims.filter((claim) => !allocationOf(claim));
  if (extended) wanted.push(extended);
  const supply = supplyOn(node, { told, store });
  const choice = wanted.length > 0 ? choiceFor(wanted, supply) : 'some';
  return REASONS[choice] || (isAvailable ? '' : NOT_AVAILABLE);
}

/**
 * At rest, no claim keeps a pod from a node that the pod could give up: its next attempt takes such
 * a claim back.
 * @param {any} evaluation  of the pod, node by node @param {any} pod @param {DeviceBooks} devices
 */
export function checkNothingKept({ result, filter = [] }, pod, { store }) {
  const isKept = filter.some((/** @type {any} */ { plugin, reasons }) => {
    return plugin === PLUGIN && reasons.includes(NOT_AVAILABLE);
  });
  if (result !== 'unschedulable' || !isKept) return;
  const { uid } = pod.metadata;
  const { claims } = claimsOfPod(pod, store);
  const isShared = claims.some((claim) => reservationsOf(claim).some((one) => one.uid !== uid));
  hold(isShared, 'claims are settled', () => `${keyOf(pod)} keeps a claim from itself`);
}

/**
 * Evaluates pods and checks the verdicts.
 * @param {import('../support/raw_engine.js').RawScheduler} scheduler
 * @param {any[]} pods @param {Known} known
 * @returns {number} the number of compared verdicts
 */
export function judgeDevices(scheduler, pods, known) {
  let judged = 0;
  for (const pod of pods) {
    const question = { pod: keyOf(pod), detail: 'nodes' };
    const evaluation = JSON.parse(scheduler.evaluateText(question, null, known.nowUs));
    judged += checkDeviceVerdicts(evaluation, pod, known);
  }
  return judged;
}

/**
 * @param {any} evaluation  of the pod, node by node
 * @param {any} pod
 * @param {Known} known
 * @returns {number} the number of compared verdicts
 */
function checkDeviceVerdicts(evaluation, pod, known) {
  const { preFilter, filter = [], feasible = [], numAllNodes, result } = evaluation;
  if (numAllNodes === 0 || !claimsDevices(pod) || result === 'error') return 0;
  const { fault } = claimsOfPod(pod, known.devices.store);
  const same = (/** @type {string} */ is, /** @type {string} */ must, /** @type {string} */ on) =>
    hold(is === must, 'devices are judged', () => {
      return `${keyOf(pod)}${on}: "${is}" instead of "${must}"`;
    });
  if (result === 'gated') {
    if (evaluation.plugin !== PLUGIN) return 0;
    same(evaluation.message, fault, '');
    return 1;
  }
  if (preFilter && preFilter.plugin !== PLUGIN) return 0;
  const refusal = refusalOfPod(pod, known);
  same(preFilter?.reasons.join() ?? '', refusal, '');
  if (refusal) return 1;
  let judged = 0;
  const nodes = known.told.objects('Node');
  const judge = (/** @type {string} */ name, /** @type {string} */ is) => {
    same(is, reasonOn(pod, nodes.get(name), known), ` on ${name}`);
    judged += 1;
  };
  for (const name of feasible) judge(name, '');
  for (const { plugin, reasons, nodes: names } of filter) {
    if (plugin === PLUGIN) for (const name of names) judge(name, reasons.join());
  }
  return judged;
}
