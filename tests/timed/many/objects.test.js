// Goal: any number of nodes may be added at once, and any number of pods may wait. Method: each on
// the WebAssembly module, within limits of time, memory and stack.
import assert from 'node:assert/strict';

import { node, pod, settle, Tally, testMany, times } from './many.js';

const NODES = 10_000;
const PODS = 100_000;

testMany(`${NODES} nodes come while 1,000 pods wait for them`, { ms: 3000, mib: 128 }, (engine) => {
  const scheduler = engine.createScheduler();
  scheduler.apply(times(1000, (index) => pod(`p-${index}`)));
  assert.deepEqual(new Tally().add(settle(scheduler)).counts, { unschedulable: 1000 });
  scheduler.apply(times(NODES, (index) => node(`node-${index}`)));
  assert.equal(scheduler.inspect().queues.unschedulable.length, 0);
});

testMany(`${PODS} pods in the active queue`, { ms: 6000, mib: 256 }, (engine) => {
  const scheduler = engine.createScheduler();
  scheduler.apply(times(100, (index) => node(`node-${index}`)));
  scheduler.apply(times(PODS, (index) => pod(`p-${index}`, { cpu: '1m' })));
  const { counts } = new Tally().add(settle(scheduler));
  assert.deepEqual(counts, { scheduled: PODS, bound: PODS });
});

testMany(
  `${PODS} unschedulable pods that a new node moves`,
  { ms: 12_000, mib: 384 },
  async (engine) => {
    const scheduler = engine.createScheduler();
    scheduler.apply(node('small', { allocatable: { cpu: '0' } }));
    scheduler.apply(times(PODS, (index) => pod(`p-${index}`)));
    assert.deepEqual(new Tally().add(settle(scheduler)).counts, { unschedulable: PODS });
    scheduler.apply(node('large', { allocatable: { cpu: String(PODS) } }));
    const decisions = await scheduler.schedule({ until: 60_000 });
    assert.equal(decisions.filter(({ result }) => result === 'scheduled').length, PODS);
  },
);

testMany(`${NODES} bindings under way`, { ms: 5000, mib: 128 }, (engine) => {
  const scheduler = engine.createScheduler({ api: 'host' });
  scheduler.apply(times(100, (index) => node(`node-${index}`)));
  scheduler.apply(times(NODES, (index) => pod(`p-${index}`)));
  /** @type {any[]} */
  const bindings = [];
  settle(scheduler, (call) => bindings.push(call));
  assert.equal(bindings.length, NODES);
  const answer = (/** @type {any} */ { id }) => scheduler.complete(id, { status: 201, body: '{}' });
  bindings.reverse().forEach(answer);
  assert.deepEqual(new Tally().add(settle(scheduler, answer)).counts, { bound: NODES });
});
