/**
 * The kinds that are served: names, scope and verbs as the discovery of kube-apiserver v1.36 says
 * them (api/discovery). What is not in the table is answered with 404.
 */

/**
 * @typedef {object} Subresource
 * @property {string} name `status`, `scale`, `binding`…
 * @property {string} kind of the bodies
 * @property {string} [group] where it is another than the resource's
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
 *   of the core group in other words
 * @property {string} singular
 * @property {string} qualified the name in messages: `leases.coordination.k8s.io`
 * @property {boolean} namespaced
 * @property {string[]} shortNames
 * @property {string[]} categories
 * @property {string[]} verbs
 * @property {Subresource[]} subresources
 */

const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const STATUS_VERBS = ['get', 'patch', 'update'];

/** @typedef {Partial<Omit<Resource, 'subresources'>> & { subresources?: string[] }} Row */

/** A question, which is answered and not stored. @type {Row} */
const REVIEW = { namespaced: false, verbs: ['create'] };

/** A rule for admission, which is stored and not carried out. @type {Row} */
const OF_ADMISSION = { namespaced: false, categories: ['api-extensions'] };

/** Rows of one group version: kind, plural, and what is not as usual. */
const GROUP_VERSIONS = /** @type {[string, [string, string, Row?][]][]} */ ([
  [
    'v1',
    [
      ['ConfigMap', 'configmaps', { shortNames: ['cm'] }],
      ['Endpoints', 'endpoints', { shortNames: ['ep'] }],
      ['Event', 'events', { shortNames: ['ev'] }],
      ['LimitRange', 'limitranges', { shortNames: ['limits'] }],
      [
        'Namespace',
        'namespaces',
        {
          shortNames: ['ns'],
          namespaced: false,
          subresources: ['finalize', 'status'],
          verbs: VERBS.filter((verb) => verb !== 'deletecollection'),
        },
      ],
      ['Node', 'nodes', { shortNames: ['no'], namespaced: false, subresources: ['status'] }],
      ['PersistentVolumeClaim', 'persistentvolumeclaims', named('pvc', 'status')],
      ['PersistentVolume', 'persistentvolumes', { ...named('pv', 'status'), namespaced: false }],
      [
        'Pod',
        'pods',
        {
          shortNames: ['po'],
          categories: ['all'],
          subresources: ['binding', 'eviction', 'resize', 'status'],
        },
      ],
      ['PodTemplate', 'podtemplates'],
      [
        'ReplicationController',
        'replicationcontrollers',
        { ...named('rc', 'scale', 'status'), categories: ['all'] },
      ],
      ['ResourceQuota', 'resourcequotas', named('quota', 'status')],
      ['Secret', 'secrets'],
      ['ServiceAccount', 'serviceaccounts', named('sa')],
      ['Service', 'services', { ...named('svc', 'status'), categories: ['all'] }],
    ],
  ],
  [
    'apps/v1',
    [
      ['ControllerRevision', 'controllerrevisions'],
      ['DaemonSet', 'daemonsets', { ...named('ds', 'status'), categories: ['all'] }],
      ['Deployment', 'deployments', { ...named('deploy', 'scale', 'status'), categories: ['all'] }],
      ['ReplicaSet', 'replicasets', { ...named('rs', 'scale', 'status'), categories: ['all'] }],
      ['StatefulSet', 'statefulsets', { ...named('sts', 'scale', 'status'), categories: ['all'] }],
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
      ['Job', 'jobs', { categories: ['all'], subresources: ['status'] }],
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
  ['policy/v1', [['PodDisruptionBudget', 'poddisruptionbudgets', named('pdb', 'status')]]],
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
      ['CSIDriver', 'csidrivers', { namespaced: false }],
      ['CSINode', 'csinodes', { namespaced: false }],
      ['CSIStorageCapacity', 'csistoragecapacities'],
      ['StorageClass', 'storageclasses', { ...named('sc'), namespaced: false }],
      ['VolumeAttachment', 'volumeattachments', { namespaced: false, subresources: ['status'] }],
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
    // There are none: who looks for a kind that is not served looks here as well.
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
    [['PriorityClass', 'priorityclasses', { ...named('pc'), namespaced: false }]],
  ],
  ['coordination.k8s.io/v1', [['Lease', 'leases']]],
  ['node.k8s.io/v1', [['RuntimeClass', 'runtimeclasses', { namespaced: false }]]],
  ['discovery.k8s.io/v1', [['EndpointSlice', 'endpointslices']]],
  [
    'resource.k8s.io/v1',
    [
      ['DeviceClass', 'deviceclasses', { namespaced: false }],
      ['ResourceClaim', 'resourceclaims', { subresources: ['status'] }],
      ['ResourceClaimTemplate', 'resourceclaimtemplates'],
      ['ResourceSlice', 'resourceslices', { namespaced: false }],
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
 * All resources, the core group first, in the order that discovery has them.
 * @type {readonly Resource[]}
 */
export const RESOURCES = Object.freeze(
  GROUP_VERSIONS.flatMap(([apiVersion, rows]) =>
    rows.map(([kind, plural, row]) => resource(apiVersion, kind, plural, row)),
  ),
);

const BY_PATH = new Map(RESOURCES.map((one) => [`${one.apiVersion}/${one.plural}`, one]));
const BY_KIND = new Map(RESOURCES.map((one) => [`${one.apiVersion}/${one.kind}`, one]));
/** The core group comes first, so that `events` are those of the core group. */
const BY_NAME = new Map([...RESOURCES].reverse().map((one) => [one.plural, one]));

/**
 * The resource of a path: `resourceAt('apps/v1', 'deployments')`.
 * @param {string} apiVersion
 * @param {string} plural
 */
export function resourceAt(apiVersion, plural) {
  return BY_PATH.get(`${apiVersion}/${plural}`);
}

/**
 * The resource of an object.
 * @param {{ apiVersion?: string, kind?: string }} object
 */
export function resourceOf({ apiVersion, kind }) {
  return BY_KIND.get(`${apiVersion}/${kind}`);
}

/**
 * The resource that the store knows by this name: `pods`, `deployments`.
 * @param {string} plural
 * @returns {Resource}
 * @throws {RangeError} when there is none, which is a fault of the caller
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
