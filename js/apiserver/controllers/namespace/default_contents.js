import { isAlreadyExists, isNamespaceTerminating, isNotFound } from '../api_errors.js';
import { semanticEqual } from '../../../src/kubernetes/workloads/objects.js';

/**
 * @import { KubernetesObject } from '../../../src/kubernetes/types.js'
 * @import { ControllerContext } from '../controller_context.js'
 */

/** @type {KubernetesObject} */
const SERVICE_ACCOUNT = {
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name: 'default' },
};

/**
 * An in-memory cluster has no certificate authority. The bundle contains a comment, which PEM
 * allows before certificates, and no certificate: clients that read it trust none.
 * @type {KubernetesObject}
 */
const ROOT_CA = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name: 'kube-root-ca.crt',
    annotations: {
      'kubernetes.io/description':
        'The certificates that verify the API server inside of the cluster. This one has none.',
    },
  },
  data: { 'ca.crt': '# This API server has no certificate authority.\n' },
};

/**
 * Creates the ServiceAccount `default` in each namespace. An existing one is not changed.
 * Counterpart: pkg/controller/serviceaccount/serviceaccounts_controller.go, v1.36.
 * @param {ControllerContext} context
 */
export function startServiceAccountController(context) {
  keepInEachNamespace(context, 'serviceaccounts', SERVICE_ACCOUNT);
}

/**
 * Creates the ConfigMap `kube-root-ca.crt` in each namespace, and restores its data. Counterpart:
 * pkg/controller/certificates/rootcacertpublisher/publisher.go, v1.36.
 * @param {ControllerContext} context
 */
export function startRootCaPublisher(context) {
  keepInEachNamespace(context, 'configmaps', ROOT_CA, (found) => {
    const { data } = ROOT_CA;
    if (semanticEqual(found.data, data)) return found;
    const annotations = { ...found.metadata.annotations, ...ROOT_CA.metadata.annotations };
    return { ...found, data, metadata: { ...found.metadata, annotations } };
  });
}

/**
 * Creates an object in each namespace that lacks it, also after its deletion.
 * @param {ControllerContext} context
 * @param {string} resource
 * @param {KubernetesObject} wanted without its namespace
 * @param {(found: KubernetesObject) => KubernetesObject} [corrected] returns the correction of an
 *   existing one
 */
function keepInEachNamespace(context, resource, wanted, corrected = (found) => found) {
  const { store } = context;
  const { name } = wanted.metadata;
  const namespaces = context.indexer('namespaces');
  const reconciler = context.reconciler((namespace) => {
    const { status } = namespaces.get(namespace) ?? {};
    if (!namespaces.get(namespace) || status?.phase === 'Terminating') return;
    const found = store.get(resource, namespace, name);
    try {
      if (!found)
        store.create(resource, { ...wanted, metadata: { ...wanted.metadata, namespace } });
      else store.update(resource, corrected(found));
    } catch (error) {
      const isFine = [isAlreadyExists, isNotFound, isNamespaceTerminating].some((is) => is(error));
      if (!isFine) throw error;
    }
  });
  context.onChange('namespaces', (after) => {
    if (after) reconciler.enqueue(after.metadata.name);
  });
  context.subscribe(resource, ({ object: { metadata } }) => {
    if (metadata.name === name) reconciler.enqueue(metadata.namespace);
  });
}
