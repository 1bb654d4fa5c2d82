// Goal: the default class is that of the classes as they are now. Method: the default after each
// change, looked up twice.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { PriorityClasses, StorageClasses } from '../../../js/src/kubernetes/default_classes.js';

const MARK = { 'storageclass.kubernetes.io/is-default-class': 'true' };

const KINDS = {
  PriorityClasses: {
    classes: new PriorityClasses(),
    made: (/** @type {string} */ name, isDefault = true) => ({
      metadata: { name },
      value: name.length,
      globalDefault: isDefault,
    }),
  },
  StorageClasses: {
    classes: new StorageClasses(),
    made: (/** @type {string} */ name, isDefault = true) => ({
      metadata: { name, annotations: isDefault ? MARK : {} },
    }),
  },
};

for (const [kind, { classes, made }] of Object.entries(KINDS)) {
  test(`${kind}: the default follows the changes`, () => {
    const expectDefault = (/** @type {string | undefined} */ name) => {
      assert.equal(classes.globalDefault()?.metadata.name, name);
      assert.equal(classes.globalDefault()?.metadata.name, name);
    };
    expectDefault(undefined);
    classes.change(made('bb'), 'set');
    expectDefault('bb');
    classes.change(made('a'), 'set');
    expectDefault('a');
    classes.change(made('a', false), 'set');
    expectDefault('bb');
    classes.change(made('bb'), 'delete');
    expectDefault(undefined);
  });
}

test('classes that are kept by name already are not copied', () => {
  const classes = new PriorityClasses([]);
  assert.equal(PriorityClasses.of(classes), classes);
  assert.equal(
    PriorityClasses.of([...classes, { metadata: { name: 'a' } }]).get('a').value,
    undefined,
  );
});
