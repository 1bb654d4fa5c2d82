/** Reads files that may change while they are in use: certificates, keys, tokens. */
import { readFile } from 'node:fs/promises';
import { CredentialsError } from './kubeconfig_error.js';

/** @import { Clock } from '../../io/clock.js' */

/**
 * How long a token or a certificate from a file is used before it is read again: milliseconds. The
 * kubelet writes a new token when a fifth of the old one's lifetime is left. Source:
 * client-go/transport/token_source.go (a minute without its leeway of 10 s) and cert_rotation.go,
 * v1.36.
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
   * Returns the file's text. If the file can no longer be read, the last text stays valid.
   * @param {{ refresh?: boolean }} [options] `refresh`: read it now
   * @returns {Promise<string>} not empty, without surrounding spaces
   * @throws {CredentialsError} if it could never be read
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
