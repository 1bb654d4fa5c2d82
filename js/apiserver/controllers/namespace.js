import { controllerGroup } from './controller_context.js';
import {
  startRootCaPublisher,
  startServiceAccountController,
} from './namespace/default_contents.js';
import { startNamespaceController } from './namespace/namespace_controller.js';
import { startSystemNamespaces } from './namespace/system_namespaces.js';

/**
 * Namespaces: creates those of every cluster and their default contents, and empties deleted ones.
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
