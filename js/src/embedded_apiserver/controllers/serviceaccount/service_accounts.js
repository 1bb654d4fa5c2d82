import { isAlreadyExists, isNamespaceTerminating, isNotFound } from '../api_errors.js';

/** @import { ControllerContext } from '../controller_context.js' */

/**
 * Each namespace has the ServiceAccount `default`.
 * Counterpart: pkg/controller/serviceaccount/serviceaccounts_controller.go, v1.36.
 * @param {ControllerContext} context
 */
export function startServiceAccountController(context) {
  const namespaces = context.indexer('namespaces');
  const reconciler = context.reconciler((namespace) => {
    if (namespaces.get(namespace)?.status?.phase === 'Terminating') return;
    if (!namespaces.get(namespace)) return;
    if (context.store.get('serviceaccounts', namespace, 'default')) return;
    try {
      context.store.create('serviceaccounts', {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { name: 'default', namespace },
      });
    } catch (error) {
      const isFine = [isAlreadyExists, isNotFound, isNamespaceTerminating].some((is) => is(error));
      if (!isFine) throw error;
    }
  });
  context.onChange('namespaces', (after) => {
    if (after) reconciler.enqueue(after.metadata.name);
  });
  context.onChange('serviceaccounts', (after, before) => {
    if (!after && before?.metadata.name === 'default')
      reconciler.enqueue(before.metadata.namespace);
  });
}
