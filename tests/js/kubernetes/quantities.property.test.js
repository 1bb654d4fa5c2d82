// Goal: JavaScript and the engine parse quantities alike. Method: thousands of texts, valid and
// nearly valid, as allocatable resources of a node.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonicalQuantity } from '../../../js/src/kubernetes/canonical_quantity.js';
import {
  formatQuantity,
  parseQuantity,
  quantityParts,
  withoutSpaces,
} from '../../../js/src/kubernetes/quantity.js';
import { holds } from '../support/properties.js';
import { startWasm } from '../support/real_engine.js';

const { engine } = await startWasm();
const scheduler = engine.createScheduler();

const suffix = fc.constantFrom(
  ...['', 'n', 'u', 'm', 'k', 'M', 'G', 'T', 'P', 'E', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'],
  ...['e3', 'E3', 'e+3', 'e-3', 'e0', 'e1', 'e18', 'e-9', 'e-10', 'e-101', 'e101', 'e4294967296'],
  ...['e-999999999', 'e99999999999999999999', 'K', 'ki', 'mi', 'e', 'Mb', 'ni', 'm5', 'e3.5'],
);
const digits = fc.oneof(
  fc.bigInt({ min: 0n, max: 10n ** 30n }).map(String),
  fc.nat(9999).map(String),
  fc.constantFrom('', '0', '00', '000', '1000', '1024', '250', '01', '9223372036854775807'),
);
/** Texts in the form of a quantity, with text that may surround one. */
const written = fc
  .tuple(
    fc.constantFrom('', '', '', '', '+', '-', ' ', '\t', '\u00a0', '\u2028', '\ufeff', '+-'),
    digits,
    fc.constantFrom('', '', '.'),
    digits,
    suffix,
    fc.constantFrom('', '', '', ' ', '\n', '\u0085', '\u3000', '\u200b', 'x'),
  )
  .map(([before, whole, point, fraction, unit, after]) =>
    [before, whole, point, point && fraction, unit, after].join(''),
  );
const junk = fc.constantFrom('constructor', '__proto__', 'toString', 'null', 'NaN', '1_000', '٣');
const text = fc.oneof(
  { weight: 20, arbitrary: written },
  fc.string({ maxLength: 6 }),
  junk,
  fc.integer({ min: 90, max: 300 }).map((count) => '7'.repeat(count)),
);

/** @param {string} quantity @returns {{ fault: string } | { milli: number, value: number }} */
function readByEngine(quantity) {
  /** @type {Error[]} */
  const errors = [];
  const node = {
    ...{ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n', uid: 'n' } },
    status: { allocatable: { cpu: quantity, memory: quantity } },
  };
  scheduler.apply(JSON.stringify(node), { onError: (error) => errors.push(error) });
  if (errors.length > 0) return { fault: errors[0].message };
  const { milliCPU: milli, memory: value } = scheduler.inspect({ node: 'n' }).allocatable;
  return { milli, value };
}

/** @param {string} quantity @returns {string | null} */
function faultOf(quantity) {
  try {
    quantityParts(withoutSpaces(quantity));
    return null;
  } catch (cause) {
    assert.ok(cause instanceof RangeError, String(cause));
    return cause.message;
  }
}

/** @param {bigint} nano @param {bigint} unit away from zero */
function inUnits(nano, unit) {
  const rest = nano % unit;
  return nano / unit + (rest === 0n ? 0n : rest > 0n ? 1n : -1n);
}

/** @param {bigint} value */
const fits = (value) => value === BigInt.asIntN(64, value);

test('JavaScript and the engine accept the same quantities, with the same errors', () => {
  holds(5000, text, (quantity) => {
    const fault = faultOf(quantity);
    if (fault?.includes('the limit is')) {
      assert.match(quantity, /^.{257,}$|\d{50}.*\d{50}|\d{101}|[eE]\+?\d{3,}/);
      return;
    }
    const read = readByEngine(quantity);
    if (fault === null) assert.ok(!('fault' in read), JSON.stringify(read));
    else assert.ok('fault' in read && read.fault.includes(fault), JSON.stringify([fault, read]));
  });
});

test('JavaScript and the engine compute the same amounts, rounded away from zero', () => {
  holds(3000, text, (quantity) => {
    const nano = parseQuantity(quantity);
    if (nano === null) return;
    const [milli, value] = [inUnits(nano, 1_000_000n), inUnits(nano, 1_000_000_000n)];
    for (const one of [quantity, formatQuantity(nano)]) {
      const read = readByEngine(one);
      assert.ok(!('fault' in read), `${one}: ${JSON.stringify(read)}`);
      if (fits(milli)) assert.equal(read.milli, Number(milli), one);
      if (fits(value)) assert.equal(read.value, Number(value), one);
    }
  });
});

test('a canonical quantity has the same amount, and its canonical form is itself', () => {
  holds(3000, text, (quantity) => {
    if (faultOf(quantity) !== null) return;
    const canonical = canonicalQuantity(quantity);
    assert.equal(canonicalQuantity(canonical), canonical);
    assert.equal(parseQuantity(canonical), parseQuantity(quantity));
  });
});

test('a text is kept where the reference keeps it', () => {
  // From the table of the engine's test, Quantity.PrintsCanonically.
  const kept = ['+1', '01', '5.', '1e3', '1E3', '1e+3', '1.500', '1.250', '+1Ki', '01Ki', '1025Mi'];
  for (const one of [...kept, '+12345678903Ki', '100m', '4', '500Mi', '0', '-3Mi', '-2048'])
    assert.equal(canonicalQuantity(one), one);
  for (const [one, wanted] of [
    ...[
      ['1.5', '1500m'],
      ['1.25', '1250m'],
      ['1100000k', '1100M'],
      ['1000m', '1'],
      ['.5', '500m'],
    ],
    ...[
      ['+123456789013Ki', '123456789013Ki'],
      ['1024Mi', '1Gi'],
      ['8Ki', '8Ki'],
      ['1e1', '10'],
    ],
    ...[
      ['0.3Ki', '307200m'],
      ['1.5Gi', '1536Mi'],
      ['0.5Ki', '512'],
      ['-0.5', '-500m'],
    ],
    ...[
      ['00', '0'],
      ['1e4', '10e3'],
      ['12e-1', '1200e-3'],
      ['1000e3', '1e6'],
      ['-2Ki', '-2Ki'],
    ],
    ...[
      ['100000000000000000000', '100E'],
      ['9223372036854775808', '9223372036854775808'],
    ],
    ...[
      ['8Ei', '9223372036854775807'],
      ['1000000000000000000000', '1e21'],
    ],
  ])
    assert.equal(canonicalQuantity(one), wanted, one);
  // Containers have thousandths: a rounded quantity is written anew.
  assert.equal(canonicalQuantity('1.250', -3), '1.250');
  assert.equal(canonicalQuantity('1.250001', -3), '1251m');
});
