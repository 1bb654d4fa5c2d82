/**
 * The output that must be equal in all manners of playing a scenario, and the comparison of two
 * transcripts.
 */
import { parseRecords } from '../support/raw_engine.js';
import { play } from './play.js';

/** @import { RawEngine, VerdictCacheMode } from '../support/raw_engine.js' */
/** @import { Scenario } from './scenario.js' */
/** @import { Manner, Transcript } from './play.js' */

/** Characters that are shown on each side of the first difference. */
const CONTEXT = 60;
const encoder = new TextEncoder();

/** The number of comparisons; tests check that there were some. */
export class Tally {
  decisions = 0;
  scheduled = 0;
  unschedulable = 0;
  preemptions = 0;
  hints = 0;
  refusedObjects = 0;
  scores = 0;
  foretold = 0;
  askedTwice = 0;
  withVolumes = 0;

  toString() {
    return Object.entries(this)
      .map(([name, count]) => `${count} ${name}`)
      .join(', ');
  }
}

/** Two manners of playing a scenario disagree. */
export class Disagreement extends Error {
  /** @param {string} between @param {string} difference */
  constructor(between, difference) {
    super(`${between}: ${difference}`);
    this.name = 'Disagreement';
  }
}

/**
 * Plays the scenario in every manner on the module, whose failed checks can be caught, and in the
 * manners with the most output on the addon.
 *
 * @param {{wasm: RawEngine, native: RawEngine}} engines
 * @param {Scenario} scenario
 * @param {Tally} tally
 * @param {VerdictCacheMode} other the mode that is compared with firstUse, and with off
 * @throws {Disagreement}
 */
export function assertAgreement({ wasm, native }, scenario, tally, other) {
  const manner = (/** @type {Manner} */ given) => play(wasm, scenario, given);
  const plainly = manner({ verdictCache: 'off', asks: false });
  const summary = manner({ verdictCache: 'firstUse' });
  const nodes = manner({ verdictCache: 'firstUse', detail: 'nodes' });
  agree('questions or the verdict cache, firstUse, change decisions', [
    differenceOfTexts(summary.turns, plainly.turns),
  ]);
  agree(`verdictCache ${other} is not firstUse`, [
    differenceOfTranscripts(manner({ verdictCache: other }), summary),
  ]);
  agree('detail nodes says something else than summary', [
    differenceOfDetail(nodes.turns, summary.turns, tally),
    differenceOfTexts(nodes.answers, summary.answers),
  ]);
  agree('an evaluation foretells something else', [differenceOfForetold(nodes, tally)]);
  agree('an evaluation says something else in summary', [differenceOfSummaries(summary, tally)]);
  agree('native is not WebAssembly, in summary', [
    differenceOfTranscripts(play(native, scenario, { verdictCache: 'firstUse' }), summary),
  ]);
  agree('native is not WebAssembly, node by node', [
    differenceOfTranscripts(play(native, scenario, { detail: 'nodes' }), nodes),
  ]);
}

/** @param {string} between @param {(string | null)[]} differences */
function agree(between, differences) {
  const first = differences.find((one) => one !== null);
  if (first) throw new Disagreement(between, first);
}

/** @param {Transcript} actual @param {Transcript} expected */
export function differenceOfTranscripts(actual, expected) {
  return (
    differenceOfTexts(actual.turns, expected.turns) ??
    differenceOfTexts(actual.answers, expected.answers)
  );
}

/**
 * The first difference as text, or null.
 * @param {string[]} actual @param {string[]} expected
 */
export function differenceOfTexts(actual, expected) {
  if (actual.length !== expected.length)
    return `${actual.length} texts instead of ${expected.length}`;
  const index = actual.findIndex((text, at) => text !== expected[at]);
  if (index < 0) return null;
  const [is, must] = [actual[index], expected[index]];
  let at = 0;
  while (is[at] === must[at]) at += 1;
  const show = (/** @type {string} */ text) =>
    JSON.stringify(text.slice(Math.max(0, at - CONTEXT), at + CONTEXT));
  return `text ${index}, character ${at}: ${show(is)} instead of ${show(must)}`;
}

/** @param {string} text  JSON lines, or a refusal @returns {any[]} */
function recordsOf(text) {
  return text.startsWith('{') ? parseRecords(encoder.encode(text)) : [];
}

/**
 * Whether the longer records contain all fields of the shorter ones, with the same values.
 * @param {string[]} nodes  turns with `detail: nodes`
 * @param {string[]} summary
 * @param {Tally} tally
 */
export function differenceOfDetail(nodes, summary, tally) {
  const long = nodes.flatMap(recordsOf);
  const short = summary.flatMap(recordsOf);
  if (long.length !== short.length) return `${long.length} records instead of ${short.length}`;
  for (const [index, record] of short.entries()) {
    count(long[index], tally);
    const difference = differenceOfMembers(asLongAs(record, long[index]), record);
    if (difference) return `record ${index}, ${difference}`;
  }
  return null;
}

/**
 * The longer record with the best nodes that the shorter one has room for.
 * @param {any} short @param {any} long
 */
function asLongAs(short, long) {
  if (!short?.bestOmitted || !long?.best) return long;
  const size = short.best.length;
  return { ...long, best: long.best.slice(0, size), bestOmitted: long.best.length - size };
}

/**
 * Compares only the members of `expected`, recursively.
 * @param {any} actual @param {any} expected @returns {string | null}
 */
function differenceOfMembers(actual, expected) {
  for (const name of Object.keys(expected)) {
    const [is, must] = [actual?.[name], expected[name]];
    if (isObject(must)) {
      const difference = differenceOfMembers(is, must);
      if (difference) return `${name}.${difference}`;
    } else if (JSON.stringify(is) !== JSON.stringify(must)) {
      return `${name}: ${JSON.stringify(is)} instead of ${JSON.stringify(must)}`;
    }
  }
  return null;
}

/** @param {unknown} value */
function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @param {any} record @param {Tally} tally */
function count(record, tally) {
  tally.refusedObjects += record.errors?.length ?? 0;
  if (record.kind !== 'Decision') return;
  tally.decisions += 1;
  if (record.result === 'scheduled') tally.scheduled += 1;
  if (record.result === 'unschedulable') tally.unschedulable += 1;
  if (record.preemption?.nominatedNode) tally.preemptions += 1;
  if (record.hint) tally.hints += 1;
  if (record.volumes) tally.withVolumes += 1;
  if (record.scores) tally.scores += 1;
}

/** Fields that only a decision has, or only an evaluation. */
const OWN_MEMBERS = ['apiVersion', 'kind'];

/**
 * Whether pods that were evaluated, and scheduled at once, went where the evaluation said, for its
 * reasons. OpportunisticBatching takes no part in evaluations.
 * @param {{foretold: Transcript['foretold']}} transcript  with `detail: nodes`
 * @param {Tally} tally
 */
export function differenceOfForetold({ foretold }, tally) {
  for (const { evaluation, turn } of foretold) {
    const [told] = recordsOf(evaluation);
    const decision = recordsOf(turn).find(
      ({ kind, pod }) => kind === 'Decision' && pod === told?.pod,
    );
    if (!told || !decision || decision.result === 'skipped' || decision.hint) continue;
    tally.foretold += 1;
    const shared = Object.fromEntries(
      Object.entries(told).filter(([name]) => !OWN_MEMBERS.includes(name)),
    );
    const difference = differenceOfMembers(decision, shared);
    if (difference) return `${told.pod}, ${difference}`;
  }
  return null;
}

/**
 * @param {{askedTwice: Transcript['askedTwice']}} transcript
 * @param {Tally} tally
 */
export function differenceOfSummaries({ askedTwice }, tally) {
  for (const { summary, nodes } of askedTwice) {
    const [short] = recordsOf(summary);
    const [long] = recordsOf(nodes);
    if (!short && summary === nodes) continue;
    const difference = differenceOfMembers(asLongAs(short, long), short ?? { answer: summary });
    if (difference) return `${short?.pod}, ${difference}`;
    tally.askedTwice += 1;
  }
  return null;
}
