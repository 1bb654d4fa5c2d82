// Goal: the page shows the devices of each node, and who has them. Method: rows come and go.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { devicesOf, devicesOfPod, holdersText } from '../../../../web/src/page/cluster/devices.js';
import { withChanges } from '../../../../web/src/page/cluster/cluster_state.js';
import { wordsOf } from '../../../../web/src/page/cluster/cluster_words.js';
import { usesOf } from '../../../../web/src/page/cluster/amounts.js';
import { changesOf, clusterOf, nodeRow } from '../rows.js';

/**
 * @param {string} name
 * @param {string} node
 * @param {string[]} devices
 * @param {number} [generation]
 */
function slice(name, node, devices, generation = 1) {
  const rows = devices.map((device) => ({ name: device, taints: [], facts: '' }));
  return { name, node, pool: `d/${node}`, generation, devices: rows };
}

/** @param {string} name @param {string[]} devices @param {string[]} pods */
function claim(name, devices, pods = []) {
  return { key: `default/${name}`, devices, pods };
}

test('a node has the devices of the newest generation, each with its claims', () => {
  const cluster = clusterOf({
    nodes: [nodeRow('a'), nodeRow('b')],
    slices: [
      slice('a-2', 'a', ['z']),
      slice('a-1', 'a', ['x', 'y']),
      slice('a-0', 'a', ['old'], 0),
      slice('all', '', ['shared']),
    ],
    claims: [claim('one', ['d/a/x'], ['default/web']), claim('two', ['d/a/x', 'd/a/z'])],
  });
  const devices = devicesOf(cluster.devices, 'a');
  assert.deepEqual(
    devices.map((device) => `${device.id} ${holdersText(device)}`),
    [
      'd/a/x allocated to default/web (claim default/one), claim default/two',
      'd/a/y not allocated',
      'd/a/z allocated to claim default/two',
    ],
  );
  assert.deepEqual(devicesOfPod(cluster.devices, 'default/web'), ['d/a/x']);
  const { facts = [] } = wordsOf(cluster, { node: 'a' }) ?? {};
  assert.deepEqual(
    facts.filter(([name]) => name === 'devices'),
    [['devices', '2 of 3']],
  );
  assert.deepEqual(usesOf(cluster, nodeRow('b')), []);
});

test('rows that change or go leave nothing behind', () => {
  const before = clusterOf({
    slices: [slice('s', 'a', ['x'])],
    claims: [claim('one', ['d/a/x'])],
  });
  const freed = withChanges(before, changesOf({ claims: [claim('one', [])] }));
  assert.equal(holdersText(devicesOf(freed.devices, 'a')[0]), 'not allocated');
  const moved = withChanges(freed, changesOf({ slices: [slice('s', 'b', ['x'])] }));
  assert.deepEqual(
    [devicesOf(moved.devices, 'a').length, devicesOf(moved.devices, 'b').length],
    [0, 1],
  );
  const gone = withChanges(moved, changesOf({ goneSlices: ['s'], goneClaims: ['default/one'] }));
  assert.deepEqual(
    [gone.devices.slicesOf.size, gone.devices.holders.size, gone.devices.claims.size],
    [0, 0, 0],
  );
});
