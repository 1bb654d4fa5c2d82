/** Pods for which controllers create claims, and the objects that these need. */
import { deviceClass } from './obstacle_objects.js';
import { storedPod } from './objects.js';

const claim = {
  devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'gpu' } }] },
};

/** The template and the class of `devicePod`, the class of `volumePod`. */
export const CLAIM_OBJECTS = [
  deviceClass('gpu'),
  {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaimTemplate',
    metadata: { name: 'one-gpu', namespace: 'default', uid: 'u-one-gpu' },
    spec: { spec: claim },
  },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'local', uid: 'u-local' },
    provisioner: 'local.example.com',
    volumeBindingMode: 'WaitForFirstConsumer',
  },
];

/**
 * A pod with a device of its own.
 * @param {string} name @param {{ cpu?: string, spec?: object }} [options]
 */
export function devicePod(name, options = {}) {
  const resourceClaims = [{ name: 'gpu', resourceClaimTemplateName: 'one-gpu' }];
  return storedPod(name, { ...options, spec: { ...options.spec, resourceClaims } });
}

/**
 * A pod with a volume of its own.
 * @param {string} name @param {{ cpu?: string, spec?: object }} [options]
 */
export function volumePod(name, options = {}) {
  const spec = {
    accessModes: ['ReadWriteOnce'],
    storageClassName: 'local',
    resources: { requests: { storage: '1Gi' } },
  };
  const volumes = [{ name: 'scratch', ephemeral: { volumeClaimTemplate: { spec } } }];
  return storedPod(name, { ...options, spec: { ...options.spec, volumes } });
}
