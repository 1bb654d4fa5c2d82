/** Provides the certificates and keys of new connections, from files that may change. */
import { createSecureContext } from 'node:tls';
import { CERTIFICATE_PERIOD, FileValue } from './file_values.js';
import { CredentialsError } from './kubeconfig_error.js';

/**
 * @import { Clock } from '../../io/clock.js'
 * @import { DataOrFile } from './data_or_file.js'
 * @import { ExecPlugin } from './exec_plugin.js'
 */

/**
 * @typedef {object} TlsOptions
 * @property {string} [ca] PEM; undefined: the host's
 * @property {string} [cert] PEM
 * @property {string} [key] PEM
 * @property {string} [serverName] the one in the server's certificate; undefined: the host's
 * @property {boolean} insecure whether the server's certificate is not verified
 */

const PEM = /-----BEGIN (TRUSTED )?CERTIFICATE-----/;

/**
 * TlsSource returns the options of new connections: the same object as long as they are the same.
 */
export class TlsSource {
  #ca;
  #certificate;
  #key;
  #plugin;
  #fixed;
  /** @type {TlsOptions | undefined} */
  #last;
  #isHalfWritten = false;

  /**
   * @param {{ ca: DataOrFile, certificate?: DataOrFile, key?: DataOrFile, serverName: string,
   *   insecure: boolean }} given data takes precedence over files
   * @param {{ clock: Clock, plugin?: ExecPlugin }} options
   */
  constructor({ ca, certificate, key, serverName, insecure }, { clock, plugin }) {
    this.#ca = reader(ca, clock);
    this.#certificate = reader(certificate, clock);
    this.#key = reader(key, clock);
    this.#plugin = plugin;
    this.#fixed = { insecure, ...(serverName && { serverName }) };
  }

  /**
   * Returns the current options. While only one half of a new pair has been written, the last pair
   * stays in use.
   * @returns {Promise<TlsOptions>}
   * @throws {CredentialsError} if there is no pair yet
   */
  async current() {
    const refresh = this.#isHalfWritten;
    const [ca, cert, key] = await Promise.all(
      [this.#ca, this.#certificate, this.#key].map((read) => read(refresh)),
    );
    const credentials = await this.#plugin?.credentials();
    const next = {
      ...this.#fixed,
      ca,
      cert: cert ?? (credentials?.certificate || undefined),
      key: key ?? (credentials?.key || undefined),
    };
    const last = this.#last;
    if (last && last.ca === ca && last.cert === next.cert && last.key === next.key) return last;
    try {
      check(next);
    } catch (cause) {
      this.#isHalfWritten = true;
      if (last) return last;
      throw new CredentialsError(/** @type {Error} */ (cause).message, { cause });
    }
    this.#isHalfWritten = false;
    this.#last = next;
    return next;
  }
}

/**
 * Node ignores invalid certificates, so they are checked here.
 * @param {TlsOptions} options
 * @throws {Error}
 */
function check({ ca, cert, key }) {
  if (ca !== undefined && !PEM.test(ca))
    throw new Error('unable to load root certificates: unable to parse bytes as PEM block');
  createSecureContext({ ca, cert, key });
}

/**
 * @param {DataOrFile | undefined} given
 * @param {Clock} clock
 * @returns {(refresh: boolean) => Promise<string | undefined>}
 */
function reader(given, clock) {
  if (given?.data) return async () => given.data;
  if (!given?.file) return async () => undefined;
  const file = new FileValue(given.file, { period: CERTIFICATE_PERIOD, clock });
  return (refresh) => file.read({ refresh });
}
