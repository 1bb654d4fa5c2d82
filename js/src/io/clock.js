/**
 * A source of time, in milliseconds since the epoch. `sleep` resolves at `until`, or rejects with
 * the signal's reason. A virtual clock jumps to the time without waiting.
 * @typedef {{ now(): number, sleep(until: number, signal?: AbortSignal): Promise<void>, isVirtual?:
 *   boolean }} Clock
 */

/**
 * The last time that the engine can represent, in the year 2255; the first is as far before the
 * epoch. Within these bounds a number holds the microseconds of a time exactly.
 */
export const LATEST_TIME = Math.floor(Number.MAX_SAFE_INTEGER / 1000);

/**
 * Milliseconds since the epoch; not a number for a value that is no time.
 * @param {Date | number} time
 * @returns {number}
 */
export function milliseconds(time) {
  return typeof time === 'number' ? time : time?.getTime?.();
}

/**
 * Kubernetes' MicroTime of a time.
 * @param {number} time milliseconds since the epoch
 */
export function microTime(time) {
  const us = Math.round(time * 1000);
  const ms = Math.floor(us / 1000);
  const rest = String(us - ms * 1000).padStart(3, '0');
  return new Date(ms).toISOString().replace('Z', `${rest}Z`);
}

/**
 * Creates a clock without waiting: `sleep` jumps to the requested time, `advanceTo` does so from
 * outside. It never goes back.
 * @param {Date | number} [start] default: the epoch
 * @returns {Clock & { advanceTo(time: Date | number): void }}
 */
export function virtualClock(start = 0) {
  let current = milliseconds(start);
  /** @param {number} time */
  const jump = (time) => {
    current = Math.max(current, time);
  };
  return {
    isVirtual: true,
    now: () => current,
    async sleep(until, signal) {
      signal?.throwIfAborted();
      jump(until);
    },
    advanceTo: (time) => jump(milliseconds(time)),
  };
}
