// Goal: the pod template of a Job changes only while it is suspended without pods, as far as the
// feature gates of the release allow. Method: a server of each release gets such updates.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { AskedServer } from './asked_server.js';
import { faultsOf } from './validation/refusals.js';
import { inDefault } from './workloads.js';

const container = (/** @type {object} */ fields) => ({ name: 'c', image: 'i', ...fields });

test('the template of a suspended Job changes as far as its gates allow', () => {
  const template = (/** @type {object} */ spec, image = 'i') => ({
    spec: { containers: [container({ image })], restartPolicy: 'Never', ...spec },
  });
  const faults = (
    /** @type {string} */ gitVersion,
    /** @type {object} */ status,
    /** @type {object} */ changed,
  ) => {
    const { store } = new AskedServer({ gitVersion });
    const spec = { suspend: true, template: template({}) };
    store.create('jobs', { metadata: { name: 'j', ...inDefault }, spec });
    const job = structuredClone(/** @type {any} */ (store.get('jobs', 'default', 'j')));
    delete job.metadata.resourceVersion;
    store.update('jobs', { ...job, status }, { subresource: 'status' });
    const next = structuredClone(job);
    Object.assign(next.spec.template.spec, changed);
    return faultsOf(() => store.update('jobs', next)).map((fault) => fault.split(': ')[0]);
  };
  const immutable = ['spec.template'];
  const placed = { nodeSelector: { a: 'b' } };
  const sized = { containers: [container({ resources: { requests: { cpu: '2' } } })] };
  const other = { containers: [container({ image: 'other' })] };
  const startTime = '2026-11-21T03:28:30Z';
  const stopped = { startTime, conditions: [{ type: 'Suspended', status: 'True' }] };
  for (const [
    version,
    status,
    changed,
    expected,
  ] of /** @type {[string, object, object, any][]} */ ([
    ['1.34', {}, placed, []],
    ['1.34', {}, sized, immutable],
    ['1.34', stopped, placed, immutable],
    ['1.36', {}, placed, []],
    ['1.36', {}, sized, []],
    ['1.36', {}, other, immutable],
    ['1.36', { startTime }, placed, immutable],
    ['1.36', stopped, placed, []],
    ['1.36', stopped, sized, []],
    ['1.36', { ...stopped, active: 1 }, placed, immutable],
  ]))
    assert.deepEqual(
      faults(version, status, changed),
      expected,
      JSON.stringify([version, status, changed]),
    );
});
