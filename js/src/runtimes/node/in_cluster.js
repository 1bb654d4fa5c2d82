/**
 * Finds the API server of the cluster that this process runs in, by its pod's service account.
 * Source: `InClusterConfig` in client-go/rest/config.go and `inClusterClientConfig` in
 * client-go/tools/clientcmd/client_config.go, v1.36.
 */
import { readFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import { systemClock } from '../system_clock.js';
import { clientOptions } from './connection.js';
import { unreadable } from './data_or_file.js';
import { KubeconfigError } from './kubeconfig_error.js';
import { proxyFromEnvironment } from './proxy_from_environment.js';

/**
 * @import { Clock } from '../../io/clock.js'
 * @import { ConnectionOptions } from './connection.js'
 * @import { Environment } from './kubeconfig_files.js'
 */

const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

/**
 * Returns the options for `createApiClient`. The token is read again when it is older than a
 * minute, because the kubelet replaces it.
 * @param {{ env?: Environment, folder?: string, clock?: Clock }} [options] `folder`: of the service
 *   account's files
 * @returns {Promise<ConnectionOptions>}
 * @throws {KubeconfigError} `NotInCluster`
 */
export async function inClusterConfig(options = {}) {
  const { env = process.env, folder = SERVICE_ACCOUNT, clock = systemClock() } = options;
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env;
  const about = 'unable to load in-cluster configuration';
  if (!host || !port) {
    const detail = 'KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must be defined';
    throw new KubeconfigError('NotInCluster', about, [{ detail }]);
  }
  const tokenFile = join(folder, 'token');
  const ca = { data: '', file: join(folder, 'ca.crt') };
  for (const file of [tokenFile, ca.file]) {
    const why = await unreadable(file);
    if (why) throw new KubeconfigError('NotInCluster', about, [{ detail: why }]);
  }
  const baseUrl = `https://${isIPv6(host) ? `[${host}]` : host}:${port}`;
  return clientOptions({
    baseUrl,
    proxyUrl: proxyFromEnvironment(baseUrl, env),
    namespace: await namespaceOf(env, folder),
    server: { ca, serverName: '', insecure: false },
    user: { token: '', tokenFile },
    clock,
  });
}

/**
 * @param {Environment} env
 * @param {string} folder
 */
async function namespaceOf({ POD_NAMESPACE }, folder) {
  if (POD_NAMESPACE) return POD_NAMESPACE;
  const text = await readFile(join(folder, 'namespace'), 'utf8').catch(() => '');
  return text.trim() || 'default';
}
