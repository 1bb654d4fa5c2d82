// Goal: writing back an unchanged object keeps its version, so that other writes do not conflict.
// Method: objects of the sample cluster, with its controllers and kubelets running, are sent back
// unchanged, in JSON and in client-go's protobuf.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { sampleCluster } from '../../../js/src/cli/up/sample_cluster.js';
import { CONTROLLERS } from '../../../js/apiserver/index.js';
import { AskedServer } from './asked_server.js';
import { encodeProtobuf } from './protobuf_encoder.js';

const BODIES = {
  JSON: { type: 'application/json', encode: JSON.stringify },
  protobuf: { type: 'application/vnd.kubernetes.protobuf', encode: encodeProtobuf },
};

const PATHS = [
  '/api/v1/nodes',
  '/api/v1/pods',
  '/api/v1/namespaces',
  '/api/v1/serviceaccounts',
  '/api/v1/configmaps',
  '/apis/apps/v1/deployments',
  '/apis/apps/v1/replicasets',
  '/apis/coordination.k8s.io/v1/leases',
  '/apis/scheduling.k8s.io/v1/priorityclasses',
];

for (const [name, { type, encode }] of Object.entries(BODIES)) {
  test(`an object sent back unchanged, in ${name}, keeps its version`, async (t) => {
    const server = new AskedServer({ objects: sampleCluster(), controllers: CONTROLLERS });
    t.after(() => server.server.dispose());
    for (let second = 0; second < 20; second += 1) await server.clock.advance(1000);
    for (const path of PATHS) {
      const list = await server.get(path);
      assert.ok(list.items.length > 0, path);
      const { apiVersion, kind } = { ...list, kind: list.kind.replace(/List$/, '') };
      for (const item of list.items) {
        const { namespace, name: own, resourceVersion } = item.metadata;
        const scope = namespace ? path.replace(/(\/[^/]+)$/, `/namespaces/${namespace}$1`) : path;
        const hasStatus = item.status !== undefined;
        for (const subresource of hasStatus ? ['', '/status'] : ['']) {
          const { status, body } = await server.ask(
            'PUT',
            `${scope}/${own}${subresource}`,
            encode({ apiVersion, kind, ...item }),
            { 'Content-Type': type },
          );
          assert.equal(status, 200, `${scope}/${own}${subresource}: ${body.message}`);
          assert.deepEqual(body, { kind, apiVersion, ...item });
          assert.equal(body.metadata.resourceVersion, resourceVersion);
        }
      }
    }
  });
}
