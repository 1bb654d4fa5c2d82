// Goal: packages come from a signed index that is current: not replayed, and not dated in the
// future.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { SUITES } from '../../wasm/toolchain/debian_emscripten.js';
import {
  checkIndex,
  LAG_DAYS_MAX,
  OLDEST_INDEX,
  SKEW_DAYS_MAX,
} from '../../wasm/toolchain/package_index.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const DATE = new Date('2027-01-02T08:00:00Z');
const VALID_UNTIL = new Date('2027-01-09T08:00:00Z');

/** @param {Record<string, string | null>} [fields] replace those of a good index */
function indexWith(fields = {}) {
  const all = {
    Suite: 'testing',
    Date: 'Sat, 02 Jan 2027 08:00:00 UTC',
    'Valid-Until': 'Sat, 09 Jan 2027 08:00:00 UTC',
    ...fields,
  };
  const lines = Object.entries(all).flatMap(([name, value]) =>
    value === null ? [] : [`${name}: ${value}`],
  );
  const head = ['-----BEGIN PGP SIGNED MESSAGE-----', 'Hash: SHA256', ''];
  const tail = ['MD5Sum:', ' 6d41c063 1 main/Contents-all', '-----BEGIN PGP SIGNATURE-----', '=ab'];
  return [...head, ...lines, ...tail, '-----END PGP SIGNATURE-----', ''].join('\n');
}

/** @param {Date} date @param {number} days @param {number} [ms] */
const after = (date, days, ms = 0) => new Date(date.getTime() + days * DAY_MS + ms);

/** @param {string} text @param {Date} [now] @param {string} [suite] */
const check = (text, now = DATE, suite = 'forky') => checkIndex(text, { suite, now });

test('an index is accepted from its date until shortly after the end of its validity', () => {
  const want = { date: DATE, validUntil: VALID_UNTIL };
  for (const now of [
    after(DATE, -SKEW_DAYS_MAX),
    DATE,
    VALID_UNTIL,
    after(VALID_UNTIL, LAG_DAYS_MAX),
  ]) {
    assert.deepEqual(check(indexWith(), now), want, now.toISOString());
  }
  const single = indexWith({ Date: 'Sat,  2 Jan 2027 08:00:00 +0000' });
  assert.deepEqual(check(single), want);
});

test('a released suite has no end of validity; only the oldest accepted date counts', () => {
  const text = indexWith({ 'Valid-Until': null });
  assert.deepEqual(check(text, after(DATE, 2000), 'trixie'), { date: DATE, validUntil: null });
  assert.deepEqual(check(text, DATE, 'bookworm'), { date: DATE, validUntil: null });
});

test('every other index is refused with the reason', () => {
  /** @type {[string, string, Date, RegExp][]} */
  const cases = [
    ['expired', indexWith(), after(VALID_UNTIL, LAG_DAYS_MAX, 1), /expired on 2027-01-09T08:00/],
    ['of the future', indexWith(), after(DATE, -SKEW_DAYS_MAX, -1), /2027-01-02T.*in the future/],
    ['without a date', indexWith({ Date: null }), DATE, /forky has no readable Date/],
    ['with no date at all', '', DATE, /no readable Date/],
    ['with another form of date', indexWith({ Date: '2027-01-02' }), DATE, /no readable Date/],
    ['on no day', indexWith({ Date: 'Sat, 42 Jan 2027 08:00:00 UTC' }), DATE, /no readable Date/],
    ['valid until no day', indexWith({ 'Valid-Until': 'ever' }), DATE, /no readable Valid-Until/],
    [
      'replayed',
      indexWith({ Date: 'Fri, 30 Oct 2026 08:08:00 UTC' }),
      DATE,
      /dated 2026-10-30T08:08:00.* older than 2026-10-30T08:08:01Z is not accepted/,
    ],
    [
      'dated after its signature',
      `${indexWith({ Date: null })}Date: Sat, 02 Jan 2027 08:00:00 UTC\n`,
      DATE,
      /no readable Date/,
    ],
  ];
  for (const [name, text, now, message] of cases) {
    assert.throws(() => check(text, now), { code: 'SetupNeeded', message }, name);
  }
});

test('each suite that compilers come from has an oldest accepted index', () => {
  for (const suite of SUITES) {
    assert.ok(!Number.isNaN(Date.parse(OLDEST_INDEX[suite] ?? '')), suite);
  }
});
