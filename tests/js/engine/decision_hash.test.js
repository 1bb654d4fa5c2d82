// Goal: the hashes can be computed from the records, as the README describes. Method: decisions of
// every result, on every target; node:crypto computes the chain.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { makeNode, makePod, storedPod } from '../support/objects.js';
import { TARGETS } from '../support/real_engine.js';

const RESULTS = ['scheduled', 'unschedulable', 'error', 'skipped'];

/** @param {bigint} value */
function eightBytes(value) {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(value);
  return bytes;
}

/** @param {number} value */
function leb128(value) {
  const bytes = [];
  for (; value >= 0x80; value = Math.floor(value / 0x80)) bytes.push((value % 0x80) | 0x80);
  return Buffer.from([...bytes, value]);
}

/** @param {string} text */
function sized(text) {
  return Buffer.concat([leb128(Buffer.byteLength(text)), Buffer.from(text)]);
}

/** @param {string} at MicroTime */
function microseconds(at) {
  return BigInt(Date.parse(at)) * 1000n + BigInt(at.slice(-4, -1));
}

/**
 * @param {Buffer} before the hash before it
 * @param {number} number of the decision
 * @param {any} decision
 * @param {(pod: string) => string} uidOf
 */
function hashOf(before, number, decision, uidOf) {
  const victims = decision.preemption?.victims ?? [];
  const bytes = [
    before,
    eightBytes(BigInt(number)),
    eightBytes(microseconds(decision.at)),
    Buffer.from([RESULTS.indexOf(decision.result)]),
    sized(decision.uid),
    sized(decision.node ?? ''),
    sized(decision.message ?? ''),
    sized(decision.nominatedNodeName ?? ''),
    leb128(victims.length),
    ...victims.map((pod) => sized(uidOf(pod))),
  ];
  return createHash('sha256').update(Buffer.concat(bytes)).digest();
}

const broken = {
  name: 'Broken',
  /** @param {any} _state @param {any} pod */
  filter(_state, { metadata }) {
    if (metadata.name === 'broken') throw new Error('broken – on purpose');
  },
};
const configuration = {
  apiVersion: 'kubescheduler.config.k8s.io/v1',
  kind: 'KubeSchedulerConfiguration',
  profiles: [{ plugins: { multiPoint: { enabled: [{ name: 'Broken' }] } } }],
};

for (const [target, startEngine] of Object.entries(TARGETS)) {
  const { engine } = await startEngine();

  test(`${target}: hashes are computed from the fields of decisions`, async () => {
    const startTime = Date.parse('2026-03-01T12:00:00.250Z') + 0.125;
    const scheduler = engine.createScheduler({ configuration, plugins: [broken], startTime });
    const low = ['low-a', 'low-b'].map((name) =>
      storedPod(name, {
        cpu: '2',
        metadata: { uid: `uid-of-${name}` },
        spec: { nodeName: 'b' },
      }),
    );
    const uid = '1b4e28ba-2fa1-11d2-883f-0016d3cca427';
    scheduler.apply([makeNode('a', { cpu: '2' }), makeNode('b'), ...low]);
    scheduler.apply([
      storedPod('placed', { metadata: { uid } }),
      makePod('vip', { cpu: '4', spec: { priority: 9 } }),
      makePod('big', { cpu: '9' }),
      makePod('broken'),
      makePod('ending', { metadata: { deletionTimestamp: '2026-03-01T12:00:00Z' } }),
      makePod('gated', { spec: { schedulingGates: [{ name: 'g' }] } }),
    ]);
    const decisions = await scheduler.schedule();
    const hashed = decisions.filter(({ result }) => result !== 'gated');
    assert.deepEqual([...new Set(hashed.map(({ result }) => result))].sort(), RESULTS.toSorted());
    assert.ok(decisions.some(({ preemption }) => preemption?.victims.length === 2));
    let hash = Buffer.alloc(32);
    for (const [index, decision] of hashed.entries()) {
      hash = hashOf(hash, index + 1, decision, (pod) => `uid-of-${pod.replace('default/', '')}`);
      assert.equal(decision.hash, hash.toString('hex'), `${decision.pod}: ${decision.result}`);
    }
    assert.equal(scheduler.hash, hash.toString('hex'));
    for (const { hash: none } of decisions.filter(({ result }) => result === 'gated')) {
      assert.equal(none, undefined);
    }
    scheduler.dispose();
  });
}
