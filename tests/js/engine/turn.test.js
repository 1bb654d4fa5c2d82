// Goal: a turn's records are parsed when they are read, and a minor garbage collection frees a turn
// that is no longer used. Method: outputs made by hand; the collector is called.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { readTurn } from '../../../js/src/engine/turn.js';

const END = '{"kind":"Turn","nextDeadline":2000,"idle":true,"waiting":false}\n';

test('records are parsed once, when they are read', () => {
  const turn = readTurn({ calls: [], text: `{"kind":"Decision"}\n{"kind":"Event"}\n${END}` });
  const records = [{ kind: 'Decision' }, { kind: 'Event' }];
  const others = { calls: [], nextDeadline: 2, idle: true, waiting: false, busy: false };
  assert.deepEqual(turn, { records, ...others });
  assert.deepEqual({ ...turn }, { records, ...others });
  assert.equal(turn.records, turn.records);
  assert.deepEqual(readTurn({ calls: [], text: END }).records, []);
});

test('a minor garbage collection frees turns', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  const record = `{"kind":"Decision","message":"${'x'.repeat(50_000)}"}\n`;
  const unread = () => readTurn({ calls: [], text: `${record.replace('x', 'y')}${END}` });
  const grown = () => {
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let count = 0; count < 100; count += 1) unread();
    collect({ type: 'minor' });
    collect({ type: 'minor' });
    return process.memoryUsage().heapUsed - before;
  };
  grown();
  assert.ok(grown() < 1_000_000, 'of 5 MB');
});
