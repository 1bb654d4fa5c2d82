/** Keeps the site for when there is no network. */
import { isFramed } from './framed.js';

/**
 * Only where it is a page of its own: a frame in somebody else's page keeps nothing. Where a
 * browser has, or allows, no service workers, the site needs its network.
 */
export async function keepForOffline() {
  if (!import.meta.env.PROD || isFramed() || !('serviceWorker' in navigator)) return;
  await navigator.serviceWorker.register('./sw.js').catch(() => {});
}
