/** Stores the site for use without a network. */
import { isFramed } from './framed.js';

/**
 * Only for a page that is not in a frame: as part of another page it stores nothing. In a browser
 * without service workers, or that does not allow them, the site needs the network.
 */
export async function keepForOffline() {
  if (!import.meta.env.PROD || isFramed() || !('serviceWorker' in navigator)) return;
  await navigator.serviceWorker.register('./sw.js').catch(() => {});
}
