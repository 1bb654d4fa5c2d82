// Goal: groupSentences has one sentence for each finding. Method: answers with one finding each.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupSentences } from '../../../js/src/whatif.js';

const GROUP = { pods: 4, scheduled: 0, placed: 2, minCount: 3, missing: 1 };
const STUCK = {
  podGroup: 'default/train',
  result: 'unschedulable',
  message: '2 of 4 pods of the group can run, 1 fewer than minCount 3',
  group: GROUP,
  largestMinCount: 2,
  blocker: null,
  order: null,
  topology: null,
  preemption: null,
  pods: [],
};
const COUNTS = '2 of 4 pods can run, 1 fewer than minCount 3';
const two = { pod: 'default/w-0', pods: 2 };
const one = { pod: 'default/d', pods: 1 };
const nearest = { domain: 'r1', nodes: 2, pods: 2, message: 'm', missing: 1, pod: 'default/w-2' };
const victim = { pod: 'default/low', priority: 5, by: 'default/w-2' };

const FIVE = Array(5).fill('default/low (priority 5)').join(', ');

/** What an answer differs in, and its sentences after the first two. */
/** @type {[object, string[]][]} */
const CASES = [
  [
    { blocker: { pod: 'default/w-2', position: 3, message: '0/1 nodes', alone: 'Never' } },
    [
      'the blocking pod is default/w-2, number 3 in the order of placement: 0/1 nodes',
      'no node could take it, even an empty one',
    ],
  ],
  [
    { order: { templates: [two, one], orders: 2, tried: 2, helps: true, order: [one, two] } },
    ['in another order it would start: default/d, default/w-0 and 1 alike'],
  ],
  [
    { order: { templates: [two, one], orders: 2, tried: 2, helps: false } },
    ['none of the 2 orders of its templates helps'],
  ],
  [
    { order: { templates: [two, one], orders: 2, tried: 1, helps: null } },
    ['whether another order helps is not known: 1 of 2 were tried'],
  ],
  [
    { topology: { key: 'rack', isRequired: true, domains: [nearest], omitted: 3, nearest } },
    ['of 1 domains of rack (3 not tried) r1 takes the most pods: 2, 1 too few'],
  ],
  [
    { topology: { key: 'rack', isRequired: false, domains: [nearest], omitted: 0, nearest } },
    [
      'of 1 domains of rack r1 takes the most pods: 2, 1 too few; default/w-2: m',
      'its topology constraint is not read, because the feature gate is off',
    ],
  ],
  [
    { topology: { key: 'rack', isRequired: true, domains: [], omitted: 0, nearest: null } },
    ['no node has the label rack'],
  ],
  [
    { preemption: { victims: [victim], placed: 3, starts: true } },
    ['preemption would have to remove default/low (priority 5): then the group starts'],
  ],
  [
    { preemption: { victims: Array(7).fill(victim), placed: 2, starts: false } },
    [`preemption would remove ${FIVE} and 2 more, and the group could still not start`],
  ],
];

test('the findings about a group that cannot start', () => {
  for (const [found, said] of CASES) {
    const answer = /** @type {any} */ ({ ...STUCK, ...found });
    assert.deepEqual(groupSentences(answer), [
      `cannot start: ${COUNTS}`,
      'the largest minCount that would pass now is 2',
      ...said,
    ]);
  }
});

test('the results of groups', () => {
  const first = (/** @type {object} */ found) =>
    groupSentences(/** @type {any} */ ({ ...STUCK, ...found }))[0];
  const held = 'waiting for minCount pods from a gang to appear in scheduling queue';
  const running = { ...GROUP, scheduled: 1, placed: 2, missing: 0 };
  assert.equal(first({ result: 'waitsForPreemption' }), `waits for preemption: ${COUNTS}`);
  assert.equal(
    first({ result: 'gated', message: `${held}: ${STUCK.message}` }),
    `is not tried: ${held}; ${COUNTS}`,
  );
  assert.equal(
    first({ result: 'error', message: 'two: domains' }),
    `fails: two: domains; ${COUNTS}`,
  );
  assert.equal(
    first({ result: 'scheduled', message: '', group: running }),
    'starts now: 3 of 4 pods can run (1 already on nodes)',
  );
  const none = { ...STUCK, largestMinCount: 0 };
  assert.equal(groupSentences(/** @type {any} */ (none))[1], 'no minCount would pass now');
});
