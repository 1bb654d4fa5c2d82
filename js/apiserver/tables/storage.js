/**
 * Volumes, claims and storage classes as kubectl prints them. Counterpart:
 * pkg/printers/internalversion/printers.go, v1.36.
 */
import { isDefaultStorageClass } from '../../src/kubernetes/default_classes.js';
import { itemsIn } from '../../src/kubernetes/values.js';
import { storageClassNameOf } from '../../src/kubernetes/volume_defaults.js';
import { age, isDeleted, nameOf } from './cells.js';
import { AGE, NAME, count, flag, text, wide } from './columns.js';

/** @import { Printer } from './columns.js' */

/** In printing order. */
const ACCESS_MODES = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
];

const CAPACITY = text('Capacity', 'How large the volume is.');
const MODES = text('Access Modes', 'Who may use the volume at a time.');
const CLASS = text('StorageClass', 'Its storage class.');
const ATTRIBUTES = text('VolumeAttributesClass', 'Its class of attributes.');
const VOLUME_MODE = wide(text('VolumeMode', 'Whether it is a file system or a block device.'));

/** @param {any} object */
function phaseOf(object) {
  return isDeleted(object) ? 'Terminating' : (object.status?.phase ?? '');
}

/** @param {any} modes */
function accessModes(modes) {
  const known = itemsIn(modes);
  return ACCESS_MODES.filter(([mode]) => known.includes(mode))
    .map(([, short]) => short)
    .join(',');
}

/** @param {any} object a volume or a claim */
function classOf(object) {
  return storageClassNameOf(object) ?? '';
}

/** @type {Printer} */
const PERSISTENT_VOLUME = {
  columns: [
    NAME,
    CAPACITY,
    MODES,
    text('Reclaim Policy', 'The treatment of the volume after its claim is deleted.'),
    text('Status', 'Whether it is bound.'),
    text('Claim', 'The object that it is bound to.'),
    CLASS,
    ATTRIBUTES,
    text('Reason', 'Why it is in that status.'),
    AGE,
    VOLUME_MODE,
  ],
  cells: (volume, now) => {
    const { spec = {}, status } = volume;
    return [
      nameOf(volume),
      spec.capacity?.storage ?? '0',
      accessModes(spec.accessModes),
      spec.persistentVolumeReclaimPolicy ?? '',
      phaseOf(volume),
      spec.claimRef ? `${spec.claimRef.namespace ?? ''}/${spec.claimRef.name ?? ''}` : '',
      classOf(volume),
      spec.volumeAttributesClassName ?? '<unset>',
      status?.reason ?? '',
      age(volume, now),
      spec.volumeMode ?? '<unset>',
    ];
  },
};

/** @type {Printer} */
const PERSISTENT_VOLUME_CLAIM = {
  columns: [
    NAME,
    text('Status', 'Whether it is bound.'),
    text('Volume', 'The object that it is bound to.'),
    CAPACITY,
    MODES,
    CLASS,
    ATTRIBUTES,
    AGE,
    VOLUME_MODE,
  ],
  cells: (claim, now) => {
    const { spec = {}, status = {} } = claim;
    return [
      nameOf(claim),
      phaseOf(claim),
      spec.volumeName ?? '',
      spec.volumeName ? (status.capacity?.storage ?? '0') : '',
      spec.volumeName ? accessModes(status.accessModes) : '',
      classOf(claim),
      spec.volumeAttributesClassName ?? '<unset>',
      age(claim, now),
      spec.volumeMode ?? '<unset>',
    ];
  },
};

/** @type {Printer} */
const STORAGE_CLASS = {
  columns: [
    NAME,
    text('Provisioner', 'Who makes its volumes.'),
    text('ReclaimPolicy', 'The treatment of volumes after their claims are deleted.'),
    text('VolumeBindingMode', 'When claims are bound.'),
    text('AllowVolumeExpansion', 'Whether claims may grow.'),
    AGE,
  ],
  cells: (object, now) => [
    `${nameOf(object)}${isDefaultStorageClass(object) ? ' (default)' : ''}`,
    object.provisioner ?? '',
    object.reclaimPolicy ?? 'Delete',
    object.volumeBindingMode ?? 'Immediate',
    object.allowVolumeExpansion ?? false,
    age(object, now),
  ],
};

/** @type {Printer} */
const VOLUME_ATTACHMENT = {
  columns: [
    NAME,
    { ...text('Attacher', 'Who attaches the volume.'), format: 'name' },
    text('PV', 'The attached volume.'),
    text('Node', 'Where it is attached.'),
    flag('Attached', 'Whether it is.'),
    AGE,
  ],
  cells: (object, now) => [
    nameOf(object),
    object.spec?.attacher ?? '',
    object.spec?.source?.persistentVolumeName ?? '',
    object.spec?.nodeName ?? '',
    object.status?.attached ?? false,
    age(object, now),
  ],
};

/** @type {Printer} */
const CSI_NODE = {
  columns: [NAME, count('Drivers', 'How many drivers the node has.'), AGE],
  cells: (object, now) => [nameOf(object), itemsIn(object.spec?.drivers).length, age(object, now)],
};

/** @type {Printer} */
const CSI_DRIVER = {
  columns: [
    NAME,
    flag('AttachRequired', 'Whether volumes are attached to nodes first.'),
    flag('PodInfoOnMount', 'Whether the driver gets information about the pod.'),
    flag('StorageCapacity', 'Whether the driver publishes its capacity.'),
    text('TokenRequests', 'The audiences of the tokens that the driver gets.'),
    flag('RequiresRepublish', 'Whether volumes are published again and again.'),
    text('Modes', 'Which volumes the driver serves.'),
    AGE,
  ],
  cells: (object, now) => {
    const { spec = {} } = object;
    const audiences = itemsIn(spec.tokenRequests).map(({ audience }) => audience);
    return [
      nameOf(object),
      spec.attachRequired ?? true,
      spec.podInfoOnMount ?? false,
      spec.storageCapacity ?? false,
      spec.tokenRequests ? audiences.join(',') : '<unset>',
      spec.requiresRepublish ?? false,
      itemsIn(spec.volumeLifecycleModes).join(',') || '<none>',
      age(object, now),
    ];
  },
};

/** @type {Printer} */
const CSI_STORAGE_CAPACITY = {
  columns: [
    NAME,
    text('StorageClassName', 'Of which class volumes could be made.'),
    text('Capacity', 'How much room there is.'),
  ],
  cells: (object) => [nameOf(object), object.storageClassName ?? '', object.capacity ?? '<unset>'],
};

export const STORAGE_PRINTERS = Object.freeze({
  CSIDriver: CSI_DRIVER,
  CSINode: CSI_NODE,
  CSIStorageCapacity: CSI_STORAGE_CAPACITY,
  PersistentVolume: PERSISTENT_VOLUME,
  PersistentVolumeClaim: PERSISTENT_VOLUME_CLAIM,
  StorageClass: STORAGE_CLASS,
  VolumeAttachment: VOLUME_ATTACHMENT,
});
