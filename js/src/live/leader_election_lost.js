import { StowageError } from '../kubernetes/errors.js';

/**
 * The lease could not be renewed in time, or another candidate holds it: the former leader has to
 * stop at once, like kube-scheduler, which exits with 1.
 */
export class LeaderElectionLost extends StowageError {
  /** @override */
  name = 'LeaderElectionLost';

  /**
   * @param {{ lock: string, holder: string }} parts `lock` is `namespace/name`, `holder` the last
   *   known holder
   */
  constructor({ lock, holder }) {
    super('LeaderElectionLost', `leader election lost: the lease ${lock} is not held any more`);
    this.lock = lock;
    this.holder = holder;
  }
}
