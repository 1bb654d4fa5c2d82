// Goal: a live scheduler allocates devices of the embedded API server, whose controller creates and
// frees the claims. Method: more pods than devices; then one of them goes.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createApiServer, CONTROLLERS } from '../../../js/apiserver/index.js';
import { createApiClient } from '../../../js/src/informer.js';
import { runScheduler } from '../../../js/src/live.js';
import { ManualClock } from '../support/manual_clock.js';
import { makeNode } from '../support/objects.js';
import { startNative } from '../support/real_engine.js';
import { claimTemplate, deviceClass, request, slice } from '../apiserver/devices.js';

const { engine } = await startNative();

/** @param {string} name */
const pod = (name) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default' },
  spec: {
    containers: [{ name: 'c', image: 'i' }],
    resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 't' }],
  },
});

test('claims are created, allocated, freed with their pod, and allocated again', async () => {
  const clock = new ManualClock();
  const errors = /** @type {unknown[]} */ ([]);
  const onError = (/** @type {unknown} */ error) => errors.push(error);
  const server = createApiServer({ clock, controllers: CONTROLLERS, onError });
  const { store } = server;
  for (const name of ['n1', 'n2']) store.load(makeNode(name, { cpu: '8' }));
  const attributes = { model: { string: 'large' } };
  store.create('resourceslices', slice({ devices: [{ name: 'gpu-0', attributes }] }));
  store.create('deviceclasses', deviceClass());
  const expression = 'device.attributes["gpu.example.com"].model == "large"';
  const requests = [request({ selectors: [{ cel: { expression } }] })];
  store.create('resourceclaimtemplates', claimTemplate({ requests }));

  const stop = new AbortController();
  const client = createApiClient({ baseUrl: 'http://embedded', fetch: server.fetch, clock });
  const live = runScheduler({
    client,
    engine,
    clock,
    random: () => 0.5,
    leaderElection: false,
    signal: stop.signal,
  });
  await clock.advance(1000);
  for (const name of ['first', 'second']) store.create('pods', pod(name));
  await clock.advance(5000);

  const nodeOf = (/** @type {string} */ name) =>
    store.get('pods', 'default', name)?.spec.nodeName ?? null;
  const states = () =>
    store.list('resourceclaims').map(({ metadata, status }) => ({
      of: metadata.ownerReferences[0].name,
      device: status?.allocation?.devices.results[0].device,
      reservedFor: (status?.reservedFor ?? []).map((/** @type {any} */ { name }) => name),
    }));
  assert.deepEqual([nodeOf('first'), nodeOf('second')], ['n1', null]);
  assert.deepEqual(states(), [
    { of: 'first', device: 'gpu-0', reservedFor: ['first'] },
    { of: 'second', device: undefined, reservedFor: [] },
  ]);

  store.delete('pods', 'default', 'first');
  await clock.advance(60_000);
  assert.equal(nodeOf('second'), 'n1');
  assert.deepEqual(states(), [{ of: 'second', device: 'gpu-0', reservedFor: ['second'] }]);
  stop.abort();
  await live.done;
  assert.deepEqual(errors, []);
  await server.dispose();
});
