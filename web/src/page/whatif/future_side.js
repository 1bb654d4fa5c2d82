import { computed, signal } from '@preact/signals';

import { emptyCluster } from '../cluster/cluster_state.js';
import { besides } from '../decision/other_side.js';

/** @import { Session } from '../session.js' */

/**
 * The session for views of a future: its cluster, without a decision.
 * @param {Session} session
 */
export function futureSide(session) {
  const { prospect } = session;
  const none = emptyCluster();
  return besides(session, {
    cluster: computed(() => prospect.cluster.value ?? none),
    evaluation: signal(null),
    prospect: { ...prospect, marks: prospect.marksThen },
  });
}
