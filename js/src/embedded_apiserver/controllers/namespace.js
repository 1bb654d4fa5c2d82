import { controllerGroup } from './controller_context.js';
import { startNamespaceController } from './namespace/namespace_controller.js';
import { startSystemNamespaces } from './namespace/system_namespaces.js';
import { startServiceAccountController } from './serviceaccount/service_accounts.js';

/**
 * Namespaces: those that every cluster has, what each has in it, and their end.
 * @param {{ onError?: (error: unknown, key: string) => void }} [options]
 */
export function namespace(options) {
  const starts = [startSystemNamespaces, startServiceAccountController, startNamespaceController];
  return controllerGroup('namespace', starts, options);
}
