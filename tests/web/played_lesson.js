/** Plays lessons to their end and summarizes the result for review. */
import { readFileSync, readdirSync } from 'node:fs';

import { readLessonFile } from '../../web/lessons/files.js';
import { chaptersOf, playStep, worldOptionsOf } from '../../web/src/scenario/play.js';
import { loadScenario } from '../../web/src/scenario/scenario.js';
import { Journal } from '../../web/src/world/journal.js';

/**
 * @import { Engine } from '../../js/src/engine/engine.js'
 * @import { Decision } from '../../js/src/engine/types.js'
 * @import { Scenario } from '../../web/src/scenario/scenario.js'
 */

const LESSONS = new URL('../../web/lessons/', import.meta.url);
const RECORDINGS = new URL('lessons/', import.meta.url);

/** More decisions than these are counted, not listed: their hash represents them. */
const LISTED_MAX = 100;

/**
 * The result of a lesson.
 * @typedef {object} Played
 * @property {PlayedChapter[]} chapters
 * @property {Record<string, string | null> | Counts} placements pods and their nodes at the end
 * @property {string} hash of the decisions under the last configuration
 */

/** A decision: the pod, the result, and the node or the message. */
/**
 * @typedef {{ note: string, decisions: [string, string, string][] | Counts, hash: string }}
 *   PlayedChapter
 */

/** Numbers by result. @typedef {Record<string, number>} Counts */

/** @returns {string[]} the names of all lessons */
export function lessonNames() {
  return readdirSync(LESSONS)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => name.replace('.yaml', ''))
    .sort();
}

/** @param {string} name */
export function lessonText(name) {
  return readFileSync(new URL(`${name}.yaml`, LESSONS), 'utf8');
}

/** @param {string} name */
export function readLesson(name) {
  return loadScenario(lessonText(name), { readFile: readLessonFile });
}

/** The file with the recorded result of a lesson. @param {string} name */
export function recordingOf(name) {
  return new URL(`${name}.json`, RECORDINGS);
}

/** The names of all recordings. */
export function recordingNames() {
  return readdirSync(RECORDINGS)
    .map((name) => name.replace('.json', ''))
    .sort();
}

/**
 * @param {Engine} engine
 * @param {Scenario} scenario
 * @returns {Promise<{ journal: Journal, played: Played }>} the caller disposes of the journal
 * @throws {unknown} the API server's errors about the lesson, and any other error
 */
export async function playLesson(engine, scenario) {
  /** @type {unknown[]} */
  const faults = [];
  const onError = (/** @type {unknown} */ error) => void faults.push(error);
  const journal = await Journal.begin({ engine, ...worldOptionsOf(scenario), onError });
  /** @type {PlayedChapter[]} */
  const chapters = [];
  for (const step of chaptersOf(scenario)) {
    /** @type {[string, string, string][]} */
    const decisions = [];
    for await (const { said, errors } of playStep(journal, step)) {
      faults.push(...errors);
      for (const { record } of said)
        if (record.kind === 'Decision') decisions.push(told(/** @type {Decision} */ (record)));
    }
    if (faults.length > 0) throw faults[0];
    const { hash } = journal.world.scheduler;
    chapters.push({ note: step.note, decisions: listed(decisions), hash });
  }
  return { journal, played: { chapters, ...endOf(journal) } };
}

/**
 * The state of a journal's world.
 * @param {Journal} journal
 * @returns {Pick<Played, 'placements' | 'hash'>}
 */
export function endOf({ world }) {
  const pods = world.server.store.list('pods');
  const { hash } = world.scheduler;
  const placed = pods.filter(({ spec }) => spec.nodeName).length;
  if (pods.length > LISTED_MAX)
    return { placements: { placed, pending: pods.length - placed }, hash };
  const placements = pods.map(({ metadata: { namespace, name }, spec }) => [
    `${namespace}/${name}`,
    spec.nodeName ?? null,
  ]);
  return { placements: Object.fromEntries(placements), hash };
}

/**
 * @param {Decision} decision
 * @returns {[string, string, string]}
 */
function told({ pod, result, node, message = '' }) {
  return [pod, result, node ?? message];
}

/** @param {[string, string, string][]} decisions */
function listed(decisions) {
  if (decisions.length <= LISTED_MAX) return decisions;
  /** @type {Counts} */
  const counts = {};
  for (const [, result] of decisions) counts[result] = (counts[result] ?? 0) + 1;
  return counts;
}
