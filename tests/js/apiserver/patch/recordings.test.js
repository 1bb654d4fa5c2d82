/**
 * Compares patches of a real API server v1.36 with the objects and managedFields that it stored.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { deepFreeze } from '../../../../js/apiserver/frozen.js';
import { withManagedFields } from '../../../../js/apiserver/managed_fields/field_manager.js';
import { applyPatch } from '../../../../js/apiserver/patch/patch.js';

const POD = { apiVersion: 'v1', kind: 'Pod' };
const NODE = { apiVersion: 'v1', kind: 'Node' };
const EVENT = { apiVersion: 'events.k8s.io/v1', kind: 'Event' };

/** @param {string} name */
function read(name) {
  return readFileSync(new URL(`../../recordings/${name}`, import.meta.url), 'utf8');
}

/** @param {string} name */
const exchange = (name) => JSON.parse(read(`apiserver-v1.36/${name}.json`));

/**
 * Returns a watch's events, in order.
 * @param {string} name
 * @returns {{ type: string, object: any }[]}
 */
const events = (name) =>
  exchange(name).frames.map((/** @type {any} */ { frame }) =>
    typeof frame === 'string' ? JSON.parse(frame) : frame,
  );

/** @param {any} object */
function bare({ metadata: { managedFields: _, ...metadata }, ...rest }) {
  return { ...rest, metadata };
}

/**
 * Returns the state of an object before a recorded one.
 * @param {string} watch @param {any} after
 */
function before(watch, after) {
  const { name, resourceVersion } = after.metadata;
  const states = events(watch).map(({ object }) => object);
  const own = states.filter(({ metadata }) => metadata.name === name);
  const at = own.findIndex(({ metadata }) => metadata.resourceVersion === resourceVersion);
  assert.ok(at > 0, `${name} ${resourceVersion} and its state before`);
  return own[at - 1];
}

test('recorded patches make the recorded objects, managedFields included', () => {
  const cases = [
    { name: 'patch-node-cordon', watch: 'watch-nodes', resource: NODE },
    { name: 'patch-node-taint', watch: 'watch-nodes', resource: NODE },
    { name: 'patch-node-untaint', watch: 'watch-nodes', resource: NODE },
    { name: 'patch-remove-gate', watch: 'watch-pods', resource: POD },
    {
      name: 'patch-pod-status-condition',
      watch: 'watch-pods',
      resource: POD,
      subresource: 'status',
    },
    { name: 'patch-pod-nominated', watch: 'watch-pods', resource: POD, subresource: 'status' },
  ];
  for (const { name, watch, resource, subresource } of cases) {
    const { request, response } = exchange(name);
    const want = response.body;
    const current = deepFreeze(before(watch, want));
    const newest = want.metadata.managedFields.at(-1);
    const now = Date.parse(newest.time);
    const { contentType, body: patch } = request;
    const object = applyPatch({ contentType, patch, current, resource, subresource, now });
    const got = withManagedFields({
      live: current,
      object,
      resource,
      subresource,
      fieldManager: 'node',
      now,
    });
    // The strategies increment these.
    const { resourceVersion, generation } = want.metadata;
    Object.assign(got.metadata, { resourceVersion, ...(generation && { generation }) });
    assert.deepEqual(got, want, name);
  }
});

test('every recorded change of pods and nodes has the recorded owners, to the byte', () => {
  let count = 0;
  for (const [watch, resource] of /** @type {const} */ ([
    ['watch-nodes', NODE],
    ['watch-pods', POD],
  ])) {
    const states = new Map();
    for (const { type, object } of events(watch)) {
      const { name, managedFields = [] } = object.metadata;
      const live = states.get(name) ?? null;
      states.set(name, object);
      if (type !== 'ADDED' && type !== 'MODIFIED') continue;
      const old = (live?.metadata.managedFields ?? []).map((/** @type {any} */ entry) =>
        JSON.stringify(entry),
      );
      const changed = managedFields.filter(
        (/** @type {any} */ entry) => !old.includes(JSON.stringify(entry)),
      );
      // Bindings have no field manager.
      if (changed.length === 0) continue;
      const newest = changed.reduce((/** @type {any} */ a, /** @type {any} */ b) =>
        a.time > b.time ? a : b,
      );
      const got = withManagedFields({
        live,
        object: live ? bare(object) : withoutAdmission(bare(object)),
        resource,
        subresource: newest.subresource,
        fieldManager: newest.manager,
        now: Date.parse(newest.time),
      });
      assert.equal(JSON.stringify(got.metadata.managedFields), JSON.stringify(managedFields), name);
      count += 1;
    }
  }
  assert.equal(count, 106);
});

/**
 * Removes the fields that admission and the strategies add after the managers are written.
 * @param {any} object
 */
function withoutAdmission({
  spec: { tolerations, priority, preemptionPolicy, taints, ...spec },
  ...rest
}) {
  assert.ok(tolerations || taints);
  return { ...rest, spec };
}

test('recorded creations have the recorded owners', () => {
  for (const [name, resource] of /** @type {const} */ ([
    ['create-pod', POD],
    ['create-node', NODE],
    ['create-event', EVENT],
  ])) {
    const { body } = exchange(name).response;
    const object = bare(body);
    const [{ manager, time }] = body.metadata.managedFields;
    const got = withManagedFields({
      live: null,
      object: resource === EVENT ? object : withoutAdmission(object),
      resource,
      fieldManager: manager,
      now: Date.parse(time),
    });
    assert.deepEqual(got.metadata.managedFields, body.metadata.managedFields, name);
  }
});

test('objects contain kube-scheduler’s patches', () => {
  const lines = read('kube-scheduler-v1.36/requests.ndjson').trim().split('\n');
  const patches = lines.map((line) => JSON.parse(line)).filter(({ method }) => method === 'PATCH');
  assert.equal(patches.length, 8);
  for (const { contentType, body, response, path } of patches) {
    const options = { contentType, patch: body, resource: POD, subresource: 'status', now: 0 };
    const same = applyPatch({ ...options, current: deepFreeze(response) });
    assert.deepEqual(withoutProbeTimes(same), withoutProbeTimes(response), path);
    const { conditions = [] } = body.status;
    const types = conditions.map((/** @type {any} */ { type }) => type);
    const others = (response.status.conditions ?? []).filter(
      (/** @type {any} */ { type }) => !types.includes(type),
    );
    const earlier = { ...response, status: { ...response.status, conditions: others } };
    const got = applyPatch({ ...options, current: deepFreeze(earlier) });
    assert.deepEqual(withoutProbeTimes(got), withoutProbeTimes(response), path);
  }
});

/** Decoding writes these zero times, which a patch cannot set to null. @param {any} pod */
function withoutProbeTimes({ status, ...pod }) {
  const conditions = (status.conditions ?? []).map(
    (/** @type {any} */ { lastProbeTime: _, ...condition }) => condition,
  );
  return { ...pod, status: { ...status, conditions } };
}
