import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reportOf, sentenceOf, titleOf, verdictOf } from '../../../js/src/check/report.js';

const web = { kind: 'Deployment', namespace: 'shop', name: 'web', place: { file: 'web.yaml' } };
const scheduled = { pod: 'shop/a', result: 'Scheduled', message: '' };
const pending = { pod: 'shop/b', result: 'Unschedulable', message: 'no room.' };

test('a workload fits when all of its pods have a node', () => {
  const cases = [
    ['all placed', [scheduled], 'Fits', 1, ''],
    ['no replicas', [], 'Fits', 0, ''],
    [
      'some pending',
      [scheduled, pending],
      'DoesNotFit',
      1,
      '1 of 2 replicas fit: no room. Waiting: shop/b.',
    ],
    ['its only one', [pending], 'DoesNotFit', 0, 'no room.'],
    [
      'for several reasons, most first',
      [pending, { ...pending, message: 'full' }, { ...pending, message: 'full' }],
      'DoesNotFit',
      0,
      '0 of 3 replicas fit: full (2 of 3) no room. (1 of 3) Waiting: shop/b, shop/b, shop/b.',
    ],
    [
      'gated',
      [{ ...pending, message: '', result: 'SchedulingGated' }],
      'DoesNotFit',
      0,
      'SchedulingGated',
    ],
    [
      'gated, each of them',
      Array(2).fill({ ...pending, message: '', result: 'SchedulingGated' }),
      'DoesNotFit',
      0,
      '0 of 2 replicas fit: SchedulingGated. Waiting: shop/b, shop/b.',
    ],
    [
      'waiting for volumes',
      [{ ...scheduled, waitsForVolumes: true }],
      'DoesNotFit',
      0,
      'has a node and waits for its volumes',
    ],
    [
      'in the place of others',
      [{ ...scheduled, evicted: ['low/p'] }],
      'FitsByPreemption',
      1,
      'evicts low/p',
    ],
    ['in the place of its own', [{ ...scheduled, evicted: ['shop/a'] }], 'Fits', 1, ''],
  ];
  for (const [name, pods, result, placed, sentence] of cases) {
    const verdict = verdictOf(web, pods);
    assert.deepEqual(
      [verdict.result, verdict.placed, sentenceOf(verdict)],
      [result, placed, sentence],
      name,
    );
  }
  assert.equal(titleOf(web), 'Deployment shop/web');
});

test('an unchecked workload neither fits nor fails', () => {
  const verdict = verdictOf(web, [pending], { notChecked: 'it is for another' });
  assert.deepEqual([verdict.result, sentenceOf(verdict)], ['NotChecked', 'it is for another']);
  const report = reportOf([verdict, verdictOf(web, [scheduled])], { kubernetesVersion: 'v1.36' });
  assert.equal(report.fits, true);
  assert.deepEqual(report.summary, {
    workloads: 2,
    fit: 1,
    wouldHang: 0,
    doNotFit: 0,
    notChecked: 1,
    replicas: 2,
    placed: 1,
  });
});

test('of many pods that wait the first are named, and all are in the document', () => {
  const pods = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ ...pending, pod: `shop/${name}` }));
  const verdict = verdictOf(web, pods);
  assert.match(sentenceOf(verdict), / Waiting: shop\/a, shop\/b, shop\/c and 2 more\.$/);
  assert.deepEqual(
    verdict.waiting,
    pods.map(({ pod }) => pod),
  );
});

test('requests for devices that no node can serve come before the nearest node', () => {
  const verdict = {
    ...verdictOf(web, [pending]),
    unserved: ['No node can serve r.'],
    nearest: 'a: b',
  };
  assert.match(sentenceOf(verdict), / No node can serve r\. Nearest node a: b\.$/);
});
