/**
 * Limits of time apply to a machine like the bench's, while idle. This scales them to the present
 * machine.
 */
import { availableParallelism, loadavg } from 'node:os';

import { repeat } from '../bench/measure.js';

/** Seconds of the bench's calibration loop on that machine. */
const CALIBRATION = 0.0133;

/** The largest factor for slower machines and other load. */
const SHARE_MAX = 3;

/** The factor by which work may take longer here and now. */
export function machineShare() {
  const { calibration } = repeat(5, () => {});
  const slowness = Math.max(1, calibration / CALIBRATION);
  const load = Math.max(1, loadavg()[0] / availableParallelism());
  return Math.min(SHARE_MAX, slowness * load);
}
