/** The world with the other configuration, as the page knows it. */
import { batch, effect, signal } from '@preact/signals';

import { emptyCluster, withChanges } from '../cluster/cluster_state.js';

/**
 * @import { Evaluation } from '../../../../js/src/types.js'
 * @import { ComparedSettings } from '../../worker/compared_settings.js'
 * @import { OtherUpdate } from '../../worker/comparison.js'
 * @import { PlainError } from '../../worker/plain_errors.js'
 * @import { TimelineRow } from '../../worker/timeline.js'
 * @import { Fault, RemotePlayground, Session } from '../session.js'
 */

export class Comparing {
  isOn = signal(false);
  /** What the configuration of the first world is called. */
  firstTitle = signal('');
  /** What the other configuration is called. */
  title = signal('');
  cluster = signal(emptyCluster());
  /** How many actions it is behind the first world. */
  behind = signal(0);
  hash = signal('');
  /** What was refused there, and not in the first world. */
  errors = signal(/** @type {string[]} */ ([]));
  /** The pod that is looked at, and its attempt in the first world, if one is looked at here. */
  selectedPod = signal(/** @type {Session['selectedPod']['value']} */ (null));
  /** Why it has no evaluation. */
  fault = signal('');
  evaluation = signal(/** @type {Evaluation | null} */ (null));

  /** @param {OtherUpdate} [other] absent: nothing is compared */
  show(other) {
    this.isOn.value = other !== undefined;
    this.cluster.value = other ? withChanges(this.cluster.value, other.cluster) : emptyCluster();
    this.behind.value = other?.behind ?? 0;
    this.hash.value = other?.hash ?? '';
    this.errors.value = other?.errors ?? [];
  }

  /**
   * Looks at a pod here, too: at its attempt, or if there is none, or none is looked at in the
   * first world, as it is now.
   * @param {RemotePlayground} playground
   * @param {{ pod: string, attempt?: number } | null} selected
   * @param {readonly TimelineRow[]} rows of the first world
   */
  async look(playground, selected, rows) {
    if (!this.isOn.value || !selected) return this.#see(null, null);
    const { pod, attempt } = selected;
    try {
      const row = attempt !== undefined && rows.findLast((one) => one.attempt === attempt);
      const then = row ? await playground.evaluateOther(pod, row.position) : null;
      if (then) this.#see(selected, then);
      else this.#see({ pod }, await playground.evaluateOther(pod));
    } catch (error) {
      this.#see({ pod }, null, /** @type {PlainError} */ (error).message);
    }
  }

  /**
   * @param {{ pod: string, attempt?: number } | null} selected
   * @param {Evaluation | null} evaluation
   * @param {string} [fault]
   */
  #see(selected, evaluation, fault = '') {
    batch(() => {
      this.selectedPod.value = selected;
      this.evaluation.value = evaluation;
      this.fault.value = fault;
    });
  }
}

/**
 * Has the other world do what was done in the first one, bit by bit, whenever it is behind.
 * @param {Session} session
 */
export function keepUp(session) {
  const { behind } = session.comparing;
  effect(() => {
    if (behind.value === 0) return;
    void session.ask(async (playground) => {
      // What was asked before may have ended it.
      if (behind.peek() > 0) await session.show(await playground.catchUp());
    });
  });
}

/**
 * Sets another configuration beside the one of the scenario.
 * @param {Session} session
 * @param {{ first: string, other: string }} titles
 * @param {ComparedSettings} settings
 * @returns {Promise<PlainError | null>} why it is refused
 */
export async function compare(session, titles, settings) {
  /** @type {PlainError | null} */
  let refused = null;
  await session.ask(async (playground) => {
    try {
      const update = await playground.compare(settings);
      session.comparing.firstTitle.value = titles.first;
      session.comparing.title.value = titles.other;
      await session.show(update);
    } catch (error) {
      refused = /** @type {PlainError} */ (error);
    }
  });
  return refused;
}

/**
 * Why the first world cannot have a configuration.
 * @param {Session} session
 * @param {string} text
 * @returns {Promise<Fault | null>}
 */
export async function refusalOf(session, text) {
  const kind = /** @type {const} */ ('configuration');
  const problems = await session.query((playground) => playground.check({ kind }, text));
  const error = problems.find(({ severity }) => severity === 'error');
  return error ? { name: 'ConfigurationError', ...error } : null;
}

/**
 * Gives the first world another configuration, from this step on.
 * @param {Session} session
 * @param {string} text
 */
export function configureFirst(session, text) {
  return session.ask(async (playground) => {
    const { updates } = await playground.applyText({ kind: 'configuration' }, text);
    for (const update of updates) await session.show(update);
  });
}

/** @param {Session} session */
export function stopComparing(session) {
  return session.ask(async (playground) => session.show(await playground.compare(null)));
}
