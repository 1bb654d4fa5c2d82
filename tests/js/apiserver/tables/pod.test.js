import assert from 'node:assert/strict';
import { test } from 'node:test';

import { CREATED, meta, row, some } from '../../support/table_rows.js';

/** @param {object} state @param {object} [more] */
const container = (state, more) => ({ name: 'c', restartCount: 0, ready: false, state, ...more });

const running = container({ running: {} }, { ready: true });
const done = container({ terminated: { exitCode: 0, reason: 'Completed' } });
const ready = [{ type: 'Ready', status: 'True' }];
const STATUSES = [
  { name: 'pending', status: { phase: 'Pending' }, want: ['0/1', 'Pending'] },
  {
    name: 'gated',
    status: {
      phase: 'Pending',
      conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }],
    },
    want: ['0/1', 'SchedulingGated'],
  },
  {
    name: 'running',
    status: { phase: 'Running', containerStatuses: [running] },
    want: ['1/1', 'Running'],
  },
  {
    name: 'done',
    status: { phase: 'Succeeded', containerStatuses: [done] },
    want: ['0/1', 'Completed'],
  },
  {
    name: 'one done, one running, ready',
    status: { phase: 'Running', conditions: ready, containerStatuses: [done, running] },
    want: ['1/1', 'Running'],
  },
  {
    name: 'one done, one running, not ready',
    status: { phase: 'Running', containerStatuses: [done, running] },
    want: ['1/1', 'NotReady'],
  },
  {
    name: 'waiting',
    status: {
      phase: 'Pending',
      containerStatuses: [container({ waiting: { reason: 'ContainerCreating' } })],
    },
    want: ['0/1', 'ContainerCreating'],
  },
  {
    name: 'the first one that waits counts',
    status: {
      phase: 'Running',
      containerStatuses: [container({ waiting: { reason: 'CrashLoopBackOff' } }), done],
    },
    want: ['0/1', 'CrashLoopBackOff'],
  },
  {
    name: 'exit code',
    status: { phase: 'Failed', containerStatuses: [container({ terminated: { exitCode: 3 } })] },
    want: ['0/1', 'ExitCode:3'],
  },
  {
    name: 'signal',
    status: {
      phase: 'Failed',
      containerStatuses: [container({ terminated: { exitCode: 137, signal: 9 } })],
    },
    want: ['0/1', 'Signal:9'],
  },
  { name: 'evicted', status: { phase: 'Failed', reason: 'Evicted' }, want: ['0/1', 'Evicted'] },
  {
    name: 'terminating',
    metadata: meta({ deletionTimestamp: CREATED }),
    status: { phase: 'Running', containerStatuses: [running] },
    want: ['1/1', 'Terminating'],
  },
  {
    name: 'done, and deleted',
    metadata: meta({ deletionTimestamp: CREATED }),
    status: { phase: 'Succeeded', containerStatuses: [done] },
    want: ['0/1', 'Completed'],
  },
  {
    name: 'node lost',
    metadata: meta({ deletionTimestamp: CREATED }),
    status: { phase: 'Running', reason: 'NodeLost' },
    want: ['0/1', 'Unknown'],
  },
];

test('a pod’s status summarizes its containers', () => {
  for (const { name, metadata = meta(), status, want } of STATUSES) {
    const cells = row('Pod', { metadata, spec: { containers: [{ name: 'c' }] }, status });
    assert.deepEqual(some(cells, 'Ready', 'Status'), want, name);
  }
});

test('init containers come first, sidecars stay', () => {
  const spec = {
    containers: [{ name: 'c' }],
    initContainers: [{ name: 'one' }, { name: 'side', restartPolicy: 'Always' }, { name: 'two' }],
  };
  const init = (
    /** @type {string} */ name,
    /** @type {object} */ state,
    /** @type {object} */ more,
  ) => container(state, { name, ...more });
  const done = init('one', { terminated: { exitCode: 0 } }, {});
  const side = init('side', { running: {} }, { started: true, ready: true, restartCount: 2 });
  const cases = [
    {
      name: 'the first runs',
      of: [init('one', { running: {} }, {})],
      want: ['0/2', 'Init:0/3', '0'],
    },
    {
      name: 'the third waits',
      of: [done, side, init('two', { waiting: { reason: 'PodInitializing' } }, {})],
      want: ['1/2', 'Init:2/3', '2'],
    },
    {
      name: 'one fails',
      of: [init('one', { terminated: { exitCode: 1, reason: 'Error' } }, { restartCount: 3 })],
      want: ['0/2', 'Init:Error', '3'],
    },
    {
      name: 'one fails without a reason',
      of: [init('one', { terminated: { exitCode: 1 } }, {})],
      want: ['0/2', 'Init:ExitCode:1', '0'],
    },
    {
      name: 'one cannot start',
      of: [init('one', { waiting: { reason: 'ErrImagePull' } }, {})],
      want: ['0/2', 'Init:ErrImagePull', '0'],
    },
    {
      name: 'all are done, and the restarts of those that stay count',
      of: [{ ...done, restartCount: 9 }, side, { ...done, name: 'two' }],
      want: ['2/2', 'Running', '2'],
    },
  ];
  for (const { name, of, want } of cases) {
    const running = container({ running: {} }, { ready: true });
    const isDone = want[1] === 'Running';
    const status = {
      phase: isDone ? 'Running' : 'Pending',
      initContainerStatuses: of,
      containerStatuses: isDone ? [running] : [],
    };
    assert.deepEqual(some(row('Pod', { spec, status }), 'Ready', 'Status', 'Restarts'), want, name);
  }
});

test('restarts say when the last one was; wide columns say where the pod is', () => {
  const restarted = container(
    { running: {} },
    {
      ready: true,
      restartCount: 4,
      lastState: { terminated: { finishedAt: '2026-01-02T11:59:00Z' } },
    },
  );
  const cells = row('Pod', {
    spec: {
      nodeName: 'n1',
      containers: [{ name: 'c' }],
      readinessGates: [{ conditionType: 'a' }, { conditionType: 'b' }],
    },
    status: {
      phase: 'Running',
      podIPs: [{ ip: '10.0.0.1' }, { ip: 'fd00::1' }],
      nominatedNodeName: 'n2',
      conditions: [{ type: 'a', status: 'True' }],
      containerStatuses: [restarted],
    },
  });
  assert.equal(cells.Restarts, '4 (60s ago)');
  const wide = some(cells, 'IP', 'Node', 'Nominated Node', 'Readiness Gates');
  assert.deepEqual(wide, ['10.0.0.1', 'n1', 'n2', '1/2']);
  const none = some(row('Pod', {}), 'IP', 'Node', 'Nominated Node', 'Readiness Gates');
  assert.deepEqual(none, ['<none>', '<none>', '<none>', '<none>']);
});
