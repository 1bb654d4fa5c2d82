/**
 * What the scheduler reads of each kind, and what it is: the tables of core/api/decode/*_schema.cc,
 * with what the expansion of workloads reads besides.
 */
import {
  address,
  annotations,
  asItIs,
  byName,
  conditionType,
  driver,
  everyText,
  fieldRequirement,
  image,
  key,
  labelRequirement,
  labels,
  name,
  ownerReference,
  priorityClass,
  quantities,
  resource,
  resourceGroup,
  schedulerName,
  taint,
  uid,
  volumeHandle,
} from './roles.js';

/** @import { Role } from './roles.js' */

/** The shape of fields that a record names no others for. */
export const REST = Symbol('rest');

/**
 * What is read of a value: a role, the fields of a record, or the items of a list.
 * @typedef {Role | readonly [any] | { readonly [field: string]: any, readonly [REST]?: any }} Shape
 */

const META = {
  name,
  namespace: name,
  uid,
  resourceVersion: asItIs,
  generation: asItIs,
  labels,
  ownerReferences: [ownerReference],
  creationTimestamp: asItIs,
  deletionTimestamp: asItIs,
};
const META_WITH_ANNOTATIONS = { ...META, annotations };

const LABEL_SELECTOR = { matchLabels: labels, matchExpressions: [labelRequirement] };
const NODE_SELECTOR_TERM = {
  matchExpressions: [labelRequirement],
  matchFields: [fieldRequirement],
};
const NODE_SELECTOR = { nodeSelectorTerms: [NODE_SELECTOR_TERM] };
const NODE_AFFINITY = {
  requiredDuringSchedulingIgnoredDuringExecution: NODE_SELECTOR,
  preferredDuringSchedulingIgnoredDuringExecution: [
    { weight: asItIs, preference: NODE_SELECTOR_TERM },
  ],
};
const POD_AFFINITY_TERM = {
  labelSelector: LABEL_SELECTOR,
  namespaces: [name],
  namespaceSelector: LABEL_SELECTOR,
  topologyKey: key,
  matchLabelKeys: [key],
  mismatchLabelKeys: [key],
};
const POD_AFFINITY = {
  requiredDuringSchedulingIgnoredDuringExecution: [POD_AFFINITY_TERM],
  preferredDuringSchedulingIgnoredDuringExecution: [
    { weight: asItIs, podAffinityTerm: POD_AFFINITY_TERM },
  ],
};
const SPREAD = {
  maxSkew: asItIs,
  topologyKey: key,
  whenUnsatisfiable: asItIs,
  labelSelector: LABEL_SELECTOR,
  minDomains: asItIs,
  nodeAffinityPolicy: asItIs,
  nodeTaintsPolicy: asItIs,
  matchLabelKeys: [key],
};

const REQUIREMENTS = { requests: quantities, limits: quantities };
const CONTAINER = {
  name,
  image,
  resources: REQUIREMENTS,
  ports: [{ hostPort: asItIs, containerPort: asItIs, protocol: asItIs, hostIP: address }],
  restartPolicy: asItIs,
  restartPolicyRules: [{ action: asItIs }],
};
const CONDITION = { type: conditionType, status: asItIs, reason: asItIs };

const CLAIM_SPEC = {
  accessModes: asItIs,
  selector: LABEL_SELECTOR,
  resources: { requests: quantities },
  volumeName: name,
  storageClassName: name,
  volumeMode: asItIs,
  volumeAttributesClassName: name,
};

/** Sources of volumes, by what is asked of them. */
const DISKS = {
  gcePersistentDisk: { pdName: name },
  awsElasticBlockStore: { volumeID: volumeHandle },
  azureDisk: { diskURI: volumeHandle, kind: asItIs },
  cinder: { volumeID: volumeHandle },
  portworxVolume: { volumeID: volumeHandle },
  csi: { driver, volumeHandle },
};

/** Of those in pods it is also asked whether two are equal. */
const INLINE_DISKS = Object.fromEntries(
  Object.entries(DISKS).map(([source, shape]) => [source, { ...shape, [REST]: everyText }]),
);
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
  'iscsi',
  'nfs',
  'photonPersistentDisk',
  'projected',
  'quobyte',
  'rbd',
  'scaleIO',
  'storageos',
  'vsphereVolume',
];
const VOLUME = {
  name,
  persistentVolumeClaim: { claimName: name, readOnly: asItIs },
  image: { reference: image, pullPolicy: asItIs },
  ephemeral: {
    volumeClaimTemplate: {
      metadata: { labels, annotations },
      spec: CLAIM_SPEC,
    },
  },
  ...INLINE_DISKS,
  ...Object.fromEntries(EQUALS.map((source) => [source, everyText])),
};

const POD_SPEC = {
  nodeName: name,
  schedulerName,
  priority: asItIs,
  priorityClassName: priorityClass,
  preemptionPolicy: asItIs,
  nodeSelector: labels,
  affinity: {
    nodeAffinity: NODE_AFFINITY,
    podAffinity: POD_AFFINITY,
    podAntiAffinity: POD_AFFINITY,
  },
  tolerations: [taint],
  topologySpreadConstraints: [SPREAD],
  schedulingGates: [{ name }],
  containers: [CONTAINER],
  initContainers: [CONTAINER],
  resources: REQUIREMENTS,
  overhead: quantities,
  volumes: [VOLUME],
  resourceClaims: [{ name, resourceClaimName: name, resourceClaimTemplateName: name }],
  schedulingGroup: { podGroupName: name },
  os: asItIs,
  hostNetwork: asItIs,
  hostUsers: asItIs,
};
const CONTAINER_STATUS = { name, resources: REQUIREMENTS, allocatedResources: quantities };
const POD_STATUS = {
  phase: asItIs,
  nominatedNodeName: name,
  startTime: asItIs,
  conditions: [CONDITION],
  resources: REQUIREMENTS,
  allocatedResources: quantities,
  containerStatuses: [CONTAINER_STATUS],
  initContainerStatuses: [CONTAINER_STATUS],
  resourceClaimStatuses: [{ name, resourceClaimName: name }],
  extendedResourceClaimStatus: { resourceClaimName: name, [REST]: asItIs },
};

/** Pods to be made have no name yet. */
const TEMPLATE = { metadata: { labels }, spec: POD_SPEC };
const MAP_SELECTOR = { selector: labels };
const REPLICAS = { replicas: asItIs, template: TEMPLATE };

const DEVICE_REQUEST = {
  deviceClassName: name,
  exactly: { deviceClassName: name, [REST]: asItIs },
  firstAvailable: [{ deviceClassName: name, [REST]: asItIs }],
  [REST]: asItIs,
};
const RESOURCE_CLAIM_SPEC = {
  devices: { requests: [DEVICE_REQUEST], [REST]: asItIs },
  [REST]: asItIs,
};
const ALLOCATION = {
  nodeSelector: NODE_SELECTOR,
  devices: { results: [{ pool: name, [REST]: asItIs }], [REST]: asItIs },
  [REST]: asItIs,
};

/** By kind; others are not read. @type {Readonly<Record<string, { [field: string]: Shape }>>} */
export const KINDS = Object.freeze({
  Node: {
    metadata: META_WITH_ANNOTATIONS,
    spec: { unschedulable: asItIs, taints: [taint] },
    status: {
      allocatable: quantities,
      conditions: [CONDITION],
      images: [{ names: [image], sizeBytes: asItIs }],
      declaredFeatures: asItIs,
    },
  },
  Pod: { metadata: META, spec: POD_SPEC, status: POD_STATUS },
  Namespace: { metadata: META },
  Service: { metadata: META, spec: MAP_SELECTOR },
  ReplicationController: { metadata: META, spec: { ...MAP_SELECTOR, ...REPLICAS } },
  ReplicaSet: { metadata: META, spec: { selector: LABEL_SELECTOR, ...REPLICAS } },
  StatefulSet: {
    metadata: META,
    spec: {
      selector: LABEL_SELECTOR,
      ...REPLICAS,
      ordinals: asItIs,
      volumeClaimTemplates: [{ metadata: { name, labels, annotations }, spec: CLAIM_SPEC }],
    },
  },
  Deployment: { metadata: META, spec: { selector: LABEL_SELECTOR, ...REPLICAS } },
  DaemonSet: { metadata: META, spec: { selector: LABEL_SELECTOR, template: TEMPLATE } },
  Job: {
    metadata: META,
    spec: {
      suspend: asItIs,
      parallelism: asItIs,
      completions: asItIs,
      completionMode: asItIs,
      template: TEMPLATE,
    },
    status: { succeeded: asItIs, conditions: [CONDITION] },
  },
  PriorityClass: {
    metadata: { ...META, name: priorityClass },
    value: asItIs,
    globalDefault: asItIs,
    preemptionPolicy: asItIs,
  },
  PodDisruptionBudget: {
    metadata: META,
    spec: { selector: LABEL_SELECTOR },
    status: { disruptionsAllowed: asItIs, disruptedPods: byName },
  },
  PersistentVolume: {
    metadata: META_WITH_ANNOTATIONS,
    spec: {
      capacity: quantities,
      accessModes: asItIs,
      claimRef: { apiVersion: asItIs, kind: asItIs, namespace: name, name, uid },
      storageClassName: name,
      volumeMode: asItIs,
      volumeAttributesClassName: name,
      nodeAffinity: { required: NODE_SELECTOR },
      ...DISKS,
      azureFile: {},
      vsphereVolume: {},
    },
    status: { phase: asItIs },
  },
  PersistentVolumeClaim: {
    metadata: META_WITH_ANNOTATIONS,
    spec: CLAIM_SPEC,
    status: { phase: asItIs },
  },
  StorageClass: {
    metadata: META_WITH_ANNOTATIONS,
    provisioner: driver,
    volumeBindingMode: asItIs,
    reclaimPolicy: asItIs,
    allowedTopologies: [{ matchLabelExpressions: [labelRequirement] }],
  },
  CSINode: {
    metadata: META_WITH_ANNOTATIONS,
    spec: { drivers: [{ name: driver, nodeID: name, topologyKeys: [key], allocatable: asItIs }] },
  },
  CSIDriver: {
    metadata: { ...META, name: driver },
    spec: { storageCapacity: asItIs, preventPodSchedulingIfMissing: asItIs },
  },
  CSIStorageCapacity: {
    metadata: META,
    nodeTopology: LABEL_SELECTOR,
    storageClassName: name,
    capacity: asItIs,
    maximumVolumeSize: asItIs,
  },
  VolumeAttachment: {
    metadata: META,
    spec: { attacher: driver, nodeName: name, source: { persistentVolumeName: name } },
  },
  ResourceClaim: {
    metadata: META,
    spec: RESOURCE_CLAIM_SPEC,
    status: {
      allocation: ALLOCATION,
      reservedFor: [{ name, uid, [REST]: asItIs }],
      [REST]: asItIs,
    },
  },
  ResourceClaimTemplate: {
    metadata: META,
    spec: { metadata: { labels }, spec: RESOURCE_CLAIM_SPEC },
  },
  ResourceSlice: {
    metadata: META,
    spec: {
      nodeName: name,
      nodeSelector: NODE_SELECTOR,
      pool: { name, [REST]: asItIs },
      [REST]: asItIs,
    },
  },
  DeviceClass: {
    metadata: META,
    spec: { extendedResourceName: resource, [REST]: asItIs },
  },
  PodGroup: { metadata: META, spec: asItIs },
});

const NAMED_RESOURCES = [{ name: resource, [REST]: asItIs }];

/** A KubeSchedulerConfiguration, of which everything is kept. @type {Shape} */
export const CONFIGURATION = {
  profiles: [
    {
      schedulerName,
      pluginConfig: [
        {
          args: {
            addedAffinity: NODE_AFFINITY,
            defaultConstraints: [SPREAD],
            ignoredResources: [resource],
            ignoredResourceGroups: [resourceGroup],
            resources: NAMED_RESOURCES,
            scoringStrategy: { resources: NAMED_RESOURCES, [REST]: asItIs },
            [REST]: asItIs,
          },
          [REST]: asItIs,
        },
      ],
      [REST]: asItIs,
    },
  ],
  extenders: [{ managedResources: NAMED_RESOURCES, [REST]: asItIs }],
  [REST]: asItIs,
};
