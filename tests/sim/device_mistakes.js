/** Mistakes of drivers and of the controller of claims, each in place of a correct step. */
import { released } from './device_steps.js';
import { allocationOf } from './devices.js';

/** @typedef {import('./device_steps.js').Step} Step */

/** @typedef {(slice: any) => any} Lie */

/** @param {any} slice @param {object} spec */
const withSpec = (slice, spec) => ({ ...slice, spec: { ...slice.spec, ...spec } });

/** Two devices have one name. @type {Lie} */
function repeatName(slice) {
  const [first, ...rest] = slice.spec.devices ?? [];
  return first && withSpec(slice, { devices: [first, ...rest, first] });
}

/** A device consumes a counter that does not exist. @type {Lie} */
function useUnknownCounter(slice) {
  const [first, ...rest] = slice.spec.devices ?? [];
  const consumesCounters = [{ counterSet: 'none', counters: { memory: { value: '1' } } }];
  return first && withSpec(slice, { devices: [{ ...first, consumesCounters }, ...rest] });
}

/** The pool has a slice more than there is. @type {Lie} */
function countTooMany(slice) {
  const { pool } = slice.spec;
  const resourceSliceCount = pool.resourceSliceCount + 1;
  return withSpec(slice, { pool: { ...pool, resourceSliceCount } });
}

/** The slice is older than the other ones. @type {Lie} */
function goBack(slice) {
  const { pool } = slice.spec;
  return withSpec(slice, { pool: { ...pool, generation: pool.generation - 1 } });
}

/** The slice is newer than the other ones. @type {Lie} */
function runAhead(slice) {
  const { pool } = slice.spec;
  return withSpec(slice, { pool: { ...pool, generation: pool.generation + 1 } });
}

/** The slice has no devices. @type {Lie} */
const loseDevices = (slice) => (slice.spec.devices ? withSpec(slice, { devices: [] }) : null);

const LIES = [repeatName, useUnknownCounter, countTooMany, goBack, runAhead, loseDevices];

/**
 * A wrong slice in place of the one that a driver would publish.
 * @param {Step | null} step @param {import('./random.js').Random} random @returns {Step | null}
 */
export function lieIn(step, random) {
  if (!step?.put) return null;
  const slices = LIES.flatMap((lie) => lie(step.put) ?? []);
  return { put: random.pick(slices) };
}

/**
 * The claim loses its devices, although pods use them.
 * @param {any} claim @returns {Step | null}
 */
export const mistakeWith = (claim) => (allocationOf(claim) ? { put: released(claim) } : null);
