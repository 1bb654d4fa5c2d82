// Goal: preemption works whatever the number of victims, evictions under way and pods in Permit.
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
  assert.deepEqual(
    decisions.map(({ result, node: chosen }) => [result, chosen]),
    [
      ['unschedulable', null],
      ['scheduled', 'a'],
    ],
  );
  assert.equal(decisions[0].preemption.victims.length, VICTIMS);
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

const NODES = 10_000;

testMany(`${NODES} evictions under way`, { ms: 15_000, mib: 256 }, (engine) => {
  const scheduler = engine.createScheduler({ api: 'host' });
  const bound = (/** @type {number} */ index) =>
    pod(`low-${index}`, { spec: { nodeName: `node-${index}`, priority: 1 } });
  scheduler.apply(times(NODES, (index) => node(`node-${index}`, { allocatable: { cpu: '1' } })));
  scheduler.apply(times(NODES, bound));
  scheduler.apply(times(NODES, (index) => pod(`high-${index}`, { spec: { priority: 1000 } })));
  /** @type {any[]} */
  const waiting = [];
  settle(scheduler, (call) => waiting.push(call));
  assert.equal(
    waiting.filter(({ verb, path }) => verb === 'patch' && path.includes('low')).length,
    NODES,
  );
  const tally = new Tally();
  const answer = (/** @type {any} */ call) => {
    if (call.verb === 'delete') {
      const index = Number(call.path.split('-').at(-1));
      scheduler.apply({ type: 'DELETED', object: bound(index) });
    }
    scheduler.complete(call.id, { status: call.verb === 'create' ? 201 : 200, body: '{}' });
  };
  waiting.forEach(answer);
  tally.add(settle(scheduler, answer));
  assert.equal(tally.counts.bound, NODES);
});
