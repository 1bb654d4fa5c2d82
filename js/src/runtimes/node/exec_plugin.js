/**
 * Runs programs that return credentials: client-go's credential plugins. Source:
 * client-go/plugin/pkg/client/auth/exec/exec.go, v1.36.
 */
import { spawn } from 'node:child_process';
import { credentialsFrom, execInfo } from './exec_credential.js';
import { CredentialsError } from './kubeconfig_error.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { Clock } from '../../io/clock.js'
 * @import { Credentials } from './exec_credential.js'
 * @import { ExecConfig } from './kubeconfig_exec.js'
 * @import { Environment } from './kubeconfig_files.js'
 */

/** The maximum size of a plugin's output: bytes. */
const MOST_BYTES = 1 << 20;

const NOT_INSTALLED =
  'It is a client-go credential plugin, which has to be installed: see ' +
  'https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins';

/** ExecPlugin runs a plugin when credentials are needed, and caches them until they expire. */
export class ExecPlugin {
  #config;
  #options;
  /** @type {Credentials | undefined} */
  #credentials;
  /** All waiting requests share one run. @type {Promise<Credentials> | undefined} */
  #running;
  /** The latest run. @type {ChildProcess | undefined} */
  #child;

  /**
   * @param {ExecConfig} config
   * @param {{ env: Environment, isTerminal: boolean, clock: Pick<Clock, 'now'>,
   *   cluster?: object }} options `isTerminal`: a person can answer prompts on stdin; `cluster`:
   *   its description for the plugin
   */
  constructor(config, options) {
    this.#config = config;
    this.#options = options;
  }

  /**
   * @param {Credentials} [refused] credentials that the server rejected: they are dropped if they
   *   are still the current ones
   * @returns {Promise<Credentials>} the same object as long as the credentials are the same
   * @throws {CredentialsError}
   */
  async credentials(refused) {
    const known = this.#credentials;
    const { clock } = this.#options;
    if (known && known !== refused && clock.now() < known.expiresAt) return known;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    this.#credentials = await this.#running;
    return this.#credentials;
  }

  /** Ends the run in progress. One that does not end keeps this process no longer. */
  close() {
    this.#child?.kill();
    this.#child?.stdout?.destroy();
    this.#child?.unref();
  }

  async #run() {
    const { apiVersion } = this.#config;
    try {
      return credentialsFrom(await this.#output(this.#isInteractive()), apiVersion);
    } catch (cause) {
      throw new CredentialsError(/** @type {Error} */ (cause).message, { cause });
    }
  }

  #isInteractive() {
    const { interactiveMode } = this.#config;
    const { isTerminal } = this.#options;
    if (interactiveMode === 'Always' && !isTerminal)
      throw new Error(
        'exec plugin cannot support interactive mode: standard input is not a terminal',
      );
    return interactiveMode !== 'Never' && isTerminal;
  }

  /**
   * @param {boolean} isInteractive
   * @returns {Promise<string>} its output on stdout
   */
  #output(isInteractive) {
    const { command, args, env, apiVersion, installHint } = this.#config;
    const { env: surrounding, cluster } = this.#options;
    const own = env.map(({ name, value }) => [name, value]);
    const info = execInfo({ apiVersion, isInteractive, cluster });
    const all = { ...surrounding, ...Object.fromEntries(own), KUBERNETES_EXEC_INFO: info };
    return new Promise((resolve, reject) => {
      const child = spawn(command, args, {
        env: all,
        stdio: [isInteractive ? 'inherit' : 'ignore', 'pipe', 'inherit'],
      });
      this.#child = child;
      /** @type {Buffer[]} */
      const chunks = [];
      let size = 0;
      child.stdout?.on('data', (chunk) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size > MOST_BYTES) child.kill();
      });
      child.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
        const hint = [NOT_INSTALLED, installHint].filter(Boolean).join('\n\n');
        const isMissing = error.code === 'ENOENT';
        const message = isMissing
          ? `exec: executable ${command} not found\n\n${hint}`
          : `exec: ${error.message}`;
        reject(new Error(message, { cause: error }));
      });
      child.on('close', (code, signal) => {
        const ended = signal === null ? `exit code ${code}` : `signal ${signal}`;
        if (size > MOST_BYTES) reject(new Error(`exec: more than ${MOST_BYTES} bytes on stdout`));
        else if (code === 0) resolve(Buffer.concat(chunks).toString());
        else reject(new Error(`exec: executable ${command} failed with ${ended}`));
      });
    });
  }
}
