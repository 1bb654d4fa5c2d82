/** A deterministic cluster of 200 nodes. */

export const NODES = 200;
const ZONES = ['a', 'b', 'c'];
const ZONE = 'topology.kubernetes.io/zone';
/** By number, so that the kinds are mixed: pods that fit, that prefer nodes, that never fit. */
const PODS = 300;
const APPS = ['web', 'cache', 'batch', 'gpu'];

/** @returns {object[]} nodes, then pending pods */
export function makeCluster() {
  const nodes = Array.from({ length: NODES }, (_, at) => nodeAt(at));
  return [...nodes, ...Array.from({ length: PODS }, (_, at) => podAt(at))];
}

/** @returns {object[]} two nodes of which one has a device, and a pod whose claim needs it */
export function makeDevices() {
  const apiVersion = 'resource.k8s.io/v1';
  const selectors = [{ cel: { expression: 'device.attributes["example.com"].model == "b"' } }];
  const devices = ['a', 'b'].map((model) => ({
    name: `gpu-${model}`,
    attributes: { model: { string: model } },
  }));
  const pool = { name: 'node-1', generation: 1, resourceSliceCount: 1 };
  const requests = [{ name: 'gpu', exactly: { deviceClassName: 'gpu', selectors } }];
  return [
    { ...nodeAt(1), spec: {} },
    { ...nodeAt(2), spec: {} },
    { apiVersion, kind: 'DeviceClass', metadata: { name: 'gpu' }, spec: {} },
    {
      apiVersion,
      kind: 'ResourceSlice',
      metadata: { name: 'slice' },
      spec: { driver: 'example.com', nodeName: 'node-1', pool, devices },
    },
    {
      apiVersion,
      kind: 'ResourceClaim',
      metadata: { name: 'claim', namespace: 'default', uid: 'claim' },
      spec: { devices: { requests } },
    },
    {
      ...podAt(2),
      metadata: { name: 'with-device', namespace: 'default' },
      spec: {
        containers: [{ name: 'main', resources: { claims: [{ name: 'gpu' }] } }],
        resourceClaims: [{ name: 'gpu', resourceClaimName: 'claim' }],
      },
    },
  ];
}

/** @param {number} at */
function nodeAt(at) {
  const taints = at % 10 === 0 ? [{ key: 'dedicated', value: 'gpu', effect: 'NoSchedule' }] : [];
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: `node-${at}`,
      labels: { [ZONE]: ZONES[at % 3], 'kubernetes.io/hostname': `node-${at}` },
    },
    spec: { unschedulable: at % 50 === 49, taints },
    status: { allocatable: { cpu: String(2 + (at % 3)), memory: '8Gi', pods: '16' } },
  };
}

/** @param {number} at */
function podAt(at) {
  const app = APPS[at % APPS.length];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `${app}-${at}`, namespace: 'default', labels: { app } },
    spec: {
      containers: [{ name: 'main', resources: { requests: { cpu: `${1 + (at % 7)}00m` } } }],
      ...special(app, at),
    },
  };
}

/** @param {string} app @param {number} at */
function special(app, at) {
  const labelSelector = { matchLabels: { app } };
  if (app === 'gpu') {
    const tolerations = [{ key: 'dedicated', operator: 'Equal', value: 'gpu' }];
    return { tolerations, nodeSelector: { [ZONE]: at % 8 === 3 ? 'nowhere' : 'a' } };
  }
  if (app === 'web') {
    const constraint = { maxSkew: 1, topologyKey: ZONE, whenUnsatisfiable: 'DoNotSchedule' };
    return { topologySpreadConstraints: [{ ...constraint, labelSelector }] };
  }
  if (app === 'batch') return {};
  const term = { labelSelector, topologyKey: 'kubernetes.io/hostname' };
  const required = { requiredDuringSchedulingIgnoredDuringExecution: [term] };
  return { affinity: { podAntiAffinity: required } };
}
