/**
 * Arbitrary classes, volumes, claims and driver reports, as the API server sends them, and the
 * volumes of pods: from small domains like the other objects, now and then unusual.
 */
import fc from 'fast-check';

import { nameOf, namespace, nodeName, rarely, record } from './objects.js';

const VOLUMES = 6;
const CLAIMS = 6;
const ZONE = 'topology.kubernetes.io/zone';
const BETA_ZONE = 'failure-domain.beta.kubernetes.io/zone';
const CSI = 'csi.example.com';
const EBS = 'ebs.csi.aws.com';

/** @template T @param {...T} values */
const pick = (...values) => fc.constantFrom(...values);

const volumeName = nameOf('v', VOLUMES);
const claimName = nameOf('c', CLAIMS);
const className = fc.oneof(
  { weight: 9, arbitrary: pick('wait', 'wait', 'local') },
  { weight: 3, arbitrary: pick('now', 'ebs', '') },
);
const zones = fc.subarray(['z0', 'z1', 'z2'], { minLength: 1 });
const size = pick('1Gi', '2Gi', '10Gi', '0', undefined);
const mode = pick('ReadWriteOnce', 'ReadWriteOnce', 'ReadWriteMany', 'ReadWriteOncePod');
const volumeMode = rarely(pick('Filesystem', 'Block'), 6);

/** By name. */
const PROVISIONERS = /** @type {Record<string, string>} */ ({
  wait: CSI,
  now: CSI,
  local: 'kubernetes.io/no-provisioner',
  ebs: 'kubernetes.io/aws-ebs',
});

/** @param {string} name @param {object} [rest] */
const classOf = (name, rest) => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name },
  provisioner: PROVISIONERS[name],
  volumeBindingMode: name === 'now' ? 'Immediate' : 'WaitForFirstConsumer',
  ...rest,
});

const topologyTerm = zones.map((values) => ({ matchLabelExpressions: [{ key: ZONE, values }] }));
const storageClass = fc
  .tuple(
    pick(...Object.keys(PROVISIONERS)),
    record({
      volumeBindingMode: rarely(pick('WaitForFirstConsumer', 'Immediate'), 12),
      allowedTopologies: rarely(fc.array(topologyTerm, { maxLength: 2 }), 5),
    }),
  )
  .map(([name, rest]) => classOf(name, rest));

/** @param {fc.Arbitrary<string[]>} values @param {string} key */
const selectorTerm = (key, values) =>
  values.map((some) => ({ matchExpressions: [{ key, operator: 'In', values: some }] }));

const nodeAffinity = fc
  .array(
    fc.oneof(
      selectorTerm(ZONE, zones),
      selectorTerm(
        'kubernetes.io/hostname',
        nodeName.map((name) => [name]),
      ),
    ),
    { minLength: 1, maxLength: 2 },
  )
  .map((nodeSelectorTerms) => ({ required: { nodeSelectorTerms } }));

const claimRef = fc
  .tuple(namespace, claimName, pick(true, true, false))
  .map(([space, name, hasUid]) => ({
    kind: 'PersistentVolumeClaim',
    namespace: space,
    name,
    ...(hasUid && { uid: `u-${space}-${name}` }),
  }));

const source = pick(
  { csi: { driver: CSI, volumeHandle: 'h1' } },
  { csi: { driver: EBS, volumeHandle: 'vol-1' } },
  { awsElasticBlockStore: { volumeID: 'aws://us-east-1a/vol-2' } },
  { gcePersistentDisk: { pdName: 'disk-1' } },
  { local: { path: '/mnt' } },
);

const volume = fc
  .tuple(
    volumeName,
    record({
      [ZONE]: rarely(pick('z0', 'z1', 'z0__z2', ' '), 3),
      [BETA_ZONE]: rarely(pick('z1'), 12),
    }),
    record({
      capacity: size.map((storage) => ({ storage })),
      accessModes: fc.subarray(['ReadWriteOnce', 'ReadWriteMany', 'ReadWriteOncePod'], {
        minLength: 1,
      }),
      storageClassName: className,
      volumeMode,
      nodeAffinity: rarely(nodeAffinity, 2),
      claimRef: rarely(claimRef, 3),
    }),
    source,
    pick('Available', 'Available', 'Available', 'Pending', 'Bound', 'Released'),
    rarely(pick('2026-01-03T00:00:00Z'), 20),
  )
  .map(([name, labels, spec, from, phase, deletionTimestamp]) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name, uid: `u-${name}`, labels, deletionTimestamp },
    spec: { ...spec, ...from },
    status: { phase },
  }));

const claimSpec = record({
  accessModes: mode.map((one) => [one]),
  storageClassName: rarely(className, 1.1),
  volumeMode,
  resources: rarely(
    size.map((storage) => ({ requests: { storage } })),
    1.1,
  ),
  selector: rarely(pick({ matchLabels: { [ZONE]: 'z0' } }, {}), 12),
});

/** @param {fc.Arbitrary<string>} names */
const claimCalled = (names) =>
  fc
    .tuple(
      namespace,
      names,
      claimSpec,
      rarely(fc.tuple(volumeName, pick('yes', 'yes', undefined)), 6),
      record({
        'volume.kubernetes.io/selected-node': rarely(nodeName, 12),
        'volume.beta.kubernetes.io/storage-class': rarely(className, 20),
      }),
      rarely(pick('2026-01-03T00:00:00Z'), 30),
      rarely(pick('Lost', 'Bound'), 12),
    )
    .map(([space, name, spec, bound = [], odd, deletionTimestamp, phase = 'Pending']) => {
      const [volumeOf, completed] = bound;
      const annotations = { ...odd, 'pv.kubernetes.io/bind-completed': completed };
      const uid = `u-${space}-${name}`;
      return {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: { namespace: space, name, uid, annotations, deletionTimestamp },
        spec: { ...spec, volumeName: volumeOf },
        status: { phase },
      };
    });
const claim = claimCalled(claimName);

const csiNode = fc
  .tuple(
    nodeName,
    rarely(fc.integer({ min: 0, max: 3 }), 1.5),
    rarely(pick('kubernetes.io/aws-ebs')),
  )
  .map(([name, count, migrated]) => ({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSINode',
    metadata: {
      name,
      ...(migrated && {
        annotations: { 'storage.alpha.kubernetes.io/migrated-plugins': migrated },
      }),
    },
    spec: {
      drivers: [CSI, EBS].map((driver) => ({
        name: driver,
        nodeID: name,
        topologyKeys: [ZONE],
        ...(count !== undefined && { allocatable: { count } }),
      })),
    },
  }));

const others = fc.oneof(
  pick(true, false, undefined).map((storageCapacity) => ({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSIDriver',
    metadata: { name: CSI },
    spec: { storageCapacity },
  })),
  fc.tuple(zones, size, rarely(size, 3)).map(([values, capacity, maximumVolumeSize]) => ({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSIStorageCapacity',
    metadata: { namespace: 'default', name: `pool-${values[0]}` },
    storageClassName: 'wait',
    nodeTopology: { matchExpressions: [{ key: ZONE, operator: 'In', values }] },
    capacity,
    maximumVolumeSize,
  })),
  fc.tuple(nodeName, volumeName).map(([node, persistentVolumeName]) => ({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttachment',
    metadata: { name: `a-${node}-${persistentVolumeName}` },
    spec: { attacher: CSI, nodeName: node, source: { persistentVolumeName } },
  })),
);

/** The capacities of storage, and their topology. */
export const storage = fc.oneof(
  { weight: 3, arbitrary: storageClass },
  { weight: 5, arbitrary: volume },
  { weight: 6, arbitrary: claim },
  { weight: 2, arbitrary: csiNode },
  { weight: 2, arbitrary: others },
);

const podVolume = fc.oneof(
  {
    weight: 6,
    arbitrary: claimName.map((name) => ({ persistentVolumeClaim: { claimName: name } })),
  },
  {
    weight: 3,
    arbitrary: claimSpec.map((spec) => ({ ephemeral: { volumeClaimTemplate: { spec } } })),
  },
  {
    weight: 2,
    arbitrary: pick(
      { gcePersistentDisk: { pdName: 'disk-1', readOnly: true } },
      { gcePersistentDisk: { pdName: 'disk-1' } },
      { awsElasticBlockStore: { volumeID: 'vol-1' } },
      { iscsi: { targetPortal: '1.2.3.4', iqn: 'iqn.2026:disk', lun: 0 } },
      { rbd: { monitors: ['a', 'b'], image: 'i', pool: 'rbd' } },
      { csi: { driver: CSI } },
    ),
  },
);

/** The initial storage; every other scenario has none. */
export const stored = fc.oneof(
  fc.constant(/** @type {any[]} */ ([])),
  fc
    .tuple(
      fc.array(fc.oneof(volume, csiNode), { maxLength: 10 }),
      fc.tuple(...Array.from({ length: CLAIMS }, (_, index) => claimCalled(pick(`c${index}`)))),
      fc.array(storage, { maxLength: 4 }),
    )
    .map(([volumes, claims, rest]) => [
      ...Object.keys(PROVISIONERS).map((name) => classOf(name)),
      ...volumes,
      ...claims,
      ...rest,
    ]),
);

/** The claims of the pod's ephemeral volumes, bound. @param {any} pod @returns {any[]} */
export function boundClaimsOf({ metadata: { namespace: space, name: owner, uid }, spec }) {
  const reference = { apiVersion: 'v1', kind: 'Pod', name: owner, uid, controller: true };
  return (spec.volumes ?? []).flatMap(
    (/** @type {any} */ { name, ephemeral }, /** @type {number} */ index) =>
      ephemeral
        ? {
            apiVersion: 'v1',
            kind: 'PersistentVolumeClaim',
            metadata: {
              namespace: space,
              name: `${owner}-${name}`,
              uid: `u-${owner}-${name}`,
              ownerReferences: [reference],
              annotations: { 'pv.kubernetes.io/bind-completed': 'yes' },
            },
            spec: { ...ephemeral.volumeClaimTemplate.spec, volumeName: `v${index}` },
            status: { phase: 'Bound' },
          }
        : [],
  );
}

/** The volumes of a pod. */
export const podVolumes = fc
  .array(podVolume, { minLength: 1, maxLength: 2 })
  .map((sources) => sources.map((one, index) => ({ name: `v${index}`, ...one })));
