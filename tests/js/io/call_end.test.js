// Goal: a CallEnd is to those that listen what an AbortController and its signal are. Method: both
// go through the same steps.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { abortSignalOf, CallEnd } from '../../../js/src/io/call_end.js';

const ENDS = {
  CallEnd: () => {
    const end = new CallEnd();
    return { end, signal: end };
  },
  'the signal of a CallEnd': () => {
    const end = new CallEnd();
    return { end, signal: end.signal };
  },
  AbortController: () => {
    const end = new AbortController();
    return { end, signal: end.signal };
  },
};

for (const [name, make] of Object.entries(ENDS)) {
  test(`${name}: those that listen learn of it once, with the reason`, () => {
    const { end, signal } = make();
    /** @type {string[]} */
    const told = [];
    const gone = () => void told.push('gone');
    signal.addEventListener('abort', () => void told.push(signal.reason));
    signal.addEventListener('abort', gone);
    signal.removeEventListener('abort', gone);
    assert.equal(signal.aborted, false);
    signal.throwIfAborted();
    end.abort('enough');
    end.abort('once more');
    assert.deepEqual(told, ['enough']);
    assert.equal(signal.aborted, true);
    assert.throws(
      () => signal.throwIfAborted(),
      (cause) => cause === 'enough',
    );
  });

  test(`${name}: without a reason it is an AbortError`, () => {
    const { end, signal } = make();
    end.abort();
    assert.equal(signal.reason.name, 'AbortError');
  });
}

test('others get an AbortSignal, also after the end', () => {
  const { signal } = new AbortController();
  assert.equal(abortSignalOf(signal), signal);
  assert.equal(abortSignalOf(undefined), undefined);
  const end = new CallEnd();
  end.abort('enough');
  const given = abortSignalOf(end);
  assert.ok(given instanceof AbortSignal);
  assert.deepEqual([given.aborted, given.reason], [true, 'enough']);
});
