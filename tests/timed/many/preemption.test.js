// Goal: preemption works with any number of victims, evictions under way and pods in Permit.
// Method: each on the WebAssembly module, within limits of time, memory and stack.
import assert from 'node:assert/strict';

import { node, pod, settle, Tally, testMany, times } from './many.js';

const VICTIMS = 5000;

/** @param {number} index */
const victim = (index) => pod(`victim-${index}`, { spec: { nodeName: 'a', priority: 1 } });
const preemptor = () => pod('preemptor', { cpu: String(VICTIMS), spec: { priority: 1000 } });

testMany(`${VICTIMS} victims on one node, evicted at once`, { ms: 2000, mib: 64 }, (engine) => {
  const scheduler = engine.createScheduler();
  scheduler.apply([
    node('a', { allocatable: { cpu: String(VICTIMS) } }),
    ...times(VICTIMS, victim),
  ]);
  scheduler.apply(preemptor());
  const decisions = settle(scheduler).filter(({ kind }) => kind === 'Decision');
  assert.equal(decisions[0].preemption.victims.length, VICTIMS);
  assert.deepEqual([decisions.at(-1).result, decisions.at(-1).node], ['scheduled', 'a']);
  assert.equal(scheduler.inspect().cache.pods, 1);
});

testMany(`${VICTIMS} victims, evicted by the host`, { ms: 3000, mib: 64 }, (engine) => {
  const scheduler = engine.createScheduler({ api: 'host' });
  scheduler.apply([
    node('a', { allocatable: { cpu: String(VICTIMS) } }),
    ...times(VICTIMS, victim),
  ]);
  scheduler.apply(preemptor());
  const deleted = new Set();
  const records = settle(scheduler, (call) => {
    if (call.verb === 'delete') {
      const index = Number(call.path.split('-').at(-1));
      deleted.add(index);
      scheduler.apply({ type: 'DELETED', object: victim(index) });
    }
    scheduler.complete(call.id, { status: call.verb === 'create' ? 201 : 200, body: '{}' });
  });
  assert.equal(deleted.size, VICTIMS);
  const { counts } = new Tally().add(records);
  assert.deepEqual([counts.scheduled, counts.bound], [1, 1]);
});

/** A preemptor evicts 16 pods at once, and its last victim after them. */
const PREEMPTORS = 700;
const VICTIMS_OF_ONE = 17;
const UNDER_WAY = PREEMPTORS * (VICTIMS_OF_ONE - 1);

testMany(`${UNDER_WAY} evictions under way`, { ms: 12_000, mib: 256 }, (engine) => {
  const scheduler = engine.createScheduler({ api: 'host' });
  const allocatable = { cpu: String(VICTIMS_OF_ONE) };
  const low = (/** @type {number} */ index) =>
    pod(`low-${index}`, { spec: { nodeName: `node-${index % PREEMPTORS}`, priority: 1 } });
  const high = (/** @type {number} */ index) =>
    pod(`high-${index}`, { ...allocatable, spec: onlyOn(`node-${index}`) });
  scheduler.apply(times(PREEMPTORS, (index) => node(`node-${index}`, { allocatable })));
  scheduler.apply(times(PREEMPTORS * VICTIMS_OF_ONE, low));
  scheduler.apply(times(PREEMPTORS, high));
  /** @type {any[]} */
  const calls = [];
  settle(scheduler, (call) => calls.push(call));
  assert.equal(calls.filter(({ path }) => path.includes('/low-')).length, UNDER_WAY);
  const answer = (/** @type {any} */ { id, verb, path }) => {
    if (verb === 'delete')
      scheduler.apply({ type: 'DELETED', object: low(Number(path.split('-').at(-1))) });
    scheduler.complete(id, { status: verb === 'create' ? 201 : 200, body: '{}' });
  };
  calls.forEach(answer);
  assert.equal(new Tally().add(settle(scheduler, answer)).counts.bound, PREEMPTORS);
});

/** The spec of a pod that prefers one node. @param {string} name */
function onlyOn(name) {
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: [name] }];
  return {
    priority: 1000,
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields }] },
      },
    },
  };
}
