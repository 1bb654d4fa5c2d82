// Goal: marks and commands do what js/README.md says, and bad order and bad data end as its table
// has them. Method: batches of objects; what they leave behind. The core's part is in
// tests/core/scheduler/bad_input_test.cc.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeNode, makePod, storedPod } from '../support/objects.js';
import { TARGETS } from '../support/real_engine.js';

const placed = (name, nodeName, uid = `u-${name}`) =>
  storedPod(name, { metadata: { uid }, spec: { nodeName, schedulerName: 'default-scheduler' } });
const unplaced = (name, uid) => placed(name, undefined, uid);
const unreadable = { ...makeNode('b'), status: { allocatable: { cpu: 'much' } } };
const changed = (type, object) => ({ type, object });
const completion = (fields) => ({ type: 'COMPLETION', ...fields });

/** @type {{ name: string, items: any[], nodes?: any, ghosts?: any, queued?: string[],
 *   ignored?: number, errors?: string[] }[]} */
const CASES = [
  {
    name: 'an object that a list lacks is removed, from the queue too',
    items: [
      ...[makeNode('a'), makeNode('b'), placed('p', 'a'), unplaced('q'), unplaced('r')],
      { type: 'SYNC_BEGIN', resource: 'nodes' },
      { type: 'SYNC_BEGIN', resource: 'pods' },
      ...[makeNode('a'), unplaced('r')],
      { type: 'SYNC_END', resource: 'nodes', resourceVersion: '8' },
      { type: 'SYNC_END', resource: 'pods', resourceVersion: '9' },
    ],
    nodes: { a: [] },
    queued: ['default/r'],
  },
  {
    name: 'a listed object that cannot be decoded keeps its old state',
    items: [
      ...[makeNode('a'), makeNode('b'), { type: 'SYNC_BEGIN', resource: 'nodes' }],
      ...[makeNode('a'), unreadable, { type: 'SYNC_END', resource: 'nodes' }],
    ],
    nodes: { a: [], b: [] },
    errors: ['status.allocatable[cpu]'],
  },
  {
    name: 'an item that cannot be read is lost alone',
    items: [makeNode('b'), unreadable, makeNode('a')],
    nodes: { a: [], b: [] },
    errors: ['status.allocatable[cpu]'],
  },
  {
    name: 'changes of what is not known',
    items: [
      changed('DELETED', makeNode('b')),
      changed('DELETED', unplaced('q')),
      changed('MODIFIED', makeNode('a')),
      changed('MODIFIED', placed('p', 'a')),
    ],
    nodes: { a: ['default/p'] },
  },
  {
    name: 'a pod on a node that never comes',
    items: [makeNode('a'), placed('p', 'nowhere')],
    nodes: { a: [] },
    ghosts: { nowhere: ['default/p'] },
  },
  {
    name: 'another uid under the name',
    items: [makeNode('a'), placed('p', 'a', 'first'), unplaced('p', 'second')],
    nodes: { a: [] },
    queued: ['default/p'],
  },
  {
    name: 'a bound pod neither moves nor comes off',
    items: [
      ...['a', 'b'].map((name) => makeNode(name)),
      placed('p', 'a', 'u'),
      placed('p', 'b', 'u'),
    ],
    nodes: { a: ['default/p'], b: [] },
    errors: ['spec.nodeName'],
  },
  {
    name: 'two pods of one uid',
    items: [unplaced('p', 'u'), unplaced('q', 'u')],
    queued: ['default/p'],
    errors: ['metadata.uid'],
  },
  {
    name: 'an object under another kind is another one',
    items: [makeNode('p'), changed('MODIFIED', unplaced('p'))],
    nodes: { p: [] },
    queued: ['default/p'],
  },
  {
    name: 'commands for unknown pods',
    items: [
      completion({ call: 99, status: 200 }),
      completion({ call: 99, error: 'timeout', message: 'late' }),
      { type: 'ALLOW_WAITING_POD', uid: 'u', plugin: 'P' },
      { type: 'REJECT_WAITING_POD', uid: 'u', plugin: 'P', message: 'no' },
      { type: 'ACTIVATE', pods: ['default/missing'] },
      { type: 'SCHEDULE_ONE', pod: 'default/missing' },
    ],
    ignored: 4,
    errors: ['pod'],
  },
];

for (const [target, startEngine] of Object.entries(TARGETS)) {
  const { engine } = await startEngine();

  for (const { name, items, ...want } of CASES) {
    test(`${target}: ${name}`, () => {
      const scheduler = engine.createScheduler();
      const errors = [];
      const { ignored } = scheduler.apply(items, { onError: ({ field }) => errors.push(field) });
      const { cache, queues } = scheduler.inspect({ cache: true });
      assert.deepEqual(errors, want.errors ?? []);
      assert.equal(ignored, want.ignored ?? 0);
      assert.deepEqual(cache.nodes, want.nodes ?? {});
      assert.deepEqual(cache.ghostNodes, want.ghosts ?? {});
      assert.deepEqual(queues.active, want.queued ?? []);
      scheduler.dispose();
    });
  }

  test(`${target}: nothing is scheduled before the first lists are complete`, async () => {
    const scheduler = engine.createScheduler();
    const pods = [makePod('p'), makePod('q')];
    scheduler.apply([makeNode('a'), { type: 'SYNC_BEGIN', resource: 'pods' }, ...pods]);
    assert.deepEqual(await scheduler.schedule(), []);
    scheduler.apply({ type: 'SCHEDULE_ONE', pod: 'default/q' });
    const [asked] = await scheduler.schedule();
    assert.equal(asked.pod, 'default/q');
    const { resourceVersion } = scheduler.apply([
      ...[makePod('p'), { ...makePod('q'), spec: { ...makePod('q').spec, nodeName: 'a' } }],
      { type: 'SYNC_END', resource: 'pods', resourceVersion: '12' },
    ]);
    assert.equal(resourceVersion, '12');
    const [waited] = await scheduler.schedule();
    assert.equal(waited.pod, 'default/p');
    scheduler.dispose();
  });

  test(`${target}: bookmarks and errors of a watch are in the result`, () => {
    const scheduler = engine.createScheduler();
    const object = { apiVersion: 'v1', kind: 'Pod', metadata: { resourceVersion: '41' } };
    assert.equal(scheduler.apply(changed('BOOKMARK', object)).resourceVersion, '41');
    const status = { kind: 'Status', code: 410, reason: 'Expired' };
    assert.deepEqual(scheduler.apply(changed('ERROR', status)).status, status);
    scheduler.dispose();
  });

  test(`${target}: a pod that is activated does not wait for its backoff`, async () => {
    const scheduler = engine.createScheduler();
    scheduler.apply([makeNode('a', { cpu: '1' }), makePod('big', { cpu: '9' })]);
    await scheduler.schedule();
    scheduler.apply({ type: 'ACTIVATE', pods: ['default/big'] });
    assert.equal((await scheduler.schedule()).length, 1);
    scheduler.dispose();
  });
}
