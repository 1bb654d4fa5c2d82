// Goal: the API server in memory and the engine accept the same times. Method: thousands of texts,
// in the form of RFC 3339 and nearly so, as the creation time of a pod.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decode } from '../../../js/apiserver/schema/decode.js';
import { storedPod } from '../support/objects.js';
import { holds } from '../support/properties.js';
import { startWasm } from '../support/real_engine.js';

const { engine } = await startWasm();
const scheduler = engine.createScheduler();

const two = (/** @type {number} */ most) =>
  fc.oneof(fc.nat(most), fc.nat(99)).map((number) => String(number).padStart(2, '0'));
const text = fc
  .tuple(
    fc.constantFrom('2026', '2024', '1900', '0001', '9998', '1970', '26', '12026'),
    fc.tuple(two(12), two(31)),
    fc.constantFrom('T', 'T', 'T', 't', ' '),
    fc.tuple(two(23), two(59), two(59)),
    fc.constantFrom('', '', '.5', ',25', '.123456789012', '.'),
    fc.constantFrom('Z', 'Z', 'z', '+01:00', '-23:59', '+24:60', '+99:00', '', '+0100'),
  )
  .map(([year, [month, day], t, clock, fraction, zone]) =>
    [`${year}-${month}-${day}`, t, clock.join(':'), fraction, zone].join(''),
  );

/** @param {string} creationTimestamp */
function isReadByEngine(creationTimestamp) {
  let isRead = true;
  const pod = storedPod('p', { metadata: { creationTimestamp } });
  scheduler.apply(JSON.stringify(pod), { onError: () => (isRead = false) });
  return isRead;
}

/** @param {'Time' | 'MicroTime'} basic @param {string} time */
function readByServer(basic, time) {
  try {
    return decode({ kind: 'scalar', basic }, time).value;
  } catch {
    return undefined;
  }
}

test('times', () => {
  holds(5000, text, (time) => {
    const read = readByServer('Time', time);
    assert.equal(read !== undefined, isReadByEngine(time), time);
    if (read === undefined) return;
    assert.equal(readByServer('Time', read), read);
    const exact = Date.parse(time.replace(',', '.').replace('+24:60', '+23:59'));
    const shift = time.endsWith('+24:60') ? 61 * 60_000 : 0;
    assert.equal(Date.parse(read), Math.floor((exact - shift) / 1000) * 1000, time);
    assert.equal(Date.parse(readByServer('MicroTime', time)), exact - shift, time);
  });
});
