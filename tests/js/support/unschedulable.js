/**
 * Small clusters with a pod that fits on no node: a seed picks one to three obstacles from the
 * families of plugins.
 */
import { makeNode } from './objects.js';
import {
  boundClaim,
  claimDevices,
  claimOf,
  deviceClass,
  fill,
  mount,
  podOf,
  REQUIRED,
  requireTerms,
  sliceOf,
  storageClass,
  termOf,
  useDevice,
} from './obstacle_objects.js';

/** @typedef {import('./obstacle_objects.js').Draft} Draft */

const ZONE = 'topology.kubernetes.io/zone';
const HOSTNAME = 'kubernetes.io/hostname';
const ZONES = ['z0', 'z1', 'z2'];

/** @param {number} seed @returns {(below: number) => number} the next integer from 0 */
export function drawing(seed) {
  let state = (seed * 0x9e3779b9 + 0x7f4a7c15) >>> 0;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) >>> 0;
    const mixed = Math.imul(state ^ (state >>> 12), 0x297a2d39) >>> 0;
    return ((mixed ^ (mixed >>> 15)) >>> 0) % below;
  };
}

/**
 * What keeps the pod off every node, by the plugin that refuses it.
 * @type {Record<string, ((draft: Draft) => void)[]>}
 */
const OBSTACLES = {
  NodeResourcesFit: [
    ({ pod, draw }) => (pod.spec.containers[0].resources.requests.cpu = `${5 + draw(9)}`),
    ({ pod, draw }) => (pod.spec.containers[0].resources.requests.memory = `${17 + draw(30)}Gi`),
    ({ pod }) => {
      const big = { cpu: '3', memory: '9Gi' };
      pod.spec.containers = ['a', 'b'].map((name) => ({
        name,
        image: 'app',
        resources: { requests: big },
      }));
    },
    ({ pod, draw }) =>
      (pod.spec.initContainers = [
        { name: 'init', image: 'app', resources: { requests: { cpu: `${6 + draw(4)}` } } },
      ]),
    ({ pods, nodes, pod, draw }) => {
      for (const { metadata } of nodes)
        for (let at = 0; at < 3; at++)
          pods.push(
            podOf(
              `big-${metadata.name}-${at}`,
              { cpu: '1200m' },
              { nodeName: metadata.name, priority: draw(3) * 10 },
            ),
          );
      pod.spec.containers[0].resources.requests.cpu = '1500m';
      pod.spec.priority = draw(2) * 5;
      pod.spec.preemptionPolicy = 'Never';
    },
    ({ nodes, pods }) => {
      for (const node of nodes) {
        node.status.allocatable.pods = '2';
        for (let at = 0; at < 2; at++)
          pods.push(
            podOf(
              `slot-${node.metadata.name}-${at}`,
              {},
              { nodeName: node.metadata.name, priority: 5 },
            ),
          );
      }
    },
    ({ pod, nodes }) => {
      for (const node of nodes) node.status.allocatable['example.com/card'] = '2';
      const cards = { 'example.com/card': '4' };
      Object.assign(pod.spec.containers[0].resources, {
        requests: { ...pod.spec.containers[0].resources.requests, ...cards },
        limits: cards,
      });
    },
  ],
  NodeAffinity: [
    ({ pod, draw }) => (pod.spec.nodeSelector = { disk: draw(2) ? 'ssd' : 'nvme' }),
    (draft) =>
      requireTerms(
        draft,
        'nodeAffinity',
        /** @type {any} */ ({
          nodeSelectorTerms: [
            { matchExpressions: [{ key: ZONE, operator: 'In', values: ['z8', 'z9'] }] },
          ],
        }),
      ),
    (draft) =>
      requireTerms(
        draft,
        'nodeAffinity',
        /** @type {any} */ ({
          nodeSelectorTerms: [
            {
              matchExpressions: [
                { key: 'disk', operator: 'Exists' },
                { key: ZONE, operator: 'NotIn', values: ['z0'] },
              ],
            },
            { matchExpressions: [{ key: 'cpus', operator: 'Gt', values: ['8'] }] },
          ],
        }),
      ),
    (draft) =>
      requireTerms(
        draft,
        'nodeAffinity',
        /** @type {any} */ ({
          nodeSelectorTerms: [
            { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['gone'] }] },
          ],
        }),
      ),
  ],
  TaintToleration: [
    ({ nodes }) =>
      nodes.forEach((node, at) => {
        node.spec.taints = [{ key: 'team', value: `t${at % 2}`, effect: 'NoSchedule' }];
      }),
    ({ nodes }) =>
      nodes.forEach((node) => {
        node.spec.taints = [
          { key: 'team', value: 'x', effect: 'NoSchedule' },
          { key: 'gpu', effect: 'NoExecute' },
        ];
      }),
  ],
  NodeUnschedulable: [
    ({ nodes }) =>
      nodes.forEach((node) => {
        node.spec.unschedulable = true;
        node.spec.taints = [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }];
      }),
    ({ nodes }) => nodes.forEach((node) => (node.spec.unschedulable = true)),
  ],
  NodePorts: [
    ({ nodes, pods, pod, draw }) => {
      const containerPort = 80;
      const hostPort = 8000 + draw(5);
      const ports = [{ containerPort, hostPort, protocol: 'TCP' }];
      for (const { metadata } of nodes) {
        const holder = podOf(`port-${metadata.name}`, {}, { nodeName: metadata.name });
        holder.spec.containers[0].ports = ports;
        pods.push(holder);
      }
      pod.spec.containers[0].ports = ports;
    },
    ({ nodes, pods, pod }) => {
      const ports = [{ containerPort: 9100, hostPort: 9100, protocol: 'TCP' }];
      for (const { metadata } of nodes) {
        const holder = podOf(`net-${metadata.name}`, {}, { nodeName: metadata.name });
        holder.spec.containers[0].ports = ports;
        pods.push(holder);
      }
      pod.spec.hostNetwork = true;
      pod.spec.containers[0].ports = ports;
    },
  ],
  InterPodAffinity: [
    (draft) => requireTerms(draft, 'podAffinity', [termOf({ app: 'none' }, ZONE)]),
    (draft) => {
      fill(draft, { app: 'noisy' });
      requireTerms(draft, 'podAntiAffinity', [
        termOf({ app: 'noisy' }, draft.draw(2) ? ZONE : HOSTNAME),
      ]);
    },
    (draft) => {
      draft.pod.metadata.labels = { ...draft.pod.metadata.labels, app: 'mine' };
      for (const { metadata } of draft.nodes)
        draft.pods.push(
          podOf(
            `shy-${metadata.name}`,
            {},
            {
              nodeName: metadata.name,
              affinity: { podAntiAffinity: { [REQUIRED]: [termOf({ app: 'mine' }, HOSTNAME)] } },
            },
          ),
        );
    },
    (draft) => {
      fill(draft, { app: 'noisy' });
      requireTerms(draft, 'podAntiAffinity', [
        termOf({ app: 'noisy' }, HOSTNAME),
        termOf({ app: 'noisy' }, ZONE),
      ]);
    },
  ],
  PodTopologySpread: [
    (draft) => {
      const { nodes, pods, pod } = draft;
      const labels = { spread: 'me' };
      // The last node is the emptiest domain, and has no room.
      nodes.slice(0, -1).forEach(({ metadata }) => {
        for (let at = 0; at < 2; at++)
          pods.push(podOf(`s-${metadata.name}-${at}`, {}, { nodeName: metadata.name }, labels));
      });
      nodes[nodes.length - 1].status.allocatable.cpu = '50m';
      pod.metadata.labels = { ...pod.metadata.labels, ...labels };
      pod.spec.topologySpreadConstraints = [
        { ...termOf(labels, HOSTNAME), maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' },
      ];
    },
    ({ pod }) => {
      pod.spec.topologySpreadConstraints = [
        {
          ...termOf({ spread: 'me' }, 'rack'),
          maxSkew: 1,
          whenUnsatisfiable: 'DoNotSchedule',
        },
      ];
    },
    (draft) => {
      const labels = { spread: 'few' };
      fill(draft, labels);
      draft.pod.metadata.labels = { ...draft.pod.metadata.labels, ...labels };
      draft.pod.spec.topologySpreadConstraints = [
        {
          ...termOf(labels, ZONE),
          maxSkew: 1,
          minDomains: 7,
          whenUnsatisfiable: 'DoNotSchedule',
        },
      ];
    },
  ],
  VolumeBinding: [
    (draft) => {
      draft.others.push(storageClass('wait'));
      mount(draft, 'missing');
    },
    (draft) => {
      const provisioner = 'kubernetes.io/no-provisioner';
      draft.others.push(
        storageClass('local', { provisioner }),
        storageClass('wait'),
        claimOf('local-data', 'local'),
      );
      mount(draft, 'local-data');
    },
    (draft) => {
      draft.others.push(storageClass('wait'), claimOf('lost', 'nowhere'));
      mount(draft, 'lost');
    },
  ],
  VolumeZone: [
    (draft) => {
      draft.others.push(storageClass('wait'), ...boundClaim('far', 'z9'));
      mount(draft, 'far');
    },
    (draft) => {
      draft.others.push(
        storageClass('wait'),
        ...boundClaim('far', 'z9'),
        ...boundClaim('near', draft.nodes[0].metadata.labels[ZONE]),
      );
      mount(draft, 'far');
    },
  ],
  VolumeRestrictions: [
    (draft) => {
      const { nodes, pods, others } = draft;
      others.push(
        storageClass('wait'),
        ...boundClaim('only', nodes[0].metadata.labels[ZONE], 'ReadWriteOncePod'),
      );
      const user = podOf('user', {}, { nodeName: nodes[0].metadata.name });
      user.spec.volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'only' } }];
      pods.push(user);
      mount(draft, 'only');
    },
    ({ nodes, pods, pod }) => {
      const volumes = [{ name: 'disk', gcePersistentDisk: { pdName: 'shared-disk' } }];
      for (const { metadata } of nodes)
        pods.push(podOf(`disk-${metadata.name}`, {}, { nodeName: metadata.name, volumes }));
      pod.spec.volumes = volumes;
    },
  ],
  NodeVolumeLimits: [
    (draft) => {
      const { nodes, pods, others } = draft;
      others.push(storageClass('wait'));
      for (const { metadata } of nodes) {
        const drivers = [{ name: 'csi.example', nodeID: metadata.name, allocatable: { count: 2 } }];
        others.push({
          apiVersion: 'storage.k8s.io/v1',
          kind: 'CSINode',
          metadata: { name: metadata.name, uid: `u-csi-${metadata.name}` },
          spec: { drivers },
        });
        for (const name of [`first-${metadata.name}`, `second-${metadata.name}`]) {
          others.push(...boundClaim(name, metadata.labels[ZONE]));
          const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: name } }];
          pods.push(podOf(`uses-${name}`, {}, { nodeName: metadata.name, volumes }));
        }
      }
      others.push(...boundClaim('mine', nodes[0].metadata.labels[ZONE]));
      mount(draft, 'mine');
    },
  ],
  DynamicResources: [
    (draft) => {
      draft.others.push(deviceClass('gpu'));
      for (const { metadata } of draft.nodes)
        draft.others.push(sliceOf(metadata.name, 'gpu', [{ name: 'd0' }, { name: 'd1' }]));
      claimDevices(draft, { count: 3 + draft.draw(3) });
    },
    (draft) => {
      draft.others.push(deviceClass('gpu'));
      for (const { metadata } of draft.nodes)
        draft.others.push(
          sliceOf(metadata.name, 'gpu', [{ name: 'd0', attributes: { model: { string: 'old' } } }]),
        );
      const expression = 'device.attributes["gpu.example"].model == "new"';
      claimDevices(draft, { selectors: [{ cel: { expression } }] });
    },
    (draft) => {
      draft.others.push(deviceClass('gpu'));
      for (const { metadata } of draft.nodes)
        draft.others.push(
          sliceOf(metadata.name, 'gpu', [
            { name: 'd0', taints: [{ key: 'sick', value: 'yes', effect: 'NoSchedule' }] },
          ]),
        );
      claimDevices(draft, {});
    },
    (draft) => {
      draft.others.push(deviceClass('gpu'), deviceClass('tpu'));
      draft.others.push(sliceOf(draft.nodes[0].metadata.name, 'tpu', [{ name: 'd0' }]));
      claimDevices(draft, {});
    },
    (draft) => {
      draft.others.push(deviceClass('gpu'));
      draft.others.push(sliceOf(draft.nodes[0].metadata.name, 'gpu', [{ name: 'd0' }]));
      claimDevices(draft, {}, 'unknown');
    },
    (draft) => {
      draft.others.push(deviceClass('gpu'));
      for (const { metadata } of draft.nodes) {
        draft.others.push(sliceOf(metadata.name, 'gpu', [{ name: 'd0' }]));
        useDevice(draft, metadata.name);
      }
      claimDevices(draft, {});
    },
  ],
  SchedulingGates: [({ pod }) => (pod.spec.schedulingGates = [{ name: 'example.com/later' }])],
};

/** The families of plugins that obstacles stand for. */
const FAMILIES = Object.freeze(Object.keys(OBSTACLES));

/**
 * Returns a cluster and a pod that probably fits nowhere in it: an obstacle of the seed's family,
 * and for two thirds of the seeds one or two more.
 * @param {number} seed
 * @param {{ nodes?: number }} [options] the number of nodes; by default of the seed
 */
export function unschedulable(seed, options = {}) {
  const draw = drawing(seed);
  const length = 2 + draw(5);
  const nodes = Array.from({ length: options.nodes ?? length }, (_, at) =>
    makeNode(`n${at}`, { labels: { [ZONE]: ZONES[at % ZONES.length] } }),
  );
  /** @type {Draft} */
  const draft = { nodes, pods: [], others: [], pod: podOf('asked'), draw };
  const families = [FAMILIES[seed % FAMILIES.length]];
  for (let more = draw(3); more > 0; more--) families.push(FAMILIES[draw(FAMILIES.length)]);
  for (const family of new Set(families)) {
    const choices = OBSTACLES[family];
    choices[draw(choices.length)](draft);
  }
  // Obstacles may bring the same class or driver twice.
  const others = new Map(draft.others.map((one) => [`${one.kind}/${one.metadata.name}`, one]));
  return {
    families: [...new Set(families)],
    objects: [...draft.nodes, ...others.values(), ...draft.pods],
    pod: draft.pod,
  };
}

export { podOf };
