/** Creates the headers that authenticate a user of a kubeconfig. */
import { FileValue, TOKEN_PERIOD } from './file_values.js';

/**
 * @import { Clock } from '../../io/clock.js'
 * @import { Credentials } from './exec_credential.js'
 * @import { ExecPlugin } from './exec_plugin.js'
 * @import { Impersonation, User } from './kubeconfig_user.js'
 */

/**
 * Returns the headers. A token from a file takes precedence over one in place, both over a
 * password, and all over a plugin's. Source: client-go/transport/round_trippers.go and
 * token_source.go, v1.36.
 * @param {Pick<User, 'token' | 'tokenFile'> & Partial<User>} user
 * @param {{ clock: Clock, plugin?: ExecPlugin, fixed?: Record<string, string> }} options
 * @returns {NonNullable<import('../../io/client_options.js').ApiClientOptions['headers']>}
 */
export function userHeaders(user, { clock, plugin, fixed = {} }) {
  const { token, tokenFile, username, password, impersonation } = user;
  const always = { ...fixed, ...(impersonation && impersonationHeaders(impersonation)) };
  const file = tokenFile ? new FileValue(tokenFile, { period: TOKEN_PERIOD, clock }) : undefined;
  const basic = username || password ? `Basic ${base64(`${username}:${password}`)}` : '';
  /** @type {WeakMap<object, Credentials>} */
  const given = new WeakMap();
  return async ({ refresh, refused }) => {
    if (plugin) {
      const old = refresh && refused ? given.get(refused) : undefined;
      const credentials = await plugin.credentials(old);
      const { token: fresh } = credentials;
      const headers = { ...always, ...(fresh && bearer(fresh)) };
      given.set(headers, credentials);
      return headers;
    }
    const current = file ? await file.read({ refresh }).catch(orElse(token)) : token;
    if (current) return { ...always, ...bearer(current) };
    return { ...always, ...(basic && { Authorization: basic }) };
  };
}

const bearer = (/** @type {string} */ token) => ({ Authorization: `Bearer ${token}` });

/** Until the file can be read, the token in place is used. @param {string} token */
function orElse(token) {
  return (/** @type {unknown} */ cause) => {
    if (token) return token;
    throw cause;
  };
}

/** @param {string} text */
function base64(text) {
  return Buffer.from(text).toString('base64');
}

/**
 * Source: `impersonatingRoundTripper` in client-go/transport/round_trippers.go, v1.36. API servers
 * read UTF-8, while the text of a header has one character per byte.
 * @param {Impersonation} impersonation
 * @returns {Record<string, string>}
 */
function impersonationHeaders({ user, uid, groups, extra }) {
  const extras = Object.entries(extra).flatMap(([key, values]) =>
    values.map((value) => [`Impersonate-Extra-${headerKey(key)}`, value]),
  );
  const headers = {
    ...(user && { 'Impersonate-User': user }),
    ...(uid && { 'Impersonate-Uid': uid }),
    ...(groups.length > 0 && { 'Impersonate-Group': groups[0] }),
    ...Object.fromEntries(extras),
  };
  return Object.fromEntries(
    Object.entries(headers).map(([name, text]) => [name, Buffer.from(text).toString('latin1')]),
  );
}

/** Characters that a header's name cannot contain are percent-encoded. @param {string} key */
function headerKey(key) {
  const bytes = [...Buffer.from(key)].map((byte) => String.fromCharCode(byte));
  return bytes
    .map((character) =>
      /[A-Za-z0-9!#$&'*+.^_`|~-]/.test(character)
        ? character
        : `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
    )
    .join('');
}
