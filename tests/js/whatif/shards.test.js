import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  digestOf,
  mergeShards,
  nameOf,
  readShard,
  shardText,
  tasksOf,
} from '../../../js/src/whatif/shards.js';

const WORK = { kind: 'Toy', input: 'sha256:00', tasks: 10, head: { version: 'v1' } };

/** Reports of the even tasks. @param {number} index @param {number} count @param {object} [work] */
function resultOf(index, count, work = {}) {
  const whole = { ...WORK, ...work };
  const { from, to } = tasksOf({ index, count }, whole.tasks);
  const tasks = Array.from({ length: to - from }, (_, at) => from + at);
  const reports = tasks.filter((task) => task % 2 === 0).map((task) => ({ task }));
  return { work: whole, shard: { index, count }, reports };
}

test('shards cover all tasks once, in almost equal parts', () => {
  for (const tasks of [0, 1, 7, 499_500]) {
    for (const count of [1, 2, 3, 7, 64]) {
      const parts = Array.from({ length: count }, (_, index) => tasksOf({ index, count }, tasks));
      let next = 0;
      for (const { from, to } of parts) {
        assert.equal(from, next);
        assert.ok([0, 1].includes(to - from - Math.floor(tasks / count)));
        next = to;
      }
      assert.equal(next, tasks);
    }
  }
});

test('a result is a head, lines in the order of tasks, and a digest', async () => {
  const result = resultOf(0, 2);
  const text = await shardText({ ...result, reports: [...result.reports].reverse() });
  assert.deepEqual(
    text
      .split('\n')
      .slice(0, -2)
      .map((line) => JSON.parse(line)),
    [
      { apiVersion: 'stowage/v1', kind: 'Shard', index: 0, count: 2, work: WORK },
      { task: 0 },
      { task: 2 },
      { task: 4 },
    ],
  );
  assert.deepEqual(await readShard(text), result);
  const body = text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1);
  const end = { kind: 'ShardEnd', reports: 3, digest: await digestOf([body]) };
  assert.equal(text, `${body}${JSON.stringify(end)}\n`);
});

test('the digest is SHA-256, and of several parts it depends on their ends', async () => {
  assert.equal(
    await digestOf(['abc']),
    'sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
  const digests = [['ab', 'c'], ['a', 'bc'], ['abc'], ['abc', '']].map(digestOf);
  assert.equal(new Set(await Promise.all(digests)).size, 4);
});

test('what was cut off or changed is refused', async () => {
  const text = await shardText(resultOf(0, 1));
  const lines = text.split('\n');
  const cases = [
    ['', /truncated/],
    [text.slice(0, -1), /truncated/],
    [`${lines.slice(0, 3).join('\n')}\n`, /truncated/],
    [text.replace('{"task":2}', '{"task":3}'), /has been changed/],
    [text.replace('{"task":2}\n', ''), /has been changed/],
    ['{"kind":"List"}\n', /truncated/],
  ];
  for (const [bad, message] of cases)
    await assert.rejects(readShard(bad), { name: 'InputError', message });
  const other = `{"kind":"List"}\n`;
  const end = JSON.stringify({ kind: 'ShardEnd', digest: await digestOf([other]) });
  await assert.rejects(readShard(`${other}${end}\n`), /not the result of a shard/);
});

test('results merge in any order', () => {
  const results = [0, 1, 2, 3].map((index) => resultOf(index, 4));
  const whole = { work: WORK, reports: [0, 2, 4, 6, 8].map((task) => ({ task })) };
  for (const order of [
    [0, 1, 2, 3],
    [3, 2, 1, 0],
    [2, 0, 3, 1],
  ])
    assert.deepEqual(mergeShards(order.map((at) => results[at])), whole);
});

test('gaps, doubles and foreign shards are refused', () => {
  const cases = [
    [[], /no result of a shard/],
    [[resultOf(1, 4), resultOf(3, 4)], /2 of 4 shards are missing: 1, 3/],
    [[resultOf(0, 2)], /1 of 2 shards is missing: 2/],
    [[resultOf(0, 2), resultOf(0, 2)], /shard 1\/2 is there twice/],
    [[resultOf(0, 2), resultOf(1, 3)], /the number of shards differs/],
    [[resultOf(0, 2), resultOf(1, 2, { kind: 'Game' })], /Game and Toy/],
    [[resultOf(0, 2), resultOf(1, 2, { input: 'sha256:01' })], /the cluster, the question or/],
    [[resultOf(0, 2), resultOf(1, 2, { head: {} })], /different versions/],
  ];
  for (const [results, message] of cases)
    assert.throws(() => mergeShards(results), { name: 'InputError', message });
  assert.equal(nameOf({ index: 0, count: 3 }), '1/3');
});
