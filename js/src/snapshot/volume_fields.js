/** The fields of volumes that are read, in pods and as objects. */
import {
  annotations,
  asItIs,
  driver,
  image,
  labels,
  name,
  quantities,
  volumeHandle,
} from './roles.js';
import { LABEL_SELECTOR } from './selector_fields.js';
import { DIGEST } from './shape.js';

export const CLAIM_SPEC = {
  accessModes: [asItIs],
  selector: LABEL_SELECTOR,
  resources: { requests: quantities },
  volumeName: name,
  storageClassName: name,
  volumeMode: asItIs,
  volumeAttributesClassName: name,
};

/** Sources of volumes, with the fields that are read. */
const DISKS = {
  gcePersistentDisk: { pdName: name, readOnly: asItIs },
  awsElasticBlockStore: { volumeID: volumeHandle, readOnly: asItIs },
  azureDisk: { diskURI: volumeHandle, kind: asItIs },
  cinder: { volumeID: volumeHandle },
  portworxVolume: { volumeID: volumeHandle },
  csi: { driver, volumeHandle },
};

/** Sources of PersistentVolumes; of two only their presence is read. */
export const SOURCES = { ...DISKS, azureFile: {}, vsphereVolume: {} };

/** Sources in pods only, with the fields that two pods cannot share. */
const SHARED = {
  iscsi: { iqn: name, readOnly: asItIs },
  rbd: { monitors: [name], pool: name, image: name, readOnly: asItIs },
};

/** Sources that are compared for equality between two pods, like the other fields of disks. */
const EQUALS = [
  'azureFile',
  'cephfs',
  'downwardAPI',
  'emptyDir',
  'fc',
  'flexVolume',
  'flocker',
  'gitRepo',
  'glusterfs',
  'hostPath',
  'nfs',
  'photonPersistentDisk',
  'projected',
  'quobyte',
  'scaleIO',
  'storageos',
  'vsphereVolume',
];

/** By source. @type {Record<string, object>} */
const COMPARED = {
  ...DISKS,
  ...SHARED,
  ...Object.fromEntries(EQUALS.map((source) => [source, {}])),
};

export const VOLUME = {
  name,
  persistentVolumeClaim: { claimName: name, readOnly: asItIs },
  image: { reference: image, pullPolicy: asItIs },
  ephemeral: { volumeClaimTemplate: { metadata: { labels, annotations }, spec: CLAIM_SPEC } },
  ...Object.fromEntries(
    Object.entries(COMPARED).map(([source, shape]) => [source, { ...shape, [DIGEST]: 'digest' }]),
  ),
};
