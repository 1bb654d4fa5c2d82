/** Plays scenarios in worlds. */

/**
 * @import { Entry, Journal } from '../world/journal.js'
 * @import { WorldOptions } from '../world/world.js'
 * @import { Scenario } from './scenario.js'
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
 * The scenario as groups of what is done: the objects that are there from the start, then each
 * step.
 * @param {Scenario} scenario
 * @returns {import('./scenario.js').ScenarioStep[]}
 */
export function chaptersOf({ objects, steps }) {
  return [{ note: '', actions: [{ do: 'apply', objects }] }, ...steps];
}

/**
 * Does what a step says, and has the scheduler decide all that it can decide then.
 * @param {Journal} journal
 * @param {import('./scenario.js').ScenarioStep} step
 * @returns {AsyncGenerator<Entry, void, void>} each thing as it was done
 */
export async function* playStep(journal, { actions }) {
  for (const action of actions) yield await journal.do(action);
  while (!journal.world.isIdle) yield await journal.do({ do: 'step' });
}
