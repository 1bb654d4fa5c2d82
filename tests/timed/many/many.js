/** Runs a scenario with many of one thing on the WebAssembly module, within limits. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

import { modulePath, startWasm } from '../../js/support/real_engine.js';
import { stackBytes, wasmLayout } from '../../support/wasm_layout.js';
import { machineShare } from '../machine_share.js';

/** @typedef {import('../../js/support/real_engine.js').RealEngine} RealEngine */
/** @typedef {import('../../../js/src/index.js').Scheduler} Scheduler */

/** A quarter of the stack, which no number of objects may exceed. */
const STACK_SHARE_MAX = 1 / 4;

const MIB = 1024 * 1024;

const { stackTop } = wasmLayout(await readFile(modulePath));

/**
 * A test that passes a new engine to `body`, and checks time and memory.
 * @param {string} name
 * @param {{ ms: number, mib: number }} limits of wall time on the bench's machine, and of the
 *   engine's memory
 * @param {(engine: RealEngine['engine']) => Promise<void> | void} body
 */
export function testMany(name, { ms, mib }, body) {
  test(name, async () => {
    const { engine, memory } = await startWasm();
    const begun = performance.now();
    await body(engine);
    const taken = performance.now() - begun;
    const share = machineShare();
    const stack = stackBytes(memory(), stackTop);
    const used = memory().byteLength / MIB;
    console.log(
      `${name}: ${Math.round(taken)} of ${ms} ms at a load of ${share.toFixed(1)}, ` +
        `${Math.round(used)} of ${mib} MiB, ${stack} B of stack`,
    );
    assert.equal(engine.failure, null);
    assert.ok(stack < stackTop * STACK_SHARE_MAX, `${stack} bytes of stack`);
    assert.ok(used <= mib, `${used} MiB`);
    assert.ok(taken <= ms * share, `${taken} ms`);
  });
}

/** @param {number} count @param {(index: number) => any} make */
export function times(count, make) {
  return Array.from({ length: count }, (_, index) => make(index));
}

/**
 * A node with room for everything except `allocatable`.
 * @param {string} name
 * @param {{ allocatable?: object, labels?: object, spec?: object }} [parts]
 */
export function node(name, { allocatable = {}, labels = {}, spec = {} } = {}) {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, uid: name, labels: { 'kubernetes.io/hostname': name, ...labels } },
    spec,
    status: { allocatable: { cpu: '10k', memory: '100Ti', pods: '1M', ...allocatable } },
  };
}

/**
 * A pod that requests one CPU, as the API server returns it.
 * @param {string} name
 * @param {{ cpu?: string, labels?: object, spec?: object, uid?: string }} [parts]
 */
export function pod(name, { cpu = '1', labels = {}, spec = {}, uid = name } = {}) {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', uid, labels },
    spec: {
      schedulerName: 'default-scheduler',
      containers: [{ name: 'main', resources: { requests: { cpu } } }],
      ...spec,
    },
  };
}

/** The decisions and binding results among the records, counted by kind and result. */
export class Tally {
  /** @type {Record<string, number>} */
  counts = {};

  /** @param {any[]} records */
  add(records) {
    for (const { kind, result } of records) {
      if (kind !== 'Decision' && kind !== 'BindingResult') continue;
      this.counts[result] = (this.counts[result] ?? 0) + 1;
    }
    return this;
  }
}

/**
 * Runs turns until nothing is left to do at this time; `answer` performs the calls of each turn.
 * @param {Scheduler} scheduler
 * @param {(call: any) => void} [answer]
 * @returns {any[]} all records
 */
export function settle(scheduler, answer) {
  const records = [];
  for (;;) {
    const turn = scheduler.run();
    records.push(...turn.records);
    for (const call of turn.calls) {
      assert.ok(answer, `a call: ${call.method} ${call.path}`);
      answer(call);
    }
    if (turn.idle && turn.calls.length === 0) return records;
  }
}
