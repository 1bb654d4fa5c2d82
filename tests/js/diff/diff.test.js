import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differencesBetween, whyDifferent } from '../../../js/src/diff/diff.js';

const on = (/** @type {string} */ node) => ({ result: 'Scheduled', node, message: '' });
const pending = { result: 'Unschedulable', node: null, message: 'no room' };
const evicted = { result: 'Evicted', node: 'a', message: 'evicted for x/y' };

test('each kind of difference', () => {
  const cases = [
    ['the same node', on('a'), on('a'), undefined],
    ['another node', on('a'), on('b'), 'Moved'],
    ['no node any more', on('a'), pending, 'NewlyPending'],
    ['a node at last', pending, on('a'), 'NewlyPlaced'],
    ['no node, for other reasons', pending, { ...pending, message: 'full' }, undefined],
    ['evicted only now', on('a'), evicted, 'NewlyEvicted'],
    ['evicted without an earlier decision', undefined, evicted, 'NewlyEvicted'],
    ['not evicted any more', evicted, undefined, 'NoLongerEvicted'],
    ['evicted both times', evicted, evicted, undefined],
    ['of another scheduler before', undefined, on('a'), 'NewlyPlaced'],
    ['of another scheduler now', on('a'), undefined, 'NewlyPending'],
  ];
  for (const [name, before, after, change] of cases) {
    const map = (/** @type {any} */ fate) => new Map(fate ? [['n/p', fate]] : []);
    const found = differencesBetween(map(before), map(after));
    assert.deepEqual(
      found,
      change ? [{ pod: 'n/p', change, before: before ?? null, after: after ?? null }] : [],
      name,
    );
  }
});

test('whyDifferent explains without node details when messages are enough', () => {
  const cases = [
    [on('a'), pending, 'no room'],
    [pending, on('a'), 'before: no room'],
    [on('a'), evicted, 'evicted for x/y'],
    [evicted, on('a'), 'no longer evicted for x/y'],
    [on('a'), undefined, 'it is not decided on'],
    [undefined, on('a'), 'before: it was not decided on'],
  ];
  for (const [before, after, why] of cases) {
    const map = (/** @type {any} */ fate) => new Map(fate ? [['n/p', fate]] : []);
    const [difference] = differencesBetween(map(before), map(after));
    assert.equal(whyDifferent(difference, {}), why);
  }
});

test('whyDifferent explains a move by the largest change on the new node, and its lead', () => {
  const [difference] = differencesBetween(new Map([['n/p', on('a')]]), new Map([['n/p', on('b')]]));
  const decision = (
    /** @type {string} */ node,
    /** @type {object} */ scores,
    /** @type {number[]} */ total,
  ) => ({
    node,
    feasible: ['a', 'b'],
    scores,
    total,
  });
  const before = decision('a', { Fit: [90, 30], Image: [5, 9] }, [95, 39]);
  const after = decision('b', { Fit: [80, 91], Image: [5, 6] }, [85, 97]);
  assert.equal(whyDifferent(difference, { before, after }), 'Fit on b 30 → 91; b leads a by 12');
  const equal = decision('b', before.scores, [97, 97]);
  assert.equal(whyDifferent(difference, { before, after: equal }), 'b is equal to a');
});
