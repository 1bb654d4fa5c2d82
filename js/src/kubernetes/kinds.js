/**
 * The table of kinds: names, scope and verbs as in the discovery of kube-apiserver v1.36
 * (api/discovery), and the components of Kubernetes that read a kind for a scheduling decision. The
 * API server answers requests for other kinds with 404.
 */
import { isForeign } from './api_group.js';

/**
 * @typedef {object} Subresource
 * @property {string} name `status`, `scale`, `binding`…
 * @property {string} kind of the bodies
 * @property {string} [group] if it differs from the resource's
 * @property {string} [version]
 * @property {string[]} verbs
 */

/**
 * One served resource.
 * @typedef {object} Resource
 * @property {string} group '' is the core group
 * @property {string} version
 * @property {string} apiVersion `v1`, `apps/v1`
 * @property {string} kind
 * @property {string} plural its name in paths, and in the store: events of events.k8s.io are those
 *   of the core group in another form
 * @property {string} singular
 * @property {string} qualified the name in messages: `leases.coordination.k8s.io`
 * @property {boolean} namespaced
 * @property {string[]} shortNames
 * @property {string[]} categories
 * @property {string[]} verbs
 * @property {Subresource[]} subresources
 * @property {boolean} isWatched kube-scheduler v1.36 watches it with its default configuration, and
 *   its default feature gates unless `gate` names one. Source: pkg/scheduler/eventhandlers.go, and
 *   the requests of a real one
 * @property {string} [gate] the feature gate, off by default, without which no component reads it.
 *   A real API server does not serve such a kind by default: its version is alpha or beta
 * @property {readonly string[]} readBy the scheduler's plugins, the API server's admission plugins
 *   and the controllers that read it before or while a pod is scheduled
 * @property {boolean} isWorkload a controller makes pods from its `spec.template`
 */

const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const STATUS_VERBS = ['get', 'patch', 'update'];

/** @typedef {Partial<Omit<Resource, 'subresources'>> & { subresources?: string[] }} Row */

/** A kind from which a controller creates pods. */
const WORKLOAD = { isWorkload: true };

/** The owners and services whose selectors the default spreading constraints use. */
const SPREAD = watchedFor('PodTopologySpread');

const DEVICES = watchedFor('DynamicResources');

/** A review: it is answered without being stored. @type {Row} */
const REVIEW = { namespaced: false, verbs: ['create'] };

/** An admission rule: it is stored without being enforced. @type {Row} */
const OF_ADMISSION = { namespaced: false, categories: ['api-extensions'] };

/** The rows of one group version: kind, plural, and deviations from the usual properties. */
const GROUP_VERSIONS = /** @type {[string, [string, string, Row?][]][]} */ ([
  [
    'v1',
    [
      ['ConfigMap', 'configmaps', { shortNames: ['cm'] }],
      ['Endpoints', 'endpoints', { shortNames: ['ep'] }],
      ['Event', 'events', { shortNames: ['ev'] }],
      ['LimitRange', 'limitranges', { shortNames: ['limits'], readBy: ['LimitRanger'] }],
      [
        'Namespace',
        'namespaces',
        {
          shortNames: ['ns'],
          namespaced: false,
          subresources: ['finalize', 'status'],
          verbs: VERBS.filter((verb) => verb !== 'deletecollection'),
          ...watchedFor('InterPodAffinity'),
        },
      ],
      [
        'Node',
        'nodes',
        {
          ...named('no', 'status'),
          namespaced: false,
          ...watchedFor('NodeResourcesFit', 'NodeAffinity', 'TaintToleration'),
        },
      ],
      [
        'PersistentVolumeClaim',
        'persistentvolumeclaims',
        {
          ...named('pvc', 'status'),
          ...watchedFor('VolumeBinding', 'VolumeZone', 'VolumeRestrictions', 'NodeVolumeLimits'),
        },
      ],
      [
        'PersistentVolume',
        'persistentvolumes',
        {
          ...named('pv', 'status'),
          namespaced: false,
          ...watchedFor('VolumeBinding', 'VolumeZone', 'NodeVolumeLimits'),
        },
      ],
      [
        'Pod',
        'pods',
        {
          shortNames: ['po'],
          categories: ['all'],
          subresources: ['binding', 'eviction', 'resize', 'status'],
          ...watchedFor('NodeResourcesFit', 'InterPodAffinity', 'PodTopologySpread'),
        },
      ],
      ['PodTemplate', 'podtemplates'],
      [
        'ReplicationController',
        'replicationcontrollers',
        { ...named('rc', 'scale', 'status'), categories: ['all'], ...WORKLOAD, ...SPREAD },
      ],
      [
        'ResourceQuota',
        'resourcequotas',
        { ...named('quota', 'status'), readBy: ['ResourceQuota'] },
      ],
      ['Secret', 'secrets'],
      ['ServiceAccount', 'serviceaccounts', named('sa')],
      ['Service', 'services', { ...named('svc', 'status'), categories: ['all'], ...SPREAD }],
    ],
  ],
  [
    'apps/v1',
    [
      ['ControllerRevision', 'controllerrevisions', { readBy: ['StatefulSetController'] }],
      [
        'DaemonSet',
        'daemonsets',
        {
          ...named('ds', 'status'),
          categories: ['all'],
          ...WORKLOAD,
          readBy: ['DaemonSetController'],
        },
      ],
      [
        'Deployment',
        'deployments',
        {
          ...named('deploy', 'scale', 'status'),
          categories: ['all'],
          ...WORKLOAD,
          readBy: ['DeploymentController'],
        },
      ],
      [
        'ReplicaSet',
        'replicasets',
        { ...named('rs', 'scale', 'status'), categories: ['all'], ...WORKLOAD, ...SPREAD },
      ],
      [
        'StatefulSet',
        'statefulsets',
        { ...named('sts', 'scale', 'status'), categories: ['all'], ...WORKLOAD, ...SPREAD },
      ],
    ],
  ],
  ['events.k8s.io/v1', [['Event', 'events', { shortNames: ['ev'] }]]],
  ['authentication.k8s.io/v1', [['SelfSubjectReview', 'selfsubjectreviews', REVIEW]]],
  [
    'authorization.k8s.io/v1',
    [
      ['SelfSubjectAccessReview', 'selfsubjectaccessreviews', REVIEW],
      ['SelfSubjectRulesReview', 'selfsubjectrulesreviews', REVIEW],
      ['SubjectAccessReview', 'subjectaccessreviews', REVIEW],
    ],
  ],
  [
    'batch/v1',
    [
      ['CronJob', 'cronjobs', { ...named('cj', 'status'), categories: ['all'] }],
      [
        'Job',
        'jobs',
        { categories: ['all'], subresources: ['status'], ...WORKLOAD, readBy: ['JobController'] },
      ],
    ],
  ],
  [
    'networking.k8s.io/v1',
    [
      ['IngressClass', 'ingressclasses', { namespaced: false }],
      ['Ingress', 'ingresses', { ...named('ing', 'status') }],
      ['NetworkPolicy', 'networkpolicies', { ...named('netpol') }],
    ],
  ],
  [
    'policy/v1',
    [
      [
        'PodDisruptionBudget',
        'poddisruptionbudgets',
        { ...named('pdb', 'status'), ...watchedFor('DefaultPreemption') },
      ],
    ],
  ],
  [
    'rbac.authorization.k8s.io/v1',
    [
      ['ClusterRoleBinding', 'clusterrolebindings', { namespaced: false }],
      ['ClusterRole', 'clusterroles', { namespaced: false }],
      ['RoleBinding', 'rolebindings'],
      ['Role', 'roles'],
    ],
  ],
  [
    'storage.k8s.io/v1',
    [
      ['CSIDriver', 'csidrivers', { namespaced: false, ...watchedFor('VolumeBinding') }],
      ['CSINode', 'csinodes', { namespaced: false, ...watchedFor('NodeVolumeLimits') }],
      ['CSIStorageCapacity', 'csistoragecapacities', watchedFor('VolumeBinding')],
      [
        'StorageClass',
        'storageclasses',
        {
          ...named('sc'),
          namespaced: false,
          ...watchedFor('VolumeBinding', 'DefaultStorageClass'),
        },
      ],
      [
        'VolumeAttachment',
        'volumeattachments',
        { namespaced: false, subresources: ['status'], ...watchedFor('NodeVolumeLimits') },
      ],
    ],
  ],
  [
    'admissionregistration.k8s.io/v1',
    [
      ['MutatingWebhookConfiguration', 'mutatingwebhookconfigurations', OF_ADMISSION],
      [
        'ValidatingAdmissionPolicy',
        'validatingadmissionpolicies',
        { ...OF_ADMISSION, subresources: ['status'] },
      ],
      ['ValidatingAdmissionPolicyBinding', 'validatingadmissionpolicybindings', OF_ADMISSION],
      ['ValidatingWebhookConfiguration', 'validatingwebhookconfigurations', OF_ADMISSION],
    ],
  ],
  [
    // Served empty, for clients that look for definitions of unserved kinds.
    'apiextensions.k8s.io/v1',
    [
      [
        'CustomResourceDefinition',
        'customresourcedefinitions',
        {
          shortNames: ['crd', 'crds'],
          namespaced: false,
          categories: ['api-extensions'],
          verbs: ['get', 'list', 'watch'],
        },
      ],
    ],
  ],
  [
    'scheduling.k8s.io/v1',
    [
      [
        'PriorityClass',
        'priorityclasses',
        { ...named('pc'), namespaced: false, readBy: ['Priority'] },
      ],
    ],
  ],
  [
    'scheduling.k8s.io/v1alpha2',
    [
      [
        'PodGroup',
        'podgroups',
        {
          subresources: ['status'],
          gate: 'GenericWorkload',
          ...watchedFor('GangScheduling'),
        },
      ],
      ['Workload', 'workloads', { gate: 'GenericWorkload' }],
    ],
  ],
  ['coordination.k8s.io/v1', [['Lease', 'leases']]],
  [
    'node.k8s.io/v1',
    [['RuntimeClass', 'runtimeclasses', { namespaced: false, readBy: ['RuntimeClass'] }]],
  ],
  ['discovery.k8s.io/v1', [['EndpointSlice', 'endpointslices']]],
  [
    'resource.k8s.io/v1',
    [
      ['DeviceClass', 'deviceclasses', { namespaced: false, ...DEVICES }],
      ['ResourceClaim', 'resourceclaims', { subresources: ['status'], ...DEVICES }],
      ['ResourceClaimTemplate', 'resourceclaimtemplates', { readBy: ['ResourceClaimController'] }],
      ['ResourceSlice', 'resourceslices', { namespaced: false, ...DEVICES }],
    ],
  ],
  [
    'resource.k8s.io/v1beta2',
    [
      [
        'DeviceTaintRule',
        'devicetaintrules',
        {
          namespaced: false,
          subresources: ['status'],
          gate: 'DRADeviceTaintRules',
          ...DEVICES,
        },
      ],
    ],
  ],
]);

/**
 * @param {string} shortName
 * @param {...string} subresources
 * @returns {Row}
 */
function named(shortName, ...subresources) {
  return { shortNames: [shortName], subresources };
}

/**
 * A kind that kube-scheduler watches.
 * @param {...string} plugins the plugins that read it
 */
function watchedFor(...plugins) {
  return { isWatched: true, readBy: plugins };
}

/**
 * All resources, the core group first, in the order of discovery.
 * @type {readonly Resource[]}
 */
export const RESOURCES = Object.freeze(
  GROUP_VERSIONS.flatMap(([apiVersion, rows]) =>
    rows.map(([kind, plural, row]) => resource(apiVersion, kind, plural, row)),
  ),
);

const BY_PATH = new Map(RESOURCES.map((one) => [`${one.apiVersion}/${one.plural}`, one]));
const BY_KIND = new Map(RESOURCES.map((one) => [`${one.apiVersion}/${one.kind}`, one]));
/** Reversed, so that the core group wins: `events` are those of the core group. */
const BY_NAME = new Map([...RESOURCES].reverse().map((one) => [one.plural, one]));

/**
 * Returns the resource of a path: `resourceAt('apps/v1', 'deployments')`.
 * @param {string} apiVersion
 * @param {string} plural
 */
export function resourceAt(apiVersion, plural) {
  return BY_PATH.get(`${apiVersion}/${plural}`);
}

/**
 * Returns the resource of an object.
 * @param {{ apiVersion?: string, kind?: string }} object
 */
export function resourceOf({ apiVersion, kind }) {
  return BY_KIND.get(`${apiVersion}/${kind}`);
}

/** The kinds from which controllers create pods. */
export const WORKLOAD_KINDS = kindsOf(({ isWorkload }) => isWorkload);

/**
 * Whether one of Kubernetes' own controllers creates pods from it: other groups may have a kind Job
 * too.
 * @param {{ apiVersion?: string, kind?: string }} object
 */
export function isWorkload({ apiVersion, kind = '' }) {
  return WORKLOAD_KINDS.has(kind) && !isForeign(apiVersion);
}

/** The kinds whose `spec.replicas` is the number of their pods: those with a scale. */
export const SCALED_KINDS = kindsOf(hasScale);

/**
 * Whether a resource has the subresource with the number of its pods.
 * @param {Resource} resource
 */
export function hasScale({ subresources }) {
  return subresources.some(({ name }) => name === 'scale');
}

/**
 * @param {(resource: Resource) => boolean} has
 * @returns {ReadonlySet<string>}
 */
function kindsOf(has) {
  return new Set(RESOURCES.filter(has).map(({ kind }) => kind));
}

/**
 * Returns the resource that the store knows by this name: `pods`, `deployments`.
 * @param {string} plural
 * @returns {Resource}
 * @throws {RangeError} if there is none, which is a bug of the caller
 */
export function resourceNamed(plural) {
  const found = BY_NAME.get(plural);
  if (!found) throw new RangeError(`no resource is named ${plural}`);
  return found;
}

/**
 * @param {string} apiVersion
 * @param {string} kind
 * @param {string} plural
 * @param {Row} [row]
 * @returns {Resource}
 */
function resource(apiVersion, kind, plural, row = {}) {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const { subresources = [], ...others } = row;
  return Object.freeze({
    group,
    version,
    apiVersion,
    kind,
    plural,
    singular: kind.toLowerCase(),
    qualified: group === '' ? plural : `${plural}.${group}`,
    namespaced: true,
    shortNames: [],
    categories: [],
    verbs: VERBS,
    isWatched: false,
    readBy: [],
    isWorkload: false,
    ...others,
    subresources: subresources.map((name) => subresource(name, kind)),
  });
}

/**
 * @param {string} name
 * @param {string} kind of the resource
 * @returns {Subresource}
 */
function subresource(name, kind) {
  switch (name) {
    case 'scale':
      return { name, kind: 'Scale', group: 'autoscaling', version: 'v1', verbs: STATUS_VERBS };
    case 'binding':
      return { name, kind: 'Binding', verbs: ['create'] };
    case 'eviction':
      return { name, kind: 'Eviction', group: 'policy', version: 'v1', verbs: ['create'] };
    case 'finalize':
      return { name, kind, verbs: ['update'] };
    default:
      return { name, kind, verbs: STATUS_VERBS };
  }
}
