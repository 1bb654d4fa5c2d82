/**
 * Arbitrary objects of a small cluster, as the API server sends them. Names, labels and amounts
 * come from small domains, so that objects refer to each other; now and then a value is unusual,
 * and rarely invalid.
 */
import fc from 'fast-check';

const NODES = 12;
const PODS = 16;

/** @param {string} prefix @param {number} count */
export const nameOf = (prefix, count) =>
  fc.integer({ min: 0, max: count - 1 }).map((number) => `${prefix}${number}`);

/** Present one time in `freq`. @template T @param {fc.Arbitrary<T>} value @param {number} [freq] */
export const rarely = (value, freq = 4) =>
  fc.oneof(
    { weight: Math.round((freq - 1) * 10), arbitrary: fc.constant(undefined) },
    { weight: 10, arbitrary: value },
  );

/** @template T @param {...T} values */
const pick = (...values) => fc.constantFrom(...values);

export const namespace = fc.oneof(
  { weight: 4, arbitrary: pick('default') },
  { weight: 1, arbitrary: pick('other') },
);
export const nodeName = nameOf('n', NODES);
const podName = nameOf('p', PODS);
const ODD_AMOUNTS = [
  '0',
  '1e3',
  '0.5',
  '1n',
  '3Ei',
  '9223372036854775807',
  '1.5Gi',
  '-1',
  '00012',
  '5E',
];
const WRONG_AMOUNTS = ['', 'one', '1 Gi', '1e'];

/** @param {...string} usual */
const amount = (...usual) =>
  fc.oneof(
    { weight: 300, arbitrary: pick(...usual) },
    { weight: 8, arbitrary: pick(...ODD_AMOUNTS) },
    { weight: 1, arbitrary: fc.oneof(pick(...WRONG_AMOUNTS), fc.integer(), fc.double()) },
  );

const app = pick('web', 'db', 'job');
const topologyKey = pick('topology.kubernetes.io/zone', 'kubernetes.io/hostname', 'disk');
const oddText = pick(
  '',
  'ß',
  '\u2028',
  '\\"',
  '\u0000',
  '😀',
  '\ud800',
  ' ',
  '05',
  '+1',
  '1e3',
  '-0',
);
const level = fc.oneof(
  { weight: 8, arbitrary: pick('1', '5', '9') },
  { weight: 1, arbitrary: oddText },
);
const int32 = fc.oneof(
  { weight: 300, arbitrary: fc.integer({ min: 0, max: 100 }) },
  { weight: 12, arbitrary: pick(2147483647, -2147483648, -1) },
  { weight: 1, arbitrary: pick(2147483648, 1.5, /** @type {any} */ ('1')) },
);

/** Without the members that are undefined. @param {Record<string, unknown>} value */
function compact(value) {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined));
}

/** @param {Record<string, fc.Arbitrary<any>>} model */
export const record = (model) => fc.record(model).map(compact);

const taint = record({
  key: pick('dedicated', 'level'),
  value: rarely(level, 2),
  effect: pick('NoSchedule', 'PreferNoSchedule', 'NoExecute'),
});

const image = record({
  names: fc.array(pick('app:v1', 'db:v1', 'gcr.io/app@sha256:1', 'app'), { maxLength: 2 }),
  sizeBytes: fc.oneof(fc.integer({ min: 0, max: 2_000_000_000 }), pick(0, 1, 9007199254740993)),
});

export const node = fc
  .tuple(
    nodeName,
    record({
      'topology.kubernetes.io/zone': rarely(pick('z0', 'z1', 'z2', ''), 1.3),
      disk: rarely(pick('ssd', 'hdd'), 2),
      level: rarely(level, 2),
    }),
    record({
      unschedulable: rarely(pick(true, false), 6),
      taints: rarely(fc.array(taint, { maxLength: 2 }), 2.5),
    }),
    record({
      allocatable: record({
        cpu: amount('1', '4', '7500m'),
        memory: amount('1Gi', '8Gi', '16Gi'),
        'ephemeral-storage': rarely(amount('1Gi', '20Gi'), 2),
        'example.com/gpu': rarely(amount('1', '4'), 3),
        pods: amount('3', '8', '110'),
      }),
      images: rarely(fc.array(image, { maxLength: 3 }), 2),
      declaredFeatures: rarely(pick(['RestartAllContainersOnContainerExits'], ['Unknown'], [])),
    }),
  )
  .map(([name, labels, spec, status]) => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, uid: `u-${name}`, labels: { 'kubernetes.io/hostname': name, ...labels } },
    spec,
    status,
  }));

const expression = fc.oneof(
  record({
    key: pick('app', 'version'),
    operator: pick('In', 'NotIn'),
    values: fc.array(app, { minLength: 1, maxLength: 2 }),
  }),
  record({ key: pick('version', 'app'), operator: pick('Exists', 'DoesNotExist') }),
  record({
    key: pick('version'),
    operator: pick('In', 'Sometimes'),
    values: fc.array(oddText, { maxLength: 1 }),
  }),
);
const selector = fc.oneof(
  { weight: 6, arbitrary: app.map((value) => ({ matchLabels: { app: value } })) },
  { weight: 2, arbitrary: record({ matchExpressions: fc.array(expression, { maxLength: 2 }) }) },
  { weight: 1, arbitrary: pick({}, null) },
);

const nodeExpression = fc.oneof(
  record({ key: pick('disk', 'level'), operator: pick('Exists', 'DoesNotExist') }),
  record({ key: pick('level'), operator: pick('Gt', 'Lt'), values: level.map((value) => [value]) }),
  record({
    key: pick('topology.kubernetes.io/zone'),
    operator: pick('In', 'NotIn'),
    values: fc.array(pick('z0', 'z1', 'z2'), { minLength: 1, maxLength: 2 }),
  }),
);
const nodeTerm = record({
  matchExpressions: rarely(fc.array(nodeExpression, { maxLength: 2 }), 1.2),
  matchFields: rarely(
    nodeName.map((name) => [{ key: 'metadata.name', operator: 'In', values: [name] }]),
    8,
  ),
});

const podTerm = record({
  topologyKey,
  labelSelector: selector,
  namespaces: rarely(pick(['default'], ['other'], []), 4),
  namespaceSelector: rarely(pick({}, { matchLabels: { team: 'a' } }), 5),
});

/** @template T @param {fc.Arbitrary<T>} term */
const podAffinity = (term) =>
  record({
    requiredDuringSchedulingIgnoredDuringExecution: rarely(fc.array(term, { maxLength: 2 }), 2),
    preferredDuringSchedulingIgnoredDuringExecution: rarely(
      fc.array(record({ weight: int32, podAffinityTerm: term }), { maxLength: 2 }),
      2,
    ),
  });

const affinity = record({
  nodeAffinity: rarely(
    record({
      requiredDuringSchedulingIgnoredDuringExecution: rarely(
        record({ nodeSelectorTerms: fc.array(nodeTerm, { maxLength: 2 }) }),
        2,
      ),
      preferredDuringSchedulingIgnoredDuringExecution: rarely(
        fc.array(record({ weight: int32, preference: nodeTerm }), { maxLength: 2 }),
        2,
      ),
    }),
    2,
  ),
  podAffinity: rarely(podAffinity(podTerm), 3),
  podAntiAffinity: rarely(podAffinity(podTerm), 3),
});

const spreadConstraint = record({
  maxSkew: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 1, max: 3 }) },
    { weight: 1, arbitrary: int32 },
  ),
  topologyKey,
  whenUnsatisfiable: pick('DoNotSchedule', 'ScheduleAnyway'),
  labelSelector: selector,
  minDomains: rarely(int32, 5),
  matchLabelKeys: rarely(pick(['version'], ['absent']), 4),
  nodeAffinityPolicy: rarely(pick('Honor', 'Ignore'), 4),
  nodeTaintsPolicy: rarely(pick('Honor', 'Ignore'), 4),
});

const port = record({
  containerPort: pick(80),
  hostPort: fc.oneof({ weight: 6, arbitrary: pick(80, 81) }, { weight: 1, arbitrary: int32 }),
  protocol: rarely(pick('TCP', 'UDP'), 2),
  hostIP: rarely(pick('127.0.0.1', '0.0.0.0', '::'), 4),
});

const container = record({
  name: pick('c', 'd'),
  image: rarely(pick('app:v1', 'db', 'gcr.io/app@sha256:1', ''), 2),
  resources: rarely(
    record({
      requests: record({
        cpu: rarely(amount('100m', '500m', '2'), 1.3),
        memory: rarely(amount('100Mi', '2Gi'), 1.5),
        'ephemeral-storage': rarely(amount('1Gi'), 6),
        'example.com/gpu': rarely(amount('1', '2'), 6),
      }),
    }),
    1.3,
  ),
  ports: rarely(fc.array(port, { maxLength: 2 }), 6),
});
const initContainer = fc
  .tuple(container, rarely(pick('Always'), 2))
  .map(([one, restartPolicy]) => compact({ ...one, restartPolicy }));

const toleration = record({
  key: rarely(pick('dedicated', 'level', 'node.kubernetes.io/unschedulable'), 1.3),
  operator: rarely(pick('Exists', 'Equal', 'Gt', 'Lt', 'Never'), 1.3),
  value: rarely(level, 2),
  effect: rarely(pick('NoSchedule', 'PreferNoSchedule', 'NoExecute'), 2),
});

const podSpec = record({
  schedulerName: fc.oneof(
    { weight: 9, arbitrary: pick('default-scheduler') },
    { weight: 1, arbitrary: pick('second', 'stranger') },
  ),
  priority: rarely(fc.oneof(pick(0, 10, 100), int32), 2),
  preemptionPolicy: rarely(pick('Never', 'PreemptLowerPriority'), 8),
  nodeName: rarely(nodeName, 6),
  nodeSelector: rarely(pick({ disk: 'ssd' }, { disk: 'hdd' }, {}, null), 8),
  affinity: rarely(affinity, 3),
  tolerations: rarely(fc.array(toleration, { maxLength: 2 }), 2),
  topologySpreadConstraints: rarely(fc.array(spreadConstraint, { maxLength: 2 }), 5),
  schedulingGates: rarely(pick([{ name: 'wait' }], []), 20),
  containers: fc.array(container, { minLength: 1, maxLength: 2 }),
  initContainers: rarely(fc.array(initContainer, { maxLength: 2 }), 6),
  resources: rarely(record({ requests: record({ cpu: amount('300m', '3') }) }), 12),
  overhead: rarely(record({ cpu: amount('100m'), memory: amount('64Mi') }), 12),
  volumes: rarely(
    pick(
      [{ name: 'v', emptyDir: {} }],
      [{ name: 'v', image: { reference: 'app:v1' } }],
      [{ name: 'v', persistentVolumeClaim: { claimName: 'x' } }],
    ),
    12,
  ),
  hostNetwork: rarely(pick(true, false), 12),
  hostUsers: rarely(pick(true, false), 12),
});

const podStatus = record({
  phase: rarely(pick('Running', 'Pending', 'Succeeded', 'Failed'), 8),
  startTime: rarely(pick('2026-01-01T00:00:00Z', '2026-01-02T00:00:00.5+01:00'), 4),
  nominatedNodeName: rarely(nodeName, 20),
});

export const pod = fc
  .tuple(
    namespace,
    podName,
    fc.integer({ min: 0, max: 9 }),
    record({
      labels: rarely(record({ app: rarely(app, 1.2), version: rarely(pick('v1', 'v2'), 2) }), 1.2),
      creationTimestamp: rarely(pick('2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z'), 3),
      deletionTimestamp: rarely(pick('2026-01-03T00:00:00Z'), 20),
      ownerReferences: rarely(
        pick([
          { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'w', uid: 'u-w', controller: true },
        ]),
        4,
      ),
    }),
    podSpec,
    podStatus,
  )
  .map(([space, name, round, metadata, spec, status]) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    // Another uid under the same name is another pod; the same uid twice is refused.
    metadata: {
      namespace: space,
      name,
      uid: round === 0 ? 'u-again' : `u-${name}-${round % 2}`,
      ...metadata,
    },
    spec,
    status,
  }));

/** @param {string} apiVersion @param {string} kind @param {fc.Arbitrary<any>} rest */
const workload = (apiVersion, kind, rest) =>
  fc.tuple(namespace, rest).map(([space, members]) => ({
    apiVersion,
    kind,
    metadata: { namespace: space, name: 'w', uid: `u-${kind}-${space}` },
    ...members,
  }));

const plainSelector = record({
  selector: rarely(
    app.map((value) => ({ app: value })),
    1.2,
  ),
});
const labelSelector = record({ selector: rarely(selector, 1.2) });

/** The objects besides nodes and pods that decisions depend on. */
export const other = fc.oneof(
  fc.tuple(namespace, rarely(pick('a', 'b'), 1.5)).map(([name, team]) => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, uid: `u-${name}`, labels: compact({ team }) },
  })),
  workload('v1', 'Service', record({ spec: plainSelector })),
  workload('v1', 'ReplicationController', record({ spec: plainSelector })),
  workload('apps/v1', 'ReplicaSet', record({ spec: labelSelector })),
  workload('apps/v1', 'StatefulSet', record({ spec: labelSelector })),
  workload(
    'policy/v1',
    'PodDisruptionBudget',
    record({
      spec: labelSelector,
      status: record({ disruptionsAllowed: fc.oneof(fc.integer({ min: 0, max: 2 }), int32) }),
    }),
  ),
  pick({ apiVersion: 'example.com/v1', kind: 'Unknown', metadata: { name: 'x', uid: 'u' } }),
);
