// Goal: feature gates are parsed as kube-scheduler parses its flag.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readFeatureGates } from '../../../../web/src/page/compare/feature_gates.js';

test('feature gates are parsed by name, and the first invalid one is reported', () => {
  assert.deepEqual(readFeatureGates(' A=true, B=false,'), { featureGates: { A: true, B: false } });
  assert.deepEqual(readFeatureGates(' '), {});
  assert.deepEqual(readFeatureGates('A=true,B=maybe,C'), { wrong: 'B=maybe' });
});
