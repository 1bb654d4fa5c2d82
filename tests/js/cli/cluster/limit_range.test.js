// Goal: pods and claims that a LimitRange makes invalid or forbids count as refused, in the API
// server's words. Method: check and capacity with a LimitRange beside a node that is large enough.
// Source of the words: pkg/apis/core/validation and plugin/pkg/admission/limitranger, v1.36.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeFolder } from '../../support/folder.js';
import { DEFAULT_STORAGE_CLASS, makeList, makeNode, makePod } from '../../support/objects.js';
import { runCli } from '../../support/run_cli.js';
import { makeWorkload } from '../../support/workloads.js';

const { file } = await makeFolder();

/** @param {object[]} limits */
const limitRange = (...limits) => ({
  apiVersion: 'v1',
  kind: 'LimitRange',
  metadata: { name: 'bounds', namespace: 'default', uid: 'l' },
  spec: { limits },
});

let count = 0;
/** @param {object[]} cluster @param {object[]} manifests */
async function check(cluster, ...manifests) {
  const number = (count += 1);
  const dump = await file(
    `cluster-${number}.json`,
    makeList(makeNode('a', { cpu: '9' }), ...cluster),
  );
  const path = await file(`manifest-${number}.json`, makeList(...manifests));
  const { stdout } = await runCli(['check', '-f', path, '--cluster', dump, '-o', 'json', '-q']);
  return JSON.parse(stdout).workloads.map(({ result, messages }) => [result, messages[0]?.message]);
}

/** @param {object} resources @param {object} [spec] */
const using = (resources, spec) =>
  makePod('p', { spec: { containers: [{ name: 'c', image: 'a', resources }], ...spec } });

const DEFAULTS = limitRange({
  type: 'Container',
  default: { cpu: '1', memory: '1Gi' },
  defaultRequest: { cpu: '500m' },
});

test('a pod is validated with the defaults of a LimitRange', async () => {
  const rest = 'must be less than or equal to';
  const cases = /** @type {[object, string][]} */ ([
    [
      using({ requests: { cpu: 2 } }),
      `spec.containers[0].resources.requests: Invalid value: "2": ${rest} cpu limit of 1`,
    ],
    [
      using({ requests: { memory: '2Gi' } }),
      `spec.containers[0].resources.requests: Invalid value: "2Gi": ${rest} memory limit of 1Gi`,
    ],
    [
      using({}, { resources: { limits: { cpu: '500m' } } }),
      `spec.resources.containers[0][cpu].limits: Invalid value: "1": ${rest} pod limits of 500m`,
    ],
    [
      using(
        {},
        { initContainers: [{ name: 'i', image: 'a', resources: { requests: { cpu: '3' } } }] },
      ),
      `spec.initContainers[0].resources.requests: Invalid value: "3": ${rest} cpu limit of 1`,
    ],
  ]);
  for (const [pod, message] of cases) {
    assert.deepEqual(await check([DEFAULTS], pod), [
      ['DoesNotFit', `Pod "p" is invalid: ${message}`],
    ]);
    assert.deepEqual(await check([], pod), [['Fits', undefined]]);
  }
  assert.deepEqual(await check([DEFAULTS], using({ requests: { cpu: '1' } })), [
    ['Fits', undefined],
  ]);
  const [[result, message]] = await check(
    [DEFAULTS],
    makeWorkload('Deployment', 'web', { cpu: '2' }),
  );
  assert.equal(result, 'DoesNotFit');
  assert.match(message, /^Pod "web-\w+-0" is invalid: .* must be less than or equal to cpu limit/);
});

test('capacity has no room for a pod that a LimitRange makes invalid', async () => {
  const dump = await file('cluster.json', makeList(makeNode('a', { cpu: '9' }), DEFAULTS));
  const path = await file('pod.json', using({ requests: { cpu: '2' } }));
  const { code, stderr } = await runCli(['capacity', '-f', path, '--cluster', dump]);
  assert.equal(code, 2);
  assert.match(stderr, /Pod "p" is invalid: spec.containers\[0\].resources.requests: /);
});

test('claims of any origin are bounded', async () => {
  const bounds = limitRange({ type: 'PersistentVolumeClaim', max: { storage: '1Gi' } });
  const why =
    'is forbidden: maximum storage usage per PersistentVolumeClaim is 1Gi, but request is 10Gi';
  const claimOf = (/** @type {string} */ storage) => ({
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage } },
  });
  const set = (/** @type {string} */ storage) =>
    makeWorkload('StatefulSet', 'db', {
      spec: { volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: claimOf(storage) }] },
    });
  const mounting = (/** @type {object} */ source) =>
    makePod('p', { spec: { volumes: [{ name: 'v', ...source }] } });
  const ephemeral = (/** @type {string} */ storage) =>
    mounting({ ephemeral: { volumeClaimTemplate: { spec: claimOf(storage) } } });
  const cluster = [bounds, DEFAULT_STORAGE_CLASS];
  for (const [make, claim] of /** @type {const} */ ([
    [set, 'data-db-0'],
    [ephemeral, 'p-v'],
  ])) {
    const message = `persistentvolumeclaims "${claim}" ${why}`;
    assert.deepEqual(await check(cluster, make('10Gi')), [['DoesNotFit', message]]);
    assert.deepEqual(await check(cluster, make('1Gi')), [['Fits', undefined]]);
  }
  const written = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'big' },
    spec: claimOf('10Gi'),
  };
  const user = mounting({ persistentVolumeClaim: { claimName: 'big' } });
  const [[result, message]] = await check(cluster, written, user);
  assert.equal(result, 'DoesNotFit');
  assert.match(message, /persistentvolumeclaim "big" not found/);
});
