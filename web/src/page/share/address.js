/** Opens what the page's address names. */
import { clusterAt, connectCluster } from '../live/live_view.js';
import { openHash } from './sharing.js';

/** @import { Session } from '../session.js' */

/** @param {Session} session */
export async function openAddress(session) {
  const isOfCluster = document.querySelector('meta[name="stowage-cluster"]') !== null;
  const cluster = clusterAt(location, isOfCluster);
  if (!cluster) return openHash(session, location.hash);
  // The page returns to it when the user disconnects.
  if (session.source.value === '') await openHash(session, '');
  const fault = await connectCluster(session, cluster);
  if (fault) session.fault.value = fault;
}
