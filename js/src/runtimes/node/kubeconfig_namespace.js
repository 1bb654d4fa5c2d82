/** Reads kubectl's namespace from a kubeconfig. */
import { KubeconfigError } from './kubeconfig_error.js';
import { readKubeconfig } from './kubeconfig_files.js';

/**
 * Returns the namespace of a context. The cluster and the user are not read.
 * @param {string | undefined} path the only file. Default: those of `KUBECONFIG`, or
 *   `~/.kube/config`; a missing file is not an error
 * @param {{ context?: string, env: import('./kubeconfig_files.js').Environment }} options
 *   `context`: default the current one
 * @returns {Promise<string | undefined>} undefined if the context has none
 * @throws {KubeconfigError} if a file cannot be read
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
