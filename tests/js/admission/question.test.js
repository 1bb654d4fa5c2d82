// Goal: the handler evaluates the pod that would be created, and nothing else. Method:
// AdmissionReviews, and the questions that a stand-in for the cluster gets.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAdmissionHandler } from '../../../js/src/admission.js';
import { recordedPod, refused, responseTo, reviewOf, standIn, stored } from './reviews.js';

/** @param {object} [options] */
function makeHandler(options) {
  const cluster = standIn(refused('Never'));
  const handler = createAdmissionHandler({ cluster, mode: 'deny', ...options });
  return { ...handler, cluster };
}

/**
 * Returns the evaluated pod, or the reason why there is none.
 * @param {any} review
 * @param {object} [options]
 */
async function asked(review, options) {
  const handler = makeHandler(options);
  const { allowed, auditAnnotations } = await responseTo(handler, review);
  const { exempt, skipped } = auditAnnotations;
  assert.equal(allowed, exempt !== undefined || skipped !== undefined);
  assert.equal(handler.cluster.asked.length > 0, !allowed);
  return exempt ?? skipped ?? 'asked';
}

test('a pod is evaluated unchanged', async () => {
  const { cluster, fetch } = makeHandler();
  const pod = recordedPod();
  await responseTo({ fetch }, reviewOf(pod));
  assert.deepEqual(cluster.asked[0].pod, pod);
  assert.equal(cluster.asked[0].options.classify, true);
});

test('a pod that has no name and no namespace yet is asked about in the request’s', async () => {
  const { cluster, fetch } = makeHandler();
  const { metadata, spec } = recordedPod();
  const pod = { kind: 'Pod', metadata: { generateName: 'web-', labels: metadata.labels }, spec };
  const { status } = await responseTo({ fetch }, reviewOf(pod, { namespace: 'shop' }));
  assert.equal(cluster.asked[0].pod.metadata.namespace, 'shop');
  assert.equal(cluster.asked[0].pod.apiVersion, 'v1');
  assert.match(status.message, /^pod "web-" would be unschedulable/);
  assert.equal(status.details.name, undefined, 'there is no name yet');
});

test('requests that create no pod are allowed without an evaluation', async () => {
  const pod = recordedPod();
  const configMap = { kind: 'ConfigMap', metadata: { name: 'c' }, data: {} };
  /** @type {[any, string][]} */
  const table = [
    [reviewOf(pod, { operation: 'UPDATE', oldObject: pod }), 'operation UPDATE'],
    [reviewOf(pod, { operation: 'DELETE', object: null, oldObject: pod }), 'operation DELETE'],
    [reviewOf(pod, { operation: 'CONNECT', subResource: 'exec', object: {} }), 'operation CONNECT'],
    [reviewOf(pod, { subResource: 'binding' }), 'subresource binding'],
    [reviewOf(configMap), 'kind v1, Kind=ConfigMap'],
    [
      reviewOf(pod, { kind: { group: 'x.io', version: 'v1', kind: 'Pod' } }),
      'kind x.io/v1, Kind=Pod',
    ],
    [reviewOf(recordedPod({ spec: { nodeName: 'n7' } })), 'it has a node: n7'],
    [reviewOf(pod, { dryRun: true }), 'asked'],
    [reviewOf(pod, { subResource: '' }), 'asked'],
  ];
  for (const [review, want] of table) assert.equal(await asked(review), want);
});

test('namespaces and labels are exempt, also those of a template', async () => {
  const tier = (/** @type {string} */ value) => ({ tier: value });
  const pod = (/** @type {string} */ value) =>
    reviewOf(recordedPod({ metadata: { labels: tier(value) } }));
  const spec = (/** @type {object} */ labels) => ({
    selector: { matchLabels: { app: 'a' } },
    template: {
      metadata: { labels: { app: 'a', ...labels } },
      spec: { containers: [{ name: 'c', image: 'c' }] },
    },
  });
  const deployment = await stored({
    kind: 'Deployment',
    metadata: { name: 'd' },
    spec: spec(tier('batch')),
  });
  const cronJob = {
    kind: 'CronJob',
    metadata: { name: 'c' },
    spec: { jobTemplate: { spec: spec(tier('batch')) } },
  };
  /** @type {[string, any, any, string][]} */
  const table = [
    ['a namespace', { namespaces: ['kube-system', 'default'] }, pod('web'), 'namespace default'],
    ['another namespace', { namespaces: ['kube-system'] }, pod('web'), 'asked'],
    ['a label', { labelSelector: { matchLabels: tier('batch') } }, pod('batch'), 'labels'],
    ['another label', { labelSelector: { matchLabels: tier('batch') } }, pod('web'), 'asked'],
    [
      'an expression',
      { labelSelector: { matchExpressions: [{ key: 'tier', operator: 'Exists' }] } },
      pod('web'),
      'labels',
    ],
    ['text', { labelSelector: 'tier in (web,db),!urgent' }, pod('web'), 'labels'],
    ['no selector', { labelSelector: undefined }, pod('web'), 'asked'],
    ['a template', { labelSelector: 'tier=batch' }, reviewOf(deployment), 'labels'],
    ['a template in a template', { labelSelector: 'tier=batch' }, reviewOf(cronJob), 'labels'],
    ['not the selector’s', { labelSelector: 'app=b' }, reviewOf(deployment), 'asked'],
  ];
  for (const [what, exempt, review, want] of table)
    assert.equal(await asked(review, { exempt }), want, what);
});

test('the evaluation ignores claims that are created after the pod', async () => {
  const { cluster, fetch } = makeHandler();
  const volumes = [
    { name: 'scratch', ephemeral: { volumeClaimTemplate: { spec: {} } } },
    { name: 'data', persistentVolumeClaim: { claimName: 'data' } },
  ];
  const resourceClaims = [
    { name: 'gpu', resourceClaimTemplateName: 'one-gpu' },
    { name: 'shared', resourceClaimName: 'shared' },
  ];
  await responseTo({ fetch }, reviewOf(recordedPod({ spec: { volumes, resourceClaims } })));
  const { spec } = cluster.asked[0].pod;
  assert.deepEqual([spec.volumes, spec.resourceClaims], [[volumes[1]], [resourceClaims[1]]]);
});
