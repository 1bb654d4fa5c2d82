// Goal: whatever becomes of the bytes of a recorded answer to a write, or of the lease, on their
// way, the client gives the answer as it was, or says that there is none. Method: every recording
// that is no list and no watch, over HTTP, with one byte a write, slow, and broken off.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualClock } from '../../../js/src/index.js';
import { createApiClient } from '../../../js/src/informer.js';
import { CallDeadlines } from '../../../js/src/live/call_deadlines.js';
import { recorded, recordedNames } from '../support/playback_server.js';
import { bodyOf, inHalves, inPieces, serveRecorded } from '../support/recorded_apiserver.js';
import { FETCHES } from '../support/recorded_informer.js';
import { steppedClock } from '../support/stepped_clock.js';

/** @import { Manner } from '../support/recorded_apiserver.js' */

const NAMES = recordedNames(/^(?!list|watch)/);
const FETCH_NAMES = /** @type {(keyof typeof FETCHES)[]} */ (Object.keys(FETCHES));

/** As long as the live scheduler waits for an answer: milliseconds. */
const CALL_TIMEOUT = 60_000;

const bytesOf = (/** @type {any} */ value) => new TextEncoder().encode(JSON.stringify(value));
const valueOf = (/** @type {any} */ bytes) => JSON.parse(new TextDecoder().decode(bytes));

/**
 * Makes the recorded request, whose answer is sent in that manner for the first time.
 * @param {string} name
 * @param {Manner} manner
 * @param {(ask: () => Promise<any>) => Promise<void>} use
 * @param {keyof typeof FETCHES} [fetchName]
 */
async function withAnswer(name, manner, use, fetchName = 'node') {
  const exchange = recorded(name);
  const { method, path, contentType = 'application/json', body } = exchange.request;
  const manners = [manner];
  const server = await serveRecorded(() => ({ exchange, ...manners.shift() }));
  const { fetch, close } = FETCHES[fetchName]();
  const client = createApiClient({ baseUrl: server.url, fetch, clock: virtualClock(0) });
  const sent = body === undefined ? new Uint8Array() : bytesOf(body);
  try {
    await use(() => client.perform({ method, path, contentType, body: sent }));
  } finally {
    await close();
    server.close();
  }
}

/** @param {string} name @param {any} answer */
function assertRecorded(name, answer) {
  const { status, body } = recorded(name).response;
  assert.equal(answer.status, status);
  assert.deepEqual(valueOf(answer.body), body);
}

test('all recordings but lists and watches are here', () => {
  assert.equal(NAMES.length, 19);
  assert.equal(recordedNames(/^(list|watch)/).length + NAMES.length, recordedNames(/./).length);
  const methods = new Set(NAMES.map((name) => recorded(name).request.method));
  assert.deepEqual([...methods].sort(), ['DELETE', 'GET', 'PATCH', 'POST', 'PUT']);
});

for (const name of NAMES) {
  const { length } = bodyOf(recorded(name));

  test(`${name}: one byte a write`, () =>
    withAnswer(name, { cut: inPieces(1) }, async (ask) => assertRecorded(name, await ask())));

  test(`${name}: broken off`, async () => {
    for (const fetchName of FETCH_NAMES)
      for (const breakAt of [0, 1, length >> 1, length - 2]) {
        const use = async (/** @type {() => Promise<any>} */ ask) => {
          const answer = await ask();
          // What only reads may have been asked for again already.
          if (name === 'lease' && !answer.error) assertRecorded(name, answer);
          else assert.equal(answer.error, 'network', answer.message);
          assertRecorded(name, await ask());
        };
        await withAnswer(name, { breakAt }, use, fetchName);
      }
  });

  test(`${name}: as slow as can be borne, and slower`, async () => {
    for (const silence of [CALL_TIMEOUT - 1, CALL_TIMEOUT]) {
      const clock = steppedClock(0);
      const { signal } = new AbortController();
      const deadlines = new CallDeadlines({ clock, timeout: CALL_TIMEOUT, signal });
      const before = (/** @type {number} */ piece) =>
        piece === 0 ? Promise.resolve() : clock.advance(silence);
      await withAnswer(name, { cut: inHalves, before }, async (ask) => {
        const answer = deadlines.run(ask);
        if (silence < CALL_TIMEOUT) assertRecorded(name, await answer);
        else await assert.rejects(answer, { message: 'no answer in time' });
      });
    }
  });
}
