/**
 * What files hold that are written anew while somebody uses them: certificates, keys, tokens.
 */
import { readFile } from 'node:fs/promises';
import { CredentialsError } from './kubeconfig_error.js';

/** @import { Clock } from '../../io/clock.js' */

/**
 * How long a token from a file is used, and a certificate: milliseconds. The kubelet writes a new
 * token when a fifth of the old one's time is left.
 * Source: client-go/transport/token_source.go (a minute without its leeway of 10 s) and
 * cert_rotation.go, v1.36.
 */
export const TOKEN_PERIOD = 50_000;
export const CERTIFICATE_PERIOD = 300_000;

/** FileValue is the text of a file, read again when it is older than its period. */
export class FileValue {
  #path;
  #period;
  #clock;
  #text = '';
  #readAt = -Infinity;

  /** @param {string} path @param {{ period: number, clock: Clock }} options */
  constructor(path, { period, clock }) {
    this.#path = path;
    this.#period = period;
    this.#clock = clock;
  }

  /**
   * A file that cannot be read again leaves what it said before.
   * @param {{ refresh?: boolean }} [options] `refresh`: read it now
   * @returns {Promise<string>} not empty, without spaces around it
   * @throws {CredentialsError} when it was never read
   */
  async read({ refresh = false } = {}) {
    if (!refresh && this.#clock.now() - this.#readAt < this.#period) return this.#text;
    try {
      const text = (await readFile(this.#path, 'utf8')).trim();
      if (text === '') throw new Error(`read empty file ${this.#path}`);
      this.#text = text;
      this.#readAt = this.#clock.now();
    } catch (cause) {
      if (this.#text === '')
        throw new CredentialsError(/** @type {Error} */ (cause).message, { cause });
    }
    return this.#text;
  }
}
