/** Turns the settings of a server and its user into options of a client. */
import { createHttpFetch, DEFAULT_TLS } from './http_fetch.js';
import { bunFetch, denoFetch } from './other_runtimes.js';
import { TlsSource } from './tls_source.js';
import { userHeaders } from './user_headers.js';

/**
 * @import { ApiClientOptions } from '../../io/client_options.js'
 * @import { Clock } from '../../io/clock.js'
 * @import { DataOrFile } from './data_or_file.js'
 * @import { ExecPlugin } from './exec_plugin.js'
 * @import { User } from './kubeconfig_user.js'
 * @import { TlsOptions } from './tls_source.js'
 */

/**
 * @typedef {object} Connection
 * @property {string} baseUrl
 * @property {string} namespace
 * @property {{ ca: DataOrFile, serverName: string, insecure: boolean }} server
 * @property {Pick<User, 'token' | 'tokenFile'> & Partial<User>} user
 * @property {string} [proxyUrl]
 * @property {Record<string, string>} [fixed] headers of all requests
 * @property {ExecPlugin} [plugin]
 * @property {Clock} clock
 */

/**
 * Returns the options for `createApiClient`.
 * @typedef {ApiClientOptions & Required<Pick<ApiClientOptions, 'close' | 'fetch' | 'headers' |
 *   'namespace'>>} ConnectionOptions
 */

/**
 * @param {Connection} connection
 * @returns {Promise<ConnectionOptions>}
 * @throws {import('./kubeconfig_error.js').CredentialsError} if a certificate is invalid
 */
export async function clientOptions(connection) {
  const { baseUrl, namespace, server, user, proxyUrl, fixed, plugin, clock } = connection;
  const headers = userHeaders(user, { clock, plugin, fixed });
  const { certificate, key } = user;
  const source = new TlsSource({ ...server, certificate, key }, { clock, plugin });
  const isTls = baseUrl.startsWith('https:');
  // An exec plugin may prompt a person, which must wait until the first request.
  if (isTls && !plugin) await source.current();
  const tls = isTls ? () => source.current() : undefined;
  const { fetch, close } = fetchOf({ tls, proxyUrl });
  const closeAll = async () => {
    plugin?.close();
    await close();
  };
  return { baseUrl, namespace, headers, fetch, close: closeAll };
}

/** @param {{ tls?: () => Promise<TlsOptions>, proxyUrl?: string }} options */
function fetchOf({ tls = async () => DEFAULT_TLS, proxyUrl }) {
  const { Bun, Deno, fetch } = /** @type {any} */ (globalThis);
  if (Bun) return bunFetch({ tls, proxyUrl }, fetch);
  if (Deno) return denoFetch({ tls, proxyUrl }, fetch, Deno.createHttpClient);
  return createHttpFetch({ tls, proxyUrl });
}
