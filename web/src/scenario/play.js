/** Plays scenarios in worlds. */

/**
 * @import { Entry, Journal } from '../world/journal.js'
 * @import { WorldOptions } from '../world/world.js'
 * @import { Scenario, ScenarioStep } from './scenario.js'
 */

/**
 * What a scenario's world begins with, besides the engine.
 * @param {Scenario} scenario
 * @returns {Omit<WorldOptions, 'engine'>}
 */
export function worldOptionsOf({ scheduler, startTime, seed, kubelet }) {
  return { scheduler, startTime, seed, kubelet };
}

/**
 * The scenario as chapters: the initial objects, then each step. A step without actions applies an
 * empty list, so that each step appears in the journal.
 * @param {Scenario} scenario
 * @returns {ScenarioStep[]}
 */
export function chaptersOf({ objects, cycles, steps }) {
  /** @type {ScenarioStep} */
  const start = { note: '', actions: [{ do: 'apply', objects }], cycles };
  return [start, ...steps].map(chapterOf);
}

/**
 * @param {ScenarioStep} step
 * @returns {ScenarioStep} the step, with its cycles as an action if it counts them
 */
function chapterOf({ note, actions, cycles }) {
  const own = actions.length > 0 ? actions : [{ do: /** @type {const} */ ('apply'), objects: [] }];
  const steps = Array.from({ length: cycles ?? 0 }, () => ({ do: /** @type {const} */ ('step') }));
  return { note, actions: [...own, ...steps], cycles };
}

/**
 * Plays a chapter. The scheduler then decides everything that it can, unless the chapter limits its
 * cycles.
 * @param {Journal} journal
 * @param {ScenarioStep} chapter
 * @returns {AsyncGenerator<Entry, void, void>} each entry, after it was made
 */
export async function* playStep(journal, { actions, cycles }) {
  for (const action of actions) yield await journal.do(action);
  while (cycles === undefined && !journal.world.isIdle) yield await journal.do({ do: 'step' });
}
