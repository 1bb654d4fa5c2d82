/** The kinds of objects that a seed's world has, and what the API calls them. */

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
};

/** What every seed has. */
export const BASE_KINDS = ['Node', 'Namespace', 'PodDisruptionBudget', 'Service', 'Pod'];
/** What seeds with volumes have besides. */
export const STORAGE_KINDS = Object.keys(RESOURCES).filter((kind) => !BASE_KINDS.includes(kind));
