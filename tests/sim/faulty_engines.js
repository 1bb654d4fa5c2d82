/** Engines with faults, for tests that prove the invariants. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { loadTarget } from '../support/targets.js';
import { Planner } from './world_plan.js';
import { hasDevices, hasGangs, hasVolumes } from './fault_odds.js';
import { WorldRun } from './world_run.js';

/** @typedef {import('../support/raw_engine.js').RawScheduler} RawScheduler */

/**
 * Changes to the input or the output of an engine; `lines` and `text` are JSON lines.
 *
 * @typedef {object} EngineFault
 * @property {string} breaks  the invariant
 * @property {string[]} [mayBreak] other invariants that may break first, in games that do not show
 *   this fault
 * @property {number} [from] the first seed that shows it
 * @property {(line: any) => any} [told] null: the line is lost
 * @property {(record: any) => any[]} [says] replaces a record of a turn; `body` is its text
 * @property {(inspection: any) => void} [shows]
 * @property {(evaluation: any) => void} [answers]
 * @property {(maxCycles: number) => number} [cycles]
 */

const SEEDS = 200;
const encoder = new TextEncoder();
const decoder = new TextDecoder();
export const native = await loadTarget('native');

/** @param {string} text @param {(value: any) => any[]} change */
function mapLines(text, change) {
  return text
    .trimEnd()
    .split('\n')
    .flatMap((line) => (line === '' ? [] : change(JSON.parse(line))))
    .map((value) => `${JSON.stringify(value)}\n`)
    .join('');
}

/** The bytes of a turn with other records; the bodies of calls follow them unchanged. */
function otherRecords(/** @type {Uint8Array} */ bytes, /** @type {(record: any) => any[]} */ says) {
  /** @type {string[]} */
  const texts = [];
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(10, at);
    const record = JSON.parse(decoder.decode(bytes.subarray(at, end)));
    const next = end + 1 + (record.bodyBytes ?? 0);
    const body = decoder.decode(bytes.subarray(end + 1, next));
    for (const { body: other = body, ...one } of says({ ...record, body })) {
      const bodyBytes = one.kind === 'Call' ? encoder.encode(other).length : undefined;
      texts.push(`${JSON.stringify({ ...one, bodyBytes })}\n${bodyBytes ? other : ''}`);
    }
    at = next;
  }
  return encoder.encode(texts.join(''));
}

/** @param {EngineFault} slip */
export function disguised({ told, says, shows, answers, cycles = (count) => count }) {
  return (/** @type {RawScheduler} */ engine) => ({
    dispose: () => engine.dispose(),
    applyText(/** @type {Uint8Array} */ bytes, /** @type {number} */ nowUs) {
      if (!told) return engine.applyText(bytes, nowUs);
      const text = mapLines(decoder.decode(bytes), (line) => told(line) ?? []);
      return engine.applyText(encoder.encode(text), nowUs);
    },
    runBytes(/** @type {number} */ nowUs, /** @type {number} */ maxCycles) {
      const bytes = engine.runBytes(nowUs, cycles(maxCycles));
      return says ? otherRecords(bytes, says) : bytes;
    },
    inspectText(/** @type {object} */ query) {
      const inspection = JSON.parse(engine.inspectText(query));
      shows?.(inspection);
      return JSON.stringify(inspection);
    },
    evaluateText(/** @type {any[]} */ ...question) {
      const evaluation = JSON.parse(
        engine.evaluateText(.../** @type {[any, any, any]} */ (question)),
      );
      answers?.(evaluation);
      return JSON.stringify(evaluation);
    },
  });
}

/**
 * Only the first time.
 * @param {(value: any) => boolean} isMeant @returns {(value: any) => boolean}
 */
export function once(isMeant) {
  let isDone = false;
  return (value) => {
    const isNow = !isDone && isMeant(value);
    isDone ||= isNow;
    return isNow;
  };
}

/**
 * @param {Game} game @param {EngineFault} [slip]
 * @returns {{invariant?: string, message?: string} | null}
 */
function failureOf({ seed, events }, slip) {
  const plan = new Planner(seed).plan(events);
  const disguise = slip && disguised(slip);
  try {
    new WorldRun([native], { seed, plan, disguise }).play();
    return null;
  } catch (error) {
    return /** @type {any} */ (error);
  }
}

/** @typedef {{seed: number, events: number}} Game */

/**
 * A test for each fault: some game fails, because of the fault.
 * @param {Record<string, () => EngineFault>} slips new ones for each run
 * @param {Game[]} games
 */
export function testEngineFaults(slips, games) {
  for (const [name, makeSlip] of Object.entries(slips)) {
    test(`an engine that ${name} is found`, () => {
      for (const game of games) {
        const slip = makeSlip();
        const { mayBreak = [], from = 0 } = slip;
        if (game.seed < from) continue;
        const failure = failureOf(game, slip);
        if (!failure || mayBreak.includes(String(failure.invariant))) continue;
        assert.equal(failure.invariant, slip.breaks, String(failure.message));

        assert.equal(failureOf(game), null);
        return;
      }
      assert.fail(`not in ${games.length} seeds`);
    });
  }
}

/** What a world has. @typedef {'volumes' | 'devices' | 'gangs' | 'pods'} Kind */

/** @param {number} seed @returns {Kind} */
function worldOf(seed) {
  if (hasGangs(seed)) return 'gangs';
  return hasVolumes(seed) ? 'volumes' : hasDevices(seed) ? 'devices' : 'pods';
}

/**
 * Seeds whose worlds have gangs, volumes alone, devices alone, or none of them.
 * @param {number} events @param {Kind} world
 * @returns {Game[]}
 */
export function gamesOf(events, world) {
  const seeds = Array.from({ length: SEEDS }, (_, index) => index + 1);
  return seeds.flatMap((seed) => (worldOf(seed) === world ? [{ seed, events }] : []));
}
