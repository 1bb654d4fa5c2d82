// Goal: whatever becomes of the bytes of a recorded list, watch or refusal on their way, an
// informer ends with what the server has, and gets each event once. Method: every recording, over
// HTTP, with one byte a write, slow, and broken off.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordedNames } from '../support/playback_server.js';
import {
  bodyOf,
  distinctFrames,
  inBytes,
  inHalves,
  inLines,
  inPieces,
} from '../support/recorded_apiserver.js';
import { FETCHES, RecordedInformer } from '../support/recorded_informer.js';
import { scenarioOf } from '../support/recorded_scenarios.js';

/**
 * @import { Manner } from '../support/recorded_apiserver.js'
 * @import { Scenario } from '../support/recorded_scenarios.js'
 */

const SCENARIOS = recordedNames(/^(list|watch)/).map((name) => scenarioOf(name));
const STREAMS = SCENARIOS.filter(({ exchange }) => exchange.frames);
const ANSWERS = SCENARIOS.filter(({ exchange }) => !exchange.frames);

const linesOf = (/** @type {Scenario} */ { exchange }) => inLines(bodyOf(exchange)).map(textOf);
const textOf = (/** @type {Buffer} */ line) => line.toString().trimEnd();

/** No bookmark, which brings nothing where its version is known. @param {string} line */
const isChange = (line) => !line.startsWith('{"type":"BOOKMARK"');

/** @param {Scenario} scenario @param {Manner} manner @param {keyof typeof FETCHES} [fetchName] */
function play(scenario, manner, fetchName) {
  return new RecordedInformer(scenario).play(() => manner, fetchName);
}

/** @param {Scenario} scenario */
const isRefusal = ({ exchange: { response } }) =>
  response.status !== 200 || response.body?.type === 'ERROR';

test('all recorded lists and watches are here', () => {
  assert.equal(STREAMS.length, 4);
  assert.equal(ANSWERS.length, 25);
  assert.equal(ANSWERS.filter(isRefusal).length, 6);
});

for (const whole of STREAMS)
  test(`${whole.name}: one byte a write`, async () => {
    const scenario = scenarioOf(whole.name, distinctFrames(whole.exchange));
    const { events, errors } = await play(scenario, { cut: inPieces(1) });
    assert.deepEqual(events, linesOf(scenario));
    assert.ok(!errors.includes('ConnectionReset'), String(errors));
  });

for (const scenario of ANSWERS)
  test(`${scenario.name}: one byte a write`, async () => {
    const { errors } = await play(scenario, { cut: inBytes });
    assert.ok(!errors.includes('ConnectionReset'), String(errors));
  });

for (const scenario of STREAMS) {
  test(`${scenario.name}: broken off after each frame, and within each`, async () => {
    const lines = linesOf(scenario);
    for (let index = 0, offset = 0; index < lines.length; index += 1) {
      const length = Buffer.byteLength(lines[index]) + 1;
      const points = [offset + (length >> 1), offset + length];
      for (const breakAt of points) {
        const { events, errors } = await play(scenario, { breakAt });
        const isWhole = index === lines.length - 1 && breakAt === points[1];
        assert.ok(isWhole || errors.includes('ConnectionReset'), `${breakAt}: ${errors}`);
        const changes = events.filter(isChange);
        assert.deepEqual(changes, lines.filter(isChange), `broken off at ${breakAt}`);
      }
      offset += length;
    }
  });

  for (const [pace, factor] of Object.entries({ 'slower than recorded': 6, 'with silences': 90 }))
    test(`${scenario.name}: ${pace}, frame by frame`, async () => {
      const informer = new RecordedInformer(scenario);
      await informer.play(() => ({ cut: inLines, before: atRecordedTimes(informer, factor) }));
      assert.deepEqual(informer.events, linesOf(scenario));
      assert.equal(informer.errors.includes('Timeout'), factor > 6, String(informer.errors));
      assert.ok(informer.clock.now() >= scenario.exchange.frames.at(-1).atMs * factor);
    });
}

/**
 * Each frame comes when its time has come, and those before it are known.
 * @param {RecordedInformer} informer
 * @param {number} factor
 * @returns {Manner['before']}
 */
function atRecordedTimes(informer, factor) {
  return async (piece, { frames = [] }) => {
    if (piece > 0) await informer.arrived(frames[piece - 1].frame.object.metadata.resourceVersion);
    await informer.reach(frames[piece].atMs * factor);
  };
}

for (const scenario of ANSWERS) {
  const body = bodyOf(scenario.exchange);

  test(`${scenario.name}: broken off`, async () => {
    for (const fetchName of /** @type {(keyof typeof FETCHES)[]} */ (Object.keys(FETCHES)))
      for (const breakAt of [0, 1, body.length >> 1, body.length - 2])
        await play(scenario, { breakAt }, fetchName);
  });

  test(`${scenario.name}: as slow as can be borne, and slower`, async () => {
    for (const silence of [scenario.idleMs - 1, scenario.idleMs]) {
      const informer = new RecordedInformer(scenario);
      let isOver = false;
      await informer.play(() => ({
        cut: inHalves,
        before: async (piece) => {
          if (piece === 0 || isOver) return;
          isOver = true;
          await informer.reach(informer.clock.now() + silence);
        },
      }));
      assert.equal(informer.errors.includes('Timeout'), silence === scenario.idleMs);
    }
  });
}
