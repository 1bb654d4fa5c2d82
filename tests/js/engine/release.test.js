/** The option `kubernetesVersion`: the release that decides. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createScheduler, loadEngine, replay } from '../../../js/src/index.js';
import { makeNode, makePod } from '../support/objects.js';

const RELEASES = ['v1.33', 'v1.34', 'v1.35', 'v1.36'];
const SUPPORTED = [...RELEASES, 'v1.37-preview'].map((release) => `"${release}"`).join(', ');

/** The scores of BalancedAllocation differ since v1.36. */
const BALANCED = Object.freeze({ before: [75, 87], now: [62, 68] });

/** @param {import('../../../js/src/index.js').SchedulerOptions} [options] */
async function cluster(options) {
  const scheduler = await createScheduler(options);
  scheduler.apply([makeNode('a', { cpu: '4' }), makeNode('b', { cpu: '8' })]);
  return scheduler;
}

/** @param {import('../../../js/src/index.js').Scheduler} scheduler */
function balanced(scheduler) {
  const { scores } = scheduler.evaluate(makePod('p', { cpu: '2', memory: '4Gi' }));
  return scores?.NodeResourcesBalancedAllocation;
}

test('a release decides as it did, however its name is written', async () => {
  const cases = /** @type {const} */ ([
    [undefined, 'v1.36', BALANCED.now],
    ['1.36', 'v1.36', BALANCED.now],
    ['1.35', 'v1.35', BALANCED.before],
    ['v1.34', 'v1.34', BALANCED.before],
    ['1.33.13', 'v1.33', BALANCED.before],
    ['1.33.0', 'v1.33', BALANCED.before],
    ['v1.34.9-gke.100', 'v1.34', BALANCED.before],
    ['v1.34.9+k3s1', 'v1.34', BALANCED.before],
  ]);
  for (const [kubernetesVersion, release, scores] of cases) {
    const scheduler = await cluster({ kubernetesVersion });
    assert.equal(scheduler.kubernetesVersion, release);
    assert.deepEqual(balanced(scheduler), scores, release);
  }
});

test('forks and transactions are of the same release', async () => {
  const scheduler = await cluster({ kubernetesVersion: '1.34' });
  const fork = scheduler.fork();
  assert.deepEqual([fork.kubernetesVersion, balanced(fork)], ['v1.34', BALANCED.before]);
  scheduler.transaction((inner) =>
    assert.deepEqual([inner.kubernetesVersion, balanced(inner)], ['v1.34', BALANCED.before]),
  );
});

test('an unknown release is a ConfigurationError that lists the supported ones', async () => {
  for (const [given, shown] of [
    ['1.32', 'v1.32'],
    ['v1.40.1', 'v1.40'],
    ['1.34.x', '1.34.x'],
    ['latest', 'latest'],
    ['', ''],
  ]) {
    const detail = `Unsupported value: "${shown}": supported values: ${SUPPORTED}`;
    const message = `kubernetesVersion: ${detail}`;
    await assert.rejects(createScheduler({ kubernetesVersion: given }), {
      name: 'ConfigurationError',
      message,
      errors: [{ field: 'kubernetesVersion', detail: message }],
    });
  }
  const number = /** @type {any} */ (1.34);
  await assert.rejects(createScheduler({ kubernetesVersion: number }), {
    name: 'ConfigurationError',
    message: 'kubernetesVersion: Invalid value: 1.34: must be a string such as 1.34',
  });
});

test('facts can be switched one at a time', async () => {
  const behaviour = { 'balanced-allocation': false };
  assert.deepEqual(balanced(await cluster({ behaviour })), BALANCED.before);
  await assert.rejects(createScheduler({ behaviour: { gravity: true } }), {
    name: 'ConfigurationError',
    message: 'behaviour.gravity: there is no such fact',
  });
});

test('gates are those of the release', async () => {
  const featureGates = { GenericWorkload: true };
  await createScheduler({ featureGates, kubernetesVersion: '1.35' });
  await assert.rejects(createScheduler({ featureGates, kubernetesVersion: '1.34' }), {
    name: 'ConfigurationError',
    message: /GenericWorkload/,
  });
});

test('a log names its release, and its replay decides as that one', async () => {
  /** @type {string[]} */
  const lines = [];
  const log = (/** @type {string} */ line) => lines.push(line);
  const scheduler = await cluster({ kubernetesVersion: '1.34', log });
  scheduler.apply(makePod('p', { cpu: '1' }));
  scheduler.run();
  assert.equal(JSON.parse(lines[0]).kubernetesVersion, 'v1.34');
  for (const kubernetesVersion of [undefined, '1.34', 'v1.34.9']) {
    const again = await replay(lines, { kubernetesVersion });
    assert.equal(again.hash, scheduler.hash);
    assert.deepEqual([again.kubernetesVersion, balanced(again)], ['v1.34', BALANCED.before]);
  }
  await assert.rejects(replay(lines, { kubernetesVersion: '1.35' }), {
    name: 'ReplayError',
    code: 'LogVersion',
    message: 'line 1 of the log: the log is from v1.34, not from v1.35',
  });
});

test("the engine's own release is the newest", async () => {
  assert.equal((await loadEngine()).kubernetesVersion, RELEASES.at(-1));
});
