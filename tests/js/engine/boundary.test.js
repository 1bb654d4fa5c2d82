import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Boundary } from '../../../js/src/engine/boundary.js';

test('a refused call names the argument that is bad', () => {
  const refused = () => -3;
  const surface = { input: (size) => new Uint8Array(size), apply: refused, run: refused };
  const boundary = new Boundary({ ...surface, evaluate: refused, inspect: refused });
  const cases = [
    [() => boundary.apply(1, NaN, 'lines', ['']), 'apply: nowUs is NaN'],
    [() => boundary.run(1, 5, -0.5), 'run: maxCycles is -0.5'],
    [() => boundary.run(1, Infinity, 1), 'run: nowUs is Infinity'],
    [() => boundary.evaluate(1, undefined, ['']), 'evaluate: nowUs is undefined'],
    [() => boundary.inspect(1, ['']), 'inspect'],
  ];
  for (const [call, text] of cases)
    assert.throws(call, { message: `the engine refuses the arguments of ${text}` });
});
