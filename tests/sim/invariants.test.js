/** That what must hold can fail: engines that do, or say, something else than the real one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { loadTarget } from '../support/targets.js';
import { Planner } from './world_plan.js';
import { WorldRun } from './world_run.js';

/** @typedef {import('../support/raw_engine.js').RawScheduler} RawScheduler */

/**
 * What is changed on the way to an engine or back; `lines` and `text` are JSON lines.
 *
 * @typedef {object} Slip
 * @property {string} breaks  the invariant
 * @property {(line: any) => any} [told]  null: the line is lost
 * @property {(record: any) => any[]} [says]  instead of a record of a turn
 * @property {(inspection: any) => void} [shows]
 * @property {(evaluation: any) => void} [answers]
 * @property {(maxCycles: number) => number} [cycles]
 */

const SEEDS = 30;
const EVENTS = 150;
const encoder = new TextEncoder();
const decoder = new TextDecoder();
const native = await loadTarget('native');

/** @param {string} text @param {(value: any) => any[]} change */
function mapLines(text, change) {
  return text
    .trimEnd()
    .split('\n')
    .flatMap((line) => (line === '' ? [] : change(JSON.parse(line))))
    .map((value) => `${JSON.stringify(value)}\n`)
    .join('');
}

/** The bytes of a turn with other records; what a call carries stays behind it. */
function otherRecords(/** @type {Uint8Array} */ bytes, /** @type {(record: any) => any[]} */ says) {
  /** @type {string[]} */
  const texts = [];
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(10, at);
    const record = JSON.parse(decoder.decode(bytes.subarray(at, end)));
    const next = end + 1 + (record.bodyBytes ?? 0);
    const body = decoder.decode(bytes.subarray(end + 1, next));
    for (const one of says(record)) texts.push(`${JSON.stringify(one)}\n${body}`);
    at = next;
  }
  return encoder.encode(texts.join(''));
}

/** @param {Slip} slip */
function disguised({ told, says, shows, answers, cycles = (count) => count }) {
  return (/** @type {RawScheduler} */ engine) => ({
    dispose: () => engine.dispose(),
    applyText(/** @type {Uint8Array} */ bytes, /** @type {number} */ nowUs) {
      if (!told) return engine.applyText(bytes, nowUs);
      const text = mapLines(decoder.decode(bytes), (line) => told(line) ?? []);
      return engine.applyText(encoder.encode(text), nowUs);
    },
    runBytes(/** @type {number} */ nowUs, /** @type {number} */ maxCycles) {
      const bytes = engine.runBytes(nowUs, cycles(maxCycles));
      return says ? otherRecords(bytes, says) : bytes;
    },
    inspectText(/** @type {object} */ query) {
      const inspection = JSON.parse(engine.inspectText(query));
      shows?.(inspection);
      return JSON.stringify(inspection);
    },
    evaluateText(/** @type {any[]} */ ...question) {
      const evaluation = JSON.parse(
        engine.evaluateText(.../** @type {[any, any, any]} */ (question)),
      );
      answers?.(evaluation);
      return JSON.stringify(evaluation);
    },
  });
}

/**
 * The first time only.
 * @param {(value: any) => boolean} isMeant @returns {(value: any) => boolean}
 */
function once(isMeant) {
  let isDone = false;
  return (value) => {
    const isNow = !isDone && isMeant(value);
    isDone ||= isNow;
    return isNow;
  };
}

/** @param {any} line */
const isConfirmation = ({ type, object }) =>
  type === 'MODIFIED' && object.kind === 'Pod' && Boolean(object.spec.nodeName);

/** @param {any} record */
const isBinding = ({ kind, verb }) => kind === 'Call' && verb === 'bind';

/** New ones for each run. @type {Record<string, () => Slip>} */
const SLIPS = {
  'confirms a pod on the wrong node': () => {
    const isMeant = once(isConfirmation);
    const elsewhere = (/** @type {any} */ object) => ({
      ...object,
      spec: { ...object.spec, nodeName: 'elsewhere' },
    });
    return {
      breaks: 'cache',
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
  'nominates nobody': () => ({
    breaks: 'nominated pods exist',
    shows({ nominated }) {
      nominated.push({ pod: 'default/nobody', node: 'n1' });
    },
  }),
  'never schedules': () => ({ breaks: 'comes to rest', cycles: () => 0 }),
  'leaves pods that fit': () => ({
    breaks: 'schedulable pods are bound',
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

/**
 * @param {number} seed @param {Slip} [slip]
 * @returns {{invariant?: string, message?: string} | null}
 */
function failureOf(seed, slip) {
  const plan = new Planner(seed).plan(EVENTS);
  const disguise = slip && disguised(slip);
  try {
    new WorldRun([native], { seed, plan, disguise }).play();
    return null;
  } catch (error) {
    return /** @type {any} */ (error);
  }
}

for (const [name, makeSlip] of Object.entries(SLIPS)) {
  test(`finds an engine that ${name}`, () => {
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const slip = makeSlip();
      const failure = failureOf(seed, slip);
      if (!failure) continue;
      assert.equal(failure.invariant, slip.breaks, String(failure.message));
      assert.equal(failureOf(seed), null);
      return;
    }
    assert.fail(`not in ${SEEDS} seeds`);
  });
}

test('finds targets that do not say the same', () => {
  const isMeant = once(({ kind }) => kind === 'Decision');
  const says = (/** @type {any} */ record) => [
    isMeant(record) ? { ...record, attempts: record.attempts + 1 } : record,
  ];
  const disguise = disguised({ breaks: 'targets agree', says });
  const run = (/** @type {any} */ given) =>
    new WorldRun([native, native], { seed: 1, plan: new Planner(1).plan(EVENTS), ...given }).play();
  run({});
  assert.throws(() => run({ disguise }), { invariant: 'targets agree' });
});
