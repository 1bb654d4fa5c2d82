/**
 * Properties that hold after any sequence of creating, updating and applying by several managers.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import fc from 'fast-check';

import { deepFreeze } from '../../../../js/apiserver/frozen.js';
import {
  applyConfiguration,
  withManagedFields,
} from '../../../../js/apiserver/managed_fields/field_manager.js';
import { difference, isEmpty } from '../../../../js/apiserver/managed_fields/field_set.js';
import { fieldSetOf } from '../../../../js/apiserver/managed_fields/typed_values.js';
import { shapeOf } from '../../../../js/apiserver/schema/types.js';

const POD = { apiVersion: 'v1', kind: 'Pod' };
const SHAPE = shapeOf('v1', 'Pod');
const RUNS = { seed: 5, numRuns: 150 };

const value = fc.constantFrom('1', '2', '3');
const container = fc.record(
  {
    name: fc.constantFrom('a', 'b', 'c'),
    image: value,
    args: fc.array(value, { maxLength: 2 }),
    ports: fc.uniqueArray(fc.record({ containerPort: fc.constantFrom(80, 443) }), {
      selector: ({ containerPort }) => containerPort,
      minLength: 1,
    }),
  },
  { requiredKeys: ['name'] },
);
const pod = fc
  .record(
    {
      labels: fc.dictionary(fc.constantFrom('x', 'y', 'z'), value, { minKeys: 1 }),
      finalizers: fc.uniqueArray(value, { minLength: 1 }),
      nodeSelector: fc.dictionary(fc.constantFrom('m', 'n'), value, { maxKeys: 2 }),
      containers: fc.uniqueArray(container, { selector: ({ name }) => name, minLength: 1 }),
    },
    // Empty lists and maps have no owner, so each gets an element.
    { requiredKeys: ['containers'] },
  )
  .map(({ labels, finalizers, ...spec }) => ({
    ...POD,
    metadata: { name: 'p', ...(labels && { labels }), ...(finalizers && { finalizers }) },
    spec,
  }))
  // Plain objects, with the usual prototype.
  .map((object) => JSON.parse(JSON.stringify(object)));
const step = fc.record({
  verb: fc.constantFrom('update', 'apply'),
  fieldManager: fc.constantFrom('one', 'two', 'three'),
  object: pod,
});

/** @param {any} live @param {any} step @param {number} now */
function take(live, { verb, fieldManager, object }, now) {
  const options = { resource: POD, fieldManager, now };
  if (verb === 'apply') {
    return applyConfiguration({ live, config: object, force: true, ...options });
  }
  return withManagedFields({ live, object, ...options });
}

/** Returns the fields of a set that an object lacks. @param {any} set @param {any} object */
const missing = (set, object) => difference(set, fieldSetOf(object, SHAPE));

test('managers own existing fields only, and applied fields belong to the applying manager', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 8 }), (steps) => {
      let live = null;
      for (const [at, each] of steps.entries()) {
        const next = deepFreeze(take(live, deepFreeze(each), at * 1000));
        for (const { fieldsV1, operation } of next.metadata.managedFields ?? []) {
          const gone = missing(fieldsV1, next);
          // An updating manager also owns the maps and lists that it created.
          if (operation === 'Apply') assert.deepEqual(gone, {}, JSON.stringify({ steps, at }));
        }
        if (each.verb === 'apply') {
          const wanted = fieldSetOf(each.object, SHAPE);
          assert.ok(isEmpty(missing(wanted, next)), JSON.stringify({ steps, at }));
          const again = take(next, each, at * 1000 + 500);
          assert.deepEqual(again, next, 'the same again changes nothing');
        }
        live = next;
      }
    }),
    RUNS,
  );
});

test('without force, an apply either takes nothing from others or is a conflict', () => {
  let conflicts = 0;
  fc.assert(
    fc.property(pod, pod, (first, second) => {
      const live = take(null, { verb: 'apply', fieldManager: 'one', object: first }, 0);
      const config = deepFreeze(second);
      const options = { resource: POD, fieldManager: 'two', force: false, now: 1000 };
      try {
        const next = applyConfiguration({ live: deepFreeze(live), config, ...options });
        const owner = (/** @type {any} */ object) =>
          (object.metadata.managedFields ?? []).find(
            (/** @type {any} */ { manager }) => manager === 'one',
          )?.fieldsV1;
        assert.deepEqual(owner(next), owner(live));
      } catch (/** @type {any} */ error) {
        assert.equal(error.status, 409, error.message);
        conflicts += 1;
      }
    }),
    RUNS,
  );
  assert.ok(conflicts > 10 && conflicts < RUNS.numRuns, `${conflicts} conflicts`);
});
