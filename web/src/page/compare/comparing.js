/** The world with the other configuration, as the page knows it. */
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
  /** The pod that is looked at, and which of the attempts here. */
  selectedPod = signal(/** @type {Selected | null} */ (null));
  /** Why it has no evaluation. */
  fault = signal('');
  evaluation = signal(/** @type {AttemptEvaluation | null} */ (null));
  /** The attempts here at the pod that is looked at, and their bindings. */
  rows = signal(/** @type {TimelineRow[]} */ ([]));
  /** What is looked at in the first world. */
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
   * Chooses one of the attempts here at the pod that is looked at, until another one is looked at.
   * @param {number} [attempt] absent: now
   */
  choose(attempt) {
    this.#chosen = { of: this.#looked, attempt };
  }

  /**
   * Looks at a pod here, too: at the attempt beside that of the first world, or at the one that
   * placed it here, or if there is none as it is now.
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
 * The attempt there that is shown beside one here: the last one up to its time, else the first.
 * @param {Selected} selected
 * @param {readonly TimelineRow[]} rows of the first world
 * @param {readonly TimelineRow[]} own of the other world, about the pod
 * @returns {number | undefined} undefined: none is looked at here, or the pod was not tried there
 */
function attemptBeside({ attempt }, rows, own) {
  const first = attempt !== undefined && rows.findLast((row) => row.attempt === attempt);
  if (!first) return undefined;
  const attempts = own.filter(({ kind }) => kind === 'Decision');
  const last = attempts.findLast(({ position }) => position <= first.position);
  return (last ?? attempts[0])?.attempt;
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
