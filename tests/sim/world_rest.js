/** The pods that are left in the end: those that no cycle would bind. */
import { encodeLines } from '../support/raw_engine.js';
import { checkNothingKept } from './device_verdicts.js';
import { checkGangsAtRest, groupOf } from './gangs.js';
import { hold } from './invariants.js';
import { hasNominations, nominationsOf, objectsNow } from './rebuilt.js';

/** @typedef {import('../support/raw_engine.js').RawScheduler} RawScheduler */

/** More than there are pods. */
const CYCLES = 200;

/**
 * @typedef {object} Rest
 * @property {import('./expected_cache.js').ExpectedCache} told
 * @property {import('./set_aside.js').SetAside} aside
 * @property {import('./device_books.js').DeviceBooks} devices
 * @property {any} inspection
 * @property {Set<string>} stuck pods that stay gated for good
 * @property {number} nowUs
 */

/**
 * @param {RawScheduler} engine
 * @param {() => RawScheduler} create makes an engine with the same options
 * @param {Rest} rest
 * @returns {number} how many pods are left
 */
export function checkLeft(engine, create, rest) {
  const { told, devices, stuck, nowUs } = rest;
  let left = 0;
  for (const pod of told.pending()) {
    const { metadata, spec } = pod;
    if (metadata.deletionTimestamp || spec.schedulingGates?.length) continue;
    left += 1;
    const name = `${metadata.namespace}/${metadata.name}`;
    // A pod that fits may wait for the others of its gang.
    if (stuck.has(name) || groupOf(pod)) continue;
    const question = { pod: name, detail: 'nodes' };
    const asked = JSON.parse(engine.evaluateText(question, null, nowUs));
    const { result, feasibleNodes } = asked;
    checkNothingKept(asked, pod, devices);
    hold(result !== 'scheduled', 'schedulable pods are bound', () => `${name}: ${feasibleNodes}`);
  }
  if (told.pending().some(groupOf)) checkGangsAtRest(firstDecisions(create, rest), stuck, told);
  return left;
}

/**
 * @param {() => RawScheduler} create @param {Rest} rest
 * @returns {any[]} the records of an engine that gets the present state and nothing else; none if
 *   it does not know all nominations
 */
function firstDecisions(create, { told, aside, devices, inspection, nowUs }) {
  const nominations = nominationsOf(inspection);
  const objects = [
    ...objectsNow(told, nominations, aside.inForce('default-scheduler')),
    ...devices.claimsNow(),
  ];
  const rebuilt = create();
  try {
    rebuilt.applyBytes(encodeLines(objects), nowUs);
    return hasNominations(rebuilt, nominations) ? rebuilt.run(nowUs, CYCLES) : [];
  } finally {
    rebuilt.dispose();
  }
}
