/** Whether a decision gives a pod's claims what they ask for, by devices that are free. */
import { allFor, slotOf } from './device_choice.js';
import { DeviceTally, isSelected } from './device_tally.js';
import { idOf, poolsOn, selects } from './devices.js';
import { consumedOf } from './devices_in_use.js';
import { hold } from './invariants.js';

/** @typedef {import('./expected_cache.js').ExpectedCache} ExpectedCache */
/** @typedef {import('./claim_store.js').ClaimStore} ClaimStore */
/** @typedef {import('./device_choice.js').Supply} Supply */
/** @typedef {import('./device_tally.js').Slot} Slot */
/** @typedef {{told: ExpectedCache, store: ClaimStore}} Known */

/** @param {any} node @param {Known} known @returns {Supply} */
export function supplyOn(node, { told, store }) {
  const slices = [...told.objects('ResourceSlice').values()];
  slices.sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  const classes = told.objects('DeviceClass');
  return { pools: poolsOn(node, slices), use: store.use, classOf: (name) => classes.get(name) };
}

/**
 * The slot of a result; null: the claim has no such request.
 * @param {any} claim @param {string} name  of the request in the result @param {Supply} supply
 */
function slotNamed(claim, name, supply) {
  const [first, second] = name.split('/');
  const request = claim.spec.devices.requests.find((/** @type {any} */ one) => one.name === first);
  const sub = request?.firstAvailable?.find((/** @type {any} */ one) => one.name === second);
  const isKnown = request && Boolean(sub) === Boolean(request.firstAvailable);
  return isKnown ? slotOf(claim, request, sub, supply) : null;
}

/**
 * @param {{claim: any, allocation: any}[]} choices new allocations
 * @param {any} node @param {Known} known @param {string} subject
 */
export function checkAllocations(choices, node, known, subject) {
  const supply = supplyOn(node, known);
  const tally = new DeviceTally(supply.pools, supply.use);
  const fits = (/** @type {unknown} */ holds, /** @type {string} */ what) =>
    hold(Boolean(holds), 'devices fit', () => `${subject}: ${what}`);
  for (const { claim, allocation } of choices) {
    /** @type {Map<string, number>} */
    const counts = new Map();
    for (const result of allocation.devices.results) {
      const slot = slotNamed(claim, result.request, supply);
      fits(slot, `no request is called ${result.request}`);
      check(/** @type {Slot} */ (slot), result, { supply, tally, fits, subject });
      counts.set(result.request, (counts.get(result.request) ?? 0) + 1);
    }
    checkCounts(claim, counts, supply, fits);
    const { nodeSelector } = allocation;
    fits(!nodeSelector || selects(nodeSelector, node), 'the allocation is for another node');
  }
}

/**
 * @param {Slot} slot @param {any} result
 * @param {{supply: Supply, tally: DeviceTally, subject: string,
 *   fits: (holds: unknown, what: string) => void}} circumstances
 */
function check(slot, result, { supply, tally, fits, subject }) {
  const id = idOf(result);
  const one = supply.pools.flatMap(({ devices }) => devices).find((device) => device.id === id);
  if (!one) return fits(false, `${id} is not there`);
  fits(isSelected(slot, one), `${id} is not selected by ${slot.name}`);
  const isFree = Boolean(slot.request.adminAccess) || !supply.use.isDedicated(id);
  hold(isFree, 'one claim per device', () => `${subject}: ${id} is in use`);
  const refusal = tally.refusalOf(slot, one);
  const isTwice = refusal === 'it is taken twice';
  hold(!isTwice, 'one claim per device', () => `${subject}: ${id} is taken twice`);
  const isOver = /^(counter|its capacity)/.test(refusal);
  hold(!isOver, 'no more than there is', () => `${subject}: ${id}, ${refusal}`);
  fits(!refusal, `${id}, ${refusal}`);
  const isShared = Boolean(one.device.allowMultipleAllocations);
  fits(Boolean(result.shareID) === isShared, `${id} has the shareID ${result.shareID}`);
  fits(Boolean(result.adminAccess) === Boolean(slot.request.adminAccess), `${id}: adminAccess`);
  const consumed = isShared ? tally.consumedBy(slot, one) : {};
  const isSame = JSON.stringify(sorted(consumedOf(result))) === JSON.stringify(sorted(consumed));
  fits(isSame, `${id} consumes ${JSON.stringify(result.consumedCapacity)}`);
  tally.take(slot, one);
}

/** @param {object | null} object */
const sorted = (object) => Object.entries(object ?? {}).sort();

/**
 * @param {any} claim @param {Map<string, number>} counts by the name in the results
 * @param {Supply} supply @param {(holds: unknown, what: string) => void} fits
 */
function checkCounts(claim, counts, supply, fits) {
  for (const request of claim.spec.devices.requests ?? []) {
    const subs = request.firstAvailable ?? [undefined];
    const slots = subs.map((/** @type {any} */ sub) => slotOf(claim, request, sub, supply));
    const chosen = slots.filter((/** @type {Slot} */ { name }) => counts.has(name));
    fits(chosen.length === 1, `${chosen.length} alternatives of ${request.name} are chosen`);
    const [slot] = chosen;
    const { allocationMode, count = 1 } = slot.request;
    const wanted = allocationMode === 'All' ? allFor(slot, supply).length : count;
    fits(counts.get(slot.name) === wanted, `${counts.get(slot.name)} devices for ${slot.name}`);
  }
}
