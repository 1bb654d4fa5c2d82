/** Connects to the command's cluster. */
import { StowageError } from '../../kubernetes/errors.js';
import { BadInputError } from '../terminal/problems.js';

/**
 * @import { ApiClientOptions } from '../../io/client_options.js'
 * @import { Host } from '../host.js'
 */

/**
 * Returns the connection of the flags, of the pod that this runs in, or of the default kubeconfig.
 * @param {{ kubeconfig?: string, context?: string, inCluster?: boolean }} options
 * @param {Host} host
 * @param {Omit<import('../host.js').Connections, 'listen'>} connections
 * @returns {Promise<ApiClientOptions>}
 * @throws {BadInputError} if it cannot be used, as a fault of the input
 */
export async function connect({ kubeconfig, context, inCluster }, { env }, connections) {
  const isNamed = kubeconfig !== undefined || context !== undefined;
  const isInPod = env.KUBERNETES_SERVICE_HOST !== undefined && env.KUBECONFIG === undefined;
  try {
    if (inCluster || (isInPod && !isNamed)) return await connections.inClusterConfig();
    return await connections.loadKubeconfig(kubeconfig, { context });
  } catch (error) {
    if (!(error instanceof StowageError)) throw error;
    throw new BadInputError([error.message]);
  }
}
