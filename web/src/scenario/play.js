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
 * The scenario as groups of what is done: the objects that are there from the start, then each
 * step. None is empty, so that each is seen in a journal.
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
 * @returns {ScenarioStep} whose actions have its cycles, if they are counted
 */
function chapterOf({ note, actions, cycles }) {
  const own = actions.length > 0 ? actions : [{ do: /** @type {const} */ ('apply'), objects: [] }];
  const steps = Array.from({ length: cycles ?? 0 }, () => ({ do: /** @type {const} */ ('step') }));
  return { note, actions: [...own, ...steps], cycles };
}

/**
 * Does what a chapter says, and has the scheduler decide all that it can decide then, if the
 * chapter does not say how much.
 * @param {Journal} journal
 * @param {ScenarioStep} chapter
 * @returns {AsyncGenerator<Entry, void, void>} each thing as it was done
 */
export async function* playStep(journal, { actions, cycles }) {
  for (const action of actions) yield await journal.do(action);
  while (cycles === undefined && !journal.world.isIdle) yield await journal.do({ do: 'step' });
}
