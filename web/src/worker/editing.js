/** Texts in the editor: their contents, their problems, and the actions that apply them. */

import { refusalsOf } from './refusals.js';

/**
 * @import { KubernetesObject } from '../../../js/src/index.js'
 * @import { Completions } from '../editor/completions.js'
 * @import { Checked, Edited, Open, ListedKind } from '../editor/editing.js'
 * @import { Problem } from '../editor/problems.js'
 * @import { ObjectReference } from '../world/cluster_writes.js'
 * @import { Action } from '../world/world.js'
 * @import { Update } from './opening.js'
 */

const editor = () => import('../editor/editing.js');

export class Editing {
  #opened;
  #perform;

  /**
   * @param {object} parts
   * @param {() => Open} parts.opened what is open, and is changed
   * @param {(action: Action) => Promise<Update>} parts.perform
   */
  constructor({ opened, perform }) {
    this.#opened = opened;
    this.#perform = perform;
  }

  /**
   * The text of what can be edited: the scenario, the configuration in force, or an object.
   * @param {'scenario' | 'configuration' | ObjectReference} what
   * @returns {Promise<string>} empty if the object does not exist
   */
  async editable(what) {
    return (await editor()).textOf(this.#opened(), what);
  }

  /**
   * Objects by kind, for a choice.
   * @returns {Promise<ListedKind[]>}
   */
  async listObjects() {
    return (await editor()).objectsByKind(this.#opened());
  }

  /**
   * The problems of a text that show without applying it. A live cluster's scheduler cannot check a
   * configuration; the waiting world's does.
   * @param {Checked} edited
   * @param {string} text
   * @returns {Promise<Problem[]>}
   */
  async check(edited, text) {
    return (await editor()).problemsIn(this.#opened(), edited, text);
  }

  /**
   * The completions at an offset of a text.
   * @param {Checked['kind']} kind
   * @param {string} text
   * @param {number} offset
   * @returns {Promise<Completions | null>}
   */
  async complete(kind, text, offset) {
    return (await editor()).completionsIn(this.#opened(), kind, text, offset);
  }

  /**
   * Applies a text, unless it has errors. A scenario is only checked.
   * @param {Edited} edited
   * @param {string} text
   * @returns {Promise<{ problems: Problem[], updates: Update[], isForbidden: boolean }>}
   *   `isForbidden`: the change needs a new pod
   */
  async applyText(edited, text) {
    const { actionsFor, isForbiddenEdit } = await editor();
    const { actions, problems } = await actionsFor(this.#opened(), edited, text);
    const updates = await this.#performAll(actions);
    const refusals = [
      ...problems.map(({ message }) => message),
      ...updates.flatMap(({ errors = [] }) => errors),
    ];
    const isForbidden = edited.kind === 'object' && isForbiddenEdit(text, refusals);
    return { problems, updates, isForbidden };
  }

  /**
   * Tries whether the API server would accept new objects.
   * @param {KubernetesObject[]} objects
   * @returns {string} the API server's error about the first object that it would refuse; empty if
   *   it accepts all
   */
  refusal(objects) {
    return refusalsOf(objects)[0]?.error.message ?? '';
  }

  /**
   * Replaces a pod with the one in the text.
   * @param {string} text
   * @returns {Promise<Update[]>}
   */
  async recreate(text) {
    return this.#performAll((await editor()).recreationOf(text));
  }

  /** Stops at the first action that is refused. @param {readonly Action[]} actions */
  async #performAll(actions) {
    /** @type {Update[]} */
    const updates = [];
    for (const action of actions) {
      const update = await this.#perform(action);
      updates.push(update);
      if (update.errors && update.errors.length > 0) break;
    }
    return updates;
  }
}
