// Goal: log lines are klog's, and component-base's in JSON, to the character.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonLine, klogLine } from '../../../js/src/live/klog.js';
import { failure, info } from '../../../js/src/live/log_entry.js';

const context = { now: Date.UTC(2026, 10, 22, 10, 14, 34, 123), pid: 17 };

test('as text', () => {
  const values = { pod: 'default/a', node: null, nodes: 5, list: ['x', 'y'], none: undefined };
  assert.equal(
    klogLine(info(2, 'Said "so"', values), context),
    'I1122 10:14:34.123000      17 stowage:1] "Said \\"so\\"" ' +
      'pod="default/a" node=<nil> nodes=5 list=["x","y"]\n',
  );
  assert.equal(
    klogLine(failure(new Error('two\nlines'), 'Failed', { isIt: true }), context),
    'E1122 10:14:34.123000      17 stowage:1] "Failed" err="two\\nlines" isIt=true\n',
  );
  assert.equal(
    klogLine(failure(undefined, 'Lost'), context),
    'E1122 10:14:34.123000      17 stowage:1] "Lost"\n',
  );
});

test('as JSON', () => {
  assert.equal(
    jsonLine(info(2, 'm', { preemptor: 'default/a', node: 'n1' }), context),
    '{"ts":1795342474123,"msg":"m","v":2,"preemptor":{"name":"a","namespace":"default"},"node":"n1"}\n',
  );
  assert.equal(
    jsonLine(failure(new Error('no'), 'm', {}), context),
    '{"ts":1795342474123,"msg":"m","err":"no"}\n',
  );
});
