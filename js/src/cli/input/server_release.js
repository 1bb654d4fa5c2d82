/** Compares the release of the input with the one that decides, which is never taken from it. */
import { releaseOf, RELEASES } from '../../kubernetes/release.js';

/** @import { ApiClient } from '../../client/api_client.js' */

/** The source of the versions that API servers report. */
export const SERVER = 'the API server';

/**
 * Returns a warning if an input is of another release than the one that decides.
 * @param {string} source the input
 * @param {string} version its version
 * @param {string | undefined} kubernetesVersion the release that decides; default the newest
 * @returns {string | undefined}
 */
export function releaseWarning(source, version, kubernetesVersion) {
  const deciding = releaseOf(kubernetesVersion);
  const release = releaseOf(version);
  if (release === deciding) return undefined;
  const supported = RELEASES.find((name) => releaseOf(name) === release);
  const hint =
    supported === undefined
      ? `there are ${RELEASES.join(', ')}`
      : `--kubernetes-version ${supported} decides as its scheduler does`;
  return `${source} is of ${version}, and kube-scheduler ${deciding} decides; ${hint}`;
}

/**
 * Returns the version that an API server reports.
 * @param {Pick<ApiClient, 'json'>} client
 * @param {AbortSignal} [signal]
 * @returns {Promise<string | undefined>} such as `v1.34.9`; undefined if it cannot be read
 */
export async function serverVersion(client, signal) {
  const answer = await client.json('/version', { signal }).catch(() => undefined);
  return typeof answer?.gitVersion === 'string' ? answer.gitVersion : undefined;
}
