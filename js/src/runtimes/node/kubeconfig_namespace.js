/** The namespace that kubectl works in, as far as a kubeconfig says. */
import { KubeconfigError } from './kubeconfig_error.js';
import { readKubeconfig } from './kubeconfig_files.js';

/**
 * The namespace of a context. Of the cluster and the user nothing is read.
 * @param {string | undefined} path the only file. Default: those of `KUBECONFIG`, or else
 *   `~/.kube/config`; that there is none is no error
 * @param {{ context?: string, env: import('./kubeconfig_files.js').Environment }} options
 *   `context`: default the current one
 * @returns {Promise<string | undefined>} undefined: it says none
 * @throws {KubeconfigError} when a file cannot be read
 */
export async function kubeconfigNamespace(path, { context, env }) {
  try {
    const { currentContext, contexts } = await readKubeconfig(path, env);
    return contexts.get(context ?? currentContext)?.text('namespace') || undefined;
  } catch (error) {
    const isAbsent = error instanceof KubeconfigError && error.code === 'NoKubeconfig';
    if (isAbsent && path === undefined) return undefined;
    throw error;
  }
}
