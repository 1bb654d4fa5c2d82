// Goal: metrics are text as Prometheus reads it and kube-scheduler writes it, to the character.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  exponentialBuckets,
  HistogramFamily,
  NumberFamily,
} from '../../../js/src/live/metric_families.js';
import { formatFloat, metricsText } from '../../../js/src/live/metrics_text.js';

test('numbers are those of Go', () => {
  for (const [value, text] of /** @type {[number, string][]} */ ([
    [0, '0'],
    [-0, '0'],
    [1, '1'],
    [-1.5, '-1.5'],
    [0.0001, '0.0001'],
    [0.00001, '1e-05'],
    [0.000015, '1.5e-05'],
    [0.0225, '0.0225'],
    [16.384, '16.384'],
    [123456, '123456'],
    [999999.5, '999999.5'],
    [1000000, '1e+06'],
    [1234567, '1.234567e+06'],
    [1.5e-7, '1.5e-07'],
    [1e21, '1e+21'],
    [1e100, '1e+100'],
    [Infinity, '+Inf'],
    [-Infinity, '-Inf'],
    [NaN, 'NaN'],
  ]))
    assert.equal(formatFloat(value), text);
});

test('buckets are those of kube-scheduler', () => {
  assert.deepEqual(exponentialBuckets(0.001, 2, 15).map(formatFloat), [
    ...['0.001', '0.002', '0.004', '0.008', '0.016', '0.032', '0.064', '0.128', '0.256', '0.512'],
    ...['1.024', '2.048', '4.096', '8.192', '16.384'],
  ]);
  assert.deepEqual(exponentialBuckets(1, 2, 7), [1, 2, 4, 8, 16, 32, 64]);
  // Multiplied one after the other, as Go does it, with what that makes of the last digits.
  assert.deepEqual(exponentialBuckets(0.00001, 1.5, 5).map(formatFloat), [
    ...['1e-05', '1.5000000000000002e-05', '2.2500000000000005e-05', '3.375000000000001e-05'],
    '5.062500000000001e-05',
  ]);
});

/** @type {import('../../../js/src/live/metrics_text.js').MetricFamily[]} */
const FAMILIES = [
  {
    name: 'scheduler_schedule_attempts_total',
    type: 'counter',
    help: 'Attempts, by "result".\nA \\ too.',
    stability: 'STABLE',
    labels: ['result', 'profile'],
    samples: [
      { labels: ['unschedulable', 'default-scheduler'], value: 2 },
      { labels: ['scheduled', 'b'], value: 1000000 },
      { labels: ['scheduled', 'a"\\\n'], value: 3 },
    ],
  },
  {
    name: 'scheduler_empty',
    type: 'gauge',
    help: 'Nothing.',
    labels: ['queue'],
    samples: [],
  },
  {
    name: 'scheduler_preemption_victims',
    type: 'histogram',
    help: 'Victims',
    stability: 'STABLE',
    labels: [],
    bounds: [1, 2],
    samples: [{ labels: [], buckets: [3, 0], sum: 12.5, count: 4 }],
  },
  {
    name: 'scheduler_point_seconds',
    type: 'histogram',
    help: 'Points',
    labels: ['status', 'extension_point'],
    bounds: [0.5],
    samples: [{ labels: ['Success', 'Bind'], buckets: [1], sum: 0.25, count: 1 }],
  },
  {
    name: 'scheduler_pending_pods',
    type: 'gauge',
    help: 'Pending',
    labels: ['queue'],
    samples: [{ labels: ['active'], value: 0 }],
  },
];

test('families are sorted, labels too, and everything is escaped', () => {
  assert.equal(
    metricsText(FAMILIES),
    String.raw`# HELP scheduler_pending_pods Pending
# TYPE scheduler_pending_pods gauge
scheduler_pending_pods{queue="active"} 0
# HELP scheduler_point_seconds Points
# TYPE scheduler_point_seconds histogram
scheduler_point_seconds_bucket{extension_point="Bind",status="Success",le="0.5"} 1
scheduler_point_seconds_bucket{extension_point="Bind",status="Success",le="+Inf"} 1
scheduler_point_seconds_sum{extension_point="Bind",status="Success"} 0.25
scheduler_point_seconds_count{extension_point="Bind",status="Success"} 1
# HELP scheduler_preemption_victims [STABLE] Victims
# TYPE scheduler_preemption_victims histogram
scheduler_preemption_victims_bucket{le="1"} 3
scheduler_preemption_victims_bucket{le="2"} 3
scheduler_preemption_victims_bucket{le="+Inf"} 4
scheduler_preemption_victims_sum 12.5
scheduler_preemption_victims_count 4
# HELP scheduler_schedule_attempts_total [STABLE] Attempts, by "result".\nA \\ too.
# TYPE scheduler_schedule_attempts_total counter
scheduler_schedule_attempts_total{profile="a\"\\\n",result="scheduled"} 3
scheduler_schedule_attempts_total{profile="b",result="scheduled"} 1e+06
scheduler_schedule_attempts_total{profile="default-scheduler",result="unschedulable"} 2
`,
  );
});

test('families that JavaScript counts have the same shape', () => {
  const description = /** @type {const} */ ({ help: 'h', stability: 'ALPHA' });
  const counter = new NumberFamily('counter', { ...description, name: 'c', labels: ['a'] });
  counter.add(['x']);
  counter.add(['x'], 2);
  counter.add(['y']);
  const histogram = new HistogramFamily({ ...description, name: 'h', labels: [], bounds: [1, 2] });
  for (const value of [0.5, 1, 1.5, 7]) histogram.observe([], value);
  assert.deepEqual(counter.family().samples, [
    { labels: ['x'], value: 3 },
    { labels: ['y'], value: 1 },
  ]);
  const before = histogram.family();
  histogram.observe([], 1);
  assert.deepEqual(before.samples, [{ labels: [], buckets: [2, 1], sum: 10, count: 4 }]);
  assert.match(metricsText([before]), /h_bucket\{le="1"\} 2\nh_bucket\{le="2"\} 3\n/);
});
