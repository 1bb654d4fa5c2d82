import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sharedWorkOptions, shardsOf } from '../../../../js/src/cli/shards/arguments.js';

/** @param {object} values @param {object} [env] */
function shards(values, env = {}) {
  const options = sharedWorkOptions({ workers: '1', results: 'out', ...values });
  return shardsOf(options, env)?.map(({ index, count }) => `${index + 1}/${count}`);
}

const slurm = {
  SLURM_ARRAY_TASK_ID: '12',
  SLURM_ARRAY_TASK_COUNT: '3',
  SLURM_ARRAY_TASK_MIN: '10',
};
const batch = { AWS_BATCH_JOB_ARRAY_INDEX: '0', AWS_BATCH_JOB_ARRAY_SIZE: '2' };

test('a shard comes from the flag, or from the array that this process is part of', () => {
  const cases = [
    [{}, {}, ['1/1']],
    [{ shard: '2/8' }, {}, ['2/8']],
    [{ shards: '3' }, {}, ['1/3', '2/3', '3/3']],
    [{ shards: '4' }, { JOB_COMPLETION_INDEX: '3' }, ['4/4']],
    [{}, slurm, ['3/3']],
    [{ shards: '3' }, slurm, ['3/3']],
    [{}, batch, ['1/2']],
    [{ shard: '1/8' }, batch, ['1/8']],
    [{ results: undefined }, batch, undefined],
  ];
  for (const [values, env, expected] of cases)
    assert.deepEqual(shards(values, env), expected, JSON.stringify([values, env]));
});

test('wrong shards are refused', () => {
  const cases = [
    [{ shard: '0/3' }, {}, /--shard is a part such as 1\/8/],
    [{ shard: '4/3' }, {}, /--shard is a part such as/],
    [{ shard: 'x' }, {}, /--shard is a part such as/],
    [{ shard: '1/3', shards: '3' }, {}, /--shards does not go with it/],
    [{ shard: '1/3', results: undefined }, {}, /--shard needs --results/],
    [{ shards: '0' }, {}, /--shards is a number from 1/],
    [{ workers: '0' }, {}, /--workers is a number from 1/],
    [{ workers: 'many' }, {}, /--workers is a whole number/],
    [{}, { JOB_COMPLETION_INDEX: '0' }, /JOB_COMPLETION_INDEX is set, so --shards N is needed/],
    [{ shards: '2' }, { JOB_COMPLETION_INDEX: '2' }, /is 2, but there are 2 shards/],
    [{ shards: '2' }, { JOB_COMPLETION_INDEX: '-' }, /is a whole number, not "-"/],
    [{ shards: '2' }, slurm, /--shards is 2, but SLURM_ARRAY_TASK_COUNT is 3/],
  ];
  for (const [values, env, message] of cases)
    assert.throws(() => shards(values, env), { message }, JSON.stringify([values, env]));
});
