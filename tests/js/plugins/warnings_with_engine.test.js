import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startWasm } from '../support/real_engine.js';

test('a plugin that is passed and enabled nowhere is a warning', async () => {
  const { engine } = await startWasm();
  const plugins = [{ name: 'Mine', score: () => 1 }];
  const idle = engine.createScheduler({ plugins });
  assert.deepEqual(idle.warnings, [
    'plugin "Mine" is not enabled in any profile of the configuration: it is never called',
  ]);
  const enabled = { multiPoint: { enabled: [{ name: 'Mine' }] } };
  const configuration = {
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    profiles: [{ plugins: enabled }],
  };
  const asked = engine.createScheduler({ plugins, configuration });
  assert.deepEqual(asked.warnings, []);
  for (const scheduler of [idle, asked]) scheduler.dispose();
});
