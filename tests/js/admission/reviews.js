/**
 * AdmissionReviews as kube-apiserver v1.36 sends them, and clusters that handlers evaluate in
 * tests.
 */
import { createApiServer } from '../../../js/apiserver/index.js';
import { exchange } from '../apiserver/recorded_exchanges.js';

/** Groups and plural names of the kinds that tests send. */
const RESOURCES = {
  Pod: ['', 'pods'],
  Binding: ['', 'pods'],
  ConfigMap: ['', 'configmaps'],
  ReplicationController: ['', 'replicationcontrollers'],
  Deployment: ['apps', 'deployments'],
  StatefulSet: ['apps', 'statefulsets'],
  DaemonSet: ['apps', 'daemonsets'],
  ReplicaSet: ['apps', 'replicasets'],
  Job: ['batch', 'jobs'],
  CronJob: ['batch', 'cronjobs'],
};

/** The pod of a recorded response to its creation, completed by the API server. */
export function recordedPod(changes = {}) {
  const { metadata, spec, ...pod } = structuredClone(exchange('create-pod').response.body);
  return {
    ...pod,
    metadata: { ...metadata, ...changes.metadata },
    spec: { ...spec, ...changes.spec },
  };
}

/**
 * Returns an object with its defaults, as validating webhooks get it.
 * @param {any} object
 */
export async function stored(object) {
  const { kind, metadata = {} } = object;
  const [group, resource] = RESOURCES[kind];
  const root = group === '' ? '/api/v1' : `/apis/${group}/v1`;
  const server = createApiServer({ controllers: [] });
  const { namespace = 'default' } = metadata;
  const response = await server.fetch(
    new Request(`http://embedded${root}/namespaces/${namespace}/${resource}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ apiVersion: group === '' ? 'v1' : `${group}/v1`, ...object }),
    }),
  );
  const answer = await response.json();
  server.dispose();
  if (!response.ok) throw new Error(answer.message);
  return answer;
}

/**
 * Source: apiserver/pkg/admission/plugin/webhook/request/admissionreview.go.
 * @param {any} object
 * @param {object} [changes] of the request
 */
export function reviewOf(object, changes = {}) {
  const [group, resource] = RESOURCES[object.kind];
  const { name, namespace = 'default' } = object.metadata;
  const kind = { group, version: 'v1', kind: object.kind };
  const where = { group, version: 'v1', resource };
  return {
    kind: 'AdmissionReview',
    apiVersion: 'admission.k8s.io/v1',
    request: {
      uid: 'c2b5c1f4-7d0e-4f4e-9a39-0d9a5ef2f0a1',
      kind,
      resource: where,
      requestKind: kind,
      requestResource: where,
      ...(name && { name }),
      namespace,
      operation: 'CREATE',
      userInfo: { username: 'kubernetes-admin', groups: ['kubeadm:cluster-admins'] },
      object,
      oldObject: null,
      dryRun: false,
      options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1', fieldManager: 'kubectl' },
      ...changes,
    },
  };
}

/**
 * @param {{ fetch(request: Request): Promise<Response> }} handler
 * @param {unknown} review text and bytes are sent unchanged
 * @param {{ query?: string, method?: string, headers?: Record<string, string> }} [options]
 */
export async function post(handler, review, { query = '', method = 'POST', headers } = {}) {
  const isRaw = typeof review === 'string' || review instanceof Uint8Array;
  const body = isRaw || review instanceof ReadableStream ? review : JSON.stringify(review);
  const answer = await handler.fetch(
    new Request(`https://stowage-admission.stowage.svc/${query}`, {
      method,
      headers: headers ?? { 'Content-Type': 'application/json' },
      ...(method === 'POST' && { body: /** @type {any} */ (body), duplex: 'half' }),
    }),
  );
  return { status: answer.status, headers: answer.headers, body: await answer.json() };
}

/**
 * Returns the handler's answer to an AdmissionReview without its uid, which is checked here.
 * @param {{ fetch(request: Request): Promise<Response> }} handler
 * @param {any} review
 * @param {object} [options]
 */
export async function responseTo(handler, review, options) {
  const { status, body } = await post(handler, review, options);
  if (status !== 200) throw new Error(`${status}: ${body.message}`);
  const { uid, ...response } = body.response;
  if (uid !== review.request.uid || body.kind !== 'AdmissionReview') throw new Error('another uid');
  return response;
}

/**
 * A cluster that gives a fixed answer and records the questions.
 * @param {object} evaluation
 */
export function standIn(evaluation = {}) {
  /** @type {{ pod: any, options: any }[]} */
  const asked = [];
  return {
    asked,
    async evaluateAsync(/** @type {any} */ pod, /** @type {any} */ options) {
      asked.push({ pod, options });
      return { ...FITS, ...evaluation };
    },
  };
}

const FITS = { result: 'scheduled', node: 'n1', fits: 'Now', numAllNodes: 3 };

/** Returns the evaluation of a pod that fits nowhere. @param {string} fits */
export function refused(fits, message = '0/3 nodes are available: 3 Insufficient cpu.') {
  return { result: 'unschedulable', node: null, fits, message };
}
