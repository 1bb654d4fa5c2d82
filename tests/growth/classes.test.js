// Goal: what an object costs does not grow with the number of classes that it could name. Method:
// as many objects as classes, in doubling sizes.
import { test } from 'node:test';

import { withCheckedPriorities } from '../../js/src/cli/cluster/admission.js';
import { PriorityClasses, StorageClasses } from '../../js/src/kubernetes/default_classes.js';
import { withDefaults } from '../../js/src/kubernetes/defaults.js';
import { assertGrowsLittle } from './growth.js';

const SIZE = 4_000;

/** @param {number} size @param {string} kind */
const classesOf = (size, kind) =>
  Array.from({ length: size }, (_, at) => ({ kind, metadata: { name: `class-${at}` }, value: at }));

const POD = { kind: 'Pod', metadata: { name: 'p' }, spec: { containers: [] } };
const CLAIM = { kind: 'PersistentVolumeClaim', metadata: { name: 'c' }, spec: {} };

/** @type {Record<string, (size: number) => () => void>} work on one object, with so many classes */
const WORK = {
  'the priority of a pod that names a class is checked'(size) {
    const priorityClasses = new PriorityClasses(classesOf(size, 'PriorityClass'));
    const pod = { ...POD, spec: { ...POD.spec, priorityClassName: 'class-7', priority: 7 } };
    return () => void withCheckedPriorities([pod], { priorityClasses });
  },
  'a pod that names no class is completed'(size) {
    const priorityClasses = new PriorityClasses(classesOf(size, 'PriorityClass'));
    return () => void withDefaults(POD, { priorityClasses });
  },
  'a claim that names no class is completed'(size) {
    const storageClasses = new StorageClasses(classesOf(size, 'StorageClass'));
    return () => void withDefaults(CLAIM, { storageClasses });
  },
};

for (const [name, workWith] of Object.entries(WORK)) {
  test(name, () =>
    assertGrowsLittle((size) => {
      const work = workWith(size);
      return () => {
        for (let count = 0; count < size; count += 1) work();
      };
    }, SIZE),
  );
}
