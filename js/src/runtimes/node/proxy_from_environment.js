/**
 * Finds the proxy in the environment. Source: golang.org/x/net/http/httpproxy, which client-go uses
 * for clusters without a proxy-url.
 */
import { BlockList, isIP } from 'node:net';
import { KubeconfigError } from './kubeconfig_error.js';
import { isProxyUrl, proxyFault } from './proxy_url.js';

/** @import { Environment } from './kubeconfig_files.js' */

/** The port is optional. */
const WITH_PORT = /^(.*?)(?::(\d+))?$/;

/**
 * @param {string} address of the server
 * @param {Environment} env
 * @returns {string | undefined} undefined also if the variable has no address, as in Go
 * @throws {KubeconfigError} `InvalidKubeconfig` if it is not a proxy of HTTP
 */
export function proxyFromEnvironment(address, env) {
  const { protocol, hostname, port } = new URL(address);
  const scheme = protocol.slice(0, -1).toUpperCase();
  const upper = `${scheme}_PROXY`;
  const name = env[upper] ? upper : upper.toLowerCase();
  const value = env[name];
  if (!value) return undefined;
  const proxy = value.includes('://') ? value : `http://${value}`;
  if (!isProxyUrl(proxy)) return undefined;
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const excluded = env.NO_PROXY || env.no_proxy || '';
  if (isLocal(host)) return undefined;
  const at = { host, port: port || (scheme === 'HTTPS' ? '443' : '80') };
  if (excluded.split(',').some((rule) => isExcluded(rule.trim().toLowerCase(), at)))
    return undefined;
  const detail = proxyFault(proxy);
  if (detail) throw new KubeconfigError('InvalidKubeconfig', `invalid ${name}`, [{ detail }]);
  return proxy;
}

/** @param {string} host */
function isLocal(host) {
  return host === 'localhost' || /^127\./.test(host) || host === '::1';
}

/**
 * @param {string} rule `*`, an address, a range of addresses, or a domain, each with or without a
 *   port
 * @param {{ host: string, port: string }} at
 */
function isExcluded(rule, { host, port }) {
  if (rule === '') return false;
  if (rule === '*') return true;
  if (rule.includes('/')) return isIP(host) !== 0 && isInRange(host, rule);
  const [, pattern, only] = isIP(rule) ? [rule, rule] : (WITH_PORT.exec(rule) ?? ['', rule]);
  if (only !== undefined && only !== port) return false;
  const domain = pattern.replace(/^\[|\]$/g, '').replace(/^\*(?=\.)/, '');
  if (domain.startsWith('.')) return host.endsWith(domain);
  return host === domain || (isIP(domain) === 0 && host.endsWith(`.${domain}`));
}

/**
 * @param {string} host
 * @param {string} range in CIDR notation
 */
function isInRange(host, range) {
  const [network, bits] = range.split('/');
  const family = isIP(network) === 6 ? 'ipv6' : 'ipv4';
  const most = family === 'ipv6' ? 128 : 32;
  if (isIP(network) !== isIP(host) || !/^\d+$/.test(bits) || Number(bits) > most) return false;
  const list = new BlockList();
  list.addSubnet(network, Number(bits), family);
  return list.check(host, family);
}
