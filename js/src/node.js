/**
 * API servers as Node finds them, by kubeconfig and in a pod, and servers on local ports. Bun and
 * Deno provide the modules that this needs, too.
 * @module stowage/node
 */
export { createHttpFetch } from './runtimes/node/http_fetch.js';
export { inClusterConfig } from './runtimes/node/in_cluster.js';
export { loadKubeconfig } from './runtimes/node/kubeconfig.js';
export { CredentialsError, KubeconfigError } from './runtimes/node/kubeconfig_error.js';
export { listen } from './runtimes/node/listen.js';

/** @typedef {import('./runtimes/node/connection.js').ConnectionOptions} ConnectionOptions */
/** @typedef {import('./runtimes/node/kubeconfig.js').KubeconfigOptions} KubeconfigOptions */
/** @typedef {import('./runtimes/node/kubeconfig_error.js').KubeconfigFault} KubeconfigFault */
/** @typedef {import('./runtimes/node/listen.js').FetchHandler} FetchHandler */
/** @typedef {import('./runtimes/node/listen.js').Listening} Listening */
/** @typedef {import('./runtimes/node/listen.js').ListenOptions} ListenOptions */
