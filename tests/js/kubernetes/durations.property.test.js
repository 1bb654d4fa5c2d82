// Goal: JavaScript and the engine, which reads those of extenders, parse durations alike. Method:
// thousands of texts, valid and nearly valid, as the httpTimeout of an extender.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { durationText, parseDuration } from '../../../js/src/kubernetes/duration.js';
import { makeNode, makePod } from '../support/objects.js';
import { holds } from '../support/properties.js';
import { startWasm } from '../support/real_engine.js';

const { engine } = await startWasm();

const digits = fc.oneof(
  fc.nat(9999).map(String),
  fc.constantFrom('', '0', '00', '1', '9223372036854775807', '9223372036854775808', '2562047'),
  fc.bigInt({ min: 0n, max: 10n ** 25n }).map(String),
);
const part = fc
  .tuple(
    digits,
    fc.constantFrom('', '', '', '.', '..'),
    digits,
    fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom('ns', 'us', 'µs', 'μs', 'ms', 's', 'm', 'h') },
      fc.constantFrom('', 'd', 'S', ' s', 'constructor', '__proto__', 'e3s'),
    ),
  )
  .map(([whole, point, fraction, unit]) => [whole, point, point && fraction, unit].join(''));
const text = fc
  .tuple(fc.constantFrom('', '', '', '+', '-', ' ', '--'), fc.array(part, { maxLength: 3 }))
  .map(([sign, parts]) => sign + parts.join(''));

/** Beyond this the deadline of a call is out of range. */
const LONGEST = 1e12;

/**
 * @param {string} httpTimeout
 * @returns {number | null} milliseconds; null if it is not a duration
 */
function readByEngine(httpTimeout) {
  const extender = { urlPrefix: 'http://extender.test', filterVerb: 'filter', httpTimeout };
  const configuration = {
    ...{ apiVersion: 'kubescheduler.config.k8s.io/v1', kind: 'KubeSchedulerConfiguration' },
    extenders: [extender],
  };
  let scheduler;
  try {
    scheduler = engine.createScheduler({ configuration });
  } catch (cause) {
    assert.match(/** @type {Error} */ (cause).message, /time: (invalid|missing|unknown)|duration/);
    return null;
  }
  scheduler.apply([makeNode('n'), makePod('p')]);
  const [call] = scheduler.run().calls;
  scheduler.dispose();
  return call.timeoutMs ?? 0;
}

/** @param {string} duration */
function readByJavaScript(duration) {
  try {
    return parseDuration(duration, 'f');
  } catch (cause) {
    assert.equal(/** @type {Error} */ (cause).name, 'ConfigurationError');
    return null;
  }
}

test('JavaScript and the engine accept the same durations', () => {
  holds(1500, text, (duration) => {
    const [own, read] = [readByJavaScript(duration), readByEngine(duration)];
    assert.equal(own === null, read === null, `${duration}: ${own} and ${read}`);
    // Calls have whole milliseconds, and no timeout if there are none.
    if (own === null || read === null || own < 1 || own > LONGEST) return;
    assert.ok(Math.abs(own - read) < 1, `${duration}: ${own} and ${read}`);
  });
});

const HALF = '9223372036854775808ns';

for (const [duration, expected] of /** @type {[string, number | null][]} */ ([
  // The sum has 64 bits and no sign.
  [`${HALF}${HALF}`, 0],
  [`-${HALF}${HALF}1ms`, -1],
  [`${HALF}${HALF}${HALF}`, null],
  ['9223372036854775809ns', null],
])) {
  test(`JavaScript and the engine read ${duration} as Go does`, () => {
    assert.equal(readByJavaScript(duration), expected);
    assert.equal(readByEngine(duration) === null, expected === null);
  });
}

test('a written duration parses to the same value', () => {
  holds(2000, fc.nat(10 ** 12), (ms) => {
    assert.equal(parseDuration(durationText(ms), 'f'), ms);
  });
});
