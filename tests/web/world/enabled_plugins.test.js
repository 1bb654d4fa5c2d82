import assert from 'node:assert/strict';
import { test } from 'node:test';

import { withPluginsEnabled } from '../../../web/src/world/enabled_plugins.js';

test('without a configuration a plugin is enabled beside those of kube-scheduler', () => {
  const { configuration, added } = withPluginsEnabled(undefined, ['Even']);
  assert.deepEqual(added, ['Even']);
  assert.deepEqual(configuration, {
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    profiles: [{ plugins: { multiPoint: { enabled: [{ name: 'Even' }] } } }],
  });
});

test('every profile gets the plugins that no profile names, after its own', () => {
  const given = {
    profiles: [
      { schedulerName: 'a', plugins: { multiPoint: { enabled: [{ name: 'Mine' }] } } },
      { schedulerName: 'b', plugins: { score: { disabled: [{ name: 'Off' }] } } },
    ],
  };
  const { configuration, added } = withPluginsEnabled(given, ['Mine', 'Off', 'New']);
  assert.deepEqual(added, ['New']);
  assert.deepEqual(configuration, {
    profiles: [
      {
        schedulerName: 'a',
        plugins: { multiPoint: { enabled: [{ name: 'Mine' }, { name: 'New' }] } },
      },
      {
        schedulerName: 'b',
        plugins: {
          score: { disabled: [{ name: 'Off' }] },
          multiPoint: { enabled: [{ name: 'New' }] },
        },
      },
    ],
  });
});

test('named plugins stay as they are written, and errors are left to the engine', () => {
  const given = { profiles: [{ plugins: { filter: { enabled: [{ name: 'Mine' }] } } }] };
  assert.equal(withPluginsEnabled(given, ['Mine']).configuration, given);
  assert.equal(withPluginsEnabled(undefined, []).configuration, undefined);
  for (const odd of [7, [], { profiles: [7] }, { profiles: [{ plugins: 'none' }] }])
    assert.doesNotThrow(() => withPluginsEnabled(odd, ['P']));
});
