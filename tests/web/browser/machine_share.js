/** Limits of time hold on a machine that does nothing else. */
import { availableParallelism, loadavg } from 'node:os';

/** Others that work on the machine excuse so much, and no more. */
const SHARE_MAX = 3;

/** By how much longer something may take here and now. */
export function machineShare() {
  return Math.min(SHARE_MAX, Math.max(1, loadavg()[0] / availableParallelism()));
}
