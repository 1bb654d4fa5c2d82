/** Compares the release of an API server with the one that decides. */
import { releaseOf, RELEASES } from '../kubernetes/release.js';

/** @import { ApiClient } from '../client/api_client.js' */

/**
 * Returns a warning if the API server is of another release than the one that decides.
 * @param {Pick<ApiClient, 'json'>} client
 * @param {string | undefined} kubernetesVersion the release that decides; default the newest
 * @param {AbortSignal} [signal]
 * @returns {Promise<string | undefined>} undefined also if the server does not name its version
 */
export async function otherRelease(client, kubernetesVersion, signal) {
  const deciding = releaseOf(kubernetesVersion);
  const answer = await client.json('/version', { signal }).catch(() => undefined);
  const version = answer?.gitVersion;
  if (typeof version !== 'string') return undefined;
  const release = releaseOf(version);
  if (release === deciding) return undefined;
  const supported = RELEASES.find((name) => releaseOf(name) === release);
  const hint =
    supported === undefined
      ? `; there are ${RELEASES.join(', ')}`
      : `; --kubernetes-version ${supported} decides as its scheduler does`;
  return `the API server is ${version}, and kube-scheduler ${deciding} decides${hint}`;
}
