/** Proves that every invariant can fail, with engines that have a fault. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { disguised, gamesOf, native, once, testEngineFaults } from './faulty_engines.js';
import { Planner } from './world_plan.js';
import { WorldRun } from './world_run.js';

/** @typedef {import('./faulty_engines.js').EngineFault} EngineFault */

const EVENTS = 150;
const GAMES = gamesOf(EVENTS, 'pods');
const [{ seed }] = GAMES;

/** @param {any} line */
const isConfirmation = ({ type, object }) =>
  type === 'MODIFIED' && object.kind === 'Pod' && Boolean(object.spec.nodeName);

/** @param {any} record */
const isBinding = ({ kind, verb }) => kind === 'Call' && verb === 'bind';

/** New ones for each run. @type {Record<string, () => EngineFault>} */
const SLIPS = {
  'confirms a pod on the wrong node': () => {
    const isMeant = once(isConfirmation);
    const elsewhere = (/** @type {any} */ object) => ({
      ...object,
      spec: { ...object.spec, nodeName: 'elsewhere' },
    });
    return {
      breaks: 'cache',
      mayBreak: ['input is taken'],
      told: (line) => (isMeant(line) ? { ...line, object: elsewhere(line.object) } : line),
    };
  },
  'misses a pod': () => {
    const isMeant = once(({ type, object }) => type === 'ADDED' && object.kind === 'Pod');
    return { breaks: 'one place', told: (line) => (isMeant(line) ? null : line) };
  },
  'misses a confirmation': () => {
    const isMeant = once(isConfirmation);
    return { breaks: 'one place', told: (line) => (isMeant(line) ? null : line) };
  },
  'misses the answer to a call': () => {
    const isMeant = once(({ type }) => type === 'COMPLETION');
    return {
      breaks: 'every answer is taken',
      told: (line) => (isMeant(line) ? { ...line, call: 999_999 } : line),
    };
  },
  'takes nodes for larger than they are': () => ({
    breaks: 'node not over allocatable',
    mayBreak: ['incremental is rebuilt'],
    told(line) {
      if (line.object?.kind !== 'Node') return line;
      const allocatable = { cpu: '99', memory: '99Gi', pods: '99', 'ephemeral-storage': '99Gi' };
      return {
        ...line,
        object: { ...line.object, status: { ...line.object.status, allocatable } },
      };
    },
  }),
  'binds twice': () => {
    const isMeant = once(isBinding);
    return {
      breaks: 'bound once',
      says: (record) => (isMeant(record) ? [record, { ...record, id: 999_999 }] : [record]),
    };
  },
  'keeps the end of a binding to itself': () => {
    const isMeant = once(({ kind, result }) => kind === 'BindingResult' && result === 'bound');
    return {
      breaks: 'one result per binding',
      says: (record) => (isMeant(record) ? [] : [record]),
    };
  },
  'says that a binding failed which did not': () => {
    const isMeant = once(({ kind, result }) => kind === 'BindingResult' && result === 'bound');
    return {
      breaks: 'one place',
      mayBreak: ['inconsistencies'],
      says: (record) => [isMeant(record) ? { ...record, result: 'bindFailed' } : record],
    };
  },
  'contradicts itself': () => {
    const isMeant = once(({ kind }) => kind === 'Decision');
    const record = { kind: 'Inconsistency', operation: 'AddPod', object: 'default/p1' };
    return { breaks: 'inconsistencies', says: (one) => (isMeant(one) ? [one, record] : [one]) };
  },
  'has a pod in two queues': () => ({
    breaks: 'one place',
    shows({ queues: { active, unschedulable } }) {
      if (unschedulable.length > 0) active.push(unschedulable[0].pod);
    },
  }),
  'forgets a pod on a node': () => ({
    breaks: 'cache',
    shows({ cache }) {
      const full = Object.values(cache?.nodes ?? {}).find(
        (/** @type {any} */ pods) => pods.length > 1,
      );
      /** @type {any} */ (full)?.pop();
    },
  }),
  'nominates a missing pod': () => ({
    breaks: 'nominated pods exist',
    shows({ nominated }) {
      nominated.push({ pod: 'default/missing', node: 'n1' });
    },
  }),
  'never schedules': () => ({ breaks: 'comes to rest', cycles: () => 0 }),
  'leaves pods that fit': () => ({
    breaks: 'schedulable pods are bound',
    mayBreak: ['incremental is rebuilt'],
    answers(evaluation) {
      evaluation.result = 'scheduled';
    },
  }),
  'refuses a node that is feasible': () => ({
    breaks: 'incremental is rebuilt',
    answers({ feasible }) {
      feasible?.pop();
    },
  }),
};

testEngineFaults(SLIPS, GAMES);

test('targets with different output are found', () => {
  const isMeant = once(({ kind }) => kind === 'Decision');
  const says = (/** @type {any} */ record) => [
    isMeant(record) ? { ...record, attempts: record.attempts + 1 } : record,
  ];
  const disguise = disguised({ breaks: 'targets agree', says });
  const run = (/** @type {any} */ given) =>
    new WorldRun([native, native], { seed, plan: new Planner(seed).plan(EVENTS), ...given }).play();
  run({});
  assert.throws(() => run({ disguise }), { invariant: 'targets agree' });
});
