/**
 * Creates the objects of a new cluster.
 * Counterpart: pkg/controlplane (system namespaces, the kubernetes service) and
 * pkg/registry/scheduling/rest, v1.36.
 */

/** @import { Store } from './store.js' */

const NAMESPACES = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

const PRIORITY_CLASSES = [
  {
    metadata: { name: 'system-cluster-critical' },
    value: 2_000_000_000,
    description:
      'Used for system critical pods that must run in the cluster, but can be moved to another ' +
      'node if necessary.',
  },
  {
    metadata: { name: 'system-node-critical' },
    value: 2_000_001_000,
    description: 'Used for system critical pods that must not be moved from their current node.',
  },
];

const KUBERNETES_SERVICE = {
  metadata: {
    name: 'kubernetes',
    namespace: 'default',
    labels: { component: 'apiserver', provider: 'kubernetes' },
  },
  spec: {
    ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: 6443 }],
    clusterIP: '10.0.0.1',
    type: 'ClusterIP',
  },
};

/** @param {Store} store */
export function bootstrap(store) {
  for (const name of NAMESPACES) store.create('namespaces', { metadata: { name } });
  for (const priorityClass of PRIORITY_CLASSES) store.create('priorityclasses', priorityClass);
  store.create('services', KUBERNETES_SERVICE);
}
