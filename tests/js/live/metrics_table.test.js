// Goal: the metrics are kube-scheduler's, by name, type, labels and buckets, and those that are not
// measured are named. Method: the table of v1.36 against what is there, and what the README lists.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { Durations } from '../../../js/src/live/scheduling_durations.js';
import { exponentialBuckets } from '../../../js/src/live/metric_families.js';
import { podResourceFamilies } from '../../../js/src/live/pod_resources.js';
import { systemClock } from '../../../js/src/runtimes/system_clock.js';
import { startWasm } from '../support/real_engine.js';

/**
 * Name, type, labels; of histograms where the buckets begin, what each is to the one before, and
 * how many there are. Source: pkg/scheduler/metrics, v1.36.
 * @type {[string, string, string[], number[]][]}
 */
const TABLE = [
  ['scheduler_schedule_attempts_total', 'counter', ['result', 'profile'], []],
  [
    'scheduler_scheduling_attempt_duration_seconds',
    'histogram',
    ['result', 'profile'],
    [0.001, 2, 15],
  ],
  ['scheduler_scheduling_algorithm_duration_seconds', 'histogram', [], [0.001, 2, 15]],
  ['scheduler_event_handling_duration_seconds', 'histogram', ['event'], [0.0001, 2, 12]],
  ['scheduler_preemption_victims', 'histogram', [], [1, 2, 7]],
  ['scheduler_preemption_attempts_total', 'counter', [], []],
  ['scheduler_pending_pods', 'gauge', ['queue'], []],
  ['scheduler_pod_scheduling_sli_duration_seconds', 'histogram', ['attempts'], [0.01, 2, 20]],
  ['scheduler_pod_scheduling_attempts', 'histogram', [], [1, 2, 5]],
  ['scheduler_pod_scheduled_after_flush_total', 'counter', [], []],
  [
    'scheduler_framework_extension_point_duration_seconds',
    'histogram',
    ['extension_point', 'status', 'profile'],
    [0.0001, 2, 12],
  ],
  [
    'scheduler_plugin_execution_duration_seconds',
    'histogram',
    ['plugin', 'extension_point', 'status'],
    [0.00001, 1.5, 20],
  ],
  ['scheduler_queue_incoming_pods_total', 'counter', ['queue', 'event'], []],
  ['scheduler_goroutines', 'gauge', ['operation'], []],
  ['scheduler_permit_wait_duration_seconds', 'histogram', ['result'], [0.001, 2, 15]],
  ['scheduler_cache_size', 'gauge', ['type'], []],
  ['scheduler_unschedulable_pods', 'gauge', ['plugin', 'profile'], []],
  ['scheduler_plugin_evaluation_total', 'counter', ['plugin', 'extension_point', 'profile'], []],
  ['scheduler_batch_attempts_total', 'counter', ['profile', 'result'], []],
  ['scheduler_batch_cache_flushed_total', 'counter', ['profile', 'reason'], []],
  [
    'scheduler_get_node_hint_duration_seconds',
    'histogram',
    ['hinted', 'profile'],
    [0.00001, 2, 12],
  ],
  ['scheduler_store_schedule_results_duration_seconds', 'histogram', ['profile'], [0.00001, 2, 12]],
  ['scheduler_volume_binder_cache_requests_total', 'counter', ['operation'], []],
  ['scheduler_volume_scheduling_stage_error_total', 'counter', ['operation'], []],
  [
    'scheduler_queueing_hint_execution_duration_seconds',
    'histogram',
    ['plugin', 'event', 'hint'],
    [0.00001, 1.5, 20],
  ],
  ['scheduler_inflight_events', 'gauge', ['event'], []],
  ['scheduler_preemption_goroutines_duration_seconds', 'histogram', ['result'], [0.01, 2, 20]],
  ['scheduler_preemption_goroutines_execution_total', 'counter', ['result'], []],
  ['scheduler_resourceclaim_creates_total', 'counter', ['status'], []],
  [
    'scheduler_dra_bindingconditions_allocations_total',
    'counter',
    ['profile', 'driver', 'status'],
    [],
  ],
  [
    'scheduler_dra_bindingconditions_wait_duration_seconds',
    'histogram',
    ['profile', 'driver', 'status'],
    [0.1, 2, 14],
  ],
  ['scheduler_async_api_call_execution_total', 'counter', ['call_type', 'result'], []],
  [
    'scheduler_async_api_call_execution_duration_seconds',
    'histogram',
    ['call_type', 'result'],
    [0.001, 2, 15],
  ],
  ['scheduler_pending_async_api_calls', 'gauge', ['call_type'], []],
  ['scheduler_podgroup_schedule_attempts_total', 'counter', ['result', 'profile'], []],
  [
    'scheduler_podgroup_scheduling_attempt_duration_seconds',
    'histogram',
    ['result', 'profile'],
    [0.001, 2, 15],
  ],
  ['scheduler_podgroup_scheduling_algorithm_duration_seconds', 'histogram', [], [0.001, 2, 15]],
  [
    'kube_pod_resource_request',
    'gauge',
    ['namespace', 'pod', 'node', 'scheduler', 'priority', 'resource', 'unit'],
    [],
  ],
  [
    'kube_pod_resource_limit',
    'gauge',
    ['namespace', 'pod', 'node', 'scheduler', 'priority', 'resource', 'unit'],
    [],
  ],
];

const README = new URL('../../../js/src/live/README.md', import.meta.url);

/** What the README says is not measured. */
async function unmeasured() {
  const text = await readFile(README, 'utf8');
  const [, section] = /\nNot measured:\n([^]*?)\nIf the engine/.exec(text) ?? [];
  return [...String(section).matchAll(/`(scheduler_\w+)`/g)].map(([, name]) => name);
}

/** All families that there can be, whether they have samples or not. */
async function emitted() {
  async function* noPods() {}
  const { engine } = await startWasm();
  const scheduler = engine.createScheduler({ api: 'host', metrics: true });
  const { families } = scheduler.inspect({ metrics: true }).metrics;
  scheduler.dispose();
  const durations = new Durations({ clock: systemClock() }).families();
  return [...families, ...durations, ...(await podResourceFamilies(noPods()))];
}

test('each metric of the table is emitted or listed as unmeasured, and no others', async () => {
  const families = await emitted();
  const names = [...families.map(({ name }) => name), ...(await unmeasured())];
  assert.deepEqual(names.sort(), TABLE.map(([name]) => name).sort());
});

test('types, labels and buckets are those of the table', async () => {
  for (const { name, type, labels, bounds = [] } of await emitted()) {
    const row = TABLE.find(([wanted]) => wanted === name);
    const [, wantedType, wantedLabels, buckets] = row ?? [];
    assert.equal(type, wantedType, name);
    assert.deepEqual([...labels].sort(), [...(wantedLabels ?? [])].sort(), name);
    const [start, factor, count = 0] = buckets ?? [];
    assert.deepEqual(bounds, exponentialBuckets(start, factor, count), name);
  }
});
