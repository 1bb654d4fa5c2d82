/** Pod lists of the openb trace, with times and without. */
import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { loadOpenb } from '../support/openb.js';
import { RawScheduler } from '../support/raw_engine.js';
import { playReplay } from './replays.js';

const NODES = 'sn,cpu_milli,memory_mib,gpu,model\nn,4000,4096,0,\n';
const HEAD = 'name,cpu_milli,memory_mib,num_gpu,gpu_spec';

/** @param {string} pods @returns {string} a folder with the list `default` */
function folderWith(pods) {
  const folder = mkdtempSync(join(tmpdir(), 'openb-'));
  writeFileSync(join(folder, 'openb_node_list_all_node.csv'), NODES);
  writeFileSync(join(folder, 'openb_pod_list_default.csv'), pods);
  return folder;
}

/** @param {string} pods */
const eventsIn = (pods) =>
  loadOpenb(folderWith(pods), 'default').events.map(({ type, seconds, pod }) => [
    type,
    seconds,
    /** @type {any} */ (pod).metadata.name,
  ]);

const WITHOUT_TIMES = `${HEAD}\nb,1000,1,0,\na,1000,1,0,\n`;

test('pods without times come at once, in the order of the list, and stay', () => {
  const expected = [
    ['create', 0, 'b'],
    ['create', 0, 'a'],
  ];
  assert.deepEqual(eventsIn(WITHOUT_TIMES), expected);
  const empty = `${HEAD},creation_time,deletion_time\nb,1,1,0,,,\na,1,1,0,,,\n`;
  assert.deepEqual(eventsIn(empty), expected);
});

test('with times, deletions go first at equal ones', () => {
  const pods = `${HEAD},creation_time,deletion_time\na,1,1,0,,5,9\nb,1,1,0,,9,12\nc,1,1,0,,7,\n`;
  assert.deepEqual(eventsIn(pods), [
    ['create', 5, 'a'],
    ['create', 7, 'c'],
    ['delete', 9, 'a'],
    ['create', 9, 'b'],
    ['delete', 12, 'b'],
  ]);
  assert.throws(
    () => eventsIn(`${HEAD},creation_time\na,1,1,0,,soon\n`),
    /pod a: creation_time is "soon"/,
  );
});

test('such a list is replayed if its times are valid', () => {
  /** @type {number[]} */
  const times = [];
  const scheduler = {
    apply: (/** @type {any} */ _, /** @type {number} */ nowUs) => times.push(nowUs),
    run: (/** @type {number} */ nowUs) => {
      times.push(nowUs);
      throw new Error('that is all');
    },
    dispose: () => {},
  };
  const engine = /** @type {any} */ ({ createScheduler: () => scheduler });
  const lines = ['b', 'a'].map((pod) => ({ pod, node: 'n' }));
  const replay = { name: 'openb-default.sampled', lines, data: folderWith(WITHOUT_TIMES) };
  assert.throws(() => playReplay(engine, replay), /that is all/);
  assert.ok(times.length > 0 && times.every(Number.isFinite), String(times));
});

test('an invalid time is reported', () => {
  const scheduler = new RawScheduler(/** @type {any} */ ({}), 1);
  for (const call of [() => scheduler.apply([], NaN), () => scheduler.run(NaN, 1)])
    assert.throws(call, /^RefusedError: (apply|run): bad argument: nowUs is NaN$/);
});
