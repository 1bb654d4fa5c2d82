/** Dumps in the form of `kubectl get -o json`, and files with them. */

/** @param {string} name @param {string | Uint8Array | object} content */
export const file = (name, content) => {
  const isRaw = typeof content === 'string' || content instanceof Uint8Array;
  const parts = [isRaw ? content : JSON.stringify(content)];
  return new File(/** @type {BlobPart[]} */ (parts), name);
};

/** @param {object[]} items */
export const list = (...items) => ({ apiVersion: 'v1', kind: 'List', items });

const CREATED = '2026-03-01T10:00:00Z';
const SEEN = '2026-03-01T12:00:00Z';

/** @param {string} name @param {string} [ready] */
export const dumpedNode = (name, ready = 'True') => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, uid: `uid-${name}`, resourceVersion: '7', creationTimestamp: CREATED },
  spec: {},
  status: {
    allocatable: { cpu: '4', memory: '8Gi', pods: '110' },
    conditions: [{ type: 'Ready', status: ready, lastHeartbeatTime: SEEN }],
  },
});

/**
 * A running pod of the ReplicaSet `web-abc` of the Deployment `web`.
 * @param {string} name
 * @param {string} nodeName
 * @param {object} [spec]
 */
export const dumpedPod = (name, nodeName, spec = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name,
    namespace: 'shop',
    uid: `uid-${name}`,
    resourceVersion: '9',
    creationTimestamp: CREATED,
    labels: { app: 'web', 'pod-template-hash': 'abc' },
    ownerReferences: [
      {
        apiVersion: 'apps/v1',
        kind: 'ReplicaSet',
        name: 'web-abc',
        uid: 'uid-web-abc',
        controller: true,
      },
    ],
  },
  spec: { nodeName, containers: [{ name: 'c', image: 'x' }], restartPolicy: 'Always', ...spec },
  status: {
    phase: 'Running',
    startTime: CREATED,
    conditions: [
      { type: 'Ready', status: 'True' },
      { type: 'ContainersReady', status: 'True' },
    ],
    containerStatuses: [
      {
        name: 'c',
        image: 'x',
        imageID: '',
        ready: true,
        restartCount: 0,
        state: { running: { startedAt: CREATED } },
      },
    ],
  },
});

/** @param {number} replicas */
export const dumpedDeployment = (replicas) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    name: 'web',
    namespace: 'shop',
    uid: 'uid-web',
    generation: 1,
    creationTimestamp: CREATED,
  },
  spec: {
    replicas,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'c', image: 'x' }] },
    },
  },
});
