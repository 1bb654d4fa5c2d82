// Goal: a template that an API server stored equals the one that was written: nothing rolls out.
// Method: a table of templates as written and as kube-apiserver v1.36 returns them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { podsOfTemplate } from '../../../js/src/check/same_template.js';

const STORED = {
  dnsPolicy: 'ClusterFirst',
  restartPolicy: 'Always',
  schedulerName: 'default-scheduler',
  securityContext: {},
  terminationGracePeriodSeconds: 30,
};

/** @param {object} fields */
const written = (fields) => ({ name: 'c', image: 'a:1', ...fields });

/** @param {object} fields */
const stored = (fields) => ({
  ...written(fields),
  imagePullPolicy: 'IfNotPresent',
  resources: {},
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
});

/** @param {object} before @param {object} after */
function isSame(before, after) {
  const workload = (/** @type {object} */ spec) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', uid: 'd' },
    spec: { template: { metadata: { labels: { app: 'x' } }, spec } },
  });
  const set = { ...workload({ ...STORED, ...after }), kind: 'ReplicaSet', metadata: { uid: 'r' } };
  const ownerReferences = [{ kind: 'ReplicaSet', name: 'r', uid: 'r', controller: true }];
  const pod = { kind: 'Pod', metadata: { name: 'p', ownerReferences } };
  const state = { pods: [pod], sets: [set], workload: undefined };
  return podsOfTemplate(workload(before), state).size === 1;
}

test('fields of a pod that the API server completes', () => {
  const both = { serviceAccount: 's', serviceAccountName: 's' };
  for (const [before, after] of [
    [{ serviceAccountName: 's' }, both],
    [{ serviceAccount: 's' }, both],
    [{ serviceAccountName: 's', serviceAccount: 'former' }, both],
    [{}, {}],
  ]) {
    const containers = [[written({})], [stored({})]];
    const pair = [
      { ...before, containers: containers[0] },
      { ...after, containers: containers[1] },
    ];
    assert.ok(isSame(pair[0], pair[1]), JSON.stringify(before));
  }
  const other = { serviceAccountName: 't', containers: [written({})] };
  assert.ok(!isSame(other, { ...both, containers: [stored({})] }));
});

test('fields of a container that the API server completes', () => {
  const [http, whole] = [{ port: 80 }, { path: '/', port: 80, scheme: 'HTTP' }];
  const times = { failureThreshold: 3, periodSeconds: 10, successThreshold: 1, timeoutSeconds: 1 };
  const exec = { exec: { command: ['true'] } };
  for (const [before, after] of [
    [{ lifecycle: { preStop: { httpGet: http } } }, { lifecycle: { preStop: { httpGet: whole } } }],
    [
      { lifecycle: { postStart: { httpGet: { ...http, path: '/up' } } } },
      { lifecycle: { postStart: { httpGet: { ...whole, path: '/up' } } } },
    ],
    [{ lifecycle: { preStop: exec } }, { lifecycle: { preStop: exec } }],
    [{ livenessProbe: { httpGet: http } }, { livenessProbe: { httpGet: whole, ...times } }],
  ])
    assert.ok(
      isSame({ containers: [written(before)] }, { containers: [stored(after)] }),
      JSON.stringify(before),
    );
});

test('volumes that the API server completes', () => {
  for (const [before, after] of [
    [{}, { emptyDir: {} }],
    [{ hostPath: { path: '/a' } }, { hostPath: { path: '/a', type: '' } }],
    [
      { rbd: { monitors: ['a'], image: 'x' } },
      {
        rbd: {
          ...{ monitors: ['a'], image: 'x', pool: 'rbd', user: 'admin' },
          keyring: '/etc/ceph/keyring',
        },
      },
    ],
    [
      { iscsi: { targetPortal: 'a', iqn: 'b', lun: 0 } },
      { iscsi: { targetPortal: 'a', iqn: 'b', lun: 0, iscsiInterface: 'default' } },
    ],
    [
      { azureDisk: { diskName: 'a', diskURI: 'b' } },
      {
        azureDisk: {
          ...{ diskName: 'a', diskURI: 'b', cachingMode: 'ReadWrite', fsType: 'ext4' },
          ...{ readOnly: false, kind: 'Shared' },
        },
      },
    ],
    [
      { image: { reference: 'registry:5000/a' } },
      { image: { reference: 'registry:5000/a', pullPolicy: 'Always' } },
    ],
  ]) {
    const pair = [before, after].map((source) => [{ name: 'v', ...source }]);
    assert.ok(
      isSame(
        { containers: [written({})], volumes: pair[0] },
        { containers: [stored({})], volumes: pair[1] },
      ),
      JSON.stringify(before),
    );
  }
});
