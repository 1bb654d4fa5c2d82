import { StowageError } from '../../kubernetes/errors.js';

/**
 * @typedef {object} KubeconfigFault
 * @property {string} detail the fault, in kubectl's words
 * @property {string} [file]
 * @property {string} [field] such as `users[0].user.token`
 */

/**
 * The kubeconfig, or its replacement in a pod, does not lead to an API server. `code` is
 * `InvalidKubeconfig`; `NoKubeconfig` if no file exists; `NotInCluster` if this process does not
 * run in a pod. `errors` names files and fields.
 */
export class KubeconfigError extends StowageError {
  /** @override */
  name = 'KubeconfigError';

  /**
   * @param {string} code
   * @param {string} about the message's beginning, before the faults; may be empty
   * @param {KubeconfigFault[]} errors at least one
   * @param {{ cause?: unknown }} [options]
   */
  constructor(code, about, errors, options) {
    const list = errors.map(sentence).join(', ');
    const prefix = about && `${about}: `;
    super(code, prefix + (errors.length > 1 ? `[${list}]` : list), options);
    this.errors = errors;
  }

  /** @override @returns {import('../../kubernetes/types.js').Status} */
  toStatus() {
    const { message } = this;
    const kind = { apiVersion: /** @type {const} */ ('v1'), kind: /** @type {const} */ ('Status') };
    return { ...kind, metadata: {}, status: 'Failure', message, reason: 'BadRequest', code: 400 };
  }
}

/** @param {KubeconfigFault} fault */
function sentence({ detail, file, field }) {
  const where = [file, field].filter(Boolean).join(': ');
  return where ? `${detail} (${where})` : detail;
}

/** Credentials could not be obtained: a plugin failed, or a token file is missing. */
export class CredentialsError extends StowageError {
  /** @override */
  name = 'CredentialsError';

  /**
   * @param {string} message
   * @param {{ cause?: unknown }} [options]
   */
  constructor(message, options) {
    super('NoCredentials', `getting credentials: ${message}`, options);
  }
}
