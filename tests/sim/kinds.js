/** The kinds of objects in a seed's world, and their names in the API. */

/** Resources by kind. @type {Record<string, string>} */
export const RESOURCES = {
  Node: 'nodes',
  Namespace: 'namespaces',
  PodDisruptionBudget: 'poddisruptionbudgets',
  Service: 'services',
  Pod: 'pods',
  StorageClass: 'storageclasses',
  PersistentVolume: 'persistentvolumes',
  PersistentVolumeClaim: 'persistentvolumeclaims',
  CSINode: 'csinodes',
  CSIDriver: 'csidrivers',
  CSIStorageCapacity: 'csistoragecapacities',
  VolumeAttachment: 'volumeattachments',
  ResourceClaim: 'resourceclaims',
  ResourceSlice: 'resourceslices',
  DeviceClass: 'deviceclasses',
  PodGroup: 'podgroups',
};

/** The kinds of every seed. */
export const BASE_KINDS = ['Node', 'Namespace', 'PodDisruptionBudget', 'Service', 'Pod'];
/** The additional kinds of seeds with devices. */
export const DEVICE_KINDS = ['ResourceClaim', 'ResourceSlice', 'DeviceClass'];
/** The additional kind of seeds with gangs. */
export const GANG_KINDS = ['PodGroup'];
/** The additional kinds of seeds with volumes. */
export const STORAGE_KINDS = Object.keys(RESOURCES).filter((kind) => {
  return ![...BASE_KINDS, ...DEVICE_KINDS, ...GANG_KINDS].includes(kind);
});
