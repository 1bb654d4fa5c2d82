/**
 * The fields of each kind that decisions read, with their meaning: the tables of
 * core/api/decode/*_schema.cc, with the fields that the commands, the controllers in them and the
 * admission of pods read.
 */
import {
  DEVICE_CLASS_SPEC,
  DEVICE_TAINT_RULE_SPEC,
  RESOURCE_CLAIM_SPEC,
  RESOURCE_CLAIM_STATUS,
  RESOURCE_SLICE_SPEC,
} from './device_fields.js';
import {
  address,
  annotations,
  asItIs,
  bounds,
  byName,
  conditionReason,
  conditionType,
  driver,
  feature,
  finalizers,
  image,
  jobController,
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
  scopeRequirement,
  taint,
  uid,
  whole,
} from './roles.js';
import { LABEL_SELECTOR, NODE_SELECTOR, NODE_SELECTOR_TERM } from './selector_fields.js';
import { REST } from './shape.js';
import { CLAIM_SPEC, SOURCES, VOLUME } from './volume_fields.js';

/** @import { Shape } from './shape.js' */

const META = {
  name,
  namespace: name,
  uid,
  resourceVersion: asItIs,
  generation: asItIs,
  labels,
  annotations,
  ownerReferences: [ownerReference],
  creationTimestamp: asItIs,
  deletionTimestamp: asItIs,
};

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

const REQUIREMENTS = {
  requests: quantities,
  limits: quantities,
  claims: [{ name }],
};
const CONTAINER = {
  name,
  image,
  resources: REQUIREMENTS,
  ports: [{ name, hostPort: asItIs, containerPort: asItIs, protocol: asItIs, hostIP: address }],
  restartPolicy: asItIs,
  restartPolicyRules: [{ action: asItIs }],
};
const CONDITION = { type: conditionType, status: asItIs };
const POD_CONDITION = { ...CONDITION, reason: conditionReason, lastTransitionTime: asItIs };

const POD_SPEC = {
  nodeName: name,
  schedulerName,
  priority: asItIs,
  priorityClassName: priorityClass,
  preemptionPolicy: asItIs,
  activeDeadlineSeconds: asItIs,
  terminationGracePeriodSeconds: asItIs,
  restartPolicy: asItIs,
  runtimeClassName: name,
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
  os: { name: asItIs },
  hostNetwork: asItIs,
  hostUsers: asItIs,
};
const CONTAINER_STATUS = {
  name,
  restartCount: asItIs,
  resources: REQUIREMENTS,
  allocatedResources: quantities,
};
const POD_STATUS = {
  phase: asItIs,
  nominatedNodeName: name,
  startTime: asItIs,
  conditions: [POD_CONDITION],
  resources: REQUIREMENTS,
  allocatedResources: quantities,
  containerStatuses: [CONTAINER_STATUS],
  initContainerStatuses: [CONTAINER_STATUS],
  resourceClaimStatuses: [{ name, resourceClaimName: name }],
  extendedResourceClaimStatus: { resourceClaimName: name },
  nodeAllocatableResourceClaimStatuses: [
    { resourceClaimName: name, containers: [name], resources: quantities },
  ],
};

/** Pods of templates have no name yet. */
const TEMPLATE = { metadata: { labels, annotations }, spec: POD_SPEC };
const MAP_SELECTOR = { selector: labels };
const REPLICAS = { replicas: asItIs, template: TEMPLATE };

const POD_GROUP_SPEC = {
  schedulingPolicy: { basic: {}, gang: { minCount: asItIs } },
  schedulingConstraints: { topology: [{ key }] },
  resourceClaims: [{ name, resourceClaimName: name, resourceClaimTemplateName: name }],
  disruptionMode: asItIs,
  priorityClassName: priorityClass,
  priority: asItIs,
};

/**
 * By kind; other kinds are dropped.
 * @type {Readonly<Record<string, { [field: string]: Shape }>>}
 */
export const KINDS = Object.freeze({
  Node: {
    metadata: META,
    spec: { unschedulable: asItIs, taints: [taint] },
    status: {
      allocatable: quantities,
      conditions: [CONDITION],
      images: [{ names: [image], sizeBytes: asItIs }],
      declaredFeatures: [feature],
    },
  },
  Pod: { metadata: META, spec: POD_SPEC, status: POD_STATUS },
  Namespace: { metadata: META },
  Service: { metadata: META, spec: MAP_SELECTOR },
  ReplicationController: { metadata: META, spec: { ...MAP_SELECTOR, ...REPLICAS } },
  ReplicaSet: { metadata: META, spec: { selector: LABEL_SELECTOR, ...REPLICAS } },
  StatefulSet: {
    metadata: { ...META, generation: asItIs },
    spec: {
      selector: LABEL_SELECTOR,
      ...REPLICAS,
      serviceName: name,
      podManagementPolicy: asItIs,
      ordinals: { start: asItIs },
      updateStrategy: { type: asItIs, rollingUpdate: { partition: asItIs } },
      volumeClaimTemplates: [{ metadata: { name, labels, annotations }, spec: CLAIM_SPEC }],
    },
    status: { updateRevision: name, currentRevision: name, observedGeneration: asItIs },
  },
  Deployment: {
    metadata: META,
    spec: { selector: LABEL_SELECTOR, paused: asItIs, ...REPLICAS },
  },
  DaemonSet: { metadata: META, spec: { selector: LABEL_SELECTOR, template: TEMPLATE } },
  ControllerRevision: { metadata: META, data: { spec: { template: TEMPLATE } } },
  Job: {
    metadata: META,
    spec: {
      suspend: asItIs,
      parallelism: asItIs,
      completions: asItIs,
      completionMode: asItIs,
      backoffLimitPerIndex: asItIs,
      podReplacementPolicy: asItIs,
      managedBy: jobController,
      template: TEMPLATE,
    },
    status: {
      succeeded: asItIs,
      completedIndexes: asItIs,
      failedIndexes: asItIs,
      uncountedTerminatedPods: { succeeded: [uid], failed: [uid] },
      conditions: [CONDITION],
    },
  },
  PriorityClass: {
    metadata: { ...META, name: priorityClass },
    value: asItIs,
    globalDefault: asItIs,
    preemptionPolicy: asItIs,
  },
  LimitRange: {
    metadata: META,
    spec: {
      limits: [
        {
          type: asItIs,
          max: quantities,
          min: quantities,
          default: quantities,
          defaultRequest: quantities,
          maxLimitRequestRatio: quantities,
        },
      ],
    },
  },
  ResourceQuota: {
    metadata: META,
    spec: {
      hard: bounds,
      scopes: [asItIs],
      scopeSelector: { matchExpressions: [scopeRequirement] },
    },
    status: { hard: bounds, used: bounds },
  },
  RuntimeClass: {
    metadata: META,
    handler: name,
    overhead: { podFixed: quantities },
    scheduling: { nodeSelector: labels, tolerations: [taint] },
  },
  PodDisruptionBudget: {
    metadata: META,
    spec: {
      selector: LABEL_SELECTOR,
      minAvailable: asItIs,
      maxUnavailable: asItIs,
      unhealthyPodEvictionPolicy: asItIs,
    },
    status: { disruptionsAllowed: asItIs, disruptedPods: byName },
  },
  PersistentVolume: {
    metadata: META,
    spec: {
      capacity: quantities,
      accessModes: [asItIs],
      claimRef: { apiVersion: asItIs, kind: asItIs, namespace: name, name, uid },
      storageClassName: name,
      volumeMode: asItIs,
      volumeAttributesClassName: name,
      nodeAffinity: { required: NODE_SELECTOR },
      ...SOURCES,
    },
    status: { phase: asItIs },
  },
  PersistentVolumeClaim: {
    metadata: META,
    spec: CLAIM_SPEC,
    status: { phase: asItIs },
  },
  StorageClass: {
    metadata: META,
    provisioner: driver,
    volumeBindingMode: asItIs,
    reclaimPolicy: asItIs,
    allowedTopologies: [{ matchLabelExpressions: [labelRequirement] }],
  },
  CSINode: {
    metadata: META,
    spec: {
      drivers: [{ name: driver, topologyKeys: [key], allocatable: { count: asItIs } }],
    },
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
    metadata: { ...META, finalizers },
    spec: RESOURCE_CLAIM_SPEC,
    status: RESOURCE_CLAIM_STATUS,
  },
  ResourceClaimTemplate: {
    metadata: META,
    spec: { metadata: { labels }, spec: RESOURCE_CLAIM_SPEC },
  },
  ResourceSlice: { metadata: META, spec: RESOURCE_SLICE_SPEC },
  DeviceClass: { metadata: META, spec: DEVICE_CLASS_SPEC },
  DeviceTaintRule: { metadata: META, spec: DEVICE_TAINT_RULE_SPEC },
  PodGroup: { metadata: META, spec: POD_GROUP_SPEC },
});

const NAMED_RESOURCES = [{ name: resource, [REST]: whole }];

/**
 * A KubeSchedulerConfiguration, of which only the keys and certificates of extenders are dropped.
 * @type {Shape}
 */
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
            scoringStrategy: { resources: NAMED_RESOURCES, [REST]: whole },
            [REST]: whole,
          },
          [REST]: whole,
        },
      ],
      [REST]: whole,
    },
  ],
  extenders: [{ managedResources: NAMED_RESOURCES, tlsConfig: {}, [REST]: whole }],
  [REST]: whole,
};
