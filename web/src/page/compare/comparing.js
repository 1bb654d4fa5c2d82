/** The page's state of the world with the other configuration. */
import { batch, effect, signal } from '@preact/signals';

import { emptyCluster, withChanges } from '../cluster/cluster_state.js';
import { placingAttempt } from '../decision/placing_attempt.js';

/**
 * @import { AttemptEvaluation } from '../../worker/attempt_evaluation.js'
 * @import { ComparedSettings } from '../../worker/compared_settings.js'
 * @import { OtherUpdate } from '../../worker/comparison.js'
 * @import { PlainError } from '../../worker/plain_errors.js'
 * @import { TimelineRow } from '../../worker/timeline.js'
 * @import { Fault, RemotePlayground, Selected, Session } from '../session.js'
 */

export class Comparing {
  isOn = signal(false);
  /** The name of the first world's configuration. */
  firstTitle = signal('');
  /** The name of the other configuration. */
  title = signal('');
  cluster = signal(emptyCluster());
  /** The actions that this world has yet to repeat. */
  behind = signal(0);
  hash = signal('');
  /** Errors of actions that the first world accepted. */
  errors = signal(/** @type {string[]} */ ([]));
  /** The selected pod, and the attempt at it in this world. */
  selectedPod = signal(/** @type {Selected | null} */ (null));
  /** The error because of which there is no evaluation. */
  fault = signal('');
  evaluation = signal(/** @type {AttemptEvaluation | null} */ (null));
  /** The attempts at the selected pod in this world, and their bindings. */
  rows = signal(/** @type {TimelineRow[]} */ ([]));
  /** The selection in the first world. */
  #looked = '';
  /** @type {{ of: string, attempt?: number } | null} */
  #chosen = null;

  /** @param {OtherUpdate} [other] absent: nothing is compared */
  show(other) {
    this.isOn.value = other !== undefined;
    this.cluster.value = other ? withChanges(this.cluster.value, other.cluster) : emptyCluster();
    this.behind.value = other?.behind ?? 0;
    this.hash.value = other?.hash ?? '';
    this.errors.value = other?.errors ?? [];
  }

  /**
   * Selects an attempt in this world at the selected pod. A new selection in the first world
   * replaces it.
   * @param {number} [attempt] absent: now
   */
  choose(attempt) {
    this.#chosen = { of: this.#looked, attempt };
  }

  /**
   * Evaluates the selected pod in this world too: at the attempt that corresponds to the first
   * world's, or at the one that placed the pod here, or otherwise now.
   * @param {RemotePlayground} playground
   * @param {Selected | null} selected
   * @param {readonly TimelineRow[]} rows of the first world
   */
  async look(playground, selected, rows) {
    if (!this.isOn.value || !selected) return this.#see(null, null);
    const { pod } = selected;
    this.#looked = `${pod} ${selected.attempt}`;
    if (this.#chosen?.of !== this.#looked) this.#chosen = null;
    try {
      const own = await playground.otherRowsAbout(pod);
      const { node = '' } = this.cluster.value.pods.get(pod) ?? {};
      const beside = attemptBeside(selected, rows, own) ?? placingAttempt(own, { pod, node });
      const attempt = this.#chosen ? this.#chosen.attempt : beside;
      this.rows.value = own;
      const evaluation = await playground.evaluateOther(pod, attempt);
      this.#see({ pod, ...(attempt !== undefined && { attempt }) }, evaluation);
    } catch (error) {
      this.#see({ pod }, null, /** @type {PlainError} */ (error).message);
    }
  }

  /**
   * @param {Selected | null} selected
   * @param {AttemptEvaluation | null} evaluation
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
 * The attempt to show beside one of the first world: the last one up to its time, otherwise the
 * first.
 * @param {Selected} selected
 * @param {readonly TimelineRow[]} rows of the first world
 * @param {readonly TimelineRow[]} own of the other world, about the pod
 * @returns {number | undefined} undefined: the selection is no attempt, or the other world did not
 *   try the pod
 */
function attemptBeside({ attempt }, rows, own) {
  const first = attempt !== undefined && rows.findLast((row) => row.attempt === attempt);
  if (!first) return undefined;
  const attempts = own.filter(({ kind }) => kind === 'Decision');
  const last = attempts.findLast(({ position }) => position <= first.position);
  return (last ?? attempts[0])?.attempt;
}

/**
 * Repeats the first world's actions in the other world, a few at a time, whenever it is behind.
 * @param {Session} session
 */
export function keepUp(session) {
  const { behind } = session.comparing;
  effect(() => {
    if (behind.value === 0) return;
    // An earlier request may have ended the comparison.
    void session.ask(async (playground) => (behind.peek() > 0 ? playground.catchUp() : undefined));
  });
}

/**
 * Compares the scenario with the same scenario under another configuration.
 * @param {Session} session
 * @param {{ first: string, other: string }} titles
 * @param {ComparedSettings} settings
 * @returns {Promise<PlainError | null>} the error; null if the configuration is accepted
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
 * The error because of which the first world cannot take a configuration.
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
 * Gives the first world another configuration from this step on.
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
  return session.ask((playground) => playground.compare(null));
}
