import { controllerGroup } from './controller_context.js';
import {
  startRootCaPublisher,
  startServiceAccountController,
} from './namespace/default_contents.js';
import { startNamespaceController } from './namespace/namespace_controller.js';
import { startSystemNamespaces } from './namespace/system_namespaces.js';

/**
 * Namespaces: those that every cluster has, what each has in it, and their end.
 * @param {{ onError?: (error: unknown, key: string) => void }} [options]
 */
export function namespace(options) {
  const starts = [
    startSystemNamespaces,
    startServiceAccountController,
    startRootCaPublisher,
    startNamespaceController,
  ];
  return controllerGroup('namespace', starts, options);
}
