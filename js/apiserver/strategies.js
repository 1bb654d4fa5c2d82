/** The strategy of each kind; objects of kinds without one are stored unchanged. */
import {
  withClaimDefaults,
  withStorageClassDefaults,
  withVolumeDefaults,
} from '../src/kubernetes/volume_defaults.js';
import { checkLimitRanges } from '../src/kubernetes/admission/limit_ranger.js';
import { withNotReadyTaint } from './admission/taint_nodes_by_condition.js';
import { checkOneDefault } from './admission/one_default_class.js';
import { limitRangeDefaults } from '../src/kubernetes/admission/limit_range_defaults.js';
import {
  claimDefaults,
  csiDriverDefaults,
  namespaceDefaults,
  nodeDefaults,
  persistentVolumeDefaults,
  priorityClassDefaults,
  secretDefaults,
} from './defaults/other_kinds.js';
import { templateDefaults } from './defaults/pod_spec.js';
import {
  cronJobDefaults,
  daemonSetDefaults,
  deploymentDefaults,
  replicaSetDefaults,
  replicationControllerDefaults,
  statefulSetDefaults,
} from './defaults/workloads.js';
import { resourceNamed } from '../src/kubernetes/kinds.js';
import { DEVICE_STRATEGIES } from './strategies/devices.js';
import { jobStrategy } from './strategies/job.js';
import { POD_GROUP_STRATEGIES } from './strategies/pod_group.js';
import { podStrategy } from './strategies/pod.js';
import { serviceStrategy } from './strategies/service.js';
import { cronJobErrors } from './validation/cron_job.js';
import {
  configMapUpdateErrors,
  controllerRevisionUpdateErrors,
  ingressClassUpdateErrors,
  nodeUpdateErrors,
  roleBindingUpdateErrors,
  secretUpdateErrors,
  volumeAttachmentUpdateErrors,
} from './validation/immutable_fields.js';
import { limitRangeErrors } from './validation/limit_range.js';
import {
  budgetErrors,
  eventErrors,
  nodeErrors,
  priorityClassErrors,
  priorityClassUpdateErrors,
} from './validation/other_kinds.js';
import { resourceQuotaErrors, resourceQuotaUpdateErrors } from './validation/resource_quota.js';
import { runtimeClassErrors, runtimeClassUpdateErrors } from './validation/runtime_class.js';
import {
  claimErrors,
  claimUpdateErrors,
  persistentVolumeErrors,
  persistentVolumeUpdateErrors,
  storageClassErrors,
  storageClassUpdateErrors,
} from './validation/volumes.js';
import {
  daemonSetErrors,
  deploymentErrors,
  replicaSetErrors,
  replicationControllerErrors,
  selectorUpdateErrors,
  statefulSetErrors,
  statefulSetUpdateErrors,
} from './validation/workloads.js';

/**
 * @import { KubernetesObject } from '../src/kubernetes/types.js'
 * @import { Resource } from '../src/kubernetes/kinds.js'
 * @import { Strategy, StrategyContext } from './strategies/strategy.js'
 */

/** Webhooks and policies. @type {Strategy} */
const OF_ADMISSION = {
  hasGeneration: true,
  returnsDeleted: true,
  needsResourceVersion: true,
  warning: 'this server stores admission webhooks and policies, and never calls or evaluates them',
};

/** @type {Record<string, Strategy>} */
const STRATEGIES = {
  pods: podStrategy,
  nodes: {
    keepsStatus: true,
    setDefaults: nodeDefaults,
    prepareForCreate: withNotReadyTaint,
    validate: nodeErrors,
    validateUpdate: nodeUpdateErrors,
  },
  namespaces: {
    setDefaults: namespaceDefaults,
    prepareForCreate: (namespace) => ({
      ...namespace,
      spec: { ...namespace.spec, finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    }),
    prepareForUpdate: (namespace, old) => ({ ...namespace, spec: old.spec }),
  },
  services: serviceStrategy,
  configmaps: { validateUpdate: configMapUpdateErrors },
  secrets: { setDefaults: secretDefaults, validateUpdate: secretUpdateErrors },
  events: { allowCreateOnUpdate: true, validate: eventErrors },
  endpoints: { allowCreateOnUpdate: true },
  limitranges: {
    allowCreateOnUpdate: true,
    setDefaults: limitRangeDefaults,
    validate: limitRangeErrors,
  },
  serviceaccounts: { returnsDeleted: true },
  resourcequotas: {
    returnsDeleted: true,
    validate: resourceQuotaErrors,
    validateUpdate: resourceQuotaUpdateErrors,
  },
  podtemplates: {
    hasGeneration: true,
    returnsDeleted: true,
    setDefaults: (object) => ({ ...object, template: templateDefaults(object.template) }),
  },
  replicationcontrollers: {
    hasGeneration: true,
    orphansDependents: true,
    setDefaults: replicationControllerDefaults,
    validate: replicationControllerErrors,
  },
  deployments: {
    hasGeneration: true,
    setDefaults: deploymentDefaults,
    validate: deploymentErrors,
    validateUpdate: selectorUpdateErrors,
  },
  replicasets: {
    hasGeneration: true,
    setDefaults: replicaSetDefaults,
    validate: replicaSetErrors,
    validateUpdate: selectorUpdateErrors,
  },
  statefulsets: {
    hasGeneration: true,
    setDefaults: statefulSetDefaults,
    validate: statefulSetErrors,
    validateUpdate: statefulSetUpdateErrors,
  },
  daemonsets: {
    hasGeneration: true,
    setDefaults: daemonSetDefaults,
    validate: daemonSetErrors,
    validateUpdate: selectorUpdateErrors,
  },
  controllerrevisions: { validateUpdate: controllerRevisionUpdateErrors },
  jobs: jobStrategy,
  cronjobs: { hasGeneration: true, setDefaults: cronJobDefaults, validate: cronJobErrors },
  ingresses: { hasGeneration: true },
  ingressclasses: { validateUpdate: ingressClassUpdateErrors },
  rolebindings: { validateUpdate: roleBindingUpdateErrors },
  clusterrolebindings: { validateUpdate: roleBindingUpdateErrors },
  networkpolicies: { hasGeneration: true },
  leases: { allowCreateOnUpdate: true, needsResourceVersion: true },
  poddisruptionbudgets: {
    hasGeneration: true,
    needsResourceVersion: true,
    validate: budgetErrors,
  },
  priorityclasses: {
    hasGeneration: true,
    setDefaults: priorityClassDefaults,
    prepareForCreate: onlyOneDefault,
    prepareForUpdate: (object, _old, context) => onlyOneDefault(object, context),
    validate: priorityClassErrors,
    validateUpdate: priorityClassUpdateErrors,
  },
  runtimeclasses: { validate: runtimeClassErrors, validateUpdate: runtimeClassUpdateErrors },
  persistentvolumes: {
    returnsDeleted: true,
    setDefaults: persistentVolumeDefaults,
    prepareForCreate: withVolumeDefaults,
    validate: persistentVolumeErrors,
    validateUpdate: persistentVolumeUpdateErrors,
  },
  persistentvolumeclaims: {
    returnsDeleted: true,
    setDefaults: claimDefaults,
    prepareForCreate: (claim, { store }) =>
      withClaimDefaults(claim, { storageClasses: store.list('storageclasses') }),
    validate: claimErrors,
    validateUpdate: claimUpdateErrors,
    admit: (claim, _old, { store }) => {
      const limitRanges = store.list('limitranges', { namespace: claim.metadata.namespace });
      checkLimitRanges(resourceNamed('persistentvolumeclaims'), claim, limitRanges);
    },
  },
  storageclasses: {
    returnsDeleted: true,
    setDefaults: withStorageClassDefaults,
    validate: storageClassErrors,
    validateUpdate: storageClassUpdateErrors,
  },
  mutatingwebhookconfigurations: OF_ADMISSION,
  validatingadmissionpolicies: OF_ADMISSION,
  validatingadmissionpolicybindings: OF_ADMISSION,
  validatingwebhookconfigurations: OF_ADMISSION,
  volumeattachments: {
    returnsDeleted: true,
    needsResourceVersion: true,
    validateUpdate: volumeAttachmentUpdateErrors,
  },
  csinodes: { returnsDeleted: true, needsResourceVersion: true },
  csidrivers: {
    hasGeneration: true,
    returnsDeleted: true,
    needsResourceVersion: true,
    setDefaults: csiDriverDefaults,
  },
  csistoragecapacities: { returnsDeleted: true },
  ...DEVICE_STRATEGIES,
  ...POD_GROUP_STRATEGIES,
};

/** @type {Strategy} */
const PLAIN = Object.freeze({});

/**
 * @param {Resource} resource
 * @returns {Strategy}
 */
export function strategyOf({ plural }) {
  return STRATEGIES[plural] ?? PLAIN;
}

/**
 * Returns the warnings of the response to a write of the resource.
 * @param {Resource} resource
 * @returns {string[]}
 */
export function warningsOf(resource) {
  const { warning } = strategyOf(resource);
  return warning === undefined ? [] : [warning];
}

/**
 * @param {KubernetesObject} priorityClass
 * @param {StrategyContext} context
 */
function onlyOneDefault(priorityClass, { store }) {
  checkOneDefault(priorityClass, store);
  return priorityClass;
}
