import { isAlreadyExists } from '../api_errors.js';

/** @import { ControllerContext } from '../controller_context.js' */

const SYSTEM_NAMESPACES = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];

/**
 * The namespaces that every cluster has.
 * Counterpart: pkg/controlplane/controller/systemnamespaces, v1.36.
 * @param {ControllerContext} context
 */
export function startSystemNamespaces(context) {
  const namespaces = context.indexer('namespaces');
  const reconciler = context.reconciler((name) => {
    if (namespaces.get(name)) return;
    try {
      context.store.create('namespaces', {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name },
      });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
  });
  for (const name of SYSTEM_NAMESPACES) reconciler.enqueue(name);
  context.onChange('namespaces', (after, before) => {
    if (!after && before && SYSTEM_NAMESPACES.includes(before.metadata.name))
      reconciler.enqueue(before.metadata.name);
  });
}
