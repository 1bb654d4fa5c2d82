/** Limits of time hold on a machine like that of the bench, which does nothing else. */
import { availableParallelism, loadavg } from 'node:os';

import { repeat } from '../bench/measure.js';

/** What the bench's calibration loop takes there: seconds. */
const CALIBRATION = 0.0133;

/** What another machine, and what works on it, excuses at most. */
const SHARE_MAX = 3;

/** By how much longer something may take here and now. */
export function machineShare() {
  const { calibration } = repeat(5, () => {});
  const slowness = Math.max(1, calibration / CALIBRATION);
  const load = Math.max(1, loadavg()[0] / availableParallelism());
  return Math.min(SHARE_MAX, slowness * load);
}
