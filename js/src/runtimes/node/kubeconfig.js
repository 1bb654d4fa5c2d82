/**
 * Finds API servers in kubeconfigs. Source: client-go/tools/clientcmd, v1.36; README.md here lists
 * the supported fields.
 */
import { readFile } from 'node:fs/promises';
import { systemClock } from '../system_clock.js';
import { clientOptions } from './connection.js';
import { ExecPlugin } from './exec_plugin.js';
import { addressOf, readCluster } from './kubeconfig_cluster.js';
import { KubeconfigError } from './kubeconfig_error.js';
import { Fields } from './kubeconfig_fields.js';
import { readKubeconfig } from './kubeconfig_files.js';
import { readUser } from './kubeconfig_user.js';
import { proxyFromEnvironment } from './proxy_from_environment.js';

/**
 * @import { Clock } from '../../io/clock.js'
 * @import { ConnectionOptions } from './connection.js'
 * @import { Cluster } from './kubeconfig_cluster.js'
 * @import { KubeconfigFault } from './kubeconfig_error.js'
 * @import { Environment, Kubeconfig } from './kubeconfig_files.js'
 * @import { User } from './kubeconfig_user.js'
 */

/**
 * @typedef {object} KubeconfigOptions
 * @property {string} [context] default: the current one
 * @property {Environment} [env] default: that of the process
 * @property {boolean} [isTerminal] whether exec plugins can prompt a person; default: whether stdin
 *   is a terminal
 * @property {Clock} [clock] default: the host's
 */

const DNS_LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/**
 * Returns the options for `createApiClient` from a kubeconfig. A context without a user has no
 * credentials, and over http none are sent. While the client is in use, the files that it names are
 * read again, and an exec plugin runs when its credentials are needed.
 * @param {string} [path] the only file. Default: those of `KUBECONFIG`, or `~/.kube/config`
 * @param {KubeconfigOptions} [options]
 * @returns {Promise<ConnectionOptions>}
 * @throws {KubeconfigError}
 */
export async function loadKubeconfig(path, options = {}) {
  const { env = process.env, clock = systemClock() } = options;
  const { isTerminal = process.stdin.isTTY === true } = options;
  const kubeconfig = await readKubeconfig(path, env);
  const { cluster, user, namespace, baseUrl } = await chosen(kubeconfig, options.context);
  const isSecure = baseUrl.startsWith('https:');
  const { impersonation } = user;
  const plugin =
    isSecure && user.exec && !hasOwnCredentials(user)
      ? new ExecPlugin(user.exec, {
          env,
          isTerminal,
          // Credentials expire by the time of day, even if that is set back.
          clock: options.clock ?? { now: () => Date.now() },
          cluster: user.exec.provideClusterInfo ? await execCluster(cluster) : undefined,
        })
      : undefined;
  return clientOptions({
    baseUrl,
    namespace,
    server: cluster,
    user: isSecure ? user : { token: '', tokenFile: '', impersonation },
    proxyUrl: cluster.proxyUrl || proxyFromEnvironment(baseUrl, env),
    fixed: cluster.disableCompression ? { 'Accept-Encoding': 'identity' } : {},
    plugin,
    clock,
  });
}

/**
 * Whether there are other credentials beside the exec plugin: they take precedence.
 * @param {User} user
 */
function hasOwnCredentials({ token, tokenFile, username, password, certificate }) {
  return [token, tokenFile, username, password, certificate.data, certificate.file].some(Boolean);
}

/**
 * @param {Kubeconfig} kubeconfig
 * @param {string} [wanted]
 */
async function chosen({ currentContext, contexts, clusters, users }, wanted) {
  const name = wanted ?? currentContext;
  const context = contexts.get(name);
  if (!context) {
    const isNone = wanted === undefined && name === '';
    const detail = isNone ? 'current-context is not set' : `context "${name}" does not exist`;
    throw new KubeconfigError('InvalidKubeconfig', '', [{ detail }]);
  }
  const nowhere = new Fields({}, { file: context.file, path: '' });
  const clusterName = context.text('cluster');
  const userName = context.text('user');
  const clusterFields = clusters.get(clusterName);
  const userFields = users.get(userName);
  const cluster = await readCluster(clusterName, clusterFields ?? nowhere);
  const user = await readUser(userName, userFields ?? nowhere);
  const baseUrl =
    addressOf(cluster.cluster.server, { isTls: isTls(cluster.cluster, user.user) }) ?? '';
  /** @type {KubeconfigFault[]} */
  const faults = [];
  const add = (/** @type {string} */ field, /** @type {string} */ detail) =>
    faults.push(context.fault(field, detail));
  // kubectl would ask for a name and a password then, but not over http.
  if (userName && !userFields && !baseUrl.startsWith('http:'))
    add('user', `user "${userName}" was not found for context "${name}"`);
  if (!clusterName) add('cluster', `cluster was not specified for context "${name}"`);
  else if (!clusterFields)
    add('cluster', `cluster "${clusterName}" was not found for context "${name}"`);
  const namespace = context.text('namespace');
  if (namespace && !DNS_LABEL.test(namespace)) {
    const detail = `namespace "${namespace}" for context "${name}" does not conform to the `;
    add('namespace', `${detail}kubernetes DNS_LABEL rules`);
  }
  faults.push(...user.faults, ...(clusterFields ? cluster.faults : []));
  if (faults.length > 0)
    throw new KubeconfigError('InvalidKubeconfig', 'invalid configuration', faults);
  const { cluster: server } = cluster;
  return { user: user.user, cluster: server, namespace: namespace || 'default', baseUrl };
}

/**
 * @param {Cluster} cluster
 * @param {User} user
 */
function isTls({ ca, insecure }, { certificate }) {
  return insecure || [ca, certificate].some(({ data, file }) => Boolean(data || file));
}

/**
 * Returns `ExecCredential.spec.cluster`. Source: client-go/tools/auth/exec/exec.go, v1.36.
 * @param {Cluster} cluster
 */
async function execCluster({
  server,
  serverName,
  insecure,
  ca,
  proxyUrl,
  disableCompression,
  execConfig,
}) {
  const pem = ca.data || (ca.file && (await readFile(ca.file, 'utf8')));
  return {
    server,
    ...(serverName && { 'tls-server-name': serverName }),
    ...(insecure && { 'insecure-skip-tls-verify': true }),
    ...(pem && { 'certificate-authority-data': Buffer.from(pem).toString('base64') }),
    ...(proxyUrl && { 'proxy-url': proxyUrl }),
    ...(disableCompression && { 'disable-compression': true }),
    config: execConfig ?? null,
  };
}
