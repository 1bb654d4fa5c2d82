/**
 * The defaults of all kinds except workloads. Counterpart: the defaults.go of pkg/apis in v1.36.
 */
import { base64 } from '../base64.js';

/** @import { KubernetesObject } from '../../src/kubernetes/types.js' */

/** How long a client stays with a pod of a sticky Service. */
const STICKY_SECONDS = 10_800;

/** @param {KubernetesObject} node */
export function nodeDefaults(node) {
  const { capacity, allocatable } = node.status ?? {};
  if (!capacity || allocatable) return node;
  return { ...node, status: { ...node.status, allocatable: capacity } };
}

/** The label with a namespace's name always has that value. @param {KubernetesObject} namespace */
export function namespaceDefaults(namespace) {
  const { metadata } = namespace;
  const labels = { ...metadata.labels, 'kubernetes.io/metadata.name': metadata.name };
  return { ...namespace, metadata: { ...metadata, labels } };
}

/** @param {KubernetesObject} service */
export function serviceDefaults(service) {
  const { spec = {} } = service;
  const type = spec.type || 'ClusterIP';
  const isOutside =
    type === 'NodePort' ||
    type === 'LoadBalancer' ||
    (type === 'ClusterIP' && spec.externalIPs?.length > 0);
  const isSticky = spec.sessionAffinity === 'ClientIP';
  const timeoutSeconds = spec.sessionAffinityConfig?.clientIP?.timeoutSeconds ?? STICKY_SECONDS;
  const ports = spec.ports?.map((/** @type {any} */ port) => ({
    ...port,
    protocol: port.protocol || 'TCP',
    targetPort: port.targetPort || port.port,
  }));
  return {
    ...service,
    spec: {
      ...spec,
      ...(ports && { ports }),
      type,
      sessionAffinity: spec.sessionAffinity || 'None',
      ...(isSticky && { sessionAffinityConfig: { clientIP: { timeoutSeconds } } }),
      ...(isOutside && { externalTrafficPolicy: spec.externalTrafficPolicy || 'Cluster' }),
      ...(type === 'LoadBalancer' && {
        allocateLoadBalancerNodePorts: spec.allocateLoadBalancerNodePorts ?? true,
      }),
      ...(type !== 'ExternalName' && {
        internalTrafficPolicy: spec.internalTrafficPolicy ?? 'Cluster',
      }),
    },
  };
}

/** Plain texts become data. @param {KubernetesObject} secret */
export function secretDefaults({ stringData, ...secret }) {
  const encoded = Object.entries(stringData ?? {}).map(([key, text]) => [
    key,
    base64(new TextEncoder().encode(text)),
  ]);
  const data = { ...secret.data, ...Object.fromEntries(encoded) };
  return {
    ...secret,
    ...(Object.keys(data).length > 0 && { data }),
    type: secret.type || 'Opaque',
  };
}

/** @param {KubernetesObject} volume */
export function persistentVolumeDefaults(volume) {
  const { spec = {} } = volume;
  const { hostPath } = spec;
  return {
    ...volume,
    spec: {
      ...spec,
      ...(hostPath && { hostPath: { ...hostPath, type: hostPath.type ?? '' } }),
      persistentVolumeReclaimPolicy: spec.persistentVolumeReclaimPolicy || 'Retain',
      volumeMode: spec.volumeMode ?? 'Filesystem',
    },
  };
}

/** @param {KubernetesObject} claim */
export function claimDefaults(claim) {
  const { spec = {}, status } = claim;
  return {
    ...claim,
    spec: { ...spec, volumeMode: spec.volumeMode ?? 'Filesystem' },
    status: { ...status, phase: status?.phase || 'Pending' },
  };
}

/** @param {KubernetesObject} driver */
export function csiDriverDefaults(driver) {
  const { spec = {} } = driver;
  return {
    ...driver,
    spec: {
      ...spec,
      attachRequired: spec.attachRequired ?? true,
      podInfoOnMount: spec.podInfoOnMount ?? false,
      volumeLifecycleModes: spec.volumeLifecycleModes ?? ['Persistent'],
      storageCapacity: spec.storageCapacity ?? false,
      fsGroupPolicy: spec.fsGroupPolicy ?? 'ReadWriteOnceWithFSType',
      requiresRepublish: spec.requiresRepublish ?? false,
      seLinuxMount: spec.seLinuxMount ?? false,
    },
  };
}

/** @param {KubernetesObject} priorityClass */
export function priorityClassDefaults(priorityClass) {
  const preemptionPolicy = priorityClass.preemptionPolicy ?? 'PreemptLowerPriority';
  return { ...priorityClass, preemptionPolicy };
}
