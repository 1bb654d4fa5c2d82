/**
 * Reads a cluster of a kubeconfig. Source: `validateClusterInfo` in
 * client-go/tools/clientcmd/validation.go, v1.36.
 */
import { dataOrFile, unreadable } from './data_or_file.js';
import { proxyFault } from './proxy_url.js';

/**
 * @import { DataOrFile } from './data_or_file.js'
 * @import { KubeconfigFault } from './kubeconfig_error.js'
 * @import { Fields } from './kubeconfig_fields.js'
 */

/**
 * @typedef {object} Cluster
 * @property {string} server
 * @property {DataOrFile} ca
 * @property {boolean} insecure whether the server's certificate is not verified
 * @property {string} serverName the name in the server's certificate; empty: the host's
 * @property {string} proxyUrl empty: the environment's proxy
 * @property {boolean} disableCompression
 * @property {unknown} execConfig the cluster's configuration for exec plugins
 */

/** The name of a cluster's extension for exec plugins. */
const EXEC_EXTENSION = 'client.authentication.k8s.io/exec';

/**
 * @param {string} name
 * @param {Fields} fields
 * @returns {Promise<{ cluster: Cluster, faults: KubeconfigFault[] }>}
 */
export async function readCluster(name, fields) {
  const extensions = fields.list('extensions');
  const forPlugins = extensions.find((extension) => extension.text('name') === EXEC_EXTENSION);
  const cluster = {
    server: fields.text('server'),
    ca: dataOrFile(fields, 'certificate-authority'),
    insecure: fields.flag('insecure-skip-tls-verify'),
    serverName: fields.text('tls-server-name'),
    proxyUrl: fields.text('proxy-url'),
    disableCompression: fields.flag('disable-compression'),
    execConfig: forPlugins?.any('extension'),
  };
  return { cluster, faults: await faultsOf(name, cluster, fields) };
}

/**
 * @param {string} name
 * @param {Cluster} cluster
 * @param {Fields} fields
 */
async function faultsOf(name, { server, ca, insecure, proxyUrl }, fields) {
  /** @type {KubeconfigFault[]} */
  const faults = [];
  const add = (/** @type {string} */ field, /** @type {string} */ detail) =>
    faults.push(fields.fault(field, detail));
  if (!server) add('server', `no server found for cluster "${name}"`);
  else if (!addressOf(server)) add('server', `invalid server ${server} for cluster "${name}"`);
  const proxy = proxyUrl ? proxyFault(proxyUrl) : undefined;
  if (proxy) add('proxy-url', `invalid 'proxy-url' "${proxyUrl}" for cluster "${name}": ${proxy}`);
  if (ca.data && ca.file) {
    const both = `certificate-authority-data and certificate-authority are both specified`;
    add('certificate-authority', `${both} for ${name}. certificate-authority-data will override.`);
  }
  const why = await unreadable(ca.file);
  if (why)
    add(
      'certificate-authority',
      `unable to read certificate-authority ${ca.file} for ${name} due to ${why}`,
    );
  if (insecure && (ca.data || ca.file)) {
    const detail = 'specifying a root certificates file with the insecure flag is not allowed';
    add('insecure-skip-tls-verify', detail);
  }
  return faults;
}

/**
 * Returns the address of a server. Without a scheme it is https if certificates are given, else
 * http. Source: `DefaultServerURL` in client-go/rest/url_utils.go, v1.36.
 * @param {string} server
 * @param {{ isTls?: boolean }} [options]
 * @returns {string | undefined} undefined if it is invalid
 */
export function addressOf(server, { isTls = false } = {}) {
  const text = server.includes('://') ? server : `${isTls ? 'https' : 'http'}://${server}`;
  if (!URL.canParse(text)) return undefined;
  const { protocol, username, password, search, hash } = new URL(text);
  const isPlain = !username && !password && !search && !hash;
  const isWeb = ['http:', 'https:'].includes(protocol);
  return isPlain && isWeb ? protocol + text.slice(protocol.length) : undefined;
}
