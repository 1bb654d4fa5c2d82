import { StowageError } from '../kubernetes/errors.js';

/**
 * The lease could not be renewed in time, or another holds it: whoever led has to stop at once, as
 * kube-scheduler does, which exits with 1.
 */
export class LeaderElectionLost extends StowageError {
  /** @override */
  name = 'LeaderElectionLost';

  /**
   * @param {{ lock: string, holder: string }} parts `lock` is `namespace/name`, `holder` who was
   *   last seen to hold it
   */
  constructor({ lock, holder }) {
    super('LeaderElectionLost', `leader election lost: the lease ${lock} is not held any more`);
    this.lock = lock;
    this.holder = holder;
  }
}
