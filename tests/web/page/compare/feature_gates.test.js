// Goal: feature gates are read as kube-scheduler reads its flag.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readFeatureGates } from '../../../../web/src/page/compare/feature_gates.js';

test('feature gates by name, or the first that is none', () => {
  assert.deepEqual(readFeatureGates(' A=true, B=false,'), { featureGates: { A: true, B: false } });
  assert.deepEqual(readFeatureGates(' '), {});
  assert.deepEqual(readFeatureGates('A=true,B=maybe,C'), { wrong: 'B=maybe' });
});
