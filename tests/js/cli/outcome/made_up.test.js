import assert from 'node:assert/strict';
import { test } from 'node:test';
import { madeUpIn, madeUpLines } from '../../../../js/src/cli/outcome/made_up.js';

const claim = (name, phase, uid = `u-${name}`) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name, namespace: 'shop', uid },
  status: { phase },
});

test('a claim that the input has as Pending is named as that', () => {
  const made = (name, volume = 'v') => ({ claim: `shop/${name}`, volume, by: 'csi.example' });
  const madeUp = [made('stored'), made('written'), made('none', null)];
  const read = [claim('stored', 'Pending'), claim('written', 'Pending', '')];
  const scheduler = { inspect: () => ({ madeUp }) };
  const found = madeUpIn({ scheduler, cluster: { read } });
  assert.deepEqual(
    found.map(({ pending }) => pending),
    [true, false, false],
  );
  assert.deepEqual(madeUpLines(found), [
    'note: made up by the simulation: volume v for claim shop/stored, Pending in the input ' +
      '(by csi.example), volume v for claim shop/written (by csi.example), ' +
      'claim shop/none (by csi.example)',
  ]);
});

test('without assumed objects there is no note', () => {
  const scheduler = { inspect: () => ({ madeUp: [] }) };
  assert.deepEqual(madeUpIn({ scheduler, cluster: { read: [] } }), []);
  assert.deepEqual(madeUpLines([]), []);
});
